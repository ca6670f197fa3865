import { type Failure, failureCodes } from '../../core/errors.ts';
import type { Reply } from '../call.ts';
import type { Answer } from '../routes.ts';
import { wantsProblemDetails } from './accept.ts';
import type { Cors } from './cors.ts';
import type { Exchange } from './exchange.ts';
import type { HintFor } from './hints.ts';
import { problemText } from './problem-details.ts';

/**
 * Makes the replies of one application: envelopes, headers, error forms (docs/server/answers.md#envelope,
 * docs/server/errors.md#problem-details, docs/server/answers.md#headers).
 */
export interface Replies {
  /** The envelope of a walker or function without warnings; one of the two texts is repeated at the top level. */
  outcome(exchange: Exchange, outcome: OutcomeTexts, mirrors: 'reports' | 'result'): Reply;
  /**
   * Any envelope with data. `data` is the JSON text of the data, `mirrored` that of the members repeated at the top level, without
   * braces (`"reports":[]`), or empty. `status`: one of a failure, when the program set it beside what it reports.
   */
  success(exchange: Exchange, data: string, mirrored: string, status?: number): Reply;
  /** Plain data of a fixed endpoint; its members are mirrored but for those named in `unmirrored`. */
  data(exchange: Exchange, answer: PlainAnswer): Reply;
  failure(exchange: Exchange, failure: Failure): Reply;
  /** A body outside the envelope. */
  raw(exchange: Exchange, answer: Pick<Answer, 'status' | 'raw' | 'headers'>): Reply;
  /** Status 204. */
  empty(exchange: Exchange, headers: readonly string[]): Reply;
}

/** JSON texts of what a call gave. `isAscii`: known to have no other characters, so nothing needs counting. */
export interface OutcomeTexts {
  readonly result: string;
  readonly reports: string;
  readonly isAscii: boolean;
}

export interface PlainAnswer {
  readonly data: Readonly<Record<string, unknown>>;
  readonly status?: number;
  readonly headers?: readonly string[];
  readonly unmirrored?: readonly string[] | undefined;
}

export interface RepliesOptions {
  readonly cors: Cors;
  readonly mirrorFields: boolean;
  /** `[environments.response.headers]`. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** Current time as envelopes show it. */
  readonly timestamp: () => string;
  readonly toText: (value: unknown) => string;
  /** Failures carry hints (development). */
  readonly hintFor: HintFor | undefined;
}

interface Head {
  readonly status: number;
  readonly contentType: string;
  readonly more: readonly string[] | undefined;
}

const jsonType = 'application/json';
const plainOk: Head = { status: 200, contentType: jsonType, more: undefined };
/** The rest of the request is not read. */
const closingCodes = new Set(['PAYLOAD_TOO_LARGE', 'REQUEST_TIMEOUT', 'URI_TOO_LONG', 'HEADERS_TOO_LARGE']);
const fixedMembers = new Set(['ok', 'type', 'status', 'data', 'error', 'meta']);

/** The first code of the table with that status. */
function codeOf(status: number): string {
  return Object.entries(failureCodes).find(([, known]) => known.status === status)?.[0] ?? 'EXECUTION_ERROR';
}

/** Prepares header lists and texts that do not change between requests. */
export function createReplies(options: RepliesOptions): Replies {
  const { cors, timestamp } = options;
  const configured = allowedHeaders(options.responseHeaders);
  const envelopeTail = withDefaults([['Cache-Control', 'no-store']], configured);
  const rawTail = withDefaults([], configured);

  const meta = (exchange: Exchange, status: number) =>
    `"meta":{"request_id":"${exchange.requestId}","trace_id":"${exchange.traceId}","timestamp":"${timestamp()}","extra":{"http_status":${status}}}`;

  const shared: SharedHeaders = { list: envelopeTail, text: headText(envelopeTail) };

  /** An answer with a JSON body of so many bytes. */
  const json = (exchange: Exchange, { status, contentType, more }: Head, body: string, bytes: number): Reply => {
    const crossOrigin = cors.answerHeaders(exchange.origin);
    const safe = exchange.headers === undefined ? crossOrigin : [...crossOrigin, ...exchange.headers];
    return new JsonReply(exchange, shared, { status, contentType, body, bytes, safe, more });
  };

  const addVarying = (headers: string[], exchange: Exchange, more: readonly string[]) => {
    append(headers, cors.answerHeaders(exchange.origin));
    if (exchange.headers !== undefined) append(headers, exchange.headers);
    append(headers, more);
  };

  const envelopeText = (exchange: Exchange, status: number, data: string, mirrored: string) => {
    const tail = mirrored === '' || !options.mirrorFields ? '}' : `,${mirrored}}`;
    const error =
      status < 400 ? 'null' : JSON.stringify({ code: codeOf(status), message: `The program answered ${status}.` });
    return `{"ok":${status < 400},"type":"response","status":${status},"data":${data},"error":${error},${meta(exchange, status)}${tail}`;
  };

  return {
    outcome(exchange, { result, reports, isAscii }, mirrors) {
      const { requestId, traceId } = exchange;
      const tail = !options.mirrorFields ? '' : mirrors === 'reports' ? `,"reports":${reports}` : `,"result":${result}`;
      // One expression: each piece that is joined by itself costs an object.
      const body = `{"ok":true,"type":"response","status":200,"data":{"result":${result},"reports":${reports}},"error":null,"meta":{"request_id":"${requestId}","trace_id":"${traceId}","timestamp":"${timestamp()}","extra":{"http_status":200}}${tail}}`;
      return json(exchange, plainOk, body, isAscii ? body.length : Buffer.byteLength(body));
    },

    success(exchange, data, mirrored, status = 200) {
      const body = envelopeText(exchange, status, data, mirrored);
      return json(exchange, { ...plainOk, status }, body, Buffer.byteLength(body));
    },

    data(exchange, { data, status = 200, headers: more, unmirrored }) {
      const members: string[] = [];
      const mirrored: string[] = [];
      for (const [name, value] of Object.entries(data)) {
        if (value === undefined) continue;
        const member = `${JSON.stringify(name)}:${options.toText(value)}`;
        members.push(member);
        if (!fixedMembers.has(name) && !unmirrored?.includes(name)) mirrored.push(member);
      }
      const body = envelopeText(exchange, status, `{${members.join(',')}}`, mirrored.join(','));
      return json(exchange, { status, contentType: jsonType, more }, body, Buffer.byteLength(body));
    },

    failure(exchange, failure) {
      const { status } = failure;
      const details = failure.details === undefined ? undefined : options.toText(failure.details);
      const more = failureHeaders(exchange, failure);
      const closes = closingCodes.has(failure.code);
      const further = furtherMembers(failure, options.hintFor?.(failure, exchange.call));
      if (wantsProblemDetails(exchange.call.header('accept'))) {
        const body = problemText(failure, exchange.call.path, exchange.requestId, details, further);
        const head = { status, contentType: 'application/problem+json', more };
        return closing(json(exchange, head, body, Buffer.byteLength(body)), closes);
      }
      const detailsMember = details === undefined ? '' : `,"details":${details}`;
      const error = `{"code":${JSON.stringify(failure.code)},"message":${JSON.stringify(failure.message)}${detailsMember}${further}}`;
      const detail = status === 422 && Array.isArray(failure.details) ? `,"detail":${details}` : '';
      const body = `{"ok":false,"type":"error","status":${status},"data":null,"error":${error},${meta(exchange, status)}${detail}}`;
      return closing(json(exchange, { status, contentType: jsonType, more }, body, Buffer.byteLength(body)), closes);
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

/** Constant headers of enveloped answers, in both forms. */
interface SharedHeaders {
  readonly list: readonly string[];
  readonly text: string;
}

interface JsonParts {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly bytes: number;
  /** Headers that are known to be valid: CORS, and those of the request path itself. */
  readonly safe: readonly string[];
  /** Headers an endpoint gave. */
  readonly more: readonly string[] | undefined;
}

/** An answer with a JSON body. Most hosts need the headers in one of the two forms only, so each is made when it is asked for. */
class JsonReply implements Reply {
  readonly status: number;
  readonly body: string;
  readonly isAscii: boolean;
  private readonly parts: JsonParts;
  private readonly shared: SharedHeaders;
  private readonly requestId: string;
  private readonly traceId: string;

  constructor(exchange: Exchange, shared: SharedHeaders, parts: JsonParts) {
    this.status = parts.status;
    this.body = parts.body;
    this.isAscii = parts.bytes === parts.body.length;
    this.parts = parts;
    this.shared = shared;
    this.requestId = exchange.requestId;
    this.traceId = exchange.traceId;
  }

  get headers(): readonly string[] {
    const { contentType, bytes, safe, more } = this.parts;
    const list = ['Content-Type', contentType, 'Content-Length', String(bytes), 'X-Request-ID', this.requestId];
    list.push('X-Trace-ID', this.traceId);
    append(list, this.shared.list);
    append(list, safe);
    if (more !== undefined) append(list, more);
    return list;
  }

  get head(): string | undefined {
    const { contentType, bytes, safe, more } = this.parts;
    if (more !== undefined) return undefined;
    const text = `Content-Type: ${contentType}\r\nContent-Length: ${bytes}\r\nX-Request-ID: ${this.requestId}\r\nX-Trace-ID: ${this.traceId}\r\n${this.shared.text}`;
    return safe.length === 0 ? text : text + headText(safe);
  }
}

function headText(headers: readonly string[]): string {
  let text = '';
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return text;
}

function append(list: string[], more: readonly string[]): void {
  for (let i = 0; i < more.length; i++) list.push(more[i]!);
}

/** The same reply, after which the connection is closed. */
export function closing(reply: Reply, closes = true): Reply {
  const { status, headers, body, isAscii = false } = reply;
  return closes ? { status, headers, body, isAscii, close: true } : reply;
}

/**
 * Members of an error after its details: how many problems there are when not all are listed
 * (docs/server/errors.md#validation), warnings, and the hint (development). Each has a comma before it.
 */
export function furtherMembers(failure: Failure, hint: string | undefined): string {
  const counted = failure.count === undefined ? '' : `,"truncated":true,"count":${failure.count}`;
  const told = failure.warnings === undefined ? '' : `,"warnings":${JSON.stringify(failure.warnings)}`;
  return `${counted}${told}${hint === undefined ? '' : `,"hint":${JSON.stringify(hint)}`}`;
}

function failureHeaders(exchange: Exchange, failure: Failure): readonly string[] | undefined {
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
  return headers.length === 0 ? undefined : headers;
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
