/** The to-do list kept in a document database: a user's life, processes that are killed, a database that goes away, two workers. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DocumentDatabase, openDocumentDatabase } from '../harness/mongo/document-database.ts';
import { startMongo } from '../harness/mongo/mongo-server.ts';
import { startRedis } from '../harness/redis-server.ts';
import { copyApp, post, register, removeFolder, repository, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { workerPids } from '../harness/worker-pids.ts';

let database: DocumentDatabase;
const folders: string[] = [];
const run = Date.now().toString(36);

beforeAll(async () => {
  database = await openDocumentDatabase({ transactionLifeMs: 2000 });
});
afterAll(async () => {
  for (const folder of folders) removeFolder(folder);
  await database[Symbol.asyncDispose]();
});

function app(name: string): string {
  const folder = copyApp(join(repository, name));
  folders.push(folder);
  return folder;
}

function inDatabase(name: string): Record<string, string> {
  return { DOCDB_URI: database.uri, SVC_DATABASE_DOCDB_NAME: `svc_${run}_${name}` };
}

const titles = async (base: string, token: string) =>
  (await post(base, '/walker/ListTasks', undefined, token, 'GET')).reports.map((task: any) => task.title);

test('tasks are kept in the database, whichever process serves them, and only their owner sees them', async () => {
  const folder = app('examples/todo');
  const env = inDatabase('todo');
  let ada = '';
  let milk = '';
  {
    await using server = await startServer({ folder, env });
    expect(server.output()).toContain('"store":"docdb"');
    ada = (await register(server.base, 'ada')).token;
    milk = (await post(server.base, '/walker/AddTask', { title: 'milk', tags: ['home'] }, ada)).reports[0]._svc_id;
    await post(server.base, '/walker/AddTask', { title: 'call mum' }, ada);
    expect(await server.stop()).toBe(0);
  }
  await using one = await startServer({ folder, env });
  await using two = await startServer({ folder, env });
  expect(await titles(one.base, ada)).toEqual(['milk', 'call mum']);
  expect((await post(two.base, `/walker/FinishTask/${milk}`, {}, ada)).reports[0].done).toBe(true);
  expect((await post(one.base, '/walker/Summary', undefined, ada, 'GET')).reports).toEqual([
    { total: 2, finished: 1, by_tag: { home: 1 } },
  ]);
  expect((await post(one.base, `/walker/RemoveTask/${milk}`, undefined, ada, 'DELETE')).ok).toBe(true);
  expect(await titles(two.base, ada)).toEqual(['call mum']);
  const bob = (await register(two.base, 'bob')).token;
  expect(await titles(one.base, bob)).toEqual([]);
  expect((await post(one.base, `/walker/FinishTask/${milk}`, {}, bob)).error.code).toBe('NODE_NOT_FOUND');
  expect(await (await fetch(`${one.base}/healthz/ready`)).json()).toMatchObject({
    status: 'ok',
    store: 'docdb',
    durability: 'full',
  });
});

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

test('kill -9 loses no acknowledged write and tears no unit', async () => {
  const folder = app('test/wire/app');
  const env = inDatabase('kill');
  let token = '';
  let [acknowledged, sent, killedWhileBusy] = [0, 0, 0];
  for (let round = 0; round < 3; round++) {
    const server = await startServer({ folder, env });
    if (round === 0) token = (await register(server.base, 'ada')).token;
    let running = true;
    let inFlight = 0;
    const client = async () => {
      while (running) {
        sent++;
        inFlight++;
        const answer = await post(server.base, '/walker/Bump', { name: 'hits' }, token).catch(() => undefined);
        inFlight--;
        if (answer?.ok) acknowledged++;
      }
    };
    const clients = [client(), client(), client()];
    await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 500));
    if (inFlight > 0) killedWhileBusy++;
    await server.stop('SIGKILL');
    running = false;
    await Promise.all(clients);
  }
  await using server = await startServer({ folder, env });
  const [counters] = (await post(server.base, '/walker/Counters', {}, token)).reports;
  expect(counters).toHaveLength(1);
  expect(counters[0].value).toBeGreaterThanOrEqual(acknowledged);
  expect(counters[0].value).toBeLessThanOrEqual(sent);
  expect(acknowledged).toBeGreaterThan(0);
  expect(killedWhileBusy).toBeGreaterThan(0);
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

test('svc run keeps its graph in the database, and svc graph draws it', async () => {
  using folder = folderWith({
    'main.svc': `node Visit { has count: int = 0; }
with entry {
    found = [root -->[?:Visit]];
    visit = found[0] if found else root ++> Visit();
    visit.count += 1;
    print(visit.count);
}
`,
  });
  const env = inDatabase('run');
  for (const count of ['1\n', '2\n'])
    expect(await runSvc(['run', 'main.svc'], { cwd: folder.path, env })).toEqual({
      code: 0,
      stdout: count,
      stderr: '',
    });
  const graph = await runSvc(['graph', 'main.svc'], { cwd: folder.path, env });
  expect(graph.stdout).toContain('Visit(count=2)');
});

/** Asks again until the answer is yes; the test's own time limit ends it otherwise. */
async function until(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 50));
}
