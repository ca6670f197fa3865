/** Podman for one test: its own folders, no overlay file system, `runc`, limits that this machine may set. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../server.ts';

export interface Podman extends Disposable {
  /** Runs the command line of podman and gives what it prints. @throws with what went wrong */
  podman(...args: readonly string[]): string;
}

/** Undefined where podman is not, or may not prepare its folders. */
export function openPodman(): Podman | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'svc-podman-'));
  const own = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  const global = [...own, '--cgroup-manager', 'cgroupfs', '--runtime', 'runc'];
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
  const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];
  if (spawnSync('podman', [...global, 'info'], { env, stdio: 'ignore' }).status !== 0) {
    removeFolder(folder);
    return undefined;
  }
  return {
    podman: (command, ...args) =>
      execFileSync('podman', [...global, command!, ...(command === 'run' ? limits : []), ...args], {
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    [Symbol.dispose]() {
      spawnSync('podman', [...global, 'rm', '--all', '--force', '--time', '0'], { env, stdio: 'ignore' });
      removeFolder(folder);
    },
  };
}
