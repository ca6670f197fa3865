import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  copyApp,
  post,
  type RunningServer,
  register,
  removeFolder,
  runSvc,
  startServer,
} from '../../test/harness/server.ts';

let server: RunningServer;
let ada: string;
let bob: string;

beforeAll(async () => {
  server = await startServer({ folder: copyApp(import.meta.dirname), entry: 'app.ts' });
  ada = (await register(server.base, 'ada')).token;
  bob = (await register(server.base, 'bob')).token;
});
afterAll(async () => {
  await server.stop();
  removeFolder(server.folder);
});

const add = (token: string, body: object) => post(server.base, '/walker/AddBook', body, token);
const get = (path: string, token?: string) => post(server.base, path, undefined, token, 'GET');

test('books are added, found by genre and tag, reviewed, summed up and removed', async () => {
  const emma = (
    await add(ada, { title: ' Emma ', author: 'Jane Austen', genre: 'novel', tags: ['classic'], bought: '2030-01-31' })
  ).reports[0];
  expect(emma).toMatchObject({
    _svc_type: 'Book',
    title: 'Emma',
    genre: 'novel',
    tags: ['classic'],
    pages: 0,
    bought: '2030-01-31',
  });
  await add(ada, { title: 'Odes', author: 'John Keats', genre: 'poetry', pages: 80 });
  const shelf = async (query: string) =>
    (await get(`/walker/Shelf${query}`, ada)).reports.map((book: any) => book.title);
  expect(await shelf('')).toEqual(['Emma', 'Odes']);
  expect(await shelf('?genre=poetry')).toEqual(['Odes']);
  expect(await shelf('?tag=classic')).toEqual(['Emma']);
  const review = await post(server.base, `/walker/ReviewBook/${emma._svc_id}`, { text: 'Fine.', stars: 4 }, ada);
  expect(review.reports[0]).toMatchObject({ _svc_type: 'Review', text: 'Fine.', stars: 4 });
  expect((await get('/figures', ada)).reports).toEqual([
    { books: 2, pages: 80, byGenre: { novel: 1, poetry: 1 }, best: 'Emma (J. A.)' },
  ]);
  expect((await get('/walker/Next', ada)).reports.at(-1)).toMatchObject({ title: 'Odes' });
  expect((await post(server.base, `/walker/RemoveBook/${emma._svc_id}`, undefined, ada, 'DELETE')).reports).toEqual([
    'removed Emma (J. A.)',
  ]);
  expect(await shelf('')).toEqual(['Odes']);
});

test("nobody sees or changes another user's books, and a token is needed", async () => {
  const secret = (await add(ada, { title: 'Diary' })).reports[0];
  expect((await get('/walker/Shelf', bob)).reports).toEqual([]);
  expect(await post(server.base, `/walker/RemoveBook/${secret._svc_id}`, undefined, bob, 'DELETE')).toMatchObject({
    status: 404,
    error: { code: 'NODE_NOT_FOUND' },
  });
  expect(await post(server.base, '/walker/AddBook', { title: 'x' })).toMatchObject({ status: 401 });
});

test('bad input names every problem, and the program refuses what only it can judge', async () => {
  const answer = await add(ada, { title: 5, genre: 'thriller', tags: 'x', pages: 1.5 });
  expect(answer.status).toBe(422);
  expect(answer.error.details.map((problem: any) => problem.loc[1])).toEqual(['title', 'genre', 'tags', 'pages']);
  expect(await add(ada, { title: '  ' })).toMatchObject({ status: 422, error: { code: 'EMPTY_TITLE' } });
});

test('public functions need no account; one counts for all users, one calls an .svc module', async () => {
  const before = (await get('/count')).result;
  await add(bob, { title: 'One more' });
  expect(await get('/count')).toMatchObject({ status: 200, result: before + 1 });
  expect(await get('/shelves/science')).toMatchObject({ result: 'shelf C' });
  expect(await get('/shelves/other')).toMatchObject({ result: 'shelf Z' });
  expect(await get('/shelves/thriller')).toMatchObject({ status: 422 });
});

test('the description says what the code says', async () => {
  const api: any = await (await fetch(`${server.base}/openapi.json`)).json();
  expect(api.paths['/walker/AddBook'].post.description ?? api.paths['/walker/AddBook'].post.summary).toContain(
    "Adds a book to the caller's shelf",
  );
  expect(Object.keys(api.paths)).toEqual(expect.arrayContaining(['/figures', '/shelves/{genre}', '/count']));
  const { properties, required } = Object.values<any>(api.components.schemas).find(
    ({ properties: found }) => found?.bought !== undefined && found?._svc_id === undefined,
  );
  expect(required).toEqual(['title']);
  expect(properties.genre).toMatchObject({ enum: ['novel', 'poetry', 'science', 'other'], default: 'other' });
});

test('books outlive the process', async () => {
  const { folder } = server;
  const before = (await get('/walker/Shelf', ada)).reports;
  await server.stop();
  server = await startServer({ folder, entry: 'app.ts' });
  expect((await get('/walker/Shelf', ada)).reports).toEqual(before);
});

test('its own tests pass', async () => {
  const folder = copyApp(import.meta.dirname);
  const { code, stdout } = await runSvc(['test', 'tests.ts'], { cwd: folder });
  removeFolder(folder);
  expect(stdout).toContain('2 passed');
  expect(code).toBe(0);
});
