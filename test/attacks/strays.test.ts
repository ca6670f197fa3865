/** Work that nothing waits for and that fails: a program's own, and that of packages it uses, which stands for faults of the server. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyApp, post, type RunningServer, removeFolder, repository, startServer } from '../harness/server.ts';
import { isRunning, workerPids } from '../harness/worker-pids.ts';

const app = join(repository, 'test/attacks/strays');
const source = readFileSync(join(app, 'main.svc'), 'utf8');
const kinds = [...source.matchAll(/case "([^"]+)":/g)].map((found) => found[1]!);

/** Text that the log must have for each kind; `exit` raises no ValueError. */
const toldOf: Readonly<Record<string, string>> = {
  cancelled: 'ValueError: stray after cancelled',
  exit: 'Exception in callback exit(): SystemExit: 3',
};

interface LogRecord {
  readonly level: string;
  readonly msg: string;
  readonly error?: { readonly frames: readonly { readonly file: string; readonly line: number }[] };
}

function recordsOf(server: RunningServer): LogRecord[] {
  const lines = server.output().split('\n');
  const whole = lines.filter((line) => line.startsWith('{"time":') && line.endsWith('}'));
  return whole.map((line) => JSON.parse(line));
}

type Found<T> = T | undefined | false;

async function until<T>(look: () => Found<T> | Promise<Found<T>>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function metric(server: RunningServer, pattern: RegExp): Promise<number> {
  const text = await (await fetch(`${server.base}/metrics`)).text();
  return Number(pattern.exec(text)?.[1] ?? 0);
}

test('whatever a program schedules may fail: it is logged with its place, and the process goes on', async () => {
  expect(kinds).toHaveLength(22);
  const folder = copyApp(app);
  try {
    await using server = await startServer({ folder });
    for (const how of kinds) {
      expect(await post(server.base, '/function/begin', { how }), how).toMatchObject({ status: 200, result: how });
      const expected = toldOf[how] ?? `: stray ${how}`;
      const record = await until(() => {
        expect(server.child.exitCode, `${how}\n${server.output()}`).toBe(null);
        return recordsOf(server).find(({ msg }) => msg.endsWith(expected));
      });
      expect(record.level, how).toBe('error');
      if (how !== 'exit')
        expect(record.error!.frames[0], how).toMatchObject({ file: expect.stringMatching(/^(main|foreign)\./) });
    }
    const counted = /uncaught_errors_total\{origin="program",effect="nothing_ended"\} (\d+)/;
    expect(await metric(server, counted)).toBe(kinds.length);
    expect(await metric(server, /uncaught_errors_total\{origin="server"[^}]*\} (\d+)/)).toBe(0);
  } finally {
    removeFolder(folder);
  }
});

/** A program whose package fails where nothing catches it: frames of a package are none of the program. */
function appWithPackage(): string {
  const folder = copyApp(app);
  const packaged = join(folder, 'node_modules', 'careless');
  mkdirSync(packaged, { recursive: true });
  writeFileSync(
    join(packaged, 'package.json'),
    '{"name":"careless","version":"1.0.0","type":"module","main":"index.js"}',
  );
  writeFileSync(
    join(packaged, 'index.js'),
    `export const hang = (code) => new Promise(() => setTimeout(() => { throw Object.assign(new Error('careless'), code === '' ? {} : { code }); }, 10));
export const forget = () => void setTimeout(() => { throw new Error('careless'); }, 100);
export const odd = () => void setTimeout(() => { throw new Proxy({}, { get() { throw new Error('no'); }, getPrototypeOf() { throw new Error('no'); } }); });
`,
  );
  writeFileSync(
    join(folder, 'main.svc'),
    `import asyncio;
import from careless { hang, forget, odd }

async def:pub hanging(code: str = "") -> any { return await hang(code); }
def:pub forgetting -> str { forget(); return "done"; }
def:pub strange -> str { odd(); return "done"; }
async def:pub slow(ms: int) -> str { await asyncio.sleep(ms / 1000); return "done"; }
async def:pub streaming -> any { yield 1; await hang(""); yield 2; }
@restspec(protocol="WEBSOCKET")
async walker:pub Hanging { async can go with Root entry { report await hang(""); } }
`,
  );
  return folder;
}

test('a fault that nothing catches ends the call it belongs to, with 500, and nothing else', async () => {
  const folder = appWithPackage();
  try {
    await using server = await startServer({ folder });
    const slow = post(server.base, '/function/slow', { ms: 500 });
    const hanging = await post(server.base, '/function/hanging');
    expect(hanging).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
    expect(JSON.stringify(hanging)).not.toMatch(/\bat .*:\d+/);
    const streamed = await fetch(`${server.base}/function/streaming`, { method: 'POST' });
    expect(await streamed.text()).toMatch(/^data: 1\n\nevent: error\ndata: \{"error_type":"INTERNAL_ERROR"/);
    expect(await post(server.base, '/function/forgetting')).toMatchObject({ status: 200, result: 'done' });
    expect(await post(server.base, '/function/strange')).toMatchObject({ status: 200, result: 'done' });
    expect(await slow).toMatchObject({ status: 200, result: 'done' });
    const tellings = ['an error that cannot be shown was not caught', 'the server failed outside of a call'];
    await until(() => tellings.every((telling) => recordsOf(server).some(({ msg }) => msg === telling)));
    const ended = /uncaught_errors_total\{origin="server",effect="call_ended"\} (\d+)/;
    expect(await metric(server, ended)).toBe(2);
    expect(await metric(server, /uncaught_errors_total\{origin="server",effect="nothing_ended"\} (\d+)/)).toBe(1);
    const told = recordsOf(server).filter(({ msg }) => msg.startsWith('the server failed'));
    expect(told.map(({ msg }) => msg).sort()).toEqual([
      'the server failed',
      'the server failed',
      'the server failed outside of a call',
    ]);
  } finally {
    removeFolder(folder);
  }
});

test('a fault after which the process cannot be trusted ends it with 1, when its calls are answered', async () => {
  const folder = appWithPackage();
  try {
    await using server = await startServer({ folder });
    const slow = post(server.base, '/function/slow', { ms: 3000 });
    // Begun before the fault: a call on its way is finished.
    await until(async () => (await metric(server, /http_requests_in_progress (\d+)/)) === 1 || undefined);
    post(server.base, '/function/hanging', { code: 'ERR_INTERNAL_ASSERTION' }).catch(() => {});
    expect(await slow).toMatchObject({ status: 200, result: 'done' });
    expect(await server.ended()).toBe(1);
    expect(
      recordsOf(server)
        .filter(({ level }) => level === 'fatal')
        .map(({ msg }) => msg),
    ).toEqual(['Node.js found its own state broken']);
  } finally {
    removeFolder(folder);
  }
});

test('with workers the one that cannot be trusted is replaced, and the others go on', async () => {
  const folder = appWithPackage();
  try {
    await using server = await startServer({ folder, args: ['--workers', '2'] });
    const before = workerPids(server.child.pid!);
    const called = () => post(server.base, '/function/forgetting').catch(() => undefined);
    for (let round = 0; round < 2; round++) {
      const alive = workerPids(server.child.pid!);
      // A worker that has just come may not listen yet when the other one goes.
      await expect.poll(called).toMatchObject({ result: 'done' });
      await post(server.base, '/function/hanging', { code: 'ENOMEM' }).catch(() => {});
      await until(() => alive.some((pid) => !isRunning(pid)));
      await until(() => workerPids(server.child.pid!).length === 2);
    }
    await expect.poll(called).toMatchObject({ result: 'done' });
    expect(workerPids(server.child.pid!)).not.toEqual(before);
    expect(server.output()).toMatch(/a worker process ended unexpectedly with code 1/);
    expect(await server.stop()).toBe(0);
  } finally {
    removeFolder(folder);
  }
});
