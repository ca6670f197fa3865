import { expect, test } from 'vitest';
import { compileFiles, lines } from './testing.ts';

test('integers are exact', async () => {
  const printed = await lines(`
    def fact(n: int) -> int { return 1 if n < 2 else n * fact(n - 1); }
    def unknown(a: any, b: any) -> any { return (a + b, a - b, a * b); }
    def big -> int { x = 1; for i in range(70) { x = x * 2; } return x; }
    def down -> int { x = -9007199254740991; x -= 5; return x; }
    def sums(xs: list[int]) -> int { s = 0; for x in xs { s += x; } return s; }
    with entry { print(fact(25), 2 ** 100, 10 ** 20 // 3, (10 ** 20 * 7) % 1000003, -(10 ** 17)); print(unknown(9007199254740991, 9007199254740991), unknown(2 ** 60, 0.5)); print(big(), down(), sums([9007199254740991, 1, 1]), 2 ** 53 - 2 ** 53 + 1, 1 << 70, (1 << 70) >> 68, 9007199254740993 == 9007199254740993, 2 ** 64 > 1.5, -7 // 2, 7 // -2, -7 % 3, 7 % -3, 0x1f & 0b1010, 5 | 8, 6 ^ 3, ~5); }`);
  expect(printed).toEqual([
    '15511210043330985984000000 1267650600228229401496703205376 33333333333333333333 981103 -100000000000000000',
    '(18014398509481982, 0, 81129638414606663681390495662081) (1.152921504606847e+18, 1.152921504606847e+18, 5.764607523034235e+17)',
    '1180591620717411303424 -9007199254740996 9007199254740993 1 1180591620717411303424 4 True True -4 -4 2 -2 10 13 5 -6',
  ]);
});

test('floats print as floats where that is known', async () => {
  const printed = await lines(`
    obj P { has w: float = 1.0, n: int = 1; } glob g: float = 3.0;
    def half(x: int) -> float { return x / 2; }
    def show(x: float) -> str { return f"{x}"; }
    with entry { print(2.0, 4 / 2, half(4), P().w, P(), g, [1.0, 2.0], {"a": 1.0}, (1.0, 2)); print(show(2.0), str(half(2)), f"{half(2)} {half(6)!r} {4 / 2:.2f}", "%s" % 1.5, 1e16, 1e-5, 2 * 1.0, 1.0 + 1, abs(-2.0), float(3), isinstance(4 / 2, float), isinstance(2, float), type(1.0).__name__); x = 0.0; for i in range(4) { x += 0.5; } print(x, x == 2, round(2.567, 2), 7 // 2.0, 1.5 // 0.5, -1.5 % 1, float("inf"), float("nan")); }`);
  expect(printed).toEqual([
    "2.0 2.0 2.0 1.0 P(w=1.0, n=1) 3.0 [1.0, 2.0] {'a': 1.0} (1.0, 2)",
    '2.0 1.0 1.0 3.0 2.00 1.5 1e+16 1e-05 2.0 2.0 2.0 3.0 True False float',
    '2.0 True 2.57 3.0 3.0 0.5 inf nan',
  ]);
});

test('comparison, chaining, identity, membership, truth', async () => {
  const printed = await lines(`
    def note(x: any) -> any { print("n", x); return x; }
    def truthy(x: any) -> bool { if x { return True; } return False; }
    with entry { print(note(1) < note(2) < note(0) < note(9)); print(1 == 1.0 == True, "a" < "b", [1, 2] < [1, 3], (1,) == (1,), {1: 2} == {1: 2}, {1, 2} > {1}, None is None, 1 is not 2, "a" in "abc", 3 not in [1, 2], "k" in {"k": 1}, 2 in range(5), 1 != "1");
      print([truthy(x) for x in [0, 0.0, "", [], {}, (), None, False, range(0), b""]], [truthy(x) for x in [1, "0", [0], {0: 0}, -1]]); print(not [], not not "x", 0 or "d", 1 and "e", [] or {} or 5, None and 1);
      try { 1 < "a"; } except TypeError as e { print(e); } x = "yes"; print(x in ("yes", "y"), x in ["no"], 5 in ("5", "6")); }`);
  expect(printed).toEqual([
    'n 1',
    'n 2',
    'n 0',
    'False',
    'True True True True True True True True True True True True True',
    '[False, False, False, False, False, False, False, False, False, False] [True, True, True, True, True]',
    'True True d e 5 None',
    "'<' not supported between instances of 'int' and 'str'",
    'True False False',
  ]);
});

test('strings, slices, subscripts', async () => {
  const printed = await lines(`
    with entry { s = "héllo😀"; print(len(s), s[5], s[-1], s[::-1], s[1:3], s.upper(), "a,b".split(","), "-".join(["x", "y"]), "x" * 3, "ab"[1]); xs = [0, 1, 2, 3, 4]; print(xs[1:3], xs[::2], xs[-2:], xs[:], xs[4:1:-1], (1, 2, 3)[1:], xs[-1]); d = {"a": {"b": [1, 2]}, (1, 2): "t"}; print(d["a"]["b"][1], d[1, 2], b"ab"[0], b"abc"[1:]); print("tab\\t|", r"raw\\n", "a" "b" f"{1}", """tri
ple"""); print("{} {x}".format(1, x=2), "%d%%" % 5, "abc".find("c"), "Hello".startswith(("He", "x"))); }`);
  expect(printed).toEqual([
    "6 😀 😀 😀olléh él HÉLLO😀 ['a', 'b'] x-y xxx b",
    '[1, 2] [0, 2, 4] [3, 4] [0, 1, 2, 3, 4] [4, 3, 2] (2, 3) 4',
    "2 t 97 b'bc'",
    'tab\t| raw\\n ab1 tri',
    'ple',
    '1 2 5% 2 True',
  ]);
});

test('displays and comprehensions', async () => {
  const printed = await lines(`
    def side(x: int) -> int { print("s", x); return x; }
    with entry { a = [1, 2]; print([*a, 3, *range(2)], (*a, 9), {*a, 5}, {"x": 1, **{"y": 2}, "z": 3}, {**{"p": 1}}); print([x * y for x in a for y in [10, 20] if x * y > 10], {x % 2 for x in range(5)}, {k: v for (k, v) in [("a", 1), ("b", 2)]}, list(x for x in a), [[y for y in range(x)] for x in a]); x = 99; print([x for x in a], x, [x := 5, x], sum(v * 2 for v in a), max(v for v in a), any(v > 1 for v in a), all(v > 1 for v in a), sorted((v for v in [3, 1]), reverse=True), dict((k, 1) for k in "ab"), set(c for c in "aa"), ",".join(str(v) for v in a)); print([side(i) for i in range(2)], {side(1): side(2)}, (lambda : [k for k in a])(), [lambda : i for i in range(2)][0]()); }`);
  expect(printed).toEqual([
    "[1, 2, 3, 0, 1] (1, 2, 9) {1, 2, 5} {'x': 1, 'y': 2, 'z': 3} {'p': 1}",
    "[20, 20, 40] {0, 1} {'a': 1, 'b': 2} [1, 2] [[0], [0, 1]]",
    "[1, 2] 99 [5, 5] 6 2 True False [3, 1] {'a': 1, 'b': 1} {'a'} 1,2",
    's 0',
    's 1',
    's 1',
    's 2',
    '[0, 1] {1: 2} [1, 2] 1',
  ]);
});

test('null-safe chains', async () => {
  const printed = await lines(`
    obj A { has b: A | None = None, v: list = [1]; def get(x: int) -> int { print("called"); return x; } }
    def arg -> int { print("arg"); return 1; }
    with entry { n: A | None = None; a = A(A()); print(n?.b?.v[0].x, a?.b.v[0], a.b?.b?.v, a?.nope, a?.get(arg()), n?.get(arg()), a?.v?[5], a?.v?[0], {"k": {"j": 1}}?["k"]?["j"], {"k": 1}?["z"]?["q"], n?[1], (n?.b or 7), a?.b?.get(2) + 1); }`);
  expect(printed).toEqual(['arg', 'called', 'called', 'None 1 None None 1 None None 1 1 None None 7 3']);
});

test('pipes, casts, borrow, conditional, walrus, by order', async () => {
  const printed = await lines(`
    node N { has v: int = 1; }
    def add(a: int, b: int = 10) -> int { return a + b; }
    def t(x: any) -> any { print("t", x); return x; }
    with entry { 2 |> print; print(((2, 3) |> add), (5 |> add), (add <| 7), ((1, 2) |> pow), (3 as int) + 1, [1, 2] |> len, :> list); n = N(); root ++> n; print((&(oid(n))) is n, &n is n, (z := 4) + z, "a" if z > 3 else "b"); print(t(1) + t(2) * t(3), {t("k"): t("v")}, t([1])[t(0)], add(b=t(5), a=t(6)), t(1) in [t(2)]); xs = [1, 2, 3]; print([N(1), N(2)](=v=9)[0].v, [N(1), N(2)](?v > 1)[0].v, [N(3)][?:N, v == 3][0].v, root?.zz); }`);
  expect(printed).toEqual([
    '2',
    '5 15 17 1 4 2 []',
    'True True 8 a',
    't 1',
    't 2',
    't 3',
    't k',
    't v',
    't [1]',
    't 0',
    't 5',
    't 6',
    't 1',
    't 2',
    "7 {'k': 'v'} 1 11 False",
    '9 2 3 None',
  ]);
});

test('wrong annotations never break the code', async () => {
  const printed = await lines(`
    obj T { has name: str = "t"; def up(k: int = 1) -> str { return self.name * k; } }
    obj Duck { has name: int = 5; def up(k: int = 1) -> int { return self.name + k; } }
    def a(x: int) -> int { return x + 1; } def s(x: str) -> str { return x + x; } def l(x: list) -> any { x.append(1); return x[0]; }
    def d(x: dict) -> any { return x.get("k", 0); } def o(x: T) -> any { return x.name; } def m(x: T) -> any { return x.up(2); } def f(x: float) -> str { return str(x); } def w(x: T) { x.name = "w"; }
    obj Bag { has items: list = []; def append(v: any) { self.items.append(v); } def __getitem__(i: int) -> any { return self.items[i]; } def get(k: str, d: int) -> str { return k + str(d); } }
    with entry { print(a(1.5), a(True), s(2), s([1]), s(2 ** 60), l(Bag()), d(Bag()), o(Duck()), m(Duck()), f("text"), f(2), f(None), a(2 ** 70)); k = Duck(); w(k); print(k);
      for bad in [lambda { a("x"); }, lambda { l("abc"); }, lambda { d([1]); }, lambda { o({}); }, lambda { m([]); }] { try { bad(); } except Exception as e { print(type(e).__name__, e); } } }`);
  expect(printed).toEqual([
    '2.5 2 4 [1, 1] 2305843009213693952 1 k0 5 7 text 2 None 1180591620717411303425',
    "Duck(name='w')",
    'TypeError can only concatenate str (not "int") to str',
    "AttributeError 'str' object has no attribute 'append'",
    "AttributeError 'list' object has no attribute 'get'",
    "AttributeError 'dict' object has no attribute 'name'",
    "AttributeError 'list' object has no attribute 'up'",
  ]);
});

test('hot code has the expected shape', () => {
  const code = (text: string) => compileFiles(text).modules[0]!.output.code;
  expect(code('def f -> int { t = 0; for i in range(1000) { t += i * 2; } return t; }')).toContain('t += (i * 2);');
  expect(code('def f(xs: list[int]) -> list[int] { return [x * 2 for x in xs if x % 3 == 0]; }')).toContain(
    'for (let $i',
  );
  expect(code('def f -> list { a = []; a.append(1); return a; }')).toContain('a.push(1);');
  expect(code('def fib(n: int) -> int { return n if n < 2 else fib(n - 1) + fib(n - 2); }')).not.toContain('$.call(');
  expect(code('obj P { has x: int; def m -> int { return self.x; } }')).toContain('return this.x;');
  expect(code('node T { has d: bool; } def f -> list { return [root --> [?:T, d == False]]; }')).toContain(
    'where: [{ field: "d", op: "==", value: false }]',
  );
});
