import { expect, test } from 'vitest';
import { compileFiles, lines, run } from './testing.ts';

test('with a synchronous store a program that only uses the graph stays synchronous', () => {
  const { modules } = compileFiles(`
    node N {} walker W { can go with Root entry { visit [-->]; report len([-->]); } }
    def count -> int { return len([root -->]); }
    with entry { root ++> N(); root spawn W(); print(count()); }`);
  expect(modules[0]!.output.code).not.toContain('async');
  expect(modules[0]!.output.code).not.toContain('await');
});

test('with an asynchronous store what may wait is awaited, and only that', async () => {
  const ran = await run(
    `
    node N { has name: str; has n: int = 0; }
    edge E { has w: int = 1; }
    walker Names { has found: list = [];
      can start with Root entry { visit [->:E:->]; }
      can take with N entry { self.found.append(here.name); visit [->:E:->]; }
      can done with Root exit { report self.found; } }
    obj Box { has n: N | None = None; def names -> list[str] { return [x.name for x in [root -->[?:N, n > 1]]]; } }
    def plain(x: int) -> int { return x + 1; }
    def names -> list[str] { return [x.name for x in [root -->]]; }
    def total -> int { s = 0; for x in [root -->] { s += x.n; } return s; }
    def pairs -> list { return [(a.name, b.name) for a in [root -->] for b in [a -->]]; }
    def each { for x in [root -->] { yield x.name; } }
    def viaLambda -> int { f = lambda : len([root -->]); return f() + 1; }
    def boxed -> list[str] { return Box().names(); }
    def walked -> list { return (root spawn Names()).reports; }
    def sorted_names -> list { return sorted([root -->], key=lambda n: N : n.n) |> len; }
    def cond -> str { return "many" if len([root -->]) > 1 else "few"; }
    def inside -> list { return [1, [x.name for x in [root -->]], len({x.n: x for x in [root -->]}), any(x.n > 1 for x in [root -->])]; }
    def drop -> int { for x in [root -->] { if x.name == "b" { del x; } } return len([root -->]); }
    with entry { a = N("a", 1); b = N("b", 2); root +>: E() :+> a; root +>: E() :+> b; a +>: E() :+> N("c", 3); }`,
    { graph: 'async', slowStore: true },
  );
  expect(ran.error).toBeUndefined();
  const { module } = ran;
  expect(module.plain(1)).toBe(2);
  for (const [name, value] of [
    ['names', ['a', 'b']],
    ['total', 3],
    ['boxed', ['b']],
    ['viaLambda', 3],
    ['walked', [['a', 'b', 'c']]],
    ['cond', 'many'],
    ['sorted_names', 2],
    // A comprehension waits too where it is not the first thing its statement does.
    ['inside', [1, ['a', 'b'], 2, true]],
  ] as const) {
    let result: unknown;
    expect(await ran.fresh(() => (result = module[name]())), name).toEqual(value);
    expect(result, name).toBeInstanceOf(Promise);
  }
  const pairs: any = await ran.fresh(() => module.pairs());
  expect(pairs.map((pair: any) => pair.items)).toEqual([['a', 'c']]);
  const seen: string[] = [];
  await ran.fresh(async () => {
    for await (const name of module.each()) seen.push(name);
  });
  expect(seen).toEqual(['a', 'b']);
  expect(await ran.fresh(() => module.drop())).toBe(1);
});

test('async def gives an awaitable, await waits, flow runs as a task', async () => {
  const printed = await lines(`
    async def slow(x: int) -> int { print("start", x); return x * 2; }
    async def both -> int { a = await slow(1); b = await slow(2); return a + b; }
    def plain(x: int) -> int { return x; }
    async def nth(xs: list[int], i: int) -> int { return await slow(xs[i]); }
    with entry {
      print(await both());
      print(await nth([7, 8], 1));
      t = slow(5); print("made"); print(await t);
      f = flow slow(7); print("flowing"); print(wait f);
      print(await plain(3), await 4); }`);
  expect(printed.slice(0, 5)).toEqual(['start 1', 'start 2', '6', 'start 8', '16']);
  expect(printed.slice(5)).toEqual(['made', 'start 5', '10', 'start 7', 'flowing', '14', '3 4']);
});

test('async generators, async for and async with', async () => {
  const printed = await lines(`
    obj Ctx { async def __aenter__ -> str { print("in"); return "v"; } async def __aexit__(a: any, b: any, c: any) -> bool { print("out", b); return True; } }
    async def count(n: int) { for i in range(n) { yield i; } }
    async def main {
      async for i in count(2) { print(i); }
      print([x * 2 async for x in count(3)]);
      async with Ctx() as v { print(v); raise ValueError("e"); }
      print("after"); }
    with entry { await main(); }`);
  expect(printed).toEqual(['0', '1', '[0, 2, 4]', 'in', 'v', 'out e', 'after']);
});

test('async walkers are awaited in entry blocks', async () => {
  const printed = await lines(`
    node N { has v: int = 0; }
    async def wait_a_bit(x: int) -> int { return x; }
    async walker W { async can go with Root entry { x = await wait_a_bit(3); print("walk", x); visit [-->]; report x; } async can at with N entry { print("n"); } }
    with entry { root ++> N(); root spawn W(); print("next"); w = await (root spawn W()); print(w.reports); }`);
  expect(printed.filter((line) => line !== '3')).toEqual(['walk 3', 'n', 'next', 'walk 3', 'n', '[3]']);
});

test('special methods and properties that read the graph are waited for, wherever they are asked', async () => {
  const ran = await run(
    `
    node Item { has name: str; has price: int = 1; }
    obj Basket {
      has home: any;
      def items -> list { return [self.home -->[?:Item]]; }
      def __len__ -> int { return len(self.items()); }
      def __contains__(name: str) -> bool { return any(i.name == name for i in self.items()); }
      def __iter__ { for i in self.items() { yield i.name; } }
      def __getitem__(at: int) -> Item { return self.items()[at]; }
      def __str__ -> str { return ", ".join(sorted(self)); }
      def __lt__(other: Basket) -> bool { return len(self) < len(other); }
      def __eq__(other: any) -> bool { return list(self) == list(other); }
    }
    node Shelf { has count: int { getter { return len([self -->]); } } }
    def make(names: list[str]) -> Basket { home = Shelf(); root ++> home; for n in names { home ++> Item(name=n); } return Basket(home=home); }
    def shown -> list { b = make(["x", "y"]); return [str(b), f"<{b}>", len(b), "x" in b, "q" not in b, b[1].name, [*b], list(map(str, [b]))]; }
    def compared -> list {
      (a, b) = (make(["p"]), make(["q", "r"]));
      return [a < b, [str(x) for x in sorted([b, a])], str(max([a, b])), a == b, a in [b], [b, a].index(a), bool(make([])), "some" if a else "none"];
    }
    def counted -> list { a = make(["p"]).home; return [a.count, max([a], key=lambda s: Shelf : s.count).count, getattr(a, "count")]; }`,
    { graph: 'async', slowStore: true },
  );
  expect(ran.error).toBeUndefined();
  const { module } = ran;
  expect(await ran.fresh(() => module.shown())).toEqual(['x, y', '<x, y>', 2, true, true, 'y', ['x', 'y'], ['x, y']]);
  expect(await ran.fresh(() => module.compared())).toEqual([
    true,
    ['p', 'q, r'],
    'q, r',
    false,
    false,
    1,
    false,
    'some',
  ]);
  expect(await ran.fresh(() => module.counted())).toEqual([1, 1, 1]);
});

test('call chains of errors name functions that are declared async', async () => {
  const { stack } = await run(`
    class Shop { async def load(self, k) { async def step() { return {}[k]; } return await step(); } }
    async def outer { return await Shop().load(1); }
    with entry { await outer(); }`);
  expect([...new Set(stack?.match(/(?:Shop\$_load|outer)\$/g))]).toEqual(['Shop$_load$', 'outer$']);
});

test('functions of the program are those of __main__', async () => {
  const printed = await lines(`
    class C { def m(self) { } }
    def f { } async def g { }
    with entry { print(f.__module__, g.__module__, C.m.__module__, C().m.__module__, (lambda : 1).__module__, C.__module__, __name__); }`);
  expect(printed).toEqual(['__main__ __main__ __main__ __main__ __main__ __main__ __main__']);
});

test('the root of guests is looked up: with an asynchronous store that is waited for', () => {
  const source = 'node N {} def put -> int { root.shared ++> N(); return len([root.shared -->]); }';
  const code = (graph: 'sync' | 'async') => compileFiles(source, { graph }).modules[0]!.output.code;
  expect(code('async').match(/sharedRoot\(\)\) instanceof Promise \? await/g)).toHaveLength(2);
  expect(code('sync')).not.toContain('await');
});
