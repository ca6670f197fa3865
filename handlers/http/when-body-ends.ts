import type { Reply } from '../call.ts';

/**
 * Calls `done` with the bytes sent once a reply's body has been handed over: at once unless it is a stream, else when the stream
 * ends or is given up.
 */
export function whenBodyEnds(reply: Reply, done: (bytes: number) => void): Reply {
  const { body } = reply;
  if (typeof body !== 'object' || body instanceof Uint8Array) {
    done(body === undefined ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.length);
    return reply;
  }
  const { status, headers, close = false } = reply;
  return {
    status,
    headers,
    close,
    body: { [Symbol.asyncIterator]: () => counted(body[Symbol.asyncIterator](), done) },
  };
}

function counted<T extends string | Uint8Array>(
  chunks: AsyncIterator<T>,
  done: (bytes: number) => void,
): AsyncIterator<T> {
  let bytes = 0;
  let isOpen = true;
  const close = () => {
    if (isOpen) done(bytes);
    isOpen = false;
  };
  return {
    async next() {
      try {
        const step = await chunks.next();
        if (step.done === true) close();
        else bytes += typeof step.value === 'string' ? Buffer.byteLength(step.value) : step.value.length;
        return step;
      } catch (error) {
        close();
        throw error;
      }
    },
    async return() {
      close();
      return (await chunks.return?.()) ?? { done: true, value: undefined };
    },
  };
}
