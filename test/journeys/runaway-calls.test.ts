/** Calls that neither wait nor return (docs/server/errors.md#endless-calls): each is ended, nothing else is. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { laterNode } from '../harness/runtimes.ts';
import { post, type RunningServer, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const fibonacci = 'n if n < 2 else';

/** Bodies of an ability, by the name of their walker. Each first connects a node, which must not be stored. */
const endless: Readonly<Record<string, string>> = {
  Endless: 'while True {}',
  Body: 'i = 0; while True { i += 1; }',
  Step: 'for i = 0 to True by i += 1 { x = i; }',
  LongRange: 'for i in range(10 ** 15) { x = i; }',
  Nested: 'for a in range(10 ** 6) { for b in range(10 ** 6) { for c in range(10 ** 6) { x = c; } } }',
  Recursion: 'x = fib(100);',
  Methods: 'x = Deep().run(100);',
  Lambdas: `f = lambda n: int : ${fibonacci} f(n - 1) + f(n - 2); x = f(100);`,
  Property: 'x = Deep().slow;',
  Generator: 'for x in numbers() { y = x; }',
  SumOfGenerator: 'x = sum(x for x in itertools.count());',
  Count: 'for x in itertools.count() { y = x; }',
  Any: 'x = any(y < 0 for y in itertools.count());',
  Drained: 'x = collections.deque(itertools.repeat(1), maxlen=3);',
  Filter: 'x = next(filter(lambda n: int : n < 0, itertools.count()));',
  Map: 'for x in map(lambda n: int : n, itertools.count()) { y = x; }',
  OwnIterator: 'x = sum(Ones());',
  Sentinel: 'x = sum(iter(lambda : 1, 2));',
  Product: 'x = sum(1 for p in itertools.product(range(100), repeat=8));',
  SumOfRange: 'x = sum(range(10 ** 12));',
  Comprehension: 'x = [a for a in range(10 ** 6) for b in range(10 ** 6) for c in range(10 ** 6) if c < 0];',
  DictComprehension: 'x = {a: b for a in itertools.count() for b in [1] if a < 0};',
  Equal: 'x = Looping() == Looping();',
  Hash: 'x = {Looping(): 1};',
  InList: 'x = 1 in [Looping()];',
  SortKey: 'x = sorted([3, 1, 2], key=lambda n: int : fib(n + 100));',
  SortOfMany: 'x = sorted(range(10 ** 7), key=lambda n: int : hash(str(n) * 1000));',
  SortCompares: 'x = sorted([Looping(), Looping()]);',
  EqualTrees: 'a = [1]; b = [1]; for i in range(60) { a = [a, a]; b = [b, b]; } x = a == b;',
  ShownTree: 'a = [1]; for i in range(60) { a = [a, a]; } x = len(str(a));',
  HashedTree: 'a = (1,); for i in range(60) { a = (a, a); } x = hash(a);',
  JsonOfTree: 'a = [1]; for i in range(60) { a = [a, a]; } x = len(json.dumps(a));',
  Pattern: 'x = re.match("(a+)+$", "a" * 60 + "b");',
  PatternOfWords: 'x = re.fullmatch(r"(\\w+\\s?)*", "word " * 30 + "!");',
  PatternWithReference: 'x = re.search(r"(a*)*b\\1c", "a" * 60);',
  PatternBeyondJavaScript: 'x = re.search(r"(?>x?)(a|aa)+$", "a" * 90 + "b");',
  LongSearch: 'x = re.findall("a+b", "a" * 3000000);',
  Replaced: 'x = re.sub("a", lambda m: any : str(fib(100)), "aaa");',
  Split: 'x = re.split("(x+x+)+y", "x" * 60);',
  FileNames: 'while True { x = fnmatch.fnmatch("a" * 200, "*a" * 50 + "*b"); }',
  Power: 'x = 7 ** (10 ** 8);',
  Squares: 'x = 3; while True { x = x * x; }',
  Factorial: 'x = math.factorial(10 ** 8);',
  Combinations: 'x = math.comb(10 ** 7, 5 * 10 ** 6);',
  PowerModulo: 'm = 1 << 400000; x = pow(3, m, m + 1);',
  Decimals: 'decimal.getcontext().prec = 10 ** 7; x = decimal.Decimal(2).sqrt().exp();',
  Random: 'x = random.choices([1, 2], k=10 ** 8, weights=[1, 2]);',
  Difference: 'x = difflib.SequenceMatcher(None, "ab" * 30000, "ba" * 30000, False).ratio();',
  Derived: 'x = hashlib.pbkdf2_hmac("sha256", b"a", b"b", 2 * 10 ** 9);',
  Command: 'x = os.system("sleep 1000");',
  Caught: 'while True { try { while True {} } except Exception { print("caught"); } }',
  CaughtAll: 'while True { try { while True {} } except BaseException { print("caught"); } }',
  Finally: 'try { while True {} } finally { while True {} }',
  ManyFinally: 'x = stubborn(200);',
  With: 'with Holding() as h { while True {} }',
  Walk: 'here spawn Around();',
  Slept: 'time.sleep(0.01); while True {}',
  SleptThenHelped: 'time.sleep(0.01); x = fib(100);',
  AsyncEndless: 'while True {}',
  AsyncSlept: 'await asyncio.sleep(0.01); while True {}',
  AsyncRecursion: 'x = await later(100);',
  AsyncGenerator: 'async for x in ticks() { y = x; }',
  AsyncNothing: 'while True { await nothing(); }',
  AsyncGathered: 'await asyncio.gather(later(100), later(100));',
  Threads: 't = threading.Thread(target=lambda : fib(100)); t.start(); t.join();',
  AsyncHelper: 'await asyncio.sleep(0.01); x = fib(100);',
};

/** Statements whose result has no room in memory or on the stack, with the name of the exception. */
const tooLarge: Readonly<Record<string, readonly [code: string, error: string]>> = {
  RecursionWithoutEnd: ['x = forever(0);', 'RecursionError'],
  Spawned: ['w = here spawn Twice();', 'RecursionError'],
  HugePower: ['x = 10 ** 10 ** 9;', 'OverflowError'],
  ShownInteger: ['x = str(7 ** 100000);', 'ValueError'],
  Text: ['x = "a" * 10 ** 10;', 'MemoryError'],
  List: ['x = [0] * 10 ** 10;', 'MemoryError'],
  Tuple: ['x = (0,) * 10 ** 10;', 'MemoryError'],
  Bytes: ['x = bytes(10 ** 11);', 'MemoryError'],
  ListOfRange: ['x = list(range(10 ** 12));', 'MemoryError'],
  Padded: ['x = "a".ljust(10 ** 11);', 'MemoryError'],
  Formatted: ['x = f"{1:0>100000000000}";', 'MemoryError'],
  Doubled: ['s = "ab"; while True { s = s + s; }', 'MemoryError'],
  DoubledList: ['s = [1, 2]; while True { s = s + s; }', 'MemoryError'],
};

/** Statements that take memory without end. */
const growing: Readonly<Record<string, string>> = {
  Cycle: 'x = max(itertools.cycle([1, 2]));',
  Unpacked: 'x = [*itertools.count()];',
  Appends: 'xs = []; while True { xs.append(1); }',
  Objects: 'xs = []; while True { xs.append({"a": [1, 2, 3], "b": "text"}); }',
  Keys: 'd = {}; i = 0; while True { i += 1; d[i] = i; }',
  SleptThenAppends: 'time.sleep(0.01); xs = []; while True { xs.append(1); }',
};

const walkers = (bodies: Readonly<Record<string, string>>) =>
  Object.entries(bodies).map(([name, code]) => {
    const prefix = name.startsWith('Async') ? 'async ' : '';
    const begins = `here ++> Note(text="${name}"); print("${name} begins");`;
    return `walker:pub ${name} { ${prefix}can go with Root entry { ${begins} ${code} } }\n`;
  });

const app = `
import itertools; import collections; import re; import json; import math; import decimal; import asyncio; import time;
import hashlib; import random; import difflib; import fnmatch; import os; import threading;
node Note { has text: str; }
def fib(n: int) -> int { return ${fibonacci} fib(n - 1) + fib(n - 2); }
def forever(n: int) -> int { return 1 + forever(n + 1); }
def numbers { yield 1; while True { yield 2; } }
def stubborn(n: int) -> int { try { return stubborn(n - 1) if n > 0 else fib(100); } finally { x = fib(100); } }
async def later(n: int) -> int { return ${fibonacci} await later(n - 1) + await later(n - 2); }
async def nothing -> int { return 1; }
async def ticks { while True { yield 1; } }
obj Deep {
    def run(n: int) -> int { return ${fibonacci} self.run(n - 1) + self.run(n - 2); }
    @property def slow -> int { return self.run(100); }
}
obj Ones { def __iter__ -> any { return self; } def __next__ -> int { return 1; } }
obj Looping {
    def __eq__(other: any) -> bool { while True {} return True; }
    def __hash__ -> int { while True {} return 1; }
    def __lt__(other: any) -> bool { while True {} return True; }
}
obj Holding {
    def __enter__ -> any { return self; }
    def __exit__(kind: any, error: any, trace: any) -> bool { return True; }
}
walker Twice { can go with Root entry { here spawn Twice(); here spawn Twice(); } }
walker Around { can go with Root entry { visit here; } }
walker:pub Add { has text: str; can go with Root entry { here ++> Note(text=self.text); report "added"; } }
walker:pub Texts { can go with Root entry { report sorted([n.text for n in [-->][?:Note]]); } }
walker:pub Pid { can go with Root entry { report os.getpid(); } }
def:pub spin -> int { while True {} return 1; }
walker:pub Tree { can go with Root entry { a = [1]; for i in range(60) { a = [a, a]; } report a; } }
walker:pub Fills { can go with Root entry { xs = []; while True { xs.append([0] * 20000); } } }
walker:pub Stream { can go with Root entry { report silent(); } }
def silent { yield 1; while True {} }
walker:pub LeftBehind { async can go with Root entry { asyncio.create_task(background()); report "left"; } }
async def background { await asyncio.sleep(0.01); x = fib(100); }
@restspec(protocol=APIProtocol.WEBSOCKET)
async walker:pub Socket { has n: int = 0; async can go with Root entry { if self.n == 1 { x = fib(100); } report self.n; } }
@restspec(protocol=APIProtocol.WEBHOOK, verify="none")
walker:pub Hook { can go with Root entry { while True {} } }
${[...walkers(endless), ...walkers(growing)].join('')}
${walkers(Object.fromEntries(Object.entries(tooLarge).map(([name, [code]]) => [name, code]))).join('')}
`;

const settings = (seconds: number, drainSeconds = 1) => ({
  SVC_SERVE_REQUEST_TIMEOUT_SECONDS: String(seconds),
  SVC_WEBSOCKET_EXECUTION_TIMEOUT_SECONDS: String(seconds),
  SVC_SERVE_DRAIN_TIMEOUT_SECONDS: String(drainSeconds),
  SVC_ENV: 'development',
  SVC_LOGGING_FORMAT: 'json',
});

interface LogRecord {
  readonly level: string;
  readonly msg: string;
  readonly request_id?: string;
}

function recordsIn(server: RunningServer): LogRecord[] {
  return server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{"time"') && line.endsWith('}'))
    .map((line) => JSON.parse(line));
}

/** The log is written in pieces. */
async function until<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await sleep(20);
  }
}

/** Errors of a request, once the line that says how it ended is there. */
function errorsOf(server: RunningServer, requestId: string): Promise<string[]> {
  return until(() => {
    const found = recordsIn(server).filter(({ request_id }) => request_id === requestId);
    if (!found.some(({ msg }) => msg === 'request')) return undefined;
    return found.filter(({ level }) => level === 'error').map(({ msg }) => msg);
  });
}

const health = async ({ base }: RunningServer) => (await fetch(`${base}/healthz`)).status;
/** Calls a walker that ends at once, again when a machine that is busy with others has left it no time: that stores nothing. */
async function quickly({ base }: RunningServer, walker: string, fields: object = {}): Promise<any> {
  for (;;) {
    const answer = await post(base, `/walker/${walker}`, fields);
    if (answer.error?.code !== 'EXECUTION_TIMEOUT') return answer;
  }
}
const texts = async (server: RunningServer) => (await quickly(server, 'Texts')).reports[0];
/** The thread that watches calls takes signals from when it has begun, which may be after the server has: it alone ends a call that takes all memory. */
async function watches({ base }: RunningServer): Promise<void> {
  expect((await post(base, '/walker/Fills')).error.message).toMatch(/^MemoryError/);
}
const begins = ({ output }: RunningServer, name: string) =>
  until(() => output().includes(`${name} begins`) || undefined);

/** A server with these settings, and one note. */
async function serve(seconds: number, args: readonly string[] = [], drainSeconds?: number, node?: string) {
  const folder = folderWith({ 'main.svc': app });
  const env = settings(seconds, drainSeconds);
  const server = await startServer({ folder: folder.path, env, args, ...(node === undefined ? {} : { node }) });
  await quickly(server, 'Add', { text: 'kept' });
  return {
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const timeout = { ok: false, status: 504, error: { code: 'EXECUTION_TIMEOUT' } };

for (const workers of [1, 2]) {
  describe(`${workers} process${workers === 1 ? '' : 'es'}`, () => {
    let served: Awaited<ReturnType<typeof serve>>;
    beforeAll(async () => {
      served = await serve(0.4, ['--workers', String(workers)]);
    });
    afterAll(() => served[Symbol.asyncDispose]());

    const names = workers === 1 ? Object.keys(endless) : ['Endless', 'Recursion', 'Pattern', 'AsyncSlept', 'Power'];
    test.each(names)('%s ends with 504', async (name) => {
      const { server } = served;
      const [ended, status] = await Promise.all([post(server.base, `/walker/${name}`), health(server)]);
      expect(status).toBe(200);
      expect(ended).toMatchObject(timeout);
      expect(await errorsOf(server, ended.meta.request_id)).toEqual([
        expect.stringMatching(new RegExp(`^walker ${name} was ended after \\d+\\.\\d s, at main\\.svc:\\d+$`)),
      ]);
      expect(await texts(server)).toEqual(['kept']);
    });
  });
}

describe('there is no room for it', () => {
  let served: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    served = await serve(60);
  });
  afterAll(() => served[Symbol.asyncDispose]());

  test.each([
    ...Object.entries(tooLarge).map(([name, [, error]]) => [name, error] as const),
    ...Object.keys(growing).map((name) => [name, 'MemoryError'] as const),
  ])('%s: %s', async (name, error) => {
    const { server } = served;
    const ended = await post(server.base, `/walker/${name}`);
    expect(ended).toMatchObject({ ok: false, status: 500, error: { code: 'EXECUTION_ERROR' } });
    expect(ended.error.message).toMatch(new RegExp(`^${error}\\b`));
    expect(await health(server)).toBe(200);
    expect(await texts(server)).toEqual(['kept']);
  });
});

describe('whatever the protocol', () => {
  let served: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    served = await serve(1);
  });
  afterAll(() => served[Symbol.asyncDispose]());

  test('a function, a webhook', async () => {
    const { server } = served;
    expect(await post(server.base, '/function/spin')).toMatchObject(timeout);
    expect(await post(server.base, '/webhook/Hook')).toMatchObject(timeout);
    expect(await health(server)).toBe(200);
  });

  test('an answer that does not end has no room, or no time', async () => {
    const { server } = served;
    const { status, error } = await post(server.base, '/walker/Tree');
    expect([`500 EXECUTION_ERROR`, `504 EXECUTION_TIMEOUT`]).toContain(`${status} ${error.code}`);
    expect(await health(server)).toBe(200);
  });

  test('a stream ends with an event that says so', async () => {
    const { server } = served;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${server.base}/walker/Stream`, { method: 'POST', headers, body: '{}' });
    const text = await answer.text();
    expect(text).toContain('EXECUTION_TIMEOUT');
    expect(text).not.toContain('event: end');
    expect(await health(server)).toBe(200);
  });

  test('a socket gets a frame that says so and stays open', async () => {
    const { server } = served;
    const socket = new WebSocket(`${server.base.replace('http', 'ws')}/ws/Socket`);
    const frames: any[] = [];
    socket.on('message', (data) => frames.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send('{"n": 1}');
    socket.send('{"n": 2}');
    const [ended, next] = await until(() => (frames.length >= 2 ? frames : undefined));
    expect(ended).toMatchObject({ error: { code: 'EXECUTION_TIMEOUT' } });
    expect(JSON.stringify(next)).toContain('2');
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.terminate();
  });

  test('what a call leaves behind may not keep the others waiting either', async () => {
    const { server } = served;
    expect((await quickly(server, 'LeftBehind')).reports).toEqual(['left']);
    await sleep(100);
    expect(await health(server)).toBe(200);
    expect(await texts(server)).toEqual(['kept']);
  });
});

test('with several processes the others answer meanwhile', async () => {
  await using served = await serve(10, ['--workers', '2']);
  const { server } = served;
  let isOver = false;
  const ended = post(server.base, '/walker/Endless').finally(() => {
    isOver = true;
  });
  await begins(server, 'Endless');
  const answers = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const answer = await fetch(`${server.base}/healthz`, { headers: { connection: 'close' } });
      return { status: answer.status, isMeanwhile: !isOver };
    }),
  );
  expect(answers).toEqual(Array(6).fill({ status: 200, isMeanwhile: true }));
  expect(await ended).toMatchObject(timeout);
});

for (const [name, node] of [
  ...['Endless', 'Slept', 'Pattern', 'Power'].map((each) => [each, undefined] as const),
  // A thread receives signals by a part of Node that is not public.
  ['Endless', laterNode],
] as const) {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const title = node === undefined ? name : `${name} in a later Node`;
    test(`${title}: after one ${signal} the call has its time, after two the process ends at once`, async () => {
      await using served = await serve(300, [], 120, node?.());
      const { server } = served;
      await watches(server);
      const ended = post(server.base, `/walker/${name}`).catch(() => 'cut');
      await begins(server, name);
      server.child.kill(signal);
      await sleep(300);
      server.child.kill(signal);
      // Arithmetic on huge integers lets nothing else run: the process is killed then.
      expect(name === 'Power' ? [code, null] : [code]).toContain(await server.ended());
      expect(await ended).toBe('cut');
    });
  }
}

for (const name of ['Endless', 'Slept']) {
  test(`${name} is aborted at shutdown, when the time for running calls is over`, async () => {
    await using served = await serve(300);
    const { server } = served;
    await watches(server);
    const ended = post(server.base, `/walker/${name}`);
    await begins(server, name);
    server.child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 503, error: { code: 'SERVICE_UNAVAILABLE' } });
    expect(await server.ended()).toBe(1);
    expect(server.output()).toContain('calls were aborted at shutdown');
  });
}

test('TypeScript is ended too, in loops and in functions that call themselves', async () => {
  using folder = folderWith({
    'app.ts': `import { entry, Root, Walker, walker } from 'svc-scale';
const fib = (n: number): number => {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
};
@walker({ access: 'pub' })
export class Loop extends Walker<number> {
  @entry(Root)
  go() {
    for (let i = 0; ; i++) this.count(i);
  }
  private count(i: number) {
    if (i < 0) this.report(i);
  }
}
@walker({ access: 'pub' })
export class Fib extends Walker<number> {
  @entry(Root)
  go() {
    this.report(fib(100));
  }
}
`,
  });
  await using server = await startServer({ folder: folder.path, entry: 'app.ts', env: settings(1) });
  for (const name of ['Loop', 'Fib']) expect(await post(server.base, `/walker/${name}`)).toMatchObject(timeout);
  expect(await health(server)).toBe(200);
});

describe('JavaScript that is not compiled here cannot be ended alone', () => {
  const files = {
    'spin.js': 'export function spin() { for (;;); }\n',
    'main.svc': `
import from "./spin.js" { spin }
node Note { has text: str; }
walker:pub Add { has text: str; can go with Root entry { here ++> Note(text=self.text); report "added"; } }
walker:pub Texts { can go with Root entry { report sorted([n.text for n in [-->][?:Note]]); } }
walker:pub Spin { can go with Root entry { here ++> Note(text="never"); spin(); } }
`,
  };
  const told = /walker Spin \(request [0-9a-f]{32}\) cannot be ended, at spin\.js:1: the process ends/;

  test('the only process says what runs and ends; what was stored is there after the next start', async () => {
    using folder = folderWith(files);
    {
      await using server = await startServer({ folder: folder.path, env: settings(1) });
      await post(server.base, '/walker/Add', { text: 'kept' });
      const ended = post(server.base, '/walker/Spin').catch(() => 'cut');
      expect(await server.ended()).toBe(1);
      expect(await ended).toBe('cut');
      expect(recordsIn(server).find(({ level }) => level === 'fatal')?.msg).toMatch(told);
    }
    await using server = await startServer({ folder: folder.path, env: settings(1) });
    expect(await texts(server)).toEqual(['kept']);
  });

  test('of several processes it is replaced, and the others serve', async () => {
    using folder = folderWith(files);
    await using server = await startServer({ folder: folder.path, env: settings(1), args: ['--workers', '2'] });
    await post(server.base, '/walker/Add', { text: 'kept' });
    expect(await post(server.base, '/walker/Spin').catch(() => 'cut')).toBe('cut');
    await until(() => recordsIn(server).find(({ msg }) => msg.startsWith('a worker process ended unexpectedly')));
    expect(recordsIn(server).find(({ level }) => level === 'fatal')?.msg).toMatch(told);
    expect(await texts(server)).toEqual(['kept']);
    expect(await server.stop()).toBe(0);
  });
});
