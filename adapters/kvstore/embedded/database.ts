/**
 * The file of the embedded backends: SQLite in WAL mode, shared by the workers of an application. What is asked for in one turn of the
 * event loop is written in one transaction with one sync (decisions/0125).
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../../../core/errors.ts';
import type { DatabaseKind } from '../../../core/kvstore/databases.ts';
import { BaseException, OSError, TimeoutError } from '../../../library/values/objects/exceptions.ts';
import { atOnce } from '../../stores/sqlite/at-once.ts';
import { type SqliteDriver, type SqliteStatement, troubleOf } from '../../stores/sqlite/driver.ts';
import { MOVING } from '../../stores/sqlite/moving.ts';
import { openDriver } from '../../stores/sqlite/open-driver.ts';
import { longest, short } from './index-keys.ts';

export interface EmbeddedOptions {
  /** Absolute; `:memory:` for one that ends with the process. */
  readonly file: string;
  readonly durability: 'full' | 'normal';
  /** Milliseconds that another process may hold the file before a statement fails. */
  readonly busyTimeoutMs: number;
  /** Kinds of data that programs keep elsewhere unless they name `local:`. When both are, a file whose content has moved there takes what names it. */
  readonly elsewhere?: readonly DatabaseKind[];
  readonly nowMs?: () => number;
  readonly driver?: SqliteDriver['package'];
}

export interface EmbeddedDatabase {
  readonly nowMs: () => number;
  prepare(sql: string): SqliteStatement;
  /** @throws OSError, TimeoutError */
  read<T>(work: () => T): T;
  /** All of `work` or nothing of it; resolves when it is kept. */
  write<T>(work: () => T): Promise<T>;
  close(): void;
}

const format = 2;

const tables = `
CREATE TABLE IF NOT EXISTS collections (id INTEGER PRIMARY KEY, db TEXT NOT NULL, name TEXT NOT NULL, indexes TEXT NOT NULL, UNIQUE (db, name));
CREATE TABLE IF NOT EXISTS documents (seq INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, id TEXT NOT NULL, doc TEXT NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS document_ids ON documents (collection, id);
CREATE INDEX IF NOT EXISTS document_order ON documents (collection, seq);
CREATE TABLE IF NOT EXISTS entries (collection INTEGER NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (collection, name, key, seq)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS entry_documents ON entries (seq);
CREATE TABLE IF NOT EXISTS expiries (seq INTEGER NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (seq, name)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS expiry_times ON expiries (at);
CREATE TABLE IF NOT EXISTS pairs (number INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, expires INTEGER, PRIMARY KEY (number, key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS pair_times ON pairs (expires) WHERE expires IS NOT NULL;
`;

/** @throws OSError when the file cannot be used, TimeoutError when another process holds it too long */
export function openEmbedded(options: EmbeddedOptions): EmbeddedDatabase {
  const { nowMs = Date.now } = options;
  const db = openTables(options);
  const statements = new Map<string, SqliteStatement>();
  let queue: Queued[] = [];

  const prepare = (sql: string): SqliteStatement => {
    let known = statements.get(sql);
    if (known === undefined) statements.set(sql, (known = db.prepare(sql)));
    return known;
  };
  const flush = (): void => {
    const batch = queue;
    queue = [];
    try {
      prepare('BEGIN IMMEDIATE').run();
      const tell = batch.map((each) => runOne(prepare, each));
      prepare('COMMIT').run();
      for (const one of tell) one();
    } catch (error) {
      try {
        db.exec('ROLLBACK');
      } catch {
        // SQLite has ended the transaction itself.
      }
      for (const { failed } of batch) failed(asProgramsSeeIt(error));
    }
  };

  return {
    nowMs,
    prepare,
    read(work) {
      try {
        return work();
      } catch (error) {
        throw asProgramsSeeIt(error);
      }
    },
    write: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        if (queue.length === 0) setImmediate(flush);
        queue.push({ work, done: resolve as (value: unknown) => void, failed: reject });
      }),
    close() {
      if (queue.length > 0) flush();
      db.close();
    },
  };
}

interface Queued {
  work(): unknown;
  done(value: unknown): void;
  failed(error: unknown): void;
}

/** Runs one piece of work within the transaction; the answer waits for the commit. */
function runOne(prepare: EmbeddedDatabase['prepare'], { work, done, failed }: Queued): () => void {
  prepare('SAVEPOINT one').run();
  try {
    const value = work();
    prepare('RELEASE one').run();
    return () => done(value);
  } catch (error) {
    prepare('ROLLBACK TO one').run();
    prepare('RELEASE one').run();
    return () => failed(asProgramsSeeIt(error));
  }
}

function openTables({ file, durability, busyTimeoutMs, elsewhere = [], driver }: EmbeddedOptions): SqliteDriver {
  try {
    if (file !== ':memory:') {
      mkdirSync(dirname(file), { recursive: true });
      // Only the application reads it; SQLite gives the log beside it the same mode.
      closeSync(openSync(file, 'a', 0o600));
    }
    const db = openDriver(file, driver);
    db.exec(`PRAGMA busy_timeout=${busyTimeoutMs}`);
    db.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=${durability}; PRAGMA trusted_schema=OFF`);
    const found = db.prepare('PRAGMA user_version').value();
    if (found > format) throw new Error(`format ${found}, this version knows ${format}`);
    if (found < format) upgrade(db, found);
    if (found === 0 && elsewhere.length > 0) markOnlyLocal(db, elsewhere);
    if (elsewhere.length === 2) reopen(db);
    return db;
  } catch (error) {
    if (troubleOf(error) === 'busy') throw asProgramsSeeIt(error);
    throw new OSError(`the embedded database cannot be used: ${(error as Error).message}`);
  }
}

function upgrade(db: SqliteDriver, found: number): void {
  atOnce(db, () => {
    db.exec(tables);
    if (found === 1) shortenKeys(db);
    db.exec(`PRAGMA user_version=${format}`);
  });
}

/** Keys of the first format had any length. */
function shortenKeys(db: SqliteDriver): void {
  for (const [table, column] of [
    ['documents', 'id'],
    ['entries', 'key'],
  ]) {
    const put = db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`);
    const long = db.prepare(`SELECT DISTINCT ${column} AS key FROM ${table} WHERE length(${column}) > ?`).rows(longest);
    for (const { key } of long) put.run(short(key), key);
  }
}

const bits: Readonly<Record<DatabaseKind, number>> = { docdb: 1, kvcache: 2 };
/** Upper part of the `application_id` of a file of which programs find some kinds of data only by naming `local:`. */
const onlyLocal = 0x53564c00;

/** Gives the kinds of data that programs find elsewhere, unless they name the file: it is known that what is here is no longer theirs. */
export function onlyLocalKinds(db: Pick<SqliteDriver, 'prepare'>): readonly DatabaseKind[] {
  const found = db.prepare('PRAGMA application_id').value() as number;
  const isMarked = (found & ~3) === onlyLocal;
  return (['docdb', 'kvcache'] as const).filter((kind) => isMarked && (found & bits[kind]) !== 0);
}

export function markOnlyLocal(db: Pick<SqliteDriver, 'prepare' | 'exec'>, kinds: readonly DatabaseKind[]): void {
  const all = new Set([...onlyLocalKinds(db), ...kinds]);
  db.exec(`PRAGMA application_id=${[...all].reduce((sum, kind) => sum + bits[kind], onlyLocal)}`);
}

/** Tells whether all that a file holds has gone elsewhere (`migration-source.ts`). */
export function hasMoved(db: Pick<SqliteDriver, 'prepare'>): boolean {
  const count = (what: string) => db.prepare(`SELECT count(*) AS v FROM ${what}`).value() as number;
  return (
    count("sqlite_master WHERE name = 'migration_state'") === 1 && count("migration_state WHERE key = 'moved'") === 1
  );
}

/** Opens a file whose content has moved as one of its own: both copies are written from now on. */
function reopen(db: SqliteDriver): void {
  if (!hasMoved(db)) return;
  const triggers =
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND (name GLOB 'frozen_*' OR name GLOB 'followed_*')";
  atOnce(db, () => {
    for (const { name } of db.prepare(triggers).rows()) db.exec(`DROP TRIGGER ${name}`);
    db.exec('DROP TABLE IF EXISTS migration_change; DROP TABLE IF EXISTS migration_state');
    markOnlyLocal(db, ['docdb', 'kvcache']);
  });
}

/** Errors of SQLite as those of the language; others as they are. */
function asProgramsSeeIt(error: unknown): unknown {
  const isOfSqlite = !(error instanceof BaseException) && error instanceof Error;
  if (!isOfSqlite) return error;
  if (error.message.includes(MOVING))
    return new Failure('SERVICE_UNAVAILABLE', 'the store is moving', { cause: error, headers: { 'Retry-After': '1' } });
  const trouble = troubleOf(error);
  if (trouble === 'busy') return new TimeoutError('the embedded database was in use for too long');
  return trouble === 'other' ? error : new OSError(`the embedded database failed: ${error.message}`);
}
