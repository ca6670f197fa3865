/**
 * SecantusDB for tests, on a free port, over a folder of its own: the commands of MongoDB over its storage engine, WiredTiger, whose log it syncs at
 * each commit. One server alone, which says that it is a replica set; a read outside of a transaction is always of now.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../ports.ts';
import type { DocumentServer } from './mongo-server.ts';

export async function startSecantus(program: string): Promise<DocumentServer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-secantus-'));
  const port = await freePort();
  let child: ChildProcess;
  const start = async () => {
    const args = ['--host', '127.0.0.1', '--port', String(port), '--storage-path', join(folder, 'data')];
    child = spawn(program, [...args, '--sync-on-commit', '--log-level', 'WARNING'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    while (!(await takesConnections(port))) {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    uri: `mongodb://127.0.0.1:${port}/`,
    kill,
    start,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => resolve(false)).once('connect', () => socket.destroy());
  });
}
