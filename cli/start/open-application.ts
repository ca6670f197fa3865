import type { FollowedRows } from '../../adapters/hosts/emulated/emulate-changes.ts';
import { createTraces } from '../../adapters/modules/traces.ts';
import type { Stores } from '../../adapters/stores/stores.ts';
import type { Config } from '../../core/config/config.ts';
import { createTurns } from '../../core/memory/turns.ts';
import { ProgramError } from '../../core/program/program.ts';
import type { BuildStatus } from '../../handlers/deps.ts';
import type { StoryBook } from '../../handlers/http/stories/story-book.ts';
import type { LiveApp } from '../../handlers/live/live-app.ts';
import { createLiveHub, type LiveHub } from '../../handlers/live/live-hub.ts';
import { setStrays } from '../../library/builtins/stray-teller.ts';
import { setArguments } from '../../library/modules/sys.ts';
import { CommandFailure } from '../command-failure.ts';
import { installRuntime } from '../program/open-runtime.ts';
import { refuseProgram } from '../program/refuse-program.ts';
import { describeUncaught, uncaughtOptions } from '../uncaught.ts';
import type { Guard } from './guard.ts';
import { keepsStories } from './keeps-stories.ts';
import { type ProcessLog, redactorOf } from './open-log.ts';
import { type JoinMetrics, openServedMetrics, type ServedMetrics } from './open-metrics.ts';
import type { Common } from './open-shared.ts';
import { openTopics, type ServedTopics } from './open-topics.ts';
import { openTracing, type Tracing } from './open-tracing.ts';
import { openVersion, type Version, type VersionParts } from './open-version.ts';
import type { Runnable } from './reload.ts';
import type { StartJob } from './start-job.ts';

/** The program in this process: what is served first, and how later versions are made. */
export interface Application {
  readonly stores: Stores;
  readonly processLog: ProcessLog;
  /** Undefined when metrics are off. */
  readonly metrics: ServedMetrics | undefined;
  /** Undefined where the platform has its own. */
  readonly topics: ServedTopics | undefined;
  /** The table of live subscriptions and topics of an emulated cloud. */
  readonly rows: FollowedRows | undefined;
  /** Undefined when spans go nowhere. */
  readonly tracing: Tracing | undefined;
  readonly first: Version;
  /** Hub of live subscriptions; undefined in an emulated cloud. */
  readonly hub: LiveHub | undefined;
  /** Gives the hub the versions that it runs. */
  serveLive(app: () => LiveApp): void;
  /** Makes a version of newly compiled modules. */
  readonly open: (compiled: Runnable, config: Config) => Promise<Version>;
}

export interface ApplicationParts {
  readonly job: StartJob;
  readonly compiled: Runnable;
  readonly stores: Stores;
  readonly processLog: ProcessLog;
  /** Absent: what nothing catches ends the process. */
  readonly guard?: Guard;
  readonly buildStatus: () => BuildStatus;
  readonly shared?: Common | undefined;
  readonly live?: VersionParts['live'];
  /** Gives what all processes counted; absent when there is only one. */
  readonly joinMetrics?: JoinMetrics | undefined;
}

/**
 * Loads the program, which runs its entry blocks. Undefined when one of them failed, which has been told.
 *
 * @throws CommandFailure when the application cannot be served
 */
export async function openApplication(parts: ApplicationParts): Promise<Application | undefined> {
  const { job, compiled, stores, processLog, guard, buildStatus, shared } = parts;
  const { config, terminal } = job;
  // Frames of the runtime come first; the author's must not fall off the end.
  Error.stackTraceLimit = 25;
  setArguments([job.file.shown]);
  installRuntime();
  if (guard !== undefined) setStrays(({ what, error }) => guard.tellProgram(what.replace(/:$/, ''), error));
  const turns = job.reloads ? createTurns() : undefined;
  const metrics = await openServedMetrics(config, stores.name, parts.joinMetrics);
  const tracing = await openTracing(config, processLog.log);
  const stories = await openStories(config);
  const topics =
    job.emulates === 'cloud' ? undefined : openTopics(config, shared?.topics, processLog.log, metrics?.meters);
  const emulated = job.emulates === 'cloud' ? await import('./emulate.ts') : undefined;
  const rows = emulated && (await emulated.openEmulatedRows(config));
  const place =
    emulated === undefined || rows === undefined
      ? { shared, topics }
      : emulated.asInFunction(stores, shared, { rows, config, log: processLog.log, meters: metrics?.meters });
  let liveApp: (() => LiveApp) | undefined;
  const hub =
    job.emulates === 'cloud'
      ? undefined
      : createLiveHub({
          app: () => liveApp!(),
          config,
          store: stores.graph,
          log: processLog.log,
          meters: metrics?.meters,
          clock: Date,
          backplane: shared?.backplane,
          seats: shared?.seats,
          topics: topics?.board,
        });
  const open = async (next: Runnable, nextConfig: Config) => {
    await inspect(job.inspectorPorts, next, { config: nextConfig, stories, traces: processLog.traces });
    return await openVersion({
      config: nextConfig,
      stores,
      log: processLog.log,
      traces: processLog.traces,
      metrics,
      tracer: tracing?.tracer,
      stories,
      compiled: next,
      print: (line) => terminal.out(`${line}\n`),
      buildStatus: job.reloads ? buildStatus : undefined,
      takesSockets: true,
      hub,
      turns,
      live: parts.live,
      ...place,
    });
  };
  const first = await open(compiled, config).catch((error: unknown) => refuseVersion(error, compiled, job));
  const serveLive = (app: () => LiveApp) => {
    liveApp = app;
  };
  return first && { stores, processLog, metrics, topics, rows, tracing, first, hub, serveLive, open };
}

/** Stories of calls: of all in development, of a sample in production. */
async function openStories(config: Config): Promise<StoryBook | undefined> {
  const { mode, studio } = config;
  const isProduction = mode === 'production';
  if (!keepsStories(config)) return undefined;
  const { createStoryBook } = await import('../../handlers/http/stories/story-book.ts');
  return createStoryBook({ share: isProduction ? studio.sample : 1, replays: !isProduction });
}

/** Lets a debugger connect, which has to see the modules as they are loaded. */
async function inspect(
  ports: readonly number[] | undefined,
  compiled: Runnable,
  { config, stories, traces }: Pick<VersionParts, 'config' | 'stories' | 'traces'>,
): Promise<void> {
  if (ports === undefined) return;
  const { projectDir } = config;
  const replayer =
    stories && (await import('../story/replayer.ts')).createReplayer(stories, redactorOf(config, traces));
  const { openInspector } = await import('../debug/open-inspector.ts');
  const { graphForm } = await import('../program/open-stores.ts');
  const { directory, entryId: module } = compiled;
  const start = { by: 'entry', module } as const;
  await openInspector({ ports, waits: false, directory, projectDir, graph: graphForm(config, true), start, replayer });
}

/** Says why a program is not served. @throws CommandFailure unless it is what an entry block threw */
function refuseVersion(error: unknown, compiled: Runnable, { config, terminal }: StartJob): undefined {
  if (error instanceof CommandFailure) throw error;
  if (error instanceof ProgramError) refuseProgram(error, terminal);
  const traces = createTraces(config.projectDir, compiled.directory);
  terminal.err(describeUncaught(error, uncaughtOptions(traces, config.projectDir, terminal)));
  return undefined;
}
