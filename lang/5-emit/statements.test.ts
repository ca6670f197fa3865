import { expect, test } from 'vitest';
import { compileFiles, lines, run } from './testing.ts';

test('loops with break, continue and else', async () => {
  const printed = await lines(`
    def f(xs: list) -> str { for x in xs { if x == 3 { break; } } else { return "no 3"; } return "3"; }
    def g -> str { out = ""; for i in range(3) { for j in range(3) { if j == 1 { continue; } if i == 2 { break; } out += str(i) + str(j) + " "; } } return out; }
    def h -> list { out = []; i = 0; while True { i += 1; if i == 2 { continue; } if i > 4 { break; } out.append(i); } else { out.append(99); } while i > 0 { i -= 1; } else { out.append(i); } return out; }
    def count -> list { out = []; for i = 0 to i < 6 by i += 2 { if i == 2 { continue; } out.append(i); } for k = 3 while k > 0 with k -= 1 { out.append(k); } else { out.append("e"); } return out; }
    def fields -> list { d = {"i": 0}; out = []; for d["i"] = 0 to d["i"] < 4 by d["i"] += 1 { if d["i"] == 1 { continue; } if d["i"] == 3 { break; } out.append(d["i"]); } return out; }
    def steps -> list { return [list(range(5, 0, -2)), [i for i in range(10, 0, -3)], [i for i in range(2, 9, 3)], [i for i in range(3, 1)]]; }
    def last(n: int) -> int { for i in range(n) { i += 10; } return i; }
    def down(n: int, m: int) -> list { out = []; for i in range(n, m, -1) { out.append(i); } return out; }
    with entry { print(f([1]), f([1, 3])); print(g()); print(h()); print(count(), fields()); print(steps(), last(3), down(3, 0));
      forever { break; } n = 3; forever { n -= 1; if n == 0 { break; } } print(n);
      try { for i in range(2.5) { } } except TypeError as e { print(e); } try { for x in None { } } except TypeError as e { print(e); } }`);
  expect(printed).toEqual([
    'no 3 3',
    '00 02 10 12 ',
    '[1, 3, 4, 0]',
    "[0, 4, 3, 2, 1, 'e'] [0, 2]",
    '[[5, 3, 1], [10, 7, 4, 1], [2, 5, 8], []] 12 [3, 2, 1]',
    '0',
    "'float' object cannot be interpreted as an integer",
    "'NoneType' object is not iterable",
  ]);
});

test('going through things', async () => {
  const printed = await lines(`
    def wrong(xs: list) -> list { out = []; for x in xs { out.append(x); } return out; }
    with entry {
      d = {"a": 1, "b": 2}; for k in d { print(k); } for (k, v) in d.items() { print(k, v); } for [i, (k, v)] in enumerate(d.items()) { print(i, k, v); }
      for c in "aé😀" { print(c); } for (a, *rest) in [[1, 2, 3], (4,)] { print(a, rest); }
      print(wrong((1, 2)), wrong("ab"), wrong({"k": 1}), wrong(range(2)));
      xs = [1, 2, 3]; for x in xs { if x == 1 { xs.append(9); } } print(xs);
      try { for k in d { d[k + "x"] = 1; } } except RuntimeError as e { print(e); } }`);
  expect(printed).toEqual([
    'a',
    'b',
    'a 1',
    'b 2',
    '0 a 1',
    '1 b 2',
    'a',
    'é',
    '😀',
    '1 [2, 3]',
    '4 []',
    "[1, 2] ['a', 'b'] ['k'] [0, 1]",
    '[1, 2, 3, 9]',
    'dictionary changed size during iteration',
  ]);
});

test('try, raise, with', async () => {
  const printed = await lines(`
    obj Cm { has name: str, swallow: bool = False; def __enter__ -> str { print("enter", self.name); return self.name; } def __exit__(t: any, v: any, tb: any) -> bool { print("exit", self.name, t.__name__ if t else None); return self.swallow; } }
    def ret -> int { try { return 1; } finally { print("fin"); } }
    def override_ -> int { try { raise ValueError("x"); } except ValueError { return 2; } finally { return 3; } }
    def within -> str { with Cm("r") as n { return n; } }
    def order(k: int) { try { if k == 1 { raise KeyError("k"); } if k == 2 { raise ValueError("v"); } print("body"); } except KeyError as e { print("key", e); } except (ValueError, TypeError) as e { print("val", e); } else { print("else"); } finally { print("finally"); } }
    with entry {
      print(ret(), override_(), within()); order(0); order(1); order(2);
      with Cm("a") as x, Cm("b", True) as y { print(x, y); raise ValueError("in"); } print("after");
      try { with Cm("c") { 1 / 0; } } except ZeroDivisionError as e { print(e); }
      try { try { 1 / 0; } except ZeroDivisionError { raise; } } except Exception as e { print(type(e).__name__, e); }
      try { raise ValueError("a") from KeyError("b"); } except ValueError as e { print(repr(e.__cause__)); }
      try { try { raise KeyError("one"); } except KeyError { raise ValueError("two"); } } except ValueError as e { print(repr(e.__context__)); }
      try { raise 5; } except TypeError as e { print(e); } try { raise; } except RuntimeError as e { print(e); }
      try { assert 1 == 2, "bad"; } except AssertionError as e { print("AE", e); } assert True;
      try { raise StopIteration; } except { print("bare"); } print(e); }`);
  expect(printed).toEqual([
    'fin',
    'enter r',
    'exit r None',
    '1 3 r',
    'body',
    'else',
    'finally',
    "key 'k'",
    'finally',
    'val v',
    'finally',
    'enter a',
    'enter b',
    'a b',
    'exit b ValueError',
    'exit a None',
    'after',
    'enter c',
    'exit c ZeroDivisionError',
    'division by zero',
    'ZeroDivisionError division by zero',
    "KeyError('b')",
    "KeyError('one')",
    'exceptions must derive from BaseException',
    'No active exception to reraise',
    'AE bad',
    'bare',
    'bad',
  ]);
});

test('assignment in all forms', async () => {
  const printed = await lines(`
    obj O { has x: int = 0, l: list = []; }
    def tick -> int { print("tick"); return 1; }
    with entry {
      a = b = [1]; a.append(2); print(b); (a, b) = (1, 2); (a, b) = (b, a); print(a, b);
      (p, *q, r) = [1, 2, 3, 4]; [x, [y, z]] = [1, (2, 3)]; print(p, q, r, x, y, z);
      for bad in [lambda { (a1, b1, c1) = (1, 2); }, lambda { (a1, b1) = [1, 2, 3]; }, lambda { (a1, b1) = 5; }] { try { bad(); } except Exception as e { print(type(e).__name__, e); } }
      o = O(); o.x = 5; o.x += 2; o.l += [1]; o.l[0] *= 10; print(o, o.x); (o.x, o.l[0]) = (8, 9); print(o);
      xs = [0, 1, 2, 3]; xs[tick()] += 5; xs[-1] = 7; xs[1:3] = ["s"]; print(xs); xs[::2] = [5, 6]; print(xs); del xs[0]; del xs[0:1]; print(xs);
      d = {"a": 1}; d["b"] = 2; d["a"] += 10; d |= {"c": 3}; print(d); del d["a"]; print(d, d.get("zz"), d.get("zz", 4));
      s = "x"; s += "y"; s *= 2; n = 7; n //= 2; n **= 3; n -= 1; n %= 5; n <<= 3; n |= 1; n &= 15; n ^= 2; n >>= 1; print(s, n, 7 / 2);
      t: int = 4; u: int; let v = 6; let [w, m] = [1, 2]; print(t, u, v, w, m);
      k = [1, 2]; k2 = k; k += [3]; print(k2); st = {1}; st |= {2}; print(st); tp = (1,); tp += (2,); print(tp); del k; try { k; } except NameError as e { print(e); } }`);
  expect(printed).toEqual([
    '[1, 2]',
    '2 1',
    '1 [2, 3] 4 1 2 3',
    'ValueError not enough values to unpack (expected 3, got 2)',
    'ValueError too many values to unpack (expected 2)',
    'TypeError cannot unpack non-iterable int object',
    'O(x=7, l=[10]) 7',
    'O(x=8, l=[9])',
    'tick',
    "[0, 's', 7]",
    "[5, 's', 6]",
    '[6]',
    "{'a': 11, 'b': 2, 'c': 3}",
    "{'b': 2, 'c': 3} None 4",
    'xyxy 5 3.5',
    '4 None 6 1 2',
    '[1, 2, 3]',
    '{1, 2}',
    '(1, 2)',
    "name 'k' is not defined",
  ]);
});

test('match in all forms', async () => {
  const printed = await lines(`
    obj P { has x: int, y: int = 0; } enum E { A, B } glob K = 5;
    def m(v: any) -> any { match v {
      case 1 | 2 as n if n > 1: return ("two", n);
      case P(0, y): return ("p0", y); case P(x=1, y=yy): return ("p1", yy); case P() as p: return ("p", p.x);
      case E.A: return "EA"; case {"k": [a, *_], "j": j, **rest}: return (a, j, rest); case {"k": k}: return k;
      case [x, (y, z)]: return (x, y, z); case [first, *mid, last]: return (first, mid, last); case []: return "empty"; case str(s): return s + "!"; case float(): return "float"; case -1.5: return "neg"; case int(i): return i * 2; case K: return "cap"; } }
    def none(v: int) { match v { case 1: print("one"); } print("end"); }
    with entry { print([m(v) for v in [2, P(0, 3), P(1, 4), P(7), E.A, {"k": [1, 2], "j": 3, "q": 4}, {"k": 9}, [1, (2, 3)], [1, 2, 3, 4], (), "s", 7, True, None]]); print(m(1.5)); none(1); none(2); }`);
  expect(printed).toEqual([
    `[('two', 2), ('p0', 3), ('p1', 4), ('p', 7), 'EA', (1, 3, {'q': 4}), 9, (1, 2, 3), (1, [2, 3], 4), 'empty', 's!', 14, 2, 'cap']`,
    'float',
    'one',
    'end',
    'end',
  ]);
});

test('switch falls through, break leaves it, continue goes on with the loop', async () => {
  const printed = await lines(`
    def f(x: any) -> str { out = ""; for i in range(2) { switch x { case 1: out += "one "; case "b": out += "b "; break; default: out += "def "; case [a, 2]: out += "list "; continue; } out += "| "; } return out; }
    with entry { print([f(v) for v in [1, "b", [5, 2], 9]]); }`);
  expect(printed).toEqual(["['one b | one b | ', 'b | b | ', 'list list ', 'def list def list ']"]);
});

test('global, nonlocal, glob statements, regions, pass', async () => {
  const printed = await lines(`
    glob g = 1; with entry { e = 1; }
    def f { global e; e = 5; glob g = 7; pass; in Region() { print("in"); } }
    def Region -> int { return 1; }
    def h -> int { x = 1; def i { nonlocal x; x = 2; } i(); return x; }
    with entry { f(); print(e, g, h()); skip; print("never"); }
    with entry { print("next block"); }`);
  expect(printed).toEqual(['in', '5 7 2', 'next block']);
});

test('a deleted variable of the module is none until it is assigned', async () => {
  const printed = await lines(`
    glob d = 4, e;
    def drop { del d; }
    def read -> any { return d; }
    with entry { print(read(), e); drop(); try { read(); } except NameError as x { print(x); } d = 5; print(read(), d + 1); del e; try { e; } except NameError as x { print(x); } }`);
  expect(printed).toEqual(['4 None', "name 'd' is not defined", '5 6', "name 'e' is not defined"]);
});

test('del of graph objects', async () => {
  const printed = await lines(`
    node N { has v: int = 0; }
    with entry { for i in range(5) { root ++> N(i); } a = [root -->][0]; del a; print(len([root -->])); xs = [root -->]; del xs[0]; print(len(xs), len([root -->])); del [root -->][0]; print(len([root -->])); for n in [root -->] { del n; } print(len([root -->])); try { a; } except NameError { print("gone"); } }`);
  expect(printed).toEqual(['4', '3 3', '2', '0', 'gone']);
});

test('typed contexts, visit else, report outside of a walk', async () => {
  const ran = await run(`
    node A { has v: int = 1; } node B(A) {}
    walker W { can s with Root entry { visit [-->] else { print("none"); } ->Root { print("root ctx"); } } can a with A entry { ->B { print("b", here.v); } ->A { print("a"); } ->_ { print("any"); } visit [-->] else { report here.v; } } }
    node C { can c with W entry { ->W { print("visitor", visitor is not None, here is self); } } }
    def helper { print(here, visitor is not None); disengage; }
    walker H { can s with Root entry { helper(); print("still"); visit [-->]; } can x with exit { print("no exit"); } }
    with entry { root spawn W(); root ++> B(2); root ++> A(); root ++> C(); w = root spawn W(); print(w.reports); root spawn H(); report 2.0; }`);
  expect(ran.error).toBeUndefined();
  expect(ran.output.split('\n').slice(0, -1)).toEqual([
    'none',
    'root ctx',
    'root ctx',
    'b 2',
    'a',
    'any',
    '2',
    'a',
    'any',
    '1',
    'visitor True True',
    '[2, 1]',
    'Root() True',
    'still',
    '2.0',
  ]);
});

test('slices under augmented assignment evaluate everything once; targets may be empty', async () => {
  const printed = await lines(`
    glob seen: list = [];
    def note(x: any) -> any { seen.append(x); return x; }
    with entry {
      xs = [1, 2, 3]; xs[note(0):note(1)] *= note(2); print(xs, seen);
      ys = [1, 2, 3]; ys[1:] += [note(9)]; ys[:1] += note((7,)); print(ys, seen[3:]);
      () = []; [] = (); try { () = [1]; } except ValueError as e { print(e); } for () in [(), []] { print("empty"); } }`);
  expect(printed).toEqual([
    '[1, 1, 2, 3] [0, 1, 2]',
    '[1, 7, 2, 3, 9] [9, (7,)]',
    'too many values to unpack (expected 0)',
    'empty',
    'empty',
  ]);
});

test('what a hinted text gives is tested as the text itself is', async () => {
  const printed = await lines(`
    obj Field { has words: str; def strip(chars: any = None) -> any { return self; } def split(sep: str) -> list { return [self.words, sep]; } def replace(a: str, b: str) -> any { return 7; } }
    def parts(x: str) -> any { return x.strip().split(","); }
    def loud(x: str) -> any { return x.replace("a", "b").upper(); }
    with entry { print(parts(" a,b "), parts(Field("w"))); print(loud("ab")); try { print(loud(Field("w"))); } except AttributeError as e { print(e); } }`);
  expect(printed).toEqual(["['a', 'b'] ['w', ',']", 'BB', "'int' object has no attribute 'upper'"]);
});

test('nested functions and classes may be unbound, or be something else', async () => {
  const printed = await lines(
    `
    def tried(f: any) { try { print(f()); } except Exception as e { print(type(e).__name__, e); } }
    def branch() { if False { def g() { return 1; } } return g(); }
    def early() { r = g(); def g() { return 1; } return r; }
    def cls() { if False { class C { } } return C(); }
    def other() { class C { } C = 5; return C(); }
    def callable_() { class C { } C = lambda x: int : x + 1; return C(4); }
    def each() { def even(n: int) -> bool { return True if n == 0 else odd(n - 1); } def odd(n: int) -> bool { return False if n == 0 else even(n - 1); } return [even(4), odd(4)]; }
    def base(b: any) { class C(b) { } return C; }
    class P { has x: int = 1; def __init__(self: P) { } }
    P.__match_args__ = ("x", "y");
    def position(v: any) { match v { case P(1, 2, 3): return 1; case int(a, b): return 2; } return 3; }
    class A { def m(self: A) { return super().nope(1); } def n(self: A) { return super().nope; } }
    with entry {
      for f in [branch, early, cls, other, callable_, each] { tried(f); }
      for b in [5, None, branch] { tried(lambda { base(b) }); }
      tried(lambda { position(P()) }); tried(lambda { position(5) }); tried(lambda { position("x") });
      tried(A().m); tried(A().n); tried(lambda { super().x });
      tried(lambda { getattr(1, 5) }); tried(lambda { hasattr(1, None) }); tried(lambda { setattr(A(), 5, 1) });
    }`.replace('P.__match_args__ = ("x", "y");', 'with entry { P.__match_args__ = ("x", "y"); P.y = 2; }'),
  );
  expect(printed).toEqual([
    "UnboundLocalError cannot access local variable 'g' where it is not associated with a value",
    "UnboundLocalError cannot access local variable 'g' where it is not associated with a value",
    "UnboundLocalError cannot access local variable 'C' where it is not associated with a value",
    "TypeError 'int' object is not callable",
    '5',
    '[True, False]',
    "TypeError a base has to be a class, not 'int'",
    "TypeError a base has to be a class, not 'NoneType'",
    "TypeError a base has to be a class, not 'function'",
    'TypeError P() accepts 2 positional sub-patterns (3 given)',
    'TypeError int() accepts 1 positional sub-pattern (2 given)',
    '3',
    "AttributeError 'super' object has no attribute 'nope'",
    "AttributeError 'super' object has no attribute 'nope'",
    'RuntimeError super(): no arguments',
    "TypeError attribute name must be string, not 'int'",
    "TypeError attribute name must be string, not 'NoneType'",
    "TypeError attribute name must be string, not 'int'",
  ]);
});

test('the value of an assignment comes before what its target calls', async () => {
  const printed = await lines(`
    def f() -> list { n = 1; xs = [0, 0, 0]; def next_() -> int { n += 1; return n; } xs[next_()] = n; xs[next_() - 3] = n * 10; return [xs, n]; }
    with entry { print(f()); }`);
  expect(printed).toEqual(['[[20, 0, 1], 3]']);
});

test('filters and assign trailers take whatever is gone through, and set attributes as assignments do', async () => {
  const printed = await lines(`
    obj O { has a: int = 1; has b: int { getter { return self.a * 2; } setter(v: int) { self.a = v + 1; } } }
    class K { def __setattr__(self: K, n: str, v: any) { object.__setattr__(self, n, ("set", v)); } }
    class It { def __iter__(self: It) { return iter([O(5), O(6)]); } }
    def gen() { yield O(7); yield O(8); }
    with entry {
      o = O(); print([o](=b=4), [K()](=q=1)[0].q, None(=v=1));
      try { [5](=v=9); } except AttributeError as e { print(e); }
      try { 5(=v=9); } except TypeError as e { print(e); }
      print(It()[?a > 5], gen()[?a > 7], "ab"[?a > 1], "ab"[?:str], {1: 2, "a": 1}[?:int], None[?a > 1]); }`);
  expect(printed).toEqual([
    "[O(a=5)] ('set', 1) None",
    "'int' object has no attribute 'v'",
    "'int' object is not iterable",
    "[O(a=6)] [O(a=8)] [] ['a', 'b'] [1] []",
  ]);
});

test('methods that something else has taken the place of, and members that super lacks in classes on built-in types', async () => {
  const printed = await lines(`
    class L(list) { def m(self: L) { return super().nope(1); } def n(self: L) -> L { super().append(5); super().extend([6]); return self; } static def s() { return 3; } }
    class A { def m(self: A) -> int { return 1; } def go(self: A) -> any { return self.m(); } }
    obj D { has v: int = 1; def show(by_: int = 2) -> int { return self.v * by_; } }
    def tried(f: any) { try { print(f()); } except Exception as e { print(type(e).__name__, e); } }
    def none() { a = A(); a.m = None; return a.m(); }
    def number() { a = A(); a.m = 5; return a.go(); }
    def other() { a = A(); a.m = lambda : 7; return [a.m(), a.go(), A().m()]; }
    def field() { d = D(3); before = d.show(by_=5); d.show = "x"; return [before, d.show()]; }
    with entry { print(L().n()); tried(L().m); for f in [none, number, other, field] { tried(f); } }`);
  expect(printed).toEqual([
    '[5, 6]',
    "AttributeError 'super' object has no attribute 'nope'",
    "TypeError 'NoneType' object is not callable",
    "TypeError 'int' object is not callable",
    '[7, 7, 1]',
    "TypeError 'str' object is not callable",
  ]);
});

test('a parameter that limits a loop is looked at in front of it, one that the loop changes inside', () => {
  const codeOf = (text: string) => compileFiles(text).modules[0]!.output.code;
  const fixed = codeOf('def f(n: any) -> int { i = 0; while i < n { i += 1; } return i; }');
  expect(fixed).toContain('const $n1 = typeof n === "number" ? n : NaN;');
  expect(fixed).toContain('while ((i < $n1 || $n1 !== $n1 && $.lt(i, n))) {');
  const changing = codeOf('def f(n: any) -> int { i = 0; while i < n { i += 1; n -= 1; } return i; }');
  expect(changing).toContain('while ((typeof n === "number" ? i < n : $.lt(i, n))) {');
});
