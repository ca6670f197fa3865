import { Failure } from '../../../core/errors.ts';
import type { App } from '../../../handlers/app.ts';
import type { Call, Reply } from '../../../handlers/call.ts';

export interface FetchOptions {
  /** Address of the peer, where the surrounding server knows it. */
  readonly peer?: string;
}

/**
 * Serves an application as a web-standard function, for runtimes and frameworks that speak `Request` and `Response`:
 * `hono.mount('/', createFetchHandler(app))`, `Deno.serve(createFetchHandler(app))`. The local server and the function adapters do
 * not go this way: these objects cost more than a small call.
 */
export function createFetchHandler(app: App): (request: Request, options?: FetchOptions) => Promise<Response> {
  return async (request, options = {}) => toResponse(await app.handle(toCall(request, options.peer ?? '')));
}

function toCall(request: Request, peer: string): Call {
  const { pathname, search } = rawTarget(request.url);
  const length = request.headers.get('content-length');
  return {
    method: request.method,
    path: pathname,
    query: search,
    header: (name) => request.headers.get(name) ?? undefined,
    headers: () => request.headers,
    contentLength: length === null ? undefined : Number(length),
    body: (limit) => readAll(request, limit),
    stream: () => chunksOf(request),
    peer,
    signal: request.signal,
    onGone(listener) {
      const gone = () => listener();
      request.signal.addEventListener('abort', gone);
      return () => request.signal.removeEventListener('abort', gone);
    },
  };
}

/** Path and query as they were sent; `URL` would decode and resolve some of it. */
function rawTarget(url: string): { readonly pathname: string; readonly search: string } {
  const target = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/, '');
  const mark = target.indexOf('?');
  const pathname = mark < 0 ? target : target.slice(0, mark);
  return { pathname: pathname === '' ? '/' : pathname, search: mark < 0 ? '' : target.slice(mark + 1) };
}

async function readAll(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(request)) {
    size += chunk.length;
    if (size > limit) {
      throw new Failure('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes.`, { details: { limit } });
    }
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
}

async function* chunksOf(request: Request): AsyncIterable<Uint8Array> {
  if (request.body === null) return;
  try {
    yield* request.body as unknown as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure('BAD_REQUEST', 'The request was cut off.', { cause });
  }
}

function toResponse(reply: Reply): Response {
  const headers = new Headers();
  for (let i = 0; i < reply.headers.length; i += 2) headers.append(reply.headers[i]!, reply.headers[i + 1]!);
  const { body } = reply;
  if (typeof body !== 'object') return new Response(body ?? null, { status: reply.status, headers });
  if (body instanceof Uint8Array)
    return new Response(body as Uint8Array<ArrayBuffer>, { status: reply.status, headers });
  return new Response(streamOf(body), { status: reply.status, headers });
}

function streamOf(body: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const step = await chunks.next();
      if (step.done === true) controller.close();
      else controller.enqueue(typeof step.value === 'string' ? Buffer.from(step.value) : step.value);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}
