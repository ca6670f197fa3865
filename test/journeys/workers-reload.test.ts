/** `svc start --reload --workers 2`: a new version goes round the workers without a failed call (decisions/0066). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

const version = (text: string) => `import os;
import asyncio;
walker:pub Hello {
    async can greet with Root entry { await asyncio.sleep(0.01); report "${text}"; report os.getpid(); }
}
@restspec(protocol="WEBSOCKET")
async walker:pub Talk { can talk with Root entry { report "${text}"; } }
`;

interface Seen {
  readonly status: number;
  readonly text: string;
  readonly pid: number;
}

test('calls go on while all workers change to a new version, and sockets stay open', async () => {
  using folder = folderWith({
    'main.svc': version('one'),
    'svc.toml': '[plugins.scale.logging]\naccess_log = false\n',
  });
  const main = join(folder.path, 'main.svc');
  await using server = spawnSvc(
    ['start', 'main.svc', '--port', '0', '--host', '127.0.0.1', '--reload', '--workers', '2'],
    { cwd: folder.path },
  );
  const [, port] = await server.until(/Local: +http:\/\/localhost:(\d+)\//);
  await server.until(/Server ready/);
  const base = `http://127.0.0.1:${port}`;
  const hello = async (i: number): Promise<Seen> => {
    // Half of the calls come on connections of their own.
    const headers = i % 2 === 0 ? { connection: 'close' } : {};
    const answer = await fetch(`${base}/walker/Hello`, { method: 'POST', headers });
    const { reports } = (await answer.json()) as { reports: [string, number] };
    return { status: answer.status, text: reports?.[0], pid: reports?.[1] };
  };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/Talk`);
  await new Promise((resolve) => socket.once('open', resolve));
  const talk = () =>
    new Promise<string>((resolve) => {
      socket.on('message', function take(data) {
        const frame = JSON.parse(String(data));
        if (frame.type === 'ping') return;
        socket.off('message', take);
        resolve(frame.data.reports[0]);
      });
      socket.send('{}');
    });
  expect(await talk()).toBe('one');

  const seen: Seen[] = [];
  let isOver = false;
  const clients = Array.from({ length: 4 }, async (_, k) => {
    for (let i = k; !isOver && i < 20_000; i++) seen.push(await hello(i));
  });
  for (const text of ['two', 'three']) {
    await writeFile(main, version(text));
    await server.until(/Reloaded in/);
    expect(await talk()).toBe(text);
  }
  await writeFile(main, `${version('four')}walker {`);
  await server.until(/still serving/i);
  expect((await (await fetch(`${base}/__build_status`)).json()) as object).toMatchObject({ status: 'error' });
  isOver = true;
  await Promise.all(clients);
  expect(seen.filter(({ status }) => status !== 200)).toEqual([]);
  expect(new Set(seen.map(({ text }) => text)), 'calls must have met each version').toEqual(
    new Set(['one', 'two', 'three']),
  );
  const last = await Promise.all(Array.from({ length: 40 }, (_, i) => hello(2 * i)));
  expect(new Set(last.map(({ text }) => text))).toEqual(new Set(['three']));
  expect(new Set(last.map(({ pid }) => pid)).size).toBe(2);
  expect(new Set(seen.map(({ pid }) => pid)), 'the same processes all the time').toEqual(
    new Set(last.map(({ pid }) => pid)),
  );
  socket.terminate();
});
