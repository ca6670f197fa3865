import { incomingRequest } from '../program/incoming-request.ts';

/** The message that a call came with. */
export interface IncomingMessage {
  readonly method: string;
  /** Percent-encoded, without the query. */
  readonly path: string;
  /** Query without `?`. */
  readonly query: string;
  /** Headers by name in lower case; repeated ones joined by `, `. */
  readonly headers: ReadonlyMap<string, string>;
  /** Bytes as received, content encodings undone; none of an upload. */
  readonly body: Uint8Array;
}

/** Gives the message that the running call came with. Throws outside of calls from the network. */
export function request(): IncomingMessage {
  const { method, path, query, headers, body = new Uint8Array() } = incomingRequest();
  return { method, path, query, headers: new Map(headers()), body };
}
