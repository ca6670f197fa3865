import { expect, test } from 'vitest';
import { makeModule } from '../builtins/module.ts';
import { b } from '../builtins/table.ts';
import * as $ from '../values/index-of-runtime.ts';
import { makeIo } from './io.ts';

const io = makeModule('io', makeIo());
const run = (o: unknown, name: string, ...args: unknown[]) => $.callMethod(o, name, ...args);

test('StringIO: writing, reading, lines', () => {
  const f = $.call(io.StringIO);
  expect(run(f, 'write', 'one\ntwo\n')).toBe(8);
  $.callkw(b['print'], ['three'], { file: f });
  expect(run(f, 'getvalue')).toBe('one\ntwo\nthree\n');
  run(f, 'seek', 0);
  expect(run(f, 'readline')).toBe('one\n');
  expect(run(f, 'read', 2)).toBe('tw');
  expect([...$.iter(f)]).toEqual(['o\n', 'three\n']);
  expect(run(f, 'tell')).toBe(14);
  run(f, 'seek', 4);
  run(f, 'write', 'TWO');
  expect(run(f, 'getvalue')).toBe('one\nTWO\nthree\n');
  run(f, 'truncate', 3);
  expect(run(f, 'getvalue')).toBe('one');
  expect($.call(b['list'], $.call(io.StringIO, 'a\nb'))).toEqual(['a\n', 'b']);
  expect(() => run(f, 'write', b['bytes']())).toThrow("string argument expected, got 'bytes'");
  run(f, 'close');
  expect(() => run(f, 'read')).toThrow('I/O operation on closed file');
});

test('BytesIO', () => {
  const f = $.call(io.BytesIO, $.bytes('abc'));
  run(f, 'seek', 0, 2);
  run(f, 'write', $.bytes('def\nghi'));
  expect($.repr(run(f, 'getvalue'))).toBe("b'abcdef\\nghi'");
  run(f, 'seek', 2);
  expect($.repr(run(f, 'read', 2))).toBe("b'cd'");
  expect($.repr(run(f, 'readline'))).toBe("b'ef\\n'");
  run(f, 'seek', 12);
  run(f, 'write', $.bytes('!'));
  expect($.repr(run(f, 'getvalue'))).toBe("b'abcdef\\nghi\\x00\\x00!'");
  expect(() => run(f, 'write', 'x')).toThrow("a bytes-like object is required, not 'str'");
});

test('kinds of files', () => {
  expect(b['isinstance']($.call(io.StringIO), io.TextIOBase)).toBe(true);
  expect(b['isinstance']($.call(io.BytesIO), io.TextIOBase)).toBe(false);
  expect(run($.callkw(io.TextIOWrapper, [$.call(io.BytesIO, $.bytes('a\r\nb'))], { encoding: 'utf-8' }), 'read')).toBe(
    'a\nb',
  );
  expect(() => run($.call(io.StringIO), 'fileno')).toThrow(io.UnsupportedOperation);
});
