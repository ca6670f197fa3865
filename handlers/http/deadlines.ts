/** Time limits of running calls. All are equally long, so one timer for the oldest is enough. */
export interface Deadlines {
  /** Calls `expire` once when `timeoutMs` pass without `touch`. */
  open(expire: () => void): Deadline;
}

export interface Deadline {
  /** Progress was made: the time begins anew. */
  touch(): void;
  close(): void;
}

interface Entry {
  at: number;
  readonly expire: () => void;
}

export function createDeadlines(timeoutMs: number): Deadlines {
  // In order of expiry, because every entry is added at the end with the same distance.
  const entries = new Set<Entry>();
  let timer: NodeJS.Timeout | undefined;

  function watch(): void {
    const [first] = entries;
    if (timer !== undefined || first === undefined) return;
    timer = setTimeout(sweep, Math.max(1, first.at - performance.now()));
    timer.unref();
  }

  function sweep(): void {
    timer = undefined;
    const now = performance.now();
    for (const entry of entries) {
      if (entry.at > now) break;
      entries.delete(entry);
      entry.expire();
    }
    watch();
  }

  return {
    open(expire) {
      const entry = { at: performance.now() + timeoutMs, expire };
      entries.add(entry);
      watch();
      return {
        touch() {
          if (!entries.delete(entry)) return;
          entry.at = performance.now() + timeoutMs;
          entries.add(entry);
        },
        close() {
          entries.delete(entry);
        },
      };
    },
  };
}
