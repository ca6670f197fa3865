/** `svc start --workers N`: one server made of several processes (docs/server/commands.md#workers, docs/server/commands.md#shutdown). */

import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { takePort } from '../harness/ports.ts';
import { startRedis } from '../harness/redis-server.ts';
import { post, register, runSvc, startServer } from '../harness/server.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';
import { isRunning, workerPids } from '../harness/worker-pids.ts';

const app = `import os;
import asyncio;
node Counter { has name: str; has value: int = 0; }
node Tag { has name: str; }
walker:pub Pid { can go with Root entry { report os.getpid(); } }
walker Bump {
    can go with Root entry {
        found = [-->[?:Counter, name == "hits"]];
        counter = found[0] if found else (here ++> Counter(name="hits"));
        counter.value += 1;
        report counter.value;
    }
}
walker Value { can go with Root entry { report [c.value for c in [-->[?:Counter]]]; } }
walker:pub Tagged {
    has name: str;
    can go with Root entry {
        found = [-->[?:Tag, name == self.name]];
        tag = found[0] if found else (here ++> Tag(name=self.name));
        report jid(tag);
    }
}
walker:pub Tags { can go with Root entry { report len([-->[?:Tag]]); } }
walker:pub Slow {
    has seconds: float = 1.0;
    async can go with Root entry {
        print("resting");
        await asyncio.sleep(self.seconds);
        here ++> Tag(name="slow");
        report "done";
    }
}
`;

/** The same, whose entry block does not end while there is a file `hold`. */
const held = `import time;
${app}
with entry { while os.path.exists("hold") { print("held"); time.sleep(0.05); } }
`;

/** Makes `count` calls, thirty at a time, on connections of their own so that they are spread over the workers. */
async function many(count: number, call: (i: number) => Promise<any>): Promise<any[]> {
  const answers: any[] = [];
  let next = 0;
  const client = async () => {
    while (next < count) answers.push(await call(next++));
  };
  await Promise.all(Array.from({ length: 30 }, client));
  return answers;
}

/** Process ids of the workers that answer. */
async function answering(base: string): Promise<Set<number>> {
  return new Set(await many(60, () => pidThatAnswers(base)));
}

async function pidThatAnswers(base: string): Promise<number> {
  for (;;) {
    try {
      const options = { method: 'POST', headers: { connection: 'close' }, signal: AbortSignal.timeout(2000) };
      return ((await (await fetch(`${base}/walker/Pid`, options)).json()) as any).reports[0];
    } catch {
      // A connection on its way to a worker that was just killed is closed (decisions/0066). Nobody may be there for seconds.
      await sleep(20);
    }
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended by itself.
  }
}

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await what())) await sleep(20);
}

for (const workers of [1, 2, 4]) {
  test(`${workers} worker${workers === 1 ? '' : 's'}: no call gets lost or done twice, each has one line in the log`, async () => {
    using folder = folderWith({ 'main.svc': app });
    await using server = await startServer({
      folder: folder.path,
      args: ['--workers', String(workers)],
      env: { SVC_ENV: 'development' },
    });
    expect((await answering(server.base)).size).toBe(workers);
    const { token } = await register(server.base, 'ada');

    const bumped = await many(100, () => post(server.base, '/walker/Bump', {}, token));
    expect(bumped.map(({ status }) => status)).toEqual(Array(100).fill(200));
    expect(bumped.map(({ reports }) => reports[0]).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, i) => i + 1),
    );
    expect((await post(server.base, '/walker/Value', {}, token)).reports).toEqual([[100]]);

    const tagged = await many(200, () => post(server.base, '/walker/Tagged', { name: 'one' }));
    expect(new Set(tagged.map(({ reports }) => reports[0])).size).toBe(1);
    expect((await post(server.base, '/walker/Tags')).reports).toEqual([1]);

    expect(await server.stop()).toBe(0);
    const lines = server.output().split('\n');
    expect(lines.filter((line) => line.includes('"event":"ready"'))).toHaveLength(1);
    const requests = lines.filter((line) => line.startsWith('{') && JSON.parse(line).msg === 'request');
    expect(requests.filter((line) => line.includes('/walker/Tagged'))).toHaveLength(200);
  });
}

test('a change made through one worker is seen by every other one right after', async () => {
  using folder = folderWith({ 'main.svc': app });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  const { token } = await register(server.base, 'ada');
  for (let i = 1; i <= 60; i++) {
    const bump = await fetch(`${server.base}/walker/Bump`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, connection: 'close' },
    });
    expect(((await bump.json()) as any).reports).toEqual([i]);
  }
  for (let i = 0; i < 20; i++) {
    const name = `user${i}`;
    const signedIn = await register(server.base, name);
    expect((await post(server.base, '/user/logout', {}, signedIn.token)).status).toBe(200);
    const after = await many(4, () => post(server.base, '/walker/Value', {}, signedIn.token));
    expect(after.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  }
});

test('a logout is known to every worker before it is answered, however late the key-value store passes it on', async () => {
  await using redis = await startRedis();
  using folder = folderWith({ 'main.svc': app });
  await using server = await startServer({
    folder: folder.path,
    args: ['--workers', '2'],
    env: { KVCACHE_URL: redis.url },
  });
  const { token } = await register(server.base, 'ada');
  const values = () => many(20, () => post(server.base, '/walker/Value', {}, token));
  // Each worker has checked the token before, and remembers it.
  expect((await values()).map(({ status }) => status)).toEqual(Array(20).fill(200));
  redis.pause();
  expect((await post(server.base, '/user/logout', {}, token)).status).toBe(200);
  expect((await values()).map(({ status }) => status)).toEqual(Array(20).fill(401));
  redis.resume();
});

/** They wait for times of the product, most of them, and do so beside each other. */
describe.concurrent('what takes its time', () => {
  test('a worker that is killed is replaced, and the other one serves meanwhile', async () => {
    using folder = folderWith({ 'main.svc': held });
    await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
    const before = await answering(server.base);
    const [killed, other] = [...before];
    writeFileSync(join(folder.path, 'hold'), ''); // however long the calls take, there is no successor yet
    process.kill(killed!, 'SIGKILL');
    await until(() => !isRunning(killed!));
    expect(await answering(server.base)).toEqual(new Set([other]));
    rmSync(join(folder.path, 'hold'));
    await until(async () => (await answering(server.base)).size === 2);
    const after = await answering(server.base);
    expect(after).toContain(other);
    expect(after).not.toContain(killed);
    expect(server.output()).toMatch(/a worker process ended unexpectedly with SIGKILL.*"replaced_after_ms":500/);
    // Both at once, with a port that was found at the start: it stays the same.
    for (const pid of after) process.kill(pid, 'SIGKILL');
    await until(async () => (await answering(server.base).catch(() => new Set())).size === 2);
    expect(await server.stop()).toBe(0);
  });

  test('the last worker that has the port found at the start ends while a successor starts: the address stays', async () => {
    using folder = folderWith({ 'main.svc': held });
    await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
    const [first, second] = workerPids(server.child.pid!);
    writeFileSync(join(folder.path, 'hold'), '');
    kill(first!);
    await until(() => server.output().includes('held'));
    kill(second!);
    await until(() => server.output().match(/ended unexpectedly with SIGKILL/g)?.length === 2);
    rmSync(join(folder.path, 'hold'));
    await until(async () => (await answering(server.base)).size === 2);
    expect(await server.stop()).toBe(0);
  });

  test('workers that cannot start any more are given up with one line and exit code 1', async () => {
    using folder = folderWith({
      'main.svc': `${app}with entry { if os.path.exists("broken") { raise ValueError("broken"); } }\n`,
    });
    await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
    writeFileSync(join(folder.path, 'broken'), '');
    // Until nobody serves, those that fail to start are tried again.
    const [first, second] = workerPids(server.child.pid!);
    kill(first!);
    await until(() => (server.output().match(/ended unexpectedly with code 1/g)?.length ?? 0) >= 2);
    expect((await post(server.base, '/walker/Pid')).reports).toEqual([second]);
    kill(second!);
    expect(await server.ended()).toBe(1);
    expect(server.output().match(/^svc: /gm)).toHaveLength(1);
    expect(server.output()).toMatch(
      /^svc: cannot keep serving: more than 5 worker processes failed to start within a minute/m,
    );
  });

  test('however often workers that serve are ended, the primary process replaces them', async () => {
    using folder = folderWith({ 'main.svc': app });
    await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
    for (let round = 1; round <= 3; round++) {
      await until(async () => (await answering(server.base)).size === 2);
      for (const pid of workerPids(server.child.pid!)) kill(pid);
      await until(() => server.output().match(/"replaced_after_ms"/g)?.length === 2 * round);
    }
    expect((await answering(server.base)).size).toBe(1);
    expect(server.output()).toMatch(/"replaced_after_ms":16000/);
    expect(server.child.exitCode).toBe(null);
    expect(await server.stop()).toBe(0);
  });

  test('SIGTERM: readiness says no, running calls are answered, then everything ends with 0; SIGHUP is ignored', async () => {
    using folder = folderWith({ 'main.svc': app, 'svc.toml': '[serve]\ndrain_delay_seconds = 5\n' });
    await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
    server.child.kill('SIGHUP');
    const pids = [...(await answering(server.base))];
    const running = [0, 1, 2, 3].map(() => post(server.base, '/walker/Slow', { seconds: 7 }));
    await until(() => server.output().match(/resting/g)?.length === 4);
    // The signal goes to every process, as a service manager sends it.
    for (const pid of [server.child.pid!, ...pids]) process.kill(pid, 'SIGTERM');
    await until(async () => (await fetch(`${server.base}/healthz/ready`)).status === 503);
    expect((await post(server.base, '/walker/Pid')).status, 'still served while balancers take notice').toBe(200);
    for (const answer of await Promise.all(running)) expect(answer.reports).toEqual(['done']);
    expect(
      await new Promise((resolve) =>
        server.child.exitCode === null ? server.child.once('exit', resolve) : resolve(server.child.exitCode),
      ),
    ).toBe(0);
    await until(() => !pids.some(isRunning));
  });
});

test('what does not finish in time is aborted and stores nothing: exit code 1', async () => {
  using folder = folderWith({ 'main.svc': app, 'svc.toml': '[serve]\ndrain_timeout_seconds = 1\n' });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  const aborted = post(server.base, '/walker/Slow', { seconds: 60 }).catch(() => undefined);
  await until(() => server.output().includes('resting'));
  expect(await server.stop()).toBe(1);
  await aborted;
  await using again = await startServer({ folder: folder.path });
  expect((await post(again.base, '/walker/Tags')).reports).toEqual([0]);
});

/** Asks nothing: a connection that comes just when its worker closes may stay unanswered until the primary process ends. */
function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

test('a second signal ends everything at once', async () => {
  using folder = folderWith({ 'main.svc': app });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  const pids = workerPids(server.child.pid!);
  const aborted = post(server.base, '/walker/Slow', { seconds: 60 }).catch(() => undefined);
  await until(() => server.output().includes('resting'));
  server.child.kill('SIGTERM');
  await until(async () => !(await takesConnections(server.port)));
  expect(await server.stop('SIGTERM')).toBe(143);
  await until(() => !pids.some(isRunning));
  await aborted;
});

test('workers end with their primary process', async () => {
  using folder = folderWith({ 'main.svc': app });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  const pids = workerPids(server.child.pid!);
  expect(pids).toHaveLength(2);
  await server.stop('SIGKILL');
  await until(() => !pids.some(isRunning));
});

test('the default port in use: another one outside production, the same for all workers', async () => {
  using folder = folderWith({ 'main.svc': app });
  await using taken = await takePort('127.0.0.1', 8000);
  const args = ['start', 'main.svc', '--host', '127.0.0.1', '--workers', '2'];
  await using server = spawnSvc(args, { cwd: folder.path, env: { PORT: '', SVC_SERVE_PORT: '' } });
  const [, used] = await server.until(new RegExp(`Port ${taken.port} is in use, using port (\\d+) instead`));
  await server.until(/Server ready/);
  expect((await answering(`http://127.0.0.1:${used}`)).size).toBe(2);
  expect(server.stdout().match(/svc server v/g)).toHaveLength(1);
});

test('a program that cannot be served is told once, with its exit code', async () => {
  using broken = folderWith({ 'main.svc': 'walker {' });
  const compile = await runSvc(['start', 'main.svc', '--port', '0', '--workers', '2'], { cwd: broken.path });
  expect(compile.code).toBe(3);
  expect(compile.stderr.match(/^svc: /gm)).toHaveLength(1);
  using failing = folderWith({ 'main.svc': 'with entry { raise ValueError("no luck"); }' });
  const thrown = await runSvc(['start', 'main.svc', '--port', '0', '--workers', '2'], { cwd: failing.path });
  expect(thrown.code).toBe(1);
  expect(thrown.stderr.match(/ValueError: no luck/g)).toHaveLength(1);
});

const pid = ({ base }: { readonly base: string }) =>
  fetch(`${base}/walker/Pid`, { method: 'POST', headers: { connection: 'close' } }).then(
    async (answer) => ((await answer.json()) as { reports: number[] }).reports[0]!,
    (error) => String(error.cause.code),
  );

test('connections that a worker does not take are answered by the others, and it serves again when it is back', async () => {
  using folder = folderWith({ 'main.svc': app });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  const [silent, other] = workerPids(server.child.pid!) as [number, number];
  process.kill(silent, 'SIGSTOP');
  for (let i = 0; i < 3; i++)
    expect(await Promise.all(Array.from({ length: 8 }, () => pid(server)))).toEqual(Array(8).fill(other));
  process.kill(silent, 'SIGCONT');
  await until(async () => (await pid(server)) === silent);
  expect((await answering(server.base)).size).toBe(2);
});

test('a connection that a worker did not take before it was killed is closed or taken back; all others are answered', async () => {
  using folder = folderWith({ 'main.svc': app });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  const [victim, other] = workerPids(server.child.pid!) as [number, number];
  process.kill(victim, 'SIGSTOP');
  const outcomes: (number | string)[] = [];
  const calls = Array.from({ length: 8 }, async () => void outcomes.push(await pid(server)));
  await until(() => outcomes.length >= 7); // the eighth, too, when this process was away for long
  process.kill(victim, 'SIGKILL');
  await Promise.all(calls);
  expect(outcomes.slice(0, 7)).toEqual(Array(7).fill(other));
  expect(['ECONNRESET', 'UND_ERR_SOCKET', other]).toContain(outcomes[7]);
  await server.stop();
});
