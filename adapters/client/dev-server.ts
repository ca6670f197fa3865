/** Vite's development server for the client of one program, without a port of its own: it stands before the API's. */
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { SourceMap, type SourceMapping } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HotPayload, LogErrorOptions, ViteDevServer } from 'vite';
import { reportedText } from '../../base/reported-text.ts';
import { sourceFrame } from '../../base/source-frame.ts';
import { throwOutside } from '../../base/throw-outside.ts';
import type { MappedStack } from '../../handlers/http/client/error-route.ts';
import type { Intercept } from '../hosts/local/intercept.ts';
import { browserFrames, ownPlace } from './browser-traces.ts';
import { baseOf } from './built-client.ts';
import type { ClientModules, ClientProgram } from './client-program.ts';
import { entryText } from './entry.ts';
import { type ClientProblem, describeFailure, sourceOf } from './failure.ts';
import type { ClientJob } from './job.ts';
import { ModuleFetches } from './module-fetches.ts';
import { importPackage } from './packages.ts';
import { changed, hearPages, pageScript, uncovered } from './page-watch.ts';
import { entryId, oneOfEach, placeOnly, resolvedComponents, withoutQuery } from './plugin.ts';
import { preparedPackages } from './prepared-packages.ts';
import { findRuntime } from './runtime-files.ts';
import { type UnbundledPackages, unbundledPackages } from './unbundled-packages.ts';
import { type Vite, viteConfig } from './vite-config.ts';
import { watchTypes } from './watch-types.ts';

export interface DevServer {
  readonly intercept: Intercept;
  /** Adds what plug-ins and the update of modules need to a page. */
  transform(path: string, text: string): Promise<string>;
  /** Gives open pages the modules that have changed. */
  update(program: ClientProgram): void;
  /** The same for some modules, before the rest is known. Resolves when the pages have fetched them, at the latest soon after. */
  glance(modules: ClientModules): Promise<void>;
  /** Does the program have a module of this file? */
  has(path: string): boolean;
  /** Transforms what the first page will ask for, while it is not there yet. */
  warm(): void;
  /** Shows problems over the pages that are open or come, until there are none. */
  show(problems: readonly ClientProblem[]): void;
  mapStack(stack: string): MappedStack;
  /** Has the pages that are open load themselves anew. */
  reloadPages(): void;
  close(): Promise<void>;
}

export interface DevServerOptions {
  readonly job: ClientJob;
  /** Name of the build of svc itself. */
  readonly buildId: string;
  /** Tokens of the servers of this process, by which pages may connect: this one's is added. Pages of earlier servers are told to load themselves anew. */
  readonly tokens: Set<string>;
  /** Tells mistakes in files that Vite reads itself, and wrong types, which keep nothing from being shown. */
  readonly onProblems: (problems: readonly ClientProblem[]) => void;
  /** Tells an error of a module that failed while a page loaded it. */
  readonly onFailure: (message: string, mapped: MappedStack) => void;
  /** Packages may come to pages as they stand, where the program allows that (`unbundled-packages.ts`). */
  readonly mayBeUnbundled: boolean;
  /** Called when the program has come to import other packages: a server with `mayBeUnbundled: false` has to come in the place of this one. */
  readonly onBundleNeeded: () => void;
}

/** Address of the module that starts the application: the page's transformation puts the base before it. */
export const entryAddress = `/@id/${entryId}`;

/** @throws ClientBuildError when it cannot be configured */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  try {
    const { prepare, ...server } = await openDevServer(options);
    await prepare();
    return server;
  } catch (error) {
    throw describeFailure(error, options.job);
  }
}

interface OpenedServer extends DevServer {
  /** Has the packages of svc that stand in bundled before a page asks. */
  prepare(): Promise<void>;
}

async function openDevServer({
  job,
  buildId,
  tokens,
  onProblems,
  onFailure,
  mayBeUnbundled,
  onBundleNeeded,
}: DevServerOptions): Promise<OpenedServer> {
  const { projectDir } = job.config;
  const base = baseOf(job.config);
  const clientAddress = `${base}@vite/client`;
  let program = job.program;
  const vite = await importPackage<Vite>('vite', projectDir);
  const runtime = findRuntime();
  const unbundled = mayBeUnbundled ? unbundledPackages(job, `${base}@svc/`, buildId) : undefined;
  const scripts = new Set<ServerResponse>();
  const name = randomUUID();
  let updates = 0;
  const state = () => `${name}:${updates}`;
  let isLeft = false;
  let goOn = () => {};
  const renewed = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  // A package that Vite bundled would bring a React of its own: pages wait for the server that comes in the place of this one.
  const onOther = async () => {
    isLeft = true;
    onBundleNeeded();
    await Promise.race([renewed, pause(longestRenewalMs, undefined, { ref: false })]);
  };
  const needsOther = (changed: Parameters<UnbundledPackages['suits']>[0]) => unbundled?.suits(changed) === false;
  const prepared = unbundled === undefined ? preparedPackages(job, runtime) : undefined;
  const config = await viteConfig({
    vite,
    command: 'serve',
    job: () => ({ ...job, program }),
    runtime,
    prepared,
    unbundled,
    onOther: unbundled && onOther,
    pageScript: () => pageScript(state(), base),
    onChange() {
      updates += 1;
    },
  });
  const upgrades = new EventEmitter();
  const server = await vite.createServer({
    ...config,
    plugins: [...(config.plugins ?? []), ...(job.config.client.typescript ? [watchTypes(job.config, onProblems)] : [])],
    customLogger: quietLogger(vite, { job: () => ({ ...job, program }), projectDir, tell: onProblems }),
    optimizeDeps: {
      ...config.optimizeDeps,
      noDiscovery: false,
      include: [...(prepared?.include ?? []), ...(config.optimizeDeps?.include ?? [])],
      rolldownOptions: {
        ...config.optimizeDeps?.rolldownOptions,
        plugins: [config.optimizeDeps?.rolldownOptions?.plugins, oneOfEach(projectDir)],
        transform: {
          ...config.optimizeDeps?.rolldownOptions?.transform,
          // The name of the build tells the runtime of one version from that of another.
          define: { 'import.meta.env': JSON.stringify({ DEV: true, MODE: 'development', SVC_BUILD: buildId }) },
        },
      },
      entries: [],
    },
    server: {
      ...config.server,
      middlewareMode: true,
      // Changes of modules come with the compiled text: of their files Vite would forget what the pages have, and with it the places of errors.
      watch: {
        ...config.server?.watch,
        ignored: ['**/*.svc', '**/.svc/**', '**/.git/**', '**/dist/**', '**/.env', '**/.env.*'],
      },
      // Sockets of both ports come from here.
      hmr: { ...(typeof config.server?.hmr === 'object' ? config.server.hmr : {}), server: upgrades as Server },
      fs: {
        ...config.server?.fs,
        allow: [
          projectDir,
          runtime.directory,
          vite.searchForWorkspaceRoot(projectDir),
          ...(config.server?.fs?.allow ?? []),
        ],
        // Compiled modules come from memory; the text of server code goes nowhere.
        deny: [
          '.env',
          '.env.*',
          '*.{crt,pem,key}',
          '**/.git/**',
          '**/.svc/data/**',
          '**/*.svc',
          'svc.toml',
          ...(config.server?.fs?.deny ?? []),
        ],
      },
    },
  });
  const token = server.config.webSocketToken;
  tokens.add(token);
  let problems: readonly ClientProblem[] = [];
  server.ws.on('connection', (socket) => {
    if (problems.length > 0) socket.send(JSON.stringify(errorPayload(problems, projectDir)));
  });

  const mapStack = (stack: string): MappedStack => ({
    frames: browserFrames(stack).flatMap((frame) => placeOf(server, frame, projectDir)),
  });
  hearPages(server.ws, {
    state,
    onFailure({ message, stack }, page) {
      const mapped = mapStack(stack);
      page.send(errorPayload([failedAt(message, mapped, projectDir)], projectDir));
      onFailure(message, mapped);
    },
  });
  const refused = new Set<string>();
  /** Tells of pages at a host that Vite does not answer: they stay empty, and know nothing of it. */
  const tellRefused = ({ headers: { host = '' } }: IncomingMessage, { statusCode }: ServerResponse): void => {
    if (statusCode !== 403 || refused.size === mostRefused || refused.has(host)) return;
    refused.add(host);
    const name = reportedText(host, 200);
    onProblems([
      {
        message: `pages at ${name} stay empty, as only known hosts are answered with --dev\n  = help: [serve] base_url = "https://${name}" in svc.toml`,
      },
    ]);
  };
  const fetches = new ModuleFetches(projectDir);
  /**
   * Gives pages modules that have changed, when what they had asked of these before has been answered: a module imports itself, by the name that it has
   * then, and one that was asked for before would be evaluated after the newer one.
   */
  const change = (paths: readonly string[]): Promise<void> =>
    fetches.whenAnswered(paths, () => {
      updates += 1;
      reload(server, paths);
      server.ws.send(changed);
    });

  return {
    intercept: {
      take(request, response, pass) {
        if (!isOfPages(request)) return pass();
        const { url = '' } = request;
        // Vite knows its modules by the addresses that pages have.
        const address = url.replace(served, base);
        const text = unbundled?.text(address);
        if (text !== undefined) {
          response.writeHead(200, { ...scriptHeaders, 'cache-control': 'max-age=31536000, immutable' });
          return response.end(text);
        }
        if (unbundled !== undefined && request.headers['sec-fetch-dest'] === 'script') {
          scripts.add(response);
          response.on('close', () => scripts.delete(response));
        }
        if (url.includes('.svc?')) fetches.add(url.slice(served.length - 1), response);
        if (address === clientAddress) response.on('close', () => tellRefused(request, response));
        request.url = address;
        server.middlewares(request, response, () => {
          // Vite takes its base away.
          request.url = url;
          pass();
        });
      },
      upgrade(request, socket, head) {
        if (!isOfVite(request)) return false;
        socket.on('error', () => socket.destroy());
        request.url = request.url!.replace(served, base);
        const [, given = ''] = /[?&]token=([\w-]+)/.exec(request.url ?? '') ?? [];
        // A page of an earlier server hears that it is old when it tells of what it was made.
        if (tokens.has(given)) request.url = request.url!.replace(given, token);
        upgrades.emit('upgrade', request, socket, head);
        return true;
      },
    },
    async prepare() {
      const { pluginContainer, depsOptimizer } = server.environments.client;
      const from = join(projectDir, 'index.html');
      const find = async (one: string) => {
        const found = await pluginContainer.resolveId(one, from, { custom: placeOnly });
        return { one, found };
      };
      // Told all at once: of one that comes later Vite makes other bundles, and pages that have begun with those before load themselves anew.
      for (const { one, found } of await Promise.all((prepared?.lent ?? []).map(find)))
        if (found !== null) depsOptimizer?.registerMissingImport(one, withoutQuery(found.id));
    },
    transform: (path, text) => server.transformIndexHtml(path, text),
    update(next) {
      const before = program;
      program = next;
      const paths = changedPaths(before.modules(), next.modules());
      if (needsOther({ ...next, modules: () => only(paths, next.modules()) })) return onBundleNeeded();
      if (problems.length > 0) server.ws.send(uncovered);
      const table = server.moduleGraph.getModuleById(resolvedComponents);
      if (table !== undefined) server.moduleGraph.invalidateModule(table);
      problems = [];
      if (isOtherEntry(before, next, job)) {
        const entry = server.moduleGraph.getModuleById(`\0${entryId}`);
        if (entry !== undefined) server.moduleGraph.invalidateModule(entry);
        for (const path of paths) invalidate(server, path);
        updates += 1;
        server.ws.send({ type: 'full-reload' });
      } else if (paths.length > 0) change(paths).catch(throwOutside);
    },
    async glance(modules) {
      const paths = changedPaths(program.modules(), modules);
      if (needsOther({ modules: () => only(paths, modules) })) return;
      const all = new Map([...program.modules(), ...modules]);
      program = { ...program, modules: () => all };
      const loaded = paths.filter((path) => (server.moduleGraph.getModulesByFile(path)?.size ?? 0) > 0);
      if (loaded.length === 0) return;
      await change(paths);
      if (server.ws.clients.size > 0) await fetches.next(loaded[0]!);
    },
    has: (path) => program.modules().has(path),
    warm() {
      // Failures are told to the page that asks.
      const page = server.transformIndexHtml('/', '');
      for (const work of [page, server.warmupRequest('/@vite/client'), server.warmupRequest(entryAddress)])
        work.catch(() => {});
    },
    show(next) {
      // Vite keeps what nobody hears for the page that comes next, when it may have been mended.
      if (next.length > 0 && server.ws.clients.size > 0) server.ws.send(errorPayload(next, projectDir));
      problems = next;
    },
    mapStack,
    reloadPages() {
      server.ws.send({ type: 'full-reload' });
      if (!isLeft) return;
      // Pages hear of that when they have what they wait for.
      for (const one of scripts) if (!one.headersSent) one.writeHead(200, scriptHeaders).end(loadingAnew);
      goOn();
    },
    close: () => server.close(),
  };
}

/** Path of everything that a page loads, as requests come here. */
const served = '/static/';

/** Hosts of which a server tells that they are refused. */
const mostRefused = 20;

/** Time that a server may take to come in the place of another. */
const longestRenewalMs = 10_000;

const scriptHeaders = { 'content-type': 'text/javascript' };

/** Text of a module that loads the page anew, and never ends. */
const loadingAnew = 'location.reload();\nawait new Promise(() => {});\n';

/** Paths of files of the client; documentation pages are the API's, and so are files of `assets/` unless a module imports them. */
export function isOfPages({ url = '', headers }: IncomingMessage): boolean {
  if (!url.startsWith(served) || url.startsWith(`${served}_docs/`)) return false;
  return !url.startsWith(`${served}assets/`) || url.includes('?') || headers['sec-fetch-dest'] === 'script';
}

/** Tells whether a socket is one of those over which pages hear of changes. */
export function isOfVite({ headers }: IncomingMessage): boolean {
  return /^vite-/.test(headers['sec-websocket-protocol'] ?? '');
}

function changedPaths(before: ClientModules, after: ClientModules): string[] {
  return [...after].flatMap(([path, { code }]) => (before.get(path)?.code === code ? [] : [path]));
}

function only(paths: readonly string[], modules: ClientModules): ClientModules {
  return new Map(paths.map((path) => [path, modules.get(path)!]));
}

/** Pages that come and go, or another application, need the page anew. */
function isOtherEntry(before: ClientProgram, after: ClientProgram, { config: { client } }: ClientJob): boolean {
  const text = ({ outline }: ClientProgram) =>
    entryText({ ...outline, components: [] }, { router: client.router, authRedirect: client.routing.authRedirect });
  return text(before) !== text(after);
}

function invalidate(server: ViteDevServer, path: string): void {
  for (const module of server.moduleGraph.getModulesByFile(path) ?? []) server.moduleGraph.invalidateModule(module);
}

function reload(server: ViteDevServer, paths: readonly string[]): void {
  for (const path of paths) {
    // Else what Vite makes of the text before, where it is not ready yet, would be kept as that of this one.
    invalidate(server, path);
    for (const module of server.moduleGraph.getModulesByFile(path) ?? []) {
      server.reloadModule(module).catch(() => server.ws.send({ type: 'full-reload' }));
    }
  }
}

function errorPayload(problems: readonly ClientProblem[], projectDir: string): HotPayload {
  return { type: 'error', err: errorOf(problems, projectDir) };
}

/** Error as the page shows it: the first problem with the lines around it. */
function errorOf(problems: readonly ClientProblem[], projectDir: string) {
  const [first] = problems;
  const { message, file, line = 1, column = 1, source } = first!;
  const more = problems.length > 1 ? `\n\n… and ${problems.length - 1} more, in the terminal` : '';
  const from = Math.max(0, line - 3) + 1;
  const text = source?.split('\n').slice(from - 1, line + 2);
  const shown = text && sourceFrame(text, { line: line - from, from: Math.max(0, column - 1), to: column });
  // The overlay takes the spaces before the first line away: numbers begin each line, so that the others stay below it.
  const width = String(from + (text?.length ?? 1) - 1).length;
  const frame = shown?.lines
    .flatMap((each, i) => [
      `${String(from + i).padEnd(width)} | ${each}`,
      ...(from + i === line ? [`${' '.repeat(width)} | ${shown.indent}${shown.carets}`] : []),
    ])
    .join('\n');
  return {
    name: 'Error',
    message: message + more,
    stack: '',
    plugin: 'svc',
    ...(file === undefined ? {} : { id: relative(projectDir, file), loc: { file, line, column } }),
    ...(frame === undefined ? {} : { frame }),
  };
}

/** The first place in the author's files of an error that a page has told. */
function failedAt(message: string, { frames: [first] }: MappedStack, projectDir: string): ClientProblem {
  if (first === undefined) return { message };
  const file = resolve(projectDir, first.file);
  return { message, file, line: first.line, column: first.column, ...sourceOf(file) };
}

function placeOf(server: ViteDevServer, frame: ReturnType<typeof browserFrames>[number], projectDir: string) {
  const url = frame.path.slice(server.config.base.length - 1);
  // Packages are not the author's, and their maps are long.
  if (/\/(node_modules|vite\/deps)\//.test(url)) return [];
  const module = [...server.moduleGraph.urlToModuleMap].find(([known]) => known.replace(/\?.*$/, '') === url)?.[1];
  const map = module?.transformResult?.map;
  if (module?.file === undefined || module.file === null || map === undefined || map === null || !('mappings' in map))
    return [];
  const found = new SourceMap(map as never).findEntry(frame.line - 1, frame.column - 1);
  if (!isMapped(found)) return [];
  const file = ownPlace(resolve(dirname(module.file), found.originalSource), projectDir);
  if (file === undefined) return [];
  return [{ function: frame.function, file, line: found.originalLine + 1, column: found.originalColumn + 1 }];
}

function isMapped(found: ReturnType<SourceMap['findEntry']>): found is SourceMapping {
  return 'originalSource' in found;
}

/**
 * Errors alone: what is served and how long that took is said elsewhere. An error of Vite gets the author's words and places, in which it shows it in
 * the page next; the same is told once until there is another.
 */
function quietLogger(vite: Vite, { job, projectDir, tell }: Teller) {
  let told = '';
  // One error comes more than once, as Vite asks for modules ahead.
  const known = new WeakMap<object, readonly ClientProblem[]>();
  return {
    ...vite.createLogger('silent'),
    error(message: string, { error }: LogErrorOptions = {}) {
      // The file that is not there is told next, with its place.
      if (error === undefined && message.includes('Unable to resolve `@import')) return;
      const problems =
        error instanceof Error
          ? (known.get(error) ?? describeFailure(error, job()).problems)
          : [{ message: message.replace(/\u001b\[[0-9;]*m/g, '') }];
      if (error instanceof Error) {
        known.set(error, problems);
        Object.assign(error, { frame: '' }, errorOf(problems, projectDir));
      }
      const text = JSON.stringify(problems);
      if (told === text) return;
      told = text;
      tell(problems);
    },
  };
}

interface Teller {
  readonly job: () => ClientJob;
  readonly projectDir: string;
  readonly tell: (problems: readonly ClientProblem[]) => void;
}
