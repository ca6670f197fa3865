/**
 * Functions as the service runs them: processes of its own runtime interface client, `aws-lambda-ric`, which take one event after another from the Runtime
 * API and post their answers. https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 *
 * The client's compiled part only carries requests to that API; it needs a C++ toolchain. `SVC_TEST_RIC` names one that was built
 * (test/real/README.md), else its own way in JavaScript takes events, and the few lines of `posting` send answers.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { cloudTools } from '../offline-server.ts';

export interface RunningFunction extends AsyncDisposable {
  /** Gives the result of an event, or the request by which a function that streams sends it. @throws when the function fails */
  invoke(event: unknown): Promise<Answer>;
  /** Ends its processes in the middle of what they do. Resolves when they are gone. */
  kill(): Promise<void>;
  /** Everything that its processes printed. */
  output(): string;
}

export type Answer =
  | { readonly result: any; readonly streamed?: undefined }
  | { readonly streamed: IncomingMessage; readonly result?: undefined };

export interface FunctionOptions {
  /** The unpacked archive. */
  readonly folder: string;
  /** `handlers/http.handler`. */
  readonly handler: string;
  readonly env: Readonly<Record<string, string>>;
  /** Instances at the same time; more events wait. */
  readonly instances?: number;
  readonly timeoutSeconds?: number;
}

interface Waiting {
  readonly event: Buffer;
  readonly settle: (answer: Promise<Answer>) => void;
}

const built = process.env['SVC_TEST_RIC'] ?? '';

const posting = `(() => {
  const post = (path, body, headers) => require_http().request({ host: '127.0.0.1', port: process.env.AWS_LAMBDA_RUNTIME_API.split(':')[1],
    method: 'POST', path: '/2018-06-01/runtime/invocation/' + path, headers: { 'content-length': Buffer.byteLength(body), ...headers } }).end(body);
  return { done: (id, body) => post(id + '/response', body), error: (id, body) => post(id + '/error', body) };
})()`.replace('require_http()', '__require("node:http")');

export async function runFunction(options: FunctionOptions): Promise<RunningFunction> {
  const { folder, handler, instances = 3, timeoutSeconds = 29 } = options;
  const queue: Waiting[] = [];
  const idle: ServerResponse[] = [];
  const running = new Map<string, Waiting['settle']>();
  const children = new Set<ChildProcess>();
  let printed = '';
  let count = 0;
  let isOver = false;

  const service = createServer((request, response) => {
    const [, id, kind] =
      /^\/2018-06-01\/runtime\/(?:invocation\/([^/]+)|init)\/(response|error)$/.exec(request.url!) ?? [];
    if (kind === undefined) {
      idle.push(response);
      response.on('close', () => idle.includes(response) && idle.splice(idle.indexOf(response), 1));
      return giveOut();
    }
    const settle = running.get(id ?? '');
    running.delete(id ?? '');
    if (kind === 'error') {
      const failure = text(request).then((why) => Promise.reject<Answer>(new Error(`${handler}: ${why}`)));
      failure.catch(() => {});
      if (settle === undefined) for (const { settle: one } of queue.splice(0)) one(failure);
      settle?.(failure);
      response.writeHead(202).end();
    } else if (request.headers['lambda-runtime-function-response-mode'] === 'streaming') {
      settle?.(Promise.resolve({ streamed: request }));
      request.on('end', () => response.writeHead(202).end());
    } else {
      settle?.(json(request).then((result) => ({ result })));
      request.on('end', () => response.writeHead(202).end());
    }
  });
  service.requestTimeout = 0;
  // A connection must not end just when it is taken again.
  service.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  const client = readFileSync(join(cloudTools, 'aws-lambda-ric/dist/index.mjs'), 'utf8');
  const native = built === '' ? posting : `__require(${JSON.stringify(built)})`;
  const main = `client-${handler.replace(/\W/g, '-')}.mjs`;
  writeFileSync(
    join(folder, main),
    `${client.replace('__require("./rapid-client.node")', () => native)}\nawait run(process.cwd(), ${JSON.stringify(handler)});\n`,
  );

  function giveOut(): void {
    while (queue.length > 0 && idle.length > 0) {
      const { event, settle } = queue.shift()!;
      const id = `event-${++count}`;
      running.set(id, settle);
      idle
        .shift()!
        .writeHead(200, {
          'Content-Type': 'application/json',
          'Lambda-Runtime-Aws-Request-Id': id,
          'Lambda-Runtime-Deadline-Ms': String(Date.now() + timeoutSeconds * 1000),
          'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:eu-west-1:123456789012:function:svc',
          'Lambda-Runtime-Trace-Id': 'Root=1-5759e988-bd862e3fe1be46a994272793',
          'Content-Length': event.length,
        })
        .end(event);
    }
    if (queue.length > 0 && children.size < instances && !isOver) startInstance();
  }

  function startInstance(): void {
    const child = spawn(process.execPath, [main], {
      cwd: folder,
      env: {
        ...process.env,
        ...(built === '' ? { AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1: 'true' } : {}),
        AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
        AWS_LAMBDA_FUNCTION_NAME: 'svc',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'x',
        AWS_SECRET_ACCESS_KEY: 'x',
        LAMBDA_TASK_ROOT: folder,
        _HANDLER: handler,
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
    child.on('close', (code) => {
      children.delete(child);
      const failure = Promise.reject<Answer>(new Error(`${handler} ended with ${code}\n${printed.slice(-4000)}`));
      failure.catch(() => {});
      if (children.size > 0) return;
      for (const settle of [...running.values(), ...queue.splice(0).map(({ settle: one }) => one)]) settle(failure);
    });
  }

  return {
    output: () => printed,
    async kill() {
      const killed = [...children];
      const cut = [...running.keys()];
      // Nobody waits for events there any more.
      for (const one of idle.splice(0)) one.destroy();
      const ends = killed.map((child) => once(child, 'close'));
      for (const child of killed) child.kill('SIGKILL');
      await Promise.all(ends);
      // Whoever waits for what they did hears of it, though another instance has been started meanwhile.
      const failure = Promise.reject<Answer>(new Error(`${handler} was killed`));
      failure.catch(() => {});
      for (const id of cut) {
        running.get(id)?.(failure);
        running.delete(id);
      }
    },
    invoke: (event) =>
      new Promise((resolve, reject) => {
        if (isOver) throw new Error(`${handler} has been stopped`);
        const settle: Waiting['settle'] = (answer) => answer.then(resolve, reject);
        queue.push({ event: Buffer.from(JSON.stringify(event)), settle });
        giveOut();
      }),
    async [Symbol.asyncDispose]() {
      isOver = true;
      const failure = Promise.reject<Answer>(new Error(`${handler} has been stopped`));
      failure.catch(() => {});
      for (const { settle } of queue.splice(0)) settle(failure);
      const ends = [...children].map((child) => once(child, 'close'));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ends);
      service.closeAllConnections();
      service.close();
    },
  };
}
