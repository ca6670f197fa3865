/** Diagnostics of `svc check` about values and functions of TypeScript, and code that gets none. */
import { expect, test } from 'vitest';
import { front } from '../front-testing.ts';
import { runRules } from './rules.ts';

const util = `
  export function text(): string { return ''; }
  export function size(n: number): number { return n; }
  export function maybe(): string | undefined { return undefined; }
  export async function soon(): Promise<string> { return ''; }
  export function many(a: string, b?: number, ...rest: string[]): string[] { return []; }
  export function either(a: string): string; export function either(a: number, b: number): number; export function either(a: any): any { return a; }
  export function loose(a, b = 1) { return a; }
  export function flexible(a: unknown, b: any, c: string | undefined, d?: { x?: number }): void {}
  export class Point { x = 1; private hidden = 2; constructor(x: number) { this.x = x; } far(): boolean { return false; } }
  export class Open extends (Map as any) { y = 1; }
  export interface Table { [name: string]: number; }
  export function table(): Table { return {}; }
  export function mode(m: 'r' | 'w'): void {}
  export const WORD = 'x', list: number[] = [];`;

/** `E0412 …` for each finding in an entry block that imports everything. */
function found(statements: string, files: Record<string, string> = { 'util.ts': util }): readonly string[] {
  const names = 'mode, text, size, maybe, soon, many, either, loose, flexible, Point, Open, table, WORD, list';
  const main = `import from "./util.ts" { ${names} }\nwith entry { ${statements} }`;
  const { project, names: resolved, types } = front({ 'main.svc': main, ...files });
  runRules(project, resolved, types, { mode: 'check' });
  return project.diagnostics().flatMap((one) => (one.code === 'W0404' ? [] : [`${one.code} ${one.message}`]));
}

test('operators, calls, loops and subscripts', () => {
  expect(found('text() + 1;')).toEqual(['E0414 operator `+` is not defined for str and int']);
  expect(found('size(1) + "x";')).toEqual(['E0414 operator `+` is not defined for int | float and str']);
  expect(found('x = text(); y = x + x; y - 1;')).toEqual(['E0414 operator `-` is not defined for str and int']);
  expect(found('maybe() + 1;')).toEqual(['E0414 operator `+` is not defined for str | None and int']);
  expect(found('(await soon()) + 1;')).toEqual(['E0414 operator `+` is not defined for str and int']);
  expect(found('-text();')).toEqual(['E0414 operator `-` is not defined for str']);
  expect(found('WORD();')).toEqual(['E0415 `str` is not callable']);
  expect(found('for x in size(1) { print(x); }')).toEqual(['E0415 `int | float` is not iterable']);
  expect(found('size(1)[0];')).toEqual(['E0415 `int | float` is not subscriptable']);
});

test('members', () => {
  expect(found('text().length;')).toEqual(['E0420 `length` is a JavaScript member; use `len(…)` on the server']);
  expect(found('list.push(1);')).toEqual(['E0420 `push` is a JavaScript member; use `append(…)` on the server']);
  expect(found('Point(1).farr();')).toEqual(['E0413 `Point` has no attribute `farr` (did you mean `far`?)']);
});

test('arguments', () => {
  expect(found('size();')).toEqual(['E0412 missing argument `n` in call of `size`']);
  expect(found('size(1, 2);')).toEqual(['E0412 too many arguments in call of `size`']);
  expect(found('many();')).toEqual(['E0412 missing argument `a` in call of `many`']);
  expect(found('either(1, 2, 3);')).toEqual(['E0412 too many arguments in call of `either`']);
  expect(found('Point();')).toEqual(['E0412 missing argument `x` in call of `Point`']);
  expect(found('size("1");')).toEqual(['E0410 cannot assign str to `n` of type int | float']);
  expect(found('many("a", 1, "b", 2);')).toEqual(['E0410 cannot assign int to `rest` of type str']);
  expect(found('mode(1);')).toEqual(['E0410 cannot assign int to `m` of type str']);
  expect(found('Point("1");')).toEqual(['E0410 cannot assign str to `x` of type int | float']);
});

test('results of functions with a declared type', () => {
  const files = {
    'util.ts': util,
    'lib.svc':
      'import from "./util.ts" { text, size }\ndef f() -> int { return text(); }\ndef g() -> float { return size(1); }',
  };
  expect(found('import from lib { f, g } f(); g();', files)).toEqual(['E0411 cannot return str, expected int']);
});

test('what is not certain is left alone', () => {
  for (const fine of [
    'text() + "x"; text() * 2; text() % 3; size(1) * "x"; size(1) / 2; -size(1); size(True);',
    'maybe() + "x"; x = maybe(); if x { x + "y"; }',
    'x = text(); if isinstance(x, int) { x + 1; } else { x + "y"; }',
    'list[0] + "x"; for x in list { x + "y"; } list.append("z");',
    'x = soon(); x + 1; x.then;',
    'many("a"); many("a", None, "b"); many(*[1, 2]); many("a", b=2); size(n=3);',
    'either("a"); either(1, 2); either(None); loose(); loose(1, 2); loose(None, 2);',
    'flexible(); flexible(1, 2); flexible(1, 2, None, None); flexible(1, 2, "x", {"x": 1});',
    'mode("r"); mode("other"); mode(text());',
    'p = Point(1); p.x + "y"; p.hidden; p.toString(); Point.other; Open(1, 2).z; table().anything; table()["a"] + "x";',
    'import from "./util.ts" { none } none() + 1; none.x;',
    'import from "nowhere" { gone } gone() + 1; gone(1, 2).x;',
  ])
    expect(found(fine)).toEqual([]);
});

test('functions that wait, given to functions of JavaScript that take no promise', () => {
  const callbacks = `
    export function apply(f: (n: number) => number): number { return f(1); }
    export function each<T, U>(xs: T[], f: (x: T) => U): U[] { return xs.map(f); }
    export type Sorter = (a: number, b: number) => number;
    export function sorted(by?: Sorter): void {}
    export function called(o: { (n: number): string } | string): void {}
    export class Pool { constructor(make: () => string) {} run(f: () => boolean | string): void {} }
    export function later(f: (n: number) => Promise<number>): void {}
    export function either<T>(f: () => T | PromiseLike<T>): void {}
    export function ignored(f: (n: number) => void, g?: () => undefined): void {}
    export function anything(f: any, g: () => any, h: () => unknown): void {}
    export function both(f: (n: number) => number): void; export function both(f: (n: number) => Promise<number>): void;
    export function both(f: any): void {}`;
  const given = (statements: string) => {
    const main = `import time;
import from "./util.ts" { apply, each, sorted, called, Pool, later, either, ignored, anything, both }
import from "./plain.js" { untyped }
import from "./plain.js" { * as plain }
import from "fs" { watch }
import from "node:timers" { setTimeout }
def slow(n: int = 1) -> int { time.sleep(0); return n; }
def quick(n: int = 1) -> int { return n; }
async def own(n: int = 1) -> int { return n; }
obj Box { def slow(n: int = 1) -> int { return slow(n); } def quick(n: int = 1) -> int { return n; } }
with entry { box = Box(); pool = Pool(quick); ${statements} }`;
    const files = { 'main.svc': main, 'util.ts': callbacks, 'plain.js': 'export function untyped(f) { return f(1); }' };
    const { project, names, types } = front(files);
    runRules(project, names, types, { mode: 'check' });
    return project.diagnostics().flatMap((one) => (one.code === 'W0404' ? [] : [`${one.code} ${one.message}`]));
  };
  const waits = (name: string) => [`W0311 \`${name}\` blocks where it cannot block`];
  expect(given('apply(slow);')).toEqual(waits('slow'));
  expect(given('apply(lambda n: int : slow(n));')).toEqual(waits('lambda'));
  expect(given('apply(box.slow);')).toEqual(waits('box.slow'));
  expect(given('each([1], slow);')).toEqual(waits('slow'));
  expect(given('sorted(lambda a: int, b: int : slow(a) - b);')).toEqual(waits('lambda'));
  expect(given('called(slow);')).toEqual(waits('slow'));
  expect(given('Pool(slow);')).toEqual(waits('slow'));
  expect(given('pool.run(slow);')).toEqual(waits('slow'));
  expect(given('untyped(slow);')).toEqual(waits('slow'));
  expect(given('plain.untyped(slow);')).toEqual(waits('slow'));
  expect(given('x = await plain.untyped(1, [untyped(slow)]); print(x);')).toEqual(waits('slow'));
  for (const fine of [
    'apply(quick); apply(lambda n: int : n); apply(box.quick); untyped(quick); untyped(1); each([slow(1)], quick);',
    'later(slow); either(slow); ignored(slow, slow); anything(slow, slow, slow); both(slow); watch("x", slow); setTimeout(slow, 1); apply(own); untyped(own);',
    'await untyped(slow); x = await plain.untyped(lambda n: int : slow(n)); print(x);',
  ])
    expect(given(fine)).toEqual([]);
});

test('members of what a package declares may be added elsewhere', () => {
  const files = {
    'util.ts': util,
    'node_modules/p/index.d.ts': 'export interface Req { url: string } export declare function req(): Req;',
  };
  expect(found('import from "p" { req } req().user; req().url + "x";', files)).toEqual([]);
  expect(found('import from "p" { req } req(1);', files)).toEqual(['E0412 too many arguments in call of `req`']);
});
