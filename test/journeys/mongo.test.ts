/** The to-do list kept in a document database: a user's life, processes that are killed, a database that goes away, two workers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createApps,
  describeOutage,
  describeServedStore,
  describeTwoWorkers,
  titles,
  until,
} from '../contracts/served-store.ts';
import {
  type DocumentDatabase,
  openDocumentDatabase,
  startDocumentServer,
} from '../harness/mongo/document-database.ts';
import { startMongo } from '../harness/mongo/mongo-server.ts';
import { startRedis } from '../harness/redis-server.ts';
import { post, register, runSvc, startServer } from '../harness/server.ts';

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
describeTwoWorkers(inDatabase);
describeOutage(async () => {
  const server = await startDocumentServer();
  return { server, env: { DOCDB_URI: server.uri, SVC_DATABASE_OPERATION_TIMEOUT_MS: '3000' } };
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
      env: { DOCDB_URI: uri, SVC_DATABASE_CONNECT_TIMEOUT_MS: '3000' },
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
