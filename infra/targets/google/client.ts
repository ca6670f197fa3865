/** Requests to the services of Google Cloud: JSON over HTTPS, tried again where that helps, and the operations they begin. */
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf, sender } from '../../images/ask.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { Environment } from '../../orchestrator/run-tool.ts';
import type { GoogleAccess } from './access.ts';
import { endpointOf, type Service } from './endpoints.ts';

/** An answer that is an error: https://cloud.google.com/apis/design/errors */
export class GoogleError extends Error {
  readonly status: number;
  /** `NOT_FOUND`, `ABORTED`, … */
  readonly code: string;
  /** `SERVICE_DISABLED`, … of the details. */
  readonly reason: string;
  readonly service: Service;

  constructor(service: Service, status: number, body: any) {
    super(String(body?.error?.message ?? `${service} answers ${status}`).slice(0, 2000));
    this.name = 'GoogleError';
    this.service = service;
    this.status = status;
    this.code = String(body?.error?.status ?? '');
    this.reason = String(body?.error?.details?.find(({ reason }: any) => reason !== undefined)?.reason ?? '');
  }
}

export interface GoogleRequest {
  readonly service: Service;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `v2/projects/demo/locations/europe-west1/services/shop` */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
}

export interface GoogleClient {
  readonly access: GoogleAccess;
  /** The wait before another look at something that changes. */
  pause(): Promise<void>;
  /** @throws GoogleError for an answer that is an error; DeployFailure when there is none */
  request(request: GoogleRequest): Promise<any>;
  /** The same; undefined where there is no such thing. */
  find(request: GoogleRequest): Promise<any>;
  /** Begins an operation and waits for its end. @throws GoogleError, DeployFailure when it takes longer than `timeoutMs` */
  operate(request: GoogleRequest, waiting: Waiting): Promise<any>;
  /** All members of a list, page by page. */
  list(request: GoogleRequest, member: string): Promise<any[]>;
}

export interface Waiting {
  /** `deploying demo-00007`, for the failure of one that takes too long. */
  readonly what: string;
  readonly timeoutMs: number;
  readonly version: 'v1' | 'v2';
}

export interface ClientOptions {
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Time for which a service that does not answer is asked again, in milliseconds. */
  readonly patienceMs: number;
  /** First and longest wait between two looks at an operation; between two tries the first is a quarter. */
  readonly pollMs: { readonly first: number; readonly most: number };
  /** Called once each time a wait for a service begins. */
  readonly onAway: (reason: string) => void;
}

const answerMs = 60_000;
const mostPages = 200;

export async function openClient(access: GoogleAccess, options: ClientOptions): Promise<GoogleClient> {
  const send = await sender(options.env);
  const request = (asked: GoogleRequest) => ask(send, access, asked, options);
  const find = async (asked: GoogleRequest) => {
    try {
      return await request(asked);
    } catch (error) {
      if (error instanceof GoogleError && error.status === 404) return undefined;
      throw error;
    }
  };
  return {
    access,
    pause: () => sleep(options.pollMs.first, undefined, { signal: options.signal }),
    request,
    find,
    operate: async (asked, waiting) =>
      await ended(await request(asked), asked.service, waiting, { ...options, request }),
    async list(asked, member) {
      const found: any[] = [];
      let query = asked.query ?? {};
      for (let page = 0; page < mostPages; page++) {
        const answer = await request({ ...asked, query });
        found.push(...(answer[member] ?? []));
        if (!answer.nextPageToken) break;
        query = { ...query, pageToken: answer.nextPageToken };
      }
      return found;
    },
  };
}

/** Every request may be made twice: what is created is found there, and what is written carries its `etag`. */
async function ask(
  send: typeof fetch,
  access: GoogleAccess,
  request: GoogleRequest,
  { env, signal, patienceMs, pollMs, onAway }: ClientOptions,
): Promise<any> {
  const began = performance.now();
  let refused = 0;
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted();
    const answer = await exchange(send, await access.token(), request, env, signal);
    signal.throwIfAborted();
    if (typeof answer !== 'string') {
      if (answer.status < 400) return answer.body;
      if (answer.status === 401) {
        access.forget();
        if (refused++ === 0) continue;
        throw new DeployFailure('prerequisite', 'Google Cloud does not accept the credentials', {
          hints: ['gcloud auth application-default login, then run the command once more; it continues'],
        });
      }
      if (!isPassing(answer.status)) throw new GoogleError(request.service, answer.status, answer.body);
    }
    const reason =
      typeof answer === 'string' ? answer : new GoogleError(request.service, answer.status, answer.body).message;
    if (performance.now() - began >= patienceMs)
      throw new DeployFailure('failed', `${request.service} does not answer: ${reason}`, {
        hints: ['run the command again: it continues'],
      });
    if (attempt === 0) onAway(`${request.service}: ${reason}`);
    const asked = typeof answer === 'string' ? 0 : answer.retryAfterMs;
    const own = Math.min((pollMs.first / 4) * 2 ** attempt, pollMs.most) * (0.5 + Math.random() / 2);
    await sleep(Math.max(asked, own), undefined, { signal });
  }
}

function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}

async function exchange(
  send: typeof fetch,
  token: string,
  { service, method, path, query = {}, body }: GoogleRequest,
  env: Environment,
  signal: AbortSignal,
) {
  const url = new URL(path, endpointOf(service, env));
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) url.searchParams.append(name, value);
  try {
    const answer = await send(url.href, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'user-agent': 'svc-scale',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const retryAfterMs = Math.min(Number(answer.headers.get('retry-after')) * 1000 || 0, 60_000);
    return { status: answer.status, body: parsed(await answer.text()), retryAfterMs };
  } catch (error) {
    return reasonOf(error) || 'no answer';
  }
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Looks at an operation until it ends: https://cloud.google.com/run/docs/reference/rest/v2/projects.locations.operations */
async function ended(
  begun: any,
  service: Service,
  { what, timeoutMs, version }: Waiting,
  { signal, pollMs, request }: ClientOptions & Pick<GoogleClient, 'request'>,
): Promise<any> {
  const began = performance.now();
  let operation = begun;
  for (let wait = pollMs.first; operation.done !== true; wait = Math.min(wait * 1.5, pollMs.most)) {
    if (performance.now() - began > timeoutMs)
      throw new DeployFailure('late', `${what} is not finished after ${Math.round(timeoutMs / 1000)} s`, {
        hints: ['it goes on there; run the command again to wait for it'],
      });
    await sleep(wait, undefined, { signal });
    operation = await request({ service, method: 'GET', path: `${version}/${operation.name}` });
  }
  if (operation.error !== undefined)
    throw new GoogleError(service, statusOf(operation.error.code), {
      error: { message: operation.error.message, status: codes[operation.error.code] ?? '' },
    });
  return operation.response ?? {};
}

/** https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto */
const codes: Readonly<Record<number, string>> = {
  3: 'INVALID_ARGUMENT',
  5: 'NOT_FOUND',
  6: 'ALREADY_EXISTS',
  7: 'PERMISSION_DENIED',
  8: 'RESOURCE_EXHAUSTED',
  9: 'FAILED_PRECONDITION',
  10: 'ABORTED',
};

function statusOf(code: number): number {
  return ({ 3: 400, 5: 404, 6: 409, 7: 403, 8: 429, 9: 400, 10: 409 } as Readonly<Record<number, number>>)[code] ?? 500;
}
