import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyApp, post, type RunningServer, register, removeFolder, startServer } from '../../test/harness/server.ts';

let server: RunningServer;
let ada: string;
let bob: string;

beforeAll(async () => {
  server = await startServer({ folder: copyApp(import.meta.dirname) });
  ada = (await register(server.base, 'ada')).token;
  bob = (await register(server.base, 'bob')).token;
});
afterAll(async () => {
  await server.stop();
  removeFolder(server.folder);
});

const add = (token: string, body: object) => post(server.base, '/walker/AddTask', body, token);
const list = async (token: string, query = '') =>
  (await post(server.base, `/walker/ListTasks${query}`, undefined, token, 'GET')).reports;

test('a task is added, listed in order, finished, edited and removed', async () => {
  const milk = (await add(ada, { title: ' buy milk ', tags: ['home'], due: '2030-01-31' })).reports[0];
  expect(milk).toMatchObject({
    _svc_type: 'Task',
    title: 'buy milk',
    priority: 'normal',
    tags: ['home'],
    due: '2030-01-31',
    done: false,
  });
  const call = (await add(ada, { title: 'call mum', priority: 'high' })).reports[0];
  expect((await list(ada)).map((task: any) => task.title)).toEqual(['buy milk', 'call mum']);
  expect((await post(server.base, `/walker/FinishTask/${milk._svc_id}`, {}, ada)).reports[0].done).toBe(true);
  expect((await list(ada, '?open_only')).map((task: any) => task.title)).toEqual(['call mum']);
  expect((await list(ada, '?tag=home')).map((task: any) => task.title)).toEqual(['buy milk']);
  expect(
    (await post(server.base, `/walker/EditTask/${call._svc_id}`, { title: 'call dad' }, ada, 'PATCH')).reports[0],
  ).toMatchObject({ title: 'call dad', priority: 'high' });
  expect((await post(server.base, '/walker/Summary', undefined, ada, 'GET')).reports).toEqual([
    { total: 2, finished: 1, by_tag: { home: 1 } },
  ]);
  expect((await post(server.base, `/walker/RemoveTask/${milk._svc_id}`, undefined, ada, 'DELETE')).reports).toEqual([
    'removed buy milk',
  ]);
  expect(await list(ada)).toHaveLength(1);
});

test("nobody sees or changes another user's tasks", async () => {
  const secret = (await add(ada, { title: 'secret' })).reports[0];
  expect(await list(bob)).toEqual([]);
  expect(await post(server.base, `/walker/FinishTask/${secret._svc_id}`, {}, bob)).toMatchObject({
    status: 404,
    error: { code: 'NODE_NOT_FOUND' },
  });
  expect(await post(server.base, '/walker/AddTask', { title: 'x' })).toMatchObject({ status: 401 });
});

test('bad input names every problem, and an empty title is refused by the program', async () => {
  const answer = await add(ada, { title: 5, priority: 'urgent', tags: 'x' });
  expect(answer.status).toBe(422);
  expect(answer.error.details.map((problem: any) => problem.loc[1])).toEqual(['title', 'priority', 'tags']);
  expect(await add(ada, { title: '   ' })).toMatchObject({ status: 422, error: { code: 'EMPTY_TITLE' } });
});

test('the public walker and function need no account and share one counter', async () => {
  expect((await post(server.base, '/hello/Grace', undefined, undefined, 'GET')).reports).toEqual([
    'Hello, Grace! You are visitor 1.',
  ]);
  expect((await post(server.base, '/hello/Alan', undefined, undefined, 'GET')).reports).toEqual([
    'Hello, Alan! You are visitor 2.',
  ]);
  expect(await post(server.base, '/visits', undefined, undefined, 'GET')).toMatchObject({ result: 2 });
});
