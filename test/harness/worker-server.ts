/** Workers of `svc build --target worker` in workerd, over the emulator of DynamoDB; and other workers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDynamo } from './dynamo-server.ts';
import { workerdProgram } from './runtimes.ts';
import { runSvc } from './server.ts';

export interface WorkerServer extends AsyncDisposable {
  readonly base: string;
  /** Everything printed so far. */
  output(): string;
  stop(): Promise<void>;
}

type Env = Readonly<Record<string, string>>;

/** Starts workerd with the `config.capnp` of a folder. */
export async function startWorkerd(folder: string, env: Env = {}): Promise<WorkerServer> {
  const args = ['serve', 'config.capnp', '--socket-addr=http=127.0.0.1:0', '--control-fd=3'];
  const child = spawn(workerdProgram(), args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (printed += chunk));
  const ended = once(child, 'close');
  const port = await Promise.race([
    portOf(child.stdio[3] as NodeJS.ReadableStream),
    ended.then(([code]) => Promise.reject(new Error(`workerd ended with ${code}\n${printed}`))),
  ]);
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { base: `http://127.0.0.1:${port}`, output: () => printed, stop, [Symbol.asyncDispose]: stop };
}

/** workerd tells where it listens: `{"event":"listen","socket":"http","port":41231}`. */
async function portOf(control: NodeJS.ReadableStream): Promise<number> {
  let text = '';
  for await (const piece of control) {
    text += piece;
    const told = /\{"event":"listen".*?\}/.exec(text);
    if (told !== null) return JSON.parse(told[0]).port;
  }
  throw new Error('workerd does not listen');
}

const secrets = {
  JWT_SECRET: 'a key of the tests, long enough: 0123456789',
  AWS_ACCESS_KEY_ID: 'x',
  AWS_SECRET_ACCESS_KEY: 'x',
};

/** Builds the application in `folder` and tells what the build said. @throws what it said when it failed */
export async function buildWorker(folder: string, args: readonly string[] = []): Promise<string> {
  const { code, stdout, stderr } = await runSvc(['build', '--target', 'worker', ...args], { cwd: folder });
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  return stdout + stderr;
}

/** Starts what `buildWorker` has built; it reaches addresses of this machine. `env`: bindings besides those that the build wrote. */
export async function startWorker(folder: string, env: Env = {}): Promise<WorkerServer> {
  const built = join(folder, '.svc/build/worker');
  const config = join(built, 'config.capnp');
  const written = readFileSync(config, 'utf8');
  const lines = Object.keys(env)
    .filter((name) => !written.includes(`"${name}"`))
    .map((name) => `(name = "${name}", fromEnvironment = "${name}"),`);
  const withBindings = written.replace('bindings = [', `bindings = [\n${lines.join('\n')}`);
  writeFileSync(config, withBindings.replace('allow = ["public"]', 'allow = ["public", "private"]'));
  try {
    return await startWorkerd(built, { ...secrets, ...env });
  } finally {
    writeFileSync(config, written);
  }
}

/** The same over a table of its own. */
export async function serveWorker(folder: string, env: Env = {}): Promise<WorkerServer> {
  const dynamo = await startDynamo();
  try {
    await buildWorker(folder);
    const server = await startWorker(folder, { ...env, SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint });
    const stop = () => server.stop().finally(dynamo.stop);
    return { ...server, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await dynamo.stop();
    throw error;
  }
}
