import { expect, test } from 'vitest';
import type { KubeClient } from '../../cluster/client.ts';
import type { LogLine } from '../target.ts';
import { linesOfPod, mergedLines, openLineWindow, positionAfter } from './log-lines.ts';

/** The log of a pod on a node that writes these lines. */
function logOf(name: string, lines: readonly string[], last?: { time: string; count: number }) {
  const client = {
    async *lines() {
      yield* lines;
    },
  } as unknown as KubeClient;
  const place = { client, namespace: 'default', app: 'demo', signal: new AbortController().signal };
  return linesOfPod(place, { apiVersion: 'v1', kind: 'Pod', metadata: { name } }, {}, last);
}

async function all(lines: AsyncIterable<LogLine>): Promise<string[]> {
  const found: string[] = [];
  for await (const { source, text } of lines) found.push(`${source} ${text}`);
  return found;
}

test('logs of nodes in other time zones, with other numbers of digits, are merged by time', async () => {
  const one = logOf('one', ['2026-01-02T10:00:00.1Z first', '2026-01-02T10:00:00.3Z third']);
  const other = logOf('other', ['2026-01-02T12:00:00.12+02:00 second', '2026-01-02T12:00:01+02:00 fourth']);
  expect(await all(mergedLines([one, other]))).toEqual(['one first', 'other second', 'one third', 'other fourth']);
});

test('a line that the node says itself comes where it stands', async () => {
  const lines = await all(logOf('one', ['2026-01-02T10:00:00Z first', 'unable to retrieve more of it']));
  expect(lines).toEqual(['one first', 'one unable to retrieve more of it']);
});

test('what was read before is left out when a log is read again', async () => {
  const written = [
    '2026-01-02T10:00:00.1Z a',
    '2026-01-02T10:00:00.2Z b',
    '2026-01-02T10:00:00.2Z c',
    '2026-01-02T10:00:00.2Z d',
  ];
  let last: ReturnType<typeof positionAfter> | undefined;
  for await (const line of logOf('one', written.slice(0, 3))) last = positionAfter(last, line);
  expect(await all(logOf('one', written, last))).toEqual(['one d']);
});

test('lines that wait for others are bounded', () => {
  const written: string[] = [];
  const window = openLineWindow(({ text }) => written.push(text));
  for (let at = 0; at < 10_000; at++) window.push({ time: String(at), source: 'one', text: String(at) });
  expect(written.length).toBe(10_000);
  window.push({ time: '1', source: 'one', text: 'last' });
  window.close();
  expect(written.at(-1)).toBe('last');
});
