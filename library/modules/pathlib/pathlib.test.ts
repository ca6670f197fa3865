import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeModule } from '../../builtins/module.ts';
import { b } from '../../builtins/table.ts';
import * as $ from '../../values/index-of-runtime.ts';
import { makePathlib } from './pathlib.ts';

const { Path, PurePath } = makeModule('pathlib', makePathlib());
const path = (...parts: unknown[]) => $.call(Path, ...parts);
const get = (o: unknown, name: string) => $.getattr(o, name);
const run = (o: unknown, name: string, ...args: unknown[]) => $.callMethod(o, name, ...args);
let folder: any;
beforeEach(() => {
  folder = path(mkdtempSync(join(tmpdir(), 'svc-path-')));
});

test('parts of a path', () => {
  const rows: [string, string, string, string, string, string][] = [
    // text, str, name, suffix, stem, parent
    ['a/b.tar.gz', 'a/b.tar.gz', 'b.tar.gz', '.gz', 'b.tar', 'a'],
    ['/a//b/./c', '/a/b/c', 'c', '', 'c', '/a/b'],
    ['', '.', '', '', '', '.'],
    ['/', '/', '', '', '', '/'],
    ['.bashrc', '.bashrc', '.bashrc', '', '.bashrc', '.'],
    ['a.', 'a.', 'a.', '', 'a.', '.'],
    ['a/..', 'a/..', '..', '', '..', 'a'],
  ];
  for (const [text, ...wanted] of rows) {
    const p = path(text);
    expect([$.str(p), get(p, 'name'), get(p, 'suffix'), get(p, 'stem'), $.str(get(p, 'parent'))]).toEqual(wanted);
  }
  expect(get(path('a/b.tar.gz'), 'suffixes')).toEqual(['.tar', '.gz']);
  expect($.repr(get(path('/a/b'), 'parts'))).toBe("('/', 'a', 'b')");
  expect($.repr($.call(b['list'], get(path('a/b/c'), 'parents')))).toBe(
    "[PosixPath('a/b'), PosixPath('a'), PosixPath('.')]",
  );
});

test('joining, comparing, keys', () => {
  expect($.repr($.div(path('a'), 'b'))).toBe("PosixPath('a/b')");
  expect($.str($.div('root', path('x')))).toBe('root/x');
  expect($.str($.div(path('a'), '/b'))).toBe('/b');
  expect($.str(run(path('a'), 'joinpath', 'b', path('c')))).toBe('a/b/c');
  expect($.eq(path('a/b'), path('a', 'b'))).toBe(true);
  expect($.dict([[path('a'), 1]]).get(path('a'))).toBe(1);
  expect($.lt(path('a/b'), path('a.b'))).toBe(true);
  expect(() => $.div(path('a'), 1)).toThrow("unsupported operand type(s) for /: 'PosixPath' and 'int'");
  expect($.repr($.call(PurePath, 'x'))).toBe("PurePosixPath('x')");
  expect($.call(b['isinstance'], path('x'), Path)).toBe(true);
  expect($.str($.getattr($.call(b['type'], path('x')), '__name__'))).toBe('PosixPath');
});

test('changing parts', () => {
  expect($.str(run(path('a/b.txt'), 'with_suffix', '.md'))).toBe('a/b.md');
  expect($.str(run(path('a/b.txt'), 'with_name', 'c'))).toBe('a/c');
  expect($.str(run(path('a/b.txt'), 'with_stem', 'c'))).toBe('a/c.txt');
  expect($.str(run(path('/a/b/c'), 'relative_to', '/a'))).toBe('b/c');
  expect(() => run(path('/a'), 'relative_to', '/b')).toThrow("'/a' is not in the subpath of '/b'");
  expect(() => run(path('a'), 'with_suffix', 'md')).toThrow("Invalid suffix 'md'");
  expect(run(path('a/b.py'), 'match', '*.py')).toBe(true);
  expect(run(path('/a/b c'), 'as_uri')).toBe('file:///a/b%20c');
  expect(run(path('a/b'), 'is_relative_to', 'a')).toBe(true);
});

test('files and folders', () => {
  const file = $.div(folder, 'x.txt');
  expect(run(file, 'exists')).toBe(false);
  expect(run(file, 'write_text', 'grüße\n')).toBe(6);
  expect(run(file, 'read_text')).toBe('grüße\n');
  expect(readFileSync($.str(file), 'utf8')).toBe('grüße\n');
  expect($.repr(run(file, 'read_bytes'))).toBe("b'gr\\xc3\\xbc\\xc3\\x9fe\\n'");
  expect(get(run(file, 'stat'), 'st_size')).toBe(8);
  expect([run(file, 'is_file'), run(file, 'is_dir'), run(folder, 'is_dir')]).toEqual([true, false, true]);
  const deep = $.div(folder, 'a/b');
  expect(() => run(deep, 'mkdir')).toThrow(/No such file or directory: '.*a\/b'/);
  $.callMethodKw(deep, 'mkdir', [], { parents: true, exist_ok: true });
  $.callMethodKw(deep, 'mkdir', [], { parents: true, exist_ok: true });
  expect(() => run(deep, 'mkdir')).toThrow($.FileExistsError);
  const moved = run(file, 'rename', $.div(deep, 'y.txt'));
  expect(run(moved, 'read_text')).toBe('grüße\n');
  run(moved, 'unlink');
  expect(() => run(moved, 'unlink')).toThrow($.FileNotFoundError);
  $.callMethodKw(moved, 'unlink', [], { missing_ok: true });
  expect(() => run(file, 'read_text')).toThrow($.FileNotFoundError);
  const handle = run(file, 'open', 'w');
  handle.write('x');
  handle.close();
  expect(run(file, 'read_text')).toBe('x');
});

test('glob, rglob and iterdir', () => {
  $.callMethodKw($.div(folder, 'a/b'), 'mkdir', [], { parents: true });
  for (const name of ['1.py', 'a/2.py', 'a/b/3.py', 'a/4.txt', '.h.py']) writeFileSync(join($.str(folder), name), '');
  const found = (name: string, pattern: string) =>
    [...$.iter(run(folder, name, pattern))].map((p) => $.str(run(p, 'relative_to', folder))).sort();
  expect(found('glob', '*.py')).toEqual(['.h.py', '1.py']);
  expect(found('rglob', '*.py')).toEqual(['.h.py', '1.py', 'a/2.py', 'a/b/3.py']);
  expect(found('glob', '**/*.txt')).toEqual(['a/4.txt']);
  expect(found('glob', 'a/*')).toEqual(['a/2.py', 'a/4.txt', 'a/b']);
  expect(found('glob', '**')).toEqual(['.', 'a', 'a/b']);
  expect(found('glob', '[12].py')).toEqual(['1.py']);
  expect([...$.iter(run(folder, 'iterdir'))].map((p) => get(p, 'name')).sort()).toEqual(['.h.py', '1.py', 'a']);
  expect([...$.iter(run(folder, 'walk'))]).toHaveLength(3);
  expect(() => run(folder, 'glob', '')).toThrow("Unacceptable pattern: ''");
});

test('where the program is', () => {
  expect($.str(run(Path, 'cwd'))).toBe(process.cwd());
  expect($.str(run(path('~/x'), 'expanduser'))).toBe(`${$.str(run(Path, 'home'))}/x`);
  expect($.str(run(path('x/../y'), 'resolve'))).toBe(join(process.cwd(), 'y'));
});

test('subclasses of a program', () => {
  class Own extends Path {}
  expect($.repr($.div($.call(Own, 'a'), 'b'))).toContain("('a/b')");
  expect($.div($.call(Own, 'a'), 'b')).toBeInstanceOf(Own);
});
