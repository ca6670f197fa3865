import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Disk, inlineSyncMs, openDisk } from './disk.ts';
import type { SqliteDriver } from './driver.ts';
import { openDriver } from './open-driver.ts';

let folder: string;
let db: SqliteDriver;
let disk: Disk;
afterEach(() => {
  disk.close();
  db.close();
  rmSync(folder, { recursive: true });
});

/** A database on a disk whose syncs took `syncMs` at the start. */
function open(syncMs: number): void {
  folder = mkdtempSync(join(tmpdir(), 'svc-disk-'));
  const file = join(folder, 'svc.db');
  db = openDriver(file);
  db.exec('PRAGMA journal_mode=WAL; CREATE TABLE t (x)');
  disk = openDisk(db, { file, durability: 'full', syncMs });
}

const level = () => db.prepare('PRAGMA synchronous').value();
const full = 2;
const normal = 1;

/** Commits one row; the commit takes `ms` longer than it would. */
function commit(ms: number): void {
  db.exec('BEGIN; INSERT INTO t VALUES (1)');
  disk.commit(() => {
    db.exec('COMMIT');
    const until = performance.now() + ms;
    while (performance.now() < until);
  });
}

test('a disk that syncs fast is waited for inside the commit, a slow one beside it', async () => {
  open(inlineSyncMs / 2);
  expect([disk.mode, level(), disk.sync()]).toEqual(['inline', full, undefined]);
  disk.close();
  db.close();
  rmSync(folder, { recursive: true });
  open(inlineSyncMs * 2);
  commit(0);
  expect([disk.mode, level()]).toEqual(['beside', normal]);
  await disk.sync();
});

test('a disk that gets slow while the program runs stops holding up the event loop', async () => {
  open(0);
  for (let i = 0; i < 40 && disk.mode === 'inline'; i++) commit(inlineSyncMs * 4);
  expect([disk.mode, level()]).toEqual(['beside', normal]);
  commit(0);
  const synced = disk.sync();
  expect(synced).toBeInstanceOf(Promise);
  await synced;
  disk.relaxed(() => commit(0));
  expect(level()).toBe(normal);
});
