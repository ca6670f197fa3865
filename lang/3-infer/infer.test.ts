import { expect, test } from 'vitest';
import { front, type ModuleFront } from '../front-testing.ts';
import { typeText } from './classes/type-values.ts';

/** Type of an expression as text, with `!` when it is sure. */
function typed(module: ModuleFront, kind: Parameters<ModuleFront['node']>[0], text: string, count = 1): string {
  const type = module.types.of(module.node(kind, text, count) as never);
  return typeText(type) + (type.sure === true ? '!' : '');
}

/** Type of the expression that `r = …` assigns in the entry block; `before` are declarations and statements in front. */
function value(expression: string, statements = '', declarations = ''): string {
  const { module, types } = front(`${declarations}\nwith entry { ${statements} r = ${expression}; }`).module();
  const entry = module.tree.body.find((element) => element.kind === 'EntryBlock')!;
  const last = entry.body.statements[entry.body.statements.length - 1]!;
  if (last.kind !== 'AssignStatement' || last.value === undefined) throw new Error('no value');
  const type = types.of(last.value);
  return typeText(type) + (type.sure === true ? '!' : '');
}

test('literals and operators', () => {
  expect(value('1')).toBe('int!');
  expect(value('1 + 2 * 3')).toBe('int!');
  expect(value('1 / 2')).toBe('float!');
  expect(value('7 // 2')).toBe('int!');
  expect(value('7 // 2.0')).toBe('float!');
  expect(value('2 ** 10')).toBe('int!');
  expect(value('2 ** -1')).toBe('float!');
  expect(value('2 ** n', 'n = 3;')).toBe('int');
  expect(value('-1.5')).toBe('float!');
  expect(value('"a" + "b"')).toBe('str!');
  expect(value('"a" * 3')).toBe('str!');
  expect(value('"%d" % 3')).toBe('str!');
  expect(value('[1] + [2]')).toBe('list[int]!');
  expect(value('[1.0, 2.0]')).toBe('list[float]!');
  expect(value('{"a": 1.5}')).toBe('dict[str, float]!');
  expect(value('(1, "a")')).toBe('tuple[int, str]!');
  expect(value('1 < 2 and not False')).toBe('bool!');
  expect(value('f"{1}"')).toBe('str!');
  expect(value('True + 1')).toBe('int!');
  expect(value('f(1)', '', 'def f(x: any) { return x + 1.0; }')).toBe('any');
  expect(value('f(1, 2)', '', 'def f(a: any, b: any) { return a / b; }')).toBe('any');
});

test('built-in functions', () => {
  expect(value('len("a")')).toBe('int!');
  expect(value('float(3)')).toBe('float!');
  expect(value('f64(3)')).toBe('float!');
  expect(value('u8("3")')).toBe('int!');
  expect(value('(2.0).real')).toBe('float!');
  expect(value('round(2.5)')).toBe('int!');
  expect(value('round(2.5, 1)')).toBe('float!');
  expect(value('max(1, 2.5)')).toBe('float');
  expect(value('max([1, 2])')).toBe('int');
  expect(value('sum([0.5, 1.5])')).toBe('float');
  expect(value('sum(x for x in [1, 2])')).toBe('int');
  expect(value('abs(-1.5)')).toBe('float!');
  expect(value('sorted({"b": 1, "a": 2})')).toBe('list[str]!');
  expect(value('list(map(lambda x: x * 1.5, [1, 2]))')).toBe('list[float]!');
  expect(value('[i for (i, c) in enumerate("ab")]')).toBe('list[int]!');
  expect(value('dict(a=1, b=2)')).toBe('dict[str, int]!');
  expect(value('"a b".split()')).toBe('list[str]!');
  expect(value('"a b".upper()')).toBe('str!');
  expect(value('"a b".split()[0].upper()')).toBe('str');
  expect(value('d.get("a", 0)', 'd = {"a": 1};')).toBe('int');
  expect(value('d.get("a")', 'd = {"a": 1};')).toBe('int | None');
  expect(value('math.sqrt(4)', '', 'import math;')).toBe('float!');
  expect(value('sqrt(4)', '', 'import from math { sqrt }')).toBe('float!');
  expect(value('math.pi', '', 'import math;')).toBe('float!');
  expect(value('divmod(7, 2)')).toBe('tuple[int, int]!');
});

test('variables are followed from place to place', () => {
  expect(value('x', 'x = 1; x = "a";')).toBe('str!');
  expect(value('x', 'x = 1; if c { x = "a"; }', 'glob c = True;')).toBe('str | int!');
  expect(value('total', 'total = 0; for p in [1.5, 2.5] { total += p; }')).toBe('float');
  expect(value('total', 'total = 0; for p in range(3) { total += p; }')).toBe('int!');
  expect(value('x', 'x = 4; x = x / 2;')).toBe('float!');
  expect(value('x', 'x: float = 3;')).toBe('float');
  expect(value('x', 'x: float = 2 ** 100;')).toBe('float');
  expect(value('xs', 'xs = []; xs.append(1.5);')).toBe('list[float]!');
  expect(value('d["a"]', 'd = {}; for w in "a b".split() { d[w] = d.get(w, 0) + 1; }')).toBe('int');
  expect(value('b', '(a, b) = (1, "x");')).toBe('str!');
  expect(value('rest', '[a, *rest] = [1, 2, 3];')).toBe('list[int]!');
  expect(value('x', 'while True { x = 1; break; }')).toBe('int!');
});

test('narrowing', () => {
  const text = (body: string) =>
    front(`obj P { has a: int; } obj Q { has b: int; } def f(p: P | None, v: P | Q | int) { ${body} }`).module();
  expect(typed(text('if p is not None { p; }'), 'NameRef', 'p', 2)).toBe('P');
  expect(typed(text('if p is None { return 1; } p;'), 'NameRef', 'p', 2)).toBe('P');
  expect(typed(text('if p { p; }'), 'NameRef', 'p', 2)).toBe('P');
  expect(typed(text('if not p { return 1; } p;'), 'NameRef', 'p', 2)).toBe('P');
  expect(typed(text('x = p is not None and p.a > 0;'), 'Attribute', 'p.a')).toBe('int');
  expect(typed(text('if isinstance(v, P) { v; } elif isinstance(v, Q) { v; } else { v; }'), 'NameRef', 'v', 2)).toBe(
    'P!',
  );
  expect(typed(text('if isinstance(v, P) { v; } elif isinstance(v, Q) { v; } else { v; }'), 'NameRef', 'v', 4)).toBe(
    'Q!',
  );
  expect(typed(text('if isinstance(v, P) { v; } elif isinstance(v, Q) { v; } else { v; }'), 'NameRef', 'v', 5)).toBe(
    'int',
  );
  expect(typed(text('match v { case P(): v; case _: 1; }'), 'NameRef', 'v', 2)).toBe('P!');
});

test('fields, methods, results', () => {
  const declarations = `
    obj A { has n: int, f: float = 1.0, tags: list[str] = []; def twice -> int { return self.n * 2; } def same { return self.f; } }
    obj B(A) { has extra: str = ""; }
    def make -> B { return B(1); }
    def half(x: int) { return x / 2; }
    def rec(n: int) { if n == 0 { return 0; } return rec(n - 1) + 1; }`;
  expect(value('A(1)', '', declarations)).toBe('A!');
  expect(value('A(1).n', '', declarations)).toBe('int');
  expect(value('make().f', '', declarations)).toBe('float');
  expect(value('B(1).twice()', '', declarations)).toBe('int');
  expect(value('B(1).same()', '', declarations)).toBe('float');
  expect(value('[x for x in A(1).tags]', '', declarations)).toBe('list[str]!');
  expect(value('half(3)', '', declarations)).toBe('float');
  expect(value('rec(3)', '', declarations)).toBe('int');
  expect(value('(lambda (x: int) { x * 2; })(4)')).toBe('int');
});

test('graph expressions', () => {
  const declarations =
    'node T { has title: str, w: float = 0.0; } edge E { has k: float; } walker W { has n: int = 0; can a with Root entry { report 1; } }';
  expect(value('[-->[?:T]]', '', declarations)).toBe('list[T]!');
  expect(value('[-->](?:T)[0].title', '', declarations)).toBe('str');
  expect(value('[t.w for t in [-->][?:T]]', '', declarations)).toBe('list[float]!');
  expect(value('[edge ->:E:->][0].k', '', declarations)).toBe('float');
  expect(value('root ++> T("a")', '', declarations)).toBe('T!');
  expect(value('root spawn W()', '', declarations)).toBe('W!');
  expect(value('(root spawn W()).reports', '', declarations)).toBe('list');
  const ability = front(`${declarations} walker V { can b with T entry { here.title; visitor; self; } }`).module();
  expect(typed(ability, 'SpecialRef', 'here')).toBe('T!');
  expect(typed(ability, 'SpecialRef', 'visitor')).toBe('V!');
  const location = front('walker W { } node N { can c with W entry { visitor; self; here; } }').module();
  expect(typed(location, 'SpecialRef', 'visitor')).toBe('W!');
  expect(typed(location, 'SpecialRef', 'here')).toBe('N!');
});

test('enums', () => {
  const declarations = 'enum C { RED = "r", BLUE } enum H: int { OK = 200 }';
  expect(value('C.RED', '', declarations)).toBe('C!');
  expect(value('H.OK.value', '', declarations)).toBe('int');
  expect(value('[c.name for c in C]', '', declarations)).toBe('list[str]!');
});

test('module variables over the whole program', () => {
  expect(value('n', '', 'glob n = 5;')).toBe('int!');
  expect(value('n', '', 'glob n = 5; def f { n = 2.5; }')).toBe('float');
  const { types, names } = front({
    'main.svc': 'import from a { rate } def f { return rate * 2; }',
    'a.svc': 'glob rate = 0.5;',
  });
  const f = names.of('main').bindings.get('f')!.decl;
  expect(typeText(types.of('main').functionOf(f as never).result)).toBe('float');
});

test('shared variables of nested functions settle', () => {
  const { types, decl } = front('def outer { x = 1; def inner { x += 0.5; } inner(); return x; }').module();
  expect(typeText(types.functionOf(decl('outer')).result)).toBe('float');
});

test('call plans', () => {
  const plan = (call: string, declarations: string) => {
    const found = front(`${declarations} with entry { ${call}; }`).module();
    const { how, ...rest } = found.types.callPlan(found.node('Call', call)) as {
      how: string;
      slots?: unknown;
      name?: string;
      receiver?: string;
    };
    return rest.slots === undefined
      ? [how, rest.receiver ?? rest.name].filter(Boolean).join(' ')
      : `${how} ${JSON.stringify(rest.slots)}`;
  };
  const f = 'def f(a: int, b: int = 2, *rest, k: int = 1, **kw) { }';
  expect(plan('f(1, k=3)', f)).toBe('direct [0,null,[],1,[]]');
  expect(plan('f(1, 2, 3, 4, z=5)', f)).toBe('direct [0,1,[2,3],null,[4]]');
  expect(plan('f(*xs)', `${f} glob xs = [1];`)).toBe('dynamic');
  expect(plan('f()', f)).toBe('dynamic');
  expect(plan('A(1, c=3)', 'obj A { has a: int; has b: int = 2, c: int = 3; }')).toBe('construct [0,null,1]');
  expect(plan('A(7)', 'obj A { has a: int = 0; def init(x: int, y: int = 1) { } }')).toBe('construct [0,null]');
  expect(plan('A(1, 2)', 'obj A { has a: int; }')).toBe('dynamic');
  expect(plan('a.m(y=1, x=2)', 'obj A { def m(x: int, y: int) { } } glob a = A();')).toBe('direct [1,0]');
  expect(plan('g(1)', 'def deco(f: any) { return f; } @deco def g(x: int) { }')).toBe('dynamic');
  expect(plan('g(1)', '@restspec(method="GET") def g(x: int) { }')).toBe('direct [0]');
  expect(plan('print(1)', '')).toBe('builtin print');
  expect(plan('[].append(1)', '')).toBe('method list');
  expect(plan('math.sqrt(1)', 'import math;')).toBe('std sqrt');
  expect(plan('u.f(1)', '')).toBe('dynamic');
});

test('an override with other parameter names is called by name at run time', () => {
  const text = (override: string) =>
    `obj A { def m(x: int, y: int) { } } obj B(A) { ${override} } def f(a: A) { a.m(x=1, y=2); }`;
  const how = (override: string) => {
    const found = front(text(override)).module();
    return found.types.callPlan(found.node('Call', 'a.m(x=1, y=2)')).how;
  };
  expect(how('def m(x: int, y: int) { }')).toBe('direct');
  expect(how('def m(y: int, x: int) { }')).toBe('dynamic');
});

test('classes: C3 order, constructor fields, methods', () => {
  const { types, decl } = front(
    'obj A { has a: int; } obj B(A) { has b: int = 1; } obj C(A) { has c: int = 2, a: int = 9; } obj D(B, C) { has d: int = 3; static has s: int = 0; has p: int { getter { return 1; } } has q: int postinit; }',
  ).module();
  const cls = types.classOf(decl('D'));
  expect(cls.bases.map((base) => base.name)).toEqual(['B', 'C', 'A', 'Archetype', 'object']);
  expect(cls.constructorFields.map((field) => field.name)).toEqual(['a', 'b', 'c', 'd']);
  expect(cls.open).toBe(false);
  const duck = front(
    'obj Animal { has name: str, legs: int = 4; } obj Bird(Animal) { has legs: int = 2; } obj Swimmer { has depth: int = 3; } obj Duck(Bird, Swimmer) { has own: int = 0; }',
  ).module();
  const fields = duck.types.classOf(duck.decl('Duck')).constructorFields;
  expect(fields.map((field) => `${field.owner.name}.${field.name}`)).toEqual([
    'Animal.name',
    'Bird.legs',
    'Swimmer.depth',
    'Duck.own',
  ]);
  expect(types.classOf(front('import from x { Y } obj A(Y) { }').module().decl('A')).open).toBe(true);
});

test('the rest of the arguments is a tuple, the keywords a dict', () => {
  const found = front('def f(*rest: int, **kw: str) { rest; kw; }').module();
  expect(typed(found, 'NameRef', 'rest')).toBe('tuple!');
  expect(typed(found, 'NameRef', 'kw')).toBe('dict[str, str]!');
});

test('annotations, also in strings', () => {
  const { types, decl } = front(
    'obj P { } def f(a: "list[P] | None", b: dict[str, float], c: Optional[int], d: tuple[int, str], e: Callable, g: i32) { }',
  ).module();
  const params = types.functionOf(decl('f')).params.map((param) => typeText(param.type));
  expect(params).toEqual(['list[P] | None', 'dict[str, float]', 'int | None', 'tuple[int, str]', 'any', 'int']);
});
