import type { Call } from '../../../handlers/call.ts';
import { joinedHeaders } from './joined-headers.ts';
import type { LocalRequest } from './local-call.ts';

/** A handshake as the handlers see it. It stays for as long as the socket is open, so it keeps the request's head only. */
export class UpgradeCall implements Call {
  readonly method: string;
  path: string;
  readonly query: string;
  readonly peer: string;
  /** Names and values as they came, one after another. */
  readonly rawHeaders: readonly string[];
  readonly contentLength = undefined;
  readonly signal = never;
  private readonly fields: LocalRequest['headers'];

  constructor(request: LocalRequest) {
    const url = request.url!;
    const mark = url.indexOf('?');
    this.method = request.method!;
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? '' : url.slice(mark + 1);
    this.peer = request.socket.remoteAddress ?? '';
    this.rawHeaders = request.rawHeaders;
    this.fields = request.headers;
  }

  header(name: string): string | undefined {
    const value = this.fields[name];
    return typeof value === 'string' || value === undefined ? value : value.join(', ');
  }

  headers(): Iterable<readonly [string, string]> {
    return joinedHeaders(this.fields);
  }

  body(): Uint8Array {
    return empty;
  }

  async *stream(): AsyncIterable<Uint8Array> {}

  onGone(): () => void {
    return () => {};
  }
}

const empty = new Uint8Array();
const never = new AbortController().signal;
