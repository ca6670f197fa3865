import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyApp, post, type RunningServer, register, removeFolder, startServer } from '../../test/harness/server.ts';

let server: RunningServer;
let token: string;
const hire = (name: string, title: string, salary: number, more: object = {}) =>
  post(server.base, '/walker/Hire', { name, title, salary, ...more }, token);
const get = async (path: string) => (await post(server.base, path, undefined, token, 'GET')).reports;

beforeAll(async () => {
  server = await startServer({ folder: copyApp(import.meta.dirname) });
  token = (await register(server.base, 'hr')).token;
  await hire('Ada', 'chief', 300.5);
  await hire('Bob', 'engineering lead', 200, { manager: 'Ada', team: 'engineering', since: 2019 });
  await hire('Cyd', 'sales lead', 180, { manager: 'Ada', team: 'sales', since: 2022 });
  await hire('Dan', 'engineer', 150, { manager: 'Bob', team: 'engineering', since: 2023 });
  await hire('Eve', 'engineer', 150, { manager: 'Bob', team: 'engineering', since: 2021 });
  await hire('Fay', 'intern', 50, { manager: 'Dan', since: 2024 });
});
afterAll(async () => {
  await server.stop();
  removeFolder(server.folder);
});

test('a walk down lists a branch level by level, as deep as asked', async () => {
  expect((await get('/reports-of/Ada')).map((row: any) => [row.name, row.level])).toEqual([
    ['Bob', 1],
    ['Cyd', 1],
    ['Dan', 2],
    ['Eve', 2],
    ['Fay', 3],
  ]);
  expect((await get('/reports-of/Ada?depth=1')).map((row: any) => row.name)).toEqual(['Bob', 'Cyd']);
});

test('a walk up gives the chain of managers', async () => {
  expect(await get('/chain/Fay')).toEqual([['Fay', 'Dan', 'Bob', 'Ada']]);
});

test('nodes and edges act on the walker that visits them', async () => {
  expect(await get('/headcount/Bob')).toEqual([{ people: 4, payroll: 550 }]);
  for (const [name, project, percent] of [
    ['Dan', 'Apollo', 60],
    ['Dan', 'Gemini', 40],
    ['Eve', 'Apollo', 20],
    ['Cyd', 'Apollo', 80],
  ]) {
    await post(server.base, '/walker/Assign', { name, project, percent }, token);
  }
  expect(await get('/workload/Dan')).toEqual([{ percent: 100, projects: ['Apollo', 'Gemini'] }]);
});

test('edge conditions and filters choose over several hops', async () => {
  expect(await get('/colleagues/Dan')).toEqual(['Eve', 'Cyd']);
  expect(await get('/colleagues/Dan?at_least=50')).toEqual(['Cyd']);
  expect((await get('/search?since=2021&title=engineer')).map((row: any) => row.name)).toEqual(['Dan', 'Eve']);
  expect(await get('/search?team=sales')).toEqual([{ name: 'Cyd', teams: ['sales'] }]);
});

test('a name is used once, and unknown names are 404', async () => {
  expect(await hire('Ada', 'x', 1)).toMatchObject({ status: 409, error: { code: 'NAME_TAKEN' } });
  expect(await post(server.base, '/chain/Zed', undefined, token, 'GET')).toMatchObject({
    status: 404,
    error: { code: 'NO_SUCH_PERSON' },
  });
});

test('when somebody leaves, their people move up', async () => {
  expect((await post(server.base, '/people/Bob', undefined, token, 'DELETE')).reports).toEqual([['Dan', 'Eve']]);
  expect(await get('/chain/Fay')).toEqual([['Fay', 'Dan', 'Ada']]);
  expect(await get('/headcount/Ada')).toEqual([{ people: 5, payroll: 830.5 }]);
});
