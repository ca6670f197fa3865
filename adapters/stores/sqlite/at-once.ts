import type { SqliteDriver } from './driver.ts';

/** Runs work as one transaction that nobody else writes beside; what fails in it takes all of it back. */
export function atOnce<T>(db: SqliteDriver, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      db.exec('ROLLBACK');
    } catch {
      // SQLite has ended the transaction itself.
    }
    throw error;
  }
}
