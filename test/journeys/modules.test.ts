/** Packages of npm and modules of Node in both languages, and names that TypeScript files do not have. */
import { expect, test } from 'vitest';
import { runSvc } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const packages = {
  'node_modules/leftish/package.json': '{ "name": "leftish", "version": "1.0.0", "main": "index.js" }',
  'node_modules/leftish/index.js':
    'module.exports = { pad: (text, n, fill = " ") => fill.repeat(Math.max(0, n - text.length)) + text, Box: class { constructor(n) { this.n = n; } twice() { return this.n * 2; } } };',
  'node_modules/@scope/esm/package.json':
    '{ "name": "@scope/esm", "version": "1.0.0", "type": "module", "exports": { ".": "./index.js", "./sub": "./sub.js" } }',
  'node_modules/@scope/esm/index.js':
    'export const greet = (name, { loud = false } = {}) => loud ? `HELLO ${name}` : `hello ${name}`; export default 7; export const data = { list: [1, 2], deep: { x: 1 } };',
  'node_modules/@scope/esm/sub.js': 'export const later = async (x) => x + 1;',
};

test('packages and Node modules from server code', async () => {
  using folder = folderWith({
    ...packages,
    'main.svc': `import leftish;
import from leftish { pad, Box }
sv import from "@scope/esm" { greet, default as seven, data, * as whole }
sv { import from "@scope/esm/sub" { later } }
import from "node:path" { posix, join }
import from "node:zlib" { gzipSync, gunzipSync }
import fs;

async def wait(n: int) -> int { return await later(n); }

with entry {
    print(leftish.pad("a", 3, "."), pad("b", 2, "-"), Box(4).twice());
    print(greet("Ada"), greet("Bob", loud=True), seven, data.list, data["deep"]["x"], whole.greet("C"));
    print(posix.basename("/a/b.txt"), join("x", "y"), fs.existsSync("main.svc"), gunzipSync(gzipSync("text")).length);
    print(await wait(1));
}
`,
  });
  const { code, stdout, stderr } = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder.path });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.split('\n')).toEqual([
    '..a -b 8',
    'hello Ada HELLO Bob 7 [1, 2] 1 hello C',
    'b.txt x/y True 4',
    '2',
    '',
  ]);
});

test('packages and Node modules from TypeScript', async () => {
  using folder = folderWith({
    ...packages,
    'app.ts': `import { readFileSync } from 'node:fs';
import leftish from 'leftish';
import seven, { greet } from '@scope/esm';
const { later } = await import('@scope/esm/sub');
const { shown } = await import('./shown.ts');
console.log(leftish.pad('a', 3, '.'), greet('Ada'), seven, await later(1), shown, readFileSync('app.ts', 'utf8').length > 9);
`,
    'shown.ts': 'export const shown: string = "shown";\n',
  });
  expect(await runSvc(['run', 'app.ts', '--no-persist'], { cwd: folder.path })).toMatchObject({
    code: 0,
    stdout: '..a hello Ada 7 2 shown true\n',
  });
});

test('a name that a TypeScript file does not export is told, with the nearest', async () => {
  using folder = folderWith({
    'main.svc': 'import from "./util.ts" { shuot, default as d, passed }\nwith entry { print(shuot, passed); }\n',
    'util.ts': "export const shout = 1;\nexport { passed } from './more.ts';\n",
    'more.ts': 'export const passed = 2;\n',
  });
  const check = await runSvc(['check', 'main.svc'], { cwd: folder.path });
  expect(check.code).toBe(1);
  expect(check.stdout).toMatch(/E0702\]: `\.\/util\.ts` has no member `shuot`\n --> main\.svc:1:27\n/);
  expect(check.stdout).toContain('did you mean `shout`?');
  expect(check.stdout).toContain('has no member `default`');
  expect(check.stdout).toContain('2 errors');
  const run = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder.path });
  expect(run).toMatchObject({ code: 0, stdout: 'None 2\n' });
  expect(run.stderr).toContain('warning[E0702]');
});

test('a cycle of both languages: what has run is there, the rest when it has', async () => {
  using folder = folderWith({
    'app.ts': `import { early, late } from './model.svc';
export const SIGN = '!';
export class Badge { text = 'badge'; }
console.log(early(), late());
`,
    'model.svc': `import from "./app.ts" { SIGN, Badge }
glob seen = SIGN;
def early() -> any { return seen; }
def late() -> str { return SIGN + Badge().text; }
`,
  });
  const { stdout, stderr } = await runSvc(['run', 'app.ts', '--no-persist'], { cwd: folder.path });
  expect({ stdout, stderr }).toEqual({ stdout: 'null !badge\n', stderr: '' });
});

test('what TypeScript imports in vain is told before Node sees it', async () => {
  using folder = folderWith({
    'app.ts': `import { has, nod, walker } from 'svc-scale';
import { shout } from './util.ts';
import { Pet, pets } from './model.svc';
console.log(has, nod, walker, shout, Pet, pets);
`,
    'util.ts': 'export const shuot = 1;\n',
    'model.svc': 'node Pet { has name: str; }\n',
  });
  const { code, stderr, stdout } = await runSvc(['run', 'app.ts', '--no-persist'], { cwd: folder.path });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.match(/^error.*\n.*$/gm)).toEqual([
    'error[E0702]: `svc-scale` has no member `nod`\n --> app.ts:1:15',
    'error[E0702]: `util.ts` has no member `shout`\n --> app.ts:2:10',
    'error[E0702]: `model.svc` has no member `pets`\n --> app.ts:3:15',
  ]);
});

test.each([
  ['"absent" { go }', "package 'absent' is not installed (npm install absent)"],
  ['"@absent/kit/part" { go }', "package '@absent/kit' is not installed (npm install @absent/kit)"],
  ['"@scope/esm/other" { go }', "package '@scope/esm' has no '@scope/esm/other'"],
])('a package that is not there is told at its import: %s', async (imported, message) => {
  using folder = folderWith({
    ...packages,
    'main.svc': 'import from .lib { go }\nwith entry { go(); }\n',
    'lib.svc': `import from node:path { sep }\nimport from ${imported}\n`.replace('node:path', '"node:path"'),
  });
  const { code, stdout, stderr } = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder.path });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.split('\n').slice(0, 2)).toEqual([`Error: ModuleNotFoundError: ${message}`, ' --> lib.svc:2:13']);
  expect(stderr).not.toMatch(/node:internal|\.svc\/cache/);
  const served = await runSvc(['start', 'main.svc', '--faux'], { cwd: folder.path });
  expect(served.stderr).toContain(` --> lib.svc:2:13`);
});

test('modules hand on what they import from packages', async () => {
  using folder = folderWith({
    ...packages,
    'kit/__init__.svc': 'import from .texts { pad, greet }\nimport from "@scope/esm" { data as facts }\n',
    'kit/texts.svc': 'import from "leftish" { pad }\nimport from "@scope/esm" { * as whole, greet }\n',
    'all.svc': 'import from kit.texts { * }\n',
    'main.svc': `import from kit { pad, greet as hello, facts }
import from all { whole }
import kit, kit.texts as texts;
def shown -> str { return pad("a", 3, "."); }
with entry { print(shown(), hello("Ada"), facts.list, whole.greet("Bob")); print(kit.pad("b", 3), kit.facts["list"], texts.greet("C"), kit.texts.whole.default); }
`,
  });
  const { code, stdout, stderr } = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder.path });
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: '..a hello Ada [1, 2] hello Bob\n  b [1, 2] hello C 7\n',
    stderr: '',
  });
});
