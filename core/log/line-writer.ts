/** Collects lines and hands them over together, once per turn of the event loop, so that a burst of requests costs one write. */
export interface LineWriter {
  write(line: string): void;
  /** Hands over at once what is collected; call it before the process ends. */
  flush(): void;
}

/** `largestBatch`: bytes that are handed over at once; a longer line goes alone. */
export function createLineWriter(send: (text: string) => void, largestBatch = 64 * 1024): LineWriter {
  let pending = '';
  let bytes = 0;
  let scheduled = false;
  function flush(): void {
    scheduled = false;
    if (pending === '') return;
    const text = pending;
    pending = '';
    bytes = 0;
    send(text);
  }
  return {
    write(line) {
      const length = Buffer.byteLength(line);
      if (bytes + length > largestBatch) flush();
      pending += line;
      bytes += length;
      if (bytes >= largestBatch) flush();
      else if (!scheduled) {
        scheduled = true;
        setImmediate(flush);
      }
    },
    flush,
  };
}
