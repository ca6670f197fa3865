/** Numbers of new records. Reserved in blocks, so that processes sharing the file never give the same one twice. */
import type { Sql } from './sql-cache.ts';

export interface Keys {
  /** Inside a write transaction. */
  next(): number;
  /** The transaction was undone, and with it perhaps the reservation. */
  discard(): void;
}

const block = 4096;

export function createKeys(sql: Sql): Keys {
  let free = 0;
  let end = 0;
  return {
    next() {
      if (free === end) {
        free = Number(sql("SELECT value AS v FROM meta WHERE key = 'next_key'").value());
        end = free + block;
        sql("UPDATE meta SET value = ? WHERE key = 'next_key'").run(String(end));
      }
      return free++;
    },
    discard() {
      free = end;
    },
  };
}
