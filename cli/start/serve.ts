import type { HeldPort } from '../../adapters/hosts/local/held-port.ts';
import { withDatabases } from '../../adapters/kvstore/with-databases.ts';
import { throwOutside } from '../../base/throw-outside.ts';
import { createRateLimit, type RateRules } from '../../handlers/http/rate-limit.ts';
import type { LiveClient } from '../client/live-client.ts';
import { withPage } from '../client/with-page.ts';
import { exitCodes } from '../exit-codes.ts';
import { openWholeStores } from '../program/open-stores.ts';
import { afterStart } from './after-start.ts';
import { announceReady, factsOf } from './announce.ts';
import { clientRequest } from './compile-or-refuse.ts';
import type { Findings } from './findings.ts';
import { endingMs, guardProcess } from './guard.ts';
import { holdCalls } from './held-calls.ts';
import { sayFallback } from './listen.ts';
import { openApplication } from './open-application.ts';
import { openProcessLog } from './open-log.ts';
import { openServing } from './open-serving.ts';
import { openShared } from './open-shared.ts';
import { type Reloading, type Runnable, startReloading } from './reload.ts';
import { waitForSignal } from './signals.ts';
import type { StartJob } from './start-job.ts';
import { createVersionSwitch } from './switch-version.ts';
import { untilMoved } from './until-moved.ts';

/** Serves from this process, on the port that is held if there is one, until a signal, then drains (docs/server/commands.md#shutdown); gives the exit code. */
export async function serve(
  job: StartJob,
  compiled: Runnable,
  findings: Findings,
  held: HeldPort | undefined,
): Promise<number> {
  const { config, terminal, isJson } = job;
  const opened = await openWholeStores(config, terminal);
  // The cloud has no disk for the databases of a program.
  const stores = job.emulates !== undefined ? withDatabases(opened, config, undefined) : opened;
  try {
    let reloading: Reloading | undefined;
    const buildStatus = () => reloading?.status() ?? ({ status: 'ok' } as const);
    const processLog = openProcessLog(config, terminal);
    const { log, flush } = processLog;
    const guard = guardProcess(processLog);
    const ownLimits = (rules: RateRules) => createRateLimit({ ...rules, now: () => performance.now() });
    await using shared = await openShared(config, log, ownLimits, () => ({}));
    const developed = await openClient(job, compiled);
    const { live } = developed;
    const application = await openApplication({
      ...{ job, stores, processLog, guard, buildStatus, shared, live },
      compiled: developed.compiled,
    });
    if (application === undefined) return exitCodes.failure;
    const { first } = application;
    for (const line of first.program.warnings) terminal.err(`warning: ${line}\n`);
    const stopped = Promise.race([waitForSignal(flush), untilMoved(stores, log)]);
    const hold = holdCalls((name) => reloading?.isAhead(name) === true);
    const intercept = live && { ...live.intercept, hold };
    const listening = { ...job.port, onFallback: sayFallback(terminal, isJson), held, intercept };
    const { emulates } = job;
    const serving = await openServing({ application, config, listening, shared, emulates });
    guard.serves(application.metrics?.meters);
    // Files are watched before anybody hears that the server is ready, and saves one.
    if (job.reloads) {
      reloading = startReloading({
        terminal,
        since: job.begunAt,
        file: job.file.path,
        config,
        readConfig: job.readAgain,
        offer: createVersionSwitch({ application, serving, terminal }),
        kept: job.kept,
        findings,
        client: clientRequest(job),
        debug: job.inspectorPorts !== undefined,
        running: compiled,
        serves: serving.serves,
        live,
        withPage: (next, nextConfig) => withPage(job, next, nextConfig),
        print: (line) => (isJson ? log.info(line) : terminal.out(`${line}\n`)),
      });
    }
    announceReady({ job, log, facts: factsOf(serving.server, stores, first) });
    live?.start();
    afterStart({ job, compiled, findings, live, reloading }).catch(throwOutside);
    const { drainDelaySeconds, drainTimeoutSeconds } = config.serve;
    const isLost = await guard.isLostBefore(stopped, drainTimeoutSeconds * 1000 + endingMs);
    reloading?.close();
    await live?.close();
    const exitCode = await serving.drain(isLost ? 0 : drainDelaySeconds * 1000);
    return isLost ? exitCodes.failure : exitCode;
  } finally {
    await stores.close();
  }
}

/** The development server of the client, with `--dev`, and the program as it is served at first. */
async function openClient(
  job: StartJob,
  compiled: Runnable,
): Promise<{ readonly compiled: Runnable; readonly live: LiveClient | undefined }> {
  if (!job.isDevelopment || compiled.client === undefined) return { compiled, live: undefined };
  const { openLiveClient } = await import('../client/open-live-client.ts');
  const opened = await openLiveClient(compiled.client, job);
  return 'intercept' in opened
    ? { compiled, live: opened }
    : { compiled: { ...compiled, page: opened }, live: undefined };
}
