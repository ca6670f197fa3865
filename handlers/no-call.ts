import type { Call } from './call.ts';

/** Call that stands for a request that could not be read. */
export const noCall: Call = {
  method: '',
  path: '',
  query: '',
  header: () => undefined,
  headers: () => [],
  contentLength: undefined,
  body: () => new Uint8Array(),
  async *stream() {},
  peer: '',
  signal: new AbortController().signal,
  onGone: () => () => {},
};
