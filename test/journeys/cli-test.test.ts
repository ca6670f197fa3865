/** `svc test`: test blocks, each in an empty graph of its own (docs/language/modules.md#tests). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository, runSvc } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const tasks = `node Task { has title: str; }
walker Add { has title: str; can go with Root entry { here ++> Task(self.title); report len([-->]); } }
with entry { root ++> Task("made by the entry block"); }
with entry:__main__ { print("never"); }
`;

function svcTest(path: string, ...args: string[]) {
  return runSvc(['test', ...args], { cwd: path });
}

function records(stdout: string): any[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('every test begins with an empty root, and nothing is kept', async () => {
  using folder = folderWith({
    'main.svc': `${tasks}
test "begins empty" { assert [root -->] == []; }
test adds { root spawn Add("a"); assert (root spawn Add("b")).reports == [2]; }
test { assert len([root -->]) == 0; root spawn Add("c"); }
test "is alone" { assert len(allroots()) == 1; assert [root -->] == []; }
`,
  });
  await runSvc(['run', 'main.svc'], { cwd: folder.path });
  const { code, stdout, stderr } = await svcTest(folder.path, 'main.svc');
  expect(stderr).toBe('');
  expect(stdout.replace(/\([\d.]+ m?s\)/g, '(T)')).toBe(`main.svc
  ok    begins empty (T)
  ok    adds (T)
  ok    test_3 (T)
  ok    is alone (T)

4 tests: 4 passed (T)
`);
  expect(code).toBe(0);
  const after = await runSvc(['run', 'main.svc', '--entry', '__main__'], { cwd: folder.path });
  expect(after.stdout).toBe('never\n');
  using fresh = folderWith({ 'main.svc': `${tasks}test "t" { root spawn Add("a"); commit(); }\n` });
  expect((await svcTest(fresh.path)).code).toBe(0);
  expect(existsSync(join(fresh.path, '.svc', 'data'))).toBe(false);
});

test('a failing test shows where, the source, and both sides of the comparison; the others run', async () => {
  using folder = folderWith({
    'main.svc': `def half(x: float) -> float { return x / 2; }
def check_half(x: float) { assert half(x) == 1.5, "half is wrong"; }
test "first" { assert half(4.0) == 2; }
test "second" {
    check_half(4.0);
}
test "third" { assert "a" in ["b", "c"]; }
test "fourth" { print("before"); {}["key"]; }
test "fifth" { assert not []; }
test "sixth" { n: any = 2; assert n == 2.0; assert 2.0 == n; assert n >= 2.0; xs: list = [n]; assert 2.0 in xs; }
`,
  });
  const { code, stdout } = await svcTest(folder.path);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^ {2}ok {4}first \(.*\n {2}FAIL {2}second \(.*\n {2}FAIL {2}third \(.*\nbefore\n {2}FAIL {2}fourth/m,
  );
  expect(stdout).toContain(`FAIL  second (main.svc:4)
Error: AssertionError: half is wrong
 --> main.svc:2:35
  |
1 | def half(x: float) -> float { return x / 2; }
2 | def check_half(x: float) { assert half(x) == 1.5, "half is wrong"; }
  |                                   ^^^^
3 | test "first" { assert half(4.0) == 2; }
  |
  = left:  2.0
  = right: 1.5
  at check_half main.svc:2
  at main.svc:5
`);
  expect(stdout).toContain(" = left:  'a'\n  = right: ['b', 'c']\n  at main.svc:7\n");
  expect(stdout).toMatch(/^FAIL {2}fourth \(main\.svc:8\)\nError: KeyError: 'key'\n --> main\.svc:8:34$/m);
  expect(stdout).toMatch(/\n6 tests: 3 passed, 3 failed \(.*\)\n$/);
  const bail = await svcTest(folder.path, '--bail');
  expect(bail.stdout).toMatch(/\n2 tests: 1 passed, 1 failed \(.*\)\n$/);
});

test('a block says what it has to raise, gives up, or is skipped', async () => {
  using folder = folderWith({
    'main.svc': `import from unittest { SkipTest }
def check_age(age: int) { if age < 0 { raise ValueError(f"no age: {age}"); } }
test "raises" {
    with testraises(ValueError, TypeError, match=r"age: -\\d") as info { check_age(-1); }
    assert info.type is ValueError and str(info.value) == "no age: -1";
}
test "no age" { with testraises(ValueError) { check_age(1); } }
test "another text" { with testraises(ValueError, match="height") { check_age(-1); } }
test "another exception" { with testraises(ValueError) { {}["k"]; } }
test "of no use" { with testraises(TypeError) { testraises(); } with testraises(TypeError) { testraises(ValueError, int); } }
test "gives up" { testfail("not yet"); }
test "later" { testskip("needs a printer"); assert False; }
test "in a way" { raise SkipTest(); }
`,
  });
  const { code, stdout } = await svcTest(folder.path);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^ {2}ok {4}raises .*\n {2}FAIL {2}no age .*\n {2}FAIL {2}another text .*\n {2}FAIL {2}another exception .*\n {2}ok {4}of no use .*\n {2}FAIL {2}gives up .*\n {2}skip {2}later: needs a printer\n {2}skip {2}in a way$/m,
  );
  expect(stdout).toContain('Error: AssertionError: DID NOT RAISE ValueError\n');
  expect(stdout).toContain("Error: AssertionError: 'no age: -1' does not match 'height'\n");
  expect(stdout).toContain("Error: KeyError: 'k'\n");
  expect(stdout).toContain('Error: AssertionError: not yet\n');
  expect(stdout).toMatch(/\n8 tests: 2 passed, 4 failed, 2 skipped \(.*\)\n$/);
  const json = await svcTest(folder.path, '--json', '--filter', 'later');
  expect(json.code).toBe(0);
  expect(records(json.stdout)).toMatchObject([
    { name: 'later', status: 'skipped' },
    { tests: 1, skipped: 1, failed: 0 },
  ]);
});

test('asserting keeps its meaning: sides once, in order; message only on failure; exceptions can be caught', async () => {
  using folder = folderWith({
    'main.svc': `glob log = [];
def say(x: any) -> any { log.append(x); return x; }
test "order" {
    assert say(1) < say(2), say("unused");
    try { assert say(3) == say(4), say("why"); } except AssertionError as e { assert str(e) == "why" and e.args == ("why",); }
    try { assert say(5) is None; } except AssertionError as e { assert e.args == (); }
    assert 0 < say(6) < 9;
    assert log == [1, 2, 3, 4, "why", 5, 6];
}
`,
  });
  const { code, stdout } = await svcTest(folder.path);
  expect(stdout).toContain('1 test: 1 passed');
  expect(code).toBe(0);
});

test('nodes in module variables serve every test as long as none puts them into its graph', async () => {
  using folder = folderWith({
    'main.svc': `node City { has name: str; has seen: int = 0; }
glob a = City("a"), b = City("b"), c = City("c");
with entry { a ++> b; }
walker Tour { can at with City entry { here.seen += 1; visit [-->]; } }
test "first" { a spawn Tour(); assert b.seen == 1; }
test "second" { a spawn Tour(); assert b.seen == 2; root ++> c; }
test "third" { assert [root -->] == []; root ++> c; }
`,
  });
  const { code, stdout } = await svcTest(folder.path);
  expect(code).toBe(1);
  expect(stdout).toMatch(/ok {4}first .*\n {2}ok {4}second .*\n {2}FAIL {2}third/);
  expect(stdout).toContain('RuntimeError: this City belongs to a call that is over');
});

test('annex files, folders, names, filters', async () => {
  using folder = folderWith({
    'svc.toml': '[project]\nname = "x"\n',
    'main.svc': 'import from lib.sums { add }\nglob base = 1;\ntest "in the module" { assert add(base, 1) == 2; }\n',
    'main.test.svc': 'test "beside it" { assert base == 1; }\n',
    'main.test/more.test.svc': 'test "in its folder" { assert add(base, base) == 2; }\n',
    'test/main.slow.test.svc': 'test "in the test folder" { assert base == 1; }\n',
    'lib/sums.svc': 'def add(a: int, b: int) -> int { return a + b; }\ntest "adds up" { assert add(1, 2) == 3; }\n',
    'seed.svc': 'with entry { raise ValueError("no tests here, so never loaded"); }\n',
    'node_modules/p/p.svc': 'test "of a package" { assert False; }\n',
  });
  const names = async (...args: string[]) => {
    const { code, stdout, stderr } = await svcTest(folder.path, '--json', ...args);
    expect(code, stdout + stderr).toBe(0);
    return records(stdout).flatMap((record) => (record.event === 'test' ? [record.name] : []));
  };
  const ofMain = ['in the module', 'beside it', 'in its folder', 'in the test folder'];
  expect(await names()).toEqual([...ofMain, 'adds up']);
  expect(await names('main.svc')).toEqual(ofMain);
  expect(await names('lib')).toEqual(['adds up']);
  expect(await names('test/main.slow.test.svc', 'lib/sums.svc')).toEqual(['in the test folder', 'adds up']);
  expect(await names('--filter', 'folder')).toEqual(['in its folder', 'in the test folder']);
  expect(await names('-f', 'adds')).toEqual(['adds up']);
});

test('decorators are applied when the test runs', async () => {
  using folder = folderWith({
    'main.svc': `import asyncio;
glob cases = [1, 2, 3], seen = [];
def each(values: list) -> any { return lambda f: any : lambda { for v in values { seen.append(v); f(); } }; }
def raising(f: any) -> any { return lambda { try { f(); } except ValueError { return; } assert False, "nothing raised"; }; }
@each(cases) test "once per case" { assert len(seen) > 0; }
test "ran three times" { assert seen == [1, 2, 3]; }
@raising test "raises" { raise ValueError("as it should"); }
@raising @each([1]) test "does not" { asyncio.sleep(0); }
`,
  });
  const { stdout } = await svcTest(folder.path);
  expect(stdout).toMatch(
    /ok {4}once per case .*\n {2}ok {4}ran three times .*\n {2}ok {4}raises .*\n {2}FAIL {2}does not/,
  );
  expect(stdout).toContain('Error: AssertionError: nothing raised');
});

test('parametrize: a test for each value, by call, on a function, and on a block', async () => {
  using folder = folderWith({
    'main.svc': `import from svclang.runtimelib.test { parametrize }
glob seen = [];
def even(n: int) { assert n % 2 == 0; }
with entry { parametrize("even", [2, 3], even); parametrize("named", [4], even, id_fn=lambda n: int : f"n={n}"); }
@parametrize("a, b", [(1, 1), (1, 2)]) def same(a: int, b: int) { assert a == b; }
@parametrize([5, 6]) test "block" { seen.append(1); }
test "ran twice" { assert seen == [1, 1]; }
`,
  });
  const { code, stdout } = await svcTest(folder.path, '--json');
  expect(code).toBe(1);
  const tests = records(stdout).filter((record) => record.event === 'test');
  expect(tests.map(({ name, line, status }) => `${name} ${line} ${status}`)).toEqual([
    'block 6 passed',
    'ran twice 7 passed',
    'even[2] 3 passed',
    'even[3] 3 failed',
    'named[n=4] 3 passed',
    'same[1-1] 5 passed',
    'same[1-2] 5 failed',
  ]);
  expect(await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder.path })).toMatchObject({
    code: 0,
    stderr: '',
  });
  using alone = folderWith({
    'main.svc':
      'import from svclang.runtimelib.test { parametrize }\n@parametrize([1]) def one(n: int) { assert n == 1; }\n',
  });
  expect((await svcTest(alone.path)).stdout).toContain('ok    one[1] ');
});

test('parametrize spreads each value over the parameters that are named, or else over those that must be given', async () => {
  using folder = folderWith({
    'main.svc': `import from svclang.runtimelib.test { parametrize }
def less(a: int, b: int) { assert a < b; }
with entry { parametrize("less", [(1, 2), (2, 1)], less, id_fn=lambda pair: tuple : f"pair {pair[0]}"); }
@parametrize([(1, 2), (3, 3)]) def differ(a: int, b: int) { assert a != b; }
@parametrize("big, small", [(2, 1), [4, 3]]) def named(small: int, big: int, more: int = 0) { assert small < big and more == 0; }
@parametrize(["a", "b"], [(1, 1), (1,)]) def listed(a: int, b: int) { assert a == b; }
@parametrize("pair", [(1, 2)]) def whole(first: int = 0, pair: tuple = ()) { assert first == 0 and len(pair) == 2; }
@parametrize([(1, 2)]) def one(pair: tuple) { assert len(pair) == 2; }
@parametrize([(1, 2)]) def rest(*pairs: tuple) { assert pairs == ((1, 2),); }
`,
  });
  const { stdout } = await svcTest(folder.path, '--json');
  const tests = records(stdout).filter((record) => record.event === 'test');
  expect(tests.map(({ name, status }) => `${name} ${status}`)).toEqual([
    'less[pair 1] passed',
    'less[pair 2] failed',
    'differ[1-2] passed',
    'differ[3-3] failed',
    'named[2-1] passed',
    'named[4-3] passed',
    'listed[1-1] passed',
    'listed[1] failed',
    'whole[1-2] passed',
    'one[1-2] passed',
    'rest[1-2] passed',
  ]);
  expect(stdout).toContain('ValueError: 2 names (a, b) and 1 value: (1,)');
});

test('tests may wait; one that waits for nothing fails, as does an error nobody waits for', async () => {
  using folder = folderWith({
    'main.svc': `import asyncio;
async def later -> int { await asyncio.sleep(0.01); return 4; }
async walker W { async can go with Root entry { report await later(); } }
test "awaits" { assert await later() == 4; assert (await (root spawn W())).reports == [4]; }
test "stuck" { await asyncio.Future(); }
test "exits" { exit(0); }
test "goes on" { assert True; }
`,
  });
  const { code, stdout } = await svcTest(folder.path);
  expect(code).toBe(1);
  expect(stdout).toMatch(/ok {4}awaits .*\n {2}FAIL {2}stuck .*\n {2}FAIL {2}exits .*\n {2}ok {4}goes on/);
  expect(stdout).toContain('the test waits for something that never happens');
  expect(stdout).toContain('Error: SystemExit: 0');
});

test('--json gives a record for each test and the totals', async () => {
  using folder = folderWith({
    'main.svc': 'with entry { print("loading"); }\ntest "good" { print("hi"); }\n  test "bad" { assert 1 == 2; }\n',
  });
  const { code, stdout, stderr } = await svcTest(folder.path, '--json');
  expect(code).toBe(1);
  expect(stderr).toBe('');
  const [loaded, good, bad, summary, ...more] = records(stdout);
  expect(loaded).toEqual({ event: 'loaded', file: 'main.svc', output: 'loading\n' });
  const place = { event: 'test', file: 'main.svc', ms: expect.any(Number) };
  expect(good).toEqual({ ...place, line: 2, col: 1, name: 'good', status: 'passed', output: 'hi\n', error: null });
  expect(bad).toEqual({
    ...place,
    line: 3,
    col: 3,
    name: 'bad',
    status: 'failed',
    output: '',
    error: {
      message: 'AssertionError',
      file: 'main.svc',
      line: 3,
      col: 23,
      text: expect.stringContaining('= left:  1\n'),
    },
  });
  expect(summary).toEqual({
    event: 'summary',
    tests: 2,
    passed: 1,
    failed: 1,
    skipped: 0,
    broken: 0,
    ms: expect.any(Number),
  });
  expect(more).toEqual([]);
});

test('a file that does not compile or load is a failure of its own', async () => {
  using folder = folderWith({
    'broken.svc': 'test "a" { x = ; }\n',
    'fine.svc': 'test "b" { assert True; }\n',
    'loud.svc': 'with entry { raise ValueError("no"); }\ntest "c" { }\n',
  });
  const { code, stdout, stderr } = await svcTest(folder.path);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error\[E\d+\]: .*\n --> broken\.svc:1:16$/m);
  expect(stdout).toContain('broken.svc\n  FAIL  does not compile\n');
  expect(stdout).toContain('loud.svc\n  FAIL  cannot be loaded\n');
  expect(stdout).toContain('Error: ValueError: no\n --> loud.svc:1:20\n');
  expect(stdout).toMatch(/\n1 test: 1 passed, 2 files not run \(/);
});

test('says what to do when there is nothing to run', async () => {
  using folder = folderWith({ 'main.svc': 'def f { }\n', 'other.svc': 'test "adds numbers" { }\n' });
  const none = await svcTest(folder.path, 'main.svc');
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toBe(
    'svc: test: there are no tests in main.svc\n  hint: test "adds up" { assert 1 + 1 == 2; }\n',
  );
  const filtered = await svcTest(folder.path, '-f', 'add numbers');
  expect(filtered.code).toBe(2);
  expect(filtered.stderr).toBe(
    "svc: test: no test has 'add numbers' in its name\n  hint: did you mean adds numbers?\n",
  );
  const missing = await svcTest(folder.path, 'mian.svc');
  expect(missing.code).toBe(3);
  expect(missing.stderr).toMatch(
    /^svc: cannot read mian\.svc: no such file or folder\n {2}hint: did you mean main\.svc\?/,
  );
});

test('the page about tests works as written', async () => {
  const page = readFileSync(join(repository, 'docs/testing.md'), 'utf8');
  const files = [...page.matchAll(/^```svc (\S+)\n([\s\S]*?)^```/gm)].map(([, name, text]) => [name!, text!] as const);
  using folder = folderWith(Object.fromEntries(files));
  const { code, stdout, stderr } = await svcTest(folder.path);
  expect(stderr).toBe('');
  expect(stdout.replace(/\([\d.]+ m?s\)/g, '(T)')).toBe(`main.test.svc
  ok    walkers work on the graph of the test (T)
  ok    users see their own tasks (T)
  ok    functions (T)
  ok    check_double[1] (T)
  ok    check_double[2] (T)
  ok    check_double[3] (T)
  ok    check_pairs[1-2] (T)
  ok    check_pairs[4-8] (T)
components/Greeting.test.svc
  ok    greets again and again (T)
  ok    what a component asks is answered by the program (T)

10 tests: 10 passed (T)
`);
  expect(code).toBe(0);
});

test('a test client serves a program of its own each time', async () => {
  using folder = folderWith({
    'other/app.svc': `
import from http { UploadFile }
glob visits = 0, entries = 0;
node Seed {}
with entry { entries += 1; }
with entry:__main__ { print("never"); }
walker:pub Visit { can go with Root entry { global visits; visits += 1; here ++> Seed(); report [visits, entries, len([-->])]; } }
walker:pub Fail { can go with Root entry { raise ValueError("what went wrong"); } }
walker:pub Take { has file: UploadFile; can go with Root entry { report self.file.filename; } }
`,
    'broken.svc': 'def f( { }',
    'main.svc': `
import from svclang.runtimelib.testing { SvcTestClient }
node Seed {}
def visit(client: any) -> list { return client.post("/walker/Visit", json={}).reports[0]; }
def opened(path: str) -> str {
    try { SvcTestClient.from_file(path).get("/healthz"); return "open"; }
    except Exception as e { return f"{type(e).__name__}: {e}"; }
}
test "apart" {
    root ++> Seed();
    first = SvcTestClient.from_file("other/app.svc");
    assert [visit(first), visit(first)] == [[1, 1, 1], [2, 1, 2]];
    second = SvcTestClient.from_file("app.svc", base_path="other");
    assert visit(second) == [1, 1, 1];
    first.close();
    assert visit(first) == [1, 1, 1];
    assert len([root -->]) == 1;
    second.close();
}
test "answers" {
    async with SvcTestClient.from_file("other/app.svc") as client {
        failed = client.spawn("Fail");
        assert failed.status_code == 500 and not failed.ok and failed.error["code"], failed.text;
        sent = client.post("/walker/Take", files={"file": ("a.txt", b"abc", "text/plain")});
        assert sent.reports == ["a.txt"], sent.text;
        got = client.get("/openapi.json", params={"x": "ä"});
        assert got.json()["openapi"].startswith("3") and "json" in got.headers["Content-Type"];
        assert client.request("OPTIONS", "/walker/Visit").status_code == 204;
        assert client.post("/user/login", json={"username": "nobody", "password": "x"}).status_code == 401;
        assert client.login("nobody", "wrong").ok == False and client.token is None;
    }
}
test "mistakes" {
    assert opened("none.svc") == "FileNotFoundError: [Errno 2] No such file or directory: 'none.svc'";
    assert "broken.svc cannot be served" in opened("broken.svc"), opened("broken.svc");
}
`,
  });
  const { code, stdout, stderr } = await svcTest(folder.path, 'main.svc');
  expect(stderr).toBe('');
  expect(stdout).toContain('3 tests: 3 passed');
  expect(code).toBe(0);
  const run = await runSvc(['run', 'main.svc'], { cwd: folder.path });
  expect(run.code).toBe(0);
  using alone = folderWith({
    'main.svc': 'import from svclang.runtimelib.testing { SvcTestClient }\nwith entry { SvcTestClient(); }\n',
  });
  const outside = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: alone.path });
  expect(outside.stderr).toContain('SvcTestClient works in tests: run them with `svc test`');
});

test('what fails below `with SvcTestClient()` fails the test', async () => {
  using folder = folderWith({
    'main.svc': `import from svclang.runtimelib.testing { SvcTestClient }
walker:pub Hi { can go with Root entry { report "hi"; } }
test "a false assertion" { with SvcTestClient() as client { assert 1 == 2; } }
test "a false assertion after a call" { with SvcTestClient() as client { assert client.spawn("Hi").ok; assert False; } }
test "right" { with SvcTestClient() as client { assert client.spawn("Hi").ok; } }
`,
  });
  const { code, stdout } = await svcTest(folder.path, 'main.svc', '--json');
  const outcomes = records(stdout).flatMap(({ name, status }) => (name === undefined ? [] : [[name, status]]));
  expect([code, outcomes]).toEqual([
    1,
    [
      ['a false assertion', 'failed'],
      ['a false assertion after a call', 'failed'],
      ['right', 'passed'],
    ],
  ]);
});
