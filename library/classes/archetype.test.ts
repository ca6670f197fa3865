import { expect, test } from 'vitest';
import * as $ from '../../core/runtime.ts';
import type { ArchetypeSpec, FieldSpec } from './spec.ts';

const int = { t: 'int' } as const;
const float = { t: 'float' } as const;

function declare(cls: any, fields: FieldSpec[], more: Partial<ArchetypeSpec> = {}) {
  return $.archetype(cls, { kind: 'obj', name: cls.name, module: 'main', fields, abilities: [], ...more }) as any;
}

test('C8: constructor, postinit field, argument errors, identity', () => {
  class C extends $.Obj {
    declare a: number;
    declare b: number;
    declare c: number;
    postinit() {
      this.c = this.a + this.b;
    }
  }
  declare(C, [
    { name: 'a', type: int },
    { name: 'b', type: int, literal: 2, default: () => 2 },
    { name: 'c', type: int, postinit: true },
  ]);
  const K = C as any;
  expect($.repr(K.$new(1))).toBe('C(a=1, b=2, c=3)');
  expect(() => K.$new()).toThrow("C.__init__() missing 1 required positional argument: 'a'");
  expect(() => $.construct(K, [1, 2, 3])).toThrow(
    'C.__init__() takes from 2 to 3 positional arguments but 4 were given',
  );
  expect(() => $.construct(K, [1], { a: 2 })).toThrow("C.__init__() got multiple values for argument 'a'");
  expect(() => $.construct(K, [], { zz: 2 })).toThrow("C.__init__() got an unexpected keyword argument 'zz'");
  expect(
    $.repr(
      $.callkw(
        K,
        [],
        [
          ['b', 5],
          ['a', 1],
        ],
      ),
    ),
  ).toBe('C(a=1, b=5, c=6)');
  expect($.eq(K.$new(1), K.$new(1))).toBe(false);
  expect(new K(4)).toBeInstanceOf(C);
  expect($.repr(new K(4, 5))).toBe('C(a=4, b=5, c=9)');
});

test('missing arguments are listed as Python lists them', () => {
  const D = declare(
    class D extends $.Obj {},
    ['x', 'y', 'z'].map((name) => ({ name, type: int })),
  );
  expect(() => D.$new(1)).toThrow("D.__init__() missing 2 required positional arguments: 'y' and 'z'");
  expect(() => D.$new()).toThrow("D.__init__() missing 3 required positional arguments: 'x', 'y', and 'z'");
  expect(() => $.construct(D, [1, 2, 3, 4])).toThrow('D.__init__() takes 4 positional arguments but 5 were given');
  const E = declare(class E extends $.Obj {}, []);
  expect(() => $.construct(E, [1])).toThrow('E.__init__() takes 1 positional argument but 2 were given');
});

test('defaults are made afresh, floats show as floats, instances of a class have one shape', () => {
  const P = declare(class P extends $.Obj {}, [
    { name: 'xs', type: { t: 'list', of: float }, default: () => [] },
    { name: 'w', type: float, default: () => $.f(1) },
  ]);
  const [a, b] = [P.$new(), P.$new()];
  a.xs.push($.f(2), 2);
  expect([$.repr(a), $.repr(b)]).toEqual(['P(xs=[2.0, 2], w=1.0)', 'P(xs=[], w=1.0)']);
  expect(Object.keys(a)).toEqual(Object.keys(b));
});

test('inherited fields come first; a redeclared one keeps its place and takes the new default', () => {
  const A = declare(class A extends $.Obj {}, [
    { name: 'x', type: int },
    { name: 'y', type: int, default: () => 1 },
  ]);
  const B = declare(class B extends A {}, [
    { name: 'z', type: int, default: () => 3 },
    { name: 'y', type: int, default: () => 2 },
  ]);
  expect($.repr(B.$new(0))).toBe('B(x=0, y=2, z=3)');
});

test('several bases follow C3: fields, methods and instanceof', () => {
  class A extends $.Obj {
    who() {
      return 'A';
    }
  }
  declare(A, [{ name: 'a', type: int, default: () => 1 }]);
  class B extends A {
    override who() {
      return `B${$.superMethod(B, this, 'who') !== undefined ? ($.superMethod(B, this, 'who') as any)() : ''}`;
    }
  }
  declare(B, [{ name: 'b', type: int, default: () => 2 }]);
  class C extends A {
    override who() {
      return `C${($.superMethod(C, this, 'who') as any)()}`;
    }
    only() {
      return 'only C';
    }
  }
  declare(C, [{ name: 'c', type: int, default: () => 3 }]);
  class D extends $.mix(B, C) {}
  declare(D, [{ name: 'd', type: int, default: () => 4 }]);
  const d = (D as any).$new();
  expect($.repr(d)).toBe('D(a=1, b=2, c=3, d=4)');
  expect(d.who()).toBe('BCA');
  expect(d.only()).toBe('only C');
  expect(d instanceof B && d instanceof C && d instanceof A).toBe(true);
  expect((B as any).$new() instanceof C).toBe(false);
  expect($.b['isinstance'](d, C)).toBe(true);
  expect($.b['issubclass'](D, C)).toBe(true);
  expect(() => $.mix(A, D)).toThrow('Cannot create a consistent method resolution\norder (MRO) for bases A');
  expect(() => $.mix(A, A)).toThrow('duplicate base class A');
});

test('init takes over the constructor; fields have their defaults before it runs', () => {
  class I extends $.Obj {
    declare x: number;
    declare y: number;
    init(x: number) {
      this.x = x + this.y;
    }
  }
  $.func(I.prototype.init, {
    name: 'init',
    qualname: 'I.__init__',
    module: 'main',
    params: [{ name: 'x', kind: 'any', type: int }],
    result: { t: 'none' },
  });
  const K = declare(I, [
    { name: 'x', type: int },
    { name: 'y', type: int, default: () => 10 },
  ]);
  expect($.repr(K.$new(1))).toBe('I(x=11, y=10)');
  expect($.repr($.callkw(K, [], { x: 2 }))).toBe('I(x=12, y=10)');
  expect(() => $.construct(K, [])).toThrow("I.__init__() missing 1 required positional argument: 'x'");
});

test('static fields are shared and inherited; an instance may have its own', () => {
  const S = declare(class S extends $.Obj {}, [{ name: 'count', type: int, static: true, default: () => 0 }]);
  const T = declare(class T extends S {}, []);
  S.count += 1;
  expect([S.count, T.count, S.$new().count, T.$new().count]).toEqual([1, 1, 1, 1]);
  const own = S.$new();
  own.count = 9;
  expect([own.count, S.count]).toEqual([9, 1]);
  expect($.repr(own)).toBe('S()');
});

test('a class is plain: shared attributes, only init, no arguments without it', () => {
  const P = declare(class P extends $.Obj {}, [{ name: 'xs', type: { t: 'list', of: int }, default: () => [] }], {
    kind: 'class',
  });
  const [a, b] = [P.$new(), P.$new()];
  a.xs.push(1);
  expect(b.xs).toEqual([1]);
  expect(() => $.construct(P, [1])).toThrow('P() takes no arguments');
});

test('abstract classes cannot be made', () => {
  class Shape extends $.Obj {}
  declare(Shape, [], { abstract: ['area', 'name'] });
  class Half extends Shape {
    area() {
      return 1;
    }
  }
  const H = declare(Half, []);
  class Whole extends Half {
    name() {
      return 'w';
    }
  }
  const W = declare(Whole, []);
  expect(() => (Shape as any).$new()).toThrow(
    "Can't instantiate abstract class Shape without an implementation for abstract methods 'area', 'name'",
  );
  expect(() => H.$new()).toThrow(
    "Can't instantiate abstract class Half without an implementation for abstract method 'name'",
  );
  expect($.repr(W.$new())).toBe('Whole()');
});

test('exceptions keep positional arguments in args and take fields by name', () => {
  const Err = declare(class Err extends $.ValueError {}, [{ name: 'code', type: int, default: () => 0 }]);
  const made = $.callkw(Err, ['boom'], { code: 3 });
  expect([$.str(made), made.code, made instanceof $.ValueError]).toEqual(['boom', 3, true]);
  expect($.repr(made.args)).toBe("('boom',)");
  expect(made.stack).toMatch(/^Err: boom\n[\s\S]*archetype\.test\.ts/);
  expect(() => $.callkw(Err, [], { nope: 1 })).toThrow("Err.__init__() got an unexpected keyword argument 'nope'");
});

test('repr of a cycle ends', () => {
  const N = declare(class N extends $.Obj {}, [{ name: 'next', type: { t: 'any' }, default: () => null }]);
  const n = N.$new();
  n.next = n;
  expect($.repr(n)).toBe('N(next=...)');
});
