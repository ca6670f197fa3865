/** An engine of Docker for one test: its own folders and socket, no bridge, no rules of a firewall. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../server.ts';

export interface DockerEngine extends AsyncDisposable {
  /** Runs the command line of Docker and gives what it prints. @throws with what went wrong */
  docker(...args: readonly string[]): string;
}

/** Undefined where no engine can run: containers need more rights than a test may have there. */
export async function startDocker(): Promise<DockerEngine | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-docker-'));
  const limits = { 'default-ulimits': { nofile: { Name: 'nofile', Soft: 1024, Hard: 1024 } } };
  writeFileSync(join(folder, 'daemon.json'), JSON.stringify(limits));
  const socket = `unix://${folder}/d.sock`;
  const child = spawn(
    'dockerd',
    [
      ...['--config-file', join(folder, 'daemon.json'), '--data-root', join(folder, 'data')],
      ...['--exec-root', join(folder, 'exec'), '--pidfile', join(folder, 'pid'), '--host', socket],
      ...['--bridge', 'none', '--iptables=false', '--ip-masq=false'],
    ],
    { stdio: 'ignore' },
  );
  let hasFailed = false;
  child.on('error', () => (hasFailed = true));
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, DOCKER_HOST: socket, DOCKER_CONFIG: folder };
  const isReady = () => spawnSync('docker', ['info'], { env, stdio: 'ignore' }).status === 0;
  let isUp = false;
  for (let tries = 0; tries < 200 && !hasFailed && child.exitCode === null && !isUp; tries += 1) {
    isUp = isReady();
    if (!isUp) await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const end = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (!hasFailed && child.exitCode === null && child.kill()) await ended;
    removeFolder(folder);
  };
  if (!isUp) {
    await end();
    return undefined;
  }
  return {
    docker: (...args) => execFileSync('docker', args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    [Symbol.asyncDispose]: end,
  };
}
