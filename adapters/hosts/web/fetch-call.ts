import { Failure } from '../../../core/errors.ts';
import type { Call } from '../../../handlers/call.ts';

export interface FetchCallOptions {
  /** Path and query below the place where the application is mounted, as they were sent. */
  readonly target: string;
  /** Address of the peer, '' when the surrounding server does not know it. */
  readonly peer: string;
  /** A body that takes longer is given up. Undefined: it is waited for as long as the surrounding server does. */
  readonly bodyTimeoutMs: number | undefined;
}

/** One web-standard `Request` as the handlers see it. */
export class FetchCall implements Call {
  readonly method: string;
  path: string;
  readonly query: string;
  readonly peer: string;
  private readonly request: Request;
  private readonly bodyTimeoutMs: number | undefined;
  private controller: AbortController | undefined = undefined;
  private listeners: Set<() => void> | undefined = undefined;
  private isGone = false;

  constructor(request: Request, { target, peer, bodyTimeoutMs }: FetchCallOptions) {
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    this.request = request;
    this.method = request.method;
    this.path = path === '' ? '/' : path;
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    this.peer = peer;
    this.bodyTimeoutMs = bodyTimeoutMs;
  }

  header(name: string): string | undefined {
    return this.request.headers.get(name) ?? undefined;
  }

  headers(): Iterable<readonly [string, string]> {
    return this.request.headers;
  }

  get contentLength(): number | undefined {
    const length = this.request.headers.get('content-length');
    return length === null ? undefined : Number(length);
  }

  async body(limit: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of this.stream()) {
      size += chunk.length;
      if (size > limit) {
        throw new Failure('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes.`, { details: { limit } });
      }
      chunks.push(chunk);
    }
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
  }

  async *stream(): AsyncIterable<Uint8Array> {
    const { body } = this.request;
    if (body === null) return;
    const reader = body.getReader();
    const late = this.lateness();
    try {
      for (;;) {
        const step = await Promise.race([reader.read(), late.reached]);
        if (step.done) return;
        yield step.value;
      }
    } catch (cause) {
      throw cause instanceof Failure ? cause : new Failure('BAD_REQUEST', 'The request was cut off.', { cause });
    } finally {
      late.forget();
      reader.cancel().catch(ignore);
    }
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
    if (this.isGone || this.request.signal.aborted) {
      listener();
      return ignore;
    }
    if (this.listeners === undefined) {
      this.listeners = new Set();
      this.request.signal.addEventListener('abort', () => this.leave(), { once: true });
    }
    const { listeners } = this;
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Tells that nobody reads the answer any more. */
  leave(): void {
    if (this.isGone) return;
    this.isGone = true;
    for (const listener of this.listeners ?? []) listener();
    this.listeners?.clear();
  }

  private lateness(): { readonly reached: Promise<never>; forget(): void } {
    let timer: NodeJS.Timeout | undefined;
    const reached = new Promise<never>((_resolve, reject) => {
      if (this.bodyTimeoutMs === undefined) return;
      timer = setTimeout(
        () => reject(new Failure('REQUEST_TIMEOUT', 'The body did not arrive in time.')),
        this.bodyTimeoutMs,
      );
    });
    reached.catch(ignore); // it may be reached while nobody waits for a chunk
    return { reached, forget: () => clearTimeout(timer) };
  }
}

function ignore(): void {}
