import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { streamed } from './events.ts';

test('a stream that has ended keeps its connection; one given up closes it', async () => {
  const sockets = new Set<unknown>();
  let cut = 0;
  let last: ServerResponse | undefined;
  const server = createServer((request, answer) => {
    sockets.add(request.socket);
    answer.on('close', () => {
      if (!answer.writableFinished) cut += 1;
    });
    answer.writeHead(200, { 'Content-Type': 'text/event-stream' });
    answer.write('data: 1\n\ndata: 2\n\n');
    if (request.url === '/endless') return;
    answer.write('event: end\ndata: {}\n\n');
    last = answer;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    for (let round = 0; round < 3; round += 1) {
      const values: unknown[] = [];
      for await (const value of streamed(await fetch(base))) values.push(value);
      expect(values).toEqual([1, 2]);
      // The end of the body comes later, and is read in one of the next turns.
      const finished = once(last!, 'finish');
      last!.end();
      await finished;
      for (let turns = 0; turns < 20; turns += 1) await turn();
    }
    expect({ cut, sockets: sockets.size }).toEqual({ cut: 0, sockets: 1 });
    for await (const _ of streamed(await fetch(`${base}/endless`))) break;
    await expect.poll(() => cut).toBe(1);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
