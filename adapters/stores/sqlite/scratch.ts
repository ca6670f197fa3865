/** A database that nobody else opens and that need not last: room on the disk for what a command would otherwise hold in memory. */
import { rmSync } from 'node:fs';
import type { SqliteDriver } from './driver.ts';
import { openDriver } from './open-driver.ts';
import { createSqlCache, type Sql } from './sql-cache.ts';

export interface Scratch {
  readonly db: SqliteDriver;
  readonly sql: Sql;
  close(): void;
}

/** `file`: absolute, and there is none. Its name is gone at once, so that nothing is left of it however the process ends. */
export function openScratch(file: string, tables: string, prefer?: SqliteDriver['package']): Scratch {
  const db = openDriver(file, prefer);
  // Nobody needs it after this process. Without a journal, which is OFF, is not to be had from every SQLite; one of pages that are new is empty.
  db.exec(
    'PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-16000; BEGIN',
  );
  db.exec(tables);
  // Windows keeps the name of an open file.
  const forget = () => rmSync(file, { force: true });
  if (process.platform !== 'win32') forget();
  return {
    db,
    sql: createSqlCache(db),
    close() {
      db.close();
      forget();
    },
  };
}
