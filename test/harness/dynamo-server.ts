/** DynamoDB for tests: the emulator `dynoxide` on a free port, its data in a temporary folder. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, freePort } from './ports.ts';
import { repository } from './server.ts';

const binary = join(repository, 'node_modules/@dynoxide/linux-x64/dynoxide');

export interface DynamoServer extends AsyncDisposable {
  readonly endpoint: string;
  readonly port: number;
  /** Ends it as a power cut would; its data stay. */
  kill(): Promise<void>;
  /** On the same port, over the same data. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** @throws when the emulator is not installed: a test that needs it must not pass without it */
export async function startDynamo(): Promise<DynamoServer> {
  if (!existsSync(binary)) throw new Error('@dynoxide/linux-x64 is not installed: npm ci');
  const folder = mkdtempSync(join(tmpdir(), 'svc-dynamo-'));
  const port = await freePort();
  let end = async (_signal: NodeJS.Signals): Promise<void> => {};
  const start = async () => {
    const child = spawn(
      binary,
      ['serve', '--host', '127.0.0.1', '--port', String(port), '--db-path', join(folder, 'data.db')],
      { stdio: 'ignore' },
    );
    const exited = new Promise<void>((resolve) => child.on('close', () => resolve()));
    end = async (signal) => {
      child.kill(signal);
      await exited;
    };
    await answers(`http://127.0.0.1:${port}/`, () => child.exitCode === null);
  };
  const stop = async () => {
    await end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  };
  await start();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    port,
    kill: () => end('SIGKILL'),
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
