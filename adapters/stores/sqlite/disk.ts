/**
 * Making commits survive power loss. Where the disk syncs fast, SQLite does it itself while it commits (`synchronous=FULL`). Where it takes
 * longer than about half a millisecond that would stop every call for as long, so the commit only writes the log
 * (`synchronous=NORMAL`) and the same log file is synced beside the event loop before anyone is answered: equally durable, because SQLite writes the
 * log before anything else and ignores what comes after the last complete transaction in it. A disk that is fast at the start and gets slow
 * later, because others use it, is noticed by how long commits take.
 */
import { closeSync, fdatasync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SqliteDriver } from './driver.ts';

export interface Disk {
  /** Mode in which commits are made durable; `inline` turns into `beside` when the disk gets slow. */
  readonly mode: 'inline' | 'beside' | 'none';
  /** Ends a transaction with `end`. */
  commit(end: () => void): void;
  /** After a commit: undefined when it is durable already. `force` syncs in every mode. */
  sync(force?: boolean): Promise<void> | undefined;
  /** Commits in `work` reach the log but do not wait for the disk; a later forced sync covers them. */
  relaxed(work: () => void): void;
  close(): void;
}

export interface DiskOptions {
  readonly file: string;
  readonly durability: 'full' | 'normal';
  /** Milliseconds of one sync; measured when absent. */
  readonly syncMs?: number | undefined;
}

/** Longest sync that may stop the event loop. */
export const inlineSyncMs = 0.5;

/** Over about this many commits their time is averaged. */
const averagedCommits = 16;

export function openDisk(db: SqliteDriver, options: DiskOptions): Disk {
  const onDisk = options.file !== ':memory:';
  let mode: Disk['mode'] = 'none';
  let averageMs = 0;
  if (onDisk && options.durability === 'full') {
    averageMs = options.syncMs ?? measureSync(dirname(options.file));
    mode = averageMs > inlineSyncMs ? 'beside' : 'inline';
  }
  const apply = () => db.exec(`PRAGMA synchronous=${mode === 'inline' ? 'FULL' : 'NORMAL'}`);
  apply();
  const note = (ms: number) => {
    averageMs += (ms - averageMs) / averagedCommits;
    if (averageMs <= inlineSyncMs) return;
    mode = 'beside';
    apply();
  };
  let log: number | undefined;
  return {
    get mode() {
      return mode;
    },
    commit(end) {
      if (mode !== 'inline') return end();
      const started = performance.now();
      end();
      note(performance.now() - started);
    },
    sync(force) {
      if (!onDisk || (mode !== 'beside' && force !== true)) return undefined;
      // The log file lives as long as a connection is open, so one handle serves.
      log ??= openSync(`${options.file}-wal`, 'r+');
      const handle = log;
      return new Promise((resolve, reject) => {
        fdatasync(handle, (error) => (error === null ? resolve() : recover(db, error, resolve, reject)));
      });
    },
    relaxed(work) {
      if (mode !== 'inline') return work();
      db.exec('PRAGMA synchronous=NORMAL');
      try {
        work();
      } finally {
        apply();
      }
    },
    close() {
      if (log !== undefined) closeSync(log);
      log = undefined;
    },
  };
}

// After a failed sync the system may have dropped what it could not write. A checkpoint writes the pages once more, to another file.
function recover(db: SqliteDriver, error: Error, resolve: () => void, reject: (error: Error) => void): void {
  try {
    db.exec('PRAGMA synchronous=FULL');
    const done = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').row();
    if (done?.busy === 0) resolve();
    else reject(error);
  } catch {
    reject(error);
  } finally {
    db.exec('PRAGMA synchronous=NORMAL');
  }
}

/** Median milliseconds of syncing a small write in this folder. */
function measureSync(folder: string): number {
  const file = join(folder, `.sync-${process.pid}`);
  const handle = openSync(file, 'w');
  try {
    const page = Buffer.alloc(4096, 1);
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      writeSync(handle, page);
      const start = performance.now();
      fdatasyncSync(handle);
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[2]!;
  } finally {
    closeSync(handle);
    unlinkSync(file);
  }
}
