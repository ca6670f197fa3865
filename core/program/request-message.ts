/** The message that a call came with, as a host knows it. */
export interface IncomingRequest {
  readonly method: string;
  /** Percent-encoded, without the query. */
  readonly path: string;
  /** Without `?`. */
  readonly query: string;
  /** Names in lower case; repeated ones joined by `, `. */
  headers(): Iterable<readonly [name: string, value: string]>;
  /** Bytes as received, content encodings undone; undefined where the server did not keep them (uploads). */
  readonly body: Uint8Array | undefined;
}
