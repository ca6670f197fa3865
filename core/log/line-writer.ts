/** Collects lines and hands them over together, once per turn of the event loop, so that a burst of requests costs one write. */
export interface LineWriter {
  write(line: string): void;
  /** Hands over at once what is collected; call it before the process ends. */
  flush(): void;
}

const largestBatch = 64 * 1024;

export function createLineWriter(send: (text: string) => void): LineWriter {
  let pending = '';
  let scheduled = false;
  function flush(): void {
    scheduled = false;
    if (pending === '') return;
    const text = pending;
    pending = '';
    send(text);
  }
  return {
    write(line) {
      pending += line;
      if (pending.length >= largestBatch) flush();
      else if (!scheduled) {
        scheduled = true;
        setImmediate(flush);
      }
    },
    flush,
  };
}
