/**
 * Packages that Vite bundles once for development, before a page asks: those that compiled modules import, and the browser runtime, which would
 * else be some forty requests of each page.
 */
import { readdirSync, realpathSync } from 'node:fs';
import { extname } from 'node:path';
import { importedSpecifiers } from './imported-packages.ts';
import type { ClientJob } from './job.ts';
import { folderOfPackage, isEsPackage, packageOf, placeOfPackage } from './packages.ts';
import type { RuntimeFiles } from './runtime-files.ts';

export interface PreparedPackages {
  /** For `optimizeDeps.include`. */
  readonly include: readonly string[];
  /** Packages of svc that stand in for those of the project: Vite includes none of them by itself. */
  readonly lent: readonly string[];
  /** Name of a module of the runtime among them; undefined: it is served as it stands. */
  runtime(name: string): string | undefined;
  /** Path that this name leads to, for `resolve.alias`. */
  readonly alias: readonly { readonly find: RegExp; readonly replacement: string }[];
}

const prefix = 'svc-runtime/';
const always = ['react', 'react-dom/client', 'react/jsx-dev-runtime'];
/** Modules of the runtime with packages of their own. */
const withPackages: Readonly<Record<string, readonly string[]>> = {
  router: ['react-router-dom'],
  pages: ['react-router-dom'],
  forms: ['zod', '@tanstack/react-form'],
};

export function preparedPackages({ program, config }: ClientJob, files: RuntimeFiles): PreparedPackages {
  const { projectDir } = config;
  const imported = importedSpecifiers(program.modules());
  const hasRoutes = program.outline.usesRouter || program.outline.pages.length > 0;
  const own = [
    'mount',
    'runtime',
    'lang',
    'wire',
    'early',
    ...(hasRoutes ? ['router', 'pages'] : []),
    ...(imported.has('@svc/runtime/forms') ? ['forms'] : []),
    ...readdirSync(`${files.directory}/modules`).map((name) => `modules/${name.slice(0, -extname(name).length)}`),
  ];
  const needed = [...always, ...own.flatMap((name) => withPackages[name] ?? [])];
  // The bundler of packages looks for them from the project alone.
  const isOwn = (one: string) => placeOfPackage(packageOf(one), projectDir) === projectDir;
  const isWhole = needed.every(isOwn);
  const packages = [...needed, ...[...imported].filter((one) => isPackage(one) && !isSource(one, projectDir))];
  return {
    lent: packages.filter((one) => !isOwn(one)),
    include: [...new Set([...packages.filter(isOwn), ...(isWhole ? own.map((name) => prefix + name) : [])])],
    runtime: (name) => (isWhole ? prefix + name : undefined),
    alias: isWhole ? [{ find: new RegExp(`^${prefix}(.*)$`), replacement: files.file('$1') }] : [],
  };
}

/**
 * Is it a package that is written beside the project, such as one of a workspace? Vite serves its modules as those of the project and follows
 * their changes; a bundle of some would be a second copy of them. One in CommonJS has to be bundled.
 */
function isSource(specifier: string, projectDir: string): boolean {
  const folder = folderOfPackage(packageOf(specifier), projectDir);
  if (folder === undefined) return false;
  const place = realpathSync(folder);
  return !place.includes('/node_modules/') && isEsPackage(place);
}

const sheet = /\.(css|scss|sass|less|pcss|svg|png|jpe?g|gif|webp|woff2?|json)$/;

function isPackage(specifier: string): boolean {
  return (
    /^(@[\w-]|[a-z])/i.test(specifier) &&
    !specifier.startsWith('@svc') &&
    !specifier.includes(':') &&
    !sheet.test(specifier)
  );
}
