/** Changes made by other processes: SQLite counts them per connection. */
import type { SqliteDriver } from './driver.ts';

export interface ForeignWatch {
  /** Asks SQLite. */
  now(): number;
  /** At most one question per turn of the event loop. */
  lately(): number;
  /** What is known, without asking. */
  known(): number;
  /** Has anybody else ever written while this process had the file open? */
  hasNeighbours(): boolean;
}

export function watchForeign(db: SqliteDriver, onChange: () => void): ForeignWatch {
  const version = db.prepare('PRAGMA data_version');
  let last = version.value() as number;
  let count = 0;
  let asked = false;
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
      asked = true;
      setImmediate(() => {
        asked = false;
      }).unref();
      return now();
    },
    known: () => count,
    hasNeighbours: () => count > 0,
  };
}
