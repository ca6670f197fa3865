/** `svc run`. */

import { exec } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { post, runSvc, startServer, svcBin } from '../harness/server.ts';
import { folderWith, replaceWithin } from '../harness/svc-process.ts';

function runShell(command: string, cwd: string): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    exec(command, { cwd, env: { ...process.env, NO_COLOR: '1' } }, (_, stdout, stderr) => resolve({ stdout, stderr }));
  });
}

const counter = `node N { has name: str; }
walker Count { can count with Root entry { report len([-->]); } }
with entry { root ++> N(name="x"); root spawn Count(); }
`;

test('prints, reports, and keeps the graph between runs', async () => {
  using folder = folderWith({ 'main.svc': counter });
  const run = (...args: string[]) => runSvc(['run', 'main.svc', ...args], { cwd: folder.path });
  expect(await run('--no-persist')).toMatchObject({ code: 0, stdout: '1\n', stderr: '' });
  expect(existsSync(join(folder.path, '.svc', 'data'))).toBe(false);
  const first = await run();
  expect(first).toMatchObject({ code: 0, stdout: '1\n' });
  expect(first.stderr).toContain('.svc/data/svc.db');
  expect(await run()).toMatchObject({ code: 0, stdout: '2\n', stderr: '' });
});

test('functions in the fields of nodes live as long as the run', async () => {
  const program = `import re;
def double(x: int) -> int { return x * 2; }
node Step { has action: any = None; has more: list = []; has pattern: any = None; has n: int = 0; }
walker Go {
    can start with Root entry { visit [-->]; }
    can at with Step entry { here.n += 1; report (here.action(here.n), [f(here.n) for f in here.more], bool(here.pattern.match("aa"))); }
}
with entry {
    if [root -->] { print([root -->][0]); }
    else {
        step = root ++> Step(action=double, more=[lambda x: int -> int { return -x; }], pattern=re.compile("a+"));
        root spawn Go();
        step.more.append(double);
        root spawn Go();
    }
}
test "functions in nodes" {
    root ++> Step(action=len, more=[]);
    try { root spawn Go(); } except TypeError as e { assert "len" in str(e); }
}
`;
  using folder = folderWith({ 'main.svc': program });
  const run = (...args: string[]) => runSvc([...args], { cwd: folder.path });
  const walked = '(2, [-1], True)\n(4, [-2, 4], True)\n';
  expect(await run('run', '--no-persist', 'main.svc')).toMatchObject({ code: 0, stdout: walked, stderr: '' });
  const first = await run('run', 'main.svc');
  expect(first).toMatchObject({ code: 0, stdout: walked });
  expect(first.stderr).toContain("svc: a value of type 'function' in the graph is kept for this run only");
  const kept = 'Step(action=None, more=[None, None], pattern=None, n=2)\n';
  expect(await run('run', 'main.svc')).toMatchObject({ code: 0, stdout: kept, stderr: '' });
  expect((await run('test', 'main.svc')).code).toBe(0);
});

test('a second run of an unchanged program compiles nothing', async () => {
  using folder = folderWith({ 'main.svc': 'with entry { print("hi"); }\n' });
  const run = () => runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder.path });
  await run();
  const cache = join(folder.path, '.svc', 'cache');
  const [index] = readdirSync(cache).filter((name) => name.startsWith('index-'));
  const [module] = readdirSync(cache).filter((name) => !name.startsWith('index-'));
  expect(index).toBeDefined();
  const made = statSync(join(cache, index!)).ino;
  expect((await run()).stdout).toBe('hi\n');
  // A compilation is remembered in a file of its own: there has been none.
  expect(statSync(join(cache, index!)).ino).toBe(made);
  // A module that is no longer as it was written is made anew.
  replaceWithin(join(cache, module!, 'main.mjs'), 'console.log("from the cache");');
  expect(await run()).toMatchObject({ code: 0, stdout: 'hi\n' });
  expect(await run()).toMatchObject({ code: 0, stdout: 'hi\n' });
  writeFileSync(join(folder.path, 'main.svc'), 'with entry { print("changed"); }\n');
  expect((await run()).stdout).toBe('changed\n');
});

test('labelled entry blocks run when asked for', async () => {
  using folder = folderWith({
    'main.svc':
      'with entry { print("always"); }\nwith entry:__main__ { print("main"); }\nwith entry:seed { print("seed"); }\n',
  });
  const run = (...args: string[]) => runSvc(['run', 'main.svc', '--no-persist', ...args], { cwd: folder.path });
  expect((await run()).stdout).toBe('always\nmain\n');
  expect((await run('--entry', 'seed')).stdout).toBe('always\nseed\n');
  const unknown = await run('--entry', 'sed');
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toMatch(/^svc: --entry: .*\n {2}hint: did you mean seed\?/);
});

test('arguments of the program, its exit code and its standard input', async () => {
  using folder = folderWith({
    'main.svc': 'import sys;\nwith entry { print(sys.argv[1:], input("name? ")); sys.exit(3); }\n',
  });
  const { code, stdout } = await runSvc(['run', 'main.svc', '--', 'a', '--b'], { cwd: folder.path, input: 'Ada\n' });
  expect(stdout).toBe("name? ['a', '--b'] Ada\n");
  expect(code).toBe(3);
});

test('what follows the file is for the program, and what begins with a dash follows --', async () => {
  using folder = folderWith({ 'main.svc': 'import sys;\nwith entry { print(sys.argv); }\n' });
  const run = (...args: string[]) => runSvc(['run', ...args], { cwd: folder.path });
  expect((await run('main.svc', '--no-persist', 'a', 'b c')).stdout).toBe("['main.svc', 'a', 'b c']\n");
  expect((await run('main.svc', 'a', '--no-persist', '--', '-x', 'main')).stdout).toBe(
    "['main.svc', 'a', '-x', 'main']\n",
  );
  expect(await run('main.svc', '--wrong')).toMatchObject({ code: 2, stdout: '' });
});

test('how a program ends is its exit code', async () => {
  using folder = folderWith({
    'main.svc': `import sys;
with entry {
    ways = {
        "none": lambda { sys.exit(); }, "seven": lambda { exit(7); }, "minus": lambda { sys.exit(-1); }, "round": lambda { sys.exit(512); },
        "true": lambda { quit(True); }, "text": lambda { sys.exit("goodbye"); }, "float": lambda { sys.exit(2.5); },
        "raised": lambda { raise SystemExit(9); }, "error": lambda { raise ValueError("no"); }
    };
    print("begins", end="");
    ways[sys.argv[1]]();
}
`,
  });
  for (const [way, code, text] of [
    ['none', 0, ''],
    ['seven', 7, ''],
    ['minus', 255, ''],
    ['round', 0, ''],
    ['true', 1, ''],
    ['text', 1, 'goodbye\n'],
    ['float', 1, '2.5\n'],
    ['raised', 9, ''],
    ['error', 1, 'Error: ValueError: no\n'],
  ] as const) {
    const ran = await runSvc(['run', 'main.svc', '--no-persist', way], { cwd: folder.path });
    expect(ran, way).toMatchObject({ code, stdout: 'begins' });
    expect(ran.stderr.startsWith(text) && (text !== '' || ran.stderr === ''), ran.stderr).toBe(true);
  }
});

test('standard input by line, by iteration, as a whole and as a file', async () => {
  using folder = folderWith({
    'main.svc': `import sys;
def whole -> str { return sys.stdin.read(); }
with entry {
    print(repr(input("first? ")), repr(sys.stdin.readline()));
    for line in sys.stdin { print(repr(line)); if line == "three\\n" { break; } }
    print(next(sys.stdin).strip().upper());
    print(len(whole()), whole() == "");
    try { input(); } except EOFError as e { print(e); }
}
`,
    'file.svc': 'with entry { with open("/dev/stdin") as f { print([l.strip() for l in f], f.seekable()); } }\n',
  });
  const input = `é1\r\ntwo\nand\nthree\nfour\n${'x'.repeat(100_000)}`;
  const { stdout, stderr } = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder.path, input });
  expect(stderr).toBe('');
  expect(stdout).toBe("first? 'é1' 'two\\n'\n'and\\n'\n'three\\n'\nFOUR\n100000 True\nEOF when reading a line\n");
  const piped = `printf 'a\\nb' | "${process.execPath}" "${svcBin}" run file.svc --no-persist`;
  expect(await runShell(piped, folder.path)).toEqual({ stdout: "['a', 'b'] False\n", stderr: '' });
});

test('nothing of a long output is lost, and a reader that stops early ends the program quietly', async () => {
  using folder = folderWith({
    'main.svc': 'with entry { for i in range(60000) { print(i, "and some more text to fill a pipe"); } }\n',
    'endless.svc': 'with entry { i = 0; while True { print(i); i += 1; } }\n',
  });
  const slow = (file: string, reader: string) =>
    runShell(`"${process.execPath}" "${svcBin}" run ${file} --no-persist | (sleep 0.3; ${reader})`, folder.path);
  expect((await slow('main.svc', 'tail -n 1')).stdout).toBe('59999 and some more text to fill a pipe\n');
  expect(await slow('endless.svc', 'head -n 2')).toEqual({ stdout: '0\n1\n', stderr: '' });
});

test('a program that waits for something that never happens is told so', async () => {
  using folder = folderWith({
    'main.svc': 'import asyncio;\nwith entry { print("waiting"); await asyncio.Future(); print("never"); }\n',
  });
  const { code, stdout, stderr } = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder.path });
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'waiting\n' });
  expect(stderr).toBe('Error: RuntimeError: the program waits for something that never happens\n');
});

test('notes about older idioms can be switched off, and reports echoed by a server', async () => {
  using folder = folderWith({
    'main.svc': `node N { has a: int; }
walker:pub W { can go with Root entry { report "echoed"; } }
with entry { x = root ++> N(1); for i in range(2) { print(x[0].a); } }
`,
  });
  const run = () => runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder.path });
  const noted = await run();
  expect(noted.stdout).toBe('1\n1\n');
  expect(noted.stderr).toMatch(/^svc: using \[0\] on a node.*main\.svc:3.*\n$/);
  for (const [setting, echoes] of [
    ['compat_warnings = false', false],
    ['compat_warnings = false\necho_reports = true', true],
  ] as const) {
    writeFileSync(join(folder.path, 'svc.toml'), `[run]\n${setting}\n`);
    expect(await run()).toMatchObject({ stdout: '1\n1\n', stderr: '' });
    await using server = await startServer({ folder: folder.path });
    expect((await post(server.base, '/walker/W')).reports).toEqual(['echoed']);
    await server.stop();
    expect(server.output().split('\n').includes('echoed')).toBe(echoes);
  }
});

test('an uncaught exception shows the source, and commits nothing of its unit', async () => {
  using folder = folderWith({
    'main.svc':
      'node N {}\ndef f(d: dict) -> any {\n    return d["k"];\n}\nwith entry {\n    root ++> N();\n    try { f({}); } except KeyError as e { raise ValueError("bad") from e; }\n}\n',
  });
  const { code, stderr } = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder.path });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error: ValueError: bad\n --> main\.svc:7:\d+\n/);
  expect(stderr).toMatch(/^7 \| {5}try \{/m);
  expect(stderr).toMatch(/\nCaused by: KeyError: 'k'\n {2}at f main\.svc:3\n/);
});

test('a project that cannot be written to still runs', async () => {
  using folder = folderWith({ 'main.svc': 'with entry { print("hi"); }\n' });
  chmodSync(folder.path, 0o555);
  const result = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder.path });
  chmodSync(folder.path, 0o755);
  expect(result).toMatchObject({ code: 0, stdout: 'hi\n' });
});

test('svc new makes something that checks and passes its tests', async () => {
  using folder = folderWith({});
  expect(await runSvc(['new', 'shop'], { cwd: folder.path })).toMatchObject({ code: 0 });
  const shop = join(folder.path, 'shop');
  expect(await runSvc(['check'], { cwd: shop })).toMatchObject({ code: 0 });
  const { code, stdout } = await runSvc(['test'], { cwd: shop });
  expect(stdout).toMatch(/\n2 tests: 2 passed \(/);
  expect(code).toBe(0);
});
