/** `svc run` and `svc check`. */
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSvc } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

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

test('a second run of an unchanged program compiles nothing', async () => {
  using folder = folderWith({ 'main.svc': 'with entry { print("hi"); }\n' });
  const run = () => runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder.path });
  await run();
  const cache = join(folder.path, '.svc', 'cache');
  const [index] = readdirSync(cache).filter((name) => name.startsWith('index-'));
  const [module] = readdirSync(cache).filter((name) => !name.startsWith('index-'));
  expect(index).toBeDefined();
  // What is run is what is in the cache: it has not been made anew.
  writeFileSync(join(cache, module!, 'main.mjs'), 'console.log("from the cache");');
  expect((await run()).stdout).toBe('from the cache\n');
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

test('svc check reports problems of named files or of all, as text or JSON', async () => {
  using folder = folderWith({
    'svc.toml': '[project]\nname = "x"\n',
    'main.svc': 'with entry { print(missing); }\n',
    'lib/other.svc': 'def f( { }\n',
    'fine.svc': 'with entry { print(1); }\n',
  });
  const check = (...args: string[]) => runSvc(['check', ...args], { cwd: folder.path });
  expect(await check('fine.svc')).toMatchObject({ code: 0 });
  const named = await check('main.svc');
  expect(named.code).toBe(1);
  expect(named.stdout).toMatch(/error\[E0301\]: `missing` is not defined\n +--> main\.svc:1:20\n/);
  const all = await check();
  expect(all.stdout).toContain('main.svc:1:20');
  expect(all.stdout).toContain('lib/other.svc:1:');
  const json = (await check('--json')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(json.length).toBeGreaterThanOrEqual(2);
  expect(json.find((one) => one.code === 'E0301')).toMatchObject({
    severity: 'error',
    file: 'main.svc',
    line: 1,
    col: 20,
  });
  expect(await check('nowhere.svc')).toMatchObject({ code: 3 });
});

test('svc new makes something that checks and starts', async () => {
  using folder = folderWith({});
  expect(await runSvc(['new', 'shop'], { cwd: folder.path })).toMatchObject({ code: 0 });
  expect(await runSvc(['check'], { cwd: join(folder.path, 'shop') })).toMatchObject({ code: 0 });
});
