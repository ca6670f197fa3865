import { expect, test } from 'vitest';
import { front } from '../front-testing.ts';
import type { Mode } from './rule.ts';
import { runRules } from './rules.ts';

/** Codes with what they speak of: `E0413 has no attribute…`, in order. */
/** Lists the findings without the note that every program with client code gets. */
function found(texts: string | Record<string, string>, mode: Mode = 'run'): readonly string[] {
  const { project, names, types } = front(texts, { tests: true });
  runRules(project, names, types, { mode });
  return project
    .diagnostics()
    .map((one) => `${one.code} ${one.message}${one.help === undefined ? '' : ` (${one.help})`}`);
}

const codes = (texts: string | Record<string, string>, mode: Mode = 'run') =>
  found(texts, mode).map((line) => line.slice(0, 5));

test('a method that gives its receiver gives one of the class it was called on', () => {
  const text = `obj A { class def make(cls: type) { return cls(); } def copy { return self; } }
obj B(A) { def lower -> int { return 1; } }
with entry { print(B.make().lower(), B().copy().copy().lower(), A().copy().lower(), B().copy().upper()); }`;
  expect(found(text)).toEqual(['E0413 `A` has no attribute `lower`', 'E0413 `A` has no attribute `upper`']);
});

test('what `super()` is asked for may be there', () => {
  const body = (text: string) => codes(`class M { def show(self) { ${text} } }`).filter((code) => code === 'E0413');
  expect(body('return super().show() if hasattr(super(), "show") else 0;')).toEqual([]);
  expect(body('return super().show();')).toEqual(['E0413']);
  expect(body('return super().show() if hasattr(super(), "other") else 0;')).toEqual(['E0413']);
});

test('a name that may be missing is looked for', () => {
  const body = (text: string) => codes(`def f { ${text} }`, 'check').filter((code) => code === 'E0301');
  expect(body('try { unicode; } except NameError { }')).toEqual([]);
  expect(body('try { return unicode; } except (NameError, TypeError) as e { }')).toEqual([]);
  expect(body('try { unicode; } except NameError { unicode; }')).toEqual(['E0301']);
  expect(body('try { unicode; } except Exception { }')).toEqual(['E0301']);
  expect(body('try { unicode; } except NameError { } print(unicode);')).toEqual(['E0301']);
  expect(body('try { def g { return unicode; } } except NameError { }')).toEqual(['E0301']);
});

test('what `hasattr` proves', () => {
  const body = (text: string) =>
    codes(`obj A { has x: int; } obj B(A) { has y: int = 1; } def f(xs: list[A], a: A) -> any { ${text} }`);
  expect(body('return sum(a.y for a in xs if hasattr(a, "y"));')).toEqual([]);
  expect(body('if not hasattr(a, "y") { return 0; } return a.y;')).toEqual([]);
  expect(body('if hasattr(a, "x") { return a.y; } return 0;')).toEqual(['E0413']);
  expect(body('if hasattr(a, "y") { return 0; } return a.y;')).toEqual(['E0413']);
});

test('members of protocols, abstract methods and alternatives of overloads need no implementation', () => {
  const text = `import typing; import from typing { Protocol, TypeVar, overload } import from abc { ABC, abstractmethod }
    glob T = TypeVar("T");
    class A(Protocol) { def size() -> int; } class B(typing.Protocol[T]) { def size() -> T; }
    obj C(ABC) { @abstractmethod def size() -> int; }`;
  expect(codes(text)).toEqual([]);
  expect(codes('import from typing { Protocol } class A(Protocol) { def f { } } obj B(A) { def g; }')).toEqual([
    'E0502',
  ]);
});

test('where None was put in an item there may be something else later', () => {
  const body = (text: string) =>
    codes(`def fill(d: dict) { d["h"] = {"ok": 1}; } def load -> dict { return {"h": None}; }
      def f -> any { d = {"h": None}; fill(d); p = load(); ${text} return 0; }`);
  expect(body('if d["h"] is not None { print(d["h"]["ok"]); } if p["h"] != None { print(p["h"]["ok"]); }')).toEqual([]);
  expect(body('if d["h"] { print(d["h"]["ok"]); } print(d["h"] and d["h"]["ok"]);')).toEqual([]);
  expect(body('if d["h"] is None { return 1; } print(d["h"]["ok"]); while not d["h"] { } print(p["h"] or 1);')).toEqual(
    [],
  );
  expect(body('print(d["h"]["ok"]); xs = [None]; xs2 = [None] * 3; print(xs[0]["a"], xs2[1].b);')).toEqual([]);
  expect(body('t = (None, 1); print(t[0]["a"]);')).toEqual(['E0415']);
});

test('places other than locals are what tests have shown of them, until they are assigned to', () => {
  const body = (text: string) =>
    codes(`obj A { has x: int = 1; } obj B(A) { has y: int = 1; } obj C(A) { has z: int = 1; } glob it: A = B();
      node N { } node M(N) { has y: int = 1; }
      obj Box { has a: A = B(); def f(b: Box, xs: list[A], i: int, k: A) -> any { ${text} } }`);
  expect(body('if isinstance(self.a, B) { return self.a.y; } return 0;')).toEqual([]);
  expect(body('if not isinstance(b.a, B) { return 0; } while i { i -= 1; print(b.a.y); } return b.a.y;')).toEqual([]);
  expect(body('if isinstance(xs[i], B) and xs[i].y > 1 { return xs[i].y; } return 0;')).toEqual([]);
  expect(body('assert isinstance(it, B); return it.y;')).toEqual([]);
  expect(body('match b.a { case B(): return b.a.y; case C(): return b.a.z; } return 0;')).toEqual([]);
  expect(body('if hasattr(self.a, "y") { return self.a.y; } return 0;')).toEqual([]);
  expect(body('if isinstance(self.a, B) { print(1); } return self.a.y;')).toEqual(['E0413']);
  expect(body('if isinstance(self.a, B) { self.a = k; return self.a.y; } return 0;')).toEqual(['E0413']);
  expect(body('if isinstance(b.a, B) { b = Box(); return b.a.y; } return 0;')).toEqual(['E0413']);
  expect(body('if isinstance(xs[i], B) { i += 1; return xs[i].y; } return 0;')).toEqual(['E0413']);
  expect(body('if isinstance(self.a, B) { return self.a.z; } return 0;')).toEqual(['E0413']);
  expect(body('if type(k) is B { return k.y; } if self.a.__class__ == B { return self.a.y; } return 0;')).toEqual([]);
  expect(body('if type(k) is not B { return 0; } return k.y;')).toEqual([]);
  expect(body('if type(k) != B { return k.y; } return 0;')).toEqual(['E0413']);
  const walker = (text: string) =>
    codes(`node N { } node M(N) { has y: int = 1; } walker W { can a with N entry { ${text} } }`);
  expect(walker('if isinstance(here, M) { print(here.y); }')).toEqual([]);
  expect(walker('if not isinstance(here, M) { skip; } for i in [1] { print(here.y); }')).toEqual([]);
  expect(walker('match here { case M(): print(here.y); }')).toEqual([]);
  expect(walker('if isinstance(here, M) { print(1); } print(here.y);')).toEqual(['E0413']);
});

test('what None, objects and values of declared types certainly do not have', () => {
  const body = (text: string) =>
    codes(`obj A { has x: int = 1; } obj C { def __call__ -> int { return 1; } def __getitem__(i: int) -> int { return i; } }
      node N { } def f(a: A, c: C, s: str, xs: list[int]) -> any { ${text} }`);
  expect(body('x = None; return x.y;')).toEqual(['E0413']);
  expect(body('return None.y;')).toEqual(['E0413']);
  expect(
    body('x = None; if x { return x.y; } if x is not None { return x.y; } for i in xs { x = a; } return x.x;'),
  ).toEqual([]);
  expect(body('x = None; def set { nonlocal x; x = a; } set(); return x.x;')).toEqual([]);
  expect(body('a(); a[0]; for y in a { print(y); } return 1;')).toEqual(['E0415', 'E0415', 'E0415']);
  expect(body('c(); c[0]; for y in c { print(y); } if callable(a) { a(); } return 1;')).toEqual([]);
  expect(body('n = root ++> N(); n[0]; for m in n { print(m); } return 1;')).toEqual([]);
  expect(codes('def deco(c: any) -> any { return c; } @deco obj A { } def f(a: A) { a(); }')).toEqual([]);
  expect(body('return s.uper() + xs.apend(1);')).toEqual(['E0413', 'E0413']);
  expect(body('return s.read();')).toEqual([]);
  expect(body('return ["a" < 1, [1] >= 2, 1 < 2.5, "a" < "b", {1} <= {2}, s < 1];')).toEqual([
    ...['E0414', 'E0414', 'E0414'],
  ]);
});

test('what every class inherits may be overridden', () => {
  expect(
    codes('obj A { override def __str__ -> str { return "a"; } override def __eq__(o: any) -> bool { return True; } }'),
  ).toEqual([]);
  expect(codes('obj A { override def __call__ { } }')).toEqual(['W0512']);
});

test('a variable without use is told once', () => {
  expect(codes('def f { a = 1; a = 2; b = 1; b += 1; } def g { a = 1; }', 'check')).toEqual(['W0404', 'W0404']);
});

test('what is set by name, or by a function that is given the object', () => {
  expect(codes('obj A { } def f(a: A) -> any { setattr(a, "x", 1); return a.x; }')).toEqual([]);
  expect(codes('obj A { } def f(a: A) -> any { setattr(a, "x", 1); return a.y; }')).toEqual(['E0413']);
  const fill = 'def fill(b: any) { b.v = 1; }';
  expect(codes(`${fill} obj B { has v: int postinit; def postinit { fill(self); } }`)).toEqual([]);
  expect(codes(`${fill} obj B { has v: int postinit; def postinit { fill(3); } }`)).toEqual(['W0523']);
});

test('functions whose end is not reached give no None', () => {
  const ends = (text: string, more = '') =>
    codes(`import sys; import os; import from typing { NoReturn } ${more} def f(x: int) -> int { ${text} }`);
  for (const last of ['assert False, "never";', 'sys.exit(1);', 'exit();', 'os._exit(1);'])
    expect(ends(`if x { return 1; } ${last}`)).toEqual([]);
  expect(ends('if x { return 1; } fail("x");', 'def fail(m: str) -> NoReturn { raise ValueError(m); }')).toEqual([]);
  expect(ends('if x { return 1; } fail("x");', 'def fail(m: str) { print(m); raise ValueError(m); }')).toEqual([]);
  expect(ends('while 1 { if x { return 1; } }')).toEqual([]);
  expect(ends('for i in [1] { return i; } else { return 2; }')).toEqual([]);
  expect(ends('"""later"""; ')).toEqual([]);
  expect(ends('for i in [1] { break; } else { return 2; }')).toEqual(['E0411']);
  expect(ends('if x { return 1; } fail("x");', 'def fail(m: str) { if m { raise ValueError(m); } }')).toEqual([
    'E0411',
  ]);
  expect(ends('if x { return 1; } assert x;')).toEqual(['E0411']);
});

test('what only holds a place is no result', () => {
  expect(codes('obj A { def f -> float { ...; } }')).toEqual([]);
  expect(codes('obj A { def f -> float { print(1); } }')).toEqual(['E0411']);
});

test('a program with nothing wrong', () => {
  const text = `
    """A register."""
    import math; import from datetime { datetime }
    glob total: int = 0, rate: float = 1;
    enum Level { LOW = 1, HIGH }
    obj Point { has x: float = 0, y: float = 0.0, tags: list[str] = []; def norm -> float { return math.sqrt(self.x ** 2 + self.y ** 2); } }
    obj Base { has id: str; def show -> str { return self.id; } def kind -> str abs; }
    obj Item(Base) { has price: float | None = None; override def show -> str { return f"{super.show()} {self.price}"; } override def kind -> str { return "item"; } }
    node Task { has title: str, done: bool = False, level: Level = Level.LOW; can seen with Lister entry { visitor.count += 1; } }
    edge Next { has weight: int = 1; }
    walker Lister {
      has count: int = 0, found: list[Task] = [];
      can start with Root entry { visit [-->][?:Task, done == False] else { report "none"; } }
      can take with Task entry { self.found.append(here); report here.title.upper(); if self.count > 3 { disengage; } visit [->:Next:weight > 0:->]; }
      can end with Root exit { report [t.title for t in self.found]; }
    }
    def bump(k: int, *more: int, step: int = 1) -> int { total += k * step; for m in more { total += m; } return total; }
    def find(items: list[Item], id: str) -> Item | None { for item in items { if item.id == id { return item; } } return None; }
    def first[T](xs: list[T]) -> T { return xs[0]; }
    def parse(text: str) -> int { try { return int(text); } except ValueError as e { print(e); return 0; } }
    def loop -> int { while True { n = bump(1, 2, 3, step=2); if n > 10 { return n; } } }
    def grade(n: int) -> str { match n { case 1: return "a"; case _: return "b"; } }
    with entry {
      p = Point(1, y=2.5); print(p.norm(), p.tags, Level.LOW.name, [l.value for l in Level]);
      a = root ++> Task("a"); b = a +>: Next(weight=2) :+> Task(title="b", done=True);
      w = root spawn Lister(); print(w.reports, w.count, b.done, first([1, 2]));
      item = find([Item("x", 2.0)], "x"); if item { print(item.price, item?.missing, item.show()); }
      counts = {}; for word in "a b a".split() { counts[word] = counts.get(word, 0) + 1; }
      print(sorted(counts.items(), key=lambda kv: kv[1], reverse=True), parse("3"), grade(1), loop(), datetime.now().year);
      x = "a" * 3 + str(4) + "%d" % 3; print(x, 2 ** 2, 10 // 3, [1] * 2, {1} | {2});
    }
    test "it" { assert bump(0) == 0; }`;
  expect(found(text)).toEqual([]);
  expect(codes(text, 'check')).toEqual([]);
});

test('members of enums on built-in types have the members of those', () => {
  const enums = 'enum H: int { OK = 200 } enum S: str { A = "a" } enum P { Q }';
  const uses = 'H.OK.real + H.OK.bit_count(); S.A.isdigit(); S.A.removeprefix("a"); P.Q._name_; P.Q._value_;';
  expect(found(`${enums} with entry { ${uses} }`)).toEqual([]);
  expect(found(`${enums} with entry { P.Q.real; S.A.real; H.OK.upper(); }`)).toEqual([
    'E0413 `P` has no attribute `real`',
    'E0413 `S` has no attribute `real`',
    'E0413 `H` has no attribute `upper`',
  ]);
});

test('unknown members, with the nearest one', () => {
  const declarations = 'obj P { has name: str; def hello { } } enum C { RED }';
  expect(found(`${declarations} def f(p: P) { p.nam; }`)).toEqual([
    'E0413 `P` has no attribute `nam` (did you mean `name`?)',
  ]);
  expect(found(`${declarations} with entry { P("a").hallo(); }`)).toEqual([
    'E0413 `P` has no attribute `hallo` (did you mean `hello`?)',
  ]);
  expect(found(`${declarations} with entry { print(C.REED, C.RED.value, C.RED.nome); }`)).toEqual([
    'E0413 `C` has no attribute `REED` (did you mean `RED`?) (`C` has RED)',
    'E0413 `C` has no attribute `nome` (did you mean `name`?)',
  ]);
  expect(found(`${declarations} def f(p: P | None) { if p { p.zzz; p?.zzz; } }`)).toEqual([
    'E0413 `P` has no attribute `zzz`',
  ]);
  expect(codes(`${declarations} def f(p: P) { p.later = 1; print(p.later); }`)).toEqual([]);
  expect(
    codes('import from x { Y } obj P(Y) { } def f(p: P) { p.anything; }').filter((code) => code === 'E0413'),
  ).toEqual([]);
  expect(found('node N { has a: int; } walker W { can x with N entry { here.b; } }')).toEqual([
    'E0413 `N` has no attribute `b`',
  ]);
  expect(found('with entry { [].appendd(1); }')).toEqual([
    'E0413 `list` has no attribute `appendd` (did you mean `append`?)',
  ]);
});

test('members of modules', () => {
  expect(found({ 'main.svc': 'import lib; with entry { lib.conect(); }', 'lib.svc': 'def connect { }' })).toEqual([
    'E0702 `lib` has no member `conect` (did you mean `connect`?)',
  ]);
  expect(
    found('cl import from "@svc/runtime" { useOutletContext, useRef as ref, __svcSpawn, useNavigat, Zebra as Z }'),
  ).toEqual([
    'E0702 `@svc/runtime` has no member `useNavigat` (did you mean `useNavigate`?)',
    'E0702 `@svc/runtime` has no member `Zebra`',
  ]);
  // Tutorials of the early time call the runtime so.
  expect(found('cl import from svc_client { Router, callWalker }')).toEqual([
    'E0702 `@svc/runtime` has no member `callWalker` (a walker is called by `root spawn W(…)`, or kept up to date by `live(root spawn W(…))`)',
  ]);
});

test('JavaScript members', () => {
  expect(found('with entry { print(" a ".trim(), [1].length); xs: list = []; xs.push(1); }')).toEqual([
    'E0420 `trim` is a JavaScript member; use `strip()` on the server',
    'E0420 `length` is a JavaScript member; use `len(…)` on the server',
    'E0420 `push` is a JavaScript member; use `append(…)` on the server',
  ]);
});

test('arguments', () => {
  const f = 'def f(a: int, b: int = 2) { }';
  expect(found(`${f} with entry { f(); f(1, 2, 3); f(1, c=3); f(1, a=2); f(1, b=2); f(*[1]); }`)).toEqual([
    'E0412 missing argument `a` in call of `f`',
    'E0412 too many arguments in call of `f`',
    'E0412 unknown argument `c` in call of `f`',
    'E0412 too many arguments in call of `f` (`a` is given twice)',
  ]);
  expect(found('obj A { has x: int; def m(y: int) { } } with entry { A(); A(1).m(); len(); }')).toEqual([
    'E0412 missing argument `x` in call of `A`',
    'E0412 missing argument `y` in call of `A.m`',
    'E0412 missing argument `obj` in call of `len`',
  ]);
  expect(
    codes(
      'obj A { has n: int; class def make(n: int) -> A { return cls(n); } class def other(cls, n: int) -> A { return cls(n); } } with entry { A.make(1); A.other(2); }',
    ),
  ).toEqual([]);
  expect(codes('class C { def init(self: any, a: int) { } } with entry { C(1); Exception("a", 1); }')).toEqual([]);
});

test('literals of the wrong type', () => {
  expect(
    found(
      'glob a: int = "x"; obj A { has f: str = 1, g: str = None, h: float = 1; } def g(x: int = "y") -> str { n: list = {}; return 3; }',
    ),
  ).toEqual([
    'E0410 cannot assign str to `a` of type int',
    'E0410 cannot assign int to `f` of type str',
    'E0410 cannot assign str to `x` of type int',
    'E0410 cannot assign dict to `n` of type list',
    'E0411 cannot return int, expected str',
  ]);
  expect(found('obj A { has n: int; } with entry { a = A("x"); a.n = "y"; a.n = 3; }')).toEqual([
    'E0410 cannot assign str to `n` of type int',
    'E0410 cannot assign str to `n` of type int',
  ]);
  expect(
    codes('enum E { A } glob e: E = "a", f: dict | None = {}, g: "X" = 1, h: float = True;').filter(
      (code) => code !== 'E0301',
    ),
  ).toEqual([]);
});

test('results of a known type', () => {
  expect(found('def f(n: int) -> str { return n; } def g(xs: list[int]) -> str { s = xs[0] * 2; return s; }')).toEqual([
    'E0411 cannot return int, expected str',
    'E0411 cannot return int, expected str',
  ]);
  expect(found('def f(s: str) -> int { if s { return s; } return len(s); }')).toEqual([
    'E0411 cannot return str, expected int',
  ]);
  const fine = [
    'def f(n: int) -> float { return n; }',
    'def f(n: int | str) -> str { if isinstance(n, str) { return n; } return "x"; }',
    'def f(n: str | None) -> str | None { return n; }',
    'def f(c: bool) -> int { x = 0; if c { x = 0.5; } return x; }',
    'def f(b: bool) -> int { return b; }',
    'def f(n: any) -> str { return n; }',
    'def f[T](n: T) -> T { return n; }',
    'def f(s: str) -> str { d: dict = {"k": 1}; d["k"] = s; return d["k"]; }',
    'def f(s: str) -> str { d: dict = {"k": 1}; d.update(k=s); return d["k"]; }',
    'glob d: dict = {"k": 1}; def f(s: str) -> str { d["k"] = s; return d["k"]; }',
  ];
  for (const text of fine) expect(codes(text), text).not.toContain('E0411');
});

test('a member of an enum class is found by its value', () => {
  expect(
    codes(
      'import from enum { Enum } class P(Enum) { A = (1, 2); def __init__(self, m: int, r: int) { self.m = m; } } with entry { print(P((1, 2))); }',
    ),
  ).not.toContain('E0412');
});

test('missing results', () => {
  expect(found('def f(c: bool) -> int { if c { return 1; } }')).toEqual([
    'E0411 cannot return None, expected int (a result that may be missing is `-> int | None`)',
  ]);
  const fine = [
    'def f -> int { }',
    'def f -> int | None { print(1); }',
    'def f -> int { raise ValueError(); }',
    'def f -> int { 1 }',
    'def f -> any { print(1); }',
  ];
  for (const text of [
    ...fine,
    'def f -> int { with open("x") as h { return 1; } }',
    'def f -> Iterator[int] { yield 1; }',
    'def f -> None { print(1); }',
  ]) {
    expect([text, codes(text)]).toEqual([text, []]);
  }
});

test('operators and uses that cannot work', () => {
  expect(found('with entry { print("a" + 1); for x in 5 { } y = 3; y(); y[0]; -"a"; [1] + (2,); }')).toEqual([
    'E0414 operator `+` is not defined for str and int (write `str(…)` around the other operand, or use an f-string)',
    'E0415 `int` is not iterable (write `range(…)` to count)',
    'E0415 `int` is not callable',
    'E0415 `int` is not subscriptable',
    'E0414 operator `-` is not defined for str',
    'E0414 operator `+` is not defined for list[int] and tuple[int]',
  ]);
});

test('unreachable code', () => {
  expect(codes('def f { return 1; print(2); print(3); }')).toEqual(['W0403']);
  expect(codes('def f { while True { print(1); } print(2); }')).toEqual(['W0403']);
  // Where there is no loop to leave nothing is said about what comes behind.
  expect(codes('def f { break; print(2); } with entry { continue; print(1); }')).toEqual(['E0121', 'E0121']);
  expect(codes('def f { while True { break; } print(2); }')).toEqual([]);
  expect(codes('def f { with open("x") { raise ValueError(); } print(2); }')).toEqual([]);
  expect(codes('def f(c: bool) { if c { return; } else { raise ValueError(); } print(2); }')).toEqual(['W0403']);
});

test('unused names, under check only', () => {
  const text = 'import json; import from math { sqrt, pi } def f { a = 1; _b = 2; c = 3; return c + pi; }';
  expect(codes(text)).toEqual([]);
  expect(found(text, 'check')).toEqual([
    'W0404 `json` is never used',
    'W0404 `sqrt` is never used',
    'W0404 `a` is never used',
  ]);
});

test('parameters', () => {
  expect(codes('def f(a, b: list = []) { print(a, b); } obj A { def m(self, x) { print(x); } }')).toEqual(['W0402']);
  expect(codes('def f(a, b: list = []) { print(a, b); } obj A { def m(self, x) { print(x); } }', 'check')).toEqual([
    'W0401',
    'W0402',
    'W0401',
  ]);
});

test('identity of objects', () => {
  expect(
    codes(
      'obj A { } obj B { def __eq__(o: any) -> bool { return True; } } def f(a: A, b: A, c: B, d: B) { print(a == b, c == d, a is b); }',
    ),
  ).toEqual(['W0405']);
});

test('access', () => {
  const main = 'import from lib { hidden, shown } import lib; with entry { hidden(); shown(); lib.hidden(); }';
  expect(codes({ 'main.svc': main, 'lib.svc': 'def:priv hidden { } def:pub shown { }' })).toEqual(['W0510', 'W0510']);
  const members =
    'obj A { has:priv a: int = 1; has:protect b: int = 2; def:priv m { print(self.a); } } obj B(A) { def n { print(self.b, self.a); } } def f(x: A) { x.m(); x.b; }';
  expect(found(members).map((line) => line.slice(0, 27))).toEqual([
    'W0511 `a` is private in `A`',
    'W0511 `m` is private in `A`',
    'W0511 `b` is protected in `',
  ]);
  expect(codes('obj A { override def m { } } obj B(A) { override def m { } }')).toEqual(['W0512']);
  expect(codes('obj A { override def __str__ -> str { return ""; } override def postinit { } }')).toEqual([]);
});

test('fields', () => {
  expect(codes('obj A { has a: int postinit, b: int postinit; def postinit { self.a = 1; } }')).toEqual(['W0523']);
  expect(codes('obj A { has a: int; def m { self.a = 1; self.b = 2; } }')).toEqual(['W0525']);
  expect(codes('obj A { has a: int = 1; has b: int; }')).toEqual(['E0522']);
  expect(codes('obj A { has a: int = 1; } obj B(A) { has b: int; }')).toEqual(['E0522']);
  expect(codes('walker A { has a: int = 1; has b: int; } walker B(A) { has c: int; }')).toEqual([]);
  expect(codes('node A { has a: int = 1; has b: int; }')).toEqual(['E0522']);
  expect(codes('obj A { has a: int = 1, :priv b: int; }')).not.toContain('E0522');
  expect(codes('obj A { has a: int = 1; has b: int; def init { } }')).toEqual([]);
  expect(codes('obj A { has a: int = 1 { getter { return 1; } } }')).toContain('E0524');
});

test('bases', () => {
  expect(codes('obj A { } obj B(A) { } obj C(A, B) { }')).toEqual(['E0526']);
  expect(found('walker W { } node N(W) { } obj O(N) { } node M(O2) { } obj O2 { }')).toEqual([
    'E0527 node `N` cannot inherit from walker W',
    'E0527 obj `O` cannot inherit from node N',
  ]);
  const circles =
    'class C(C) { } obj A(B) { } obj B(D) { } obj D(A) { } import from datetime { date } class date(date) { }';
  expect(found(circles).filter((line) => line.startsWith('E'))).toEqual([
    'E0527 class `C` cannot inherit from itself (`C` means the new type everywhere: give it, or what it inherits from, another name)',
    'E0527 obj `A` cannot inherit from `B`, which inherits from it',
    'E0527 class `date` cannot inherit from itself (`date` means the new type everywhere: give it, or what it inherits from, another name)',
  ]);
  expect(found('def f { } import math; obj A(f) { } obj B(5, "B2") { } obj B2 { } node C(math, [B2][0]) { }')).toEqual([
    'E0527 obj `A` cannot inherit from `f`, which is no class',
    'E0527 obj `B` cannot inherit from `5`, which is no class',
    'E0527 node `C` cannot inherit from `math`, which is no class',
  ]);
  expect(codes('glob xs: list = [int]; class A(*xs) { }')).toEqual([]);
  // The name of the base is the new type's: only the second declaration is wrong.
  expect(codes('obj A { } obj A(A) { }')).toEqual(['E0203']);
});

test('triggers', () => {
  expect(
    codes(
      'walker W { can a with root entry { } can b with V entry { } } walker V { } node N { can c with M entry { } can d with W entry { } } node M { }',
    ),
  ).toEqual(['W0530', 'W0531', 'W0531']);
});

test('graph advice', () => {
  const declarations = 'node N { has a: int; } edge E { } walker W { } async walker S { can x with entry { } }';
  expect(codes(`${declarations} with entry { root ++> E(); root spawn W; }`)).toEqual(['W0533', 'W0534']);
  expect(
    codes(
      `${declarations} def f { root spawn S(); x = root spawn S(); print(x); } async def g { await (root spawn S()); } with entry { root spawn S(); }`,
    ),
  ).toEqual(['W0535']);
  expect(codes('obj A { def m { return [-->]; } } walker W { def m { return [-->]; } }')).toEqual(['W0536']);
  expect(codes(`${declarations} with entry { [-->][?:N, b == 1]; [-->][?:N, a == 1]; }`)).toEqual(['W0537']);
});

test('sem targets', () => {
  expect(
    codes(
      'def f(x: int) -> int { return x; } obj A { has n: int; } sem f = "a"; sem f.x = "b"; sem f.return = "c"; sem A.n = "d"; sem A.m = "e"; sem g = "f";',
    ),
  ).toEqual(['W0540', 'W0540']);
});

test('declarations without a body', () => {
  expect(codes('def f; walker A { def m; can a with entry; def abstract abs; } obj B; def g; impl g { }')).toEqual([
    'E0502',
    'E0502',
    'E0502',
    'E0502',
  ]);
});

test('nodes at the ends of an edge that says which', () => {
  const declared =
    'node A { } node B { } node C(A) { } edge E : A --> A | B { } edge F(E) { } edge R : Root --> Node { }';
  const told = (text: string) => found(`${declared} with entry { a = A(); b = B(); c = C(); x: any = 1; ${text} }`);
  expect(
    told(
      'a +>: E() :+> b; c +>: E : x=1 :+> c; b <+: F() :<+ a; a +>: E() :+> [a, b]; x +>: E() :+> x; root +>: R() :+> c;',
    ).filter((line) => line.startsWith('W0533')),
  ).toEqual([]);
  expect(told('b +>: E() :+> a;')).toEqual(['W0533 `E` connects `A` to `A | B`']);
  expect(told('a +>: F() :+> root; a <+: E :<+ b; a +>: R() :+> b;')).toHaveLength(3);
  expect(told('b <+: E() :+> a;')).toEqual([]);
});

test('what is understood and has no effect', () => {
  const told = (text: string) => found(text).map((line) => /^W0514 `(.*)` has no effect here/.exec(line)?.[1] ?? line);
  expect(
    told('static def f { } class def g { } def h { static def i { } i(); } obj A { static def m { } class def n { } }'),
  ).toEqual(['static', 'class', 'static']);
  expect(told('class A { with entry { static def m { } } } impl A.x { }').slice(0, 1)).toEqual([
    expect.stringContaining('E0501'),
  ]);
  expect(
    told(
      'walker W { static can a with Root entry { } class can b with Root entry { } async can c with Root entry { } }',
    ),
  ).toEqual(['static', 'class']);
  expect(told('obj A { can a with W entry { } } class B { can with entry { } } walker W { }')).toEqual([
    'can a',
    'can with',
  ]);
  expect(told('obj A { can a with W entry { } } node N(A) { } walker W { }')).toEqual([]);
  expect(told('obj A { static has p: int { getter { return 1; } } static has q: int = 1; }')).toEqual(['static']);
  expect(told('obj A { with entry:x { print(1); } } with entry:y { print(2); }')).toEqual([':x']);
  expect(told('import from enum { Flag, STRICT } enum A(Flag, boundary=STRICT, other=1) { X }')).toEqual(['other=']);
  expect(told('def f; @print impl f { } obj A { def m; } @print impl A.m { } obj B; @print impl B { }')).toEqual([
    '@',
    '@',
  ]);
  expect(
    told(
      '@print glob a = 1; static obj A { } async node N { } override walker W { } @print import os; obj B { @print has x: int = 1; override has y: int = 1; }',
    ),
  ).toEqual(['@print', 'static', 'async', 'override', '@print', '@print', 'override']);
  const ability = (declared: string, given: string) =>
    codes(`node N { } walker W { can a with ${declared}; } impl W.a with ${given} { }`);
  expect(ability('Root entry', 'N entry')).toEqual(['W0503']);
  expect(ability('Root entry', 'Root exit')).toEqual(['W0503']);
  expect(ability('(Root, N) entry', '(Root,N) entry')).toEqual([]);
  expect(ability('entry', 'N entry')).toEqual([]);
  expect(codes('obj A { } obj B { } obj C(A); impl C(B) { } obj D(A); impl D(A) { } obj E; impl E(A) { }')).toEqual([
    'W0503',
  ]);
  expect(
    found('def f { can with entry { } } test t { can a with Root entry { } }').map((line) => line.slice(0, 38)),
  ).toEqual(['E0121 `can` without a matching type (a', 'E0121 `can` without a matching type (a']);
});

test('declarations that need no body', () => {
  expect(codes('edge E; node N; obj Missing(Exception); def f; def f { }')).toEqual([]);
  expect(
    codes(
      'import from typing { overload } obj A { def m; def m { } @overload def o(x: int); @overload def o(x: str); def o(x: any) { } }',
    ),
  ).toEqual([]);
  expect(codes('import from typing { Protocol } class P(Protocol) { def m(self: P) -> int; }')).toEqual([]);
  expect(codes('import abc; class A(abc.ABC) { @abc.abstractmethod def m(self: A) -> int; }')).toEqual([]);
  // The result of an abstract method is up to the classes below.
  expect(
    codes(
      'import abc; class A(metaclass=abc.ABCMeta) { @abc.abstractmethod def m(self) { ...; } def n(self) { return self.m() * 2; } } with entry { A.register(int); }',
    ),
  ).toEqual([]);
  expect(codes('class C; walker W; enum E;')).toEqual(['E0502', 'E0502', 'E0502']);
  expect(codes('obj A { def m { } def m; }')).toEqual(['E0502']);
});

test('what `del` can never find', () => {
  const body = (text: string) =>
    codes(
      `node N { has xs: list = []; } def made -> int { return 1; } def find -> any { return root; } def f(a: any, n: N) { ${text} }`,
    );
  for (const text of [
    '5',
    '"x"',
    'f"{a}"',
    'None',
    '(1, 2)',
    '{"a": 1}',
    '{1}',
    'not a',
    '2 + 3',
    'lambda { 1 }',
    '-1',
    'b"x"',
  ])
    expect(body(`del ${text};`)).toEqual(text === '(1, 2)' ? ['E0110', 'E0110'] : ['E0110']);
  expect(
    body('del a, n.xs[0], n.xs, a[1:2], (a, n), [root -->][0], [root -->], find(), a if a else n, made(), a.b();'),
  ).toEqual([]);
});

test('members of one name', () => {
  expect(
    found(
      'walker W { can a with Root entry { } can a with Node entry { } can with Root entry { } can with Root entry { } }',
    ),
  ).toEqual(['E0203 `a` is already defined at 1:16']);
  expect(codes('obj A { has x: int = 1, x: int = 2; def m { } def m { } obj B { } enum B { C, C } }')).toEqual([
    'E0203',
    'W0203',
    'E0203',
    'E0203',
  ]);
  expect(codes('obj A { has m: int = 1; def m { } }')).toEqual(['E0203']);
  expect(codes('obj A; impl A { def m { } def m { } }')).toEqual(['W0203']);
  expect(
    codes(
      'class A { x = 1; x = 2; @property def p(self: A) { } @p.setter def p(self: A, v: int) { } def f(self: A); def f(self: A) { } }',
    ),
  ).toEqual([]);
});

test('client symbols in server code', () => {
  expect(codes('cl def view { } def f { view(); }')).toEqual(['E0602']);
  expect(found('cl def view { } def f { view(); }')[0]).not.toContain('`sv`');
  for (const text of ['def view { return <p />; } with entry { view(); }', 'glob p = <p />; with entry { p.tag; }'])
    expect(found(text)[0]).toContain('write `sv` in front');
});

test('what cannot block, and threads', () => {
  expect(codes('obj A { def __str__ -> str { commit(); return ""; } }')).toEqual([]);
  const run = 'import asyncio; async def f -> int { return 1; }';
  expect(codes(`${run} async def g -> int { return asyncio.run(f()); }`)).toEqual(['W0311']);
  expect(codes(`${run} def g -> int { return asyncio.run(f()); } with entry { asyncio.run(f()); }`)).toEqual([]);
  expect(codes('import threading; with entry { threading.Thread(target=print); }')).toEqual(['W0312']);
});

test('values that are not what was promised', () => {
  const A =
    'obj A { has n: int = 1; } obj B(A) { } enum E { X } obj Stack { def __iter__ -> any { return iter([]); } }';
  expect(found(`${A} def f -> int { return None; } def g -> str { return; } def h -> A { return 1; }`)).toEqual([
    'E0411 cannot return None, expected int (a result that may be missing is `-> int | None`)',
    'E0411 cannot return None, expected str (a result that may be missing is `-> str | None`)',
    'E0411 cannot return int, expected A',
  ]);
  expect(found(`${A} def f -> str { return A(); } def g(c: bool) -> int { return 1 if c else "x"; }`)).toEqual([
    'E0411 cannot return A, expected str',
    'E0411 cannot return str, expected int',
  ]);
  expect(found(`${A} def f -> list[int] { return [1, "a"]; } def g -> E { return A(); }`)).toEqual([
    'E0411 cannot return list[int | str], expected list[int]',
  ]);
  const fine = [
    'def f -> int | None { return None; }',
    'def f -> A { return B(); }',
    'def f -> list[A] { return [A(), B()]; }',
    'def f -> list[int] { return Stack(); }',
    'def f -> float { return 1; }',
    'def f -> JsxElement { return None; }',
    'def f -> Iterator[int] { yield 1; return; }',
    'def f(x: any) -> int { x = x or None; return x; }',
    'def f(a: A) -> int { if isinstance(a, int) { return a; } return 0; }',
  ];
  for (const text of fine) expect([text, codes(`${A} ${text}`)]).toEqual([text, []]);
});

test('what is in containers of a declared type', () => {
  expect(
    found(
      'glob a: list[int] = ["a"], b: dict[str, int] = {"a": "b"}, c: set[int] = {1, "a"}, d: tuple[int, str] = (1, 2), e: dict[str, int] = {1: 1};',
    ),
  ).toEqual([
    'E0410 cannot assign list[str] to `a` of type list[int]',
    'E0410 cannot assign dict[str, str] to `b` of type dict[str, int]',
    'E0410 cannot assign set[int | str] to `c` of type set[int]',
    'E0410 cannot assign tuple[int, int] to `d` of type tuple[int, str]',
    'E0410 cannot assign dict[int, int] to `e` of type dict[str, int]',
  ]);
  expect(
    found('glob a: tuple[int, int] = (1, 2, 3), b: list[dict[str, int]] = [{"a": 1}, {"b": "c"}], c: int = str(1);'),
  ).toEqual([
    'E0410 cannot assign tuple[int, int, int] to `a` of type tuple[int, int]',
    'E0410 cannot assign list[dict[str, int | str]] to `b` of type list[dict[str, int]]',
    'E0410 cannot assign str to `c` of type int',
  ]);
  expect(
    found(
      'obj A { has xs: list[int] = [], d: dict[str, int] = {}; } def f(a: A) { a.d["x"] = "y"; a.xs.append("z"); }',
    ),
  ).toEqual(['E0410 cannot assign str to `d[…]` of type int', 'E0410 cannot assign str to `xs.append` of type int']);
  const fine = `glob a: list[float] = [1, 2.5], b: dict[str, any] = {"a": 1, "b": "c"}, c: list[int | str] = [1, "a"], d: tuple[int, ...] = (1, 2, 3),
    e: list[list[int]] = [[], [1]], f: dict[str, list[int] | None] = {"a": None, "b": [1]}, g: list[int] = [*[1], 2], h: list = ["a", 1],
    i: dict[str, int] = {**{}, "a": True}, j: list[str] = [str(x) for x in [1]], k: list[int] | dict[str, int] = {"a": 1}, l: Sequence[str] = "abc";
    obj A { has d: dict[str, float] = {}; } def f(a: A, xs: list[int | None]) { a.d["x"] = 1; xs[0] = None; xs[1:2] = [1]; xs.append(None); }`;
  expect(codes(fine).filter((code) => code !== 'E0301')).toEqual([]);
});

test('operators on fields, parameters, variables and results of a declared type', () => {
  const told = (body: string) =>
    found(`node Item { has x: int = 0; has tags: list[str] = []; has note: str | None = None; }
      node Base { has x: int = 0; } node Sub(Base) { has x: any = 0; }
      obj Count(dict) { } def one -> int { return 1; } async def three -> int { return 3; }
      def get(key: str) -> any { return key; } def items -> int { yield 1; }
      obj Box { has n: int = 0; has price: float { getter { return 1.5; } } def size -> int { return 1; } }
      walker W {
        has x: int = 0, name: str = "", many: dict[str, int] = {}, either: int | str = 0, box: Box = Box(), loose: list = [];
        async can go with Item entry { p: str = "a"; q: int = one(); ${body} }
        can up with Base entry { other = here; }
        def m(base: Base, n: int, text: str = "", *rest: int) { ${body.includes('here') || body.includes('await') ? '' : body} }
      }`)
      .filter((one) => /^E041[45]/.test(one))
      .map((one) => one.replace(/^E041[45] (operator )?| \(.*\)$/g, '').replace(' is not defined for', ''));
  const twice = (...texts: string[]) => [...texts, ...texts];
  expect(told('print(self.x + "a");')).toEqual(twice('`+` int and str'));
  expect(told('print("a" + self.x * 2);')).toEqual(twice('`+` str and int'));
  expect(told('print("a" + (self.x if self.name else 1));')).toEqual(twice('`+` str and int'));
  expect(told('self.name += 1;')).toEqual(twice('`+=` str and int'));
  expect(told('print(self.name < self.x);')).toEqual(twice('`<` str and int'));
  expect(told('print(-self.name);')).toEqual(twice('`-` str'));
  expect(told('for i in self.x { print(i); }')).toEqual(twice('`int` is not iterable'));
  expect(told('print(self.x[0]);')).toEqual(twice('`int` is not subscriptable'));
  expect(told('print(one() + "a");')).toEqual(twice('`+` int and str'));
  expect(told('print(self.box.n + "a", self.box.price + "a", self.box.size() + "a");')).toEqual(
    twice('`+` int and str', '`+` float and str', '`+` int and str'),
  );
  expect(told('print("n: " + self.many);')).toEqual(twice('`+` str and dict[str, int]'));
  expect(told('print(here.x + "a", here.tags + "a", here.note + 1, p + 1, q + "a", await three() + "a");')).toEqual([
    ...['`+` int and str', '`+` list[str] and str', '`+` str | None and int', '`+` str and int', '`+` int and str'],
    '`+` int and str',
  ]);
  expect(told('print(visitor.x + "a");').at(0)).toBe('`+` int and str');
  expect(told('print(n + "a", text + 1);').filter((one) => one.includes('and'))).toEqual([
    '`+` int and str',
    '`+` str and int',
  ]);
  // Operands that may be something else after all get no error.
  for (const fine of [
    'print(base.x + "a");',
    'print(get("a") + 1); print(items() + "a");',
    'print(self.either + "a"); if isinstance(self.either, str) { print(self.either + "a"); }',
    'if isinstance(self.x, str) { print(self.x + "a"); }',
    'for t in self.loose { print(t + 1); } print(self.loose[0] + "a"); print(self.many["a"] + "b");',
    'print(self.many - Count()); print(self.many + self.many); print(self.many & self.many);',
    'v = get("x"); print(v + 1);',
    'print(self.x + 1.5); print(self.name * self.x); print("%s" % self.x); print(self.x in [1]);',
  ])
    expect(told(fine), fine).toEqual([]);
});

test('operators on objects without the method', () => {
  const text = (body: string) =>
    found(`obj A { } obj Q { def __add__(o: any) -> int { return 1; } def __radd__(o: any) -> int { return 1; }
      def __lt__(o: any) -> bool { return True; } def __neg__ -> int { return 1; } def __contains__(x: any) -> bool { return True; } }
      def f(a: A, q: Q, x: any, s: str) -> any { ${body} }`);
  expect(
    text('a + 1; 1 - a; a < a; -a; s += 1; 1 in a; a *= 2; 1 in 5; return 1;').map((one) => one.slice(0, 45)),
  ).toEqual([
    'E0414 operator `+` is not defined for A and i',
    'E0414 operator `-` is not defined for int and',
    'E0414 operator `<` is not defined for A and A',
    'E0414 operator `-` is not defined for A',
    'E0414 operator `+=` is not defined for str an',
    'E0415 `A` is not iterable',
    'E0414 operator `*=` is not defined for A and ',
    'E0415 `int` is not iterable (write `range(…)`',
  ]);
  expect(
    text('q + 1; 1 + q; a + q; q + a; -q; q < a; a > q; 1 in q; a + x; "%s" % a; a == 1; return a and 1;'),
  ).toEqual([]);
  expect(
    text('xs = [1]; xs += "ab"; xs += (1,); d = {"a": 1}; d |= [("b", 2)]; n = 1; n -= 1; n /= 2; return xs;'),
  ).toEqual([]);
});

test('a mixin uses what its subclasses have', () => {
  const mixin = `obj Mixin { def log -> any { for x in self { print(x); } return f"{self.name}" + self.text() + self[0] + (self > self); } }`;
  const rest = `obj Base { has name: str = ""; } obj Thing(Mixin, Base) {
    def text -> str { return ""; } def __getitem__(i: int) -> str { return ""; } def __gt__(o: any) -> str { return ""; } }`;
  expect(codes(`${mixin} ${rest}`)).toEqual([]);
  expect(codes(`${mixin}`)).toEqual(['E0415', 'E0413', 'E0413', 'E0415', 'E0414']);
  expect(codes(`${mixin} ${rest} def f(m: Mixin) { m.name; }`)).toEqual(['E0413']);
  const base = 'obj Base { has v: int postinit; has w: int postinit; }';
  expect(codes(`${base} obj D(Base) { def postinit { self.v = 1; self.w = 2; } }`)).toEqual([]);
  expect(codes(`${base} obj D(Base) { def postinit { self.v = 1; } }`)).toEqual(['W0523']);
});

test('an object of a class that a test names is of its declared class as well', () => {
  const at = (body: string) =>
    codes(
      `obj A { has x: int = 1; } obj M { has y: int = 1; } obj B(A, M) { } obj C(A) { has z: int = 1; } def f(a: A, b: C | M) -> any { ${body} }`,
    );
  expect(at('if isinstance(a, M) { return a.x + a.y; } match a { case M(): return a.x + a.y; } return 0;')).toEqual([]);
  expect(at('if isinstance(a, M) { return a.z; } return 0;')).toEqual(['E0413']);
  expect(at('if isinstance(b, C) { return b.z; } return b.y;')).toEqual([]);
  expect(at('if isinstance(b, C) { return b.y; } return 0;')).toEqual(['E0413']);
});

test('what predicates prove', () => {
  const body = (text: string) =>
    codes(`import from typing { TypeGuard } obj A { has x: int = 1; } obj B(A) { has y: int = 1; }
      def is_b(a: A) -> bool { return isinstance(a, B) and a.y > 0; }
      def guard(a: any) -> TypeGuard[B] { if a { return True; } return False; }
      def f(xs: list[A], a: A) -> any { ${text} }`);
  expect(
    body('for b in filter(lambda x: isinstance(x, B), xs) { print(b.y); } return list(filter(is_b, xs))[0].y;'),
  ).toEqual([]);
  expect(body('return sum(map(lambda b: b.y, filter(lambda x: hasattr(x, "y"), xs)));')).toEqual([]);
  expect(body('if is_b(a) { return a.y; } if not guard(a) { return 0; } return a.y;')).toEqual([]);
  expect(body('for b in filter(lambda x: x.x > 1, xs) { print(b.y); } return 1;')).toEqual(['E0413']);
  expect(body('if is_b(a) { return a.z; } return a.y;')).toEqual(['E0413', 'E0413']);
});

test('what a container holds is no part of its class', () => {
  const head = 'import from typing { List, Optional, Union } glob kinds: dict = {}; ';
  const test = (type: string) =>
    codes(`${head} def f(x: any) -> bool { return ${type}; }`, 'check').filter((code) => code !== 'W0404');
  expect(test('isinstance(x, list[int])')).toEqual(['E0415']);
  expect(test('isinstance(x, (str, dict[str, int]))')).toEqual(['E0415']);
  expect(test('isinstance(x, str | List[int])')).toEqual(['E0415']);
  expect(test('issubclass(x, tuple[int, str])')).toEqual(['E0415']);
  for (const fine of ['list', '(list, dict)', 'Optional[int]', 'Union[int, str]', 'kinds["a"]', 'List'])
    expect(test(`isinstance(x, ${fine})`)).toEqual([]);
});

test('one mistake, one diagnostic', () => {
  const lines = (...texts: readonly string[]) => codes(texts.join('\n'), 'check');
  expect(lines('with entry { x = 1abc;', 'print(x); }')).toEqual(['E0120']);
  expect(lines('with entry { x = gone; y = 1 abc;', 'print(x, y, other); }')).toEqual(['E0301', 'E0120', 'E0301']);
  expect(
    lines(
      'import json;',
      'def f -> int {',
      '  if True { return 1;',
      '}',
      'def g -> int { return f(); }',
      'with entry { print(g()); }',
    ),
  ).toEqual(['E0111']);
  expect(
    lines('with entry { print(f()); A().m(); }', 'obj A { def m { x = ); }', ' def n { } }', '#* open', 'def f { }'),
  ).toEqual(['E0112', 'E0101']);
  expect(lines('def g -> str { return 1 + "a"; }', 'def:publc f() {}')).toEqual(['E0414', 'E0110']);
  expect(lines('walker W { can a with Root entry { print(1 + "a"); } }', 'walker:publc V {}')).toEqual([
    'E0414',
    'E0110',
  ]);
});

test('damaged text is told once', () => {
  const head =
    'import from typing { Any }\nobj A { has x: int = 1; def m(n: int) -> int { return n; } }\ndef g(xs: list[int]) -> dict[str, int] {\n';
  const tail = '\n    return out;\n}\nwith entry { print(A(x=2).m(1), g([1])); }\n';
  const at = (line: string) => codes(`${head}    ${line}${tail}`, 'check').filter((code) => code !== 'W0404');
  expect(at('out: dict[str, int] = {"a": len(xs)};')).toEqual([]);
  expect(at('out: dict[str int] = {"a": len(xs)};')).toEqual(['E0110']);
  expect(at('out dict[str, int] = {"a": len(xs)};')).toEqual(['E0120']);
  expect(at('out: dict[str, int] = {"a": lenxs)};')).toEqual(['E0111']);
  expect(at('out: dict[str, int] = {a": len(xs)};')).toEqual(['E0100']);
  expect(at('out: dict[str, int] = {"a": len(xs);')).toEqual(['E0111']);
  expect(at('out: dict[str, int] = {; out = {"b": gone};')).toEqual(['E0112']);
  const damaged = (text: string) =>
    codes(`${text}\nwith entry { a = A(x=2, y=3); print(a.m(1), a.n(), a[0], a + 1); }`, 'check');
  expect(
    damaged('obj A { has x: int y: int; def m(n: int) -> int { return n } def n( -> int { return 1; } }'),
  ).toHaveLength(2);
  expect(
    codes(
      'class A { def m(self) -> int { return self.x; } def n(self) -> int { return 1; }\n\nglob x: int = 1;\nclass B { }\nwith entry { A().n(1); }',
    ),
  ).toHaveLength(1);
  expect(codes('with entry { print(f(a b, c d)); }\ndef f(x: int) -> int { return x; }')).toEqual(['E0110', 'E0110']);
});

test('damaged markers of inline blocks', () => {
  const block = (open: string, close: string) =>
    codes(
      `with entry { print(helper(), after()); }\n${open}\ndef helper():\n    x = [1]\n    return x\n${close}\ndef after -> int { return 2; }`,
    );
  expect(block('::py::', '::py::')).toEqual(['E0901']);
  for (const close of ['::py', '::py:', ':py::', ': :py::', 'py::'])
    expect([close, block('::py::', close)]).toEqual([close, ['E0103']]);
  for (const open of ['::py:', ':py::', ': :py::', ':py:'])
    expect([open, block(open, '::py::')]).toEqual([open, ['E0110']]);
  expect(codes('::py:: x')).toEqual(['E0103']);
});

test('bases of standard modules that are known', () => {
  const head = `import from abc { ABC } import from typing { Generic, Protocol, TypeVar, NamedTuple } import from enum { Enum } glob T = TypeVar("T");`;
  const at = (text: string) => codes(`${head} ${text}`).filter((code) => code !== 'W0404');
  expect(at('obj A(ABC) { has x: int = 1; } def f(a: A) { a.x; a.y; a + 1; A(1, 2); }')).toEqual([
    'E0413',
    'E0414',
    'E0412',
  ]);
  expect(at('obj B(Generic[T]) { has x: T; } with entry { B(1).x; B(1).y; B(); B[int](1); }')).toEqual([
    'E0413',
    'E0412',
  ]);
  expect(
    at('class C(Enum) { A = 1; def m(self) -> int { return 1; } } def f(c: C) { C.A; C.B; c.name; c.m(); c.n(); }'),
  ).toEqual(['E0413', 'E0413']);
  expect(at('class P(NamedTuple) { x: int; } def f(p: P) { p.x; p._replace(x=1); p.count(1); p.y; }')).toEqual([
    'E0413',
  ]);
  const errors = 'class E(Exception) { def __init__(self, n: int) { self.n = n; } } class F(E) { more = 1; }';
  expect(at(`${errors} def f { try { print(1); } except E as e { e.n; e.args; e.more; e.less; } }`)).toEqual(['E0413']);
  expect(
    at('class D(dict) { } class L(list) { } def f(d: D, l: L) { d.anything; l.append(1); D.fromkeys([]); }'),
  ).toEqual([]);
  expect(
    at(
      'class A { x = 1; } class G { def __getattr__(self, n: str) -> int { return 1; } } def f(g: G) { A.x; A.y; g.z; }',
    ),
  ).toEqual(['E0413']);
});

test('what is behind super', () => {
  const base = 'obj A { has x: int = 0; def init(x: int) { self.x = x; } def m(y: int) -> int { return y; } }';
  const at = (body: string) => found(`${base} obj B(A) { def init(x: int) { ${body} } }`);
  expect(at('super.init(x); super().m(1); super.__init__(x);')).toEqual([]);
  expect(at('super.init(x, 2);')).toEqual(['E0412 too many arguments in call of `A.init`']);
  expect(at('super().n();')).toEqual(['E0413 `A` has no attribute `n`']);
  expect(at('super.m("a");')).toEqual(['E0410 cannot assign str to `y` of type int']);
  const mixin = 'obj Mixin { def save -> int { return super.save() + 1; } } obj Base { def save -> int { return 1; } }';
  expect(codes(`${mixin} obj Doc(Mixin, Base) { }`)).toEqual([]);
  expect(codes('class L(list) { def pop(self) -> any { return super().pop(); } }')).toEqual([]);
});

test('constructors of classes that have no `init`', () => {
  const classes =
    'class S { has a: int; } class V(S) { } obj O { has n: int = 1; } class W(O) { has m: int; } class D(dict) { } class E(Exception) { }';
  const at = (use: string) => found(`${classes} with entry { ${use} }`);
  expect(at('S(); V(); W(2); W(n=3); D(a=1); E("x");')).toEqual([]);
  expect(at('S(a=1); V(1); W(1, 2);')).toEqual([
    'E0412 unknown argument `a` in call of `S` (an `obj` takes its fields, a `class` the parameters of its `init`)',
    'E0412 too many arguments in call of `V` (an `obj` takes its fields, a `class` the parameters of its `init`)',
    'E0412 too many arguments in call of `W` (an `obj` takes its fields, a `class` the parameters of its `init`)',
  ]);
});

test('constructors of data classes', () => {
  const at = (use: string) =>
    found(`import from dataclasses { dataclass, field } import from typing { ClassVar }
      @dataclass class P { x: int; y: int = 0; n: ClassVar[int] = 3; }
      @dataclass(frozen=True) class Q(P) { z: str = field(default="a"); w: list[int] = field(default_factory=list); h: int = field(init=False, default=3); }
      @dataclass(kw_only=True) class R { x: int; } @dataclass(init=False) class S { x: int; }
      @dataclass class U { x: int; def __init__(self) { self.x = 1; } } with entry { ${use} }`);
  expect(at('P(1); P(1, y=2); Q(1, 2, "z", [1]); Q(x=1, w=[]); R(x=1); S(); U(); P(*[1]);')).toEqual([]);
  expect(at('P(); P(1, 2, 3); Q(1, h=2); P("a"); Q(1, w=["a"]); U(1);')).toEqual([
    'E0412 missing argument `x` in call of `P`',
    'E0412 too many arguments in call of `P`',
    'E0412 unknown argument `h` in call of `Q`',
    'E0410 cannot assign str to `x` of type int',
    'E0410 cannot assign list[str] to `w` of type list[int]',
    'E0412 too many arguments in call of `U`',
  ]);
});

test('what is taken apart has items', () => {
  const at = (text: string) =>
    codes(
      `obj A { } obj B { def __iter__ -> any { return iter([]); } } def f(a: A, b: B, *xs: int) -> any { ${text} }`,
    );
  expect(
    at(
      'sum(5); list(a); sorted(5); zip([1], 5); map(str, 5); max(5); (x, y) = 5; f(a, b, *5); print([*5]); return x + y;',
    ),
  ).toEqual(Array(9).fill('E0415'));
  expect(
    at(
      'sum(b); list(b); zip([1], "a"); max(5, 6); (x, y) = b; f(a, b, *b); (z, *rest) = [1]; print([*b], rest); return x + y + z;',
    ),
  ).toEqual([]);
});

test('results of tails, calls of objects, sums of text and numbers', () => {
  expect(codes('def f(n: int) -> int { 1.5 } def g -> int { "later" } def h(n: int) -> str { n }')).toEqual([
    'E0411',
    'E0411',
  ]);
  expect(codes('obj A { def m -> int; } impl A.m -> int { 2.5 }')).toEqual(['E0411']);
  expect(codes('def f(xs: list[int]) -> None { xs.pop() }')).toEqual([]);
  expect(codes('obj A { def __call__(x: int) -> int { return x; } } def f(a: A) { a(1); a(); a(1, 2); }')).toEqual([
    'E0412',
    'E0412',
  ]);
  expect(codes('def f -> int { s = "a"; return len(s) + s; }')).toEqual(['E0414']);
});

test('a member that an enumeration does not have: all that it has are told', () => {
  const told = (use: string) =>
    found(`import from http { HTTPMethod } import from enum { Enum } enum Color { RED, GREEN, BLUE }
      enum Many { ${Array.from({ length: 15 }, (_, i) => `A${i}`).join(', ')} } class Size(Enum) { BIG = 1; SMALL = 2; } enum Empty { }
      with entry { print(${use}); }`).filter((one) => one.startsWith('E0413'));
  expect(told('Color.GREN')).toEqual([
    'E0413 `Color` has no attribute `GREN` (did you mean `GREEN`?) (`Color` has RED, GREEN and BLUE)',
  ]);
  expect(told('Color.PURPLE')).toEqual(['E0413 `Color` has no attribute `PURPLE` (`Color` has RED, GREEN and BLUE)']);
  expect(told('Many.B')[0]).toMatch(/\(`Many` has A0, A1, .*A11 and 3 more\)$/);
  expect(told('Size.BGI')[0]).toMatch(/\(did you mean `BIG`\?\) \(`Size` has BIG and SMALL\)$/);
  expect(told('Empty.A')).toEqual(['E0413 `Empty` has no attribute `A`']);
  expect(told('HTTPMethod.PSOT')[0]).toMatch(/\(did you mean `POST`\?\) \(`HTTPMethod` has GET, POST,/);
  expect(told('AccessLevel.REED')[0]).toMatch(/did you mean `READ`.*`AccessLevel` has NO_ACCESS, READ, CONNECT and WR/);
  expect(told('Color["BLEU"]')[0]).toMatch(/`BLEU` \(did you mean `BLUE`\?\) \(`Color` has RED, /);
  expect(told('AccessLevel["REED"]')[0]).toMatch(/`REED` \(did you mean `READ`/);
  expect(told('APIProtocol.HTTPS, ScheduleTrigger.CORN')).toHaveLength(2);
  expect(
    told('AccessLevel.READ, AccessLevel["READ"], AccessLevel.__members__, APIProtocol._member_map_, Color["RED"].name'),
  ).toEqual([]);
});
