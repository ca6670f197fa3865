import { expect, test } from 'vitest';
import { front, type ModuleFront } from '../../front-testing.ts';

const functionKinds = new Set(['FunctionDecl', 'Ability', 'Lambda', 'EntryBlock', 'TestBlock']);

/** Names of the functions and abilities that suspend. */
function suspending(
  text: string | Record<string, string>,
  graph: 'sync' | 'async' = 'sync',
  id = 'main',
): readonly string[] {
  const { module, types } = front(text, { graph, tests: true }).module(id);
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as { kind?: string; name?: { text: string } };
    if (node.kind !== undefined && functionKinds.has(node.kind) && types.suspends(node as never)) {
      found.push(node.name?.text ?? node.kind);
    }
    for (const part of Object.values(value)) visit(part);
  };
  visit(module.tree.body);
  return found;
}

function waiting(module: ModuleFront, kind: Parameters<ModuleFront['node']>[0], text: string, count = 1): boolean {
  return module.types.waits(module.node(kind, text, count));
}

test('plain programs do not suspend', () => {
  expect(
    suspending(
      'def f(x: int) { return g(x); } def g(x: int) { return [y for y in range(x)]; } obj A { def m { f(1); } } with entry { A().m(); }',
    ),
  ).toEqual([]);
});

test('what waits makes its callers wait', () => {
  const text = 'import time; def a { time.sleep(1); } def b { a(); } def c { } with entry { c(); }';
  expect(suspending(text)).toEqual(['a', 'b']);
  const module = front(text).module();
  expect(waiting(module, 'Call', 'a()')).toBe(true);
  expect(waiting(module, 'Call', 'c()')).toBe(false);
});

test('across modules and cycles', () => {
  const texts = {
    'main.svc': 'import from a { f } def g { f(); }',
    'a.svc': 'import from main { g } def f { g(); commit(); } def h { }',
  };
  expect(suspending(texts)).toEqual(['g']);
  expect(suspending(texts, 'sync', 'a')).toEqual(['f']);
});

test('graph operations wait only with an asynchronous store', () => {
  const text =
    'node N { } walker W { can a with Root entry { visit [-->]; } } def f { return [root -->]; } def g { root ++> N(); } def h { root spawn W(); } def i { return oget("x"); } def j(x: any) { del x; }';
  expect(suspending(text)).toEqual([]);
  expect(suspending(text, 'async')).toEqual(['a', 'f', 'g', 'h', 'i', 'j']);
});

test('a spawn waits when an ability that may run in the walk does', () => {
  const text = (ability: string, more = '') => `
    node N { ${more} } walker W { can a with N entry { ${ability} } } walker V { can b with N entry { } }
    def one { root spawn W(); } def two { root spawn V(); } def three(w: any) { root spawn w; }`;
  expect(suspending(text(''))).toEqual([]);
  expect(suspending(text('commit();'))).toEqual(['a', 'one', 'three']);
  expect(suspending(text('', 'can c with V entry { commit(); }'))).toEqual(['c', 'two', 'three']);
  expect(suspending(text('', 'can c with entry { commit(); }'))).toEqual(['c', 'one', 'two', 'three']);
});

test('inherited abilities and subclasses of the trigger count', () => {
  const text =
    'walker Base { can a with entry { commit(); } } walker W(Base) { } node N { can c with Base entry { input(); } } def f { root spawn W(); }';
  expect(suspending(text)).toEqual(['a', 'c', 'f']);
});

test('async functions and walkers are not awaited by themselves', () => {
  const text = `async def a { return 1; } def b { x = a(); } async def c { await a(); }
    async walker W { can go with entry { } } def d { x = root spawn W(); } with entry { root spawn W(); }`;
  expect(suspending(text)).toEqual(['a', 'c', 'EntryBlock']);
  const module = front(text).module();
  expect(waiting(module, 'Spawn', 'root spawn W()', 1)).toBe(false);
  expect(waiting(module, 'Spawn', 'root spawn W()', 2)).toBe(true);
});

test('methods of unknown values count by name', () => {
  const text =
    'obj A { def slow { commit(); } def fast { } } def f(x: any) { x.slow(); } def g(x: any) { x.fast(); } def h(x: any) { x.other(); }';
  expect(suspending(text)).toEqual(['slow', 'f']);
});

test('function values: only when one that suspends escapes', () => {
  const text = (use: string) =>
    `def slow { commit(); } def call(f: any) { f(); } obj H { has cb: any; def go { self.cb(); } } with entry { ${use} }`;
  expect(suspending(text('slow();'))).toEqual(['slow', 'EntryBlock']);
  expect(suspending(text('call(slow);'))).toEqual(['slow', 'call', 'go', 'EntryBlock']);
  expect(suspending(text('call(lambda { commit(); });'))).toEqual(['slow', 'call', 'go', 'EntryBlock', 'Lambda']);
});

test('callbacks of built-ins', () => {
  const text = (key: string) =>
    `def slow(x: any) { commit(); return x; } def f(xs: list) { return sorted(xs, key=${key}); }`;
  expect(suspending(text('lambda x: -x'))).toEqual(['slow']);
  expect(suspending(text('slow'))).toEqual(['slow', 'f']);
  expect(suspending(text('lambda x: slow(x)'))).toEqual(['slow', 'f', 'Lambda']);
});

test('constructors, properties and special methods', () => {
  const text = `obj A { def init { commit(); } } obj P { has p: int { getter { commit(); return 1; } } }
    obj O { def __add__(o: O) { commit(); return o; } }
    def a { A(); } def b(p: P) { return p.p; } def c(x: O, y: O) { return x + y; } def d(x: int) { return x + 1; } def e(x: any) { return x.p; }`;
  expect(suspending(text)).toEqual(['init', '__add__', 'a', 'b', 'c', 'e']);
});

test('generators wait where they are run', () => {
  const text = `def gen { commit(); yield 1; } def make { return gen(); } def run { for x in gen() { print(x); } } def all { return list(gen()); }
    def comp { return [x for x in gen()]; }`;
  expect(suspending(text)).toEqual(['gen', 'run', 'all', 'comp']);
});

test('by, flow and wait', () => {
  const text =
    'def ask(q: str) -> str by llm(); def f { return ask("x"); } def g { t = flow ask("y"); return t; } def h { return wait g(); }';
  expect(suspending(text)).toEqual(['ask', 'f', 'h']);
});

test('overrides in subclasses count for calls through the base', () => {
  const text = 'obj A { def m { } } obj B(A) { def m { commit(); } } def f(a: A) { a.m(); }';
  expect(suspending(text)).toEqual(['m', 'f']);
});

test('modules whose start waits make their importers wait', () => {
  const texts = {
    'main.svc': 'def f { import slow; } def g { import quick; }',
    'slow.svc': 'with entry { commit(); }',
    'quick.svc': 'glob x = 1;',
  };
  expect(suspending(texts)).toEqual(['f']);
});

test('nested functions and lambdas', () => {
  const text =
    'def outer { def inner { commit(); } inner(); return 1; } def other { f = lambda { commit(); }; return f; }';
  expect(suspending(text)).toEqual(['outer', 'inner', 'Lambda']);
});

test('functions that an entry block makes', () => {
  const text =
    'with entry { def slow(x: int) -> int { commit(); return x; } def quick { } slow(1); } def f { return slow(2); }';
  expect(suspending(text)).toEqual(['EntryBlock', 'slow', 'f']);
  expect(suspending('def f(g: any) { g(); } with entry { def h { } h(); }')).toEqual([]);
});

test('methods of storages wait, called or as values', () => {
  const text = (body: string) => `def f(s: any) { ${body} } def g { return store(); }`;
  for (const body of ['s.upload("a", "b");', 'for p in s.list_files() { }', 'go = s.download; go("a");'])
    expect(suspending(text(body))).toEqual(['f']);
  expect(suspending(text('s.rename("a", "b");'))).toEqual([]);
  expect(suspending('def f(s: any) { s.upload("a", "b"); }')).toEqual([]);
});

test('lookups in dicts do not wait because a module with another get is imported', () => {
  const text = (modules: string, body: string) => `import ${modules}; def f(d: any) { ${body} }`;
  for (const body of ['d.get("k");', 'd.get("k", 0);', 'd.join(["a"]);'])
    expect(suspending(text('queue', body))).toEqual([]);
  for (const body of ['d.get();', 'd.get(True, 5);', 'd.get(timeout=1);', 'd.join();'])
    expect(suspending(text('queue', body))).toEqual(['f']);
  const session = 'glob s: any = requests.Session();';
  expect(suspending(`${text('requests', 'd.get("k", 0);')} ${session}`)).toEqual([]);
  expect(suspending(`${text('requests', 'd.get("k");')} ${session}`)).toEqual(['f']);
});
