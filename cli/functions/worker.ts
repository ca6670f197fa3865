/**
 * Entry of the worker that `svc build --target worker` makes (docs/hono.md#edge). A Durable Object holds the application: all its requests share
 * timers, promises and what is in memory, which requests to a worker itself must not.
 */
import { readFileSync } from 'node:fs';
import { readPackedConfig } from '../../adapters/config/read-packed-config.ts';
import { createFetchHandler } from '../../adapters/hosts/web/fetch-handler.ts';
import { workerConfig } from '../../adapters/hosts/web/worker-config.ts';
import { sendByFetch } from '../../adapters/identity/send-by-fetch.ts';
import { readMapPlainly } from '../../adapters/modules/read-map.ts';
import { setMapReader } from '../../adapters/modules/source-positions.ts';
import { formatFinding } from '../../core/config/finding.ts';
import { readError, titleOfReport } from '../../core/log/read-error.ts';
import { createRateLimit } from '../../handlers/http/rate-limit.ts';
import { setStrays } from '../../library/builtins/stray-teller.ts';
import { openProcessLog } from '../start/open-log.ts';
import type { Runnable } from '../start/reload.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { type BundledProgram, openBundle } from './open-bundle.ts';

interface ProgramModule {
  readonly load: NonNullable<Runnable['load']>;
}

type Answer = (request: Request) => Promise<Response>;

/** Bindings of the worker. https://developers.cloudflare.com/durable-objects/api/namespace/ */
interface WorkerEnv {
  readonly SVC_APP: {
    idFromName(name: string): unknown;
    get(id: unknown): { fetch(request: Request): Promise<Response> };
  };
}

/** The object that holds the application. */
export class SvcApp {
  private opened: Promise<Answer> | undefined;

  async fetch(request: Request): Promise<Response> {
    const opening = (this.opened ??= open());
    const answer = await opening.catch(() => undefined);
    if (answer !== undefined) return await answer(request);
    // The next request tries again: the store may answer by then.
    if (this.opened === opening) this.opened = undefined;
    return notOpened();
  }
}

export default {
  /** Hands each request on to the one object there is. */
  fetch: (request: Request, { SVC_APP }: WorkerEnv) => SVC_APP.get(SVC_APP.idFromName('app')).fetch(request),
};

/** Folder in which workerd shows the modules of a worker as files. https://developers.cloudflare.com/workers/runtime-apis/nodejs/fs/ */
const root = '/bundle';

/** The program is a module of its own. What its modules do when they are loaded is done in `load`, which is called when the store is open. */
const directory = `${root}/app`;
const program = '../app/main.mjs';

setMapReader(readMapPlainly);

/** Modules of a worker have paths and no addresses; whoever reads a stack knows code of the program and of the runtime by its address. */
Error.prepareStackTrace = (error, calls) => {
  const lines = calls.map((call) =>
    `    at ${call}`.replace(/(?<=[( ])(?=[\w./-]+\.mjs:\d+:\d+\)?$)/, `file://${root}/`),
  );
  return [Error.prototype.toString.call(error), ...lines].join('\n');
};

async function open(): Promise<Answer> {
  // Frames of the runtime come first; the author's must not fall off the end.
  Error.stackTraceLimit = 25;
  const read = readPackedConfig(root, { SVC_ENV: 'production', SVC_DATA_PATH: '/tmp/svc', ...process.env });
  if (read.problems.length > 0) {
    for (const finding of read.problems) console.error(formatFinding(finding));
    throw new Error('invalid configuration');
  }
  const config = workerConfig(read.config);
  // Files beside the program are the runtime's, and no scripts of the project.
  const { log, traces } = openProcessLog({ ...config, projectDir: directory }, workerTerminal());
  setStrays(({ what, error }) =>
    log.error(`${what.replace(/:$/, '')}: ${titleOfReport(readError(error, traces))}`, { error }),
  );
  const { version } = await openBundle({
    bundled: JSON.parse(readFileSync(`${directory}/program.json`, 'utf8')) as BundledProgram,
    directory,
    config,
    log,
    traces,
    load: async () => ((await import(program)) as ProgramModule).load(),
    metrics: undefined,
    takesSockets: false,
    sendToProvider: sendByFetch,
    print: (line) => console.log(line),
    rateLimit: (_stores, rules) => createRateLimit({ ...rules, now: () => performance.now() }),
  }).catch((error: unknown) => {
    log.fatal('the application cannot be opened', { error });
    throw error;
  });
  const { maxUrlBytes, maxHeaderBytes, requestTimeoutSeconds } = config.serve;
  const limits = { maxUrlBytes, maxHeaderBytes, bodyTimeoutMs: requestTimeoutSeconds * 1000 };
  const answer = createFetchHandler(version.app, limits);
  return (request) => answer(request, { peer: peerOf(request) });
}

/** Only the network of Cloudflare sets this header itself; elsewhere a caller could write anything into it. */
function peerOf(request: Request): string | undefined {
  if ((request as { readonly cf?: unknown }).cf === undefined) return undefined;
  return request.headers.get('cf-connecting-ip') ?? undefined;
}

/** The console of a worker makes one record of each call. */
function workerTerminal(): Terminal {
  const tell = (text: string) => {
    for (const line of text.trimEnd().split('\n')) console.log(line);
  };
  return { ...processTerminal(), out: tell, err: tell };
}

/** The envelope of an application that is not there. Why is in the log. */
function notOpened(): Response {
  const error = { code: 'SERVICE_UNAVAILABLE', message: 'The application cannot be opened.' };
  const body = { ok: false, type: 'error', status: 503, data: null, error };
  return Response.json(body, { status: 503, headers: { 'retry-after': '1' } });
}
