/**
 * A second connection that sees the file as it is now, whatever is committed until it is closed
 * (docs/server/storage.md#units: the last run of a unit that reads).
 */
import type { SqliteDriver } from './driver.ts';
import { openDriver } from './open-driver.ts';

/** `prepare`: what is to be done before the transaction begins. */
export function openSnapshot(
  file: string,
  driver: SqliteDriver['package'],
  prepare: (db: SqliteDriver) => void = () => {},
): SqliteDriver {
  const db = openDriver(file, driver);
  try {
    prepare(db);
    db.exec('PRAGMA query_only=ON; PRAGMA trusted_schema=OFF; BEGIN');
    // A transaction begins with its first read.
    db.prepare("SELECT value AS v FROM meta WHERE key = 'roots_topo'").value();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
