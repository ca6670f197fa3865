import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run as runAgain } from '../values/calls/regions.ts';
import * as $ from '../values/index-of-runtime.ts';
import { setInput } from './input.ts';
import { open } from './open.ts';
import { setOutput } from './output.ts';
import { streams } from './streams.ts';
import { b } from './table.ts';

let written: string[];
let folder: string;
let restore: ReturnType<typeof setOutput>;

beforeEach(() => {
  written = [];
  restore = setOutput({ out: (text) => written.push(text), err: (text) => written.push(`!${text}`) });
  folder = mkdtempSync(join(tmpdir(), 'svc-builtins-'));
});
afterEach(() => {
  setOutput(restore);
  rmSync(folder, { recursive: true });
});

const run = (o: unknown, name: string, ...args: unknown[]) => $.callMethod(o, name, ...args);

test('print', () => {
  $.call(b['print'], 1, 'a', null, [1.5]);
  $.callkw(b['print'], [1, 2], { sep: '-', end: '!' });
  $.call(b['print']);
  $.callkw(b['print'], ['oops'], { file: streams.stderr });
  expect(written).toEqual(['1 a None [1.5]\n', '1-2!', '\n', '!oops\n']);
  expect(() => $.callkw(b['print'], [], { sep: 5 })).toThrow('sep must be None or a string, not int');
});

test('print goes where sys.stdout points', () => {
  const parts: string[] = [];
  const before = streams.stdout;
  streams.stdout = { write: (text: string) => parts.push(text) };
  $.call(b['print'], 'x');
  streams.stdout = before;
  expect([parts, written]).toEqual([['x\n'], []]);
});

test('input asks, strips the line end, and knows the end', async () => {
  const lines = ['first\n', Promise.resolve('second\r\n'), ''];
  const before = setInput({ line: () => lines.shift() ?? '', rest: () => '' });
  expect($.call(b['input'], 'name? ')).toBe('first');
  expect(await $.call(b['input'])).toBe('second');
  expect(() => $.call(b['input'])).toThrow('EOF when reading a line');
  expect(written).toEqual(['name? ']);
  if (before !== undefined) setInput(before);
});

test('text files', () => {
  const path = join(folder, 'a.txt');
  const file = $.call(open, path, 'w');
  expect([run(file, 'write', 'one\ntwo\n'), run(file, 'writelines', ['thrée'])]).toEqual([8, null]);
  run(file, 'close');
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthrée');
  const reader = $.call(open, path);
  expect([
    run(reader, 'read', 2),
    run(reader, 'readline'),
    run(reader, 'tell'),
    run(reader, 'readlines'),
    run(reader, 'read'),
  ]).toEqual(['on', 'e\n', 4, ['two\n', 'thrée'], '']);
  expect([run(reader, 'seek', 0), [...$.iter(reader)]]).toEqual([0, ['one\n', 'two\n', 'thrée']]);
  expect(() => run(reader, 'write', 'x')).toThrow('not writable');
  $.exit(reader);
  expect($.getattr(reader, 'closed')).toBe(true);
  expect(() => run(reader, 'read')).toThrow('I/O operation on closed file.');
  writeFileSync(path, 'a\r\nb\rc\n');
  expect(run($.call(open, path), 'read')).toBe('a\nb\nc\n');
  expect(run($.callkw(open, [path], { newline: '' }), 'read')).toBe('a\r\nb\rc\n');
  const appended = $.call(open, path, 'a');
  run(appended, 'write', 'd');
  run(appended, 'close');
  expect(readFileSync(path, 'utf8')).toBe('a\r\nb\rc\nd');
});

test('binary files and failures', () => {
  const path = join(folder, 'b.bin');
  const file = $.call(open, path, 'wb+');
  run(file, 'write', $.bytes('ab\ncd'));
  run(file, 'seek', 1);
  expect([
    $.repr(run(file, 'readline')),
    $.repr(run(file, 'read')),
    run(file, 'tell'),
    $.repr(run(file, 'read')),
  ]).toEqual(["b'b\\n'", "b'cd'", 5, "b''"]);
  run(file, 'truncate', 2);
  run(file, 'close');
  expect(readFileSync(path, 'utf8')).toBe('ab');
  expect(() => $.call(open, join(folder, 'none'))).toThrow(/^\[Errno 2\] No such file or directory: '.*none'$/);
  expect(() => $.call(open, folder)).toThrow('[Errno 21] Is a directory');
  expect(() => $.call(open, path, 'x')).toThrow($.FileExistsError);
  expect(() => $.call(open, path, 'rw')).toThrow('must have exactly one of create/read/write/append mode');
  expect(() => $.call(open, path, 'q')).toThrow("invalid mode: 'q'");
  expect(() => $.call(open, 1.5)).toThrow('expected str, bytes or os.PathLike object, not float');
});

test('lazy built-ins', () => {
  const list = (x: unknown) => $.repr(b['list'](x));
  expect(list(b['enumerate']('ab', 5))).toBe("[(5, 'a'), (6, 'b')]");
  expect(list($.call(b['zip'], [1, 2], 'abc'))).toBe("[(1, 'a'), (2, 'b')]");
  expect(list($.call(b['map'], (x: number, y: number) => x + y, [1, 2], [10, 20, 30]))).toBe('[11, 22]');
  expect(list(b['filter'](null, [0, 1, '', 'a']))).toBe("[1, 'a']");
  expect([list(b['reversed']('abc')), list(b['reversed']($.Dict.of('a', 1, 'b', 2)))]).toEqual([
    "['c', 'b', 'a']",
    "['b', 'a']",
  ]);
  expect(() => b['list']($.callkw(b['zip'], [[1], [1, 2]], { strict: true }))).toThrow(
    'zip() argument 2 is longer than argument 1',
  );
  expect(() => b['list']($.callkw(b['zip'], [[1, 2], [1]], { strict: true }))).toThrow(
    'zip() argument 2 is shorter than argument 1',
  );
  expect(() => b['reversed']($.set([1]))).toThrow("'set' object is not reversible");
  let n = 0;
  expect(b['list'](b['iter'](() => ++n, 3))).toEqual([1, 2]);
  expect(() => b['next']([1])).toThrow("'list' object is not an iterator");
  expect(
    b['isinstance'](
      $.call(b['map'], (x: unknown) => x, []),
      b['map'],
    ),
  ).toBe(true);
});

test('map and filter over functions that wait', async () => {
  const mapped = $.call(b['map'], async (x: number) => x * 2, [1, 2]);
  expect(() => b['list'](mapped)).toThrow("'map' object is not iterable");
  expect(await runAgain(b['list'], [mapped])).toEqual([2, 4]);
  expect(await runAgain(b['list'], [b['filter'](async (x: number) => x > 1, [1, 2, 3])])).toEqual([2, 3]);
});

test('min, max, sum', () => {
  expect([
    $.call(b['min'], 3, 1, 2),
    $.call(b['max'], 'ab'),
    $.callkw(b['max'], [[]], { default: 0 }),
    $.callkw(b['min'], ['a', 'B'], { key: (s: string) => s.toLowerCase() }),
  ]).toEqual([1, 'b', 0, 'a']);
  expect(() => $.call(b['max'], [])).toThrow('max() iterable argument is empty');
  expect(() => $.call(b['min'])).toThrow('min expected at least 1 argument, got 0');
  expect([
    b['sum']([0.1, 0.2, 0.3]),
    b['sum'](Array(10).fill(0.1)),
    b['sum']([[1], [2]], []),
    b['sum']([2 ** 53 - 1, 2]),
  ]).toEqual([0.6, $.f(1), [1, 2], 2n ** 53n + 1n]);
  expect(() => b['sum'](['a'])).toThrow("unsupported operand type(s) for +: 'int' and 'str'");
  expect(() => b['sum'](['a'], '')).toThrow("sum() can't sum strings [use ''.join(seq) instead]");
});

test('types as functions', () => {
  expect([
    b['list']('ab'),
    $.repr(b['tuple']([1])),
    $.repr(b['set']('aa')),
    b['bool']([]),
    b['str'](),
    b['int'](),
    b['float'](),
  ]).toEqual([['a', 'b'], '(1,)', "{'a'}", false, '', 0, $.f(0)]);
  expect($.repr($.callkw(b['dict'], [$.Dict.of('a', 1)], { b: 2 }))).toBe("{'a': 1, 'b': 2}");
  expect(b['str']($.bytes('\xc3\xa9'), 'utf-8')).toBe('é');
  expect([
    $.repr(b['type'](1)),
    $.repr(b['type'](null)),
    $.repr(b['type'](b['int'])),
    b['type']([]) === b['list'],
  ]).toEqual(["<class 'int'>", "<class 'NoneType'>", "<class 'type'>", true]);
  expect([
    b['issubclass'](b['bool'], b['int']),
    b['issubclass']($.KeyError, $.LookupError),
    b['isinstance'](true, b['int']),
  ]).toEqual([true, true, true]);
  expect(() => b['isinstance'](1, 5)).toThrow('isinstance() arg 2 must be a type, a tuple of types, or a union');
  expect(() => b['bytes']('x')).toThrow('string argument without an encoding');
  expect(() => $.call(b['exit'], 3)).toThrow($.SystemExit);
  const hashOf = (x: unknown) => b['hash'](x);
  expect([b['id']([]) === b['id'](['x']), hashOf(1) === hashOf(true), hashOf('a') === hashOf(`${'a'}`)]).toEqual([
    false,
    true,
    true,
  ]);
});
