import type { LocalServer } from '../../adapters/hosts/local/serve.ts';
import { openWatchdog } from '../../adapters/watchdog/open-watchdog.ts';
import { throwOutside } from '../../base/throw-outside.ts';
import type { Config } from '../../core/config/config.ts';
import type { App } from '../../handlers/app.ts';
import { withLive } from '../../handlers/live/with-live.ts';
import { createSocketHub } from '../../handlers/socket/hub.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Front } from './front.ts';
import { type ListenOptions, listen } from './listen.ts';
import type { Application } from './open-application.ts';
import type { Common } from './open-shared.ts';
import type { Version } from './open-version.ts';
import type { Platform } from './options.ts';
import { createSwitchApp } from './switch-app.ts';

/** A program that answers on a port of this process. */
export interface Serving {
  readonly server: LocalServer;
  /** Calls that run. */
  readonly running: number;
  /** Tells whether the version that is served has a walker or function of this name. */
  serves(name: string): boolean;
  /** Puts a version in the place of the one that is served. */
  swap(next: Version, config: Config): void;
  /** Ends gracefully (docs/server/commands.md#shutdown); gives the exit code. The stores are the caller's to close. */
  drain(delayMs: number): Promise<number>;
}

export interface ServingParts {
  readonly application: Application;
  readonly config: Config;
  /** The platform that is emulated. */
  readonly emulates: Platform | undefined;
  readonly listening: ListenOptions;
  readonly shared: Common;
  /** A worker leaves signals to its primary process. */
  readonly isWorker?: boolean;
}

/** Serves from now on. @throws CommandFailure when the address cannot be bound or the store does not answer */
export async function openServing(parts: ServingParts): Promise<Serving> {
  const { application, config, listening, isWorker = false } = parts;
  const { first, stores, processLog, tracing } = application;
  const { log, flush } = processLog;
  const served = createSwitchApp(first.app);
  let current = first;
  const front =
    parts.emulates === 'cloud'
      ? await (await import('./emulate.ts')).openEmulation({
          served: served.app,
          auth: first.auth,
          config,
          stores,
          log,
          rows: application.rows!,
          meters: application.metrics?.meters,
        })
      : parts.emulates === 'cloud_b'
        ? (await import('./emulate-cloud-run.ts')).openCloudRun(openDirect(served.app, parts), config, log)
        : openDirect(served.app, parts);
  let currentConfig = config;
  // Before the first call can come.
  const watchdog = openWatchdog({
    log,
    flush,
    frames: processLog.traces.frames,
    limits: () => limitsOf(currentConfig),
    takesSignals: !isWorker,
    isJson: config.scale.logging.format === 'json',
  });
  const { intercept } = listening;
  const server = await listen(front.app, front.sockets, config, listening).catch((error) => {
    watchdog.close();
    throw error;
  });
  await stores.ping().catch((error: Error) => {
    throw new CommandFailure(exitCodes.prerequisite, `the store ${stores.name} does not answer`, error.message);
  });
  const second = intercept && (await listenBeside(front, config, { ...listening, intercept }));
  return {
    server,
    get running() {
      return served.app.lifecycle.running;
    },
    serves: (name) => [...current.program.walkers, ...current.program.functions].some((one) => one.name === name),
    swap(next, nextConfig) {
      const before = current;
      current = next;
      const replaced = served.replace(next.app).then(() => {
        // Records that calls of the version before still changed are read anew.
        next.runtime.rows.clear();
        before.close();
      });
      replaced.catch(throwOutside);
      front.programChanged(next);
      processLog.adjust(nextConfig);
      currentConfig = nextConfig;
    },
    async drain(delayMs) {
      log.debug('draining', { running: served.app.lifecycle.running });
      await second?.close();
      const settled = await server.drain({ delayMs, timeoutMs: config.serve.drainTimeoutSeconds * 1000 });
      await tracing?.close();
      const isAborted = !settled || watchdog.hasAborted;
      if (isAborted) log.warn('calls were aborted at shutdown');
      flush();
      watchdog.close();
      return isAborted ? exitCodes.failure : exitCodes.success;
    },
  };
}

/** The same application on the port of the client's development server too: the next free one, or none. */
async function listenBeside(
  { app, sockets }: Front,
  config: Config,
  listening: ListenOptions,
): Promise<LocalServer | undefined> {
  const { port } = config.client;
  const beside = { ...config, serve: { ...config.serve, port } };
  return await listen(app, sockets, beside, {
    ...listening,
    held: undefined,
    mayMove: true,
    onFallback: () => {},
  }).catch(() => undefined);
}

function limitsOf({ serve, scale }: Config) {
  return {
    longestMs: Math.max(serve.requestTimeoutSeconds, scale.websocket.executionTimeoutSeconds) * 1000,
    drainMs: (serve.drainDelaySeconds + serve.drainTimeoutSeconds) * 1000,
  };
}

function openDirect(app: App, { application, config, shared }: ServingParts): Front {
  const { processLog, metrics } = application;
  const { backplane, seats } = shared;
  const sockets = createSocketHub({
    app: () => app.sockets!,
    rules: config.scale.websocket,
    maxJsonDepth: config.serve.maxJsonDepth,
    log: processLog.log,
    meters: metrics?.meters,
    topics: application.topics?.board,
    clock: Date,
    ...(backplane === undefined ? {} : { backplane }),
    ...(seats === undefined ? {} : { seats }),
  });
  const { hub, serveLive } = application;
  if (hub === undefined) return { app, sockets, programChanged: () => sockets.programChanged() };
  serveLive(() => app.live!);
  return {
    app,
    sockets: withLive(sockets, hub),
    programChanged() {
      sockets.programChanged();
      hub.programChanged();
    },
  };
}
