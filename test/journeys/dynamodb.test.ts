/** The to-do list kept in DynamoDB: a user's life, a process that is killed, a store that goes away. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApps, describeServedStore, titles } from '../contracts/served-store.ts';
import { type DynamoServer, startDynamo } from '../harness/dynamo-server.ts';
import { post, register, runSvc, startServer } from '../harness/server.ts';

let dynamo: DynamoServer;
const app = createApps();

function inTable(name: string): Record<string, string> {
  return {
    SVC_DATABASE_STORE: 'dynamodb',
    SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint,
    SVC_DATABASE_DYNAMODB_TABLE_PREFIX: `${name}-`,
  };
}

beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(async () => {
  await dynamo.stop();
});

describeServedStore({ kind: 'dynamodb', envFor: inTable });

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
  const env = inTable('many');
  await using one = await startServer({ folder, env });
  await using two = await startServer({ folder, env });
  await hundredIncrements([one.base, two.base]);
});

test('100 parallel increments over two workers give 100', async () => {
  const env = inTable('workers');
  await using server = await startServer({ folder: app('test/wire/app'), args: ['--workers', '2'], env });
  await hundredIncrements([server.base, server.base]);
});

test('a store that goes away is answered 503 and served again when it is back', async () => {
  const folder = app('examples/todo');
  await using server = await startServer({ folder, env: inTable('away') });
  const { token } = await register(server.base, 'cleo');
  expect((await post(server.base, '/walker/AddTask', { title: 'one' }, token)).ok).toBe(true);
  await dynamo.kill();
  expect(await post(server.base, '/walker/AddTask', { title: 'two' }, token)).toMatchObject({
    status: 503,
    error: { code: 'SERVICE_UNAVAILABLE' },
  });
  expect((await fetch(`${server.base}/healthz/ready`)).status).toBe(503);
  await dynamo.start();
  expect(await titles(server.base, token)).toEqual(['one']);
  // Results of health checks are remembered for a moment.
  const isReady = async () => (await fetch(`${server.base}/healthz/ready`)).status === 200;
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 100));
});

test('a store that does not answer at the start ends it with 7 and says where it was looked for', async () => {
  const folder = app('examples/todo');
  const nobody = { ...inTable('nobody'), SVC_DATABASE_DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' };
  const { code, stderr } = await runSvc(['start', 'main.svc', '--port', '0'], { cwd: folder, env: nobody });
  expect(code).toBe(7);
  expect(stderr).toMatch(
    /svc: cannot use the store dynamodb \(.*graph at http:\/\/127\.0\.0\.1:1\): the store is not available: connect ECONNREFUSED/,
  );
  expect(stderr).not.toContain('    at ');
});
