/** A real Redis server for tests, on a free port, without files. A test that starts one is skipped by its name on a machine that has none. */
import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { needTool } from './find-tool.ts';
import { freePort } from './ports.ts';

export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  /** Stops answering without closing anything, and goes on. */
  pause(): void;
  resume(): void;
  /** Ends at once. */
  kill(): Promise<void>;
  /** After `kill`: the same port again, empty. */
  restart(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  let child = await launch(port);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill: () => end('SIGKILL'),
    async restart() {
      child = await launch(port);
    },
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
}

function launch(port: number): Promise<ChildProcess> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()];
  const child = spawn(needTool('redis-server', 'redis-server'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('Ready to accept connections')) resolve(child);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`redis-server ended\n${printed}`)));
  });
}
