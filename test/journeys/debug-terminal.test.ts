/** `svc debug` in the terminal: what somebody types, and what is printed (docs/guide/debugging.md). */
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
    'main.svc': text,
    'broken.svc': 'with entry { x = ; }',
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

test('a walker can be run instead of the entry, and steps go through its walk', async () => {
  const { out, code } = await debug(['graph', 'cont'], ['main.svc', '--entry', 'Sum']);
  expect(out).toMatch(/^stopped at main\.svc:6:33 in Sum\.start\n/);
  expect(out).toMatch(/graph view: http:\/\/127\.0\.0\.1:\d+\n/);
  expect(code).toBe(0);
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
