import { afterEach, beforeEach, expect, test } from 'vitest';
import { setInput } from '../builtins/input.ts';
import { load, std } from '../registry.ts';
import { noteHandled } from '../values/calls/handled.ts';
import * as $ from '../values/index-of-runtime.ts';
import '../modules.ts';
import { setOutput } from '../builtins/output.ts';
import { b } from '../builtins/table.ts';
import { packed, printed, unescaped } from './tables/small.ts';

await load('every one');

let [out, err] = ['', ''];
let before: ReturnType<typeof setOutput>;
beforeEach(() => {
  [out, err] = ['', ''];
  before = setOutput({ out: (text) => (out += text), err: (text) => (err += text) });
});
afterEach(() => {
  setOutput(before);
});

function decode(x: any): unknown {
  if (Array.isArray(x)) return x.map(decode);
  if (x === null || typeof x !== 'object') return x;
  if ('t' in x) return new $.Tuple(x.t.map(decode));
  if ('s' in x) return $.set(x.s.map(decode));
  if ('b' in x) return $.bytes(x.b);
  if ('n' in x) return BigInt(x.n);
  return $.dict(x.d.map(([k, v]: [unknown, unknown]) => [k, decode(v)]));
}

test('html', () => {
  const html = std('html');
  expect(html.escape('<a href="x">\'&\'</a>')).toBe('&lt;a href=&quot;x&quot;&gt;&#x27;&amp;&#x27;&lt;/a&gt;');
  expect(html.escape('"', false)).toBe('"');
  for (const [text, wanted] of unescaped) expect(html.unescape(text)).toBe(wanted);
});

test('pprint', () => {
  const pprint = std('pprint');
  const wrong = printed.flatMap(([value, options, wanted]) => {
    const actual = $.callkw(pprint.pformat, [decode(value)], options);
    return actual === wanted ? [] : [`${JSON.stringify(options)}\n${actual}\ninstead of\n${wanted}`];
  });
  expect(wrong).toEqual([]);
  $.call(pprint.pprint, $.Dict.of('b', 1, 'a', 2));
  $.call(pprint.pp, $.Dict.of('b', 1, 'a', 2));
  expect(out).toBe("{'a': 2, 'b': 1}\n{'b': 1, 'a': 2}\n");
  const loop: unknown[] = [1];
  loop.push(loop);
  expect($.call(pprint.pformat, loop)).toMatch(/^\[1, <Recursion on list with id=\d+>\]$/);
});

test('struct', () => {
  const struct = std('struct');
  for (const [format, values, hex, shown] of packed) {
    const data = $.call(struct.pack, format, ...values.map(decode));
    expect(Buffer.from(data.data).toString('hex'), format).toBe(hex);
    if (!format.endsWith('d') && !/65504/.test(shown))
      expect($.repr($.call(struct.unpack, format, data)), format).toBe(shown);
  }
  expect([struct.calcsize('<bi'), struct.calcsize('@bi'), struct.calcsize('@bq')]).toEqual([5, 8, 16]);
  expect(() => $.call(struct.pack, '<B', 300)).toThrow('ubyte format requires 0 <= number <= 255');
  expect(() => $.call(struct.unpack, '<I', $.bytes('abc'))).toThrow('unpack requires a buffer of 4 bytes');
  expect(() => $.call(struct.calcsize, 'z')).toThrow(struct.error);
  expect($.repr(b['list']($.call(struct.iter_unpack, '<H', $.bytes('\x01\x00\x02\x00'))))).toBe('[(1,), (2,)]');
  const one = $.call(struct.Struct, '>I');
  expect([one.size, $.repr($.callMethod(one, 'unpack_from', $.bytes('\x00\x00\x00\x00\x07'), 1))]).toEqual([4, '(7,)']);
});

test('zlib', () => {
  const zlib = std('zlib');
  const data = $.bytes('hello hello hello');
  expect($.eq($.call(zlib.decompress, $.call(zlib.compress, data)), data)).toBe(true);
  expect($.eq($.callkw(zlib.decompress, [$.callkw(zlib.compress, [data], { wbits: -15 })], { wbits: -15 }), data)).toBe(
    true,
  );
  expect([zlib.crc32(data), zlib.adler32(data), zlib.crc32($.bytes('b'), zlib.crc32($.bytes('a')))]).toEqual([
    3858335872, 976094845, 2659403885,
  ]);
  expect(() => $.call(zlib.decompress, $.bytes('nonsense'))).toThrow(
    'Error -3 while decompressing data: incorrect header check',
  );
  const packer = $.call(zlib.compressobj);
  const parts = [$.callMethod(packer, 'compress', data), $.callMethod(packer, 'flush')];
  const unpacker = $.call(zlib.decompressobj);
  expect(
    $.eq($.add($.callMethod(unpacker, 'decompress', $.add(parts[0], parts[1])), $.callMethod(unpacker, 'flush')), data),
  ).toBe(true);
});

test('types and abc', () => {
  const types = std('types');
  const space = $.callkw(types.SimpleNamespace, [], { a: 1, b: 'x' });
  expect([
    $.repr(space),
    $.getattr(space, 'a'),
    $.eq(space, $.callkw(types.SimpleNamespace, [], { a: 1, b: 'x' })),
  ]).toEqual(["namespace(a=1, b='x')", 1, true]);
  const view = $.call(types.MappingProxyType, $.Dict.of('k', 1));
  expect([$.getitem(view, 'k'), $.contains(view, 'k'), $.repr(view), b['list'](view)]).toEqual([
    1,
    true,
    "mappingproxy({'k': 1})",
    ['k'],
  ]);
  expect(() => $.setitem(view, 'k', 2)).toThrow("'mappingproxy' object does not support item assignment");
  const f = (self: any, x: number) => self.n + x;
  const method = $.call(types.MethodType, f, { n: 1 });
  expect([
    $.call(method, 2),
    b['isinstance'](method, types.MethodType),
    b['isinstance'](f, types.FunctionType),
    b['isinstance'](null, types.NoneType),
  ]).toEqual([3, true, true, true]);
  class Shape extends std('abc').ABC {}
  expect(b['issubclass'](Shape, std('abc').ABC)).toBe(true);
  expect(
    $.getattr(
      std('abc').abstractmethod(() => 1),
      '__isabstractmethod__',
    ),
  ).toBe(true);
});

test('inspect', () => {
  const inspect = std('inspect');
  const signature = $.call(inspect.signature, b['sorted']);
  expect($.str(signature)).toBe('(iterable, /, *, key=None, reverse=None)');
  expect(b['list']($.getattr(signature, 'parameters'))).toEqual(['iterable', 'key', 'reverse']);
  expect([
    inspect.isfunction(() => 1),
    inspect.isclass(b['int']),
    inspect.isbuiltin(b['len']),
    inspect.ismodule(inspect),
    inspect.iscoroutinefunction(() => 1),
  ]).toEqual([true, true, true, true, false]);
  expect(inspect.cleandoc('  one\n    two\n      three\n')).toBe('one\ntwo\n  three');
  expect($.repr($.call(inspect.getmembers, $.callkw(std('types').SimpleNamespace, [], { z: 1, a: 2 })))).toContain(
    "('a', 2), ('z', 1)",
  );
});

test('warnings', () => {
  const warnings = std('warnings');
  const warn = () => $.call(warnings.warn, 'careful');
  warn();
  expect(err).toMatch(/small-modules\.test\.ts:\d+: UserWarning: careful\n$/);
  const catcher = $.callkw(warnings.catch_warnings, [], { record: true });
  const seen = $.enter(catcher);
  $.call(warnings.simplefilter, 'always');
  warn();
  $.call(warnings.warn, 'old', $.DeprecationWarning);
  $.exit(catcher);
  expect([seen.length, $.str(seen[1].message), seen[1].category === $.DeprecationWarning]).toEqual([2, 'old', true]);
  const strict = $.call(warnings.catch_warnings);
  $.enter(strict);
  $.call(warnings.filterwarnings, 'error', 'care');
  expect(warn).toThrow($.UserWarning);
  $.exit(strict);
  expect(() => $.call(warnings.warn, 'x', $.ValueError)).toThrow("category must be a Warning subclass, not 'type'");
});

test('traceback', () => {
  const traceback = std('traceback');
  const cause = new $.KeyError('k');
  const error: any = $.raised(new $.ValueError('bad'), cause);
  noteHandled(error);
  const text = $.call(traceback.format_exc);
  expect(text).toMatch(
    /^Traceback \(most recent call last\):\n {2}File ".*small-modules\.test\.ts", line \d+, in .*\nKeyError: 'k'\n\nThe above exception was the direct cause/,
  );
  expect(text).toMatch(/\nValueError: bad\n$/);
  $.call(traceback.print_exc);
  expect(err).toBe(text);
  error.add_note('a note');
  expect($.call(traceback.format_exception_only, error)).toEqual(['ValueError: bad\n', 'a note\n']);
  expect($.call(traceback.format_exception, error).join('')).toContain('a note');
  expect($.getattr($.call(traceback.extract_tb, error.__traceback__).at(-1), 'filename')).toContain(
    'small-modules.test.ts',
  );
});

test('platform, socket, getpass', async () => {
  const platform = std('platform');
  expect([platform.python_version(), typeof platform.system(), $.getattr(platform.uname(), 'node')]).toEqual([
    '3.12.0',
    'string',
    platform.node(),
  ]);
  const socket = std('socket');
  expect([socket.AF_INET, socket.SOCK_STREAM, typeof socket.gethostname(), socket.htons(1)]).toEqual([
    2,
    1,
    'string',
    256,
  ]);
  expect(() => socket.socket).toThrow("module 'socket' has no attribute 'socket'");
  const lines = ['secret\n'];
  setInput({ line: () => lines.shift() ?? '', rest: () => '' });
  expect(await $.call(std('getpass').getpass, 'Word: ')).toBe('secret');
  expect(err).toBe('Word: ');
  await expect($.call(std('getpass').getpass)).rejects.toBeInstanceOf($.EOFError);
});

test('mocks note their calls', async () => {
  const mock = std('unittest.mock');
  const m = $.callkw(mock.Mock, [], { return_value: 3, name: 'm' });
  expect($.callkw(m, [1], { a: 2 })).toBe(3);
  expect([$.getattr(m, 'called'), $.getattr(m, 'call_count'), $.repr($.getattr(m, 'call_args'))]).toEqual([
    true,
    1,
    'call(1, a=2)',
  ]);
  $.callMethodKw(m, 'assert_called_once_with', [1], { a: 2 });
  expect(() => $.callMethod(m, 'assert_called_with', 2)).toThrow(
    'expected call not found.\nExpected: m(2)\n  Actual: m(1, a=2)',
  );
  expect(() => $.callMethod(m, 'assert_not_called')).toThrow("Expected 'm' to not have been called. Called 1 times.");
});

test('mocks: attributes, effects, containers', async () => {
  const mock = std('unittest.mock');
  const m = $.call(mock.MagicMock);
  $.setattr($.getattr($.getattr(m, 'db'), 'find'), 'return_value', 'row');
  expect($.callMethod($.getattr(m, 'db'), 'find', 'x')).toBe('row');
  expect($.repr($.getattr(m, 'mock_calls'))).toBe("[call.db.find('x')]");
  $.setattr(m, 'side_effect', [1, new $.ValueError('no')]);
  expect($.call(m)).toBe(1);
  expect(() => $.call(m)).toThrow('no');
  expect(() => $.call(m)).toThrow($.StopIteration);
  $.setattr($.getattr(m, 'other'), 'side_effect', (x: number) => x * 2);
  expect($.callMethod(m, 'other', 4)).toBe(8);
  expect([b['len'](m), $.truth(m), b['list'](m)]).toEqual([0, true, []]);
  expect($.enter(m)).toBeInstanceOf(mock.MagicMock);
  expect(() => $.getattr($.callkw(mock.Mock, [], { spec: ['a'] }), 'b')).toThrow("Mock object has no attribute 'b'");
  expect(await $.call($.callkw(mock.AsyncMock, [], { return_value: 5 }))).toBe(5);
});

test('patching', () => {
  const { patch } = std('unittest.mock');
  const target: any = { x: 1 };
  const p = $.callMethod(patch, 'object', target, 'x', 2);
  expect([$.enter(p), target.x]).toEqual([2, 2]);
  $.exit(p);
  expect(target.x).toBe(1);
  const module = $.callkw(patch, ['json.dumps'], { return_value: 'fake' });
  $.enter(module);
  expect($.call(std('json').dumps, 1)).toBe('fake');
  $.exit(module);
  expect($.call(std('json').dumps, 1)).toBe('1');
  const values = $.Dict.of('a', 1);
  const d = $.callMethod(patch, 'dict', values, $.Dict.of('b', 2));
  $.enter(d);
  expect($.repr(values)).toBe("{'a': 1, 'b': 2}");
  $.exit(d);
  expect($.repr(values)).toBe("{'a': 1}");
  const decorated = $.call($.callMethod(patch, 'object', target, 'x'), (given: any) => given === target.x);
  expect([$.call(decorated), target.x]).toEqual([true, 1]);
});
