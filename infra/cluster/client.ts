/** Requests to the API of a cluster: JSON over HTTPS, tried again when the cluster or the way to it is gone for a while (decisions/0530). */
import { setTimeout as sleep } from 'node:timers/promises';
import { DeployFailure } from '../orchestrator/deploy-failure.ts';
import type { ClusterAccess } from './access.ts';
import { kindOf, type LiveObject, pathOf } from './kinds.ts';
import { textLines } from './text-lines.ts';
import { type Answer, answerOf, type KubeRequest, openTransport, type Transport } from './transport.ts';

/** An answer of the cluster that is an error: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/ */
export class KubeError extends Error {
  readonly status: number;
  readonly reason: string;
  readonly causes: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];

  constructor(status: number, body: any) {
    super(String(body?.message ?? `the cluster answers ${status}`).slice(0, 2000));
    this.name = 'KubeError';
    this.status = status;
    this.reason = String(body?.reason ?? '');
    this.causes = Array.isArray(body?.details?.causes) ? body.details.causes : [];
  }
}

export interface KubeClient {
  readonly access: ClusterAccess;
  /** @throws KubeError for an answer that is an error; DeployFailure when there is none */
  request(request: KubeRequest): Promise<any>;
  /** @returns the object, or undefined where there is none */
  get(kind: string, namespace: string, name: string): Promise<LiveObject | undefined>;
  list(kind: string, namespace: string, query?: Readonly<Record<string, string>>): Promise<LiveObject[]>;
  /** Deletes an object and waits for nothing; one that is not there is no error. */
  remove(kind: string, namespace: string, name: string, options?: object): Promise<void>;
  /** Time of the cluster, in milliseconds since 1970: this machine's until it has answered. People's clocks differ from each other. */
  nowMs(): number;
  /** Lines of a text, perhaps one that is still being written. @throws KubeError, or what Node says of a connection that breaks */
  lines(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): AsyncIterable<string>;
  close(): void;
}

export interface ClientOptions {
  /** Time for which a cluster that does not answer is asked again, in milliseconds. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  /** Called once each time a wait for the cluster begins. */
  readonly onAway?: (reason: string) => void;
}

export function openClient(access: ClusterAccess, options: ClientOptions): KubeClient {
  const opened = openTransport(access);
  let aheadMs = 0;
  const transport: Transport = {
    ...opened,
    async send(asked, signal) {
      const answer = await opened.send(asked, signal);
      if (!Number.isNaN(answer.timeMs)) aheadMs = answer.timeMs - Date.now();
      return answer;
    },
  };
  const request = (asked: KubeRequest) => ask(transport, access, asked, options);
  return {
    access,
    request,
    get: async (kind, namespace, name) =>
      await orMissing(request({ method: 'GET', path: pathOf(kind, namespace, name) })),
    list: async (kind, namespace, query = {}) => {
      const { items } = await request({ method: 'GET', path: pathOf(kind, namespace), query });
      // Members of a list do not say what they are.
      return (items as LiveObject[]).map((item) => ({ ...item, apiVersion: kindOf(kind).apiVersion, kind }));
    },
    remove: async (kind, namespace, name, body = { propagationPolicy: 'Background' }) => {
      await orMissing(request({ method: 'DELETE', path: pathOf(kind, namespace, name), body }));
    },
    nowMs: () => Date.now() + aheadMs,
    lines: (path, query, signal) => readLines(transport, access, { method: 'GET', path, query }, signal),
    close: () => transport.close(),
  };
}

async function* readLines(
  transport: Transport,
  access: ClusterAccess,
  request: KubeRequest,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const response = await transport.open(request, signal);
  if (response.statusCode === 200) return yield* textLines(response.setEncoding('utf8'));
  if (response.statusCode === 401) access.forget();
  const { status, body } = await answerOf(response);
  throw new KubeError(status, body);
}

async function orMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return undefined;
    throw error;
  }
}

/** Every request of a deployment may be made twice: reads, server-side applies, deletions and creations that find their object there. */
async function ask(
  transport: Transport,
  access: ClusterAccess,
  request: KubeRequest,
  options: ClientOptions,
): Promise<any> {
  const { patienceMs, signal, onAway } = options;
  const began = performance.now();
  let refused = 0;
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted();
    const answer = await transport.send(request, signal).catch((error) => reasonOf(error));
    signal.throwIfAborted();
    if (typeof answer !== 'string') {
      if (answer.status === 401 && refused === 0) {
        refused++;
        access.forget();
        continue;
      }
      if (answer.status === 401) throw unauthorized(access);
      if (answer.status < 400) return answer.body;
      if (!isPassing(answer, attempt)) throw new KubeError(answer.status, answer.body);
    }
    const reason = typeof answer === 'string' ? answer : new KubeError(answer.status, answer.body).message;
    if (performance.now() - began >= patienceMs)
      throw new DeployFailure('prerequisite', `cannot reach the cluster: ${reason}`, {
        hints: [`${access.server}, context ${access.context}`],
      });
    if (attempt === 0) onAway?.(reason);
    const asked = typeof answer === 'string' ? 0 : answer.retryAfterSeconds * 1000;
    await sleep(Math.max(asked, Math.min(250 * 2 ** attempt, 5000)), undefined, { signal });
  }
}

/** Too many requests, and errors of a server that starts or ends; one that goes wrong inside is asked three times. */
function isPassing({ status }: Answer, attempt: number): boolean {
  return [429, 502, 503, 504].includes(status) || (status === 500 && attempt < 2);
}

function unauthorized({ context }: ClusterAccess): DeployFailure {
  return new DeployFailure('prerequisite', `the cluster does not accept the credentials of context ${context}`, {
    hints: ['they may have expired: sign in to the cluster again, then run the command once more; it continues'],
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof DeployFailure) throw error;
  const { code, message } = error as NodeJS.ErrnoException;
  return message || code || 'no answer';
}
