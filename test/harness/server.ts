/** Starts and stops a real `svc` process for tests, on a free port, in a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../..', import.meta.url));
export const svcBin = join(repository, 'bin/svc.mjs');

export interface RunningServer extends AsyncDisposable {
  readonly base: string;
  readonly port: number;
  readonly folder: string;
  readonly child: ChildProcess;
  /** Everything printed so far. */
  output(): string;
  /** Resolves with its exit code when it has ended. */
  ended(): Promise<number | null>;
  /** Sends SIGTERM (or the given signal) and resolves with the exit code (null when ended by the signal). */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A fresh folder with a copy of an application; removed by the caller's `rmSync` or left to the system's temporary folder. */
export function copyApp(app: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'));
  cpSync(app, folder, {
    recursive: true,
    filter: (path) => !path.includes('.svc/') && !path.endsWith('/.svc') && !path.endsWith('.test.ts'),
  });
  return folder;
}

export async function startServer(options: {
  readonly folder: string;
  readonly entry?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A command that runs the server, such as `strace`, with its arguments. */
  readonly under?: readonly string[];
  /** Path of the Node that runs it. */
  readonly node?: string;
}): Promise<RunningServer> {
  const { folder, entry = 'main.svc', args = [], env = {}, under = [], node = process.execPath } = options;
  const [program = node, ...before] = [...under, node];
  const child = spawn(
    program,
    [...before, svcBin, 'start', entry, '--port', '0', '--host', '127.0.0.1', '--json', ...args],
    {
      cwd: folder,
      env: { ...process.env, SVC_ENV: 'test', NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let printed = '';
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', resolve); // when it has exited, what it printed last may be on its way
    // Workers of a killed process hold its output for a moment longer.
    child.on('exit', (code, signal) => signal !== null && resolve(code));
  });
  const ready = await new Promise<{ port: number }>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      printed += chunk;
      const line = printed.split('\n').find((text) => text.includes('"event":"ready"'));
      if (line?.trimEnd().endsWith('}')) resolve(JSON.parse(line));
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    exited.then((code) => reject(new Error(`svc start ended with ${code}\n${printed}`)));
  });
  await new Promise(setImmediate); // what standard error was given before has arrived as well, and is read in this turn
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return exited;
  };
  return {
    base: `http://127.0.0.1:${ready.port}`,
    port: ready.port,
    folder,
    child,
    output: () => printed,
    ended: () => exited,
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
    },
  };
}

/** Runs `svc` to its end. */
export function runSvc(
  args: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>>; input?: string },
) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = spawn(process.execPath, [svcBin, ...args], {
      cwd: options.cwd,
      env: { ...process.env, NO_COLOR: '1', ...options.env },
      stdio: 'pipe',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.stdin.end(options.input ?? '');
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** One JSON call; the parsed envelope with its status. */
export async function post(
  base: string,
  path: string,
  body: unknown = {},
  token?: string,
  method = 'POST',
): Promise<any> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  const answer = await fetch(base + path, {
    method,
    headers,
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  });
  return answer.json();
}

/** Registers a user and gives the token and root id. */
export async function register(base: string, name: string): Promise<{ token: string; rootId: string }> {
  const answer = await post(base, '/user/register', { username: name, password: 'correct horse 1' });
  return { token: answer.data.access_token, rootId: answer.data.root_id };
}
