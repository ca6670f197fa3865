import { createExchange } from '../../adapters/backplane/workers.ts';
import { createTopicOffice } from '../../adapters/topics/workers.ts';
import { createCrew, type Member } from '../../adapters/workers/crew.ts';
import { createLimitOffice } from '../../adapters/workers/limits.ts';
import { answerMetrics } from '../../adapters/workers/metrics.ts';
import { answerNews } from '../../adapters/workers/news.ts';
import { createSeatOffice } from '../../adapters/workers/seats.ts';
import { throwOutside } from '../../base/throw-outside.ts';
import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/log/log.ts';
import type { BuildStatus } from '../../handlers/deps.ts';
import { withPage } from '../client/with-page.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { afterStart } from './after-start.ts';
import { announceReady } from './announce.ts';
import { clientRequest } from './compile-or-refuse.ts';
import type { Findings } from './findings.ts';
import { endingMs, guardProcess } from './guard.ts';
import { sayFallback } from './listen.ts';
import { openProcessLog } from './open-log.ts';
import { type Refusal, type Runnable, startReloading } from './reload.ts';
import { waitForSignal } from './signals.ts';
import type { StartJob } from './start-job.ts';
import type { Begin, Ready, Reload, Reloaded } from './worker-messages.ts';

/**
 * Serves from several worker processes until a signal, then drains them (docs/server/commands.md#workers,
 * docs/server/commands.md#shutdown); gives the exit code.
 */
export async function serveWithWorkers(job: StartJob, compiled: Runnable, findings: Findings): Promise<number> {
  const { terminal, isJson } = job;
  const { drainDelaySeconds, drainTimeoutSeconds } = job.config.serve;
  const processLog = openProcessLog(job.config, terminal);
  const { log, flush, adjust } = processLog;
  const guard = guardProcess(processLog);
  let begin: Begin = { compiled, config: job.config, port: undefined, buildStatus: { status: 'ok' } };
  let facts: Ready | undefined;
  const exchange = createExchange(createDropReport(log));
  const seats = createSeatOffice();
  const topics = createTopicOffice(job.config.scale.live);
  const limits = createLimitOffice();
  let tellMoved = () => {};
  const moved = new Promise<void>((resolve) => {
    tellMoved = resolve;
  });
  const crew = createCrew({
    count: job.workers,
    onStart({ channel }, onEnd) {
      channel.on('moved', tellMoved);
      limits.join(channel);
      const serving = () => crew.ready().map((member) => member.channel);
      answerNews(channel, serving);
      answerMetrics(channel, serving);
      onEnd(exchange.join(channel));
      onEnd(seats.join(channel));
      onEnd(topics.join(channel));
    },
    begin: () => begin,
    onReady(ready: Ready) {
      if (facts !== undefined) return;
      facts = ready;
      begin = { ...begin, port: ready.port };
      for (const line of ready.warnings) terminal.err(`warning: ${line}\n`);
      if (ready.wantedPort !== undefined) sayFallback(terminal, isJson)(ready.wantedPort, ready.port);
    },
    onRestart: (pid, how, delayMs) =>
      log.error(`a worker process ended unexpectedly with ${how}`, { worker_pid: pid, replaced_after_ms: delayMs }),
  });
  const stopped = waitForSignal(() => {
    flush();
    crew.kill();
  });
  const failed = await Promise.race([crew.start(), stopped.then(() => exitCodes.success)]);
  if (failed !== undefined) {
    crew.kill();
    return failed;
  }
  guard.serves(undefined);
  // As in `serve.ts`, files are watched first.
  const reloading = job.reloads
    ? startReloading({
        terminal,
        since: job.begunAt,
        file: job.file.path,
        config: job.config,
        readConfig: job.readAgain,
        offer,
        kept: job.kept,
        findings,
        client: clientRequest(job),
        withPage: (next, config) => withPage(job, next, config),
        async onStatus(status: BuildStatus) {
          begin = { ...begin, buildStatus: status };
          await Promise.allSettled(crew.ready().map(({ channel }) => channel.ask('build', status)));
        },
        print: (line) => (isJson ? log.info(line) : terminal.out(`${line}\n`)),
      })
    : undefined;
  announceReady({ job, log, facts: facts! });
  afterStart({ job, compiled, findings }).catch(throwOutside);

  const ended = Promise.race([stopped.then(() => undefined), moved.then(() => undefined), crew.hopeless]);
  const withinMs = drainTimeoutSeconds * 1000 + endingMs;
  const isLost = await guard.isLostBefore(ended, withinMs + endingMs);
  const hopeless = isLost ? undefined : await ended;
  reloading?.close();
  const delayMs = isLost || hopeless !== undefined ? 0 : drainDelaySeconds * 1000;
  const settled = await crew.drain(delayMs, delayMs + withinMs);
  flush();
  if (hopeless !== undefined) throw new CommandFailure(exitCodes.failure, 'cannot keep serving', hopeless);
  return settled && !isLost ? exitCodes.success : exitCodes.failure;

  /** One worker after the other; the first one decides whether the program can be served. */
  async function offer(next: Runnable, config: Config): Promise<Refusal | undefined> {
    const before = begin;
    begin = { ...begin, compiled: next, config };
    let isAccepted = false;
    for (const member of crew.ready()) {
      const refusal = await offerTo(member, { compiled: next, config });
      if (refusal !== undefined && !isAccepted) {
        begin = { ...before, buildStatus: begin.buildStatus };
        return refusal;
      }
      isAccepted = true;
    }
    adjust(config);
    return undefined;
  }

  /** A worker that ended meanwhile refuses nothing: the one in its place starts with the new version. */
  async function offerTo({ channel, pid }: Member, reload: Reload): Promise<Refusal | undefined> {
    try {
      return (await channel.ask<Reloaded>('reload', reload)) ?? undefined;
    } catch (error) {
      log.warn('a worker process did not reload', { worker_pid: pid, error: (error as Error).message });
      return undefined;
    }
  }
}

const dropReportMs = 1000;

/** Broadcasts that a worker did not take: told once a second at most. */
function createDropReport(log: Log): () => void {
  let dropped = 0;
  return () => {
    if (dropped++ > 0) return;
    setTimeout(() => {
      log.error('broadcasts did not reach a worker process', { dropped });
      dropped = 0;
    }, dropReportMs).unref();
  };
}
