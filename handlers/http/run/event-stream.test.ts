import { expect, test } from 'vitest';
import { createEventStream, type StreamEvents } from './event-stream.ts';

const events: StreamEvents<string> = {
  value: (json) => json,
  end: 'end',
  failed: ({ code }) => code,
  keepAlive: ': keep-alive\n\n',
};

function make(silenceMs?: number) {
  const told: string[] = [];
  const stream = createEventStream({
    onFirst: () => told.push('first'),
    onCancel: () => told.push('cancel'),
    events,
    ...(silenceMs === undefined ? {} : { silenceMs }),
  });
  return { stream, told, reader: stream.body[Symbol.asyncIterator]() };
}

test('what is sent is read in order, up to the end', async () => {
  const { stream, told, reader } = make();
  const first = reader.next();
  expect(told).toEqual([]);
  expect(await stream.send('a')).toBe(true);
  expect(told).toEqual(['first']);
  expect(await first).toEqual({ done: false, value: 'a' });
  void stream.send('b');
  stream.end('c');
  expect([await reader.next(), await reader.next(), await reader.next()].map((step) => step.value)).toEqual([
    'b',
    'c',
    undefined,
  ]);
  expect(await stream.send('late')).toBe(false);
});

test('the sender waits until the reader wants more', async () => {
  const { stream, reader } = make();
  let sent = 0;
  void (async () => {
    while (await stream.send(`${sent}`)) if (++sent === 100) break;
  })();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(sent).toBeLessThan(2);
  for (let i = 0; i < 10; i++) expect((await reader.next()).value).toBe(`${i}`);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(sent).toBeLessThan(12);
});

test('a reader that goes away cancels the sender', async () => {
  const { stream, told, reader } = make();
  void stream.send('a');
  const waiting = stream.send('b');
  await reader.return!();
  expect([await waiting, await stream.send('c')]).toEqual([false, false]);
  expect(told).toEqual(['first', 'cancel']);
  stream.end('x');
  expect((await reader.next()).done).toBe(true);
});

test('silence is broken by a comment, as long as somebody reads', async () => {
  const { reader, stream } = make(5);
  const first = reader.next();
  await stream.send('a');
  await first;
  expect((await reader.next()).value).toBe(': keep-alive\n\n');
  expect((await reader.next()).value).toBe(': keep-alive\n\n');
  stream.end('z');
  expect((await reader.next()).value).toBe('z');
});
