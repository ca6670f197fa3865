/** The application of a test in a browser: `svc start` in a process of its own, with an empty store. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RuntimeError } from '../../../library/values/objects/exceptions.ts';

export interface StartedApp {
  /** `http://127.0.0.1:41234` */
  readonly base: string;
  /** Everything it has printed. */
  output(): string;
  stop(): Promise<void>;
}

/** Longest start, with the build of the browser half. */
const startMs = 120_000;
const stopMs = 5000;

/** @throws RuntimeError with what it printed when it does not come up */
export async function startApp(entry: string, cwd: string, env: NodeJS.ProcessEnv): Promise<StartedApp> {
  const data = await mkdtemp(join(tmpdir(), 'svc-browser-test-'));
  const child = spawn(process.execPath, [process.argv[1]!, 'start', entry, '--port', '0', '--host', '127.0.0.1'], {
    cwd,
    env: {
      ...env,
      SVC_DATA_PATH: data,
      SVC_STORAGE_PATH: join(data, 'storage'),
      SVC_RATE_LIMIT_ENABLED: 'false',
      NO_COLOR: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  const base = await addressOf(child, (text) => (printed = (printed + text).slice(-100_000))).catch(async (error) => {
    child.kill('SIGKILL');
    await rm(data, { recursive: true, force: true });
    throw error instanceof RuntimeError
      ? error
      : new RuntimeError(`the application does not start:\n${printed.trim()}`);
  });
  return {
    base,
    output: () => printed,
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await exited;
      clearTimeout(late);
      await rm(data, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function addressOf(child: ChildProcess, heard: (text: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const late = setTimeout(() => reject(new Error('late')), startMs);
    const onText = (chunk: Buffer) => {
      const text = String(chunk);
      heard(text);
      if (said.length > 100_000) return;
      said += text;
      const port = /http:\/\/(?:localhost|127\.0\.0\.1):(\d+)/.exec(said)?.[1];
      if (port === undefined || !/Server ready in|"ready"/.test(said)) return;
      clearTimeout(late);
      resolve(`http://127.0.0.1:${port}`);
    };
    child.stdout!.on('data', onText);
    child.stderr!.on('data', onText);
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(late);
      reject(new Error('ended'));
    });
  });
}
