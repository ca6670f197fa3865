/**
 * The function that streams as the service runs it: a process of its runtime interface client takes events and sends answers piece by piece
 * (docs/server/cloud.md#streaming).
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cloudTools } from '../harness/offline-server.ts';
import { httpEvent, unpackFunction } from '../harness/packaged-function.ts';
import { runSvc } from '../harness/server.ts';
import { answerOf, type StreamedAnswer } from '../harness/stream-runtime.ts';
import { folderWith } from '../harness/svc-process.ts';

const client = join(cloudTools, 'aws-lambda-ric/dist/index.mjs');

const program = `
import asyncio;
walker:pub Tell {
    has lines: int = 2;
    has pause: float = 0.05;
    can tell with Root entry { report lines_of(self.lines, self.pause); }
}
walker Mine { can look with Root entry { report 1; } }
async def lines_of(count: int, pause: float) -> object {
    for i in range(count) { yield i; await asyncio.sleep(pause); }
}
`;

interface Sent extends StreamedAnswer {
  readonly mode: unknown;
  readonly type: unknown;
  readonly pieces: readonly string[];
}

async function receive(request: IncomingMessage): Promise<Sent> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { headers } = request;
  return {
    ...answerOf(Buffer.concat(chunks))!,
    mode: headers['lambda-runtime-function-response-mode'],
    type: headers['content-type'],
    pieces: chunks.map(String),
  };
}

/** Answers to the events, each with the milliseconds its function has. */
async function invoke(folder: string, events: readonly (readonly [event: unknown, ms: number])[]): Promise<Sent[]> {
  const answers: Sent[] = [];
  let given = 0;
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const service = createServer(async (request, response) => {
    if (!request.url!.endsWith('/next')) {
      answers.push(await receive(request));
      response.writeHead(202).end();
    } else if (given === events.length) end();
    else {
      const [event, ms] = events[given]!;
      const body = Buffer.from(JSON.stringify(event));
      response.writeHead(200, {
        'Lambda-Runtime-Aws-Request-Id': `event-${given++}`,
        'Lambda-Runtime-Deadline-Ms': String(Date.now() + ms),
        'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:eu-west-1:123456789012:function:x',
        'Content-Length': body.length,
      });
      response.end(body);
    }
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  // The client's compiled part takes events; it has one in JavaScript for that too.
  const text = readFileSync(client, 'utf8').replace('__require("./rapid-client.node")', '({})');
  writeFileSync(join(folder, 'client.mjs'), `${text}\nawait run(process.cwd(), 'handlers/stream.handler');\n`);
  const child = spawn(process.execPath, ['client.mjs'], {
    cwd: folder,
    env: {
      ...process.env,
      AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1: 'true',
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${(service.address() as AddressInfo).port}`,
      LAMBDA_TASK_ROOT: folder,
      _HANDLER: 'handlers/stream.handler',
      SVC_ENV: 'test',
      SVC_DATABASE_STORE: 'sqlite',
      SVC_DATA_PATH: join(folder, 'data'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (chunk) => (printed += chunk));
  const exited = new Promise<void>((resolve) => child.on('close', () => resolve()));
  await Promise.race([ended, exited]);
  const status = child.exitCode;
  child.kill('SIGKILL');
  await exited;
  service.closeAllConnections();
  service.close();
  if (status !== null) throw new Error(`the function ended with ${status}\n${printed}`);
  return answers;
}

test('one event after another: pieces as they are made, errors, no body, the end of time', async () => {
  using folder = folderWith({
    'main.svc': program,
    'svc.toml': '[plugins.scale.cloud]\nstream_function_url = true\n',
  });
  const { code, stderr } = await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path });
  expect([code, stderr]).toEqual([0, '']);
  using unpacked = unpackFunction(join(folder.path, 'out/stream.zip'), 'stream');
  const tell = httpEvent('POST', '/walker/Tell', {});
  const [told, refused, bare, late, again] = await invoke(join(unpacked.data, '..'), [
    [tell, 29_000],
    [httpEvent('POST', '/walker/Mine', {}), 29_000],
    [httpEvent('HEAD', '/healthz/live'), 29_000],
    [httpEvent('POST', '/walker/Tell', { lines: 3, pause: 600 }), 1300],
    [tell, 29_000],
  ]);
  expect(told).toMatchObject({
    mode: 'streaming',
    type: 'application/vnd.awslambda.http-integration-response',
    head: { statusCode: 200, headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } },
    body: 'data: 0\n\ndata: 1\n\nevent: end\ndata: {}\n\n',
  });
  expect(told!.pieces.slice(-3)).toEqual(['data: 0\n\n', 'data: 1\n\n', 'event: end\ndata: {}\n\n']);
  expect([refused!.head.statusCode, JSON.parse(refused!.body).error.code]).toEqual([401, 'UNAUTHORIZED']);
  expect([bare!.head.statusCode, bare!.body]).toEqual([200, '']);
  expect(late!.body).toMatch(/^data: 0\n\nevent: error\ndata: \{"error_type":"EXECUTION_TIMEOUT",.*\}\n\n$/);
  expect(again!.body).toBe(told!.body);
});
