/** S3 for tests: the emulator `s3rver` on a free port, its data in a temporary folder. It checks no secrets (docs of the project say so). */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, freePort } from './ports.ts';
import { repository } from './server.ts';

const script = join(repository, 'node_modules/s3rver/bin/s3rver.js');

export interface S3Server extends AsyncDisposable {
  readonly endpoint: string;
  readonly port: number;
  readonly bucket: string;
  /** Ends it as a power cut would; what it has written stays. */
  kill(): Promise<void>;
  /** On the same port, over the same data. */
  start(): Promise<void>;
}

/** @throws when the emulator is not installed: a test that needs it must not pass without it */
export async function startS3(): Promise<S3Server> {
  if (!existsSync(script)) throw new Error('s3rver is not installed: npm ci');
  const folder = mkdtempSync(join(tmpdir(), 'svc-s3-'));
  const port = await freePort();
  const bucket = 'files';
  let end = async (_signal: NodeJS.Signals): Promise<void> => {};
  const start = async () => {
    const options = ['-d', folder, '-a', '127.0.0.1', '-p', String(port), '--silent', '--configure-bucket', bucket];
    const child = spawn(process.execPath, [script, ...options], {
      // The server's lists of several pages are made with an old cipher.
      env: { ...process.env, NODE_OPTIONS: '--openssl-legacy-provider' },
      stdio: 'ignore',
    });
    const exited = new Promise<void>((resolve) => child.on('close', () => resolve()));
    end = async (signal) => {
      child.kill(signal);
      await exited;
    };
    await answers(`http://127.0.0.1:${port}/`, () => child.exitCode === null);
  };
  await start();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    port,
    bucket,
    kill: () => end('SIGKILL'),
    start,
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
