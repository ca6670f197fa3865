/** A disk that fails: an upload that was not stored is never said to be, and what was there before is still there. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needTool } from '../harness/find-tool.ts';
import { removeFolder, runSvc, svcBin } from '../harness/server.ts';

const program = `
import from io { BytesIO }

with entry {
  try {
    print("stored", store().upload("new.bin", "file.bin", {"v": 2}));
  } except OSError as e {
    print("failed", e);
  }
}
`;

interface Fault {
  readonly name: string;
  readonly inject: string;
  readonly says: RegExp;
}

const faults: readonly Fault[] = [
  {
    name: 'the disk is full after the first part',
    inject: 'pwrite64:error=ENOSPC:when=2+',
    says: /^failed \[Errno 28\] No space left on device: 'file.bin'\n$/,
  },
  {
    name: 'the data cannot be made durable',
    inject: 'fsync:error=EIO:when=1+',
    says: /^failed \[Errno 5\] Input\/output error: 'file.bin'\n$/,
  },
  {
    name: 'the new name cannot be made durable',
    inject: 'fsync:error=EIO:when=2+',
    says: /^failed \[Errno 5\] Input\/output error: 'file.bin'\n$/,
  },
  {
    name: 'the file cannot be put in its place',
    inject: 'rename:error=EDQUOT:when=1+',
    says: /^failed \[Errno 122\] Disk quota exceeded: 'file.bin'\n$/,
  },
];

/** Runs a program whose system calls fail as told; gives what it printed and how many calls failed. */
async function runFailing(folder: string, inject: string): Promise<{ stdout: string; injected: number }> {
  const trace = join(folder, 'trace.txt');
  const calls = inject.slice(0, inject.indexOf(':'));
  const options = ['-f', '-qq', '-o', trace, '-e', `trace=${calls}`, '-e', `inject=${inject}`];
  const child = spawn(
    needTool('strace', 'strace'),
    [...options, process.execPath, svcBin, 'run', 'main.svc', '--no-persist'],
    {
      cwd: folder,
      // strace counts the calls of each thread by itself: one of them does them all.
      env: { ...process.env, NO_COLOR: '1', UV_THREADPOOL_SIZE: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
  const injected = readFileSync(trace, 'utf8').split('(INJECTED)').length - 1;
  return { stdout, injected };
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'));
  writeFileSync(join(folder, 'main.svc'), program);
  writeFileSync(join(folder, 'new.bin'), Buffer.alloc(1_000_000, 'new'));
  mkdirSync(join(folder, 'storage'));
  writeFileSync(join(folder, 'storage', 'file.bin'), 'old');
  return folder;
}

test.each(faults)('$name', async ({ inject, says }) => {
  const folder = makeFolder();
  // A program that was compiled and kept once needs no more writes.
  const { stdout: without } = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder });
  expect(without).toBe('stored ./storage/file.bin\n');
  writeFileSync(join(folder, 'storage', 'file.bin'), 'old');
  const { stdout, injected } = await runFailing(folder, inject);
  expect(injected).toBeGreaterThan(0);
  expect(stdout).toMatch(says);
  // The one whole file or the other; only a name that is not durable may be the new one.
  const left = readFileSync(join(folder, 'storage', 'file.bin'));
  const isNew = left.equals(readFileSync(join(folder, 'new.bin')));
  expect(isNew || left.toString() === 'old').toBe(true);
  if (!inject.startsWith('fsync:error=EIO:when=2')) expect(isNew).toBe(false);
  expect(readdirSync(join(folder, 'storage')).filter((name) => name !== '.svc-meta')).toEqual(['file.bin']);
  removeFolder(folder);
});
