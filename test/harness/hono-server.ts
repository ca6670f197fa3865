/** Starts and stops a Hono server that an application is mounted in, in a process of its own. */
import { spawn } from 'node:child_process';
import { childScript } from './child-script.ts';
import { type RuntimeName, runtimeCommand } from './runtimes.ts';

export interface HonoServer extends AsyncDisposable {
  readonly base: string;
  /** Without the path of the mount. */
  readonly origin: string;
  /** Everything printed so far. */
  output(): string;
  /** Resolves with its exit code. */
  stop(): Promise<number | null>;
}

export async function startHono(
  folder: string,
  env: Readonly<Record<string, string>> = {},
  mount = '/',
  runtime: RuntimeName = 'node',
): Promise<HonoServer> {
  const script = childScript(new URL('hono-server-child.ts', import.meta.url));
  const [command, ...args] = runtimeCommand(runtime);
  const child = spawn(command, [...args, script.path, mount], {
    cwd: folder,
    env: { ...process.env, SVC_ENV: 'test', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      script[Symbol.dispose]();
      resolve(code);
    });
  });
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      printed += chunk;
      const line = printed.split('\n').find((text) => text.includes('"event":"ready"'));
      if (line?.endsWith('}')) resolve(JSON.parse(line));
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    exited.then((code) => reject(new Error(`the server ended with ${code}\n${printed}`)));
  });
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    output: () => printed,
    base: mount === '/' ? origin : origin + mount,
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
