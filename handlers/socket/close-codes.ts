/** Reasons for which the server, or a machine before it, closes a socket, by close code (docs/server/sockets.md#close-codes). */
export const closeCodes = {
  1000: 'closed by the client',
  1001: 'the server is ending',
  1003: 'binary frame',
  1007: 'text that is not UTF-8',
  1009: 'message far too large',
  1011: 'internal error',
  1012: 'the endpoint changed',
  4401: 'not signed in',
  4403: 'too many connections',
  4408: 'nothing was heard, or frames were not taken',
  4413: 'message too large',
  4429: 'too many messages',
  4503: 'broadcasts are not available',
} as const;

export type CloseCode = keyof typeof closeCodes;
