/** Changes made by other processes: SQLite counts them per connection. */
import type { SqliteDriver } from './driver.ts';

export interface ForeignWatch {
  /** Asks SQLite. */
  now(): number;
  /** At most one question per turn of the event loop. */
  lately(): number;
  /** Gives the number that is known, without asking. */
  known(): number;
  /** Tells whether anybody else has ever written while this process had the file open. */
  hasNeighbours(): boolean;
}

/**
 * Milliseconds between two looks as long as nobody else has been noticed: whoever opens the file says so before it can
 * do anything.
 */
const aloneMs = 10;

/** Tells other processes that have the file open that they are not alone. */
export function announce(db: SqliteDriver): void {
  db.exec(
    "INSERT INTO meta (key, value) VALUES ('opened', '1') ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
  );
}

/** `shared`: other processes are there from the start. */
export function watchForeign(db: SqliteDriver, onChange: () => void, shared: boolean): ForeignWatch {
  const version = db.prepare('PRAGMA data_version');
  let last = version.value() as number;
  let count = 0;
  let asked = false;
  let askedAt = 0;
  const now = () => {
    const current = version.value() as number;
    if (current !== last) {
      last = current;
      count++;
      onChange();
    }
    return count;
  };
  return {
    now,
    lately() {
      if (asked) return count;
      if (count === 0 && !shared) {
        const at = performance.now();
        if (at - askedAt < aloneMs) return count;
        askedAt = at;
        return now();
      }
      asked = true;
      setImmediate(() => {
        asked = false;
      }).unref();
      return now();
    },
    known: () => count,
    hasNeighbours: () => shared || count > 0,
  };
}
