import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeModule } from '../builtins/module.ts';
import * as $ from '../values/index-of-runtime.ts';
import { makeShutil } from './archives/shutil.ts';
import { makeTempfile } from './tempfile.ts';

const tempfile = makeModule('tempfile', makeTempfile());
const shutil = makeModule('shutil', makeShutil());

test('temporary files go when they are closed', () => {
  const file = $.callkw(tempfile.NamedTemporaryFile, [], { mode: 'w+', suffix: '.txt' });
  expect(basename(file.name)).toMatch(/^tmp[a-z0-9_]{8}\.txt$/);
  $.callMethod(file, 'write', 'text');
  $.callMethod(file, 'seek', 0);
  expect($.callMethod(file, 'read')).toBe('text');
  $.callMethod(file, 'close');
  expect(existsSync(file.name)).toBe(false);
  const kept = $.callkw(tempfile.NamedTemporaryFile, [], { delete: false });
  $.enter(kept);
  $.exit(kept);
  expect(existsSync(kept.name)).toBe(true);
  $.call(shutil.rmtree, kept.name, true);
  const [fd, path] = $.unpack($.callkw(tempfile.mkstemp, [], { prefix: 'pre' }), 2);
  expect([typeof fd, basename(path).startsWith('pre'), statSync(path).mode & 0o777]).toEqual(['number', true, 0o600]);
});

test('temporary folders', () => {
  const manager = $.call(tempfile.TemporaryDirectory);
  const folder = $.enter(manager);
  writeFileSync(join(folder, 'a'), '');
  $.exit(manager);
  expect(existsSync(folder)).toBe(false);
  expect($.call(tempfile.gettempdir)).toBe(tmpdir());
});

test('copying, moving, removing', () => {
  const root = $.call(tempfile.mkdtemp);
  const at = (...parts: string[]) => join(root, ...parts);
  mkdirSync(at('a', 'b'), { recursive: true });
  writeFileSync(at('a', '1.txt'), 'one');
  writeFileSync(at('a', 'b', '2.pyc'), 'two');
  expect($.call(shutil.copy, at('a', '1.txt'), at('a', 'b'))).toBe(at('a', 'b', '1.txt'));
  expect($.call(shutil.copyfile, at('a', '1.txt'), at('c'))).toBe(at('c'));
  expect(() => $.call(shutil.copyfile, at('c'), at('c'))).toThrow(/ are the same file$/);
  expect(() => $.call(shutil.copy, at('none'), at('x'))).toThrow($.FileNotFoundError);
  $.callkw(shutil.copytree, [at('a'), at('d')], { ignore: $.call(shutil.ignore_patterns, '*.pyc') });
  expect(readdirSync(at('d', 'b'))).toEqual(['1.txt']);
  expect(() => $.call(shutil.copytree, at('a'), at('d'))).toThrow($.FileExistsError);
  $.callkw(shutil.copytree, [at('a'), at('d')], { dirs_exist_ok: true });
  expect(readdirSync(at('d', 'b')).sort()).toEqual(['1.txt', '2.pyc']);
  expect($.call(shutil.move, at('c'), at('d'))).toBe(at('d', 'c'));
  expect(readFileSync(at('d', 'c'), 'utf8')).toBe('one');
  expect(() => $.call(shutil.rmtree, at('none'))).toThrow($.FileNotFoundError);
  $.call(shutil.rmtree, at('none'), true);
  $.call(shutil.rmtree, root);
  expect(existsSync(root)).toBe(false);
});

test('programs and sizes', () => {
  expect($.call(shutil.which, 'sh')).toMatch(/\/sh$/);
  expect($.call(shutil.which, 'no-such-program-here')).toBeNull();
  const [total, used] = $.unpack($.call(shutil.disk_usage, '/'), 3);
  expect(total).toBeGreaterThanOrEqual(used);
});
