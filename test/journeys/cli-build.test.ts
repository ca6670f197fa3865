/** `svc build --target cloud`: the archives, unpacked and run as the service runs them. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDynamo } from '../harness/dynamo-server.ts';
import { copyApp, removeFolder, repository, runSvc } from '../harness/server.ts';

let app: string;
let printed: string;

beforeAll(async () => {
  app = copyApp(join(repository, 'test/wire/app'));
  const built = await runSvc(['build', 'main.svc', '--target', 'cloud', '--out', 'out'], { cwd: app });
  expect(built.stderr).toBe('');
  expect(built.code).toBe(0);
  printed = built.stdout;
});
afterAll(() => removeFolder(app));

const unpacked = (name: string) => unzipSync(readFileSync(join(app, 'out', `${name}.zip`)));
const names = ['http', 'webhook', 'websocket'];

test('one archive per protocol below 1 MB: entry, program, runtime; no compiler, no source', () => {
  for (const name of names) {
    const files = unpacked(name);
    expect(Object.keys(files)).toEqual(expect.arrayContaining([`handlers/${name}.mjs`, 'app/main.mjs', 'svc.toml']));
    for (const other of names) if (other !== name) expect(files).not.toHaveProperty([`handlers/${other}.mjs`]);
    const maps = Object.keys(files).filter((path) => path.endsWith('.map'));
    expect(maps).toContain('app/main.mjs.map');
    for (const path of maps) {
      const { sources, sourcesContent } = JSON.parse(Buffer.from(files[path]!).toString());
      expect([path, sourcesContent]).toEqual([expect.stringMatching(/^app\//), undefined]);
      for (const source of sources) expect(source).toMatch(/^([\w-]+\.svc|svc-runtime\.mjs)$/);
    }
    const code = Object.values(files)
      .map((bytes) => Buffer.from(bytes).toString())
      .join('\n');
    expect(code).toContain('loadProgram(');
    expect(code).not.toMatch(/compileProject\(|parseExpression\(/);
    expect(readFileSync(join(app, 'out', `${name}.zip`)).length).toBeLessThan(1_000_000);
    expect(printed).toMatch(new RegExp(`out/${name}\\.zip {2}\\d+ KB`));
  }
  const map = JSON.parse(readFileSync(join(app, 'out/maps/app/main.mjs.map'), 'utf8'));
  expect(map.sources).toEqual(expect.arrayContaining([expect.stringMatching(/main\.svc$/)]));
});

test('the same input gives the same bytes', async () => {
  const digest = () =>
    names.map((name) =>
      createHash('sha256')
        .update(readFileSync(join(app, 'out', `${name}.zip`)))
        .digest('hex'),
    );
  const before = digest();
  await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: app });
  expect(digest()).toEqual(before);
});

test('what other targets build is said, and a program with errors builds nothing', async () => {
  const other = await runSvc(['build', 'main.svc', '--target', 'orchestrator'], { cwd: app });
  expect([other.code, other.stderr]).toEqual([8, expect.stringContaining('--target orchestrator')]);
  writeFileSync(join(app, 'bad.svc'), 'walker {');
  expect((await runSvc(['build', 'bad.svc'], { cwd: app })).code).toBe(3);
});

test('the functions answer events, one process after another over one store', async () => {
  using http = unpack('http');
  const [health, registered, unknown] = await http.call([
    event('GET', '/healthz/ready'),
    event('POST', '/user/register', {
      identities: [{ type: 'email', value: 'a@b.example' }],
      credential: { type: 'password', password: 'long enough 1' },
    }),
    event('POST', '/walker/Nope', {}),
  ]);
  expect(health.statusCode).toBe(200);
  expect(registered.statusCode).toBe(201);
  expect(JSON.parse(unknown.body).error.code).toBe('NOT_FOUND');
  const { token } = JSON.parse(registered.body).data;
  expect(token).toMatch(/^eyJ/);

  using webhook = unpack('webhook', http.data);
  const [refused, elsewhere] = await webhook.call([
    event('POST', '/webhook/PaymentReceived', {}),
    event('GET', '/healthz/live'),
  ]);
  expect([refused.statusCode, elsewhere.statusCode]).toEqual([401, 404]);

  using websocket = unpack('websocket', http.data);
  const connect = (query: Record<string, string>) => socketEvent('$connect', 'c1=', query);
  const answers = await websocket.call([
    connect({ walker: 'Nope' }),
    connect({ walker: 'PrivateWs', token }),
    connect({ walker: 'PrivateWs', token: 'bad' }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 200, 401]);
});

test('instances of a function share connections in DynamoDB, and a broadcast goes through the management API', async () => {
  const dynamo = await startDynamo();
  const posted: string[] = [];
  const management = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      posted.push(`${decodeURIComponent(request.url!)} ${JSON.stringify(JSON.parse(body).data.reports)}`);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => management.listen(0, '127.0.0.1', resolve));
  const { port } = management.address() as AddressInfo;
  const env = {
    SVC_DATABASE_STORE: 'dynamodb',
    SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint,
    SVC_MANAGEMENT_ENDPOINT: `http://127.0.0.1:${port}/prod`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  try {
    using first = unpack('websocket', undefined, env);
    using second = unpack('websocket', undefined, env);
    const opened = await first.call([socketEvent('$connect', 'c1=', { walker: 'Room' })]);
    const answers = await second.call([
      socketEvent('$connect', 'c2=', { walker: 'Room' }),
      { ...socketEvent('$default', 'c2='), body: '{"message": "hello", "sender": "ada"}' },
      socketEvent('$disconnect', 'c2='),
    ]);
    expect([...opened, ...answers].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const reports = '[{"sender":"ada","message":"hello"}]';
    expect(posted.sort()).toEqual([`/prod/@connections/c1= ${reports}`, `/prod/@connections/c2= ${reports}`]);
  } finally {
    management.close();
    await dynamo.stop();
  }
});

function socketEvent(routeKey: string, connectionId: string, query: Record<string, string> = {}) {
  return {
    requestContext: {
      routeKey,
      connectionId,
      requestTimeEpoch: Date.now(),
      stage: 'prod',
      domainName: 'id.example',
      identity: { sourceIp: '192.0.2.1' },
    },
    headers: {},
    queryStringParameters: query,
    multiValueQueryStringParameters: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])),
  };
}

function event(method: string, path: string, body?: unknown) {
  return {
    version: '2.0',
    routeKey: 'ANY /{proxy+}',
    rawPath: path,
    rawQueryString: '',
    headers: { 'content-type': 'application/json', host: 'id.example' },
    requestContext: {
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: '' },
      stage: '$default',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  };
}

/** Imports the handler of a folder and answers the events given as lines, in order, in one process. */
const driver = `
import { createInterface } from 'node:readline';
const { handler } = await import(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  const context = { awsRequestId: 'id', functionName: 'fn', getRemainingTimeInMillis: () => 29000 };
  process.stdout.write('answer ' + JSON.stringify(await handler(JSON.parse(line), context)) + '\\n');
}
process.exit(0);
`;

/** A function in a folder of its own; below the repository, because drivers that are not bundled are found there on Node 20. */
function unpack(name: string, data?: string, more: Readonly<Record<string, string>> = {}) {
  mkdirSync(join(repository, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(join(repository, 'node_modules/.cache/function-'));
  for (const [path, contents] of Object.entries(unpacked(name))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
  writeFileSync(join(folder, 'driver.mjs'), driver);
  const env = {
    ...process.env,
    SVC_ENV: 'test',
    SVC_DATABASE_STORE: 'sqlite',
    SVC_DATA_PATH: data ?? join(folder, 'data'),
    ...more,
  };
  return {
    data: env.SVC_DATA_PATH,
    async call(events: readonly unknown[]): Promise<any[]> {
      const child = spawn(process.execPath, ['driver.mjs', join(folder, `handlers/${name}.mjs`)], {
        cwd: folder,
        env,
        stdio: 'pipe',
      });
      let out = '';
      let err = '';
      child.stdout.on('data', (chunk) => (out += chunk));
      child.stderr.on('data', (chunk) => (err += chunk));
      child.stdin.end(events.map((one) => `${JSON.stringify(one)}\n`).join(''));
      await new Promise((resolve) => child.on('close', resolve));
      const answers = out.split('\n').filter((line) => line.startsWith('answer '));
      if (answers.length !== events.length) throw new Error(`${answers.length} answers\n${out}\n${err}`);
      return answers.map((line) => JSON.parse(line.slice('answer '.length)));
    },
    [Symbol.dispose]: () => removeFolder(folder),
  };
}
