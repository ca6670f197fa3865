/** A disk whose syncs take as long as a test says, for processes that are given its variables (`slow-sync.c`). */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTool, needTool } from './find-tool.ts';

export interface SlowDisk extends Disposable {
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds that each sync takes longer from now on. */
  delay(ms: number): void;
  /** Syncs that were slowed down so far. */
  slowed(): number;
}

/** Tells whether the machine can compile it; the way in is Linux's. */
export function hasSlowDisk(): boolean {
  return process.platform === 'linux' && findTool('cc', 'gcc') !== undefined;
}

export function makeSlowDisk(): SlowDisk {
  const folder = mkdtempSync(join(tmpdir(), 'svc-slow-disk-'));
  const [library, file, count] = ['slow-sync.so', 'delay', 'count'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  execFileSync(needTool('cc', 'gcc'), [
    ...['-shared', '-fPIC', '-O1', '-Wall', '-o', library],
    ...[join(import.meta.dirname, 'slow-sync.c'), '-ldl'],
  ]);
  writeFileSync(file, '0');
  writeFileSync(count, '');
  // The server runs as somebody else.
  chmodSync(folder, 0o755);
  chmodSync(count, 0o666);
  return {
    env: { LD_PRELOAD: library, SLOW_SYNC_FILE: file, SLOW_SYNC_COUNT: count },
    delay: (ms) => writeFileSync(file, String(Math.round(ms * 1000))),
    slowed: () => statSync(count).size,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
