import type { Membership } from '../../core/topics/topics.ts';
import type { Call } from '../call.ts';

/** A connection whose messages may change its topics. */
export interface TopicHolder {
  membership(): Membership | undefined;
}

/** Call of one message of a socket: the handshake's headers but for those that name a single request. */
export class MessageCall implements Call {
  readonly method = 'MESSAGE';
  readonly contentLength = undefined;
  readonly onGone: Call['onGone'];
  private readonly handshake: Call;
  private readonly holder: TopicHolder | undefined;
  private controller: AbortController | undefined = undefined;

  constructor(handshake: Call, onGone: Call['onGone'], holder?: TopicHolder) {
    this.handshake = handshake;
    this.onGone = onGone;
    this.holder = holder;
  }

  membership(): Membership | undefined {
    return this.holder?.membership();
  }

  get path(): string {
    return this.handshake.path;
  }

  /** Left out, because it may hold a token. */
  get query(): string {
    return '';
  }

  get peer(): string {
    return this.handshake.peer;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      const controller = new AbortController();
      this.controller = controller;
      this.onGone(() => controller.abort());
    }
    return this.controller.signal;
  }

  header(name: string): string | undefined {
    return ofOneRequest.has(name) ? undefined : this.handshake.header(name);
  }

  headers(): Iterable<readonly [string, string]> {
    return [...this.handshake.headers()].filter(([name]) => !ofOneRequest.has(name));
  }

  body(): Uint8Array {
    return empty;
  }

  async *stream(): AsyncIterable<Uint8Array> {}
}

const empty = new Uint8Array();
const ofOneRequest: ReadonlySet<string> = new Set(['x-request-id', 'idempotency-key']);
