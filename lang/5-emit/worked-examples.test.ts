import { expect, test } from 'vitest';
import { lines, run } from './testing.ts';

const graph = `
node N { has name: str;
    can any_in with entry { print("any-in", self.name); }
    can w_in with W entry { print("w-in", self.name); }
    can w_out with W exit { print("w-out", self.name); }
    can any_out with exit { print("any-out", self.name); } }
with entry {
    a = N(name="A"); b = N(name="B"); c = N(name="C");
    root ++> a; root ++> b; a ++> c;
    root spawn W(); }
`;

test('C1 traversal order', async () => {
  const printed = await lines(`${graph}
    walker W {
        can first with entry { print("start", here); }
        can r with Root entry { print("root"); visit [-->]; }
        can n with N entry { print("enter", here.name); visit [-->]; }
        can nx with N exit { print("leave", here.name); }
        can rx with Root exit { print("root exit"); }
        can last with exit { print("end", here); } }`);
  expect(printed.join(' / ')).toBe(
    'start Root() / root / enter A / any-in A / w-in A / enter B / any-in B / w-in B / enter C / any-in C / w-in C / ' +
      'w-out C / any-out C / leave C / w-out B / any-out B / leave B / w-out A / any-out A / leave A / root exit / ' +
      "end N(name='C')",
  );
});

test('C2 visit at the front', async () => {
  const printed = await lines(`
    node N { has name: str; }
    walker W { can r with Root entry { visit : 0 : [-->]; } can n with N entry { print(here.name); visit:0:[-->]; } }
    with entry { a = N("A"); b = N("B"); c = N("C"); root ++> a; root ++> b; a ++> c; root spawn W(); }`);
  expect(printed).toEqual(['A', 'C', 'B']);
});

test('C3 edges as locations', async () => {
  const printed = await lines(`
    node N { has name: str; }
    edge E { has w: int = 0; can own with W entry { print("own", self.w); } }
    walker W {
        can s with Root entry { visit [edge -->]; }
        can e with E entry { print("edge", here.w); }
        can n with N entry { print("node", here.name); }
        can x with E exit { print("exit", here.w); } }
    with entry {
        a = N("A"); b = N("B"); e5 = E(w=5);
        root +>: e5 :+> a; root +>: E(w=7) :+> b;
        root spawn W(); print("--"); e5 spawn W(); }`);
  expect(printed.join(' ')).toBe('edge 5 own 5 node A edge 7 own 7 node B exit 7 exit 5 -- edge 5 own 5 node A exit 5');
});

test('C4 reports and nesting', async () => {
  const printed = await lines(`
    node N {}
    walker Inner { can go with N entry { report "inner"; } }
    walker Outer { can go with N entry { r = here spawn Inner(); report "outer"; print(r.reports); } }
    with entry { n = N(); o = n spawn Outer(); print(o.reports); w = Inner(); n spawn w; n spawn w; print(w.reports); }`);
  expect(printed.filter((line) => line.startsWith('['))).toEqual(["['inner']", "['inner', 'outer']", "['inner']"]);
});

test('C5 disengage and skip', async () => {
  const printed = await lines(`
    node N { has name: str; }
    walker D {
        can a with Root entry { visit [-->]; }
        can b with N entry { print("at", here.name); if here.name == "A" { disengage; } print("after"); }
        can c with Root exit { print("root exit"); } can d with exit { print("end"); } }
    walker S { can a with N entry { print("one"); skip; print("never"); } can b with N entry { print("two"); } }
    with entry { a = N("A"); b = N("B"); root ++> a; root ++> b; root spawn D(); b spawn S(); }`);
  expect(printed).toEqual(['at A', 'one', 'two']);
});

test('C6 connect values', async () => {
  const printed = await lines(`
    node N {}
    with entry {
        a = N(); b = N();
        print((root ++> a) is a, (root ++> [a, b]) == [a, b], (a <++ b) is a);
        a = N(); b = N();
        print((a <++> b) is b, b in [a -->], a in [b -->], a in [b <--]);
        c = N(); a ++> c;
        print(a del --> c, a del --> c); }`);
  expect(printed).toEqual(['True True True', 'True True True True', 'True False']);
});

test('C7 edge references', async () => {
  const printed = await lines(`
    node N { has name: str; } edge E { has w: int = 0; }
    with entry {
        a = N("a"); b = N("b"); d = N("d");
        a +>: E(w=9) :+> b; a +>: E : w=3 :+> d;
        print([x.name for x in [a ->:E:->]], [x.name for x in [a ->:E:w > 5:->]], [edge a ->:E:->]);
        print([x.name for x in [b <-:E:<-]], [edge a ->:E:-> d]);
        root ++> a; print([x.name for x in [root --> -->]], [x.name for x in [[a, b] -->]]); }`);
  expect(printed).toEqual(["['b', 'd'] ['b'] [E(w=9), E(w=3)]", "['a'] [E(w=3)]", "['b', 'd'] ['b', 'd']"]);
});

test('C8 objects', async () => {
  const printed = await lines(`
    obj C { has a: int, b: int = 2; has c: int postinit; def postinit { self.c = self.a + self.b; } }
    with entry {
        print(C(1), C(1) == C(1));
        try { C(); } except TypeError as e { print(e); }
        try { C(1,2,3); } except TypeError as e { print(e); }
        try { C(1, zz=2); } except TypeError as e { print(e); } }`);
  expect(printed).toEqual([
    'C(a=1, b=2, c=3) False',
    "C.__init__() missing 1 required positional argument: 'a'",
    'C.__init__() takes from 2 to 3 positional arguments but 4 were given',
    "C.__init__() got an unexpected keyword argument 'zz'",
  ]);
});

test('C9 enums', async () => {
  const printed = await lines(`
    enum E { X = 1, Y, Z = "z" } enum H: int { OK = 200 }
    with entry { print(E.Y.value, E.X, [E.X], H.OK == 200, H.OK + 1, H.OK); print(E["Z"], E(2), len(E), [m.name for m in E]); }`);
  expect(printed).toEqual(['2 E.X [<E.X: 1>] True 201 200', "E.Z E.Y 3 ['X', 'Y', 'Z']"]);
});

test('C10 scoping', async () => {
  const printed = await lines(`
    glob n = 0; def inc { n += 1; } def sh { n: int = 50; n += 1; }
    def outer -> int { x = 1; def inner { x += 10; } inner(); return x; }
    with entry { inc(); inc(); sh(); print(n, outer()); }`);
  expect(printed).toEqual(['2 11']);
});

test('C11 numbers', async () => {
  const printed = await lines(`with entry {
    print(-2 ** 2, 2 ** -1, -7 // 2, -7 % 3, 10 % -3, 7 / 2, 4 / 2, 10 ** 20);
    print(round(2.5), round(3.5), round(-2.5), 1e16, divmod(7, 2), not True == False, 1 | 2 == 3); }`);
  expect(printed).toEqual(['4 0.5 -4 2 -2 3.5 2.0 100000000000000000000', '2 4 -2 1e+16 (3, 1) True True']);
});

test('C12 null safety', async () => {
  const printed = await lines(`
    obj P { has name: str = "n"; def hello -> str { return "hi"; } }
    with entry {
        p: P | None = None;
        print(p?.name, P()?.missing, {"a": 1}?["b"], [1]?[5], p?.hello(), p?.name.upper());
        print(P()?.name.upper(), P()?.hello(), P()?.missing(), p?name); }`);
  expect(printed).toEqual(['None None None None None None', 'N hi None None']);
});

test('C13 match', async () => {
  const program = (first: string) => `
    def mt(v: any) -> str { match v {
        ${first}
        case 0: return "0"; case -1: return "-1"; case True: return "True"; case None: return "None"; case "a" | "b": return "ab";
        case [1, *rest]: return "list" + str(rest); case (a, b): return f"pair {a} {b}";
        case {"k": v2, **r}: return f"map {v2} {r}"; case int(): return "int"; case str() as s: return "str " + s; case _: return "other"; } }
    with entry { print([mt(v) for v in [0, -1, True, None, "a", [1,2,3], [5,6], {"k":1,"j":2}, 7, "zz", 1.5]]); }`;
  expect(await lines(program(''))).toEqual([
    `['0', '-1', 'True', 'None', 'ab', 'list[2, 3]', 'pair 5 6', "map 1 {'j': 2}", 'int', 'str zz', 'other']`,
  ]);
  expect((await lines(program('case 1: return "one";')))[0]).toContain("'-1', 'one', 'None'");
});

test('C14 switch', async () => {
  const printed = await lines(`
    def sw(x: int) { switch x { case 1: print("one"); case 2: print("two"); break; default: print("def"); case 3: print("three"); } }
    with entry { for i in [1, 2, 3, 9] { sw(i); print("-"); } }`);
  expect(printed.join(' ')).toBe('one two - two - three - def three -');
});

test('C15 formatting', async () => {
  const printed = await lines(`with entry {
    print(f"{42:>6}|{3.14159:8.3f}|{1e6:,.2f}|{0.256:.1%}|{255:x}|{5:03d}|{'a':*^5}");
    print(f"{'x'!r} {{}}"); print("%.2f|%5d|%-5s|" % (3.14159, 42, "ab")); x = 2; print(f"{x=} {x + 1 =}"); }`);
  expect(printed).toEqual([
    '    42|   3.142|1,000,000.00|25.6%|ff|005|**a**',
    "'x' {}",
    '3.14|   42|ab   |',
    'x=2 x + 1 =3',
  ]);
});

test('C17 lambda results', async () => {
  const printed = await lines(`with entry {
    print((lambda (x: int) { x * 2; })(4), (lambda (x: int) -> int : x + 1)(1), (lambda -> None { print("f"); })(),
      (lambda (x: int) { y = x; y * 10 })(2), (lambda (x: int) { y = x; })(2)); }`);
  expect(printed).toEqual(['f', '8 2 None 20 None']);
});

test('C19 errors', async () => {
  const attempts = ['int("x")', '[][0]', '{}["a"]', 'None.foo', '"a" + 1', 'root spawn 5', '5 spawn W()'];
  const printed = await lines(
    `walker W {} with entry { ${attempts
      .map((code) => `try { ${code}; } except Exception as e { print(type(e).__name__ + ":", e); }`)
      .join('\n')} }`,
  );
  expect(printed).toEqual([
    "ValueError: invalid literal for int() with base 10: 'x'",
    'IndexError: list index out of range',
    "KeyError: 'a'",
    "AttributeError: 'NoneType' object has no attribute 'foo'",
    'TypeError: can only concatenate str (not "int") to str',
    'TypeError: Invalid walker object',
    'TypeError: Invalid target object',
  ]);
});

test('C20 legacy spellings', async () => {
  const ran = await run(`
glob total = 0;
node Task { has title: str; has done: bool = False; }
edge Next {}
walker make {
    has title: str;
    can start with \`root entry {
        t = here ++> Task(title=self.title);
        report t[0];
    }
}
walker all_open {
    has found: list = [];
    can start with \`root entry { visit [-->](\`?Task: done == False) else { print("none"); } }
    can take with Task entry { self.found.append(here.title); }
    can done with \`root exit { report self.found; }
}
def bump(k: int) { global total; total += k; }
obj Acc { has v: int; has w: int by postinit; def postinit { self.w = self.v * 2; } }
with entry {
    for i=0 to i<3 by i+=1 { bump(i); }
    root spawn make(title="a");
    r = root spawn all_open();
    xs = [Task("p"), Task("q", True)];
    print(total, r.reports, [x.title for x in xs(?done == True)], Acc(2).w);
    f = lambda x: int, y: int : x * y;
    print(f(2, 3), xs |> len);
}`);
  expect(ran.error).toBeUndefined();
  expect(ran.output.split('\n').slice(-3)).toEqual(["3 [['a']] ['q'] 4", '6 2', '']);
});
