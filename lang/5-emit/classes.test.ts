import { expect, test } from 'vitest';
import { lines, run } from './testing.ts';

test('inheritance, super, static and class members', async () => {
  const printed = await lines(`
    obj Base { has x: int = 1; static has made: int = 0; def hello -> str { return "base" + str(self.x); } static def make(n: int) -> Base { return Base(n); } class def klass -> str { return cls.__name__; } def postinit { Base.made += 1; } }
    obj Sub(Base) { has y: int = 5; override def hello -> str { return super.hello() + "sub"; } def old -> str { return super().hello(); } }
    obj Deep(Sub) { has x: int = 7; def init(z: int) { super.init(y=z); self.extra = z; } def postinit { super.postinit(); } }
    with entry {
      s = Sub(x=3); d = Deep(9);
      print(s.hello(), s, s.old(), Base.make(4), Sub.klass(), s.klass(), s.make(1));
      print(d, d.extra, d.hello(), Base.made, isinstance(d, Base), issubclass(Deep, Sub)); }`);
  expect(printed).toEqual([
    'base3sub Sub(x=3, y=5) base3 Base(x=4) Sub Sub Base(x=1)',
    'Deep(x=7, y=9) 9 base7sub 4 True True',
  ]);
});

test('of abilities and fields of one name the last holds', async () => {
  const printed = await lines(`
    node N { }
    walker W { has seen: list = []; can a with Root entry { self.seen.append("root"); } can b with N entry { self.seen.append("b"); } can a with N entry { self.seen.append("a"); } }
    obj A { has x: int = 1, y: int = 2; has x: int = 3; }
    with entry { n = root ++> N(); print((n spawn W()).seen, (root spawn W()).seen, A()); }`);
  expect(printed).toEqual(["['a', 'b'] [] A(x=3, y=2)"]);
});

test('a property without a getter cannot be read', async () => {
  const printed = await lines(`
    obj A { has x: int = 1; has twice: int { setter { self.x = value * 2; } } }
    with entry { a = A(); a.twice = 4; print(a.x, hasattr(a, "twice")); try { a.twice; } except AttributeError as e { print(e); } }`);
  expect(printed).toEqual(['8 False', "property 'twice' of 'A' object has no getter"]);
});

test('several bases follow C3', async () => {
  const printed = await lines(`
    obj A { def who -> str { return "A"; } } obj B(A) { def who -> str { return "B" + super.who(); } }
    obj C(A) { def who -> str { return "C" + super.who(); } } obj D(B, C) { def who -> str { return "D" + super.who(); } }
    with entry { print(D().who(), B().who(), isinstance(D(), C)); }`);
  expect(printed).toEqual(['DBCA BA True']);
});

test('init with defaults, varargs and keywords', async () => {
  const printed = await lines(`
    obj I { has v: int = 0; has w: list = []; def init(v: int, *rest: int, k: int = 1, **kw: any) { self.v = v + k; self.w = rest; print(kw); } }
    class P { has shared: list = []; def __init__(self: P, n: int) { self.n = n; } def get(me: P) -> int { return me.n; } def add(self: P, k: int = 1) -> P { self.n += k; return self; } }
    with entry { print(I(1, 2, 3, k=4, z=5)); p = P(3); print(p.get(), p.add().add(5).get(), P.shared); p.shared.append(1); print(P(1).shared); }`);
  expect(printed).toEqual(["{'z': 5}", 'I(v=5, w=(2, 3))', '3 9 []', '[1]']);
});

test('properties', async () => {
  const printed = await lines(`
    obj A { has w: float = 2.0, h: float = 3.0; has area: float { getter { return self.w * self.h; } setter(value: float) { self.w = value / self.h; } deleter { print("deleted"); } } has ro: int { getter { return 1; } } }
    obj B { has v: int = 1; @property def d -> int { return self.v * 2; } @d.setter def d(x: int) { self.v = x; } }
    with entry { a = A(); print(a.area); a.area = 12.0; print(a.w, a); del a.area;
      try { a.ro = 5; } except AttributeError as e { print("AE"); } b = B(); b.d = 7; print(b.d, b.v); }`);
  expect(printed).toEqual(['6.0', '4.0 A(w=4.0, h=3.0)', 'deleted', 'AE', '14 7']);
});

test('a property without deleter says so', async () => {
  const printed = await lines(`
    obj A { has ro: int { getter { return 1; } } def again { try { del self.ro; } except AttributeError as e { print(e); } } }
    obj B(A) { }
    with entry { a = A(); try { del a.ro; } except AttributeError as e { print(e); } B().again(); }`);
  expect(printed).toEqual(["property 'ro' of 'A' object has no deleter", "property 'ro' of 'B' object has no deleter"]);
});

test('members of enums are not assigned anew', async () => {
  const printed = await lines(`
    import from enum { Enum }
    enum E { A = 1, B with entry { K = 5; } }
    class G(Enum) { X = 1; }
    with entry {
      for f in [lambda : setattr(E, "A", 2), lambda : setattr(G, "X", 2), lambda : delattr(E, "B")] { try { f(); } except AttributeError as e { print(e); } }
      try { E.A = 5; } except AttributeError as e { print(e); }
      E.K = 6; print(E.K, E.A, G.X); }`);
  expect(printed).toEqual([
    "cannot reassign member 'A'",
    "cannot reassign member 'X'",
    "'E' cannot delete member 'B'.",
    "cannot reassign member 'A'",
    '6 E.A G.X',
  ]);
});

test('special methods', async () => {
  const printed = await lines(`
    obj V { has x: int, y: int = 0;
      def __add__(o: V) -> V { return V(self.x + o.x, self.y + o.y); } def __radd__(o: int) -> V { return V(self.x + o, self.y); }
      def __iadd__(o: int) -> V { self.x += o; return self; } def __eq__(o: any) -> bool { return self.x == o.x and self.y == o.y; }
      def __lt__(o: V) -> bool { return self.x < o.x; } def __str__ -> str { return f"<{self.x},{self.y}>"; }
      def __getitem__(i: any) -> any { return self.x if i == 0 else self.y; } def __setitem__(i: int, v: int) { self.x = v; } def __delitem__(i: int) { self.x = -1; }
      def __len__ -> int { return 2; } def __iter__ { yield self.x; yield self.y; } def __call__(k: int, m: int = 1) -> int { return k * self.x * m; }
      def __contains__(v: int) -> bool { return v == self.x; } def __bool__ -> bool { return self.x != 0; } def __neg__ -> V { return V(-self.x); }
      def __getattr__(n: str) -> str { return "?" + n; } def __enter__ -> V { print("in"); return self; } def __exit__(a: any, b: any, c: any) -> bool { print("out", b); return True; } def __hash__ -> int { return self.x; } }
    with entry {
      v = V(1, 2) + V(3, 4); print(v, v == V(4, 6), v != V(0, 0), v[1], len(v), list(v), v(3), v(3, m=2), 4 in v, v < V(9), not V(0), -v, 5 + v);
      v += 10; v[0] = 7; print(v, v.nope, sorted([V(3), V(1)])[0], {v: 1}[v]); del v[0]; print(v.x);
      with V(5) as w { print(w); raise ValueError("b"); } print("done"); (p, q) = V(8, 9); print(p, q); }`);
  expect(printed).toEqual([
    '<4,6> True True 6 2 [4, 6] 12 24 True True True <-4,0> <9,6>',
    '<7,6> ?nope <1,0> 1',
    '-1',
    'in',
    '<5,0>',
    'out b',
    'done',
    '8 9',
  ]);
});

test('enums', async () => {
  const printed = await lines(`
    enum E { X = 1, Y, Z = "z", W def label -> str { return self.name.lower(); } static def first -> E { return E.X; } }
    enum H: int { OK = 200, NO = OK + 204 } enum S(str, Enum) { A = "a", B = "b" } enum P { LOW = auto(), HIGH = auto() }
    import from enum { Enum, auto }
    with entry {
      print(E.Y.value, E.X, [E.X], E["Z"], E(2), [e.name for e in E], len(E), E.X == 1, E.X is E(1), E.W.value);
      print(H.OK == 200, H.OK + 1, H.OK, H.NO.value, S.A + "x", S.A == "a", f"{S.B}", P.HIGH.value, E.Y.label(), E.first());
      match E.Y { case E.X: print("x"); case E.Y: print("y"); } d = {E.X: 1}; print(d[E.X]);
      try { E(99); } except ValueError as e { print(e); } }`);
  expect(printed).toEqual([
    "2 E.X [<E.X: 1>] E.Z E.Y ['X', 'Y', 'Z', 'W'] 4 False True 3",
    'True 201 200 404 ax True S.B 2 y E.X',
    'y',
    '1',
    '99 is not a valid E',
  ]);
});

test('exceptions of the program', async () => {
  const printed = await lines(`
    obj MyErr(Exception) { has code: int = 3; }
    obj Other(MyErr) { def init(msg: str, n: int) { super.init(msg); self.n = n; } def __str__ -> str { return f"other {self.n}"; } }
    class Plain(ValueError) {}
    with entry {
      try { raise MyErr("boom"); } except MyErr as e { print(e, e.code, e.args, repr(e)); }
      try { raise Other("m", 5); } except MyErr as e { print(e, e.n, e.args); }
      try { raise Plain; } except ValueError as e { print(type(e).__name__, repr(e)); } }`);
  expect(printed).toEqual(["boom 3 ('boom',) MyErr('boom')", "other 5 5 ('m',)", 'Plain Plain()']);
});

test('nested types, class bodies, generics', async () => {
  const printed = await lines(`
    obj Box[T] { has item: T; obj Lid { has open: bool = False; } enum Size { S, M } LIMIT = 3; with entry { TWICE = LIMIT * 2; } def get -> T { return self.item; } def lid -> any { return Box.Lid(); } def lim -> int { return self.LIMIT; } }
    def make -> any { obj Local { has v: int = 2; def up -> int { return self.v + k; } } k = 10; return Local().up(); }
    with entry { b = Box[int](5); print(b.get(), b.lid(), Box.Size.M.value, Box.LIMIT, Box.TWICE, b.lim(), make()); }`);
  expect(printed).toEqual(['5 Lid(open=False) 2 3 6 3 12']);
});

test('undeclared attributes, del, getattr, hasattr', async () => {
  const printed = await lines(`
    obj O { has a: int = 1; def put { self.b = 2; } def m -> int { return 5; } }
    with entry { o = O(); o.put(); o.c = 3; print(o.b, o.c, hasattr(o, "c"), getattr(o, "zz", 9)); del o.c; print(hasattr(o, "c")); f = o.m; print(f(), vars(o));
      setattr(o, "d", 4); print(o.d, o.__dict__, o.__class__.__name__, type(o) is O); try { print(o.zz); } except AttributeError as e { print(e); } x: O = None; try { x.a; } except AttributeError as e { print(e); } try { x.a = 1; } except AttributeError as e { print(e); } try { x.m(); } except AttributeError as e { print(e); } }`);
  expect(printed).toEqual([
    '2 3 True 9',
    'False',
    "5 {'a': 1, 'b': 2}",
    "4 {'a': 1, 'b': 2, 'd': 4} O True",
    "'O' object has no attribute 'zz'",
    "'NoneType' object has no attribute 'a'",
    "'NoneType' object has no attribute 'a'",
    "'NoneType' object has no attribute 'm'",
  ]);
});

test('specs tell kinds, fields, access, abilities', async () => {
  const { code } = await run(`
    glob first = 1;
    """A task."""
    node:pub Task { has title: str, done: bool = False; has :priv note: str | None = None; has tags: list[Tag] = [], when: datetime = None; static has n: int = 0; }
    obj Tag { has name: str; }
    import from datetime { datetime }
    edge E { has w: float = 1.0; }
    async walker W { has t: Task; can go with Task | Tag entry { } can with Root exit { } obj __specs__ { static has auth: bool = False; } }`);
  expect(code).toContain('kind: "node", name: "Task", module: "main", main: true, doc: "A task.", access: "pub"');
  expect(code).toContain('{ name: "done", type: { t: "bool" }, literal: false, default: () => false }');
  expect(code).toContain(
    '{ name: "note", type: { t: "union", of: [{ t: "str" }, { t: "none" }] }, literal: null, default: () => null, access: "priv" }',
  );
  expect(code).toContain(
    '{ name: "tags", type: { t: "list", of: { t: "ref", name: "Tag", get: () => Tag } }, default: () => [] }',
  );
  expect(code).toContain('{ name: "when", type: { t: "datetime" }');
  expect(code).toContain('{ name: "n", type: { t: "int" }, literal: 0, default: () => 0, static: true }');
  expect(code).toContain('async: true');
  expect(code).toContain('trigger: () => [Task, Tag]');
  expect(code).toContain('W.__specs__ = class __specs__');
});
