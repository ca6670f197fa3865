import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Failure } from '../../../core/errors.ts';
import type { Call } from '../../../handlers/call.ts';
import { nodeHttp } from '../../../library/node-parts.ts';
import { joinedHeaders } from './joined-headers.ts';

const { IncomingMessage: NodeRequest } = nodeHttp();
const highWaterMark = 65536;
const dumpStream = (NodeRequest.prototype as unknown as { _dump(this: IncomingMessage): void })._dump;

/**
 * The server's request class. Body bytes go straight to the call that reads them; the stream machinery of `node:http` is used only
 * by `Call.stream`.
 */
export class LocalRequest extends NodeRequest {
  /** Takes the body in place of the stream's buffer. */
  reader: LocalCall | undefined = undefined;
  answer: ServerResponse | undefined = undefined;
  private wantsUpgrade: boolean | null = null;

  // Set by the parser before the headers are. Upgrades to other protocols are ordinary requests (RFC 9110 7.8).
  get upgrade(): boolean {
    return this.wantsUpgrade === true && /\bwebsocket\b/i.test(this.headers.upgrade ?? '');
  }

  set upgrade(value: boolean | null) {
    this.wantsUpgrade = value;
  }

  override push(chunk: Buffer | null): boolean {
    const reader = this.reader;
    return reader === undefined ? super.push(chunk) : reader.take(chunk);
  }

  // Called by node:http when a reply ends before the body was read through the stream.
  _dump(): void {
    if (!this.complete && this.reader?.isUnread !== false) dumpStream.call(this);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.complete) this.reader?.cut();
    if (error !== null && this.answer?.socket === null) closeWaiting(this.answer);
    super._destroy(error, done);
  }
}

/**
 * Closes an answer that waits behind another one on its connection when that is lost. `node:http` tells only the one whose turn it is, and the call
 * behind the others would wait for ever for somebody to read.
 */
function closeWaiting(response: ServerResponse): void {
  if (response.closed || response.writableFinished) return;
  response.destroy();
  response.emit('close');
}

// Lets node:http forget the request as soon as its answer is out.
const readableEnded = Object.getOwnPropertyDescriptor(Readable.prototype, 'readableEnded')!.get!;
Object.defineProperty(LocalRequest.prototype, 'readableEnded', {
  get(this: LocalRequest) {
    return this.reader === undefined ? readableEnded.call(this) : !this.reader.isUnread;
  },
});

/** One request as the handlers see it. */
export class LocalCall implements Call {
  readonly method: string;
  path: string;
  readonly query: string;
  readonly contentLength: number | undefined;
  readonly request: LocalRequest;
  readonly response: ServerResponse;

  // The body so far: most have one chunk, and no list is made for it.
  private first: Buffer | undefined = undefined;
  private more: Buffer[] | undefined = undefined;
  private size = 0;
  private ended = false;
  private isCut = false;
  private limit = highWaterMark;
  private waiting:
    | { resolve(body: Uint8Array): void; reject(error: unknown): void; timer: NodeJS.Timeout }
    | undefined = undefined;
  private controller: AbortController | undefined = undefined;
  private readonly bodyTimeoutMs: number;
  /** The peer waits for `100 Continue` before it sends the body. */
  expectsContinue = false;

  constructor(request: LocalRequest, response: ServerResponse, bodyTimeoutMs: number) {
    const url = request.url!.charCodeAt(0) === 0x2f ? request.url! : originForm(request.url!);
    const mark = url.indexOf('?');
    this.method = request.method!;
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? '' : url.slice(mark + 1);
    const length = request.headers['content-length'];
    this.contentLength = length === undefined ? undefined : Number(length);
    this.request = request;
    this.response = response;
    this.bodyTimeoutMs = bodyTimeoutMs;
    request.reader = this;
    request.answer = response;
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return typeof value === 'string' || value === undefined ? value : value.join(', ');
  }

  headers(): Iterable<readonly [string, string]> {
    return joinedHeaders(this.request.headers);
  }

  get peer(): string {
    return this.request.socket.remoteAddress ?? '';
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      const controller = new AbortController();
      this.controller = controller;
      this.onGone(() => controller.abort());
    }
    return this.controller.signal;
  }

  onGone(listener: () => void): () => void {
    const { response } = this;
    const closed = () => {
      if (!response.writableFinished) listener();
    };
    if (this.isCut || response.closed || response.destroyed) closed();
    else response.once('close', closed);
    return () => response.off('close', closed);
  }

  /** True while a body is still on its way. */
  get isUnread(): boolean {
    return !this.ended && !this.request.complete && this.hasBody;
  }

  /** True when the request says that it has a body. */
  get hasBody(): boolean {
    return this.contentLength === undefined
      ? this.request.headers['transfer-encoding'] !== undefined
      : this.contentLength > 0;
  }

  body(limit: number): Uint8Array | Promise<Uint8Array> {
    if (this.size > limit) throw tooLarge(limit);
    if (this.ended) return this.joined();
    if (this.isCut) throw cutOff();
    this.limit = limit;
    this.sendContinue();
    if (this.size > highWaterMark) this.request._read(0);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.fail(timedOut()), this.bodyTimeoutMs);
      this.waiting = { resolve, reject, timer };
    });
  }

  async *stream(): AsyncIterable<Uint8Array> {
    const { request } = this;
    request.reader = undefined;
    this.sendContinue();
    if (this.first !== undefined) request.push(this.first);
    for (const chunk of this.more ?? []) request.push(chunk);
    if (request.complete) request.push(null);
    this.first = this.more = undefined;
    // The request is not destroyed when its reader stops, nor is the connection: the answer is still to be sent.
    const chunks = (request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    let isLate = false;
    let giveUp: ((failure: Failure) => void) | undefined;
    const timer = setTimeout(() => {
      isLate = true;
      giveUp?.(timedOut());
    }, this.bodyTimeoutMs);
    try {
      for (;;) {
        if (isLate) throw timedOut();
        const step = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
          giveUp = reject;
          chunks.next().then(resolve, reject);
        });
        if (step.done === true) return;
        yield step.value;
      }
    } catch (error) {
      throw error instanceof Failure ? error : cutOff();
    } finally {
      clearTimeout(timer);
    }
  }

  /** One chunk from the parser, null at the end. False pauses the socket. */
  take(chunk: Buffer | null): boolean {
    if (chunk === null) {
      if (this.ended) return false;
      this.ended = true;
      if (this.waiting !== undefined) this.settle();
      return false;
    }
    this.size += chunk.length;
    if (this.waiting !== undefined && this.size > this.limit) {
      this.fail(tooLarge(this.limit));
      return true;
    }
    if (this.first === undefined) this.first = chunk;
    else if (this.more === undefined) this.more = [chunk];
    else this.more.push(chunk);
    if (this.size === this.contentLength) {
      // The parser says so itself only after other callbacks have run.
      this.take(null);
      return true;
    }
    return this.waiting !== undefined || this.size <= highWaterMark;
  }

  /** The connection went away before the body was complete. */
  cut(): void {
    this.isCut = true;
    this.fail(cutOff());
  }

  private settle(): void {
    const waiting = this.waiting!;
    this.waiting = undefined;
    clearTimeout(waiting.timer);
    waiting.resolve(this.joined());
  }

  private fail(failure: Failure): void {
    const waiting = this.waiting;
    if (waiting === undefined) return;
    this.waiting = undefined;
    this.first = this.more = undefined;
    clearTimeout(waiting.timer);
    waiting.reject(failure);
  }

  private joined(): Uint8Array {
    if (this.first === undefined) return empty;
    return this.more === undefined ? this.first : Buffer.concat([this.first, ...this.more], this.size);
  }

  private sendContinue(): void {
    if (!this.expectsContinue) return;
    this.expectsContinue = false;
    this.response.writeContinue();
  }
}

const empty = Buffer.alloc(0);

/** The path of an absolute request target, `http://host/path`. */
function originForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path === '' || path.startsWith('?') ? `/${path}` : path;
}

function tooLarge(limit: number): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes.`, { details: { limit } });
}

function timedOut(): Failure {
  return new Failure('REQUEST_TIMEOUT', 'The body did not arrive in time.');
}

function cutOff(): Failure {
  return new Failure('BAD_REQUEST', 'The request was cut off.');
}
