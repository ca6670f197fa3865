/**
 * Packages that pages get in development as they stand, so that Vite bundles nothing before the first page: React, whose CommonJS files a frame makes
 * modules, and the browser runtime, which was bundled with svc. For programs whose client imports no other package.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientProgram } from './client-program.ts';
import { importedPackages } from './imported-packages.ts';
import { type ClientJob, isConfigured } from './job.ts';
import { folderOfPackage, packageOf, placeOfPackage, versionOf } from './packages.ts';

export interface UnbundledPackages {
  has(specifier: string): boolean;
  /** Specifier that Vite leaves as it is; the import map leads it to its address. */
  external(specifier: string): string;
  /** Import map for pages, as JSON. */
  readonly importMap: string;
  /** Text of the module at an address. */
  text(url: string): string | undefined;
}

const scheme = 'svc://';
const parts = ['react', 'react/jsx-runtime', 'react/jsx-dev-runtime', 'react-dom', 'react-dom/client', 'scheduler'];
const ofReact: ReadonlySet<string> = new Set(parts.map(packageOf));
const runtimePrefix = '@svc/runtime/';

/** Gives undefined where Vite has to bundle packages. Addresses stand below `base`; `buildId` names the build of svc. */
export function unbundledPackages(
  { program, config }: ClientJob,
  base: string,
  buildId: string,
): UnbundledPackages | undefined {
  if (!isUnbundled(program, config) || isConfigured(config)) return undefined;
  const directory = bundledRuntime();
  if (directory === undefined) return undefined;
  const texts = new Map<string, string>();
  for (const one of parts) {
    const text = reactModule(one, config.projectDir);
    if (text === undefined) return undefined;
    texts.set(`${one}.mjs`, text);
  }
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mjs'));
  const runtime = files.map((name) => runtimePrefix + name.slice(0, -'.mjs'.length));
  const known = new Set([...parts, ...runtime]);
  const versions = [buildId, ...['react', 'react-dom'].map((one) => versionOf(one, config.projectDir))].join('-');
  const folder = `${base}${versions}/`;
  const address = (one: string) => `${folder}${one.replace(runtimePrefix, 'runtime/')}.mjs`;
  const keys = [...[...known].map((one) => [scheme + one, address(one)]), ...parts.map((one) => [one, address(one)])];
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
  };
}

/** Tells whether modules, and the scripts that they lead to, import what needs no bundle alone. `outline` is absent where only modules have changed. */
export function isUnbundled(
  { outline, modules }: Pick<ClientProgram, 'modules'> & Partial<ClientProgram>,
  { client }: ClientJob['config'],
): boolean {
  if (outline !== undefined && (outline.usesRouter || outline.pages.length > 0)) return false;
  const { packages, ofSheets } = importedPackages({ modules }, client.paths);
  return packages.every((name) => ofReact.has(name) || ofSheets.includes(name));
}

/** Folder of the runtime that was bundled with this build of svc; undefined where svc runs from its sources. */
function bundledRuntime(): string | undefined {
  for (let directory = dirname(fileURLToPath(import.meta.url)); ; directory = dirname(directory)) {
    const found = join(directory, 'client-dev');
    if (textOf(join(found, 'mount.mjs')) !== undefined) return found;
    if (dirname(directory) === directory) return undefined;
  }
}

/** Text of a CommonJS file of React in a frame that makes it a module; undefined where it is written in another way than is known. */
function reactModule(specifier: string, projectDir: string): string | undefined {
  const folder = folderOf(packageOf(specifier), projectDir);
  if (folder === undefined) return undefined;
  const front = textOf(join(folder, `${specifier.split('/')[1] ?? 'index'}.js`)) ?? '';
  const [, name] = /require\(['"](\.\/cjs\/[\w.-]+\.development\.js)['"]\)/.exec(front) ?? [];
  const text = name === undefined ? undefined : textOf(join(folder, name));
  if (text === undefined) return undefined;
  const needed = [...new Set([...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, one]) => one!))];
  const members = [...new Set([...text.matchAll(/\bexports\.([A-Za-z_$][\w$]*)\s*=/g)].map(([, one]) => one!))];
  if (members.length === 0 || !needed.every((one) => parts.includes(one))) return undefined;
  const imports = needed.map((one, i) => `import $${i} from ${JSON.stringify(one)};`).join('');
  const found = needed.map((one, i) => `${JSON.stringify(one)}: $${i}`).join(', ');
  return `${imports}const module = { exports: {} }, { exports } = module, process = { env: { NODE_ENV: "development" } }, require = (name) => ({ ${found} })[name];${text}
export default module.exports;
export const { ${members.join(', ')} } = module.exports;
`;
}

/** Folder of a package of React; `react-dom` brings `scheduler` along. */
function folderOf(name: string, projectDir: string): string | undefined {
  const from = name === 'scheduler' ? folderOf('react-dom', projectDir) : placeOfPackage(name, projectDir);
  return from === undefined ? undefined : folderOfPackage(name, from);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
