/** `svc debug` in the terminal: what somebody types, and what is printed (docs/guide/debugging.md). */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromium, startBrowser } from '../harness/browser.ts';
import { needTool } from '../harness/find-tool.ts';
import { svcBin } from '../harness/server.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

const text = `glob limit: int = 2;
node Item { has name: str; has price: float = 1.0; }
obj Loud { has n: int = 0; def __repr__ -> str { raise ValueError("no text"); } }
walker Sum {
    has total: float = 0.0;
    can start with Root entry { visit [-->]; }
    can add with Item entry {
        self.total = self.total + here.price;
        if self.total > 100.0 { report "much"; }
    }
}

def double(x: int) -> int { y = x * 2; return y; }
def risky(x: int) -> int {
    try { return 1 // x; } except ZeroDivisionError as e { return 0; }
}
with entry {
    count = 0;
    for i in range(3) { count += double(i); }
    root ++> Item(name="a", price=2.0);
    root ++> Item(name="b");
    w = root spawn Sum();
    ring: list = [1];
    ring.append(ring);
    loud = Loud();
    print(count, w.total, risky(0));
    raise ValueError("at the end");
}
`;

let folder: ReturnType<typeof folderWith>;
beforeAll(() => {
  folder = folderWith({
    'wide.svc':
      'node Item { has n: int = 0; }\nwalker Visit { can go with Root entry { visit [-->]; } can see with Item entry { x = 1; } }\nwith entry { for i in range(2000) { root ++> Item(n=i); }\n root spawn Visit(); }',
    'busy.svc':
      'with entry {\n    n = 1;\n    print("begun");\n    while n > 0 { n += 1; }\n    print("counted");\n}\n',
    'idle.svc': 'import time;\nwith entry { print("begun"); time.sleep(600); }\n',
    'main.svc': text,
    'letters.svc': 'with entry {\n    a = 1;\n    (f, r) = (2, 3);\n    print(a, f, r);\n}\n',
    'box.svc':
      'obj Box { has n: int = 1; def twice(by: int) -> int { m = self.n * by; return m; } }\nwith entry { b = Box(n=4); print(b.twice(2)); }\n',
    'heirs.svc': `obj Base { def text(end: str = ".") -> str { return "base" + end; } }
obj Heir(Base) {
    override def text(end: str = ".") -> str { n = 1; return "heir"; }
}
walker First { can look with Root entry { report 1; } def text -> str { return "first"; } }
walker Second(First) { override can look with Root entry { x = 2; } override def text -> str { return "second"; } }
with entry { Heir().text(); root spawn Second(); }
`,
    'gathered.svc': `import asyncio;
async def bad(n: int) -> int { await asyncio.sleep(0.001); raise ValueError(f"bad {n}"); }
async def main {
    found = await asyncio.gather(bad(1), bad(2), return_exceptions=True);
    print(len(found));
    await asyncio.gather(bad(3), return_exceptions=False);
}
with entry { asyncio.run(main()); }
`,
    'caught.svc': `import asyncio;
import from contextlib { contextmanager }
obj Quiet {
    has only: any = ValueError;
    def __enter__ -> any { return self; }
    def __exit__(kind: any, value: any, trace: any) -> bool { return kind is self.only; }
}
@contextmanager
def guard { try { yield 1; } except ValueError { print("guarded"); } }
@contextmanager
def timed { try { yield 1; } finally { print("timed"); } }
def fail { raise ValueError("bad"); }
async def later { await asyncio.sleep(0.001); fail(); }
async def ask {
    t = asyncio.create_task(later());
    await asyncio.wait([t]);
    print("asked", t.exception());
}
with entry {
    with Quiet() { fail(); }
    with guard() { fail(); }
    asyncio.run(ask());
    try { with Quiet(only=TypeError) { fail(); } } except ValueError { print("outer"); }
    with timed() { fail(); }
}
`,
    'asked.svc': `import asyncio;
async def bad(n: int) { await asyncio.sleep(0.001); raise ValueError(f"bad {n}"); }
def tell(t: any) { print("told", t.exception()); }
async def main {
    t = asyncio.create_task(bad(1));
    t.add_done_callback(tell);
    await asyncio.wait([t]);
    other = asyncio.create_task(bad(2));
    await other;
}
with entry { asyncio.run(main()); }
`,
    'refused.svc': `obj Quiet {
    def __enter__ -> any { return self; }
    def __exit__(kind: any, value: any, trace: any) -> bool { return kind is TypeError; }
}
with entry {
    with Quiet() {
        raise ValueError("bad");
    }
}
`,
    'broken.svc': 'with entry { x = ; }',
    'parts/sizes.svc': 'glob size: int = 3;\ndef twice(n: int) -> int { return n * 2; }\n',
    'dotted.svc':
      'import parts.sizes;\nimport parts.sizes as sizes;\nimport os.path;\nwith entry { a = parts.sizes.twice(1) + sizes.size; print(a, os.path.sep); }\n',
    'other.svc': 'walker W { }\nwith entry { w = 1; print(w); }',
  });
});
afterAll(() => folder[Symbol.dispose]());

async function debug(commands: readonly string[], args: readonly string[] = ['main.svc'], env = {}) {
  await using svc = spawnSvc(['debug', ...args], { cwd: folder.path, env });
  svc.type(`${commands.join('\n')}\n`);
  svc.end();
  return { code: await svc.exited, out: svc.stdout(), err: svc.stderr() };
}

test('steps go from statement to statement, into, over and out of calls, with two statements on a line as two', async () => {
  const { out, code } = await debug(['next', 'next', 'step', 'step', 'vars', '', 'out', 'where', 'quit']);
  const places = [...out.matchAll(/^stopped at main\.svc:(\d+):(\d+) in (\S+)/gm)].map((match) =>
    match.slice(1).join(' '),
  );
  expect(places).toEqual([
    '1 6 main',
    '18 5 main',
    '19 5 main',
    '19 25 main',
    '13 29 double',
    '13 40 double',
    '19 5 main',
  ]);
  expect(out).toContain('x = 0\n');
  expect(out).toContain('> 0: main at main.svc:19:5\n');
  expect(code).toBe(0);
});

test('breakpoints stop at lines, conditions, counts, functions and fields; log points print; variables are values', async () => {
  const { out, err, code } = await debug([
    'break main.svc:7',
    'break main.svc:19:25 if i == 2',
    'break double hits = 2',
    'watch Sum.total if here.name == "b"',
    'log main.svc:9 total {self.total} of {here.name}',
    'break main.svc:99',
    'break Nobody.here',
    'break 18 if count +',
    'breakpoints',
    'cont',
    'print x',
    'cont',
    'print count + limit',
    'cont',
    'print here',
    'vars',
    'set here.price = 5.0',
    'clear 1',
    'cont',
    'print self',
    'cont',
    'where',
    'vars',
    'print nothing',
    'cont',
  ]);
  expect(out).toContain('breakpoint 1 at main.svc:8:9 (line 7 has no statement: moved to line 8)\n');
  expect(out).toContain('breakpoint 4 at main.svc:8:9\n');
  expect(out).toContain('there is no statement on line 99 or behind it\n');
  expect(out).toContain('there is no function or walker Nobody.here');
  expect(out).toContain('the condition is wrong: ');
  expect(out).toContain('2: main.svc:19:25 if i == 2\n');
  expect(out).toMatch(/breakpoint 3: enters double, at main\.svc:13:29 in double\n.*\nx = 1\n/);
  expect(out).toMatch(/breakpoint 2 at main\.svc:19:25 in main\n.*\ncount \+ limit = 4\n/);
  expect(out).toMatch(/breakpoint 1 at main\.svc:8:9 in Sum\.add\n.*\nhere = Item\(name='a', price=2\.0\)\n/);
  expect(out).toContain("queue = [Item(name='b', price=1.0)]\n");
  expect(out).toContain('main.svc:9:9: total 5.0 of a\n');
  expect(out).toMatch(/breakpoint 4: writes Sum\.total, at main\.svc:8:9 in Sum\.add\n.*\nself = Sum\(total=5\.0\)\n/);
  expect(out).toMatch(/exception ValueError: at the end at main\.svc:27:5 in main\n/);
  expect(out).toContain('ring = [1, [...]]\n');
  expect(out).toContain('loud = <repr raises ValueError: no text>\n');
  expect(out).toContain('`nothing` is not defined\n');
  expect(out).toContain('6 6.0 0\n');
  expect(err).toContain('ValueError: at the end');
  expect(code).toBe(1);
});

test('a caught exception stops only when all do; breakpoints outlive a restart, and their numbers are not given again', async () => {
  const { out } = await debug([
    'break main.svc:20',
    'clear 1',
    'break 21',
    'catch all',
    'restart',
    'cont',
    'cont',
    'print x',
    'quit',
  ]);
  expect(out).toContain('breakpoint 2 at main.svc:21:5\n');
  expect(out).toMatch(
    /breakpoint 2 at main\.svc:21:5 in main[\s\S]*exception ZeroDivisionError: .* at main\.svc:15:11 in risky\n.*\nx = 0\n/,
  );
});

test('a condition may go through the graph, also in a comprehension behind something else', async () => {
  const condition =
    'here.name == "b" and here.name in [one.name for one in [root -->]] and any(one.price > 1 for one in [root -->])';
  const { out } = await debug([`break 8 if ${condition}`, 'cont', 'print here.name', 'clear 1', 'quit']);
  expect(out).not.toContain('the condition fails');
  expect(out).toContain("here.name = 'b'\n");
});

test('what `gather` gives as a result is caught', async () => {
  const { out } = await debug(['cont', 'cont'], ['gathered.svc']);
  expect(out.match(/^exception .*/gm)).toEqual(['exception ValueError: bad 3 at gathered.svc:2:60 in bad']);
  expect(out).toContain('\n2\n');
});

test('what a context manager takes is caught, and so is what a task is asked for', async () => {
  const { out } = await debug(['cont', 'cont'], ['caught.svc']);
  expect(out).toContain('guarded\nasked bad\nouter\n');
  expect(out.match(/^exception .*/gm)).toEqual(['exception ValueError: bad at caught.svc:12:12 in fail']);
});

test('what another function asks a task for is caught, and what is waited for stops there', async () => {
  const { out } = await debug(['cont', 'cont'], ['asked.svc']);
  expect(out).toContain('told bad 1\n');
  expect(out.match(/^exception .*/gm)).toEqual(['exception ValueError: bad 2 at asked.svc:9:5 in main']);
});

test('what a context manager could have taken and did not stops at its statement', async () => {
  const { out } = await debug(['cont', 'cont'], ['refused.svc']);
  expect(out.match(/^exception .*/gm)).toEqual(['exception ValueError: bad at refused.svc:6:5 in refused']);
});

test('a condition on what a loop has yet to assign is no complaint', async () => {
  const { out } = await debug(['break double if y == 4', 'break main.svc:19 if i == 2', 'cont', 'print i', 'quit']);
  expect(out).not.toContain('the condition');
  expect(out).toContain('i = 2\n');
});

test('a variable that was not assigned yet is no None', async () => {
  const { out } = await debug([
    ...[
      'break 14',
      'log main.svc:19 {i} of {count}',
      'next',
      'next',
      'print count',
      'print loud',
      'vars',
      'print [loud for loud in [1]]',
    ],
    ...['print "loud"', 'set loud = 3', 'print loud + 1', 'print i', 'quit'],
  ]);
  expect(out).toContain('count = 0\n');
  expect(out.match(/loud has no value yet/g)).toHaveLength(1);
  expect(out).not.toContain('loud = None');
  expect(out).toContain('[loud for loud in [1]] = [1]\n');
  expect(out).toContain('"loud" = \'loud\'\n');
  expect(out).toContain('loud + 1 = 4\n');
  expect(out).toMatch(/i has no value yet/);
  const letters = await debug(
    ['next', 'print f"{a!r} f {a:>2}"', 'print max(a, key=lambda f: int: f) if r else 0', 'quit'],
    ['letters.svc'],
  );
  expect(letters.out).toContain(`f"{a!r} f {a:>2}" = '1 f  1'\n`);
  expect(letters.out).toMatch(/^r has no value yet$/m);
});

test('a walker can be run instead of the entry, and steps go through its walk', async () => {
  const { out, code } = await debug(['graph', 'cont'], ['main.svc', '--entry', 'Sum']);
  expect(out).toMatch(/^stopped at main\.svc:6:33 in Sum\.start\n/);
  expect(out).toMatch(/graph view: http:\/\/127\.0\.0\.1:\d+\n/);
  expect(code).toBe(0);
});

test('a graph of any size is shown in part, in the terminal and on a page of this machine', async () => {
  await using svc = spawnSvc(['debug', 'wide.svc'], { cwd: folder.path });
  svc.type('break Visit.see hits = 3\ncont\ngraph\n');
  await svc.until(
    /here +Item\(n=2\)\nqueue +Item\(n=3\), .* \(of 1997\)\nvisited +Root\(\), Item\(n=0\), Item\(n=1\), Item\(n=2\)\n/,
  );
  await svc.until(/there is more/);
  const [, address] = await svc.until(/graph view: (http:\/\/127\.0\.0\.1:\d+)\n/);
  expect(await (await fetch(address!)).text()).toContain('<title>Graph of the program</title>');
  const graph = (await (await fetch(`${address}/data`)).json()) as { nodes: unknown[]; isCut: boolean; here: number };
  expect(graph).toMatchObject({ here: 0, isCut: true });
  expect(graph.nodes).toHaveLength(300);
  expect((await fetch(`${address}/data`, { method: 'POST' })).status).toBe(403);
});

test.skipIf(chromium === undefined)(
  'the page draws a wide graph as wide as itself, and tells of the node that has the focus',
  async () => {
    await using svc = spawnSvc(['debug', 'wide.svc'], { cwd: folder.path });
    svc.type('break Visit.see hits = 3\ncont\ngraph\n');
    const [, address] = await svc.until(/graph view: (http:\/\/127\.0\.0\.1:\d+)\n/);
    await using browser = await startBrowser();
    const page = await browser.open(address!);
    await page.until(`document.querySelectorAll('circle').length === 300`);
    const apart = `Math.min(...[...document.querySelectorAll('circle')].slice(1).map((one, i) => {
    const [a, b] = [document.querySelectorAll('circle')[i], one].map((circle) => circle.getBoundingClientRect());
    return Math.hypot(a.x - b.x, a.y - b.y);
  }))`;
    expect(await page.run(apart)).toBeGreaterThan(40);
    expect(await page.run('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.run(`document.querySelector('g.here').focus()`);
    expect(await page.run(`document.getElementById('picked').textContent`)).toBe('Item(n=2)');
    expect(page.errors).toEqual([]);
  },
);

/** `svc debug` at a terminal of its own, whose keys a test presses: `script` of util-linux holds the other end. */
function debugged(name: string) {
  const child = spawn(
    needTool('script', 'bsdutils'),
    ['-qec', `'${process.execPath}' '${svcBin}' debug ${name}`, '/dev/null'],
    { cwd: folder.path },
  );
  let shown = '';
  let wake = () => {};
  child.stdout.on('data', (data) => {
    shown += data;
    wake();
  });
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      resolve(code);
      wake();
    });
  });
  /** Waits until the screen shows it, and forgets what was shown before and in it. */
  const until = async (pattern: RegExp) => {
    for (;;) {
      const found = pattern.exec(shown);
      if (found !== null) {
        shown = shown.slice(found.index + found[0].length);
        return found;
      }
      if (child.exitCode !== null) throw new Error(`the debugger has ended; shown was: ${shown}`);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return { type: (text: string) => void child.stdin.write(text), until, exited };
}

test('keys that are pressed at a terminal: commands, an empty line, the line before, a correction', async () => {
  const { type, until, exited } = debugged('main.svc');
  await until(/stopped at main\.svc:1:6 in main/);
  await until(/\(svc\) /);
  type('break 13\r');
  await until(/breakpoint 1/);
  await until(/\(svc\) /);
  type('cont\r');
  await until(/main\.svc:13:29 in double/);
  await until(/\(svc\) /);
  type('vars\r');
  await until(/x = 0/);
  await until(/\(svc\) /);
  // Tab completes commands, variables and files.
  type('pr');
  await until(/pr/);
  type('\t');
  await until(/int/);
  type(' lim');
  await until(/ lim/);
  type('\t');
  await until(/it/);
  type('\r');
  await until(/limit = 2/);
  await until(/\(svc\) /);
  type('log mai');
  await until(/mai/);
  type('\t');
  await until(/n\.svc/);
  type(':27 here\r');
  await until(/breakpoint 2 at main\.svc:27/);
  await until(/\(svc\) /);
  type('next\r');
  await until(/main\.svc:13:40 in double/);
  await until(/\(svc\) /);
  // An empty line steps again.
  type('\r');
  await until(/main\.svc:\d+:\d+ in \S+/);
  await until(/\(svc\) /);
  // The arrow brings the last line that was typed back, and the key above the return key takes a letter away.
  type('print limitt\x7f\r');
  await until(/limit = 2/);
  await until(/\(svc\) /);
  type('\x1b[A\r');
  await until(/limit = 2/);
  await until(/\(svc\) /);
  type('help\r');
  await until(/cont/);
  await until(/\(svc\) /);
  // Ctrl-C at the prompt leaves what is typed there, and shows it again.
  type('qu');
  await until(/qu/);
  type('\x03');
  await until(/once more to quit\)[\s\S]*\(svc\) qu/);
  type('it\r');
  expect(await exited).toBe(0);
});

test('Ctrl-C stops a program that computes or waits; twice within a second quits', async () => {
  const busy = debugged('busy.svc');
  await busy.until(/\(svc\) /);
  busy.type('cont\r');
  await busy.until(/begun/);
  busy.type('\x03');
  await busy.until(/paused at busy\.svc:4:\d+ in busy/);
  busy.type('set n = -1\rcont\r');
  await busy.until(/counted/);
  expect(await busy.exited).toBe(0);
  const idle = debugged('idle.svc');
  await idle.until(/\(svc\) /);
  idle.type('cont\r');
  await idle.until(/begun/);
  // Text that is typed before it stops keeps its cursor: it can be taken away again.
  idle.type('print 1 +');
  await idle.until(/print 1 \+/);
  idle.type('\x03');
  await idle.until(/paused at idle\.svc:2:30 in idle/);
  await idle.until(/\(svc\) print 1 \+/);
  idle.type('\x15');
  await idle.until(/\(svc\) /);
  idle.type('print 2 + 40\r');
  await idle.until(/2 \+ 40 = 42/);
  idle.type('\x03\x03');
  expect(await idle.exited).toBe(130);
});

test('what cannot be debugged is told', async () => {
  expect(await debug([], ['broken.svc'])).toMatchObject({ code: 1, err: expect.stringContaining('E01') });
  expect(await debug([], ['nowhere.svc'])).toMatchObject({ code: 3 });
  expect(await debug([], ['main.svc'], { SVC_ENV: 'production' })).toMatchObject({
    code: 3,
    err: expect.stringContaining('production'),
  });
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  expect(await debug([], ['main.svc', '--port', String(port)])).toMatchObject({
    code: 4,
    err: expect.stringContaining('taken'),
  });
  taken.close();
});

test('several programs are debugged at once, and where the usual port is taken the one that is used is told', async () => {
  // Whether it is this one or somebody else on the machine: the port is taken.
  const taken = createServer();
  await new Promise<void>((resolve) => {
    taken.once('error', () => resolve());
    taken.listen(9229, '127.0.0.1', resolve);
  });
  const all = await Promise.all([1, 2, 3].map(() => debug(['next', 'print w', 'cont'], ['other.svc'])));
  for (const { code, out, err } of all) {
    expect([code, out]).toEqual([0, expect.stringContaining('w = 1\n1\n')]);
    expect(err).toMatch(/^svc: port 9229 is taken: the inspector listens on \d+$/m);
    expect(err).not.toContain('Starting inspector');
  }
  expect(new Set(all.map(({ err }) => /listens on (\d+)/.exec(err)![1])).size).toBe(3);
  await new Promise((resolve) => taken.close(resolve));
  // Nobody holds it, and all want it: at most one gets it.
  const racing = await Promise.all([1, 2, 3].map(() => debug(['next', 'print w', 'cont'], ['other.svc'])));
  for (const { code, out } of racing) expect([code, out]).toEqual([0, expect.stringContaining('w = 1\n1\n')]);
});

test('a file that changes meanwhile is told of, its lines stay those of the program, and restart takes the new text', async () => {
  const before = 'with entry {\n    a = 1;\n    b = 2;\n    print(a + b);\n}\n';
  using own = folderWith({ 'main.svc': before });
  await using svc = spawnSvc(['debug', 'main.svc'], { cwd: own.path });
  await svc.until(/> 2 \| {5}a = 1;/);
  writeFileSync(
    join(own.path, 'main.svc'),
    'with entry {\n    # new\n    a = 10;\n    b = 20;\n    print(a + b);\n}\n',
  );
  svc.type('next\n');
  await svc.until(/main\.svc has changed: .*restart takes the new text\n> 3 \| {5}b = 2;/);
  svc.type('restart\n');
  await svc.until(/> 3 \| {5}a = 10;/);
  svc.type('cont\n');
  await svc.until(/30\n/);
  expect(await svc.exited).toBe(0);
  expect(svc.stdout().match(/has changed/g)).toHaveLength(1);
});

test('a program that is killed ends the debugger with its exit code', async () => {
  using own = folderWith({
    'main.svc':
      'import os;\nwith entry {\n    print("pid", os.getpid());\n    a = 1;\n    while a > 0 { a += 1; }\n}\n',
  });
  await using svc = spawnSvc(['debug', 'main.svc'], { cwd: own.path });
  await svc.until(/stopped at/);
  svc.type('cont\n');
  const [, pid] = await svc.until(/pid (\d+)/);
  process.kill(Number(pid), 'SIGKILL');
  await svc.until(/svc: the program ended with 137/);
  expect(await svc.exited).toBe(137);
});

test('the object of a method is among its variables', async () => {
  const { out } = await debug(['break Box.twice', 'cont', 'vars', 'quit'], ['box.svc']);
  expect(out).toContain('self = Box(n=4)\nby = 2\n');
});

test('`super` begins from the class of the method or ability', async () => {
  const asked = ['super.text()', 'super.text("!")', '[super.text() for i in range(2)]'];
  const commands = ['break Heir.text', 'break Second.look', 'cont', ...asked.map((one) => `print ${one}`), 'cont'];
  const { out } = await debug([...commands, 'print super.text()', 'quit'], ['heirs.svc']);
  expect(out).toContain(`= 'base.'\n`);
  expect(out).toContain(`= 'base!'\n`);
  expect(out).toContain(`= ['base.', 'base.']\n`);
  expect(out).toContain(`super.text() = 'first'\n`);
});

test('a module of the project that was imported as a whole is a name of the program', async () => {
  const asked = ['parts.sizes.twice(4)', 'parts.sizes.size', 'sizes.size + 1', 'os.path.join("a", "b")'];
  const { out } = await debug([...asked.map((one) => `print ${one}`), 'quit'], ['dotted.svc']);
  for (const value of ['8', '3', '4', "'a/b'"]) expect(out).toContain(`${asked.shift()} = ${value}\n`);
});

test('variables of a module are no names of standard modules', async () => {
  using shop = folderWith({
    'main.svc': 'import from typing { Optional }\nimport from math { pi }\nwith entry { n = 1; print(n, pi); }\n',
  });
  await using svc = spawnSvc(['debug', 'main.svc'], { cwd: shop.path });
  svc.type('next\nvars\nprint pi > 3\nquit\n');
  svc.end();
  await svc.exited;
  expect(svc.stdout()).toContain('\nn = 1\npi > 3 = True\n');
});
