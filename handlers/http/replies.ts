import type { Failure } from '../../core/errors.ts';
import type { Reply } from '../call.ts';
import type { Answer } from '../routes.ts';
import { wantsProblemDetails } from './accept.ts';
import type { Cors } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { problemText } from './problem-details.ts';

/** Makes the replies of one application: envelopes, headers, error forms (server.md 6.2 to 6.4, 6.7). */
export interface Replies {
  /**
   * A successful envelope. `data` is the JSON text of the data, `mirrored` that of the members repeated at the top level, without
   * braces (`"reports":[]`), or empty. `isAscii`: both are known to have no other characters, so nothing needs counting.
   */
  success(exchange: Exchange, data: string, mirrored: string, isAscii?: boolean): Reply;
  /** Plain data of a fixed endpoint: every member is mirrored. */
  data(
    exchange: Exchange,
    data: Readonly<Record<string, unknown>>,
    status?: number,
    headers?: readonly string[],
  ): Reply;
  failure(exchange: Exchange, failure: Failure): Reply;
  /** A body outside the envelope. */
  raw(exchange: Exchange, answer: Pick<Answer, 'status' | 'raw' | 'headers'>): Reply;
  /** Status 204. */
  empty(exchange: Exchange, headers: readonly string[]): Reply;
}

export interface RepliesOptions {
  readonly cors: Cors;
  readonly mirrorFields: boolean;
  /** `[environments.response.headers]`. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** Current time as envelopes show it. */
  readonly timestamp: () => string;
  readonly toText: (value: unknown) => string;
}

interface Head {
  readonly status: number;
  readonly contentType: string;
  readonly more: readonly string[] | undefined;
}

const jsonType = 'application/json';
const plainOk: Head = { status: 200, contentType: jsonType, more: undefined };
const fixedMembers = new Set(['ok', 'type', 'status', 'data', 'error', 'meta']);

/** Prepares header lists and texts that do not change between requests. */
export function createReplies(options: RepliesOptions): Replies {
  const { cors, timestamp } = options;
  const configured = allowedHeaders(options.responseHeaders);
  const envelopeTail = withDefaults([['Cache-Control', 'no-store']], configured);
  const rawTail = withDefaults([], configured);

  const meta = (exchange: Exchange, status: number) =>
    `"meta":{"request_id":"${exchange.requestId}","trace_id":"${exchange.traceId}","timestamp":"${timestamp()}","extra":{"http_status":${status}}}`;

  /** The complete head of an answer with a JSON body of so many bytes, and the body. */
  const json = (exchange: Exchange, { status, contentType, more }: Head, body: string, bytes: number): Reply => {
    const headers = [
      'Content-Type',
      contentType,
      'Content-Length',
      String(bytes),
      'X-Request-ID',
      exchange.requestId,
      'X-Trace-ID',
      exchange.traceId,
    ];
    append(headers, envelopeTail);
    addVarying(headers, exchange, more);
    return { status, headers, body, isAscii: bytes === body.length };
  };

  const addVarying = (headers: string[], exchange: Exchange, more: readonly string[] | undefined) => {
    append(headers, cors.answerHeaders(exchange.origin));
    if (exchange.headers !== undefined) append(headers, exchange.headers);
    if (more !== undefined) append(headers, more);
  };

  const envelopeText = (exchange: Exchange, status: number, data: string, mirrored: string) => {
    const tail = mirrored === '' || !options.mirrorFields ? '}' : `,${mirrored}}`;
    return `{"ok":true,"type":"response","status":${status},"data":${data},"error":null,${meta(exchange, status)}${tail}`;
  };

  return {
    success(exchange, data, mirrored, isAscii = false) {
      const body = envelopeText(exchange, 200, data, mirrored);
      return json(exchange, plainOk, body, isAscii ? body.length : Buffer.byteLength(body));
    },

    data(exchange, data, status = 200, more) {
      const members: string[] = [];
      const mirrored: string[] = [];
      for (const [name, value] of Object.entries(data)) {
        if (value === undefined) continue;
        const member = `${JSON.stringify(name)}:${options.toText(value)}`;
        members.push(member);
        if (!fixedMembers.has(name)) mirrored.push(member);
      }
      const body = envelopeText(exchange, status, `{${members.join(',')}}`, mirrored.join(','));
      return json(exchange, { status, contentType: jsonType, more }, body, Buffer.byteLength(body));
    },

    failure(exchange, failure) {
      const { status } = failure;
      const details = failure.details === undefined ? undefined : options.toText(failure.details);
      const more = failureHeaders(exchange, failure);
      const closes = status === 413 || status === 408 || status === 414 || status === 431;
      if (wantsProblemDetails(exchange.call.header('accept'))) {
        const body = problemText(failure, exchange.call.path, exchange.requestId, details);
        const head = { status, contentType: 'application/problem+json', more };
        return { ...json(exchange, head, body, Buffer.byteLength(body)), close: closes };
      }
      const detailsMember = details === undefined ? '' : `,"details":${details}`;
      const error = `{"code":${JSON.stringify(failure.code)},"message":${JSON.stringify(failure.message)}${detailsMember}}`;
      const detail = status === 422 && Array.isArray(failure.details) ? `,"detail":${details}` : '';
      const body = `{"ok":false,"type":"error","status":${status},"data":null,"error":${error},${meta(exchange, status)}${detail}}`;
      return {
        ...json(exchange, { status, contentType: jsonType, more }, body, Buffer.byteLength(body)),
        close: closes,
      };
    },

    raw(exchange, { status, raw, headers: more }) {
      const headers: string[] = raw?.contentType === undefined ? [] : ['Content-Type', raw.contentType];
      const body = raw?.body;
      if (typeof body === 'string') headers.push('Content-Length', String(Buffer.byteLength(body)));
      else if (body instanceof Uint8Array) headers.push('Content-Length', String(body.length));
      else if (body === undefined && status !== 204 && status !== 304) headers.push('Content-Length', '0');
      headers.push('X-Request-ID', exchange.requestId, 'X-Trace-ID', exchange.traceId);
      append(headers, rawTail);
      addVarying(headers, exchange, more);
      return { status, headers, body };
    },

    empty(exchange, more) {
      const headers = ['X-Request-ID', exchange.requestId, 'X-Trace-ID', exchange.traceId];
      append(headers, rawTail);
      append(headers, more);
      return { status: 204, headers, body: undefined };
    },
  };
}

function append(list: string[], more: readonly string[]): void {
  for (let i = 0; i < more.length; i++) list.push(more[i]!);
}

function failureHeaders(exchange: Exchange, failure: Failure): readonly string[] {
  const headers: string[] = [];
  for (const [name, value] of Object.entries(failure.headers ?? {})) headers.push(name, value);
  const given = new Set(Object.keys(failure.headers ?? {}).map((name) => name.toLowerCase()));
  if (failure.status === 401 && !given.has('www-authenticate')) {
    const presented = /^bearer\s/i.test(exchange.call.header('authorization') ?? '');
    headers.push('WWW-Authenticate', `Bearer realm="svc"${presented ? ', error="invalid_token"' : ''}`);
  }
  if (failure.status === 503 && !given.has('retry-after')) headers.push('Retry-After', '2');
  if (failure.status === 429 && !given.has('retry-after')) {
    const details = failure.details as { retry_after?: unknown } | undefined;
    headers.push('Retry-After', typeof details?.retry_after === 'number' ? String(details.retry_after) : '1');
  }
  return headers;
}

type Header = readonly [name: string, value: string];

/** Configured headers that may be added: valid ones, and none that belong to the answer itself or to CORS. */
function allowedHeaders(configured: Readonly<Record<string, string>>): Header[] {
  const fixed =
    /^(content-type|content-length|transfer-encoding|connection|x-content-type-options|access-control-.*|x-request-id|x-trace-id)$/i;
  return Object.entries(configured).filter(
    ([name, value]) =>
      /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value) && !fixed.test(name),
  );
}

/** Our own headers, each replaced when it is configured, then the configured ones. Flat. */
function withDefaults(own: readonly Header[], configured: readonly Header[]): readonly string[] {
  const names = new Set(configured.map(([name]) => name.toLowerCase()));
  const kept = own.filter(([name]) => !names.has(name.toLowerCase()));
  return [...kept, ['X-Content-Type-Options', 'nosniff'] as const, ...configured].flat();
}
