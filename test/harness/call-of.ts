/** Calls without a server: `app.handle(callOf('POST', '/walker/greet', { name: 'Ada' }))`. */
import { Failure } from '../../core/errors.ts';
import type { Call } from '../../handlers/call.ts';

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly peer?: string;
  readonly signal?: AbortSignal;
  /** Bytes arrive as a promise, as from a slow peer. */
  readonly later?: boolean;
}

/**
 * A Call from a request line and a body: text and bytes are sent as they are, anything else as JSON with its content type.
 * Declared length is that of the body unless a `content-length` header says otherwise.
 */
export function callOf(method: string, target: string, body?: unknown, options: CallOptions = {}): Call {
  const [path = '', query = ''] = split(target);
  const headers = new Map(Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const bytes = bytesOf(body);
  if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array) && !headers.has('content-type')) {
    headers.set('content-type', 'application/json');
  }
  const declared = headers.get('content-length') ?? (body === undefined ? undefined : String(bytes.length));
  const read = (limit: number) => {
    if (bytes.length > limit) throw new Failure('PAYLOAD_TOO_LARGE', 'The body is too large.', { details: { limit } });
    return bytes;
  };
  return {
    method,
    path,
    query,
    header: (name) => headers.get(name),
    headers: () => headers,
    contentLength: declared === undefined ? undefined : Number(declared),
    body: (limit) => (options.later === true ? Promise.resolve().then(() => read(limit)) : read(limit)),
    async *stream() {
      for (let at = 0; at < bytes.length; at += 1024) yield bytes.subarray(at, at + 1024);
    },
    peer: options.peer ?? '127.0.0.1',
    signal: options.signal ?? new AbortController().signal,
    onGone(listener) {
      const { signal } = options;
      if (signal?.aborted === true) listener();
      const gone = () => listener();
      signal?.addEventListener('abort', gone);
      return () => signal?.removeEventListener('abort', gone);
    },
  };
}

function split(target: string): [string, string] {
  const at = target.indexOf('?');
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}

function bytesOf(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
