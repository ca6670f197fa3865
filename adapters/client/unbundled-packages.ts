/**
 * Packages that pages get in development as they stand, so that Vite bundles nothing before the first page: React, whose CommonJS files a frame makes
 * modules, the router's package, and the browser runtime, which was bundled with svc. For programs whose client imports no other package.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientProgram } from './client-program.ts';
import { importedPackages, importsOfScript } from './imported-packages.ts';
import { type ClientJob, isConfigured } from './job.ts';
import { folderOfPackage, packageOf, placeOfPackage, versionIn } from './packages.ts';

export interface UnbundledPackages {
  has(specifier: string): boolean;
  /** Specifier that Vite leaves as it is; the import map leads it to its address. */
  external(specifier: string): string;
  /** Import map for pages, as JSON. */
  readonly importMap: string;
  /** Text of the module at an address. */
  text(url: string): string | undefined;
  /** Tells whether modules, and the scripts that they lead to, import these packages alone. `outline` is absent where only modules have changed. */
  suits(program: Pick<ClientProgram, 'modules'> & Partial<ClientProgram>): boolean;
}

/** Files of specifiers below the folder of their package. */
type Files = Readonly<Record<string, string>>;

const ofReact: Files = {
  react: 'index.js',
  'react/jsx-runtime': 'jsx-runtime.js',
  'react/jsx-dev-runtime': 'jsx-dev-runtime.js',
  'react-dom': 'index.js',
  'react-dom/client': 'client.js',
  scheduler: 'index.js',
};
const ofRouter: Files = {
  'react-router-dom': 'dist/index.mjs',
  'react-router': 'dist/development/index.mjs',
  'react-router/dom': 'dist/development/dom-export.mjs',
  cookie: 'dist/index.js',
  'set-cookie-parser': 'lib/set-cookie.js',
};
/** Packages that another one brings along. */
const brings: Readonly<Record<string, string>> = {
  scheduler: 'react-dom',
  cookie: 'react-router',
  'set-cookie-parser': 'react-router',
};

const scheme = 'svc://';
const runtimePrefix = '@svc/runtime/';
/** Modules of the runtime that import the router's package. */
const routing = new Set([`${runtimePrefix}router`, `${runtimePrefix}pages`]);

/** Gives undefined where Vite has to bundle packages. Addresses stand below `base`; `buildId` names the build of svc. */
export function unbundledPackages(
  { program, config }: ClientJob,
  base: string,
  buildId: string,
): UnbundledPackages | undefined {
  const routes = hasRoutes(program);
  const parts = routes ? { ...ofReact, ...ofRouter } : ofReact;
  const packages = new Set(Object.keys(parts).map(packageOf));
  const suits: UnbundledPackages['suits'] = (next) => {
    if (next.outline !== undefined && !routes && hasRoutes(next as ClientProgram)) return false;
    const found = importedPackages({ modules: next.modules }, config.client.paths);
    return found.packages.every((name) => packages.has(name) || found.ofSheets.includes(name));
  };
  if (!suits(program) || isConfigured(config)) return undefined;
  const directory = bundledRuntime();
  if (directory === undefined) return undefined;
  const texts = textsOf(parts, config.projectDir);
  if (texts === undefined) return undefined;
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mjs'));
  const runtime = files.map((name) => runtimePrefix + name.slice(0, -'.mjs'.length));
  const known = new Set([...Object.keys(parts), ...runtime.filter((one) => routes || !routing.has(one))]);
  const versions = [...packages].map((one) => versionIn(folderOf(one, config.projectDir) ?? ''));
  const folder = `${base}${[buildId, ...versions].join('-')}/`;
  const address = (one: string) =>
    folder + (one in parts ? fileOf(one, parts) : `${one.replace(runtimePrefix, 'runtime/')}.mjs`);
  const keys = [
    ...[...known].map((one) => [scheme + one, address(one)]),
    ...Object.keys(parts).map((one) => [one, address(one)]),
  ];
  return {
    has: (specifier) => known.has(specifier),
    external: (specifier) => scheme + specifier,
    importMap: JSON.stringify({ imports: Object.fromEntries(keys) }),
    text(url) {
      if (!url.startsWith(folder)) return undefined;
      const name = url.slice(folder.length);
      const file = name.replace(/^runtime\//, '');
      return texts.get(name) ?? (files.includes(file) ? textOf(join(directory, file)) : undefined);
    },
    suits,
  };
}

function hasRoutes({ outline }: Pick<ClientProgram, 'outline'>): boolean {
  return outline.usesRouter || outline.pages.length > 0;
}

/** Folder of the runtime that was bundled with this build of svc; undefined where svc runs from its sources. */
function bundledRuntime(): string | undefined {
  for (let directory = dirname(fileURLToPath(import.meta.url)); ; directory = dirname(directory)) {
    const found = join(directory, 'client-dev');
    if (textOf(join(found, 'mount.mjs')) !== undefined) return found;
    if (dirname(directory) === directory) return undefined;
  }
}

/** `react-dom/client` -> `react-dom/client.js` */
function fileOf(specifier: string, parts: Files): string {
  return `${packageOf(specifier)}/${parts[specifier]}`;
}

/** Texts of modules by their paths below the folder of packages; undefined where one is written in another way than is known. */
function textsOf(parts: Files, projectDir: string): ReadonlyMap<string, string> | undefined {
  const texts = new Map<string, string>();
  const isKnown = (one: string) => one in parts;
  /** Tells whether a module, and those that it imports by a path, are known. */
  const add = (path: string, folder: string): boolean => {
    if (texts.has(path)) return true;
    const text = textOf(join(folder, path.slice(path.indexOf('/'))));
    const isModule = path.endsWith('.mjs');
    const module = text && (isModule ? processOfPages + text : framed(text, folder, isKnown));
    if (module === undefined) return false;
    texts.set(path, module);
    const imports = isModule ? importsOfScript(module.slice(processOfPages.length)) : [];
    return imports.every((one) =>
      one.startsWith('.') ? add(posix.join(posix.dirname(path), one), folder) : isKnown(one),
    );
  };
  const isThere = Object.keys(parts).every((one) => {
    const folder = folderOf(packageOf(one), projectDir);
    return folder !== undefined && add(fileOf(one, parts), folder);
  });
  return isThere ? texts : undefined;
}

const processOfPages = 'const process = { env: { NODE_ENV: "development" } };';

/** A CommonJS file in a frame that makes it a module: itself, or the one for development that it leads to. Undefined where it is written in another way. */
function framed(front: string, folder: string, isKnown: (specifier: string) => boolean): string | undefined {
  const [, name] = /require\(['"](\.\/cjs\/[\w.-]+\.development\.js)['"]\)/.exec(front) ?? [];
  const text = name === undefined ? front : textOf(join(folder, name));
  if (text === undefined) return undefined;
  const needed = [...new Set([...text.matchAll(/\brequire\(["']([^"']+)["']\)/g)].map(([, one]) => one!))];
  const members = [...new Set([...text.matchAll(/\bexports\.([A-Za-z_$][\w$]*)\s*=/g)].map(([, one]) => one!))];
  if (members.length === 0 || !needed.every(isKnown)) return undefined;
  const imports = needed.map((one, i) => `import $${i} from ${JSON.stringify(one)};`).join('');
  const found = needed.map((one, i) => `${JSON.stringify(one)}: $${i}`).join(', ');
  return `${imports}${processOfPages}const $module = { exports: {} };((module, exports, require) => {${text}
})($module, $module.exports, (name) => ({ ${found} })[name]);
export default $module.exports;
export const { ${members.join(', ')} } = $module.exports;
`;
}

/** Folder of a package. */
function folderOf(name: string, projectDir: string): string | undefined {
  const bringer = brings[name];
  const from = bringer === undefined ? placeOfPackage(name, projectDir) : folderOf(bringer, projectDir);
  return from === undefined ? undefined : folderOfPackage(name, from);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
