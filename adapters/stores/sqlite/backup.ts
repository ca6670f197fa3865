/** A copy of a store that others may be using: one file, complete to a commit. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { openDriver } from './open-driver.ts';
import { openFile } from './open-file.ts';

/**
 * Writes the copy to `partial`, beside its place, and moves it there when it is whole and on the disk.
 *
 * @throws Failure `SERVICE_UNAVAILABLE` when the store cannot be used; what the file system says about the copy
 */
export function backUp(file: string, copy: string, partial: string, nowMs: () => number): void {
  // Accounts are in it: nobody else reads it.
  closeSync(openSync(partial, 'wx', 0o600));
  try {
    const db = openFile({ file, nowMs });
    try {
      db.prepare('VACUUM INTO ?').run(partial);
    } finally {
      db.close();
    }
    const check = openDriver(partial);
    const found = check.prepare('PRAGMA quick_check(1)').row()?.quick_check;
    check.close();
    if (found !== 'ok') throw new Error(`the copy is damaged: ${found}`);
    sync(partial);
    renameSync(partial, copy);
    sync(dirname(copy));
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
