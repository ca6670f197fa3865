/**
 * Programs for tests: worked examples under their numbers, and some that together use every production of the grammar
 * (docs/language/grammar.md#grammar).
 * All of them parse without errors; `warnings` lists what else is said about them.
 */
export interface SampleProgram {
  readonly name: string;
  readonly text: string;
  readonly warnings?: readonly string[];
}

const inEntry = (body: string) => `with entry {\n${body}\n}\n`;

export const samplePrograms: readonly SampleProgram[] = [
  {
    name: 'C1 traversal order',
    text: `node N { has name: str;
    can any_in with entry { print("  any-in", self.name); }
    can w_in with W entry { print("  w-in", self.name); }
    can w_out with W exit { print("  w-out", self.name); }
    can any_out with exit { print("  any-out", self.name); } }
walker W {
    can first with entry { print("start", here); }
    can r with Root entry { print("root"); visit [-->]; }
    can n with N entry { print("enter", here.name); visit [-->]; }
    can nx with N exit { print("leave", here.name); }
    can rx with Root exit { print("root exit"); }
    can last with exit { print("end", here); } }
with entry {
    a = N(name="A"); b = N(name="B"); c = N(name="C");
    root ++> a; root ++> b; a ++> c;
    root spawn W(); }
`,
  },
  { name: 'C2 indexed visit', text: 'walker W { can r with Root entry { visit : 0 : [-->]; visit:0:[-->]; } }' },
  { name: 'C3 edges', text: 'walker W { can r with Root entry { visit [edge -->]; e5 spawn W(); } }' },
  {
    name: 'C4 reports and nesting',
    text: 'walker O { can r with Root entry { r = here spawn Inner(); report "outer"; assert r.reports == ["inner"]; } }',
  },
  { name: 'C5 disengage', text: 'walker W { can a with A entry { if x { disengage; } skip; } }' },
  {
    name: 'C6 connect values',
    text: inEntry(
      '(root ++> a); (root ++> [a, b]); (a <++ b); (a <++> b); a del --> b; print(b in [a -->], a in [b -->], a in [b <--]);',
    ),
  },
  {
    name: 'C7 edge references',
    text: inEntry(`a +>: E(w=9) :+> b; a +>: E : w=3 :+> d;
[a ->:E:->]; [a ->:E:w > 5:->]; [edge a ->:E:->]; [b <-:E:<-]; [edge a ->:E:-> d]; [root --> -->]; [[a, b] -->];`),
  },
  {
    name: 'C8 objects',
    text: 'obj C { has a: int, b: int = 2; has c: int postinit; def postinit { self.c = self.a + self.b; } }',
  },
  {
    name: 'C9 enums',
    text: `enum E { X = 1, Y, Z = "z" }\nenum H: int { OK = 200 }\n${inEntry('print(E.Y.value, E.X, [E.X], H.OK == 200, H.OK + 1);')}`,
  },
  {
    name: 'C10 scoping',
    text: `glob n = 0; def inc { n += 1; } def sh { n: int = 50; n += 1; }
def outer { x = 1; def inner { x += 10; } inner(); }`,
  },
  {
    name: 'C11 numbers',
    text: inEntry(
      'print(-2 ** 2, 2 ** -1, -7 // 2, -7 % 3, 10 % -3, 7 / 2, 4 / 2, 10 ** 20, round(-2.5), 1e16, divmod(7, 2), not True == False, 1 | 2 == 3);',
    ),
    warnings: ['W0138', 'W0139'],
  },
  {
    name: 'C12 null safety',
    text: inEntry('p: P | None = None; p?.name; P()?.missing; {"a": 1}?["b"]; [1]?[5]; p?.hello(); p?.name.upper();'),
  },
  {
    name: 'C13 match',
    text: `def kind(x: any) -> str {
    match x {
        case 0: return "zero";
        case -1: return "minus one";
        case True: return "true";
        case None: return "none";
        case "a" | "b": return "letter";
        case [1, *rest]: return "list";
        case (a, b): return "pair";
        case {"k": v, **r}: return "mapping";
        case int(): return "int";
        case str() as s: return s;
        case Point(1, y=2): return "point";
        case a.b if x > 1: return "value";
        case _: return "other";
    }
}`,
  },
  {
    name: 'C14 switch',
    text: 'def f(x: int) { switch x { case 1: print("one"); case 2: print("two"); break; default: print("def"); case 3: print("three"); } }',
    warnings: ['W0126'],
  },
  {
    name: 'C15 formatting',
    text: inEntry(`print(f"{42:>6}|{3.14159:8.3f}|{1e6:,.2f}|{0.256:.1%}|{255:x}|{5:03d}|{'a':*^5}");
print(f"{'x'!r} {{}}", "%.2f|%5d|%-5s|" % (3.14159, 42, "ab"));`),
  },
  {
    name: 'C16 client',
    text: `cl def:pub App -> JsxElement { has n: int = 0; items: list = []; return <div>{items and <b/>}{n and <b/>}</div>; }`,
  },
  {
    name: 'C17 lambda results',
    text: inEntry(`(lambda (x: int) { x * 2; })(4); (lambda x: int -> int : x + 1)(1); (lambda -> None { f(); })();
(lambda (x: int) { y = x; y * 10 })(2); (lambda (x: int) { y = x; })(2);`),
  },
  { name: 'C18 persistence', text: 'with entry { print(len([root -->])); root ++> N(name="x"); }' },
  {
    name: 'C19 errors',
    text: inEntry('int("x"); [][0]; ({})["a"]; None.foo; "a" + 1; root spawn 5; 5 spawn W();'),
  },
  {
    name: 'C20 legacy spellings',
    text: `glob total = 0;
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
}
`,
  },
  {
    name: 'modules',
    text: `"""A module."""
import os;
import a.b as x, sys, json as j;
import "./styles.css";
import from m { a, b as c, }
import from m { * }
import from . { x }
import from .x.y { default }
import from ... { up };
import from ..."lib/x" { y }
import from "pkg" { A, default as B, * as NS }
import type from m { T }
import type m;
cl import from 'pkg/sub' { node, entry as e }
sv { import from __main__ { W } glob :pub g: int = 1; }
include .m as q;
include svclib.tools;
sem f.return = "the result" "continued";
sem C.field is "text"
type A[T: Base = int, U] = list[T] | None;
type:pub B = int;
"documented" glob a: int = 1, b = c = 2, node;
with entry:__main__ { f(); }
test "named" { assert True, "message"; }
test plain { }
test { }
@parametrize([1, 2]) test "cases" { check x == 1; }
`,
    warnings: ['W0132'],
  },
  {
    name: 'functions',
    text: `def now -> float { 1.0 }
def:pub f[T](a: T, b: int = 1, /, c, *rest: int, d: own T = 2, **kw) -> list[T] { return [a]; }
async def g(self, *, props, here, visitor, list: imm str) { await f(); }
def h(x: &mut T) -> str by llm(temperature=0.2);
def later(x: int) -> int;
@a @b.c(1) override static def k { yield 1; x = yield; yield from [1]; }
def outer { "inner" def inner { } class async def m(cls) abs; can fn(x: int) -> int { x } (def (y) { y }); }
def list() abst;
impl f(a: int) -> int { return 1; }
impl A.m { self.x = 1; }
impl A.ability with Node entry { visit [-->]; }
impl E { RED = "r", GREEN }
impl F { X, Y = 2 }
impl C(Base) { has x: int; def f { } with entry { y = 1; } }
impl g by llm();
impl A.prop.getter { return 1; }
impl B.m(self, x) { }
`,
    warnings: ['W0137', 'W0221'],
  },
  {
    name: 'archetypes',
    text: `async walker :priv W(A, b.C) { obj __specs__ { static has methods: list = ["get"]; } }
obj A;
class Plain(Exception) { has x: int = 1; def init(self: Plain) { super.init(); } y = 2; }
edge E : A --> B { has w: int = 0; }
edge:pub Empty();
node Full {
    "a field" has a: int, b: str = "x", c: list by postinit, d: int postinit;
    has :priv area: float { getter { return 1.0; } setter(value: float) { self._a = value; } deleter; }
    static has count: int = 0;
    has entry, node: str, default: str = "";
    can with entry { }
    can visit with (A | B, C) exit { }
    async can go with \`root entry;
    can x with A entry by llm();
    override def m(self) -> Self { return self; };
    obj Inner { }
    enum K { A }
    impl later { }
    with entry { z = 1; }
}
enum E1(str, Enum) { A = "a" B, node, def f { } with entry { x = 1; } }
enum E2;
enum:pub E3: str { X = "x", }
`,
  },
  {
    name: 'statements',
    text: `def f(x: int) {
    ;
    a: int = 1; b: str; self.c: int = 3; let d = 1; let [e, g] = h();
    a = b = c; (a, (b, *c)) = d; [a, b] = d; a.b[0] = 1; a[1:2] = []; xs[0] += 1;
    a += 1; a -= 1; a *= 2; a /= 2; a //= 2; a %= 2; a **= 2; a @= b; a &= 1; a |= 1; a ^= 1; a <<= 1; a >>= 1;
    if a { } elif b { } else if c { } else { }
    while a { break; } else { continue; }
    forever { skip; }
    for x in xs { } else { }
    flow for (k, v) in d.items() { }
    async for y in ys { }
    for i=0 to i<10 by i+=1 { } else { }
    for i = 0 while i < 10 with i = i + 1 { }
    try { } awaiting { } except (A, B) as e { raise; } except { } else { } finally { }
    try { }
    with open(p) as h, lock { } async with c as (a, b) { }
    match x { case 1: { a; } case 1.5: case "a" "b": case x.y | None: case [a, *_]: case (a): case (): case {1: a, "b": _, **r}: case f.G(a, b=c,): case -1 + 2: }
    switch x { case 1 | 2: case Point(x=1): break; default: f(); }
    raise X from y; raise X;
    assert a, "m"; assert b;
    del a, b[0]; del [root -->][0];
    glob q = 1; global a, b; nonlocal c;
    visit [-->] else { } visit : -1 : xs;
    report [a, b];
    -> A | B { } ->_ { }
    in Region() { }
    import from m { z }
    match = 1; match.x(); report = {}; entry = 1; x = entry; exit(1); test.run(); node = 1; default = 2; own = 3; forever = 4;
    return
        <div>{x}</div>;
}
`,
    warnings: ['W0124', 'W0137', 'W0142'],
  },
  {
    name: 'expressions',
    text: inEntry(`
    x = a if b else c if d else lambda: e; y = (z := 1) + (flow f(1)); w = wait t; v = q by m by n;
    a |> f |> g; f <| a; (2, 3) |> pow; (a=1, b=2,) |> f; :> f; |> f; a :> f :> g; f <: g <: a;
    a or b and not c; a < b <= c != d == e > f >= g; a in b; a not in b; a is b; a is not b; x as int | str;
    a | b ^ c & d << e >> f; a + b - c * d / e // f % g @ h ** -i; ~a; +a;
    a ++> b ++> c; a <++ b; a <++> b; a +>: E() :+> b; a <+: E : x=1, y=2, :<+ b; a <+: E :+> b; a del-->b; a del <-:E:<- b;
    a spawn b; spawn W(); a spawn |> W(); a spawn :> W(); await root spawn W(); f(*xs, **kw); own z; imm q; &s; &mut u; await f().x;
    a.b?.c?d?[0].e .> f(1) .> g; m(1) <. a; a[0][1:2][::3][i, j][1:2, ::3]; f(a, b=1, class=2, from=3,); sum(i for i in xs);
    xs[?:T][?:T, a > 1, b == "x"][?:T: c in d][?a > 1, e is not None, h not in i]; xs(?:T)(?:T, a > 1)(?a > 1)(\`?T)(\`?T: a > 1)(=a=1, b=f());
    (); (e); (e,); (a, b,); (yield 1); (i for i in xs); (def f { 1 }); (async def (x) { x }); [a, b,]; []; [i for i in xs if i if j for k in i];
    {}; {k: v, **o,}; {a, b,}; {**a}; {a: b for (a, b) in c}; {a for a in b}; [i async for i in xs][0];
    [-->]; [<--]; [<-->]; [edge -->]; [node a -->]; [async -->]; [a -->(\`?T)]; [a --> (?:T) ]; [-->[?:T]]; [a ->:E:-> <-:F.G: x == 1, y in z:<- b];
    [<-:E:->]; [->::w > 1:->]; [edge a --> (b)]; [->::->]; [edge (a) -->]; [edge, node]; \`list(xs); \`Person;
    f = [lambda x: int -> int { x }, lambda -> int { 1 }, lambda (x: int) { x }, lambda { 1 }, lambda : 1, lambda x: int, y: int -> int { x },
        lambda x: int : x, lambda x: x, lambda x -> int { x }, lambda x, y -> int { x }, lambda x: int -> int : x, lambda x: int = 2, y: int = 3: x ** y,
        lambda *a, **k: a, lambda (x, *, y=1) -> int : x];
    s = "a" 'b' """c
d""" '''e''' r"\\n" R'\\ ' "\\n\\t\\\\\\x41\\u00e9\\U0001F600\\101";
    t = b"\\x41" Rb"x";`),
    warnings: ['W0137'],
  },
  {
    name: 'formatted strings',
    text: inEntry(`w = f"{a}{b!r}{c:>{width}.{p}f}{d=}{e = !s:>10}{{}}{f"{g("x")}"}{h["k"]}{ {"a": 1}["a"] }{i != j}{(k := 1)}";
v = F'''{
    x
} "quoted" ''' rf"\\d{n}" fR"{m:%H:%M}" "plain";
u = f"{x!a}\\n{lambda_(1)}{[i for i in xs]}{a if b else c:<5}{d[1:2]}";`),
  },
  {
    name: 'markup',
    text: `cl {
    def:pub App(props: dict) -> JsxElement {
        return <main className="a" data-x='b' onClick={lambda -> None { n = n + 1; }} {...rest} {**more} {title} disabled
            # a comment
            #* another *# svg:href={f"x"} >
            Don't &amp; won&rsquo;t {a if b else <b>x</b>} {#* comment *#} {[<li key={i}>{i}</li> for i in xs]}
            # a comment line
            <></> <@Tag.x a="1"/> <@{pick()}>t</@{pick()}> <A.B.C/> <my-element/> a < b {"#"}
            {for x in xs { <li/> <li>{x}</li> if x { skip; } }}
            {x = 1; <p>{x}</p>}
            {try { <A/> } awaiting { <B/> } except E { <C/> }}
            {items and <p style={{"a": 1}}/>}
        </main>;
    }
    def Tail -> JsxElement { <p>tail</p> }
}
`,
  },
];
