import { createLine, type Place } from '../../../base/line.ts';
import { throwOutside } from '../../../base/throw-outside.ts';

/** Time limits of running calls. All are equally long, so one timer for the oldest is enough. */
export interface Deadlines {
  readonly timeoutMs: number;
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
  place: Place<Entry> | undefined;
}

export function createDeadlines(timeoutMs: number): Deadlines {
  // In order of expiry, because every entry is added at the end with the same distance.
  const entries = createLine<Entry>();
  let timer: NodeJS.Timeout | undefined;

  function watch(): void {
    const { first } = entries;
    if (timer !== undefined || first === undefined) return;
    timer = setTimeout(sweep, Math.max(1, first.at - performance.now()));
    timer.unref();
  }

  function sweep(): void {
    timer = undefined;
    const now = performance.now();
    for (let { first } = entries; first !== undefined && first.at <= now; first = entries.first) {
      entries.remove(first.place!);
      try {
        first.expire();
      } catch (error) {
        throwOutside(error); // the deadlines after it are others' business
      }
    }
    watch();
  }

  return {
    timeoutMs,
    open(expire) {
      const entry: Entry = { at: performance.now() + timeoutMs, expire, place: undefined };
      entry.place = entries.add(entry);
      watch();
      return {
        touch() {
          if (!entries.remove(entry.place!)) return;
          entry.at = performance.now() + timeoutMs;
          entry.place = entries.add(entry);
        },
        close() {
          entries.remove(entry.place!);
        },
      };
    },
  };
}
