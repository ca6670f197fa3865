import { expect, test } from 'vitest';
import { b } from '../../builtins/table.ts';
import { func } from '../../classes/func.ts';
import type { FunctionSpec, ParamSpec } from '../../classes/spec.ts';
import { parseParams } from '../calls/signature.ts';
import * as $ from '../index-of-runtime.ts';
import { $typeName } from './protocol.ts';

const spec = (name: string, params: readonly ParamSpec[]): FunctionSpec => ({
  name,
  qualname: name,
  module: 'm',
  params,
  result: { t: 'any' },
});
const described = (name: string, params: string, fn: (...args: any[]) => any): any =>
  func(fn, spec(name, parseParams(params)));

test('arguments go to slots; complaints are in the words of CPython', () => {
  const f = described('f', 'a, b=None, *rest, k=1, **kw', (...slots) => slots);
  expect($.repr($.call(f, 1))).toBe('[1, None, [], None, {}]');
  expect($.repr($.callkw(f, [1, 2, 3, 4], { k: 5, z: 6 }))).toBe("[1, 2, [3, 4], 5, {'z': 6}]");
  expect($.repr($.callkw(f, [], $.Dict.of('a', 1)))).toBe('[1, None, [], None, {}]');
  expect(() => $.call(f)).toThrow("f() missing 1 required positional argument: 'a'");
  expect(() => $.callkw(f, [1], [['a', 2]])).toThrow("f() got multiple values for argument 'a'");
  const g = described('g', 'a, b, c=1', (...slots) => slots);
  expect(() => $.call(g)).toThrow("g() missing 2 required positional arguments: 'a' and 'b'");
  expect(() => $.call(g, 1, 2, 3, 4)).toThrow('g() takes from 2 to 3 positional arguments but 4 were given');
  expect(() => $.callkw(g, [1, 2], { x: 1 })).toThrow("g() got an unexpected keyword argument 'x'");
  const h = described('h', '*, k', (...slots) => slots);
  expect(() => $.call(h)).toThrow("h() missing 1 required keyword-only argument: 'k'");
  expect(() => $.call(h, 1)).toThrow('h() takes 0 positional arguments but 1 was given');
});

test('calling built-ins, classes, objects and other values', () => {
  expect(() => $.call(b['len'])).toThrow('len() takes exactly one argument (0 given)');
  expect(() => $.callkw(b['len'], [[1]], { x: 1 })).toThrow('len() takes no keyword arguments');
  expect(() => $.callkw(b['sorted'], [[1]], { x: 1 })).toThrow("'x' is an invalid keyword argument for sorted()");
  expect(() => $.call(5)).toThrow("'int' object is not callable");
  class Adder {
    __call__(x: number): number {
      return x + 1;
    }
  }
  expect([$.call(new Adder(), 1), $.callable(new Adder()), $.callable(5)]).toEqual([2, true, false]);
  expect($.call(class Point {}, 1)).toBeTypeOf('object');
  expect($.callkw((x: number, options: unknown) => [x, options], [1], { deep: true })).toEqual([1, { deep: true }]);
});

test('attributes of instances', () => {
  class Task {
    title = 'a';
    get loud(): string {
      return this.title.toUpperCase();
    }
    greet(who: string): string {
      return `${this.title} ${who}`;
    }
  }
  // Registration of a class sets its type name: without it this is an object of JavaScript.
  Object.defineProperty(Task.prototype, $typeName, { value: 'Task' });
  func(Task.prototype.greet, { ...spec('greet', parseParams('who')), qualname: 'Task.greet' });
  const task = new Task();
  expect([$.getattr(task, 'title'), $.getattr(task, 'loud'), $.callMethod(task, 'greet', 'b')]).toEqual([
    'a',
    'A',
    'a b',
  ]);
  const bound = $.getattr(task, 'greet');
  expect([
    $.call(bound, 'x'),
    $.eq(bound, $.getattr(task, 'greet')),
    $.eq(bound, $.getattr(new Task(), 'greet')),
  ]).toEqual(['a x', true, false]);
  expect(() => $.call(bound)).toThrow("Task.greet() missing 1 required positional argument: 'who'");
  expect(() => $.callMethod(task, 'greet', 1, 2)).toThrow('Task.greet() takes 2 positional arguments but 3 were given');
  expect($.call($.getattr(Task, 'greet'), task, 'y')).toBe('a y');
  expect(() => $.getattr(task, 'nope')).toThrow("'Task' object has no attribute 'nope'");
  expect(() => $.setattr(task, 'loud', 1)).toThrow("property 'loud' of 'Task' object has no setter");
  expect([
    $.optattr(task, 'nope'),
    $.optattr(null, 'x'),
    $.getattrOr(task, 'nope', 5),
    $.hasattr(task, 'title'),
  ]).toEqual([null, null, 5, true]);
  $.setattr(task, 'then', 1);
  expect([Object.keys(task).includes('then$'), $.getattr(task, 'then'), $.repr(b['vars'](task))]).toEqual([
    true,
    1,
    "{'title': 'a', 'then': 1}",
  ]);
  $.delattr(task, 'then');
  expect(() => $.delattr(task, 'then')).toThrow("'Task' object has no attribute 'then'");
  expect([$.hasattr(task, 'constructor'), $.hasattr(task, 'toString'), $.hasattr(task, 'hasOwnProperty')]).toEqual([
    false,
    false,
    false,
  ]);
});

test('special methods for attributes', () => {
  const log: unknown[] = [];
  class Dynamic {
    __getattr__(name: string): string {
      return `dyn ${name}`;
    }
    __setattr__(name: string, value: unknown): void {
      log.push([name, value]);
    }
    __delattr__(name: string): void {
      log.push(['del', name]);
    }
  }
  const x = new Dynamic();
  $.setattr(x, 'a', 1);
  $.delattr(x, 'a');
  expect([$.getattr(x, 'zz'), log]).toEqual([
    'dyn zz',
    [
      ['a', 1],
      ['del', 'a'],
    ],
  ]);
});

test('attributes of values, types, functions and modules', () => {
  expect(() => $.getattr(null, 'foo')).toThrow("'NoneType' object has no attribute 'foo'");
  expect(() => $.getattr('s', 'trim')).toThrow("'str' object has no attribute 'trim'");
  expect(() => $.getattr([], 'length')).toThrow("'list' object has no attribute 'length'");
  expect(() => $.getattr($.dict(), 'set')).toThrow("'dict' object has no attribute 'set'");
  expect(() => $.setattr([], 'x', 1)).toThrow("'list' object has no attribute 'x'");
  expect(() => $.setattr('s', 'upper', 1)).toThrow("'str' object attribute 'upper' is read-only");
  expect($.call($.getattr('abc', 'upper'))).toBe('ABC');
  expect($.call($.getattr(b['str'], 'upper'), 'abc')).toBe('ABC');
  expect([$.getattr(b['int'], '__name__'), $.getattr(5, '__class__') === b['int'], $.getattr(5, 'real')]).toEqual([
    'int',
    true,
    5,
  ]);
  const f = described('f', 'a', (a) => a);
  $.setattr(f, 'name', 'own');
  expect([$.getattr(f, '__name__'), $.getattr(f, 'name'), $.hasattr(f, 'length'), $.hasattr(f, 'apply')]).toEqual([
    'f',
    'own',
    false,
    false,
  ]);
  expect(() => $.getattr(class Thing {}, 'nope')).toThrow("type object 'Thing' has no attribute 'nope'");
});

test('enums', () => {
  class Color extends $.Enum {
    loud(): string {
      return this.name.toLowerCase();
    }
  }
  $.enumeration(Color, { name: 'Color', module: 'm', members: [['RED', 1], ['GREEN'], ['BLUE', 'b'], ['ALIAS', 1]] });
  const { RED, GREEN, BLUE, ALIAS } = Color as any;
  expect([$.str(RED), $.repr([RED, BLUE]), GREEN.value, ALIAS === RED]).toEqual([
    'Color.RED',
    "[<Color.RED: 1>, <Color.BLUE: 'b'>]",
    2,
    true,
  ]);
  expect([
    $.call(Color, 'b') === BLUE,
    $.getitem(Color, 'RED') === RED,
    b['len'](Color),
    b['list'](Color).length,
  ]).toEqual([true, true, 3, 3]);
  expect([$.eq(RED, 1), $.eq(RED, RED), $.callMethod(RED, 'loud'), $.format(RED, '>10')]).toEqual([
    false,
    true,
    'red',
    ' Color.RED',
  ]);
  expect(() => $.call(Color, 99)).toThrow('99 is not a valid Color');
  expect(() => $.getitem(Color, 'X')).toThrow("'X'");
  class Code extends $.Enum {}
  $.enumeration(Code, { name: 'Code', module: 'm', bases: ['int'], members: [['OK', 200]] });
  const { OK } = Code as any;
  expect([
    $.eq(OK, 200),
    $.add(OK, 1),
    $.str(OK),
    $.lt(OK, 300),
    $.dict([[200, 'x']]).get(OK),
    $.format(OK, '05d'),
  ]).toEqual([true, 201, '200', true, 'x', '00200']);
  expect([b['isinstance'](OK, b['int']), b['isinstance'](OK, Code), $.truth(OK)]).toEqual([true, true, true]);
  class Word extends $.StrEnum {}
  $.enumeration(Word, {
    name: 'Word',
    module: 'm',
    members: [
      ['Hi', $.auto()],
      ['B', 'bee'],
    ],
  });
  const { Hi, B } = Word as any;
  expect([
    Hi.value,
    $.add(B, '!'),
    $.callMethod(B, 'upper'),
    b['len'](B),
    $.callMethod('-', 'join', [B, Hi]),
    $.contains(['bee'], B),
  ]).toEqual(['hi', 'bee!', 'BEE', 3, 'bee-hi', true]);
  class Perm extends $.Flag {}
  $.enumeration(Perm, { name: 'Perm', module: 'm', members: [['R'], ['W'], ['X']] });
  const { R, W, X } = Perm as any;
  expect([
    X.value,
    $.repr($.bor(R, W)),
    $.contains($.bor(R, W), R),
    $.truth($.band(R, W)),
    $.eq($.invert(R), $.bor(W, X)),
  ]).toEqual([4, '<Perm.R|W: 3>', true, false, true]);
});

test('generators', () => {
  function* count(): Generator<unknown, unknown, unknown> {
    let got: unknown = null;
    for (let i = 0; i < 3; i += 1) got = yield got === null ? i : got;
    return 'end';
  }
  const g = $.gen(count());
  expect([b['next'](g), $.callMethod(g, 'send', 'x'), b['list'](g), b['next'](g, 'none')]).toEqual([
    0,
    'x',
    [2],
    'none',
  ]);
  expect(() => b['next'](g)).toThrow($.StopIteration);
  const again = $.gen(count());
  for (const _ of $.iter(again)) break;
  expect(b['list'](again)).toEqual([1, 2]);
  const leaking = $.gen(
    (function* () {
      yield b['next'](b['iter']([]));
    })(),
  );
  expect(() => b['next'](leaking)).toThrow('generator raised StopIteration');
});

test('iteration protocols', () => {
  class Down {
    n = 3;
    __iter__(): Down {
      return this;
    }
    __next__(): number {
      this.n -= 1;
      if (this.n < 0) throw new $.StopIteration();
      return this.n;
    }
  }
  class Indexed {
    __getitem__(i: number): number {
      if (i > 2) throw new $.IndexError();
      return i * i;
    }
  }
  expect([[...$.iter(new Down())], [...$.iter(new Indexed())], b['sum'](new Down())]).toEqual([
    [2, 1, 0],
    [0, 1, 4],
    3,
  ]);
  expect([...$.iter('a😀')]).toEqual(['a', '😀']);
  expect($.contains(new Indexed(), 4)).toBe(true);
});

test('operators honour special methods', () => {
  class Money {
    cents: number;
    constructor(cents: number) {
      this.cents = cents;
    }
    __add__(other: unknown): unknown {
      return other instanceof Money ? new Money(this.cents + other.cents) : $.NotImplemented;
    }
    __radd__(other: unknown): unknown {
      return other === 0 ? this : $.NotImplemented;
    }
    __iadd__(other: Money): this {
      this.cents += other.cents;
      return this;
    }
    __lt__(other: Money): boolean {
      return this.cents < other.cents;
    }
    __eq__(other: unknown): unknown {
      return other instanceof Money ? this.cents === other.cents : $.NotImplemented;
    }
    __bool__(): boolean {
      return this.cents !== 0;
    }
    __len__(): number {
      return 7;
    }
    __format__(spec: string): string {
      return `${this.cents}:${spec}`;
    }
  }
  const [five, two] = [new Money(5), new Money(2)];
  expect([
    b['sum']([five, two]).cents,
    $.gt(five, two),
    $.eq(five, new Money(5)),
    $.ne(five, 5),
    $.truth(new Money(0)),
    b['len'](five),
    $.format(five, 'x'),
  ]).toEqual([7, true, true, true, false, 7, '5:x']);
  expect($.iadd(five, two)).toBe(five);
  expect(() => $.add(five, 'x')).toThrow("unsupported operand type(s) for +: 'Money' and 'str'");
  expect(() => $.iadd(1, 'x')).toThrow("unsupported operand type(s) for +=: 'int' and 'str'");
  expect(() => $.neg('x')).toThrow("bad operand type for unary -: 'str'");
  expect($.repr($.bor(b['int'], b['str']))).toBe('int | str');
  expect(b['isinstance'](5, $.bor(b['int'], null))).toBe(true);
});

test('an integral float is a box and shows as a float', () => {
  expect([
    $.str($.f(2)),
    $.str(2),
    $.repr([$.f(1), 2, $.f(-0), $.f(2.5)]),
    $.repr($.dict([['a', $.f(1)]])),
    $.repr($.tuple($.f(1), 1)),
  ]).toEqual(['2.0', '2', '[1.0, 2, -0.0, 2.5]', "{'a': 1.0}", '(1.0, 1)']);
  expect([$.add($.f(2), 1), $.add(0.5, 0.5), $.mul(2, 3), $.div(4, 2), $.neg($.f(0))].map((x) => $.repr(x))).toEqual([
    '3.0',
    '1.0',
    '6',
    '2.0',
    '-0.0',
  ]);
  expect([$.eq($.f(2), 2), $.eq(2, $.f(2)), $.is($.f(2), 2), $.lt($.f(2), 3), $.truth($.f(0))]).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
  const d = $.dict([[$.f(1), 'a']]);
  d.set(1, 'b');
  expect($.repr(d)).toBe("{1.0: 'b'}");
  expect(() => $.getitem([1, 2], $.f(1))).toThrow('list indices must be integers or slices, not float');
  expect([
    b['isinstance']($.f(2), b['float']),
    b['isinstance'](2, b['float']),
    b['isinstance']($.f(2), b['int']),
    b['type']($.f(2)) === b['float'],
  ]).toEqual([true, false, false, true]);
  expect([$.pow($.f(1e10), 2), $.pow(1e10, 2)]).toEqual([1e20, 10n ** 20n]);
  expect([$.add(2 ** 53 - 1, 1), $.sub((2n ** 53n) as any, 1), $.mul(2 ** 40, 2 ** 40)]).toEqual([
    2n ** 53n,
    2 ** 53 - 1,
    2n ** 80n,
  ]);
});

test('context managers', async () => {
  const log: unknown[] = [];
  class Manager {
    __enter__(): string {
      log.push('enter');
      return 'value';
    }
    __exit__(type: any, error: unknown): boolean {
      log.push(type === null ? 'clean' : [$.getattr(type, '__name__'), $.str(error)]);
      return true;
    }
  }
  expect([$.enter(new Manager()), $.exit(new Manager()), $.exit(new Manager(), new $.ValueError('v'))]).toEqual([
    'value',
    true,
    true,
  ]);
  expect(log).toEqual(['enter', 'clean', ['ValueError', 'v']]);
  expect(() => $.enter(5)).toThrow("'int' object does not support the context manager protocol");
  expect(await $.awaitable({ [Symbol.toStringTag]: 'x' })).toBeTypeOf('object');
});
