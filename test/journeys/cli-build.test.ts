/** `svc build --target cloud`: the archives, unpacked and run as the service runs them. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDynamo } from '../harness/dynamo-server.ts';
import { httpEvent, socketEvent, unpackFunction } from '../harness/packaged-function.ts';
import { copyApp, removeFolder, repository, runSvc } from '../harness/server.ts';

let app: string;
let printed: string;

beforeAll(async () => {
  app = copyApp(join(repository, 'test/wire/app'));
  const built = await runSvc(['build', 'main.svc', '--target', 'cloud', '--out', 'out'], { cwd: app });
  expect(built.stderr).toMatch(
    /^note: secrets stay out .*\n {2}SSO_MOCK_CLIENT_SECRET {2}instead of sso\.mock\.client_secret .*\n$/,
  );
  expect(built.code).toBe(0);
  printed = built.stdout;
});
afterAll(() => removeFolder(app));

const unpacked = (name: string) => unzipSync(readFileSync(join(app, 'out', `${name}.zip`)));
const unpack = (name: string, env: Readonly<Record<string, string>> = {}) =>
  unpackFunction(join(app, 'out', `${name}.zip`), name, { SSO_MOCK_CLIENT_SECRET: 'of the environment', ...env });
const names = ['http', 'webhook', 'websocket'];

test('one archive per protocol below 1 MB: entry, program, runtime; no compiler, no source', () => {
  for (const name of names) {
    const files = unpacked(name);
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining([`handlers/${name}.mjs`, 'app/main.mjs', 'settings.json']),
    );
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
  const files = [...names, 'sweeper'].map((name) => `${name}.zip`);
  const digest = () =>
    [...files, 'serverless.yml'].map((name) =>
      createHash('sha256')
        .update(readFileSync(join(app, 'out', name)))
        .digest('hex'),
    );
  const before = digest();
  await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: app });
  expect(digest()).toEqual(before);
});

test('a program with errors builds nothing', async () => {
  writeFileSync(join(app, 'bad.svc'), 'walker {');
  expect((await runSvc(['build', 'bad.svc'], { cwd: app })).code).toBe(3);
});

test('the functions answer events, one process after another over one store', async () => {
  using http = unpack('http');
  const [health, registered, unknown] = await http.call([
    httpEvent('GET', '/healthz/ready'),
    httpEvent('POST', '/user/register', {
      identities: [{ type: 'email', value: 'a@b.example' }],
      credential: { type: 'password', password: 'long enough 1' },
    }),
    httpEvent('POST', '/walker/Nope', {}),
  ]);
  expect(health.statusCode).toBe(200);
  expect(registered.statusCode).toBe(201);
  expect(JSON.parse(unknown.body).error.code).toBe('NOT_FOUND');
  const { token } = JSON.parse(registered.body).data;
  expect(token).toMatch(/^eyJ/);

  using webhook = unpack('webhook', { SVC_DATA_PATH: http.data });
  const [refused, elsewhere] = await webhook.call([
    httpEvent('POST', '/webhook/PaymentReceived', {}),
    httpEvent('GET', '/healthz/live'),
  ]);
  expect([refused.statusCode, elsewhere.statusCode]).toEqual([401, 404]);

  using websocket = unpack('websocket', { SVC_DATA_PATH: http.data });
  const connect = (query: Record<string, string>) => socketEvent('$connect', 'c1=', query);
  const answers = await websocket.call([
    connect({ walker: 'Nope' }),
    connect({ walker: 'PrivateWs', token }),
    connect({ walker: 'PrivateWs', token: 'bad' }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 200, 401]);
});

test('metrics are records in the log, and there is nothing to scrape', async () => {
  const dynamo = await startDynamo();
  try {
    using http = unpack('http');
    const [, , scraped] = await http.call([
      httpEvent('POST', '/walker/Ping', {}),
      httpEvent('POST', '/walker/Nope', {}),
      httpEvent('GET', '/metrics'),
    ]);
    expect(scraped.statusCode).toBe(404);
    const counted = metricsOf(http, 'demo_http_requests_total');
    expect(counted).toEqual([
      ['POST /walker/Ping 200', 1],
      [expect.stringMatching(/^POST .* 404$/), 1],
      [expect.stringMatching(/^GET .* 404$/), 1],
    ]);
    expect(metricsOf(http, 'demo_walker_duration_seconds')).toEqual([['Ping true', [expect.any(Number)]]]);
    using quiet = unpack('http', { SVC_METRICS_ENABLED: 'false' });
    await quiet.call([httpEvent('POST', '/walker/Ping', {})]);
    expect(metricsOf(quiet, 'demo_http_requests_total')).toEqual([]);

    const stored = { SVC_DATABASE_STORE: 'dynamodb', SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint };
    using sockets = unpack('websocket', { ...stored, SVC_MANAGEMENT_ENDPOINT: 'http://127.0.0.1:1' });
    await sockets.call([
      socketEvent('$connect', 'c1=', { walker: 'Room' }),
      { ...socketEvent('$default', 'c1='), body: '{"type": "pong"}' },
    ]);
    expect(metricsOf(sockets, 'demo_ws_messages_total')).toEqual([['walker:Room ok', 1]]);
  } finally {
    await dynamo.stop();
  }
});

/** Lists the values of a metric that a function wrote: its labels in one text, its value. */
function metricsOf(fn: { printed(): readonly string[] }, name: string): [string, unknown][] {
  const records = fn.printed().filter((line) => line.startsWith('{"_aws"'));
  return records
    .map((line) => JSON.parse(line))
    .filter((record) => name in record)
    .map((record) => {
      const [directive] = record._aws.CloudWatchMetrics;
      return [directive.Dimensions[0].map((label: string) => record[label]).join(' '), record[name]];
    });
}

test('instances of a function keep to one rate together', async () => {
  using first = unpack('http', {
    SVC_RATE_LIMIT_ENABLED: 'true',
    SVC_RATE_LIMIT_REQUESTS_PER_MINUTE: '3',
    SVC_RATE_LIMIT_BURST: '3',
  });
  const ping = httpEvent('POST', '/walker/Ping', {});
  const statuses = async () => (await first.call([ping, ping])).map(({ statusCode }) => statusCode);
  expect([...(await statuses()), ...(await statuses())]).toEqual([200, 200, 200, 429]);
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
    using first = unpack('websocket', env);
    using second = unpack('websocket', env);
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
