import { openWorkerBackplane } from '../../adapters/backplane/workers.ts';
import { askForTopics } from '../../adapters/topics/workers.ts';
import { leaveLateConnections } from '../../adapters/workers/handovers.ts';
import { askForLimits } from '../../adapters/workers/limits.ts';
import { joinMetrics } from '../../adapters/workers/metrics.ts';
import { shareNews } from '../../adapters/workers/news.ts';
import { onPrimaryGone, openPrimary } from '../../adapters/workers/primary.ts';
import { askForSeats } from '../../adapters/workers/seats.ts';
import type { RateRules } from '../../handlers/http/rate-limit.ts';
import type { CommandArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { openWholeStores } from '../program/open-stores.ts';
import { factsOf } from './announce.ts';
import { endingMs, guardProcess } from './guard.ts';
import { openApplication } from './open-application.ts';
import { openProcessLog } from './open-log.ts';
import { openServing } from './open-serving.ts';
import { openShared } from './open-shared.ts';
import { ignoreSignals } from './signals.ts';
import { prepareStart, type StartJob } from './start-job.ts';
import { createVersionSwitch } from './switch-version.ts';
import { untilMoved } from './until-moved.ts';
import type { Begin, Drain, Ready, Reload, Reloaded } from './worker-messages.ts';

/** Serves as one of several workers until the primary process says otherwise; undefined in a process that is no worker. */
export async function serveAsWorker(args: CommandArgs): Promise<number | undefined> {
  const primary = openPrimary();
  if (primary === undefined) return undefined;
  ignoreSignals();
  leaveLateConnections();
  const draining = new Promise<Drain>((resolve) => primary.on('drain', resolve));
  // Warnings about the configuration were printed by the primary process.
  const prepared = prepareStart({ ...args, terminal: { ...args.terminal, out: () => {}, err: () => {} } });
  const begin = await primary.ask<Begin>('begin');
  const { compiled, port } = begin;
  let { buildStatus } = begin;
  primary.on('build', (status: Begin['buildStatus']) => {
    buildStatus = status;
  });
  const { serve } = begin.config;
  // With port 0 all workers ask for "the free port" and get the same one, as long as anybody has it.
  const config = port === undefined || serve.port === 0 ? begin.config : { ...begin.config, serve: { ...serve, port } };
  const job: StartJob = { ...prepared, config, terminal: args.terminal };
  const stores = await openWholeStores(config, job.terminal);
  try {
    const processLog = openProcessLog(config, job.terminal, true);
    const guard = guardProcess(processLog);
    const rateLimit = (rules: RateRules) => askForLimits(primary, rules);
    await using shared = await openShared(config, processLog.log, rateLimit, () => ({
      backplane: openWorkerBackplane(primary),
      news: shareNews(primary),
      rateLimit,
      seats: askForSeats(primary),
      topics: askForTopics(primary),
    }));
    const application = await openApplication({
      job,
      compiled,
      stores,
      processLog,
      guard,
      buildStatus: () => buildStatus,
      shared,
      joinMetrics: (own) => joinMetrics(primary, own),
    });
    if (application === undefined) return exitCodes.failure;
    const { first } = application;
    onPrimaryGone(() => {
      processLog.log.error('the primary process is gone');
      processLog.flush();
    });
    void untilMoved(stores, processLog.log).then(() => primary.tell('moved', null).catch(() => {}));
    let wantedPort: number | undefined;
    const serving = await openServing({
      application,
      emulates: undefined,
      isWorker: true,
      config,
      listening: {
        ...job.port,
        // A port that another worker has is not in use.
        mayMove: job.port.mayMove && port === undefined,
        sharedPort: port,
        onFallback: (wanted) => {
          wantedPort = wanted;
        },
      },
      shared,
    });
    guard.serves(application.metrics?.meters);
    const offer = createVersionSwitch({ application, serving, terminal: job.terminal });
    primary.on('reload', async (next: Reload): Promise<Reloaded> => {
      Object.assign(process.env, prepared.readAgain().dotEnv);
      return (await offer(next.compiled, next.config)) ?? null;
    });
    const facts = factsOf(serving.server, stores, first);
    await primary.tell('ready', { ...facts, wantedPort, warnings: first.program.warnings } satisfies Ready);
    const isLost = await guard.isLostBefore(draining, config.serve.drainTimeoutSeconds * 1000 + endingMs);
    const exitCode = await serving.drain(isLost ? 0 : (await draining).delayMs);
    return isLost ? exitCodes.failure : exitCode;
  } finally {
    await stores.close();
  }
}
