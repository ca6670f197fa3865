import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteMissing } from './missing.ts';

export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Gives it another size, in KB. */
  resize(kilobytes: number): void;
  /** Nobody can write to it, or everybody again. */
  setReadOnly(isReadOnly: boolean): void;
}

/** A file system of its own, in memory. @throws Error where this process may not mount one */
export function mountSmallDisk(kilobytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'svc-small-disk-'));
  const mount = (...options: readonly string[]) => {
    const { status, stderr } = spawnSync('mount', options, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`mount ${options.join(' ')}: ${stderr}`);
  };
  mount('-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'svc-test', path);
  return {
    path,
    resize: (to) => mount('-o', `remount,size=${to}k`, path),
    setReadOnly: (is) => mount('-o', `remount,${is ? 'ro' : 'rw'}`, path),
    [Symbol.dispose]() {
      spawnSync('umount', ['-l', path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Can this process mount one? The end of the run says so when it cannot. */
export function hasSmallDisks(): boolean {
  try {
    mountSmallDisk(64)[Symbol.dispose]();
    return true;
  } catch {
    noteMissing('the right to mount a file system');
    return false;
  }
}
