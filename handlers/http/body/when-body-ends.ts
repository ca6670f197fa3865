import type { Reply } from '../../call.ts';

/** The body of a reply when it is a stream. */
export function streamOf({ body }: Reply): AsyncIterable<string | Uint8Array> | undefined {
  return typeof body === 'object' && !(body instanceof Uint8Array) ? body : undefined;
}

/** Calls `done` once a reply's body has been handed over: at once unless it is a stream, else when it ends or is given up. */
export function whenBodyEnds(reply: Reply, done: (streamedBytes: number) => void): Reply {
  const stream = streamOf(reply);
  if (stream === undefined) {
    done(0);
    return reply;
  }
  const { status, headers, close = false } = reply;
  return {
    status,
    headers,
    close,
    body: { [Symbol.asyncIterator]: () => counted(stream[Symbol.asyncIterator](), done) },
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
