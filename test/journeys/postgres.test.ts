/** The to-do list kept in PostgreSQL: a user's life, processes that are killed, a database that goes away, two workers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApps, describeServedStore, titles } from '../contracts/served-store.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres-server.ts';
import { post, register, runSvc, startServer } from '../harness/server.ts';
import { workerPids } from '../harness/worker-pids.ts';

let database: PostgresServer;
const app = createApps();
const urls = new Map<string, string>();

beforeAll(async () => {
  database = await startPostgres();
  for (const name of ['todo', 'kill', 'run', 'workers']) urls.set(name, await database.urlOf(name));
});
afterAll(() => database?.[Symbol.asyncDispose]());

function inDatabase(name: string): Record<string, string> {
  return { DATABASE_URL: urls.get(name)! };
}

describeServedStore({ kind: 'postgres', envFor: inDatabase });

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
  await using server = await startPostgres();
  const folder = app('examples/todo');
  const env = {
    DATABASE_URL: server.url,
    SVC_DATABASE_CONNECT_TIMEOUT_MS: '1000',
    SVC_DATABASE_OPERATION_TIMEOUT_MS: '2000',
  };
  await using served = await startServer({ folder, env });
  const { token } = await register(served.base, 'cleo');
  const add = (title: string) => post(served.base, '/walker/AddTask', { title }, token);
  expect((await add('one')).ok).toBe(true);
  const unavailable = { status: 503, error: { code: 'SERVICE_UNAVAILABLE' } };
  const isReady = async () => (await fetch(`${served.base}/healthz/ready`)).status === 200;

  await server.kill();
  expect(await add('two')).toMatchObject(unavailable);
  expect(await isReady()).toBe(false);
  await server.start();
  await until(async () => (await add('three')).ok);
  await until(isReady);

  server.pause();
  expect(await post(served.base, '/walker/ListTasks', undefined, token, 'GET')).toMatchObject(unavailable);
  server.resume();
  await until(async () => (await post(served.base, '/walker/ListTasks', undefined, token, 'GET')).ok);
  expect(await titles(served.base, token)).toEqual(['one', 'three']);
  expect(served.output()).not.toContain('    at ');
});

test('nobody at the address, a wrong one, or no such database: the start ends and says so, without the password', async () => {
  const folder = app('examples/todo');
  const start = (url: string) =>
    runSvc(['start', 'main.svc', '--port', '0'], {
      cwd: folder,
      env: { DATABASE_URL: url, SVC_DATABASE_CONNECT_TIMEOUT_MS: '500' },
    });
  const nobody = await start('postgres://ada:canary-secret@127.0.0.1:1,127.0.0.1:2/shop');
  const missing = await start(`postgres://svc:canary-secret@127.0.0.1:${database.port}/nowhere`);
  const wrong = await start('mysql://ada:canary-secret@127.0.0.1/shop');
  expect([nobody.code, missing.code, wrong.code]).toEqual([7, 7, 3]);
  expect(nobody.stderr).toMatch(
    /^svc: cannot use the store postgres \(shop at 127\.0\.0\.1:1,127\.0\.0\.1:2\): the store is not available: .*ECONNREFUSED/m,
  );
  expect(missing.stderr).toMatch(
    /^svc: cannot use the store postgres \(nowhere at .*\): the database does not exist$/m,
  );
  expect(wrong.stderr).toContain('must start with postgres:// or postgresql://');
  for (const { stderr } of [nobody, missing, wrong]) {
    expect(stderr).not.toContain('canary-secret');
    expect(stderr).not.toContain('    at ');
  }
});

/** Asks again until the answer is yes; the test's own time limit ends it otherwise. */
async function until(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 50));
}
