import { expect, test } from 'vitest';
import { runRules } from './4-check/rules.ts';
import { front } from './front-testing.ts';

/** Lists the diagnostics of `svc check`, one line for each: code, the text it stands at, help. */
function told(text: string): readonly string[] {
  const { project, names, types } = front(text);
  runRules(project, names, types, { mode: 'run' });
  return project
    .diagnostics()
    .map(({ code, start, end, help }) => `${code} ${text.slice(start, end)}${help === undefined ? '' : ` (${help})`}`);
}

const body = (text: string) => told(`with entry { ${text} }`);

test('syntax of other languages: one diagnostic, at its place, with what to write', () => {
  expect(told('from math import sqrt, pi as p\nwith entry { print(sqrt(p)); }')).toEqual([
    'E0110 from math import sqrt, pi as p (write `import from math { sqrt, pi as p }`)',
  ]);
  expect(told('from .a.b import (\n  c,\n  d,\n)\nwith entry { from os import *; print(c, d); }')).toContain(
    'E0110 from os import * (write `import from os { * }`)',
  );
  expect(told("import D, { a as b } from 'x';\nwith entry { print(D, b); }")).toEqual([
    "E0110 import D, { a as b } from 'x' (write `import from 'x' { default as D, a as b }`)",
  ]);
  expect(told('import * as fs from "node:fs"\nwith entry { print(fs); }')).toEqual([
    'E0110 import * as fs from "node:fs" (write `import from "node:fs" { * as fs }`)',
  ]);
  expect(told('import from "node:fs" { readFileSync as r } with entry { print(r); }')).toEqual([]);
  expect(body('for (let i = 0; i < 3; i++) { print(i); }')).toEqual(['E0110 ( (write `for i in range(…) { … }`)']);
  expect(body('for (const x of [1]) { print(x); }')).toEqual(['E0110 ( (write `for x in … { … }`)']);
  expect(body('for i=0; i < 3; i++ { print(i); }')).toEqual(['E0152 i++ (use `i += 1`)']);
  expect(body('n = 0; do { n += 1; } while (n < 3); print(n);')).toEqual([
    'E0110 do (write `while True { … if not (c) { break; } }`)',
  ]);
  expect(body('p = print; const [a, b] = [1, 2]; const {c, d} = p; {e} = p; print(a, b, c, d, e);')).toEqual([
    'E0110 const (a variable is declared by its first value, without `const`)',
    'E0110 {c, d} (take each member by itself: `c = value.c;`)',
    'E0110 {e} (take each member by itself: `e = value.e;`)',
  ]);
  expect(body('var = [1]; var[0] = 2; const = {}; const["a"] = 1; do = print; do(var, const);')).toEqual([]);
  expect(body('d = {}; delete d["a"];')).toEqual(['E0120  (write `del …`)']);
  expect(body('throw new ValueError("x");')).toEqual(['E0110 throw (an exception is raised: `raise …`)']);
  expect(body('x = 1; y = typeof x; print(y);')).toEqual(['E0120  (write `type(x)`, or ask `isinstance(x, T)`)']);
  expect(body('x = 1; y = x instanceof int; print(y);')).toEqual(['E0120  (write `isinstance(x, T)`)']);
  expect(told('class A { constructor(x) { this.x = x; } }')).toContain(
    'E0120  (a constructor is written `def init(…) { … }`)',
  );
  const exported = 'E0110 export (what others may import is marked `:pub`, as in `def:pub f { … }`)';
  expect(told('export default function f() { }\nwith entry { f(); }')).toEqual([exported]);
  expect(told('export const x = 1;')).toEqual([exported]);
  expect(told('def f { }\nexport default f;\nwith entry { f(); }')).toEqual([exported]);
  expect(told('export def g { }\nwith entry { g(); }')).toEqual([exported]);
  expect(told('async function f() { }')).toEqual(['E0112 async (write `async def`)']);
  expect(told('interface A { a: string }')[0]).toContain('an `obj` with its fields');
  expect(told('import math.sqrt;')).toEqual([
    'E0701 math.sqrt (a member of `math` is imported by `import from math { sqrt }`)',
  ]);
  // Words that a syntax error has told of are no unknown names besides.
  expect(told('cl def f { const x = 1; print(x); }')).toEqual([
    'E0120  (a variable is declared by its first value, without `const`)',
  ]);
  expect(body('for (x, y) in [(1, 2)] { print(x, y); } for (z) in [1] { print(z); }')).toEqual([]);
  expect(body('x = 1; y = `a/${x}: b`; print(y);')).toEqual([
    'E0105 `a/${x}: b` (a formatted text is written `f"… {x} …"`)',
  ]);
  expect(body('for x of [1] { print(x); }')).toEqual(['E0110 of (write `for x in …`)']);
  expect(body('f = print; let {a, b} = f;')).toEqual(['E0110 {a, b} (take each member by itself: `a = value.a;`)']);
  expect(body('const x = 1; print(x);')).toEqual([
    'E0120  (a variable is declared by its first value, without `const`)',
  ]);
  expect(body('a = 1; if a === 1 { print(a); }')).toEqual(['W0134 ===']);
  expect(body('a = 1; if a = 1 { print(a); }')).toEqual(['E0110 = (equality is written `==`)']);
  expect(body('v = None; print(v ?? 1, 2);')).toEqual(['E0152 ?? (write `v if v is not None else b`)']);
  expect(body('print(int("1") ?? 1);')).toEqual(['E0152 ?? (write `a if a is not None else b`)']);
  expect(told('cl def f { has n: int = 0; return <p onClick={n = 1}>{n}</p>; }')).toEqual([
    'E0110 = (an assignment stands in a function: `lambda { name = value; }`)',
  ]);
  expect(told('cl def f { has n: int = 0; return <p onClick={lambda: n = 1}>{n}</p>; }')).toEqual([
    'E0110 = (an assignment stands in a function: `lambda { name = value; }`)',
  ]);
  expect(told('cl def f { return <p><img src="x"><b>x</b></p>; }')).toEqual([
    'E0170 </p> (an element without content ends with `/>`: `<img />`)',
  ]);
  expect(told('def f(xs: list) -> any { return <p>{if xs { <b/> {for x in xs { <i key={x}/> }} }}</p>; }')).toContain(
    'E0112 for (inside of a block a statement stands without braces around it)',
  );
  expect(told('def f(x: str) -> any { return <p>{if x { <b/> {x} <i>y</i> }}</p>; }')).toContain(
    'E0112 / (inside of a block only elements are shown: put texts and values in braces into one, or into `<>…</>`)',
  );
  const markup = (text: string) => told(`cl def f(x: int) -> any { return ${text}; }\ncl def g { return <i/>; }`);
  expect(
    markup(
      '<p>{if x { {if x > 1 { <b>{x}</b> } else { <i>{x}</i> }} <hr/> } else { {for i in [x] { <u key={i}/> }} }}</p>',
    ),
  ).toEqual([
    'E0112 if (inside of a block a statement stands without braces around it)',
    'E0112 for (inside of a block a statement stands without braces around it)',
  ]);
  expect(markup('<p>{x</p>')).toEqual(['E0104 <p (a `{` before `</p>` has no `}`)']);
  expect(markup('<b onClick={lambda { print(x); }>{x}</b>')).toEqual(['E0104 <b (`}` is missing)']);
  expect(markup('<b id="a"')).toEqual(['E0104 <b (`>` is missing)']);
  expect(markup('<p><b>{x}</p>')).toEqual(['E0170 </p>']);
  expect(markup('<p><p>{x}</p>')).toEqual(['E0104 <p (`</p>` is missing)']);
  expect(markup('<p>{"a}</p>')).toEqual(['E0100 "a}</p>; }']);
  expect(markup('<p>{if x: <b/>}</p>')).toEqual(['E0110 : (a block is written in braces: `{ … }`)']);
  expect(markup('<p id=x>{x}</p>')).toEqual(['E0110 x (write `id="…"` or `id={…}`)']);
  expect(markup('<p id="a", title="b">{x}</p>')).toEqual(['E0110 , (blanks stand between attributes)']);
  expect(markup('<p title="a "b"">{x}</p>')[0]).toContain('stands in those of the other kind');
  expect(markup('<p style={color: "red"}>{x}</p>')).toEqual(['E0110 : (a dict has braces of its own: `style={{…}}`)']);
  expect(markup('<p className={`a ${x}`}>{x}</p>')[0]).toContain('a formatted text is written');
  expect(markup('<b>{x}</b><i/>')[0]).toBe('E0120  (elements beside each other stand in one: `<>…</>`)');
  expect(markup('(<b>{x}</b> <i/>)')).toEqual(['E0110 < (elements beside each other stand in one: `<>…</>`)']);
  expect(markup('<b onClick={async lambda { print(x); }}/>')).toEqual([
    'E0112 async (write `lambda` alone: one whose body waits is asynchronous)',
  ]);
  expect(body('x = print({"a": async lambda t: str -> any { r = t; return r; }, "b": lambda { print(1); }});')).toEqual(
    ['E0112 async (write `lambda` alone: one whose body waits is asynchronous)'],
  );
  expect(markup('<b onClick={lambda: { print(x); }} id={lambda: {"a": 1}} />')).toEqual([
    'E0110 : (statements stand without `:` in `lambda { … }`)',
  ]);
  expect(body('function go(x) { print(x); } go(1);')).toEqual(['E0110 function (a function begins with `def`)']);
  expect(body('throw ValueError("x");')).toEqual(['E0110 throw (an exception is raised: `raise …`)']);
  expect(body('for x in [1] { unless x { print(x); } }')).toEqual(['E0110 unless (write `if not …`)']);
  expect(body('x = 0; until x { x = 1; }')).toEqual(['E0110 until (write `while not …`)']);
  expect(body('foreach x in [1] { print(x); }')).toEqual(['E0110 foreach (a loop is written `for x in … { … }`)']);
  expect(body('until = print; until("x"); throw = 1; print(throw);')).toEqual([]);
  expect(body('print([i for i in [1] if i else 0]);')).toEqual([
    'E0110 else (a choice stands before `for`: `[a if c else b for x in …]`)',
  ]);
  expect(told('def f(a int, b: int) -> int { return a + b; }')[0]).toBe('E0110 int (write `a: int`)');
  expect(told('def f(str a) -> str { return a; }')[0]).toBe('E0110 a (write `a: str`)');
  expect(told('def f() => int { return 1; }')[0]).toBe('E0110 => (the type of the result is written `-> T`)');
  expect(told('node A { has name: str, }')[0]).toBe('E0113 } (nothing stands behind this `,`)');
  expect(body('print(1); // one\n')).toEqual(['E0112 // (a comment begins with `#`)']);
  expect(body('print(“a”);')).toEqual(['E0105 “ (texts stand in `"…"`)']);
  expect(told('def f(): list[int] { return [1]; }')).toEqual([
    'E0110 : (the type of the result is written `-> list[int]`)',
  ]);
  expect(told('class A:\n    has x: int = 1;\n')).toEqual(['E0110 : (a block is written in braces: `{ … }`)']);
});

test('words of the language, misspelt or in the wrong place', () => {
  expect(told('with entyr { print(1); }')).toEqual(['E0110 entyr (did you mean `entry`?)']);
  expect(told('walker W { def go with Root entry { print(1); } }')).toEqual([
    'E0110 with (an ability reads `can name with T entry { … }`)',
  ]);
  expect(told('walker W { cna go with Root entry { print(1); } }')).toEqual(['E0120  (did you mean `can`?)']);
  expect(body('vist [-->]; x = Flase;')).toContain('E0301 vist (did you mean `visit`?)');
  expect(body('x = Flase;')).toEqual(['E0301 Flase (did you mean `False`?)']);
});

test('declarations and events as other languages have them', () => {
  const ability = (event: string) => told(`walker W { can go ${event} { print(1); } }`);
  for (const event of ['with entry(Root)', 'entry with Root', 'on Root entry'])
    expect(ability(event)[0]).toContain('an ability reads `can name with T entry { … }`');
  expect(ability('with Root entry, Node entry')[0]).toContain('several types are written `A | B`');
  expect(ability('with Root or Node entry')).toEqual(['W0531 Node (write `Root | Node`)']);
  expect(told('with entry() { print(1); }')[0]).toContain('write `with entry { … }`');
  expect(told('walker W :public { }')).toEqual(['E0110 :public (the tag stands before the name: `walker:pub W`)']);
  expect(told('pub walker W { }')[0]).toContain('`walker:pub W { … }`');
  expect(told('obj A extends B { } obj B { }')[0]).toContain('bases stand in parentheses: `Name(Base)`');
  expect(told('obj A { has str name; }')).toEqual(['E0110 name (write `has name: str;`)']);
  expect(told('obj A { has name str; }')).toEqual(['E0110 str (write `has name: str;`)']);
  expect(told('obj A { has l: str or None = None; }')).toEqual(['E0110 or (a union of types is written `A | B`)']);
  expect(told('obj A { has l: str[] = []; }')[0]).toContain('`list[T]`');
  expect(told('obj A { area() -> int { return 1; } }')[0]).toContain('a function begins with `def`');
  expect(told('enum E { A: 1, B: "b" }')).toEqual(['E0110 : (a member and its value are written `NAME = value`)']);
  expect(told('enum E { A: int = 1, B }')).toEqual([]);
  expect(told('def f(a: int = 1, b: int, *, c: int) { print(a, b, c); }')).toEqual(['E0522 b']);
});

test('edges, filters and statements', () => {
  const walker = (text: string) => told(`edge R { } node N { } walker W { can go with Root entry { ${text} } }`);
  expect(walker('visit [-->:R:->];')).toEqual(['E0110 : (edges of a type are written `[->:T:->]`)']);
  expect(walker('visit [-->[?N]];')).toEqual(['E0110 ] (a type is written `[?:T]`)']);
  expect(walker('visit [->:R:w = 1:->];')).toEqual(['E0110 = (equality is written `==`)']);
  expect(walker('here ++> N;')).toEqual(['W0533 N (write `N(…)`)']);
  expect(walker('disengage();')).toEqual(['E0301 disengage (write `disengage;`)']);
  expect(walker('w = spawn root W();')).toEqual(['E0120  (the place stands first: `root spawn W()`)']);
  expect(body('d = {"a" = 1};')).toEqual(['E0110 = (an entry is written `key: value`)']);
  expect(body('print(end: "x");')).toEqual(['E0110 : (an argument is named by `name=value`)']);
  expect(body('int n = 1;')).toEqual(['E0120  (a variable with a type is written `n: int = …`)']);
  expect(body('a = 1; if a <> 2 { print(a); }')).toEqual(['E0112 > (inequality is written `!=`)']);
  expect(body('match 1 { case 1 => print(1); }')[0]).toContain('a case reads `case x: …`');
});

test('names that are not defined', () => {
  expect(body('print(sqrt(4), json.dumps({n: 1}), string.digits);')).toEqual([
    'E0301 sqrt (write `import from math { sqrt }`)',
    'E0301 json (write `import json;`)',
    'E0301 n (keys are expressions: write `"n"`)',
    'E0301 string (write `import string;`)',
  ]);
  expect(told('obj A { has x: string; has n: int = 0; def f { this.n = 1; print(n); f(); } }')).toEqual([
    'E0301 string (write `str`)',
    'E0301 this (write `self`)',
    'E0301 n (did you mean `self.n`?)',
    'E0301 f (did you mean `self.f`?)',
  ]);
});

/** Statements of a function of `x` and `y` in the habits of other languages, and what is said: once, with what to write. */
const habits: readonly (readonly [text: string, told: string])[] = [
  ['x?.(1);', 'E0113 ( (write `f(…) if f is not None else None`)'],
  ['print(x?.[0]);', 'E0113 [ (write `x?[…]`)'],
  ['x ??= 1;', 'E0110 x ?? (write `if x is None { x = …; }`)'],
  ['x ||= 1;', 'E0110 x || (write `x = x or …;`)'],
  ['y = /a+/g; print(y);', 'E0112 / (a pattern is a text of `re`: `re.compile(r"…")`)'],
  [
    'outer: for i in x { print(i); }',
    'E0112 for (loops have no labels: where one ends several, they stand in a function that returns)',
  ],
  [
    'while x { break outer; }',
    'E0120  (loops have no labels: where one ends several, they stand in a function that returns)',
  ],
  ['y = function(a) { return a; };', 'E0120  (a function without a name reads `lambda (a: any) { … }`)'],
  ['x.map(function(a) { return a; });', 'E0110 { (a function without a name reads `lambda (a: any) { … }`)'],
  ['print(x!.name);', 'E0110 ! (write the value alone: nothing says that it is not `None`)'],
  ['y = x!;', 'E0120  (write the value alone: nothing says that it is not `None`)'],
  ['y = [1] as const;', 'E0301 const (leave out `as const`: what must not change is a tuple or an enum)'],
  ['y = `plain`;', 'E0120  (a text stands in `"…"`, with values in it in `f"… {x} …"`)'],
  ['if typeof x === "a" { print(1); }', 'E0110 x (write `type(x)`, or ask `isinstance(x, T)`)'],
  ['if (x instanceof int) { print(1); }', 'E0110 instanceof (write `isinstance(x, T)`)'],
  ['y = void 0;', 'E0120  (write `None`)'],
  ['y = x >>> 1;', 'E0112 > (ints have no width: `>>` is the only shift to the right)'],
  ['y = 10n;', 'E0120  (ints have any size: write it without `n`)'],
  ['y = 1 // of them', 'E0120  (a comment begins with `#`)'],
  ['/* a\n b */ print(x);', 'E0112 / (a comment over several lines is written `#* … *#`)'],
  [
    'for i in 0..3 { print(i); }',
    'E0113 .3 (numbers from one to another are `range(a, b)`, a part of a list is `xs[a:b]`)',
  ],
  ['if (x) return 1;', 'E0110 return (a block is written in braces: `{ … }`)'],
  ['if (x) y = 1; else y = 2;', 'E0110 y (a block is written in braces: `{ … }`)'],
  ['if (x) y = 1; else if (y) y = 2; else y = 3;', 'E0110 y (a block is written in braces: `{ … }`)'],
  ['while x { if (x) y = 1; else y = 2; }', 'E0110 y (a block is written in braces: `{ … }`)'],
  ['while (x) print(y);', 'E0110 print (a block is written in braces: `{ … }`)'],
  ['    if x:\n        print(1)\n    else:\n        print(2)\n', 'E0110 : (a block is written in braces: `{ … }`)'],
  [
    '    try:\n        x()\n    except ValueError as e:\n        print(e)\n',
    'E0110 : (a block is written in braces: `{ … }`)',
  ],
  ['return 1 if y else 2;\n  if (x)\n    y = 3;', 'E0110 y (a block is written in braces: `{ … }`)'],
  ['self.#x = 1;\n', 'E0113 } (`#` begins a comment: a field of a class alone is `has:priv x`)'],
  ['if x { pass }', 'W0135 pass'],
  ['x->y();', 'E0120  (a member is written `x.name`)'],
  ['loop { print(x); }', 'E0120  (write `while True { … }`)'],
];
test.each(habits)('habits of other languages: %s', (text, wanted) => {
  expect(told(`def f(x: any, y: any) -> any {\n${text}\n}\nwith entry { f(1, 2); }`)).toEqual([wanted]);
});

test.each([
  ['obj A { get x() { return 1; } }', 'E0120  (a property reads `has x: T { getter { … } setter(value: T) { … } }`)'],
  [
    'class A { private m() { return 1; } }',
    'E0120  (a field reads `has:priv x: int;`, a method `def:priv name(…) { … }`)',
  ],
  ['class A { static m() { return 1; } }', 'E0110 static (a method reads `static def name(…) { … }`)'],
  ['abstract class A { }', 'E0120  (a method without a body is abstract: `def name() abs;`)'],
  ['enum A { X; Y; }', 'E0110 ; (commas stand between members)'],
  ['function* f() { yield 1; }', 'E0120  (a function begins with `def`)'],
  [
    'def f(a: int, b?: int) { print(a); }',
    'E0110 ? (a parameter that may be left out has a default: `b: int | None = None`)',
  ],
  ['def f<T>(a: T) { print(a); }', 'E0110 < (parameters of types stand in brackets: `def f[T](x: T)`)'],
  ['def f(a: int):\n  b = a\n  return b\n', 'E0110 : (a block is written in braces: `{ … }`)'],
  [
    'import type { A } from "node:fs";\ndef f(a: A) { print(a); }',
    'E0110 import type { A } from "node:fs" (write `import type from "node:fs" { A }`)',
  ],
  [
    'cl { namespace N { glob x: int = 1; } }',
    'E0110 namespace (a file is a namespace: put these declarations into one of their own, and import them from there)',
  ],
  [
    'declare const there: string;',
    'E0110 declare (a name of the browser needs no declaration: one that scripts of the page make is `globalThis.name`)',
  ],
  [
    'let [a, b] = f();\ndef f -> any { return [1, 2]; }',
    'E0202 let [a, b] = f(); (a value is taken apart by name: `glob pair = f(); glob a = pair[0];`)',
  ],
  ['// what is here\ndef f { }', 'E0110 // (a comment begins with `#`)'],
])('habits of other languages in declarations: %s', (text, wanted) => {
  expect(told(text)).toEqual([wanted]);
});

test('augmented assignments to what has no value', () => {
  const walker = (text: string) => told(`walker W { has count: int = 0; can go with Root entry { ${text} } }`);
  expect(walker('count += 1;')).toEqual(['E0301 count (did you mean `self.count`?)']);
  expect(walker('self.cuont += 1;')).toEqual(['E0413 cuont']);
  expect(walker('count = 0; count += 1; self.count += 1;')).toEqual([]);
  expect(told('with entry { n = 0; } def f { n += 1; }')).toEqual([
    'E0301 n (for the variable of the module write `global n;`)',
  ]);
  expect(told('glob n: int = 0; def f { n += 1; } def g(n: int) { n += 1; }')).toEqual([]);
  expect(told('def f { for i in [1] { i += 1; } def g { nonlocal i; i += 1; } g(); }')).toEqual([]);
});

test('arguments and fields that are spelt nearly like what is there', () => {
  expect(told('def f(times: int = 1) { print(times); } with entry { f(tims=2); }')).toEqual([
    'E0412 tims=2 (did you mean `times`?)',
  ]);
  const types = 'node N { } edge R { has km: int; has toll: bool = False; }';
  const connect = (text: string) => told(`${types} with entry { a = N(); b = N(); ${text} }`);
  expect(connect('a +>: R(1) : toll=True :+> b; a +>: R(km=1) :+> b; print([a ->:R:->]);')).toEqual([]);
  expect(connect('a +>: R : km=1 :+> b;')).toEqual(['E0412 R (give it in parentheses: `R(km=…)`)']);
  expect(connect('a +>: R(1) : tol=True :+> b;')).toEqual(['E0413 tol']);
  expect(connect('a +>: N() :+> b; print([a ->:N:->]);')).toEqual(['W0533 N()', 'W0533 N']);
});

test('`break`, `continue` and `yield` where nothing takes them', () => {
  expect(body('break;')).toEqual(['E0121 break;']);
  expect(told('def f { if True { continue; } for i in [1] { f = lambda { break; }; f(); } }')).toEqual([
    'E0121 continue;',
    'E0121 break;',
  ]);
  expect(told('def f { switch 1 { case 1: break; } while True { switch 1 { default: continue; } } }')).toEqual([]);
  expect(told('def f { for i in [1] { print(i); } else { break; } }')).toEqual(['E0121 break;']);
  expect(body('yield 1;')).toEqual(['E0121 yield 1']);
  expect(told('def f { yield 1; x = lambda { yield 2; }; x(); } test "a" { print(f()); }')).toEqual([]);
});

test('options of endpoints with which a start is refused', () => {
  const rest = (options: string, kind = 'walker') => {
    const { project, names, types } = front(`@restspec(${options}) ${kind} W { has id: int = 0; }`);
    runRules(project, names, types, { mode: 'check' });
    return project
      .diagnostics()
      .map(({ code, message, help }) => `${code} ${message}${help === undefined ? '' : ` (${help})`}`);
  };
  expect(rest('method=HTTPMethod.GET, path="/w/{id}"').filter((line) => !line.startsWith('E0301'))).toEqual([]);
  expect(rest('metod="GET"')).toEqual([
    'E0412 unknown argument `metod` in call of `restspec` (did you mean `method`?)',
  ]);
  expect(rest('method="FETCH"')).toEqual(['E0528 W: unsupported method FETCH (GET, POST, PUT, PATCH or DELETE)']);
  expect(rest('method="psot"')).toEqual([
    'E0528 W: unsupported method PSOT (GET, POST, PUT, PATCH or DELETE) (did you mean `"POST"`?)',
  ]);
  expect(rest('protocol="websoket"')).toEqual([
    'E0528 W: unsupported protocol WEBSOKET (HTTP, WEBHOOK or WEBSOCKET) (did you mean `"WEBSOCKET"`?)',
  ]);
  // An enumeration that is named lacks the member, and that is the error.
  expect(rest('protocol=APIProtocol.WEBSOKET')).toEqual([
    'E0413 `APIProtocol` has no attribute `WEBSOKET` (did you mean `WEBSOCKET`?) (`APIProtocol` has HTTP, WEBHOOK and WEBSOCKET)',
  ]);
  expect(rest('path="/w/{di}"')).toEqual(['E0528 W: invalid path /w/{di} ({di} is not a declared field)']);
  expect(rest('path="w"')).toEqual(['E0528 W: invalid path w (it must start with /)']);
  expect(rest('broadcast=True')).toEqual(['E0528 W: broadcast requires protocol WEBSOCKET']);
  expect(rest('protocol=APIProtocol.WEBSOCKET')).toEqual(['E0528 W: a WEBSOCKET walker must be async']);
  expect(rest('protocol=APIProtocol.WEBSOCKET, broadcast=True', 'async walker')).toEqual([]);
  const hook = (options: string) => rest(`protocol=APIProtocol.WEBHOOK, ${options}`);
  expect(hook('verify="stripe", secret="${STRIPE_SECRET}", envelope=False')).toEqual([]);
  expect(hook('verify="none"')).toEqual([]);
  expect(hook('verify="githb", secret="${S}"')).toEqual([
    'E0528 W: unknown verify githb (known: github, stripe, slack, standard, none)',
  ]);
  expect(hook('verify="slack"')).toEqual(['E0528 W: verify slack needs secret="${NAME}", the variable that has it']);
  expect(hook('verify="slack", secret="whsec_1"')).toEqual([
    'E0528 W: secret must name the variable that has it, secret="${NAME}", not hold it',
  ]);
  expect(hook('verify="none", secret="${S}"')).toEqual(['E0528 W: verify none takes no secret']);
  expect(hook('secret="${S}"')).toEqual(['E0528 W: secret needs verify']);
  expect(hook('envelope=False')).toEqual([
    'E0528 W: envelope=false applies to functions, and to webhooks with verify, only',
  ]);
  expect(rest('verify="github", secret="${S}"')).toEqual(['E0528 W: verify requires protocol WEBHOOK']);
});
