/**
 * Stand-in for the host of Azure Functions: takes requests by the route, the methods and the prefix that the application declares, and hands them to a worker
 * as the host does: the invocation by itself, the request and the answer over the port that the worker opened for them. The application's own `@azure/functions` reads them and writes the answers. Core Tools, which bring the real
 * host, are fetched from an address that is no package registry's.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { unpack } from '../packaged-function.ts';
import { removeFolder } from '../server.ts';

export interface AzureHost extends AsyncDisposable {
  readonly base: string;
  /** Functions by name, with their bindings. */
  readonly functions: readonly { readonly name: string; readonly bindings: Record<string, any> }[];
  output(): string;
  /** Runs a function by its name, with what it is given. */
  invoke(name: string, request: object): Promise<any>;
}

const child = buildSync({
  entryPoints: [join(import.meta.dirname, 'azure-host-child.ts')],
  write: false,
  bundle: true,
  platform: 'node',
  format: 'esm',
}).outputFiles[0]!.contents;

/** @throws with what the application printed when it does not start */
export async function startAzureHost(archive: string, env: Readonly<Record<string, string>>): Promise<AzureHost> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-azure-'));
  unpack(archive, folder);
  writeFileSync(join(folder, 'worker.mjs'), child);
  const worker = fork('worker.mjs', [], {
    cwd: folder,
    execPath: process.env['SVC_TEST_NODE'] ?? process.execPath,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
    execArgv: [],
  });
  let printed = '';
  for (const stream of [worker.stdout!, worker.stderr!]) stream.on('data', (chunk) => (printed += chunk));
  const ended = once(worker, 'close');
  const [{ functions, httpUri }] = (await Promise.race([
    once(worker, 'message'),
    ended.then(([code]) => Promise.reject(new Error(`the application ended with ${code}\n${printed}`))),
  ])) as [{ functions: AzureHost['functions']; httpUri: string }];
  const waiting = new Map<string, (answer: { response?: any; error?: string }) => void>();
  worker.on('message', (answer: any) => waiting.get(answer.id)?.(answer));
  let count = 0;
  const invoke = (name: string, request: object, id = `invocation-${++count}`) =>
    new Promise<any>((resolve, reject) => {
      waiting.set(id, ({ response, error }) => {
        waiting.delete(id);
        if (error === undefined) resolve(response);
        else reject(new Error(error));
      });
      worker.send({ id, name, request });
    });

  const { extensions } = JSON.parse(readFileSync(join(folder, 'host.json'), 'utf8'));
  const prefix = extensions?.http?.routePrefix ?? 'api';
  const found = functions.find(({ bindings }) => Object.values(bindings).some(({ type }) => type === 'httpTrigger'))!;
  const [binding, trigger] = Object.entries(found.bindings).find(([, { type }]) => type === 'httpTrigger')!;
  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => {
      if (response.destroyed) return;
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(error.stack);
    });
  });
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const takes =
      trigger.route === '{*path}' && trigger.methods.includes(request.method) && trigger.authLevel === 'anonymous';
    if (!takes || prefix !== '') return void response.writeHead(404).end();
    const id = `invocation-${++count}`;
    const headers = forwardedHeaders(request);
    const triggerMetadata = { Headers: { json: JSON.stringify(headers) } };
    const forwarded = send(new URL(request.url!, httpUri), {
      ...{ method: request.method, headers: { ...headers, 'x-ms-invocation-id': id } },
    });
    // A client that goes away takes the request to the worker with it, as it is with the forwarder of the host.
    response.on('close', () => {
      if (!response.writableFinished) forwarded.destroy();
    });
    const answered = once(forwarded, 'response') as Promise<[IncomingMessage]>;
    request.pipe(forwarded);
    const invoked = invoke(found.name, { inputData: [{ name: binding, data: {} }], triggerMetadata }, id);
    const [answer] = await Promise.race([answered, invoked.then(() => answered)]);
    delete answer.headers['x-ms-invocation-id'];
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
    await invoked;
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    functions,
    output: () => printed,
    invoke: (name, request) => invoke(name, request),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      worker.kill('SIGKILL');
      await ended;
      removeFolder(folder);
    },
  };
}

/** Headers as the host passes them on, those that occur twice joined. */
function forwardedHeaders({ headers, socket }: IncomingMessage): Record<string, string> {
  const forwarded = [headers['x-forwarded-for'], `${socket.remoteAddress}:${socket.remotePort}`].filter(Boolean);
  const own = {
    'x-forwarded-for': forwarded.join(', '),
    'x-forwarded-host': headers.host ?? 'app.azurewebsites.net',
    'x-forwarded-proto': 'https',
  };
  const all = Object.entries({ ...headers, ...own });
  return Object.fromEntries(all.map(([name, value]) => [name, [value].flat().join(', ')]));
}
