/**
 * Numbers of new records, which are also their order. Reserved in blocks, so that processes sharing the file never give the same one twice; a
 * block is given up when another process wrote, so that what is created later has the higher number whoever creates it.
 */
import type { Sql } from './sql-cache.ts';

export interface Keys {
  /** Inside a write transaction or outside. */
  next(): number;
  /** A write transaction began; `changes` counts those of other processes so far. */
  begun(changes: number): void;
  /** The transaction was undone, and with it perhaps the reservation. */
  discard(): void;
}

const block = 8192;

/** `patiently` waits for the write lock of another process. */
export function createKeys(sql: Sql, patiently: (work: () => void) => void): Keys {
  let free = 0;
  let end = 0;
  let seen = 0;
  return {
    next() {
      if (free === end) {
        patiently(() => {
          end = Number(
            sql("UPDATE meta SET value = CAST(value AS INTEGER) + ? WHERE key = 'next_key' RETURNING value AS v").value(
              block,
            ),
          );
        });
        free = end - block;
      }
      return free++;
    },
    begun(changes) {
      if (changes !== seen) free = end;
      seen = changes;
    },
    discard() {
      free = end;
    },
  };
}
