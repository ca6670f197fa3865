/** The to-do list kept in a document database: a user's life, processes that are killed, a database that goes away, two workers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApps, describeServedStore, titles } from '../contracts/served-store.ts';
import { type DocumentDatabase, openDocumentDatabase } from '../harness/mongo/document-database.ts';
import { startMongo } from '../harness/mongo/mongo-server.ts';
import { startRedis } from '../harness/redis-server.ts';
import { post, register, runSvc, startServer } from '../harness/server.ts';
import { workerPids } from '../harness/worker-pids.ts';

let database: DocumentDatabase;
const app = createApps();
const run = Date.now().toString(36);

beforeAll(async () => {
  database = await openDocumentDatabase({ transactionLifeMs: 2000 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

function inDatabase(name: string): Record<string, string> {
  return { DOCDB_URI: database.uri, SVC_DATABASE_DOCDB_NAME: `svc_${run}_${name}` };
}

describeServedStore({ kind: 'docdb', envFor: inDatabase });

test('100 parallel increments over two workers give 100, 60 find-or-create give one', async () => {
  const folder = app('test/wire/app');
  const env = { ...inDatabase('workers'), SVC_SERVE_CONFLICT_MAX_ATTEMPTS: '100' };
  await using server = await startServer({ folder, env, args: ['--workers', '2'] });
  expect(workerPids(server.child.pid!)).toHaveLength(2);
  const { token } = await register(server.base, 'ada');
  const bump = (name: string) => post(server.base, '/walker/Bump', { name }, token);
  const first = await Promise.all(Array.from({ length: 60 }, () => bump('created')));
  expect(first.filter((answer) => !answer.ok)).toEqual([]);
  const answers = await Promise.all(Array.from({ length: 100 }, () => bump('hits')));
  expect(answers.filter((answer) => !answer.ok)).toEqual([]);
  const [counters] = (await post(server.base, '/walker/Counters', {}, token)).reports;
  expect(counters.map(({ name, value }: any) => [name, value])).toEqual([
    ['created', 60],
    ['hits', 100],
  ]);
});

test('a database that is killed or stops answering is answered 503 and served again when it is back', async () => {
  await using mongo = await startMongo();
  console.info('document database: emulation (OP_MSG server of the tests), killed and paused');
  const folder = app('examples/todo');
  const env = {
    DOCDB_URI: mongo.uri,
    SVC_DATABASE_CONNECT_TIMEOUT_MS: '1000',
    SVC_DATABASE_OPERATION_TIMEOUT_MS: '3000',
  };
  await using server = await startServer({ folder, env });
  const { token } = await register(server.base, 'cleo');
  expect((await post(server.base, '/walker/AddTask', { title: 'one' }, token)).ok).toBe(true);
  const unavailable = { status: 503, error: { code: 'SERVICE_UNAVAILABLE' } };
  const isReady = async () => (await fetch(`${server.base}/healthz/ready`)).status === 200;

  await mongo.kill();
  expect(await post(server.base, '/walker/AddTask', { title: 'two' }, token)).toMatchObject(unavailable);
  expect(await isReady()).toBe(false);
  await mongo.start();
  await until(async () => (await post(server.base, '/walker/AddTask', { title: 'three' }, token)).ok);
  await until(isReady);

  mongo.pause();
  expect(await post(server.base, '/walker/ListTasks', undefined, token, 'GET')).toMatchObject(unavailable);
  mongo.resume();
  await until(async () => (await post(server.base, '/walker/ListTasks', undefined, token, 'GET')).ok);
  expect(await titles(server.base, token)).toEqual(['one', 'three']);
  expect(server.output()).not.toContain('    at ');
});

test('records are also kept in Redis; without it answers are the same', async () => {
  await using redis = await startRedis();
  const folder = app('examples/todo');
  const env = {
    ...inDatabase('cached'),
    KVCACHE_URL: redis.url,
    SVC_METRICS_ENABLED: 'true',
  };
  await using server = await startServer({ folder, env, args: ['--workers', '2'] });
  const { token } = await register(server.base, 'ada');
  const readiness = async () => ((await (await fetch(`${server.base}/healthz/ready`)).json()) as any).checks;
  const hits = async () => {
    const text = await (await fetch(`${server.base}/metrics`)).text();
    return Number(/cache_requests_total\{tier="l2",result="hit"[^}]*\} (\d+)/.exec(text)?.[1] ?? 0);
  };
  const added: string[] = [];
  const add = async (title: string) => {
    const answer = await post(server.base, '/walker/AddTask', { title }, token);
    expect(answer.ok).toBe(true);
    added.push(title);
    for (let n = 0; n < 4; n++) expect(await titles(server.base, token)).toEqual(added);
  };
  await add('one');
  await until(async () => {
    await titles(server.base, token);
    return (await hits()) > 0;
  });
  expect(await readiness()).toEqual({ store: 'ok', cache: 'ok' });
  redis.pause();
  await add('two');
  await until(async () => (await readiness()).cache === 'degraded');
  redis.resume();
  await add('three');
  await redis.kill();
  await add('four');
  await until(async () => (await readiness()).cache === 'degraded');
  await redis.restart();
  await add('five');
  await until(async () => (await readiness()).cache === 'ok');
  const before = await hits();
  await until(async () => {
    expect(await titles(server.base, token)).toEqual(added);
    return (await hits()) > before;
  });
});

test('nobody at the address, or a server of its own: the start ends with 7 and says so', async () => {
  const folder = app('examples/todo');
  const start = (uri: string) =>
    runSvc(['start', 'main.svc', '--port', '0'], {
      cwd: folder,
      env: { DOCDB_URI: uri, SVC_DATABASE_CONNECT_TIMEOUT_MS: '500' },
    });
  const nobody = await start('mongodb://ada:canary-secret@127.0.0.1:1/shop');
  expect(nobody.code).toBe(7);
  expect(nobody.stderr).toMatch(
    /^svc: cannot use the store docdb \(shop at 127\.0\.0\.1:1\): the store is not available: .*ECONNREFUSED/m,
  );
  await using alone = await startMongo({ standalone: true });
  const standalone = await start(alone.uri);
  expect(standalone.code).toBe(7);
  expect(standalone.stderr).toMatch(
    /^svc: the document database must be a replica set \(a single member is enough\)$/m,
  );
  for (const { stderr } of [nobody, standalone]) {
    expect(stderr).not.toContain('canary-secret');
    expect(stderr).not.toContain('    at ');
  }
});

/** Asks again until the answer is yes; the test's own time limit ends it otherwise. */
async function until(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 50));
}
