import type { Failure } from '../core/errors.ts';
import type { Membership } from '../core/topics/topics.ts';

/**
 * The plain records every host translates to and from (docs/architecture.md#request). Header names are lower case in
 * `header` look-ups; reply headers are written as given.
 */
export interface Call {
  readonly method: string;
  /** Path as received, percent-encoded, without the query; the application takes the prefix of its public address off. */
  path: string;
  /** Raw query string without `?`; `''` when absent. */
  readonly query: string;
  /** Value of a request header by lower-case name; repeated ones joined by `, `. */
  header(name: string): string | undefined;
  /** All of them, in lower case, repeated ones joined by `, `. */
  headers(): Iterable<readonly [name: string, value: string]>;
  /** Declared length of the body, when the peer gave one. */
  readonly contentLength: number | undefined;
  /**
   * Reads the whole body, counting while reading. Rejects with Failure `PAYLOAD_TOO_LARGE` above `limit` and `REQUEST_TIMEOUT` when it
   * does not arrive. Answers at once when the host already has the bytes.
   */
  body(limit: number): Uint8Array | Promise<Uint8Array>;
  /** The body as a stream of chunks, for multipart. Either this or `body` is used, once. */
  stream(): AsyncIterable<Uint8Array>;
  /** Address of the peer (the socket's), before `trusted_proxies` are considered. */
  readonly peer: string;
  /** Aborted when the peer goes away before the reply is complete. Created on first use. */
  readonly signal: AbortSignal;
  /**
   * Calls `listener` when the peer goes away before the reply is complete; gives what stops that. Cheaper than `signal`. `why`: the host gives
   * the call up, and its peer is to be told this.
   */
  onGone(listener: (why?: Failure) => void): () => void;
  /** Topics of the connection behind the call, made when first asked for; absent for requests over HTTP. */
  membership?(): Membership | undefined;
}

/**
 * Reply of a call. Its members may be accessors that work on first use: read them, do not copy the record with a
 * spread.
 */
export interface Reply {
  readonly status: number;
  /** Flat list: name, value, name, value … (written as is; a host adds only connection-level headers and Date). */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | undefined;
  /** The body is a string of ASCII characters only: a host can write it without encoding it. */
  readonly isAscii?: boolean;
  /**
   * The headers as HTTP/1.1 writes them (`Name: value\r\n` …), names and values known to be valid. A host that writes to a socket can
   * use it in place of `headers`, which holds the same.
   */
  readonly head?: string | undefined;
  /** True when the connection must be closed after this reply (413 unread body, drain). */
  readonly close?: boolean;
}
