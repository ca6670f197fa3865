import { expect, test } from 'vitest';
import { front } from '../front-testing.ts';
import type { LocalBinding } from './names.ts';

/** Sort (and role) of what a name refers to, at its `count`th occurrence as a NameRef. */
function meaning(text: string, name: string, count = 1): string {
  const { names, node } = front(text).module();
  const binding = names.binding(node('NameRef', name, count));
  return 'role' in binding ? `${binding.sort} ${binding.role}` : binding.sort;
}

function local(text: string, name: string, count = 1): LocalBinding {
  const { names, node } = front(text).module();
  const binding = names.binding(node('NameRef', name, count));
  if (binding.sort !== 'local') throw new Error(`${name} is ${binding.sort}`);
  return binding;
}

const codes = (text: string): readonly string[] => front(text).codes();
const helps = (text: string) =>
  front(text)
    .project.diagnostics()
    .map((one) => one.help);

test('an assignment binds a glob, an enclosing local, or a new local', () => {
  expect(meaning('glob n = 0; def inc { n += 1; }', 'n')).toBe('module glob');
  expect(meaning('glob n = 0; def sh { n: int = 50; n += 1; }', 'n', 2)).toBe('local local');
  expect(meaning('def f { x = 1; }', 'x')).toBe('local local');
  const inner = local('def f { x = 1; def g { x += 10; } g(); }', 'x', 2);
  expect(inner.scope.node.kind).toBe('FunctionDecl');
  expect(inner).toMatchObject({ captured: true, assignedInside: true, reassigned: true });
  expect(local('def f { x = 1; g = lambda { return x; }; }', 'x')).toMatchObject({
    captured: true,
    assignedInside: false,
    reassigned: false,
  });
});

test('functions, types and entry variables are not rebound by an assignment', () => {
  expect(meaning('def g { } def f { g = 1; }', 'g')).toBe('local local');
  expect(meaning('with entry { v = 1; } def f { v = 2; }', 'v', 2)).toBe('local local');
  expect(meaning('with entry { v = 1; } def f { print(v); }', 'v', 2)).toBe('module entry');
  expect(meaning('with entry { v = 1; } def f { global v; v = 2; }', 'v', 2)).toBe('module entry');
});

test('what always binds a local', () => {
  for (const body of [
    'for n in [1] { n; }',
    'try { } except Exception as n { n; }',
    'with open("x") as n { n; }',
    'match 1 { case n: n; }',
    'let n = 1; n;',
    'n: int = 1; n;',
    'import math as n; n;',
    'def n { } n;',
    'for n = 0 to n < 3 by n += 1 { n; }',
  ]) {
    expect([body, meaning(`glob n = 0; def f { ${body} }`, 'n').split(' ')[0]]).toEqual([body, 'local']);
  }
});

test('comprehension targets are local to the comprehension, a walrus is not', () => {
  const { names, node } = front('def f { xs = [x for x in [1]]; return x; }').module();
  expect(names.binding(node('NameRef', 'x', 1))).toMatchObject({ sort: 'local', scope: { kind: 'comprehension' } });
  expect(names.binding(node('NameRef', 'x', 3))).toMatchObject({ sort: 'unresolved' });
  expect(local('def f { ys = [last := y for y in [1]]; return last; }', 'last').scope.kind).toBe('function');
});

test('the class body is no scope for its methods', () => {
  expect(meaning('obj A { enum C { X } has c: C; }', 'C')).toBe('local type');
  expect(meaning('obj A { enum C { X } def m { return C; } }', 'C')).toBe('unresolved');
  expect(meaning('obj A { has x: int; def m { return x; } }', 'x')).toBe('unresolved');
});

test('declarations are hoisted', () => {
  expect(codes('with entry { f(); A(); } def f { g(); } def g { } obj A { }')).toEqual([]);
});

test('undefined names, with the nearest one or the right spelling', () => {
  expect(codes('def f { return undefined_thing; }')).toEqual(['E0301 1:16']);
  expect(helps('glob counter = 0; def f { return conter; }')).toEqual(['did you mean `counter`?']);
  expect(helps('with entry { a = true; }')).toEqual(['write `True`']);
  expect(helps('with entry { a = null; }')).toEqual(['write `None`']);
  expect(codes('def f(x: Missing) -> int { return 1; }')).toEqual(['E0301 1:10']);
  expect(codes('def f(x: "Missing") { }')).toEqual([]);
});

test('one undefined name is reported once in a function', () => {
  expect(codes('def f { a(); a(); a(); } def g { a(); }')).toHaveLength(2);
});

test('late typed declarations, await outside async, missing built-ins', () => {
  expect(codes('glob n = 0; def f { print(n); n: int = 1; }')).toEqual(['E0302 1:31']);
  expect(codes('def f { n = 0; n: int = 1; }')).toEqual([]);
  expect(codes('def f { n = 0; n: int = 1; } with entry { n = 5; }')).toEqual([]);
  expect(codes('def f { print(n); n: int = 1; } with entry { n = 5; }')).toEqual(['E0302 1:19']);
  expect(codes('def f { n = 1; def g { n = 0; n: int = 1; } } with entry { n = 5; }')).toEqual(['E0302 1:31']);
  expect(codes('def f { await g(); } async def g { } with entry { await g(); }')).toEqual(['E0310 1:9']);
  expect(codes('walker W { can a with entry { await self.b(); } async def b { } }')).toEqual(['E0310 1:31']);
  expect(codes('with entry { eval("1"); }')).toEqual(['E0905 1:14']);
});

test('clauses of `except*` come to their end', () => {
  const clause = (text: string) => codes(`def f { for i in [1] { try { } except* ValueError { ${text} } } }`);
  expect(clause('return;')).toEqual(['E0110 1:53']);
  expect(clause('if i { break; }')).toEqual(['E0110 1:60']);
  expect(clause('continue;')).toEqual(['E0110 1:53']);
  expect(clause('try { } except E { return 1; }')).toHaveLength(2);
  expect(clause('for j in [1] { if j { break; } continue; } switch i { case 1: break; }')).toEqual([]);
  expect(clause('def g { return 1; }')).toEqual([]);
  expect(codes('def f { try { } except* OSError { } return; }')).toEqual([]);
  expect(codes('walker W { can a with entry { try { } except* OSError { disengage; } } }')).toEqual(['E0110 1:57']);
});

test('break and continue need a loop, yield a function', () => {
  expect(codes('def f { break; } with entry { continue; }')).toEqual(['E0121 1:9', 'E0121 1:31']);
  expect(codes('def f { for x in [] { def g { break; } } }')).toEqual(['E0121 1:31']);
  expect(codes('def f { for x in [] { } else { break; } }')).toEqual(['E0121 1:32']);
  expect(codes('def f { while True { if True { break; } else { match 1 { case 1: continue; } } } }')).toEqual([]);
  expect(codes('def f { switch 1 { case 1: break; } switch 2 { case 2: continue; } }')).toEqual(['E0121 1:56']);
  expect(codes('def f { for x in [] { switch 1 { case 1: continue; } } }')).toEqual([]);
  expect(codes('with entry { yield 1; } test "t" { x = yield; }')).toEqual(['E0121 1:14', 'E0121 1:40']);
  expect(codes('glob a = (yield 1); enum E { B = (yield 1) } def f(c=(yield 1)) { }')).toHaveLength(3);
  expect(codes('def f { yield 1; g = lambda : (yield 2); }')).toEqual([]);
  expect(
    codes('walker W { can a with entry { def f { yield 1; } yield 3; } async can b with exit; } impl W.b { yield; }'),
  ).toEqual(['E0110 1:50', 'E0110 1:97']);
  expect(
    codes(
      'obj A { has p: int { getter { yield 1; } setter { yield 2; } } def init { yield 3; } def m { yield; } } def init { yield 4; }',
    ),
  ).toEqual(['E0110 1:51', 'E0110 1:75']);
});

test('props, here and visitor are variables where they are assigned', () => {
  expect(codes('def f { props = {}; visitor = 1; [here for here in [props, visitor]]; }')).toEqual([]);
  expect(codes('walker W { can a with Root entry { here = here ++> N(); } } node N { }')).toEqual([]);
  expect(meaning('glob props = 1; def f { return props; }', 'props')).toBe('module glob');
});

test('self and root are assigned only as parameters', () => {
  expect(codes('with entry { root = 1; for (root, x) in [] { } }')).toEqual(['E0110 1:14', 'E0110 1:29']);
  expect(codes('obj A { def m { self = 1; } } def f { [root for root in []]; }')).toEqual(['E0110 1:17', 'E0110 1:49']);
  expect(codes('def f(here: int, visitor: int) { here = 1; visitor += 1; for here in [] { } }')).toEqual([]);
  expect(codes('with entry { `root = 1; print(`root); }')).toEqual([]);
  expect(helps('def f { root = 1; }')).toEqual(['a variable of that name is written `` `root ``']);
});

test('duplicates', () => {
  expect(codes('def f { } def f { }')).toEqual(['W0203 1:15']);
  expect(codes('obj A { } class A { } def A { }')).toEqual(['W0203 1:17', 'W0203 1:27']);
  expect(codes('obj A { } obj A(A) { }')).toEqual(['E0203 1:15']);
  expect(codes('glob on: any = 1; @on class A { } class A(A) { }')).toEqual(['E0203 1:41']);
  expect(codes('enum A { X } enum A { Y }')).toEqual(['E0203 1:19']);
  expect(codes('glob on: any = 1; @on(1) def f { } @on(2) def f { } @on(3) obj A { } obj A { }')).toEqual([]);
  expect(codes('glob on: any = 1; def f { } @on(2) def f { } @on(3) node A { } node A { }')).toEqual([
    'W0203 1:40',
    'E0203 1:69',
  ]);
  expect(codes('obj A { } node A { }')).toEqual(['E0203 1:16']);
  expect(codes('cl def f { } sv def f { }')).toEqual([]);
  expect(codes('import json; def json { }')).toEqual(['W0204 1:18']);
});

test('ambient names and their aliases', () => {
  const { names, node } = front('with entry { jid(root); }').module();
  expect(names.binding(node('NameRef', 'jid'))).toEqual({ sort: 'builtin', name: 'oid' });
  expect(codes('with entry { jid = 1; print(jid); }')).toEqual([]);
});

test('a legacy root type', () => {
  const { names, node } = front('walker W { can a with `root entry { } }').module();
  expect(names.binding(node('NameRef', '`root'))).toEqual({ sort: 'builtin', name: 'Root' });
});

test('impl joins functions, methods, abilities, accessors, archetypes, enums and nested functions', () => {
  const text = `
obj A; def f(x: int) -> int; enum E;
impl A { has n: int = 0; def m -> int; can go with entry; has area: int { getter; } }
impl A.m { return self.n; }
impl A.area.getter { return 1; }
impl f { return x; }
impl E { RED = "r", GREEN }
impl A.go with entry { }
def outer { def inner(a: int); return inner; }
impl outer.inner { print(a); }`;
  const { names, decl, module } = front(text).module();
  expect(module.reporterOf(module.source).sorted()).toEqual([]);
  for (const name of ['A', 'f', 'm', 'E', 'go', 'inner'])
    expect([name, names.implOf(decl(name)) !== undefined]).toEqual([name, true]);
  const joined = names.implOf(decl('f'))!;
  expect(joined.signature?.params[0]?.name?.text).toBe('x');
  expect(names.scope(joined.impl)).toBe(names.scope(decl('f')));
});

test('impl errors', () => {
  expect(codes('impl f { }')).toEqual(['E0501 1:6']);
  expect(codes('def f { } impl f { }')).toEqual(['W0504 1:16']);
  expect(codes('obj A { } impl A { } obj B { def m abs; } impl B.m { }')).toEqual(['E0203 1:16', 'E0203 1:48']);
  const twice = {
    'main.svc': 'glob a = 1;\ndef f -> int;',
    'main.impl.svc': '\nimpl f { return 1; }',
    'main.more.impl.svc': 'impl f { return 2; }',
  };
  const [found] = front(twice).project.diagnostics();
  expect([found?.message, found?.related?.map(({ path }) => path)]).toEqual([
    '`f` is already defined at 2:6',
    ['main.impl.svc'],
  ]);
  expect(codes('def f(a: int); impl f(b: int) { return b; }')).toContain('W0503 1:22');
  expect(codes('def f(a: int); impl f(a: int) { return a; }')).toEqual([]);
});

test('an impl in an impl is looked at, too', () => {
  expect(codes('def f; impl f { impl nowhere { } }')).toEqual(['E0501 1:22']);
  expect(codes('obj A; impl A { def m; } impl A.m { def g; } impl A.m.g { }')).toEqual([]);
});

test('an entry block belongs to a type or a module', () => {
  expect(codes('def f; impl f { with entry { } }')).toEqual(['E0110 1:17']);
  expect(codes('def f; impl f { return 1; with entry { } }')).toEqual(['E0110 1:27']);
  expect(codes('obj A; impl A { with entry { } }')).toEqual([]);
});

test('what may be unbound', () => {
  const unbound = (text: string, name = 'x') => {
    const { names, decl } = front(text).module();
    return names.scope(decl('f')).locals.get(name)?.mayBeUnbound;
  };
  expect(unbound('def f(c: bool) { if c { x = 1; } return x; }')).toBe(true);
  expect(unbound('def f(c: bool) { if c { x = 1; } else { x = 2; } return x; }')).toBe(false);
  expect(unbound('def f(c: bool) { if c { x = 1; } else { return 0; } return x; }')).toBe(false);
  expect(unbound('def f(c: bool) { while c { x = 1; } return x; }')).toBe(true);
  expect(unbound('def f { for x in [1] { print(x); } }')).toBe(false);
  expect(unbound('def f { try { x = 1; } except Exception { } return x; }')).toBe(true);
  expect(unbound('def f { try { x = 1; } except Exception { x = 2; } return x; }')).toBe(false);
  expect(unbound('def f { x = 1; del x; }')).toBe(true);
  expect(unbound('def f { match 1 { case 1: x = 1; case _: x = 2; } return x; }')).toBe(false);
  expect(unbound('def f { g = lambda { return x; }; x = 1; }')).toBe(true);
  expect(unbound('def f { x = 1; g = lambda { return x; }; }')).toBe(false);
  expect(unbound('def f(x: int) { return x; }')).toBe(false);
  expect(unbound('def f { return g(); def g { } }', 'g')).toBe(true);
  expect(unbound('def f { if a { def g { } } return g(); }', 'g')).toBe(true);
  expect(unbound('def f { def h { return g(); } def g { } return h(); }', 'g')).toBe(false);
  expect(unbound('def f { class g { def m -> any { return g(); } } return g(); }', 'g')).toBe(false);
});

test('a parameter may take the name of a special reference', () => {
  const { names, node } = front(
    'def f(self: int, here: int) { return self + here; } obj A { def m(self) { return self; } }',
  ).module();
  expect(names.special(node('SpecialRef', 'self', 1))).toMatchObject({ role: 'param' });
  expect(names.special(node('SpecialRef', 'here', 1))).toMatchObject({ role: 'param' });
  expect(names.special(node('SpecialRef', 'self', 2))).toBeUndefined();
});

test('bare except names the exception', () => {
  const text = 'def f { try { g(); } except e { print(e); } } def g { }';
  expect(codes(text)).toEqual(['W0136 1:29']);
  expect(local(text, 'e', 2)).toMatchObject({ role: 'local', decl: { kind: 'ExceptClause' } });
});

test('names of stars and includes', () => {
  const { names, codes: found } = front({
    'main.svc': 'import from a { * } include b; with entry { f(); g(); _h(); }',
    'a.svc': 'def f { } def _h { } import from b { g }',
    'b.svc': 'def g { }',
  });
  expect(found()).toEqual(['E0301 1:55']);
  const g = names.of('main').bindings.get('g')!;
  expect(names.follow(g)).toMatchObject({ role: 'function', module: 'b' });
  const include = front({ 'main.svc': 'include b;', 'b.svc': 'def g { }' });
  const node = include.module().module.tree.body[0]!;
  expect(include.names.of('main').importPlan(node as never)).toMatchObject({ loads: ['b'], stars: [[{ name: 'g' }]] });
});

test('a type on a base from a package leaves the server with the client code that uses it', () => {
  const sides = (rest: string) => {
    const { module, names } = front(
      `import from "react" { Component };\nclass Page(Component) { }\nclass Wide(Page) { }\nobj Kept { }\nobj Sub(Kept) { }\n${rest}`,
    ).module();
    return module.tree.body.slice(0, 5).map((element) => names.isServer(element));
  };
  expect(sides('def:pub app -> JsxElement { return <Wide x={Sub()} />; }')).toEqual([false, false, false, true, true]);
  expect(sides('with entry { print(Wide); }')).toEqual([true, true, true, true, true]);
});

test('type parameters are names in their function or class', () => {
  expect(
    codes(
      'def first[T](xs: list[T]) -> T { y: T = xs[0]; return y; } obj Box[T] { has v: T; def get -> T { return self.v; } }',
    ),
  ).toEqual([]);
});

test('implicit parameters', () => {
  expect(
    codes('obj A { class def make { return cls(); } has v: int { getter { return 1; } setter { print(value); } } }'),
  ).toEqual([]);
});

test('chains of elif longer than the stack is deep', () => {
  const arms = Array.from({ length: 5000 }, (_, i) => `elif x == ${i} { y = ${i}; }`).join('\n');
  expect(codes(`def f(x: int) -> int { if x < 0 { y = 1; } ${arms} else { y = 2; } return y; }`)).toEqual([]);
});

test('a package stays on the server when code at module level uses it', () => {
  const isServer = (rest: string) => {
    const { module, names } = front(`import from "pkg" { f, g };\n${rest}`).module();
    return names.isServer(module.tree.body[0]!);
  };
  expect(isServer('with entry { print(f()); }')).toBe(true);
  expect(isServer('glob x = [g(n) for n in [1]];')).toBe(true);
  expect(isServer('def d(n: int = f()) -> int { return n; }')).toBe(true);
  expect(isServer('test "it" { assert f(); }')).toBe(true);
  expect(isServer('with entry { print(1); }')).toBe(false);
  expect(isServer('def:pub app -> JsxElement { return <div>{f()}</div>; }')).toBe(false);
  const { module, names } = front('with entry { print(f()); }\nimport from "pkg" { f };').module();
  expect(names.isServer(module.tree.body[1]!)).toBe(true);
});
