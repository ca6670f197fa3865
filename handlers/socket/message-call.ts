import type { Call } from '../call.ts';

/** Stands for the request that one message of a socket is: the handshake's headers but for those that name a single request. */
export class MessageCall implements Call {
  readonly method = 'MESSAGE';
  readonly contentLength = undefined;
  readonly onGone: Call['onGone'];
  private readonly handshake: Call;
  private controller: AbortController | undefined = undefined;

  constructor(handshake: Call, onGone: Call['onGone']) {
    this.handshake = handshake;
    this.onGone = onGone;
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
    return name === 'x-request-id' || name === 'idempotency-key' ? undefined : this.handshake.header(name);
  }

  body(): Uint8Array {
    return empty;
  }

  async *stream(): AsyncIterable<Uint8Array> {}
}

const empty = new Uint8Array();
