/** The to-do list kept in DynamoDB: a user's life, a process that is killed, a store that goes away. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DynamoServer, startDynamo } from '../harness/dynamo-server.ts';
import { copyApp, post, register, removeFolder, repository, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

let dynamo: DynamoServer;
let env: Record<string, string>;
const folders: string[] = [];

beforeAll(async () => {
  dynamo = await startDynamo();
  env = { SVC_DATABASE_STORE: 'dynamodb', SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint };
});
afterAll(async () => {
  for (const folder of folders) removeFolder(folder);
  await dynamo.stop();
});

function app(name: string): string {
  const folder = copyApp(join(repository, name));
  folders.push(folder);
  return folder;
}

test('tasks are kept in the table, whichever process serves them, and only their owner sees them', async () => {
  const folder = app('examples/todo');
  const titles = async (base: string, token: string) =>
    (await post(base, '/walker/ListTasks', undefined, token, 'GET')).reports.map((task: any) => task.title);
  let ada = '';
  let milk = '';
  {
    await using server = await startServer({ folder, env });
    expect(server.output()).toContain('"store":"dynamodb"');
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
});

async function hundredIncrements(bases: readonly [string, string]): Promise<void> {
  const { token } = await register(bases[0], 'ada');
  const bump = (base: string) => post(base, '/walker/Bump', { name: 'hits' }, token);
  expect((await bump(bases[0])).ok).toBe(true);
  const answers = await Promise.all(Array.from({ length: 99 }, (_, i) => bump(bases[i % 2]!)));
  expect(answers.filter((answer) => !answer.ok)).toEqual([]);
  const [counters] = (await post(bases[1], '/walker/Counters', {}, token)).reports;
  expect(counters).toMatchObject([{ name: 'hits', value: 100 }]);
}

test('100 parallel increments over two processes give 100', async () => {
  const folder = app('test/wire/app');
  const many = { ...env, SVC_DATABASE_DYNAMODB_TABLE_PREFIX: 'many-' };
  await using one = await startServer({ folder, env: many });
  await using two = await startServer({ folder, env: many });
  await hundredIncrements([one.base, two.base]);
});

test('100 parallel increments over two workers give 100', async () => {
  const workers = { ...env, SVC_DATABASE_DYNAMODB_TABLE_PREFIX: 'workers-' };
  await using server = await startServer({ folder: app('test/wire/app'), args: ['--workers', '2'], env: workers });
  await hundredIncrements([server.base, server.base]);
});

test('kill -9 loses no acknowledged write and tears no unit', async () => {
  const folder = app('test/wire/app');
  const kept = { ...env, SVC_DATABASE_DYNAMODB_TABLE_PREFIX: 'kill-' };
  let token = '';
  let [acknowledged, sent, killedWhileBusy] = [0, 0, 0];
  for (let round = 0; round < 4; round++) {
    const server = await startServer({ folder, env: kept });
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
  await using server = await startServer({ folder, env: kept });
  const [counters] = (await post(server.base, '/walker/Counters', {}, token)).reports;
  expect(counters).toHaveLength(1);
  expect(counters[0].value).toBeGreaterThanOrEqual(acknowledged);
  expect(counters[0].value).toBeLessThanOrEqual(sent);
  expect(acknowledged).toBeGreaterThan(0);
  expect(killedWhileBusy).toBeGreaterThan(0);
});

test('a store that goes away is answered 503 and served again when it is back', async () => {
  const folder = app('examples/todo');
  await using server = await startServer({ folder, env });
  const { token } = await register(server.base, 'cleo');
  expect((await post(server.base, '/walker/AddTask', { title: 'one' }, token)).ok).toBe(true);
  await dynamo.kill();
  expect(await post(server.base, '/walker/AddTask', { title: 'two' }, token)).toMatchObject({
    status: 503,
    error: { code: 'SERVICE_UNAVAILABLE' },
  });
  expect((await fetch(`${server.base}/healthz/ready`)).status).toBe(503);
  await dynamo.start();
  const list = await post(server.base, '/walker/ListTasks', undefined, token, 'GET');
  expect(list.reports.map((task: any) => task.title)).toEqual(['one']);
  // What health checks say is remembered for a moment.
  const isReady = async () => (await fetch(`${server.base}/healthz/ready`)).status === 200;
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 100));
});

test('a store that does not answer at the start ends it with 7 and says where it was looked for', async () => {
  const folder = app('examples/todo');
  const nobody = { ...env, SVC_DATABASE_DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' };
  const { code, stderr } = await runSvc(['start', 'main.svc', '--port', '0'], { cwd: folder, env: nobody });
  expect(code).toBe(7);
  expect(stderr).toMatch(
    /svc: cannot use the store dynamodb \(.*graph at http:\/\/127\.0\.0\.1:1\): the store is not available: connect ECONNREFUSED/,
  );
  expect(stderr).not.toContain('    at ');
});

test('svc run keeps its graph in the table, and svc graph draws it', async () => {
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
  const own = { ...env, SVC_DATABASE_DYNAMODB_TABLE_PREFIX: 'run-' };
  for (const count of ['1\n', '2\n'])
    expect(await runSvc(['run', 'main.svc'], { cwd: folder.path, env: own })).toEqual({
      code: 0,
      stdout: count,
      stderr: '',
    });
  const graph = await runSvc(['graph', 'main.svc'], { cwd: folder.path, env: own });
  expect(graph.stdout).toContain('Visit(count=2)');
});
