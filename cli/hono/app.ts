/** An application in somebody else's server. */
import { type Context, Hono } from 'hono';
import { baseRoutePath } from 'hono/route';
import { createFetchHandler } from '../../adapters/hosts/web/fetch-handler.ts';
import { openGuestWatchdog } from '../../adapters/watchdog/open-watchdog.ts';
import type { Config } from '../../core/config/config.ts';
import { createRateLimit, type RateRules } from '../../handlers/http/rate-limit.ts';
import { warnOfForgotten } from '../program/forgotten-kept.ts';
import { openWholeStores } from '../program/open-stores.ts';
import { compileOrRefuse } from '../start/compile-or-refuse.ts';
import { openApplication } from '../start/open-application.ts';
import { openProcessLog, type ProcessLog } from '../start/open-log.ts';
import { openShared } from '../start/open-shared.ts';
import { prepareStart, type StartJob } from '../start/start-job.ts';
import { processTerminal } from '../terminal.ts';
import type * as types from './app-types.ts';

let isServed = false;

export const app: typeof types.app = async (
  file,
  { config: configFile, profile, watchdog = true, peer = socketAddress } = {},
) => {
  if (isServed) throw new Error(`${file} is not served: a process has one application; close() the one before`);
  const job = prepareStart({
    operands: [file],
    rest: [],
    options: {
      ...(configFile === undefined ? {} : { config: configFile }),
      ...(profile === undefined ? {} : { profile }),
    },
    terminal: processTerminal(),
  });
  isServed = true;
  const ends: (() => unknown)[] = [() => (isServed = false)];
  const end = async () => {
    for (let last = ends.pop(); last !== undefined; last = ends.pop()) await last();
  };
  try {
    const served = await open(job, ends, watchdog);
    const answer = createFetchHandler(served, limitsOf(job.config));
    const hono = new Hono().all('*', (context) => {
      // Mounted at `/api`, the handler is at `/api/*` and has the base path `/api`.
      const depth = baseRoutePath(context).split('/').filter(Boolean).length;
      return answer(context.req.raw, { peer: peer(context), depth });
    });
    let closed: Promise<void> | undefined;
    const close = () => (closed ??= end());
    return Object.assign(hono, { close, [Symbol.asyncDispose]: close });
  } catch (error) {
    await end();
    throw error;
  }
};

/** Opens the application. `ends`: what closes it, to be called last to first. */
async function open(job: StartJob, ends: (() => unknown)[], isWatched: boolean) {
  const { config, terminal, file } = job;
  const compiled = await compileOrRefuse(job);
  const stores = await openWholeStores(config, terminal);
  await warnOfForgotten(config, terminal);
  ends.push(() => stores.close());
  const processLog = openProcessLog(config, terminal);
  ends.push(processLog.flush);
  const ownLimits = (rules: RateRules) => createRateLimit({ ...rules, now: () => performance.now() });
  const shared = await openShared(config, processLog.log, ownLimits, () => ({}));
  ends.push(() => shared[Symbol.asyncDispose]());
  const buildStatus = () => ({ status: 'ok' }) as const;
  const opened = await openApplication({ job, compiled, stores, processLog, buildStatus, shared });
  if (opened === undefined) throw new Error(`${file.shown} is not served: loading it failed, as shown above`);
  const { first, tracing } = opened;
  for (const line of first.program.warnings) terminal.err(`warning: ${line}\n`);
  const { lifecycle } = first.app;
  if (isWatched) ends.push(watch(config, processLog));
  ends.push(first.close);
  ends.push(() => tracing?.close());
  ends.push(async () => {
    lifecycle.stop();
    if (!(await lifecycle.settled(config.serve.drainTimeoutSeconds * 1000))) await lifecycle.abort();
  });
  return first.app;
}

/** Ends calls that compute without end. Gives what stops that. */
function watch(config: Config, { log, flush, traces }: ProcessLog): () => void {
  const limits = () => ({ longestMs: config.serve.requestTimeoutSeconds * 1000, drainMs: Number.POSITIVE_INFINITY });
  const watchdog = openGuestWatchdog({ log, flush, frames: traces.frames, limits });
  return () => watchdog?.close();
}

function limitsOf({ serve }: Config) {
  const { maxUrlBytes, maxHeaderBytes, requestTimeoutSeconds } = serve;
  return { maxUrlBytes, maxHeaderBytes, bodyTimeoutMs: requestTimeoutSeconds * 1000 };
}

/** Gives the address of the peer that `@hono/node-server` knows; undefined elsewhere. */
function socketAddress({ env }: Context): string | undefined {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return incoming?.socket?.remoteAddress;
}
