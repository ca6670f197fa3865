import { expect, test } from 'vitest';
import { lines, run } from './testing.ts';

test('parameters of every kind', async () => {
  const printed = await lines(`
    def f(a: int, b: list = [], *c: int, d: int = 4, **e: any) -> any { b.append(a); return (a, b, c, d, e); }
    def g(x: int, /, y: int, *, z: int = 3) -> any { return (x, y, z); }
    def now -> int { return 7; }
    with entry {
      print(f(1), f(2, [9], 5, 6, d=7, z=8), f(3));
      args = [1, []]; kw = {"d": 9, "q": 1};
      print(f(*args, *[3], **kw, r=2), g(1, z=5, y=2), now());
      h = f; print(h(7, d=1), h(b=[], a=1));
      for bad in [lambda { g(1); }, lambda { g(1, 2, 3); }, lambda { g(1, 2, w=3); }] {
        try { bad(); } except TypeError as e { print(e); } } }`);
  expect(printed).toEqual([
    "(1, [1, 3], (), 4, {}) (2, [9, 2], (5, 6), 7, {'z': 8}) (3, [1, 3], (), 4, {})",
    "(1, [1], (3,), 9, {'q': 1, 'r': 2}) (1, 2, 5) 7",
    '(7, [1, 3, 7], (), 1, {}) (1, [1], (), 4, {})',
    "g() missing 1 required positional argument: 'y'",
    'g() takes 2 positional arguments but 3 were given',
    "g() got an unexpected keyword argument 'w'",
  ]);
});

test('defaults are evaluated once, where the definition stands', async () => {
  const printed = await lines(`
    glob n = 1;
    def note(x: int) -> int { print("note", x); return x; }
    def f(a: int = note(n + 1)) -> int { return a; }
    glob m = 100;
    def g(a: int = m) -> int { return a; }
    with entry { n = 50; print(f(), f(), g()); fs = [lambda i=i: i for i in range(3)]; print([h() for h in fs]); }`);
  expect(printed).toEqual(['note 2', '2 2 100', '[0, 1, 2]']);
});

test('results: return, tail expression, None', async () => {
  const printed = await lines(`
    def a(x: int) -> int { y = x * 2; y + 1 }
    def b { 1; }
    def c(x: int) -> any { if x { return; } skip; }
    def d(x: int) -> int { if x == 0 { return 0; } else { return x + d(x - 1); } }
    with entry { print(a(3), b(), c(1), c(0), d(5)); }`);
  expect(printed).toEqual(['7 None None None 15']);
});

test('closures share variables', async () => {
  const printed = await lines(`
    def counter -> any { n = 0; def inc -> int { n += 1; return n; } return inc; }
    def outer -> any { x = 1; def inner { x = x + 10; y: int = 5; def deep { x += 100; y += 1; } deep(); return y; } r = inner(); return (x, r); }
    def late -> list { return [f() for f in [lambda : i for i in range(3)]]; }
    with entry { c = counter(); c(); print(c(), counter()(), outer(), late()); k = 5; f = lambda : k; k = 6; print(f()); }`);
  expect(printed).toEqual(['2 1 (111, 6) [2, 2, 2]', '6']);
});

test('generators', async () => {
  const printed = await lines(`
    def gen(n: int) { i = 0; while i < n { got = yield i; if got { print("got", got); } i += 1; } return "end"; }
    def chain(*its: any) { for it in its { r = yield from it; print("r", r); } }
    obj Tree { has items: list = []; def walk { for x in self.items { yield x; } } def __iter__ { return self.walk(); } }
    with entry {
      g = gen(3); print(next(g), g.send("hi"), list(g), next(g, "none"));
      print(list(chain([1], gen(2))));
      print([x for x in Tree([3, 4])], sum(x * 2 for x in gen(4)));
      h = gen(5); next(h); h.close(); print(list(h));
      try { next(gen(0)); } except StopIteration as e { print(repr(e.value)); } }`);
  expect(printed).toEqual(['got hi', '0 1 [2] none', 'r None', 'r end', '[1, 0, 1]', '[3, 4] 12', '[]', "'end'"]);
});

test('decorators', async () => {
  const printed = await lines(`
    def deco(f: any) -> any { def wrapper(*args: any, **kw: any) -> any { print("before"); r = f(*args, **kw); print("after"); return r; } return wrapper; }
    def tag(name: str) -> any { return lambda (f: any) { lambda (x: int) { name + str(f(x)); }; }; }
    @deco def a(x: int, y: int = 2) -> int { return x + y; }
    @tag("<") @tag(">") def b(x: int) -> int { return x; }
    obj C { has v: int = 1; @deco def m(k: int) -> int { return self.v + k; } @staticmethod def s(x: int) -> int { return x; } @classmethod def k(cls: any) -> str { return cls.__name__; } @property def p -> int { return self.v * 2; } }
    with entry { print(a(1), a(1, y=5)); print(b(3)); c = C(); print(c.m(4), C.s(2), C.k(), c.p); }`);
  expect(printed).toEqual(['before', 'after', 'before', 'after', '3 6', '<>3', 'before', 'after', '5 2 C 2']);
});

test('abstract and missing bodies', async () => {
  const printed = await lines(`
    obj Shape { def area -> float abs; def name -> str { return "shape"; } }
    obj Square(Shape) { has w: float = 2.0; def area -> float { return self.w * self.w; } }
    def later(x: int) -> int;
    with entry {
      print(Square().area(), Square().name());
      try { Shape(); } except TypeError as e { print(e); }
      try { later(1); } except NotImplementedError as e { print("NIE", e); } }`);
  expect(printed).toEqual([
    '4.0 shape',
    "Can't instantiate abstract class Shape without an implementation for abstract method 'area'",
    'NIE later is declared without an implementation',
  ]);
});

test('function specs tell names, types, defaults and places', async () => {
  const ran = await run(`
    sem f.x = "the input"; sem f = "does it";
    """Doc."""
    def:pub f(x: int, *, y: str | None = None, z: list[float] = []) -> dict[str, int] { return {}; }`);
  expect(ran.code).toContain('doc: "Doc."');
  expect(ran.code).toContain('access: "pub"');
  expect(ran.code).toContain(
    '{ name: "y", kind: "kw", type: { t: "union", of: [{ t: "str" }, { t: "none" }] }, default: () => null }',
  );
  expect(ran.code).toContain('sem: { "": "does it", "x": "the input" }');
  expect(ran.code).toContain('at: "main.svc:4:13"');
});

test('descriptions of constructor parameters, under either name', async () => {
  const ran = await run(`
    obj A { has n: int = 0; def init(n: int) { self.n = n; } }
    obj B { has n: int = 0; def __init__(n: int) { self.n = n; } }
    sem A.init.n = "how many"; sem B.init.n = "how much";`);
  expect(ran.code).toContain('sem: { "n": "how many" }');
  expect(ran.code).toContain('sem: { "n": "how much" }');
});

test('JavaScript words and property names as names', async () => {
  const printed = await lines(`
    obj O { has \`constructor_: int = 1; has toString: str = "t"; has then: int = 3; def valueOf -> int { return 9; } has name: str = "n"; has length: int = 4; }
    def delete(var: int, new: int = 2, function: int = 3) -> int { let = 1; const = var + new + function + let; return const; }
    def typeof(this: int) -> int { Array = this; Math = 2; return Array + Math + abs(-3); }
    glob undefined = 5;
    with entry { o = O(); print(o.toString, o.then, o.valueOf(), o.name, o.length, delete(1), delete(var=1, new=5), typeof(1), undefined); print(o); }`);
  expect(printed).toEqual(['t 3 9 n 4 7 10 6 5', "O(constructor_=1, toString='t', then=3, name='n', length=4)"]);
});
