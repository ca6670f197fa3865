/** Requests to registries: with a time limit each, tried again where that helps, through the proxy of the environment. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../orchestrator/run-tool.ts';

export interface Request {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Blob | string;
  /** Bytes on their way, either way: more of them have more time. */
  readonly bytes?: number;
  /** True where a second request would continue what the first one broke off: the caller begins anew. */
  readonly isOnce?: boolean;
}

export type Ask = (address: string, request?: Request) => Promise<Response>;

const tries = 4;
const firstWaitMs = 250;
const longestWaitMs = 10_000;

/** @param env says which proxy: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY` */
export async function openAsk(env: Environment): Promise<Ask> {
  const send = await sender(env);
  return async (address, request = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await sendOnce(send, address, request).catch((error: Error) => error);
      const isLast = attempt === tries || request.isOnce === true;
      if (answer instanceof Error) {
        if (isLast || isFinal(answer)) throw answer;
      } else if (isLast || !(answer.status === 429 || answer.status >= 500)) return answer;
      else await answer.body?.cancel();
      await sleep(waitMs(answer, attempt));
    }
  };
}

function sendOnce(send: typeof fetch, address: string, request: Request): Promise<Response> {
  const { method = 'GET', headers = {}, body, bytes = 0 } = request;
  // 30 seconds, and time for a slow line of 256 KiB a second.
  const signal = AbortSignal.timeout(30_000 + Math.ceil(bytes / 262.144));
  return send(address, { method, headers, signal, ...(body === undefined ? {} : { body }) });
}

/** `fetch` by way of the proxy that the environment names. */
export async function sender(env: Environment): Promise<typeof fetch> {
  const value = (name: string) => env[name.toLowerCase()] || env[name] || undefined;
  const httpProxy = value('HTTP_PROXY');
  const httpsProxy = value('HTTPS_PROXY') ?? httpProxy;
  if (httpsProxy === undefined) return fetch;
  const { EnvHttpProxyAgent, fetch: send } = await import('undici');
  const noProxy = value('NO_PROXY');
  const dispatcher = new EnvHttpProxyAgent({
    httpsProxy,
    ...(httpProxy === undefined ? {} : { httpProxy }),
    ...(noProxy === undefined ? {} : { noProxy }),
  });
  return ((address: string, options: object) => send(address, { ...options, dispatcher })) as unknown as typeof fetch;
}

/** A name that is unknown and an address where nobody listens do not change within seconds. */
function isFinal(error: Error): boolean {
  const code = String((error.cause as { readonly code?: string } | undefined)?.code);
  return ['ENOTFOUND', 'ECONNREFUSED', 'ERR_INVALID_URL'].includes(code) || code.includes('CERT');
}

function waitMs(answer: Response | Error, attempt: number): number {
  const asked = answer instanceof Error ? Number.NaN : Number(answer.headers.get('retry-after') ?? Number.NaN) * 1000;
  const own = firstWaitMs * 2 ** (attempt - 1);
  return Math.min(longestWaitMs, Number.isFinite(asked) && asked > 0 ? asked : own);
}

/** Gives the reason below `fetch failed`. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  if (!(cause instanceof Error)) return message;
  return cause.message !== '' ? cause.message : String((cause as NodeJS.ErrnoException).code ?? message);
}
