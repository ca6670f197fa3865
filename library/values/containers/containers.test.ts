import { expect, test } from 'vitest';
import { b } from '../../builtins/table.ts';
import * as $ from '../index-of-runtime.ts';

test('keys that are equal in Python are one key, and the first spelling stays', () => {
  const d = $.dict([
    [1, 'int'],
    [true, 'bool'],
    [2n ** 70n, 'big'],
    [$.tuple(1, 'a'), 'tuple'],
    ['1', 'text'],
    [null, 'none'],
    [undefined, 'none again'],
  ]);
  expect($.repr(d)).toBe(
    "{1: 'bool', 1180591620717411303424: 'big', (1, 'a'): 'tuple', '1': 'text', None: 'none again'}",
  );
  expect(d.get(1)).toBe('bool');
  expect(d.get($.tuple(true, 'a'))).toBe('tuple');
  expect($.dict([[true, 'yes']]).get(1)).toBe('yes');
  expect($.repr($.set([1, true, 0, false, 'a']))).toBe("{1, 0, 'a'}");
  expect(
    $.dict([
      [$.bytes('a'), 1],
      [new $.FrozenSet([1, 2]), 2],
    ]).get(new $.FrozenSet([2, 1])),
  ).toBe(2);
});

test('objects are keys by identity, or by __eq__ and __hash__', () => {
  class Plain {}
  class Keyed {
    n: number;
    constructor(n: number) {
      this.n = n;
    }
    __eq__(other: unknown): boolean {
      return other instanceof Keyed && other.n === this.n;
    }
    __hash__(): number {
      return this.n % 2;
    }
  }
  class Half {
    __eq__(): boolean {
      return true;
    }
  }
  const [one, two] = [new Plain(), new Plain()];
  const d = $.dict([
    [one, 1],
    [two, 2],
    [new Keyed(1), 'k1'],
    [new Keyed(3), 'k3'],
  ]);
  expect([d.get(one), d.get(two), d.get(new Keyed(3)), d.get(new Keyed(5))]).toEqual([1, 2, 'k3', undefined]);
  expect(d.delete(new Keyed(1))).toBe(true);
  expect(d.size).toBe(3);
  expect(() => $.set([new Half()])).toThrow("unhashable type: 'Half'");
  expect(() => $.dict([[[1], 2]])).toThrow("unhashable type: 'list'");
  expect(() => $.getitem($.dict(), $.dict())).toThrow("unhashable type: 'dict'");
});

test('dict methods and views', () => {
  const d = $.Dict.of('a', 1, 'b', 2);
  const { dictM } = $;
  expect([dictM.get(d, 'a', undefined), dictM.get(d, 'z', undefined), dictM.get(d, 'z', 5)]).toEqual([1, null, 5]);
  expect([dictM.setdefault(d, 'c', 3), dictM.pop(d, 'c', undefined), dictM.pop(d, 'c', 'none')]).toEqual([
    3,
    3,
    'none',
  ]);
  expect(() => dictM.pop(d, 'zz', undefined)).toThrow("'zz'");
  const [keys, values, items] = [dictM.keys(d), dictM.values(d), dictM.items(d)];
  d.set('c', 3);
  expect([$.repr(keys), $.repr(values), $.repr(items)]).toEqual([
    "dict_keys(['a', 'b', 'c'])",
    'dict_values([1, 2, 3])',
    "dict_items([('a', 1), ('b', 2), ('c', 3)])",
  ]);
  expect([b['len'](keys), $.contains(keys, 'a'), $.contains(values, 3), $.contains(items, $.tuple('a', 1))]).toEqual([
    3,
    true,
    true,
    true,
  ]);
  expect($.repr($.band(keys, $.set(['a', 'z'])))).toBe("{'a'}");
  expect($.eq(keys, $.set(['a', 'b', 'c']))).toBe(true);
  expect($.repr(dictM.popitem(d))).toBe("('c', 3)");
  expect($.eq($.Dict.of('b', 2, 'a', 1), d)).toBe(true);
  expect($.repr($.bor(d, $.Dict.of('z', 9)))).toBe("{'a': 1, 'b': 2, 'z': 9}");
  expect($.repr($.callMethod(b['dict'], 'fromkeys', 'ab', 0))).toBe("{'a': 0, 'b': 0}");
  const updated = $.dict();
  $.callMethodKw(updated, 'update', [[$.tuple('x', 1)]], { y: 2 });
  expect($.repr(updated)).toBe("{'x': 1, 'y': 2}");
  expect(() => $.callMethod(updated, 'update', [1])).toThrow(
    'cannot convert dictionary update sequence element #0 to a sequence',
  );
});

test('a dict or set must not change its size while it is gone through', () => {
  const d = $.Dict.of('a', 1);
  expect(() => {
    for (const key of $.iter(d)) d.set(`${key}!`, 1);
  }).toThrow('dictionary changed size during iteration');
  const s = $.set([1, 2]);
  expect(() => {
    for (const x of $.iter(s)) s.add((x as number) + 10);
  }).toThrow('Set changed size during iteration');
  const list = [1, 2, 3];
  const seen: unknown[] = [];
  for (const x of $.iter(list)) {
    seen.push(x);
    if (x === 1) list.push(4);
  }
  expect(seen).toEqual([1, 2, 3, 4]);
});

test('set algebra', () => {
  const [a, c] = [$.set([1, 2, 3]), $.set([3, 4])];
  expect([$.repr($.bor(a, c)), $.repr($.band(a, c)), $.repr($.sub(a, c)), $.repr($.bxor(a, c))]).toEqual([
    '{1, 2, 3, 4}',
    '{3}',
    '{1, 2}',
    '{1, 2, 4}',
  ]);
  expect([$.le($.set([1]), a), $.lt(a, a), $.ge(a, $.set([3])), $.eq(a, new $.FrozenSet([3, 2, 1]))]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect($.ibor(a, $.set([9]))).toBe(a);
  expect(a.has(9)).toBe(true);
  expect($.repr($.callMethod(a, 'union', [7], 'x'))).toBe("{1, 2, 3, 9, 7, 'x'}");
  expect(() => $.callMethod(a, 'remove', 99)).toThrow('99');
  expect(() => $.bor(a, [1])).toThrow("unsupported operand type(s) for |: 'set' and 'list'");
  expect($.repr(new $.FrozenSet())).toBe('frozenset()');
  expect($.contains($.set([new $.FrozenSet([1])]), $.set([1]))).toBe(true);
});

test('list methods', () => {
  const xs: unknown[] = [3, 1, 2];
  const run = (name: string, ...args: unknown[]) => $.callMethod(xs, name, ...args);
  run('append', 9);
  run('extend', 'ab');
  run('insert', 0, 'first');
  run('insert', -1, 'late');
  expect(xs).toEqual(['first', 3, 1, 2, 9, 'a', 'late', 'b']);
  expect([run('pop'), run('pop', 0), run('index', 2), run('count', 9)]).toEqual(['b', 'first', 2, 1]);
  run('remove', 9);
  run('reverse');
  expect(xs).toEqual(['late', 'a', 2, 1, 3]);
  expect(() => run('remove', 'nope')).toThrow('list.remove(x): x not in list');
  expect(() => run('index', 'nope')).toThrow("'nope' is not in list");
  expect(() => $.callMethod([], 'pop')).toThrow('pop from empty list');
  expect(() => run('append')).toThrow('list.append() takes exactly one argument (0 given)');
  const self: unknown[] = [1];
  $.callMethod(self, 'extend', self);
  self.push(self);
  expect($.repr(self)).toBe('[1, 1, [...]]');
  expect($.iadd(self, $.tuple(5))).toBe(self);
});

test('sorting is stable, asks only for <, and may wait for keys', async () => {
  const rows = [$.tuple('b', 1), $.tuple('a', 1), $.tuple('c', 0)];
  expect($.repr(b['sorted'](rows, (row: any) => row.items[1]))).toBe("[('c', 0), ('b', 1), ('a', 1)]");
  expect($.repr($.callkw(b['sorted'], [rows], { key: (row: any) => row.items[1], reverse: true }))).toBe(
    "[('b', 1), ('a', 1), ('c', 0)]",
  );
  class Less {
    n: number;
    constructor(n: number) {
      this.n = n;
    }
    __lt__(other: Less): boolean {
      return this.n < other.n;
    }
  }
  const values = Array.from({ length: 50 }, (_, i) => new Less((i * 37) % 50));
  expect(b['sorted'](values).map((x: Less) => x.n)).toEqual(Array.from({ length: 50 }, (_, i) => i));
  expect(b['sorted'](['b', '\u{1f600}', '\uffff', 'a'])).toEqual(['a', 'b', '\uffff', '\u{1f600}']);
  expect(() => b['sorted']([1, 'a'])).toThrow("'<' not supported between instances of 'str' and 'int'");
  const waiting = b['sorted']([1, 3, 2], async (x: number) => -x);
  expect(waiting).toBeInstanceOf(Promise);
  expect(await waiting).toEqual([3, 2, 1]);
  expect(await b['max']([[1, 3, 2]], async (x: number) => -x)).toBe(1);
});

test('tuples, ranges, slices', () => {
  const t = $.tuple(1, [2]);
  expect([$.repr(t), $.repr($.tuple()), $.repr($.tuple(1)), $.repr($.add(t, $.tuple(3)))]).toEqual([
    '(1, [2])',
    '()',
    '(1,)',
    '(1, [2], 3)',
  ]);
  expect([$.lt($.tuple(1, 2), $.tuple(1, 3)), $.eq($.tuple(1, 2), [1, 2])]).toEqual([true, false]);
  const r = $.range(2, 20, 3);
  expect([[...r], b['len'](r), $.contains(r, 5), $.contains(r, 6), $.getitem(r, -1), $.repr(r)]).toEqual([
    [2, 5, 8, 11, 14, 17],
    6,
    true,
    false,
    17,
    'range(2, 20, 3)',
  ]);
  expect($.eq($.range(0, 3, 2), $.range(0, 4, 2))).toBe(true);
  expect([...$.range((2n ** 60n) as any, (2n ** 60n + 2n) as any)]).toEqual([2n ** 60n, 2n ** 60n + 1n]);
  expect(() => $.range(0, 5, 0)).toThrow('range() arg 3 must not be zero');
  expect(() => $.range('a')).toThrow("'str' object cannot be interpreted as an integer");
  expect(() => $.setitem(t, 0, 1)).toThrow("'tuple' object does not support item assignment");
});

test('unpacking', () => {
  expect($.unpack($.tuple(1, 2), 2)).toEqual([1, 2]);
  expect($.unpack('ab', 2)).toEqual(['a', 'b']);
  expect($.unpackStar([1, 2, 3, 4], 1, 1)).toEqual([1, [2, 3], 4]);
  expect(() => $.unpack([1], 3)).toThrow('not enough values to unpack (expected 3, got 1)');
  expect(() => $.unpack([1, 2, 3], 2)).toThrow('too many values to unpack (expected 2)');
  expect(() => $.unpackStar([1], 1, 1)).toThrow('not enough values to unpack (expected at least 2, got 1)');
  expect(() => $.unpack(5, 2)).toThrow('cannot unpack non-iterable int object');
  expect(() => $.iter(null)).toThrow("'NoneType' object is not iterable");
});

test('members of JavaScript arrays are none of a list', () => {
  for (const name of ['find', 'map', 'push', 'slice', 'toString', 'constructor'])
    expect(() => $.callMethod([1], name, 1)).toThrow(`'list' object has no attribute '${name}'`);
});
