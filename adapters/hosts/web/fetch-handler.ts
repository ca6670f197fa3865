import { Failure } from '../../../core/errors.ts';
import type { App } from '../../../handlers/app.ts';
import type { Reply } from '../../../handlers/call.ts';
import { FetchCall } from './fetch-call.ts';

export interface FetchOptions {
  /** Address of the peer, where the surrounding server knows it. */
  readonly peer?: string | undefined;
  /** Segments of the path that name the place where the application is mounted: 1 for `/api`. */
  readonly depth?: number;
}

/** Bounds of requests, besides those of the surrounding server. */
export interface FetchLimits {
  readonly maxUrlBytes: number;
  readonly maxHeaderBytes: number;
  readonly bodyTimeoutMs: number;
}

/**
 * Serves an application as a web-standard function, for runtimes and frameworks that speak `Request` and `Response`:
 * `hono.mount('/', createFetchHandler(app))`, `Deno.serve(createFetchHandler(app))`. The local server and the function adapters do
 * not go this way: these objects cost more than a small call.
 */
export function createFetchHandler(
  app: App,
  limits?: FetchLimits,
): (request: Request, options?: FetchOptions) => Promise<Response> {
  return async (request, { peer = '', depth = 0 } = {}) => {
    const target = below(rawTarget(request.url), depth);
    const call = new FetchCall(request, { target, peer, bodyTimeoutMs: limits?.bodyTimeoutMs });
    const fault = limits && outOfBounds(request, target, limits);
    return toResponse(fault === undefined ? await app.handle(call) : app.refuse(fault), call);
  };
}

/** Path and query as they were sent; `URL` would decode some of it. */
function rawTarget(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/, '');
}

/** The target without the first `depth` segments of its path. */
function below(target: string, depth: number): string {
  let at = 0;
  for (let i = 0; i < depth; i++) {
    const end = target.slice(at + 1).search(/[/?]/);
    if (end < 0) return '';
    at += 1 + end;
    if (target[at] === '?') break;
  }
  return target.slice(at);
}

function outOfBounds({ headers }: Request, target: string, limits: FetchLimits): Failure | undefined {
  if (target.length > limits.maxUrlBytes) return new Failure('URI_TOO_LONG', 'The request line is too long.');
  let bytes = 0;
  for (const [name, value] of headers) bytes += name.length + value.length + 4;
  if (bytes <= limits.maxHeaderBytes) return undefined;
  return new Failure('HEADERS_TOO_LARGE', 'The request headers are too large or too many.');
}

function toResponse(reply: Reply, call: FetchCall): Response {
  const headers = new Headers();
  for (let i = 0; i < reply.headers.length; i += 2) headers.append(reply.headers[i]!, reply.headers[i + 1]!);
  const { body } = reply;
  if (typeof body !== 'object') return new Response(body ?? null, { status: reply.status, headers });
  if (body instanceof Uint8Array)
    return new Response(body as Uint8Array<ArrayBuffer>, { status: reply.status, headers });
  return new Response(streamOf(body, call), { status: reply.status, headers });
}

/** Made as fast as it is read. Who stops reading it is gone. */
function streamOf(body: AsyncIterable<string | Uint8Array>, call: FetchCall): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const step = await chunks.next();
      if (step.done === true) controller.close();
      else controller.enqueue(typeof step.value === 'string' ? Buffer.from(step.value) : step.value);
    },
    async cancel() {
      call.leave();
      await chunks.return?.();
    },
  });
}
