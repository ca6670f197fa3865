import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyApp, post, type RunningServer, register, removeFolder, startServer } from '../../test/harness/server.ts';

let server: RunningServer;
const tokens: Record<string, string> = {};
const call = (who: string | undefined, walker: string, body: object = {}, method = 'POST') =>
  post(server.base, walker.startsWith('/') ? walker : `/walker/${walker}`, body, who && tokens[who], method);

beforeAll(async () => {
  server = await startServer({ folder: copyApp(import.meta.dirname) });
  for (const name of ['ada', 'bob', 'cyd', 'dan']) {
    tokens[name] = (await register(server.base, name)).token;
    if (name !== 'dan')
      expect(await call(name, 'CreateProfile', { handle: name, bio: `I am ${name}` })).toMatchObject({ status: 200 });
  }
});
afterAll(async () => {
  await server.stop();
  removeFolder(server.folder);
});

test('handles are unique and checked', async () => {
  expect(await call('dan', 'CreateProfile', { handle: 'ADA' })).toMatchObject({
    status: 409,
    error: { code: 'HANDLE_TAKEN' },
  });
  expect(await call('dan', 'CreateProfile', { handle: 'not ok' })).toMatchObject({
    status: 422,
    error: { code: 'BAD_HANDLE' },
  });
  expect(await call('ada', 'CreateProfile', { handle: 'ada2' })).toMatchObject({
    status: 409,
    error: { code: 'HAS_PROFILE' },
  });
  expect(await call('dan', 'Publish', { text: 'x' })).toMatchObject({ status: 409, error: { code: 'NO_PROFILE' } });
});

test('following shows in both profiles, once, and everyone may read them', async () => {
  await call('ada', 'Follow', { handle: 'bob' });
  await call('ada', 'Follow', { handle: 'bob' });
  await call('bob', 'Follow', { handle: 'cyd' });
  expect((await call(undefined, '/profiles/bob', {}, 'GET')).reports).toEqual([
    { handle: 'bob', bio: 'I am bob', followers: 1, following: 1, posts: 0 },
  ]);
  expect(await call(undefined, '/profiles/nobody', {}, 'GET')).toMatchObject({
    status: 404,
    error: { code: 'NO_SUCH_PROFILE' },
  });
  expect((await call('ada', 'Suggestions', {}, 'GET')).reports).toEqual(['cyd']);
});

test('the feed has the posts of those one follows, newest first; likes count once', async () => {
  const first = (await call('bob', 'Publish', { text: 'Good morning #hello #World' })).reports[0];
  await call('bob', 'Publish', { text: 'Lunch #hello' });
  await call('cyd', 'Publish', { text: 'Not for ada #world' });
  expect(first).toMatchObject({ author: 'bob', tags: ['hello', 'world'], likes: 0 });
  const feed = (await call('ada', 'Feed', {}, 'GET')).reports;
  expect(feed.map((line: any) => line.text)).toEqual(['Lunch #hello', 'Good morning #hello #World']);
  await call('ada', `Like/${first.id}`);
  expect((await call('ada', `Like/${first.id}`)).reports[0].likes).toBe(1);
  expect((await call('cyd', `Like/${first.id}`)).reports[0].likes).toBe(2);
});

test('trending counts tags over all posts, without an account', async () => {
  expect((await call(undefined, '/trending?top=2', {}, 'GET')).reports).toEqual([
    [
      { tag: 'hello', posts: 2 },
      { tag: 'world', posts: 2 },
    ],
  ]);
});

test('unfollowing empties the feed', async () => {
  expect((await call('ada', 'Unfollow', { handle: 'bob' })).reports).toEqual([true]);
  expect((await call('ada', 'Unfollow', { handle: 'bob' })).reports).toEqual([false]);
  expect((await call('ada', 'Feed', {}, 'GET')).reports).toEqual([]);
});
