import { expect, test } from 'vitest';
import { compileFiles, lines, run } from './testing.ts';

test('imports run in textual order, modules once', async () => {
  const printed = await lines({
    'main.svc': `
      glob first = 1;
      with entry { print("main start"); }
      import from lib { add, total, Point }
      import lib;
      import util.text as t;
      import from .util.text { shout }
      with entry { print(add(1, 2), total, Point(3), lib.add(5, 5), t.shout("a"), shout("b"), lib.total); }`,
    'lib.svc': `
      glob total = 10;
      import util.text;
      with entry { print("lib"); total += 1; }
      def add(a: int, b: int) -> int { return a + b; }
      obj Point { has x: int; }`,
    'util/text.svc': `with entry { print("text"); } def shout(s: str) -> str { return s.upper() + "!"; }`,
  });
  expect(printed).toEqual(['main start', 'text', 'lib', '3 11 Point(x=3) 10 A! B! 11']);
});

test('an imported glob is a copy, functions are live', async () => {
  const printed = await lines({
    'main.svc': `
      import from lib { counter, bump }
      import lib;
      with entry { bump(); bump(); print(counter, lib.counter); }`,
    'lib.svc': 'glob counter = 0; def bump { counter += 1; }',
  });
  expect(printed).toEqual(['0 2']);
});

test('include and star imports', async () => {
  const printed = await lines({
    'main.svc': `
      include lib;
      import from other { * }
      with entry { print(value, helper(2), _hidden if False else "ok", two()); }`,
    'lib.svc': 'glob value = 5, _hidden = 1; def helper(x: int) -> int { return x * value; }',
    'other.svc': 'def two -> int { return 2; }',
  });
  expect(printed).toEqual(['5 10 ok 2']);
});

test('cyclic imports find functions and classes', async () => {
  const printed = await lines({
    'main.svc': `
      import from a { start }
      with entry { print(start(3)); }`,
    'a.svc': `
      import from b { pong }
      obj A { has n: int; }
      def start(n: int) -> str { return pong(n); }`,
    'b.svc': `
      import from a { start, A }
      glob made = A(7);
      def pong(n: int) -> str { return "done " + str(made.n) if n == 0 else start(n - 1); }`,
  });
  expect(printed).toEqual(['done 7']);
});

test('imports inside functions', async () => {
  const printed = await lines({
    'main.svc': `
      def f -> int { import from lib { add } import math as m; import lib as l; return add(1, 2) + l.k + int(m.sqrt(16)); }
      with entry { print("before"); print(f()); print(f()); }`,
    'lib.svc': 'with entry { print("lib"); } glob k = 10; def add(a: int, b: int) -> int { return a + b; }',
  });
  expect(printed).toEqual(['before', 'lib', '17', '17']);
});

test('packages, submodules and re-exports', async () => {
  const printed = await lines({
    'main.svc': `
      import pkg.inner.deep;
      import from pkg { thing, Thing as T, inner2 }
      import from pkg.inner { deep as d }
      with entry { print(pkg.inner.deep.f(), thing(), T(1), d.f(), inner2.g()); }`,
    'pkg/__init__.svc': 'import from .impl_ { thing, Thing }',
    'pkg/impl_.svc': 'def thing -> str { return "thing"; } obj Thing { has n: int; }',
    'pkg/inner2.svc': 'def g -> int { return 2; }',
    'pkg/inner/deep.svc': 'def f -> int { return 1; }',
  });
  expect(printed).toEqual(['1 thing Thing(n=1) 1 2']);
});

test('a module that is not available raises when the import executes', async () => {
  const printed = await lines(`
    def f { import numpy; }
    def g { import from numpy { array } }
    with entry { print("ok"); for h in [f, g] { try { h(); } except ImportError as e { print(type(e).__name__, e); } } }`);
  expect(printed[0]).toBe('ok');
  expect(printed[1]).toContain('ModuleNotFoundError module numpy is a CPython package');
  expect(printed.length).toBe(3);
});

test('missing members raise ImportError when the import executes', async () => {
  const ran = await run({ 'main.svc': 'with entry { print(1); } import from lib { nope }', 'lib.svc': 'glob x = 1;' });
  expect(ran.output).toBe('1\n');
  expect(ran.error).toBe("ImportError: cannot import name 'nope' from 'lib'");
});

test('so do missing members of standard modules', async () => {
  const printed = await lines(`
    def late { import from collections { Bag } return Bag; }
    with entry {
      for f in [late, lambda { import from math { tau as whole, half_tau }; return whole; }] {
        try { f(); } except ImportError as e { print(type(e).__name__, e); }
      }
    }`);
  expect(printed).toEqual([
    "ImportError cannot import name 'Bag' from 'collections'",
    "ImportError cannot import name 'half_tau' from 'math'",
  ]);
  const ran = await run({ 'main.svc': 'with entry { print(1); } import from json { nope, dumps }' });
  expect(ran.output).toBe('1\n');
  expect(ran.error).toBe("ImportError: cannot import name 'nope' from 'json'");
  const based = await run('import from collections { Nope } class A(Nope) { } with entry { print(1); }');
  expect(based.error).toBe("ImportError: cannot import name 'Nope' from 'collections'");
});

test('annexes belong to the module', async () => {
  const printed = await lines({
    'main.svc': `
      node N { has name: str; def greet(other: str) -> str; can go with W entry; }
      walker W { can start with Root entry; }
      def f(x: int, y: int = 2) -> int;
      obj Later;
      enum Color;
      obj P { has area: float { getter; } }
      with entry { n = N("a"); root ++> n; print(n.greet("b"), f(1), f(1, y=5), Later(3).twice(), Color.GREEN.value, P().area); root spawn W(); }`,
    'main.impl.svc': `
      impl N.greet(other: str) -> str { return self.name + helper(other); }
      impl N.go { print("at", self.name); }
      impl W.start { visit [-->]; }
      impl f { return x + y; }
      impl Later { has n: int; def twice -> int { return self.n * 2; } }
      impl Color { RED = 1, GREEN }
      impl P.area.getter { return 2.5; }
      def helper(s: str) -> str { return s * 2; }`,
  });
  expect(printed).toEqual(['abb 3 6 6 2 2.5', 'at a']);
});

test('labelled entries and tests are exported', async () => {
  const files = {
    'main.svc':
      'glob n = 1; with entry { print("plain"); } with entry:__main__ { print("main", n); } with entry:job { print("job", n); } test "adds" { x = 1; assert x + n == 2; } test named { assert False, "no"; }',
  };
  const ran = await run(files);
  expect(ran.output).toBe('plain\nmain 1\n');
  expect(ran.module.$entries.map((one: any) => one.label)).toEqual(['job']);
  expect(ran.module.$tests.map((one: any) => one.name)).toEqual(['adds', 'named']);
  ran.module.$tests[0].$run();
  expect(() => ran.module.$tests[1].$run()).toThrow('no');
  const served = await run(files, { entryLabel: undefined, mode: 'serve' });
  expect(served.output).toBe('plain\n');
  expect(served.module.$entries.map((one: any) => one.label)).toEqual(['__main__', 'job']);
  expect(served.module.$tests).toBeUndefined();
});

test('output paths follow module ids', () => {
  const compiled = compileFiles({
    'main.svc': 'import a.b.c;',
    'a/b/c.svc': 'import from ..d { x }',
    'a/d.svc': 'glob x = 1;',
  });
  expect(compiled.modules.map((one) => one.path)).toEqual(['main.mjs', 'a.mjs', 'a/b.mjs', 'a/b/c.mjs', 'a/d.mjs']);
  expect(compiled.modules[3]!.output.code).toContain('from "../d.mjs"');
});

test('blocking diagnostics give no modules', () => {
  const compiled = compileFiles('def f( { }');
  expect(compiled.modules).toEqual([]);
  expect(compiled.diagnostics.some((one) => one.blocking)).toBe(true);
});

test('client code stays out', async () => {
  const ran = await run(`
    cl import from "react" { useState }
    cl def Counter() -> JsxElement { has n: int = 0; return <button>{n}</button>; }
    cl { glob theme = "dark"; }
    def server_only -> int { return 1; }
    with entry { print(server_only()); }`);
  expect(ran.output).toBe('1\n');
  expect(ran.code).not.toContain('react');
  expect(ran.code).not.toContain('theme');
});

test('variables of a module are assigned from another one', async () => {
  const files = {
    'main.svc': `import settings; import from settings { level, show }
      def quiet { settings.debug = None; settings.level += 1; }
      with entry { print(show(), settings.debug); settings.debug = "yes"; settings.made = [1]; print(show(), settings.debug + "!");
        quiet(); print(show(), settings.level, level, settings.made);
        settings.show = lambda -> str { "replaced"; }; print(settings.show()); }`,
    'settings.svc': `glob debug = False, level: int = 1;
      with entry { made = []; }
      def show -> tuple { return (debug, level + 1, made, "on" if debug else "off"); }`,
  };
  expect(await lines(files)).toEqual([
    "(False, 2, [], 'off') False",
    "('yes', 2, [1], 'on') yes!",
    "(None, 3, [1], 'off') 2 1 [1]",
    'replaced',
  ]);
  expect(
    await lines({
      'main.svc': `import settings; import other as o;
        with entry { setattr(settings, "debug", True); for n in ["level", "kind"] { setattr(o, n, n + "!"); } settings.show(); o.show(); print(settings.debug, o.level);
          try { setattr(settings, "level", 5); settings.show(); } except AttributeError { print("no"); } }`,
      'settings.svc': `glob debug = False, level: int = 1; def show { print(debug, level, "on" if debug else "off"); }`,
      'other.svc': `glob level: int = 1, kind = "k"; def show { print(level, kind, level + kind); }`,
    }),
  ).toEqual(['True 1 on', 'level! kind! level!kind!', 'True level!', 'True 5 on']);
  expect((await run('glob level = 1; with entry { print(level); }')).code).not.toContain('$assign');
});

test('components of another module are nothing to the server that imports them', async () => {
  const files = {
    'main.svc': `import from card { Card, LIMIT, THEME, price } include more;
      def:pub app() -> JsxElement { return <Card limit={LIMIT} theme={THEME} more={MORE}/>; }
      with entry { print(price(2)); }`,
    'more.svc': 'glob MORE = 1;',
    'card.svc': `def price(n: int) -> int { return n * 3; }
      glob LIMIT: int = window.innerWidth;
      cl { glob THEME = "dark"; }
      def:pub Card() -> JsxElement { return <p>{price(1)}</p>; }`,
  };
  expect(await lines(files)).toEqual(['6']);
});
