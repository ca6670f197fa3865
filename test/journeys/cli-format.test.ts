/** `svc format` over real files: what it writes, what it leaves alone, and what it says. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeFolder, repository, runSvc } from '../harness/server.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-format-'));
});
afterEach(() => removeFolder(folder));

const ragged = 'with entry{print( 1+1 ) ;}\n';
const neat = 'with entry { print(1 + 1); }\n';
const broken = 'def f( {\n';

function put(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
const format = (args: readonly string[], input?: string) =>
  runSvc(['format', ...args], input === undefined ? { cwd: folder } : { cwd: folder, input });

test('lays out the files of the project, and not what is installed or generated', async () => {
  put('svc.toml', '');
  put('main.svc', ragged);
  put('lib/neat.svc', neat);
  put('lib/page.cl.svc', ragged);
  for (const skipped of ['node_modules/p/a.svc', '.svc/cache/b.svc', 'dist/c.svc', 'notes.txt']) put(skipped, ragged);
  const { code, stdout, stderr } = await format([]);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: 'lib/page.cl.svc\nmain.svc\n',
    stderr: '2 files formatted, 1 file unchanged\n',
  });
  expect([textOf('main.svc'), textOf('lib/page.cl.svc')]).toEqual([neat, neat]);
  for (const skipped of ['node_modules/p/a.svc', '.svc/cache/b.svc', 'dist/c.svc', 'notes.txt'])
    expect(textOf(skipped)).toBe(ragged);
  expect(await format([])).toMatchObject({ code: 0, stdout: '', stderr: '3 files unchanged\n' });
});

test('takes files and folders; a file named twice is one', async () => {
  put('a.svc', ragged);
  put('b/c.svc', ragged);
  put('d.svc', ragged);
  expect(await format(['b', 'a.svc', './a.svc'])).toMatchObject({ code: 0, stdout: 'b/c.svc\na.svc\n' });
  expect(textOf('d.svc')).toBe(ragged);
});

test('--check writes nothing, lists what would change and ends with 1', async () => {
  put('a.svc', ragged);
  put('b.svc', neat);
  const { code, stdout, stderr } = await format(['--check']);
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: 'a.svc\n',
    stderr: '1 file would change, 1 file unchanged\n',
  });
  expect(textOf('a.svc')).toBe(ragged);
  expect((await format(['--check', 'b.svc'])).code).toBe(0);
});

test('a file with syntax errors is left as it is, with its diagnostics; the others are laid out', async () => {
  put('a.svc', broken);
  put('b.svc', ragged);
  const { code, stdout, stderr } = await format([]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'b.svc\n' });
  expect(stderr).toContain('a.svc:1:8');
  expect(stderr).toContain('1 file formatted, 1 file left as it is');
  expect([textOf('a.svc'), textOf('b.svc')]).toEqual([broken, neat]);
});

test('standard input is laid out to standard output', async () => {
  expect(await format(['-'], ragged)).toMatchObject({ code: 0, stdout: neat, stderr: '' });
  expect(await format(['-', '--check'], ragged)).toMatchObject({ code: 1 });
  expect(await format(['-', '--check'], neat)).toMatchObject({ code: 0, stdout: '' });
  const failed = await format(['-'], broken);
  expect(failed).toMatchObject({ code: 1, stdout: '' });
  expect(failed.stderr).toContain('stdin:1:8');
});

test('permissions and links stay, and nothing is left beside the file', async () => {
  chmodSync(put('real/a.svc', ragged), 0o640);
  symlinkSync(join(folder, 'real/a.svc'), join(folder, 'link.svc'));
  expect((await format(['link.svc'])).code).toBe(0);
  expect(lstatSync(join(folder, 'link.svc')).isSymbolicLink()).toBe(true);
  expect(textOf('real/a.svc')).toBe(neat);
  expect(statSync(join(folder, 'real/a.svc')).mode & 0o777).toBe(0o640);
  expect(readdirSync(join(folder, 'real'))).toEqual(['a.svc']);
});

test('a file that is laid out already is not written', async () => {
  const path = put('a.svc', neat);
  const before = statSync(path);
  expect((await format(['a.svc'])).code).toBe(0);
  const after = statSync(path);
  expect([after.mtimeMs, after.ino]).toEqual([before.mtimeMs, before.ino]);
});

test('what the repository and svc new give away is laid out', async () => {
  for (const template of ['blank', 'api', 'web', 'web-tailwind'])
    expect((await runSvc(['new', template, '--template', template], { cwd: folder })).code).toBe(0);
  expect((await runSvc(['new', 'typed', '--template', 'typescript'], { cwd: folder })).code).toBe(0);
  expect(await format(['--check'])).toMatchObject({ code: 0, stderr: '29 files unchanged\n' });
  const own = await runSvc(['format', '--check', 'examples', 'bench/apps'], { cwd: repository });
  expect(own).toMatchObject({ code: 0, stdout: '' });
});

test('says what it cannot read', async () => {
  put('latin.svc', Uint8Array.of(0x67, 0x6c, 0x6f, 0x62, 0x20, 0xe9, 0x3b));
  expect(await format(['none.svc'])).toMatchObject({
    code: 3,
    stderr: 'svc: cannot read none.svc: no such file or folder\n',
  });
  put('other.svc', ragged);
  expect(await format(['latin.svc', 'other.svc'])).toMatchObject({
    code: 1,
    stdout: 'other.svc\n',
    stderr: 'svc: cannot read latin.svc: byte 5 is not UTF-8\n1 file formatted, 1 file left as it is\n',
  });
  expect((await format(['-', 'latin.svc'], '')).code).toBe(2);
});

test('the program does the same afterwards', async () => {
  put('main.svc', 'def f(x:int)->int{if x>2 and x<10{return x;}else{return -x;}}\nwith entry{print(f(3),f(30));}\n');
  const run = () => runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder });
  const before = await run();
  await format(['main.svc']);
  expect(before).toMatchObject({ code: 0, stdout: '3 -30\n' });
  expect(await run()).toMatchObject({ code: 0, stdout: before.stdout });
});
