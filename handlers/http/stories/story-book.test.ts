import { expect, test } from 'vitest';
import { fixtureApp } from '../../../test/harness/fixture-app.ts';
import { createStoryBook } from './story-book.ts';

const opened = async (replays = true) => {
  const stories = createStoryBook({ share: 1, replays });
  return { stories, ...(await fixtureApp({ deps: { stories } })) };
};

/** Gives the part of a plain envelope that is kept: no identifiers, and nothing twice. */
const keptOf = (text: string | undefined) => {
  const { ok, data, error } = JSON.parse(text!);
  return { ok, data, error };
};

test('a call is kept as it was: fields, answer, steps', async () => {
  const { stories, post } = await opened();
  const sent = await post('/walker/Echo?a=1', { message: 'hello', times: 2 }, { headers: { 'user-agent': 'here' } });
  const [call] = stories.list();
  expect(call).toMatchObject({
    method: 'POST',
    path: '/walker/Echo',
    query: 'a=1',
    userAgent: 'here',
    nodeId: undefined,
  });
  expect(call!.id).toBe(sent.body.meta.request_id);
  expect(new TextDecoder().decode(call!.body)).toBe('{"message":"hello","times":2}');
  expect(call!).toMatchObject({ status: 200, isTruncated: false, isCut: false });
  expect(JSON.parse(call!.answer!)).toEqual(keptOf(sent.text));
  expect(call!.steps.map(({ kind }) => kind)).toEqual(['visit', 'report', 'report']);
});

test('where calls are not replayed nothing is kept for that: neither the result, nor what the call saw or got from outside', async () => {
  for (const replays of [true, false]) {
    const { stories, post } = await opened(replays);
    const { body } = await post('/walker/Echo', { message: 'hello' });
    const story = stories.list()[0]!;
    expect(JSON.parse(story.answer!).data).toEqual({ ...body.data, result: replays ? body.data.result : null });
    expect([story.forReplay === undefined, story.tape === undefined]).toEqual([!replays, !replays]);
    expect(Math.abs(story.atMs - Date.now())).toBeLessThan(60_000);
  }
});

test.each([
  ['letters', 'plain'],
  ['other letters', 'Grüße, 世界 🙂'],
  ['more than a place has room for', 'x'.repeat(5000)],
  ['other letters that may be more than there is room for', '世'.repeat(1000)],
])('bodies and answers of %s are given back', async (_, message) => {
  const { stories, post } = await opened();
  await post('/walker/Echo', { message: 'before' });
  const { text } = await post('/walker/Echo', { message });
  const [call] = stories.list();
  expect(JSON.parse(new TextDecoder().decode(call!.body))).toEqual({ message });
  expect(JSON.parse(call!.answer!)).toEqual(keptOf(text));
});

test('a place is taken again by calls with fewer and with more steps, and nothing of another call is left in it', async () => {
  const { stories, post } = await opened();
  const counts = [1, 20, 3, 120, 2];
  for (const times of counts) {
    const { text } = await post('/walker/Echo', { message: `m${times}`, times });
    for (let i = 1; i < 500; i++) await post('/walker/Ping', {});
    const call = stories.list().at(-1)!;
    expect(JSON.parse(call.answer!)).toEqual(keptOf(text));
    expect(call.steps).toHaveLength(times + 1);
  }
});

test('the last 500 are kept; a call that was asked for stays what it is', async () => {
  const { stories, post } = await opened();
  const first = await post('/walker/Echo', { message: 'first' });
  const call = stories.find(first.body.meta.request_id)!;
  for (let i = 0; i < 499; i++) await post('/walker/Echo', { message: `later ${i}` });
  expect(stories.list()).toHaveLength(500);
  expect(JSON.parse(stories.find(call.id)!.answer!)).toEqual(keptOf(first.text));
  await post('/walker/Echo', { message: 'the last' });
  expect(stories.list()).toHaveLength(500);
  expect(stories.find(call.id)).toBeUndefined();
  expect(JSON.parse(call.answer!)).toEqual(keptOf(first.text));
  expect(new TextDecoder().decode(call.body)).toBe('{"message":"first"}');
});

test('the oldest are forgotten where the last 500 hold too many bytes together', async () => {
  const { stories, post } = await opened();
  const message = 'x'.repeat(18_000);
  const padded = `{"message":"${message}"}${' '.repeat(20_000)}`;
  for (let i = 0; i < 500; i++) await post('/walker/Echo', padded);
  const kept = stories.list();
  const bytes = kept.reduce((sum, { story, bytesIn }) => sum + story.bytes + bytesIn, 0);
  // The newest call was still to come to what it holds when the others were counted.
  expect(bytes).toBeLessThanOrEqual(32 * 2 ** 20 + kept[0]!.bytes);
  expect(kept[0]!.isCut).toBe(false);
  expect(kept.length).toBeGreaterThan(200);
  expect(kept.length).toBeLessThan(500);
  expect(kept[0]!.status).toBe(200);
});

test('bodies count where answers are short', async () => {
  const { stories, post } = await opened();
  const padded = `{"message":"short"}${' '.repeat(90_000)}`;
  for (let i = 0; i < 500; i++) await post('/walker/Echo', padded);
  const kept = stories.list();
  expect(kept[0]!.bytesIn).toBe(padded.length);
  expect(kept.length).toBeGreaterThan(200);
  expect(kept.length).toBeLessThan(500);
});

test('a call that runs is listed without an answer; one that takes longer than 500 others is forgotten, and theirs stay', async () => {
  const { stories, post } = await opened();
  const slow = post('/walker/Slow', { ms: 1 });
  expect(stories.list().map(({ target, story }) => [target.name, story.status])).toEqual([['Slow', undefined]]);
  // No timer ends among these: none of them waits for anything.
  for (let i = 0; i < 500; i++) await post('/walker/Ping', {});
  await slow;
  expect(stories.list().every(({ target }) => target.name === 'Ping')).toBe(true);
  expect(stories.list()).toHaveLength(500);
});

test('a call that failed is kept with its code', async () => {
  const { stories, post } = await opened();
  const { text } = await post('/walker/Fails', {});
  expect(stories.list()[0]!).toMatchObject({ status: 500, errorCode: 'EXECUTION_ERROR', answer: text });
});
