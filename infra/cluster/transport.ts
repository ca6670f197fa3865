/** One HTTP exchange with a cluster. Credentials stand in headers and certificates only, never in an address. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { ClusterAccess, Identity } from './access.ts';
import { tunnelAgent } from './tunnel.ts';

export interface KubeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly body: any;
  readonly retryAfterSeconds: number;
  /** Time of the answer by the clock of who gave it, in milliseconds since 1970; NaN where it does not say. */
  readonly timeMs: number;
}

export interface Transport {
  /** @throws what Node says of a connection that fails */
  send(request: KubeRequest, signal: AbortSignal): Promise<Answer>;
  /** Begins an answer that may take any time to come to its end. @throws what Node says of a connection that fails */
  open(request: KubeRequest, signal: AbortSignal): Promise<IncomingMessage>;
  close(): void;
}

const answerMs = 30_000;
/** Answers are lists of the objects of one application; its bundle is the largest part. */
const mostBytes = 64 * 1024 * 1024;

export function openTransport(access: ClusterAccess): Transport {
  const agent = access.server.startsWith('http:')
    ? new HttpAgent({ keepAlive: true })
    : access.proxy === undefined
      ? new HttpsAgent({ keepAlive: true })
      : tunnelAgent(access.proxy);
  return {
    async send(request, signal) {
      const response = await exchange(access, agent, request, AbortSignal.any([signal, AbortSignal.timeout(answerMs)]));
      return await answerOf(response);
    },
    async open(request, signal) {
      const response = await exchange(access, agent, request, signal);
      // A peer that is gone without a word is found out.
      response.socket.setKeepAlive(true, 30_000);
      return response;
    },
    close: () => agent.destroy(),
  };
}

async function exchange(
  access: ClusterAccess,
  agent: HttpAgent | HttpsAgent,
  { method, path, query = {}, body }: KubeRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { headers, cert, key }: Identity = await access.identify();
  const url = new URL(access.server + path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const type = method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json';
  const options = {
    method,
    agent,
    signal,
    ...access.tls,
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    headers: {
      accept: 'application/json, */*;q=0.5',
      'user-agent': 'svc-scale',
      ...headers,
      ...(bytes === undefined ? {} : { 'content-type': type, 'content-length': bytes.length }),
    },
  };
  return await new Promise((resolve, reject) => {
    const sent = (url.protocol === 'http:' ? httpRequest : httpsRequest)(url, options, (response) => {
      // Who reads it is told of an error as well; before that, nobody is.
      response.on('error', () => {});
      resolve(response);
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

export async function answerOf(response: IncomingMessage): Promise<Answer> {
  const text = await textOf(response);
  return {
    status: response.statusCode ?? 0,
    body: parsed(text),
    retryAfterSeconds: Number(response.headers['retry-after'] ?? 0) || 0,
    timeMs: Date.parse(response.headers.date ?? ''),
  };
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += chunk.length;
    if (length > mostBytes) throw new Error('the answer is larger than 64 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
