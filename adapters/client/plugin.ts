/** Plug-in that lets Vite read modules of the language: they are compiled before, and known by the paths of their `.svc` files. */
import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { DevEnvironment, HtmlTagDescriptor, Plugin, Rolldown } from 'vite';
import { whenWritten } from '../watch/when-written.ts';
import type { ClientModules } from './client-program.ts';
import { withDefaults } from './default-imports.ts';
import { componentsId } from './entry.ts';
import { unresolvedImport } from './failure.ts';
import { packageOf, placeOfPackage } from './packages.ts';
import { tellingModule } from './page-watch.ts';
import type { RuntimeFiles } from './runtime-files.ts';
import type { UnbundledPackages } from './unbundled-packages.ts';

export interface PluginOptions {
  /** Gives the compiled modules; called at each load, so that a reload gives the new ones. */
  readonly modules: () => ClientModules;
  /** Text of the module that puts the application into the page. */
  readonly entry: () => string;
  /** Text of the module that has what `/cl/{name}` shows, for development. */
  readonly components?: () => string;
  readonly runtime: RuntimeFiles;
  readonly projectDir: string;
  /** Folder whose packages stand in for those that are not found where they are imported, and of which there may be only one copy. */
  readonly packagesFrom: (name: string) => string | undefined;
  /** Name under which a module of the runtime was bundled for development; undefined: it is served as it stands. */
  readonly prepared?: ((name: string) => string | undefined) | undefined;
  /** Packages that Vite need not bundle, for development. */
  readonly unbundled?: UnbundledPackages | undefined;
  /** Called when another package, or a part of the runtime that needs one, is imported while nothing is bundled; Vite goes on with it when that has resolved. */
  readonly onOther?: (() => Promise<void>) | undefined;
  /** Gives the first script of a page, for development. */
  readonly pageScript?: (() => string) | undefined;
  /** Called for each file of a module that changes, before it is read again. */
  readonly onChange?: (() => void) | undefined;
}

/** Specifier of the entry. */
export const entryId = 'virtual:svc-entry';
const resolvedEntry = `\0${entryId}`;
export const resolvedComponents = `\0${componentsId}`;

/** Option of a look-up that has nothing bundled. */
export const placeOnly = { svc: 'place' };
export const withoutQuery = (id: string): string => id.replace(/\?.*$/, '');

/** Packages of which a page has exactly one copy. */
export const sharedPackages = ['react', 'react-dom', 'react-router', 'react-router-dom', 'scheduler'];
const shared = new RegExp(`^(${sharedPackages.join('|')})(/|$)`);
/** Packages that the browser runtime imports, which need not stand above its folder. */
const ours = /^(react|react-dom|react-router-dom|zod|@tanstack\/react-form|@testing-library\/[a-z-]+)(\/|$)/;

/** Module that Vite gives a page in the place of one of Node.js. */
const absentInBrowsers = '__vite-browser-external';

/** Worker in a module of the language, which is compiled for the page alone. */
const ownWorker = /new (?:Shared)?Worker\(\s*new URL\(\s*("[^"]+\.svc")\s*,\s*import\.meta\.url/;

const bare = /^(@[\w-]|[a-z])[\w./@-]*$/i;

export function svcPlugin({
  modules,
  entry,
  components,
  runtime,
  projectDir,
  packagesFrom,
  prepared,
  unbundled,
  onOther,
  pageScript,
  onChange,
}: PluginOptions): Plugin {
  /** Scripts, and calls of `import`, may leave out how the file of a module ends. */
  const moduleBeside = (path: string) =>
    ['.svc', '.cl.svc'].map((ending) => path + ending).find((file) => modules().has(file));
  const isOfProject = (id: string) => id.startsWith(projectDir) && !id.includes('/node_modules/');
  return {
    name: 'svc',
    enforce: 'pre',
    async resolveId(id, importer, options) {
      if (id === entryId || id === `/@id/${entryId}`) return resolvedEntry;
      if (id === componentsId) return resolvedComponents;
      const name = runtimeModule(id);
      const known = name === undefined ? id : `@svc/runtime/${name}`;
      if (unbundled?.has(known)) return unbundled.external(known);
      if (name !== undefined) {
        await onOther?.();
        const bundled = prepared?.(name);
        const { depsOptimizer } = this.environment as DevEnvironment;
        return bundled === undefined || depsOptimizer === undefined
          ? runtime.file(name)
          : depsOptimizer.getOptimizedDepId(depsOptimizer.registerMissingImport(bundled, runtime.file(name)));
      }
      if (id.startsWith('@svc-client/assets/')) {
        const file = resolve(projectDir, 'assets', id.slice('@svc-client/assets/'.length));
        if (importer !== undefined && !existsSync(withoutQuery(file))) this.error(unresolvedImport(id, importer));
        return file;
      }
      if (id.endsWith('.svc')) {
        const path = id.startsWith('.') && importer !== undefined ? resolve(dirname(importer), id) : id;
        if (modules().has(path)) return path;
        // In development a page names modules from the root of the project.
        const below = resolve(projectDir, `.${id}`);
        return id.startsWith('/') && modules().has(below) ? below : undefined;
      }
      const beside =
        id.startsWith('.') && importer !== undefined ? moduleBeside(resolve(dirname(importer), id)) : undefined;
      if (beside !== undefined) return (await this.resolve(id, importer, { ...options, skipSelf: true })) ?? beside;
      const isOwn = importer === undefined || importer.startsWith('\0') || runtime.holds(importer);
      const isShared = shared.test(id) || (isOwn && ours.test(id));
      // Packages of svc stand in for what the project lists and does not have, as in a checkout.
      const isTheirs = !isOwn && bare.test(id) && !importer.includes('/node_modules/');
      if (!isOwn && isBuiltin(id) && isOfProject(importer) && packagesFrom(id) === undefined) {
        const found = await this.resolve(id, importer, { ...options, skipSelf: true });
        if (found === null || found.id.startsWith(absentInBrowsers)) this.error(unresolvedImport(id, importer));
        return found;
      }
      if (!isShared && !isTheirs) return undefined;
      const from = packagesFrom(packageOf(id));
      if (from !== undefined) await onOther?.();
      if (from === undefined || (isShared ? !isOwn && importer?.startsWith(from) : from === projectDir))
        return undefined;
      const found = await this.resolve(id, `${from}/index.js`, { ...options, skipSelf: true });
      const { depsOptimizer } = this.environment as DevEnvironment;
      if (found === null || from === projectDir || depsOptimizer === undefined || !found.id.includes('/node_modules/'))
        return found;
      if (options.custom?.['svc'] === placeOnly.svc) return found;
      // Vite looks for packages to prepare from the project alone.
      return depsOptimizer.getOptimizedDepId(depsOptimizer.registerMissingImport(id, withoutQuery(found.id)));
    },
    transformIndexHtml: () => [
      ...(unbundled === undefined ? [] : [script('importmap', unbundled.importMap)]),
      ...(pageScript === undefined ? [] : [script('module', pageScript())]),
    ],
    hotUpdate({ modules }) {
      if (modules.length > 0) onChange?.();
    },
    async load(id) {
      if (id === resolvedEntry) return { code: entry(), moduleType: 'js' };
      if (id === resolvedComponents) return { code: components?.() ?? '', moduleType: 'js' };
      const found = modules().get(id);
      const { mode } = this.environment;
      if (found === undefined) {
        // A page that got what is there while a file is saved would keep it: Vite takes a second change within 5 ms for the first.
        if (mode === 'dev' && isOfProject(id)) await whenWritten(id.replace(/\?.*$/, ''));
        return undefined;
      }
      const { code, map } = found;
      const worker = ownWorker.exec(code);
      if (worker !== null) {
        const before = code.slice(0, worker.index).split('\n');
        const loc = { file: id, line: before.length, column: before.at(-1)!.length };
        const message = `${worker[1]} cannot be a worker: its file is a script, such as \`w.ts\``;
        this.error(Object.assign(new Error(message), { id, loc }));
      }
      const shown = mode === 'dev' ? tellingModule({ code: withDefaults(code, projectDir), map }) : { code, map };
      return { ...shown, moduleType: 'js' };
    },
  };
}

function script(type: string, text: string): HtmlTagDescriptor {
  return { tag: 'script', attrs: { type }, children: text, injectTo: 'head-prepend' };
}

/** Gives packages that are bundled before a page asks the React of svc, where the project has none: the page has no other. */
export function oneOfEach(projectDir: string): Rolldown.Plugin {
  return {
    name: 'svc:one-of-each',
    resolveId: {
      filter: { id: shared },
      async handler(id, importer, options) {
        const from = placeOfPackage(packageOf(id), projectDir);
        if (from === undefined || from === projectDir || importer === undefined) return undefined;
        return await this.resolve(id, join(from, 'index.js'), { ...options, skipSelf: true });
      },
    },
  };
}

/** `@svc/runtime/wire` -> `wire` */
function runtimeModule(id: string): string | undefined {
  if (id === '@svc/runtime' || id === '@svc-client/utils') return 'runtime';
  return id.startsWith('@svc/runtime/') ? id.slice('@svc/runtime/'.length) : undefined;
}
