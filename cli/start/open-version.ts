import { loadModules } from '../../adapters/modules/load-modules.ts';
import type { Traces } from '../../adapters/modules/traces.ts';
import type { Stores } from '../../adapters/stores/stores.ts';
import type { Config } from '../../core/config/config.ts';
import { SYSTEM_ROOT_ID } from '../../core/graph/ids.ts';
import type { Log } from '../../core/log/log.ts';
import { contextOrNone } from '../../core/memory/context.ts';
import type { Runtime } from '../../core/memory/runtime.ts';
import { tracedStore } from '../../core/memory/traced-store.ts';
import type { Turns } from '../../core/memory/turns.ts';
import { runUnit } from '../../core/memory/unit.ts';
import { loadProgram } from '../../core/program/load.ts';
import { missingSecrets } from '../../core/program/missing-secrets.ts';
import type { Program } from '../../core/program/program.ts';
import { type StartOnce, type StartRun, startOnce } from '../../core/program/start-once.ts';
import type { Topics } from '../../core/topics/topics.ts';
import type { Tracer } from '../../core/trace/trace.ts';
import { type App, createApp } from '../../handlers/app.ts';
import { type AccountAuth, createAuth } from '../../handlers/auth/auth.ts';
import type { BuildStatus } from '../../handlers/deps.ts';
import { createDescription } from '../../handlers/http/openapi/route.ts';
import type { StaticFolder } from '../../handlers/http/static-files.ts';
import type { StoryBook } from '../../handlers/http/stories/story-book.ts';
import type { LiveHub } from '../../handlers/live/live-hub.ts';
import type { ProviderRequest } from '../../handlers/sso/provider-request.ts';
import { liveClasses } from '../../library/classes/registry.ts';
import { setPlaces } from '../../library/values/calls/stack-frames.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import type { LiveClient } from '../client/live-client.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { type LocalDisk, openRuntime, shareTurns } from '../program/open-runtime.ts';
import type { ServedMetrics } from './open-metrics.ts';
import type { Common } from './open-shared.ts';
import type { ServedTopics } from './open-topics.ts';
import { readAppParts } from './read-app-parts.ts';
import type { Runnable } from './reload.ts';

export interface VersionParts {
  readonly config: Config;
  readonly stores: Stores;
  readonly log: Log;
  /** Traces of the modules of all versions. */
  readonly traces: Traces;
  /** Undefined when spans go nowhere. */
  readonly tracer: Tracer | undefined;
  /** Stories of the calls of all versions; absent when none are kept. */
  readonly stories?: StoryBook | undefined;
  /** Undefined when metrics are off. */
  readonly metrics: ServedMetrics | undefined;
  readonly compiled: Runnable;
  readonly print: (line: string) => void;
  /** The host can have connections. */
  readonly takesSockets: boolean;
  /** The host keeps live subscriptions; with a hub it does. */
  readonly takesLive?: boolean;
  /** Hub of live subscriptions; absent where the host keeps none. */
  readonly hub?: LiveHub | undefined;
  readonly buildStatus: (() => BuildStatus) | undefined;
  /** Shared by all versions, so that calls of two of them keep out of each other's way; absent when there is only one. */
  readonly turns: Turns | undefined;
  /** The deployment whose start-up code takes effect once; absent: it does in each process. */
  readonly startOnce?: StartOnce;
  /** The disk goes with the process, as in the cloud. `directory`: where something can be written at all. */
  readonly passingDisk?: { readonly directory?: string } | undefined;
  /** The development server of the client; absent: its pages are built. */
  readonly live?: LiveClient | undefined;
  /** Files that builds of other versions made; absent where nothing keeps them. */
  readonly otherBuilds?: StaticFolder | undefined;
  /** Absent: over connections of Node. */
  readonly sendToProvider?: ProviderRequest | undefined;
  /** Parts that processes of the application share; absent when there is only one. */
  readonly shared?: Pick<Common, 'rateLimit' | 'news' | 'cache'> | undefined;
  /** Topics of all versions; absent: there are none on this host. */
  readonly topics?: (Pick<ServedTopics, 'streamsFor'> & { readonly board: Topics }) | undefined;
}

/** One version of the application, ready to serve. */
export interface Version {
  readonly app: App;
  readonly program: Program;
  readonly runtime: Runtime;
  readonly auth: AccountAuth;
  /** To be called when its last call has ended. */
  close(): void;
}

/**
 * Loads the modules, which runs the program's entry blocks as the system, and builds the application on what they declare.
 *
 * @throws ProgramError when what is declared cannot be served, CommandFailure for a token key, for a type of storage nobody has registered and
 * for stored objects that do not fit; what the entry blocks throw
 */
export async function openVersion(parts: VersionParts): Promise<Version> {
  const { config, stores, log, traces } = parts;
  const { directory, entryFile, entryId, load: importAll } = parts.compiled;
  const { run } = config;
  let program: Program | undefined;
  const opened = openRuntime(() => config, {
    store: parts.tracer === undefined && parts.stories === undefined ? stores.graph : tracedStore(stores.graph),
    databases: stores.databases,
    topics: parts.topics?.board ?? 'none',
    disk: localDisk(parts),
    // Calls of this version keep to its classes when later ones are loaded.
    classes: () => program?.classes ?? liveClasses,
    echo: run.echoReports ? (value) => parts.print(strOf(value)) : undefined,
    warn(message, fields) {
      contextOrNone()?.session.trace?.story?.log('warn', message);
      log.warn(message, fields);
    },
    meters: parts.metrics?.meters,
    compatibility: { warn: (line) => log.warn(line) },
  });
  const runtime = parts.turns === undefined ? opened : shareTurns(opened, parts.turns);
  const system = { rootId: SYSTEM_ROOT_ID, userId: null, kind: 'system' } as const;
  traces.cover(directory);
  setPlaces(traces.place);
  let runs = 0;
  const importAgain = async () => {
    const { copyModules } = await import('../../adapters/modules/copy-modules.ts');
    const copy = await copyModules(directory);
    traces.cover(copy);
    runtime.types.forget();
    return await loadModules(copy, entryFile);
  };
  const importAnew = () => (runs++ === 0 ? loadModules(directory, entryFile) : importAgain());
  // Modules that a host has loaded run once.
  const canReplay = () => importAll === undefined;
  const load = (how: Partial<StartRun>) => runUnit(runtime, system, importAll ?? importAnew, { ...how, canReplay });
  const exports = await (parts.startOnce === undefined ? load({}) : startOnce(parts.startOnce, load));
  const { endpoint } = config.scale.metrics;
  program = withSecrets(
    loadProgram({ entry: entryId, exports, metricsEndpoint: endpoint, functions: config.serve.functions }),
    config,
  );
  requireStorageType(config, runtime);
  if (config.schema.onIncompatible === 'fail') await refuseIncompatible(runtime);
  const names = (targets: readonly { readonly name: string }[]) => targets.map(({ name }) => name);
  runtime.program = { walkers: names(program.walkers), functions: names(program.functions) };
  const description = createDescription(config);
  const { meters, expose } = parts.metrics ?? {};
  const auth = openAuth(parts);
  const page = parts.live?.facts() ?? parts.compiled.page;
  // A function has files of the client alone, in its bundle.
  const hasFiles = parts.passingDisk === undefined || page !== undefined;
  const front = hasFiles
    ? await (await import('./open-pages.ts')).openFront(config, {
        page,
        live: parts.live,
        log,
        otherBuilds: parts.otherBuilds,
      })
    : undefined;
  const studio = parts.stories && (await import('./open-studio.ts')).openStudio(parts, parts.stories, runtime);
  const app = createApp(program, {
    config,
    runtime,
    parts: await readAppParts(program, config, {
      takesSockets: parts.takesSockets,
      takesLive: parts.hub !== undefined || parts.takesLive === true,
      isScraped: expose !== undefined,
    }),
    log,
    auth,
    accounts: stores.accounts,
    sockets: auth,
    webhooks: {
      apiKeys: auth.apiKeys,
      counters: stores.accounts,
      environment: ofProcess,
    },
    health: {
      store: stores.name,
      durability: stores.durability,
      ping: () => stores.ping(),
      cache: parts.shared?.cache,
    },
    routes: [
      ...description.routes,
      ...(front?.routes ?? []),
      ...(studio?.routes ?? []),
      ...(parts.hub === undefined ? [] : (await import('../../handlers/live/live-routes.ts')).liveRoutes(parts.hub)),
    ],
    traces,
    meters,
    exposeMetrics: expose,
    tracer: parts.tracer,
    stories: parts.stories,
    runAs: studio?.runAs,
    rateLimit: parts.shared?.rateLimit,
    openTopics: parts.topics?.streamsFor(auth),
    ...(front && { pages: front.pages }),
    ...(parts.buildStatus === undefined ? {} : { buildStatus: parts.buildStatus }),
  });
  description.update(app.routes);
  return { app, program, runtime, auth, close: auth.close };
}

const ofProcess = (name: string) => process.env[name] || undefined;

/** The program, with a warning for each webhook whose secret is not there; production refuses it. */
function withSecrets(program: Program, { mode }: Config): Program {
  const missing = missingSecrets(program, ofProcess);
  const lines = missing.map(({ walker, problem }) => `webhook ${walker} has no secret: ${problem}`);
  if (mode !== 'production' || missing.length === 0)
    return { ...program, warnings: [...program.warnings, ...lines.map((line) => `${line}; it answers 503`)] };
  const [first, ...more] = lines;
  throw new CommandFailure(exitCodes.invalid, 'a webhook cannot be verified', first!, [
    ...more,
    'set the variable in the environment of the server; a deployment has it from [plugins.scale.secrets]',
  ]);
}

/** The configured type of file storage is one of the system or of the program (docs/server/files.md#storages). */
function requireStorageType({ storage: { storageType } }: Config, { files }: Runtime): void {
  const known = files.types();
  if (known.includes(storageType)) return;
  throw new CommandFailure(
    exitCodes.invalid,
    'storage.storage_type',
    `unknown storage type '${storageType}' (known: ${known.join(', ')})`,
    [`a program adds a type while it is loaded: StorageFactory.register("${storageType}", factory)`],
  );
}

/**
 * `on_incompatible = "fail"` (docs/server/storage.md#changing-types). Where every stored type is as the program
 * declares it, no record is looked at.
 */
async function refuseIncompatible(runtime: Runtime): Promise<void> {
  if (runtime.types.areAllCurrent()) return;
  const { describeChange, isLosing } = await import('../program/describe-change.ts');
  const { findStoredChanges } = await import('../../core/memory/stored-changes.ts');
  const lost = (await findStoredChanges(runtime)).changes.filter(isLosing);
  if (lost.length === 0) return;
  throw new CommandFailure(
    exitCodes.invalid,
    'the stored graph does not fit the program',
    'schema.on_incompatible is "fail"',
    [...lost.map(describeChange), 'svc check --stored shows all of it'],
  );
}

function localDisk({ passingDisk, log }: VersionParts): LocalDisk | undefined {
  if (passingDisk === undefined) return undefined;
  let isTold = false;
  const onUse = () => {
    if (!isTold) log.warn('local storage is not durable on this target');
    isTold = true;
  };
  return { directory: passingDisk.directory, onUse };
}

function openAuth({ config, stores, log, metrics, shared, sendToProvider = sendByNode }: VersionParts): AccountAuth {
  try {
    return createAuth({
      accounts: stores.accounts,
      config,
      log,
      meters: metrics?.meters,
      news: shared?.news,
      sso: { settings: config.scale.sso, baseUrl: config.serve.baseUrl, send: sendToProvider },
    });
  } catch (error) {
    throw new CommandFailure(exitCodes.invalid, 'the token key cannot be used', (error as Error).message);
  }
}

// Read when the first sign-in with a provider needs it.
const sendByNode: ProviderRequest = async (request) => {
  const { createSendToProvider } = await import('../../adapters/identity/send-to-provider.ts');
  return createSendToProvider()(request);
};
