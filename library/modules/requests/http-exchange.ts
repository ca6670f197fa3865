/** One HTTP request and its whole reply, for `requests` and `urllib.request`. Redirects are the caller's business. */

import type { IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { callScope, type TraceHeaders } from '../../call-scope.ts';
import { nodeHttp, nodeHttps, nodeZlib } from '../../node-parts.ts';
import { fromOutside } from '../../outside.ts';

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | undefined;
  /** Longest wait for the reply's head and for each further part of it. */
  readonly timeoutMs: number | undefined;
  /** False accepts any certificate. */
  readonly verify: boolean;
  /** Address of the server that passes the request on. */
  readonly proxy?: string | undefined;
}

export interface HttpReply {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

/** Reason why there is no reply. */
export class HttpProblem extends Error {
  readonly kind: 'connect' | 'timeout' | 'broken';
  /** System error name (`ECONNREFUSED` …), if one is known. */
  readonly code: string | undefined;

  constructor(kind: HttpProblem['kind'], message: string, code?: string) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}

/** Sends a request. What is done for a call that is part of a trace goes on with that trace. @throws HttpProblem */
export async function exchange(call: HttpCall): Promise<HttpReply> {
  const trace = callScope.trace();
  if (trace === undefined || call.headers.some(([name]) => name.toLowerCase() === 'traceparent')) return send(call);
  const { method, url } = call;
  const span = trace.open(method, 'client', { 'http.request.method': method, 'server.address': new URL(url).hostname });
  const headers = [...call.headers, ...headersOf(span?.context ?? trace.context)];
  try {
    const reply = await send({ ...call, headers });
    span?.end(reply.status >= 400, { 'http.response.status_code': reply.status });
    return reply;
  } catch (error) {
    span?.end(true);
    throw error;
  }
}

function headersOf(context: TraceHeaders | undefined): (readonly [string, string])[] {
  if (context === undefined) return [];
  const { traceparent, tracestate } = context;
  return [['traceparent', traceparent], ...(tracestate === undefined ? [] : [['tracestate', tracestate] as const])];
}

function send(call: HttpCall): Promise<HttpReply> {
  return fromOutside('servers', () => sendNow(call));
}

async function sendNow(call: HttpCall): Promise<HttpReply> {
  const isPlain =
    call.verify &&
    call.proxy === undefined &&
    !(call.body !== undefined && (call.method === 'GET' || call.method === 'HEAD')) &&
    call.method !== 'TRACE';
  try {
    return await (isPlain ? byFetch(call) : byNode(call));
  } catch (e: any) {
    // `fetch` refuses some ports that programs may well use.
    if (isPlain && e?.cause?.message === 'bad port') return byNode(call).catch(rethrow);
    return rethrow(e);
  }
}

function rethrow(e: unknown): never {
  throw e instanceof HttpProblem ? e : problemOf(e);
}

async function byFetch(call: HttpCall): Promise<HttpReply> {
  const watch = watchdog(call.timeoutMs);
  try {
    const body = call.body as NonNullable<RequestInit['body']> | undefined;
    const response = await watch.guard(
      fetch(call.url, {
        method: call.method,
        headers: call.headers as [string, string][],
        redirect: 'manual',
        signal: watch.signal,
        ...(body === undefined ? {} : { body }),
      }),
    );
    const parts: Uint8Array[] = [];
    const reader = response.body?.getReader();
    for (;;) {
      const step = await watch.guard(reader?.read() ?? Promise.resolve({ done: true as const, value: undefined }));
      if (step.done) break;
      parts.push(step.value);
    }
    return {
      status: response.status,
      reason: response.statusText,
      headers: [...response.headers],
      body: new Uint8Array(Buffer.concat(parts)),
    };
  } finally {
    watch.stop();
  }
}

/** Ends waiting when one part takes longer than allowed. */
function watchdog(timeoutMs: number | undefined) {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  return {
    signal: controller.signal,
    stop,
    async guard<T>(work: Promise<T>): Promise<T> {
      if (timeoutMs === undefined) return work;
      stop();
      timer = setTimeout(() => controller.abort(new HttpProblem('timeout', 'timed out')), timeoutMs);
      return work;
    },
  };
}

// `fetch` has no GET with a body and checks every certificate.
async function byNode(call: HttpCall): Promise<HttpReply> {
  const isSecure = call.url.startsWith('https:');
  const { request } = isSecure && call.proxy === undefined ? nodeHttps() : nodeHttp();
  const way = call.proxy === undefined ? {} : await wayThrough(call.proxy, call, isSecure);
  return new Promise((resolve, reject) => {
    const options = { method: call.method, rejectUnauthorized: call.verify, ...way };
    const sent = request(
      call.proxy === undefined ? call.url : call.url.replace(/^https:/, 'http:'),
      options,
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          try {
            resolve(replyOf(response, Buffer.concat(parts)));
          } catch (error) {
            reject(error); // a body that is not encoded as it says
          }
        });
      },
    );
    for (const [name, value] of call.headers) sent.setHeader(name, value);
    if (call.body !== undefined) sent.setHeader('content-length', call.body.length);
    if (call.timeoutMs !== undefined)
      sent.setTimeout(call.timeoutMs, () => sent.destroy(new HttpProblem('timeout', 'timed out')));
    sent.on('error', reject);
    sent.end(call.body);
  });
}

function replyOf(response: IncomingMessage, bytes: Buffer): HttpReply {
  const headers: [string, string][] = [];
  for (let i = 0; i < response.rawHeaders.length; i += 2)
    headers.push([response.rawHeaders[i]!.toLowerCase(), response.rawHeaders[i + 1]!]);
  const body = decoded(bytes, response.headers['content-encoding']);
  return {
    status: response.statusCode!,
    reason: response.statusMessage ?? '',
    headers,
    body: new Uint8Array(body),
  };
}

/** Plain requests name the whole address to the proxy; secure ones go through a tunnel that it opens. @throws HttpProblem */
async function wayThrough(proxy: string, call: HttpCall, isSecure: boolean): Promise<RequestOptions> {
  const { hostname, port, username, password } = new URL(/^[a-z]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`);
  const account = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers = username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(account).toString('base64')}` };
  const server = { hostname, port: port === '' ? 80 : Number(port) };
  const target = new URL(call.url);
  if (!isSecure) return { ...server, path: call.url, headers: { ...headers, host: target.host } };
  const address = `${target.hostname}:${target.port === '' ? 443 : target.port}`;
  const tunnel = await new Promise<Socket>((resolve, reject) => {
    const asked = nodeHttp().request({
      ...server,
      method: 'CONNECT',
      path: address,
      headers: { ...headers, host: address },
    });
    asked.on('connect', (reply, socket) => {
      socket.on('error', () => {}); // the connection inside the tunnel hears of its end
      if (reply.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new HttpProblem('broken', `Tunnel connection failed: ${reply.statusCode} ${reply.statusMessage}`));
    });
    asked.on('error', reject);
    if (call.timeoutMs !== undefined)
      asked.setTimeout(call.timeoutMs, () => asked.destroy(new HttpProblem('timeout', 'timed out')));
    asked.end();
  });
  const { connect } = process.getBuiltinModule('node:tls');
  return {
    headers: { host: target.host },
    createConnection: () => connect({ socket: tunnel, servername: target.hostname, rejectUnauthorized: call.verify }),
  };
}

function decoded(body: Buffer, encoding: string | undefined): Buffer {
  if (body.length === 0) return body;
  if (encoding === 'gzip' || encoding === 'x-gzip') return nodeZlib().gunzipSync(body);
  if (encoding === 'br') return nodeZlib().brotliDecompressSync(body);
  if (encoding !== 'deflate') return body;
  try {
    return nodeZlib().inflateSync(body);
  } catch {
    return nodeZlib().inflateRawSync(body);
  }
}

const whileConnecting = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const texts: Readonly<Record<string, string>> = {
  ECONNREFUSED: '[Errno 111] Connection refused',
  ECONNRESET: '[Errno 104] Connection reset by peer',
  ENOTFOUND: '[Errno -2] Name or service not known',
  EAI_AGAIN: '[Errno -3] Temporary failure in name resolution',
  EHOSTUNREACH: '[Errno 113] No route to host',
  ENETUNREACH: '[Errno 101] Network is unreachable',
  ETIMEDOUT: '[Errno 110] Connection timed out',
};

function problemOf(e: any): HttpProblem {
  // `fetch` wraps the reason; several addresses of a host give several reasons.
  const reason = e?.cause instanceof HttpProblem ? e.cause : (e?.cause?.errors?.[0] ?? e?.errors?.[0] ?? e?.cause ?? e);
  if (reason instanceof HttpProblem) return reason;
  const code: string | undefined = typeof reason?.code === 'string' ? reason.code : undefined;
  const kind =
    code !== undefined && whileConnecting.has(code)
      ? 'connect'
      : code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT'
        ? 'timeout'
        : 'broken';
  return new HttpProblem(kind, texts[code ?? ''] ?? String(reason?.message ?? reason), code);
}
