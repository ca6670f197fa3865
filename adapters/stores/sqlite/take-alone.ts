/** A database that nobody else has open, for a command that is about to delete it. */
import { rmSync } from 'node:fs';
import { type SqliteDriver, troubleOf } from './driver.ts';
import { openDriver } from './open-driver.ts';

export interface Alone {
  /** Undefined for a file that cannot be read; a member is undefined where there is no such table. */
  readonly counts: Counts | undefined;
  /** Lets go of the file, as it was found. */
  release(): void;
  /** Deletes it. */
  remove(): void;
}

export interface Counts {
  readonly nodes: number | undefined;
  readonly accounts: number | undefined;
  /** Number of entries in the databases behind `kvstore`. */
  readonly documents: number | undefined;
}

/**
 * Keeps everybody else out of a file; undefined when another process has it open. In WAL mode every connection holds a lock for as long as it is
 * open, and leaving that mode needs all of them gone.
 *
 * @throws the driver's error when the file can be neither read nor deleted
 */
export function takeAlone(file: string): Alone | undefined {
  const db = openDriver(file);
  try {
    db.exec('PRAGMA busy_timeout=0');
    db.exec('PRAGMA locking_mode=EXCLUSIVE');
    if (db.prepare('PRAGMA journal_mode=DELETE').value() !== 'delete') return closed(db);
    db.exec('BEGIN EXCLUSIVE');
    return { counts: countsOf(db), release: () => leave(db), remove: () => removeFile(file, db) };
  } catch (error) {
    if (troubleOf(error) === 'busy') return closed(db);
    if (troubleOf(error) !== 'corrupt') {
      db.close();
      throw error;
    }
    return { counts: undefined, release: () => db.close(), remove: () => removeFile(file, db) };
  }
}

function leave(db: SqliteDriver): void {
  for (const line of ['ROLLBACK', 'PRAGMA locking_mode=NORMAL', 'PRAGMA journal_mode=WAL']) db.exec(line);
  db.close();
}

/** Nobody else can have opened it meanwhile: who comes now makes a new one. */
function removeFile(file: string, db: SqliteDriver): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
  db.close();
}

function closed(db: SqliteDriver): undefined {
  db.close();
}

function countsOf(db: SqliteDriver): Counts {
  const tables = new Set(
    db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .rows()
      .map(({ name }) => name),
  );
  const count = (...names: readonly string[]) => {
    const known = names.filter((name) => tables.has(name));
    return known.length === 0
      ? undefined
      : known.reduce((sum, name) => sum + Number(db.prepare(`SELECT count(*) FROM ${name}`).value()), 0);
  };
  return { nodes: count('node'), accounts: count('users'), documents: count('documents', 'pairs') };
}
