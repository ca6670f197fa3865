/** Single connections that ended a process that had just started. Each has a process of its own: code that is loaded with the first of its kind is part of it. */
import { appendFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyApp, post, type RunningServer, removeFolder, repository, runSvc, startServer } from '../harness/server.ts';
import { isRunning, workerPids } from '../harness/worker-pids.ts';
import { type Attack, perform } from './attack.ts';
import { chunked, handshake, head, multipartHead, multipartOf, part } from './bytes.ts';

/** Starts the application, attacks it, and looks whether the same processes still answer. */
async function attacked(attacks: readonly Attack[], args: readonly string[] = []): Promise<string[]> {
  const folder = copyApp(join(repository, 'test/attacks/app'));
  try {
    await using server = await startServer({ folder, args });
    const pids = [server.child.pid!, ...workerPids(server.child.pid!)];
    const answers: string[] = [];
    // Attacks that come while the process is still busy with its start meet another state of it.
    await answersAsBefore(server, pids);
    for (const { attack, hasFired, missing, answer } of await Promise.all(
      attacks.map((one) => perform(server.port, one)),
    )) {
      expect(hasFired, `${attack.name}: ${missing}`).toBe(true);
      answers.push(answer);
    }
    await answersAsBefore(server, pids);
    return answers;
  } finally {
    removeFolder(folder);
  }
}

async function answersAsBefore(server: RunningServer, pids: readonly number[]): Promise<void> {
  const called = await post(server.base, '/walker/Ping', { name: 'Ada' }).catch((error) => error.cause);
  expect(called, server.output()).toMatchObject({ status: 200, reports: ['hi Ada'] });
  expect(pids.filter(isRunning), server.output()).toEqual(pids);
  expect(server.output()).not.toMatch(/uncaught|unhandled/i);
}

for (const path of ['/nowhere', '/ws/Echo']) {
  for (const delayMs of [0, 1, 2, 4]) {
    test(`the first upgrades of a process, to ${path}, reset from ${delayMs} ms on`, async () => {
      const after = Array.from({ length: 8 }, (_, i) => delayMs + i / 2);
      await attacked(
        after.map((pauseMs) => ({ name: 'upgrade', moves: [{ send: handshake(path) }, { pauseMs }], end: 'reset' })),
      );
    });
  }
}

test('a multipart body with too many parts, in several pieces, is 413', async () => {
  const parts = Array.from(
    { length: 1001 },
    (_, i) => `--X\r\nContent-Disposition: form-data; name="a${i}"\r\n\r\nv\r\n`,
  );
  for (const args of [[], ['--workers', '2']]) {
    const [answer] = await attacked([multipartOf('parts', inPieces(parts.join(''), 11))], args);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  }
});

test('a multipart body that is none, in several pieces, is 400', async () => {
  const part = '--X\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbytes\r\n';
  const answers = await attacked([
    multipartOf('bad header', [part, '--X\r\n\r\n\r\n', part.repeat(5), part]),
    multipartOf('no end', [part, part, part]),
    multipartOf('no end of a file that nobody takes', [part, part.replace('"file"', '"other"')]),
  ]);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

function inPieces(text: string, count: number): string[] {
  const size = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, i) => text.slice(i * size, (i + 1) * size));
}

test('CONNECT and a body that is cut off, reset at once', async () => {
  await attacked([
    { name: 'connect', moves: [{ send: 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n' }], end: 'reset' },
    {
      name: 'chunk',
      moves: [{ send: head('POST /walker/Ping', 'Transfer-Encoding: chunked') }, { send: chunked('{') }],
      end: 'reset',
    },
  ]);
});

/** Opens `count` connections at once; those that the server closes leave the list. */
function crowd(port: number, count: number): Socket[] {
  const open = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.on('close', () => open.splice(open.indexOf(socket), 1));
    return socket;
  });
  return open;
}

/** Waits until no more than `most` are open. Who of several processes gets how many is the system's business; one of them is full. */
async function stays(open: readonly Socket[], least: number, most: number): Promise<void> {
  await expect.poll(() => open.length).toBeLessThanOrEqual(most);
  expect(open.length).toBeGreaterThanOrEqual(least);
}

for (const workers of [1, 2]) {
  test(`connections above the limit of ${workers} processes are closed, and cost nothing more`, async () => {
    const folder = copyApp(join(repository, 'test/attacks/app'));
    appendFileSync(join(folder, 'svc.toml'), '\n[serve]\nmax_connections = 20\n');
    try {
      await using server = await startServer({ folder, args: ['--workers', String(workers)] });
      const open = crowd(server.port, 100);
      await stays(open, 20, 20 * workers);
      for (const socket of open.splice(0)) socket.destroy();
      const call = () => post(server.base, '/walker/Ping', { name: 'Ada' }).catch(() => undefined);
      await expect.poll(call).toMatchObject({ reports: ['hi Ada'] });
    } finally {
      removeFolder(folder);
    }
  });

  test(`${workers} processes with more connections than files: what is loaded later still can be`, async () => {
    const folder = copyApp(join(repository, 'test/attacks/app'));
    // Bundled now, which takes more files than that.
    expect((await runSvc(['check', 'main.svc'], { cwd: folder })).code).toBe(0);
    try {
      const under = ['prlimit', '--nofile=400:400'];
      await using server = await startServer({ folder, under, args: ['--workers', String(workers)] });
      const open = crowd(server.port, 700);
      await stays(open, 200, 200 * workers);
      const [first, second] = open;
      const answers = [first!, second!].map(
        (socket) => new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString('latin1')))),
      );
      first!.write(handshake('/ws/Echo'));
      const body = `${part('file', 'x'.repeat(1_500_000), 'a')}--X--\r\n`;
      second!.write(head('POST /walker/Upload', ...multipartHead) + chunked(body) + chunked(''));
      expect(await answers[0]).toMatch(/^HTTP\/1\.1 101 /);
      expect(await answers[1]).toMatch(/^HTTP\/1\.1 200 /);
      for (const socket of open.splice(0)) socket.destroy();
    } finally {
      removeFolder(folder);
    }
  });
}

test('a log that cannot be written, as on a full disk, keeps nobody from being served', async () => {
  const folder = copyApp(join(repository, 'test/attacks/app'));
  try {
    const under = ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh'];
    await using server = await startServer({ folder, under, env: { SVC_ENV: 'development' } });
    for (let i = 0; i < 5; i++) {
      expect(await post(server.base, '/walker/Ping', { name: 'Ada' })).toMatchObject({ reports: ['hi Ada'] });
    }
    expect(await server.stop()).toBe(0);
  } finally {
    removeFolder(folder);
  }
});
