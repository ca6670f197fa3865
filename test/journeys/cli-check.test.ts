/** `svc check`: files, folders, whole projects, as text and as JSON (docs/language/diagnostics.md#format). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSvc } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

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

test('variables that are set only where the program serves do not keep it from being checked', async () => {
  using folder = folderWith({
    'svc.toml': `[plugins.scale.jwt]
secret = "\${JWT_SECRET}"
[plugins.scale.database]
docdb_uri = "\${DOCDB_URI:?ask the operator}"
[storage]
storage_type = "s3"
[storage.s3]
bucket = "\${BUCKET}"
`,
    'broken.toml': '[project]\nname = "${NAME"\n',
    'main.svc': 'with entry { print(missing); }\n',
  });
  const check = (env: Record<string, string> = {}) => runSvc(['check'], { cwd: folder.path, env });
  const found = await check();
  expect(found.stderr).toBe(
    'warning: svc.toml:2:1: jwt.secret: environment variable JWT_SECRET is not set\n' +
      'warning: svc.toml:4:1: database.docdb_uri: DOCDB_URI: ask the operator\n' +
      'warning: svc.toml:8:1: storage.s3.bucket: environment variable BUCKET is not set\n',
  );
  expect(found.stdout).toContain('main.svc:1:20');
  expect(found.code).toBe(1);
  expect((await check({ SVC_ENV: 'production' })).code).toBe(3);
  expect((await check({ SVC_CONFIG: 'broken.toml' })).code).toBe(3);
  writeFileSync(join(folder.path, 'main.svc'), 'with entry { print(1); }\n');
  expect(await check()).toMatchObject({ code: 0, stdout: 'no problems found in 1 file\n' });
  const started = await runSvc(['start', 'main.svc', '--port', '0'], { cwd: folder.path });
  expect(started.stderr).toContain('svc.toml:2:1: jwt.secret: environment variable JWT_SECRET is not set\n');
  expect(started.stderr).not.toContain('warning: svc.toml:2:1');
  expect(started.code).toBe(3);
});

test('folders, annexes as part of their module, and one order for everything', async () => {
  using folder = folderWith({
    'b/main.svc': 'obj Box { has size: int = 0; def grow(n: int) -> int; }\n',
    'b/main.impl.svc': 'impl Box.grow { return self.size + n + nope; }\n',
    'b/main.test.svc': 'test "grows" { assert Box(size=1).grow(2) == 3; }\n',
    'a/one.svc': 'with entry { wrong(); }\n',
    'a/.hidden/two.svc': 'with entry { hidden(); }\n',
    'a/node_modules/p/three.svc': 'with entry { packaged(); }\n',
  });
  const places = async (...args: string[]) => {
    const { code, stdout } = await runSvc(['check', '--json', ...args], { cwd: folder.path });
    const records = stdout.split('\n').filter((line) => line !== '');
    return [code, ...records.map((line) => JSON.parse(line)).map(({ file, line, col }) => `${file}:${line}:${col}`)];
  };
  expect(await places('b', 'a')).toEqual([1, 'a/one.svc:1:14', 'b/main.impl.svc:1:40']);
  expect(await places()).toEqual([1, 'a/one.svc:1:14', 'b/main.impl.svc:1:40']);
  expect(await places('b/main.test.svc')).toEqual([1, 'b/main.impl.svc:1:40']);
  expect(await places('a')).toEqual([1, 'a/one.svc:1:14']);
});

test('warnings alone do not fail; [check] decides what is one', async () => {
  using folder = folderWith({
    'lib.svc': 'def:priv secret -> int { return 1; }\n',
    'main.svc': `import from lib { secret }
node N { has a: int; }
with entry { print(secret(), [root -->](?:N, a > 1), [root -->(\`?N)], [root -->][?:N]); }
`,
    'svc.toml': '',
  });
  const check = async (settings: string) => {
    writeFileSync(join(folder.path, 'svc.toml'), `[check]\n${settings}\n`);
    const { code, stdout } = await runSvc(['check', '--json'], { cwd: folder.path });
    const records = stdout.split('\n').filter((line) => line !== '');
    return [code, ...records.map((line) => JSON.parse(line)).map(({ code: id, line, col }) => `${id}:${line}:${col}`)];
  };
  expect(await check('')).toEqual([0, 'W0510:1:19']);
  expect(await check('legacy = "warn"')).toEqual([0, 'W0510:1:19', 'W0143:3:40', 'W0143:3:63']);
  expect(await check('enforce_access = true')).toEqual([1, 'E0510:1:19']);
});

test('prints fifty findings and how many more there are, all with --all, one record each with --json', async () => {
  using folder = folderWith({
    'main.svc': `with entry {\n${Array.from({ length: 60 }, (_, i) => `    nope${i}();\n`).join('')}}\n`,
  });
  const check = async (...args: string[]) => (await runSvc(['check', ...args], { cwd: folder.path })).stdout;
  const text = await check();
  expect(text.match(/^error\[E0301\]/gm)).toHaveLength(50);
  expect(text).toMatch(/\n… and 10 more \(print them with --all\)\n\n60 errors\n$/);
  expect((await check('--all')).match(/^error\[E0301\]/gm)).toHaveLength(60);
  const records = (await check('--json')).trim().split('\n');
  expect(records).toHaveLength(60);
  expect(JSON.parse(records[59]!)).toEqual({
    severity: 'error',
    code: 'E0301',
    message: '`nope59` is not defined',
    file: 'main.svc',
    line: 61,
    col: 5,
    endLine: 61,
    endCol: 11,
    help: null,
    related: [],
  });
});

test('a member that is looked for in the wrong standard module is told the right one', async () => {
  using folder = folderWith({
    'main.svc':
      'import from svc_scale { kvstore }\nimport from math { sqr }\nimport svclang.lib as lib;\n' +
      'with entry { print(kvstore, sqr, lib.oid, lib.perm_grand); }\n',
  });
  const { stdout } = await runSvc(['check', '--json', 'main.svc'], { cwd: folder.path });
  const helps = [...stdout.matchAll(/"help":"([^"]*)"/g)].map(([, help]) => help);
  expect(helps).toEqual(['`kvstore` is in `svc_scale.lib`', 'did you mean `sqrt`?', 'did you mean `perm_grant`?']);
});

test('members that a standard module does not have are told, whichever module it is', async () => {
  const modules = ['math', 'json', 'textwrap', 'byllm.lib', 'collections.abc', 'svclang', 'svclang.lib', 'svclang.x'];
  using folder = folderWith({
    'main.svc': modules.map((name) => `import from ${name} { nothing as n${modules.indexOf(name)} }\n`).join(''),
  });
  const { stdout } = await runSvc(['check', '--json', 'main.svc'], { cwd: folder.path });
  const records = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(records.filter(({ code }) => code === 'W0701').map(({ message }) => message)).toEqual(
    modules.map((name) => `module \`${name}\` is provided only in part; member \`nothing\` is missing`),
  );
});

test('the half in the browser is checked with the module that it stands beside', async () => {
  using folder = folderWith({
    'app.svc': 'def:pub total -> int { return len([root-->]); }\n',
    'app.cl.svc':
      'def:pub app -> JsxElement {\n    has n: int = 0;\n    async can with entry { n = await total(); }\n    return <p>{n}</p>;\n}\n',
  });
  for (const args of [[], ['app.svc'], ['app.cl.svc', 'app.svc']])
    expect((await runSvc(['check', ...args], { cwd: folder.path })).stdout).toMatch(/^no problems found/);
});
