/** Evaluations at a stop may wait: the program stands on while its event loop runs (decisions/0820). */
import { join } from 'node:path';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

const text = `import time;
import asyncio;
node Item { has n: int = 1; }
walker Slow {
    has seen: int = 0;
    can start with Root entry { visit [-->]; }
    can see with Item entry { time.sleep(0.02); self.seen += here.n; }
}
walker Quick {
    has seen: int = 0;
    can start with Root entry { visit [-->]; }
    can see with Item entry { self.seen += here.n; }
}
async def later(n: int) -> int {
    await asyncio.sleep(0.02);
    return n * 2;
}
def nap(n: int) -> int { time.sleep(0.02); return n + 1; }
def plain(n: int) -> int { m = n; return m; }
async def spin() -> int { await asyncio.sleep(0.01); n = 0; while True { n += 1; } return n; }
obj Box { has v: int = 0; def fill(n: int) -> int { time.sleep(0.02); self.v = n; return n; } }
with entry {
    box = Box();
    root ++> Item(n=3);
    w = root spawn Quick();
    print("end", box.v, plain(3), w.seen);
}
`;

const shelves = `import time;
node Item { has name: str = "i"; }
node Shelf {
    @property
    def count -> int { return len([self-->]); }
    def __len__ -> int { time.sleep(0.001); return len([self-->[?:Item]]); }
    def __str__ -> str { return f"shelf of {len([self-->])}"; }
    def __repr__ -> str { return f"<Shelf {len([self-->])}>"; }
    def __eq__(other: any) -> bool { return len([self-->]) == 2; }
    def __contains__(name: str) -> bool { return name in [i.name for i in [self-->[?:Item]]]; }
    def __lt__(other: any) -> bool { return len([self-->]) < other; }
    def __add__(other: any) -> int { return len([self-->]) + other; }
    def total -> int { n = 0; for i in [self-->[?:Item]] { n += len(i.name); } return n; } def __iter__ -> any { for i in [self-->[?:Item]] { yield i; } }
    def add(name: str) -> int { self ++> Item(name=name); return len([self-->]); }
}
with entry {
    s = Shelf();
    root ++> s;
    s ++> Item(name="a");
    s ++> Item(name="b");
    print(len([s-->]));
}
`;

const served = `import time;
glob passed: list = [];
walker:pub Greet {
    can greet with Root entry {
        a = 1;
        report a;
    }
}
def nap(n: int) -> int { time.sleep(1); return n; }
walker:pub Other {
    can go with Root entry {
        first = 1;
        passed.append(first);
        report first;
    }
}
`;

let folder: ReturnType<typeof folderWith>;
beforeAll(() => {
  folder = folderWith({ 'main.svc': text, 'served.svc': served, 'shelves.svc': shelves });
});
afterAll(() => folder[Symbol.dispose]());

async function debug(commands: readonly string[], program = 'main.svc') {
  await using svc = spawnSvc(['debug', program], { cwd: folder.path });
  svc.type(`${commands.join('\n')}\n`);
  svc.end();
  return { code: await svc.exited, out: svc.stdout(), err: svc.stderr() };
}

test('calls, walkers, methods and assignments that wait have values in entry blocks and abilities, and raise', async () => {
  const { out, code } = await debug([
    'break 15',
    'break main.svc:26',
    'print await later(4)',
    'break Quick.see',
    'cont',
    'print nap(here.n) + 1',
    'print [nap(i) for i in range(3)]',
    'print (root spawn Slow()).seen',
    'set self.seen = nap(70)',
    'print nap("a")',
    'print await later(here.n) if here.n else 0',
    'where',
    'cont',
    'print box.fill(9)',
    'print box.v',
    'set w = nap(1)',
    'set w = root spawn Slow()',
    'cont',
  ]);
  expect(out).toContain('await later(4) = 8\n');
  expect(out).toContain('nap(here.n) + 1 = 5\n');
  expect(out).toContain('[nap(i) for i in range(3)] = [1, 2, 3]\n');
  expect(out).toContain('(root spawn Slow()).seen = 3\n');
  expect(out).toContain('self.seen = 71\n');
  expect(out).toContain('TypeError: can only concatenate str (not "int") to str\n');
  expect(out).toContain('await later(here.n) if here.n else 0 = 6\n');
  expect(out).toContain('> 0: Quick.see at main.svc:12:31\n');
  expect(out).toContain('box.fill(9) = 9\nbox.v = 9\nw = 2\n');
  expect(out).toMatch(/^end 9 3 3$/m);
  // Breakpoints of what is evaluated do not stop.
  expect(out.match(/^breakpoint 1:? .*in later/gm)).toBeNull();
  expect(code).toBe(0);
});

test('special methods and properties that go through the graph, or wait, are evaluated', async () => {
  const asked = [
    ['s.count', '2'],
    ['len(s)', '2'],
    ['bool(s)', 'True'],
    ['str(s)', "'shelf of 2'"],
    ['s == 1', 'True'],
    ['"b" in s', 'True'],
    ['s < 3', 'True'],
    ['s + 1', '3'],
    ['s.total() + s.count', '4'],
    ['[i.name for i in s]', "['a', 'b']"],
    ['[*s, *list(s)][3].name', "'b'"],
    ['s.add("c") + s.count', '6'],
  ] as const;
  const { out } = await debug(['break 21', 'cont', ...asked.map(([text]) => `print ${text}`)], 'shelves.svc');
  for (const [text, value] of asked) expect(out).toContain(`${text} = ${value}\n`);
});

test.concurrent.each([
  ['sleeps', 'time.sleep(600)', /this took longer than 10 s: it ends at its next statement\n/],
  ['computes', 'await spin()', /this took longer than 10 s/],
])(
  'where the program cannot wait this is said, and so is what %s too long, which is given up',
  async (_, long, told) => {
    await using svc = spawnSvc(['debug', 'main.svc'], { cwd: folder.path });
    svc.type(`break plain\nprint ${long}\n`);
    await svc.until(told);
    svc.type('print nap(4)\n');
    await svc.until(/nap\(4\) = 5\n/);
    svc.type('print 1 + 1\nnext\n');
    await svc.until(/1 \+ 1 = 2\n/);
    await svc.until(/stopped at main\.svc:24:5 in main\n/);
    svc.type('print [print("begins"), time.sleep(700)]\n');
    await svc.until(/begins\n/);
    svc.kill('SIGINT');
    await svc.until(/this was broken off: /);
    svc.type('print nap(6)\ncont\n');
    await svc.until(/nap\(6\) = 7\n/);
    await svc.until(/enters plain/);
    svc.type('print nap(1)\nprint n\ncont\n');
    await svc.until(/this would have to wait, and plain stands where it cannot: .*\nn = 3\n/);
    expect(await svc.exited).toBe(0);
  },
);

test('other requests are held at their next statement meanwhile, and go on with the program', async () => {
  await using server = spawnSvc(['start', 'served.svc', '--port', '0', '--inspect=0'], { cwd: folder.path });
  const inspector = (await server.until(/Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)\//))[1]!;
  const port = (await server.until(/http:\/\/localhost:(\d+)/))[1]!;
  const call = (name: string) => fetch(`http://localhost:${port}/walker/${name}`, { method: 'POST' });
  await using svc = spawnSvc(['debug', '--attach', inspector], { cwd: folder.path });
  svc.type('break served.svc:6\n');
  await svc.until(/breakpoint 1 at/);
  svc.type('break served.svc:12\ncont\n');
  const first = call('Greet');
  await svc.until(/breakpoint 1 at served\.svc:6:9 in Greet\.greet\n/);
  const other = call('Other');
  svc.type('print nap(5)\nprint passed\n');
  await svc.until(/nap\(5\) = 5\n/);
  await svc.until(/passed = \[\]\n/);
  svc.type('cont\n');
  // Its breakpoint is not missed.
  await svc.until(/breakpoint 2 at served\.svc:12:9 in Other\.go\n/);
  svc.type('quit\n');
  expect((await first).status).toBe(200);
  expect(((await (await other).json()) as any).data.reports).toEqual([1]);
});

test('what the pointer rests on goes through the graph and changes nothing of it', async () => {
  await using editor = await openEditor('shelves.svc', 21);
  for (const context of ['hover', 'watch']) {
    const shown = async (expression: string) =>
      (await editor.client.evaluateRequest({ expression, frameId: 1, context })).body.result;
    expect(await shown('[s.count, s.total(), str(s), s == 1, "b" in s, s < 3, s + 1]')).toBe(
      "[2, 2, 'shelf of 2', True, True, True, 3]",
    );
    expect(await shown('s')).toBe('<Shelf 2>');
    await expect(shown('s.add("c")')).rejects.toThrow('this would change the graph, which only the console may');
    await expect(shown('[i.name for i in s]')).rejects.toThrow('this would have to wait');
    await expect(shown('len(s)')).rejects.toThrow('waits, and what calls it here cannot wait');
  }
  const ended = editor.client.waitForEvent('terminated');
  const printed = editor.client.assertOutput('stdout', '2\n');
  await editor.client.continueRequest({ threadId: 1 });
  await Promise.all([ended, printed]);
});

test('an editor waits for what is typed into its console, not for what the pointer rests on', async () => {
  await using editor = await openEditor('main.svc');
  const { client } = editor;
  const asked = { expression: 'await later(21)', frameId: 1 };
  for (const context of ['hover', 'watch'])
    await expect(client.evaluateRequest({ ...asked, context })).rejects.toThrow('this would have to wait');
  expect((await client.evaluateRequest({ ...asked, context: 'repl' })).body.result).toBe('42');
  // Cancelled while it waits, and before it has begun.
  const first = client.evaluateRequest({ expression: 'time.sleep(600)', frameId: 1, context: 'repl' });
  const second = client.evaluateRequest({ expression: '1 + 1', frameId: 1, context: 'repl' });
  const refused = Promise.all([first, second].map((one) => expect(one).rejects.toThrow('cancelled')));
  const newest = (await client.send('threads')).request_seq;
  for (const requestId of [newest - 1, newest - 2]) await client.send('cancel', { requestId });
  await refused;
  expect((await client.evaluateRequest({ expression: '2 + 1', frameId: 1, context: 'repl' })).body.result).toBe('3');
  const ended = client.waitForEvent('terminated');
  await client.continueRequest({ threadId: 1 });
  await ended;
});

/** An editor at the first statement of a program, or at that of a line. */
async function openEditor(name: string, line?: number) {
  const adapter = spawnSvc(['debug', '--dap', '--port', '0'], { cwd: folder.path });
  const port = Number((await adapter.until(/debug adapter on 127\.0\.0\.1:(\d+)/))[1]);
  const client = new DebugClient('node', '', 'svc');
  client.defaultTimeout = 600_000;
  await client.start(port);
  const launched = client.launch({ program: join(folder.path, name), stopOnEntry: line === undefined });
  await client.waitForEvent('initialized');
  const breakpoints = line === undefined ? [] : [{ line }];
  await client.setBreakpointsRequest({ source: { path: join(folder.path, name) }, breakpoints });
  const stopped = client.waitForEvent('stopped');
  await client.configurationDoneRequest();
  await launched;
  await stopped;
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.stop();
      await adapter[Symbol.asyncDispose]();
    },
  };
}
