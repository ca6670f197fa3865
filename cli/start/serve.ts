import { dirname } from 'node:path';
import process from 'node:process';
import type { SocketEnd } from '../../adapters/hosts/local/upgrade.ts';
import { removeStaleModules } from '../../adapters/modules/place-modules.ts';
import type { Stores } from '../../adapters/stores/stores.ts';
import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/log/log.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import type { App } from '../../handlers/app.ts';
import { createSocketHub } from '../../handlers/socket/hub.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { announceReady } from './announce.ts';
import { listen } from './listen.ts';
import type { ProcessLog } from './open-log.ts';
import type { ServedMetrics } from './open-metrics.ts';
import type { Tracing } from './open-tracing.ts';
import type { Version } from './open-version.ts';
import { type Reloading, type Runnable, startReloading } from './reload.ts';
import { waitForSignal } from './signals.ts';
import type { StartJob } from './start-job.ts';
import { createSwitchApp, type SwitchApp } from './switch-app.ts';
import { warnTrackedSecrets } from './tracked-secrets.ts';

export interface ServeParts {
  readonly job: StartJob;
  readonly stores: Stores;
  readonly processLog: ProcessLog;
  readonly metrics: ServedMetrics | undefined;
  readonly tracing: Tracing | undefined;
  readonly compiled: Runnable;
  readonly first: Version;
  /** Makes a version of newly compiled modules. */
  readonly open: (compiled: Runnable, config: Config) => Promise<Version>;
  /** Gets what is reloading, once it is. */
  readonly onReloading: (reloading: Reloading) => void;
}

/** Serves until a signal, then drains (server.md 3.5); gives the exit code. The stores are the caller's to close. */
export async function serve(parts: ServeParts): Promise<number> {
  const { job, processLog, first, stores } = parts;
  const { config, terminal, isJson } = job;
  const { log, flush } = processLog;
  process.on('uncaughtException', (error) => {
    log.fatal('uncaught exception', { error: first.mapped(error) });
    flush();
    process.exit(exitCodes.failure);
  });
  const stopped = waitForSignal(flush);
  const served = createSwitchApp(first.app);
  const front = job.emulates
    ? await (await import('./emulate.ts')).openEmulation({ served: served.app, auth: first.auth, config, stores, log })
    : openDirect(served.app, config, log, parts.metrics?.meters);
  const server = await listen(front.app, front.sockets, config, (wanted, used) => {
    if (isJson) terminal.out(`${JSON.stringify({ event: 'port_in_use', port: wanted, using: used })}\n`);
    else terminal.out(`Port ${wanted} is in use, using port ${used} instead\n`);
  });
  await stores.ping().catch((error: Error) => {
    throw new CommandFailure(exitCodes.prerequisite, `the store ${stores.name} does not answer`, error.message);
  });
  announceReady({
    config,
    server,
    stores,
    targets: first.app.routes.targets,
    terminal,
    log,
    isJson,
    emulates: job.emulates,
  });
  const reloading = job.reloads ? reload(parts, served, front) : undefined;
  void afterStart(parts);

  const signal = await stopped;
  reloading?.close();
  log.debug('draining', { signal, running: served.app.lifecycle.running });
  const { drainDelaySeconds, drainTimeoutSeconds } = config.serve;
  const settled = await server.drain({ delayMs: drainDelaySeconds * 1000, timeoutMs: drainTimeoutSeconds * 1000 });
  await parts.tracing?.close();
  if (!settled) log.warn('calls were aborted at shutdown');
  flush();
  return settled ? exitCodes.success : exitCodes.failure;
}

/** What a listening socket serves: the application itself, or an emulated gateway before it. */
export interface Front {
  readonly app: App;
  readonly sockets: SocketEnd;
  programChanged(version: Version): void;
}

function openDirect(app: App, config: Config, log: Log, meters: Meters | undefined): Front {
  const sockets = createSocketHub({
    app: () => app.sockets!,
    rules: config.scale.websocket,
    maxJsonDepth: config.serve.maxJsonDepth,
    log,
    meters,
    clock: Date,
  });
  return { app, sockets, programChanged: () => sockets.programChanged() };
}

function reload({ job, open, processLog, onReloading }: ServeParts, served: SwitchApp, front: Front): Reloading {
  const { terminal, isJson } = job;
  const reloading = startReloading({
    terminal,
    file: job.file.path,
    config: job.config,
    readConfig: job.readAgain,
    open,
    swap(next, config) {
      // What calls of the version before still change is read anew.
      void served.replace(next.app).then(() => next.runtime.rows.clear());
      front.programChanged(next);
      processLog.adjust(config);
    },
    print: (line) => (isJson ? processLog.log.info(line) : terminal.out(`${line}\n`)),
  });
  onReloading(reloading);
  return reloading;
}

/** What can wait until the server answers. */
async function afterStart({ job, compiled }: ServeParts): Promise<void> {
  const line = await warnTrackedSecrets(job.read.file, job.read.literalSecrets);
  if (line !== undefined) job.terminal.err(`${line}\n`);
  if (!compiled.isTemporary && !compiled.wasCached) await removeStaleModules(dirname(compiled.directory), Date.now());
}
