/** Opening `svc.db`: a file that is damaged, of a newer format or out of reach is refused as it lies (docs/server/stores.md#sqlite). */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../../../core/errors.ts';
import { type SqliteDriver, troubleOf } from './driver.ts';
import { openDriver } from './open-driver.ts';
import { addColumns, createTables, FORMAT, readMeta } from './schema.ts';

export interface OpenFileOptions {
  /** Absolute; `:memory:` for a database that ends with the process. */
  readonly file: string;
  readonly driver?: SqliteDriver['package'] | undefined;
  readonly nowMs: () => number;
}

/** Size in bytes above which the whole file is not read at every start; damage then shows where it is met. */
const fullCheckBytes = 64 * 1024 * 1024;

// Closing a damaged database would write what its log holds into it.
const leftAlone: SqliteDriver[] = [];

/** @throws Failure `SERVICE_UNAVAILABLE`, `details.reason` one of `corrupt`, `newer_format`, `unreachable` */
export function openFile(options: OpenFileOptions): SqliteDriver {
  const { file } = options;
  const isNew = prepareFile(file);
  let db: SqliteDriver;
  try {
    db = openDriver(file, options.driver);
  } catch (cause) {
    throw refusedBy(cause, file);
  }
  try {
    db.exec('PRAGMA busy_timeout=5000');
    if (!isNew) checkFile(db, file);
    db.exec(
      'PRAGMA journal_mode=WAL; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-65536; PRAGMA mmap_size=268435456',
    );
    if (isNew || readTables(db) === 0) createOnce(db, options.nowMs());
    checkFormat(db, file);
    addColumns(db);
    return db;
  } catch (error) {
    leftAlone.push(db);
    throw error instanceof Failure ? error : refusedBy(error, file);
  }
}

/** Makes the folder, looks at the first bytes; true for a file that does not exist or is empty. */
function prepareFile(file: string): boolean {
  if (file === ':memory:') return true;
  try {
    mkdirSync(dirname(file), { recursive: true });
    requireLocalDisk(dirname(file));
    if (!existsSync(file) || statSync(file).size === 0) {
      // Accounts are in it: nobody else reads it. The log beside it gets the same mode.
      closeSync(openSync(file, 'a', 0o600));
      return true;
    }
    const head = Buffer.alloc(16);
    const handle = openSync(file, 'r');
    try {
      readSync(handle, head, 0, 16, 0);
    } finally {
      closeSync(handle);
    }
    if (head.toString('latin1') !== 'SQLite format 3\0') throw refused(file, 'corrupt', undefined);
    return false;
  } catch (error) {
    throw error instanceof Failure ? error : refused(file, 'unreachable', error);
  }
}

/** Types of NFS, SMB and CIFS in `statfs`: SQLite's locks do not hold there. */
const networkTypes = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

function requireLocalDisk(folder: string): void {
  if (process.platform !== 'linux' || !networkTypes.has(statfsSync(folder).type >>> 0)) return;
  throw new Failure('SERVICE_UNAVAILABLE', 'svc: SQLite needs a local disk', {
    details: { reason: 'unreachable', file: folder },
  });
}

function checkFile(db: SqliteDriver, file: string): void {
  const small = file === ':memory:' || statSync(file).size <= fullCheckBytes;
  const found = db.prepare(small ? 'PRAGMA quick_check(1)' : 'PRAGMA schema_version').row();
  if (small && found?.quick_check !== 'ok') throw refused(file, 'corrupt', new Error(String(found?.quick_check)));
}

function readTables(db: SqliteDriver): number {
  return db.prepare("SELECT count(*) AS v FROM sqlite_master WHERE type = 'table'").value();
}

// Two processes may start on an empty folder together: the second one waits for the lock and finds the tables.
function createOnce(db: SqliteDriver, nowMs: number): void {
  try {
    createTables(db, nowMs);
  } catch (error) {
    if (readTables(db) === 0) throw error;
  }
}

function checkFormat(db: SqliteDriver, file: string): void {
  const hasMeta = db.prepare("SELECT count(*) AS v FROM sqlite_master WHERE name = 'meta'").value() === 1;
  const format = hasMeta ? Number(readMeta(db, 'format')) : Number.NaN;
  if (Number.isNaN(format)) throw refused(file, 'corrupt', new Error('it is not a database of svc'));
  if (format > FORMAT) throw refused(file, 'newer_format', new Error(`format ${format}, this version knows ${FORMAT}`));
  for (const key of ['edge_secret', 'node_secret', 'next_key', 'roots_topo']) {
    if (readMeta(db, key) === undefined) throw refused(file, 'corrupt', new Error(`${key} is missing`));
  }
}

/** SQLite says of a file that it cannot open it, and not why: a folder that cannot be written is asked. */
export function refusedBy(error: unknown, file: string): Failure {
  const trouble = troubleOf(error);
  if (trouble === 'corrupt') return refused(file, 'corrupt', error);
  if (trouble === 'full') return refused(file, 'unreachable', new Error('the disk is full', { cause: error }));
  try {
    if (file !== ':memory:')
      for (const path of [file, dirname(file)]) accessSync(path, constants.R_OK | constants.W_OK);
  } catch (cause) {
    return refused(file, 'unreachable', cause);
  }
  return refused(file, 'unreachable', error);
}

type Reason = 'corrupt' | 'newer_format' | 'unreachable';

const sentences: Readonly<Record<Reason, string>> = {
  corrupt: 'is damaged or not a database of svc; it was left as it is',
  newer_format: 'was written by a newer version of svc; it was left as it is',
  unreachable: 'cannot be opened',
};

function refused(file: string, reason: Reason, cause: unknown): Failure {
  const why = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : '';
  return new Failure('SERVICE_UNAVAILABLE', `the database ${file} ${sentences[reason]}${why}`, {
    cause,
    details: { reason, file },
  });
}
