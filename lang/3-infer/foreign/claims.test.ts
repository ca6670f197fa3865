import { expect, test } from 'vitest';
import { signatures } from '../../../library/signatures/signatures.ts';
import type * as ast from '../../1-parse/ast.ts';
import { declareModules } from '../../declare.ts';
import { front } from '../../front-testing.ts';
import { typeText } from '../classes/type-values.ts';
import type { Type } from '../types.ts';

/**
 * Writes the type claimed of the value that `r = …` gets, with `!` when it is claimed of this very value; the type
 * itself where nothing is claimed.
 */
function claim(expression: string, files: Record<string, string> = {}, statements = ''): string {
  const names = [...new Set(expression.concat(statements).match(/\b[a-z]\w*\b/gi))].filter((name) =>
    new RegExp(`\\b(?:${name})\\b`).test(files['util.ts'] ?? ''),
  );
  const main = `import from "./util.ts" { ${names.join(', ')} }\nwith entry { ${statements} r = ${expression}; }`;
  return lastClaim({ 'main.svc': main, ...files });
}

function lastClaim(files: Record<string, string>): string {
  const { module, types } = front(files).module();
  const entry = module.tree.body.find((element) => element.kind === 'EntryBlock')!;
  const last = entry.body.statements.at(-1) as ast.AssignStatement;
  return claimText(types.of(last.value!));
}

function claimText(type: Type): string {
  if (type.t !== 'any' || type.claim === undefined) return typeText(type);
  return `${typeText(type.claim)}${type.claim.sure === true ? '!' : '?'}`;
}

const util = (text: string) => ({ 'util.ts': text });

test('results and constants', () => {
  const files = util(`
    export function text(): string { return ''; }
    export const size = (n: number): number => n;
    export async function soon(): Promise<boolean> { return true; }
    export async function started() { }
    export function* each(): Generator<number> { }
    export const list: readonly string[] = [], word = 'x', count = -1, big = 10n, flag = true, odd = word + 1;
    export const other: 'a' | 'b' | undefined = 'a', mixed: string | number[] = '';
    export function plain(a) { return a; }
    export function gives(): void { }
    export function maker<T>(x: T): T { return x; }
    export default function(): string { return ''; }`);
  expect(claim('text()', files)).toBe('str!');
  expect(claim('size(1)', files)).toBe('int | float!');
  expect(claim('soon()', files)).toBe('Awaitable[bool]!');
  expect(claim('await soon()', files)).toBe('bool!');
  expect(claim('started()', files)).toBe('Awaitable[any]!');
  expect(claim('each()', files)).toBe('Iterator[any]!');
  expect(claim('list', files)).toBe('list[str]!');
  expect(claim('word', files)).toBe('str!');
  expect(claim('count', files)).toBe('int | float!');
  expect(claim('big', files)).toBe('int!');
  expect(claim('flag', files)).toBe('bool!');
  expect(claim('other', files)).toBe('str | None!');
  expect(claim('mixed', files)).toBe('str | list[int | float]!');
  for (const unknown of ['odd', 'plain(1)', 'gives()', 'maker(1)']) expect(claim(unknown, files)).toBe('any');
  const main = 'import from "./util.ts" { default as named, * as all }\nwith entry { r =';
  expect(lastClaim({ 'main.svc': `${main} named(); }`, ...files })).toBe('str!');
  expect(lastClaim({ 'main.svc': `${main} all.text(); }`, ...files })).toBe('str!');
});

test('types by name: aliases, interfaces, classes, enums, what has no counterpart', () => {
  const files = util(`
    type Name = string; type Maybe<T> = T | null; type Tree = Tree[] | string; type Id = string & { readonly brand: unique symbol };
    interface Base { readonly kind: 'base'; }
    export interface Shape extends Base { sides: number; label?: string; area(): number; tags: string[]; }
    export class Point<T> {
      static origin: Point<number>; static at(x: number): Point<number> { return new Point(x); }
      private name = 'p'; readonly parts = new Map<string, number>();
      constructor(public x: number, readonly label?: string) {}
      get far(): boolean { return false; } moved(): this { return this; } of(): T { return this.x as T; }
    }
    export enum Level { Low, High } export enum Word { A = 'a' }
    export function name(): Name { return ''; } export function maybe(): Maybe<Name> { return null; }
    export function tree(): Tree { return ''; } export function id(): Id { return '' as Id; }
    export function shape(): Shape { throw 0; } export function level(): Level { return 0; }
    export function pick(): Pick<Shape, 'sides'> { throw 0; } export function bytes(): Uint8Array { throw 0; }
    export function table(): Record<string, number> { return {}; } export function is(x: unknown): x is string { return true; }
    export function when(): Name extends string ? 1 : 2 { return 1; } export function pair(): [string, number] { return ['', 1]; }
    export function deep(): { a: { b: string } } { return { a: { b: '' } }; } export function spell(): \`a\${string}\` { return 'a'; }`);
  expect(claim('name()', files)).toBe('str!');
  expect(claim('maybe()', files)).toBe('str | None!');
  expect(claim('id()', files)).toBe('str!');
  expect(claim('spell()', files)).toBe('str!');
  expect(claim('shape().sides', files)).toBe('int | float?');
  expect(claim('shape().label', files)).toBe('str | None?');
  expect(claim('shape().kind', files)).toBe('str?');
  expect(claim('shape().area()', files)).toBe('int | float!');
  expect(claim('shape()["sides"]', files)).toBe('int | float?');
  expect(claim('shape().tags[0]', files)).toBe('str?');
  expect(claim('Point(1).x', files)).toBe('int | float?');
  expect(claim('Point(1).label', files)).toBe('str | None?');
  expect(claim('Point(1).name', files)).toBe('str?');
  expect(claim('Point(1).far', files)).toBe('bool?');
  expect(claim('Point(1).moved().moved()', files)).toBe('Point!');
  expect(claim('Point.at(1).far', files)).toBe('bool?');
  expect(claim('Point.origin', files)).toBe('Point!');
  expect(claim('Level.Low', files)).toBe('int | float?');
  expect(claim('Word.A', files)).toBe('str?');
  expect(claim('level()', files)).toBe('int | float!');
  expect(claim('is(1)', files)).toBe('bool!');
  expect(claim('pair()', files)).toBe('list[str | int | float]!');
  expect(claim('deep().a.b', files)).toBe('str?');
  expect(claim('table()["x"]', files)).toBe('int | float?');
  expect(claim('here_.far', files, 'here_: Point = Point(1);')).toBe('bool?');
  expect(claim('tree()', files)).toBe('list | str!');
  for (const unknown of ['pick()', 'bytes()', 'when()', 'Point(1).of()', 'Point(1).parts', 'shape().none'])
    expect(claim(unknown, files)).toBe('any');
});

test('the overload that suits, as TypeScript chooses', () => {
  const files = util(`
    type Encoding = 'utf8' | 'hex'; type PathLike = string | URL;
    export function read(path: PathLike, options?: { encoding?: null } | null): Uint8Array;
    export function read(path: PathLike, options: Encoding): string;
    export function read(path: PathLike, options?: unknown): unknown { return ''; }
    interface Into<T> { buffer: T } interface Long { length: number }
    export function load<T>(path: string, into: Into<T>): T; export function load(path: string, more: Long): number; export function load(path: string, as: string): string;
    export function pick(a: number): number; export function pick(a: string): string; export function pick(a: any): any { return a; }`);
  expect(claim('read("a", "utf8")', files)).toBe('str!');
  expect(claim('read("a")', files)).toBe('any');
  expect(claim('read("a", "utf9")', files)).toBe('any');
  expect(claim('load("a", "b")', files)).toBe('int | float | str!');
  expect(claim('load("a", 1)', files)).toBe('int | float!');
  expect(claim('pick(1)', files)).toBe('int | float!');
  expect(claim('pick("a")', files)).toBe('str!');
  expect(claim('pick(x)', files, 'x = input();')).toBe('str!');
  expect(claim('pick(x)', files, 'x = [1][0];')).toBe('int | float!');
  expect(claim('pick(unknown)', files, 'unknown = {}.get("x");')).toBe('int | float | str!');
});

test('what operations make of claims', () => {
  const files = util(
    'export function text(): string { return ""; } export function size(): number { return 1; } export function maybe(): string | null { return null; }',
  );
  expect(claim('text() + text()', files)).toBe('str!');
  expect(claim('size() * size()', files)).toBe('int | float!');
  expect(claim('size() + 1', files)).toBe('int | float!');
  expect(claim('text().upper().split("/")', files)).toBe('list[str]!');
  expect(claim('text()[0]', files)).toBe('str!');
  expect(claim('x', files, 'x = ""; for part in text().split("/") { x = part; }')).toBe('any');
  expect(claim('[part for part in text().split("/")]', files)).toBe('list');
  expect(claim('maybe() or text()', files)).toBe('str!');
  expect(claim('x', files, 'x = None; if text() { x = text(); }')).toBe('str | None!');
  expect(claim('x', files, 'x = maybe(); if x is None { x = text(); }')).toBe('str!');
  expect(claim('y', files, 'x = maybe(); y = None; if x is not None { y = x; } else { raise ValueError(); }')).toBe(
    'str!',
  );
  expect(claim('x', files, 'x = text(); if isinstance(x, str) { raise ValueError(); }')).toBe('any');
  // Numbers of unknown origin: it is not known how they are shown, so nothing is claimed.
  expect(claim('size() / 2', files)).toBe('any');
  expect(claim('size() // 1.0', files)).toBe('any');
});

test('names are followed through files, packages and modules of Node', () => {
  const files = {
    'main.svc': '',
    'util.ts': `
      export * from './lib/one.js'; export { two as deux } from './lib/two'; import { Kind } from 'kinds';
      import * as types from 'kinds'; export * as kinds from 'kinds'; import whole from 'whole'; export const w: whole.Opts = {};
      export function kind(): Kind { throw 0; } export function other(): types.Kind { throw 0; }
      export function third(): import('kinds').Kind { throw 0; } import { run } from 'whole'; export { run };`,
    'lib/one.ts': `export * from '../util.ts'; export const one: string = '';`,
    'lib/two.ts': `import { kind } from '../util.ts'; export const two: ReturnType<typeof kind> | string = ''; export const two2 = 1;`,
    'node_modules/kinds/package.json': '{ "types": "./index.d.ts" }',
    'node_modules/kinds/index.d.ts': 'export interface Kind { name: string } export const first: Kind;',
    'node_modules/@types/whole/index.d.ts':
      'declare namespace whole { interface Opts { deep: boolean } function run(o?: Opts): string; } declare function whole(): number; export = whole;',
  };
  const value = (names: string, expression: string, from = './util.ts') =>
    lastClaim({ ...files, 'main.svc': `import from "${from}" { ${names} }\nwith entry { r = ${expression}; }` });
  expect(value('one', 'one')).toBe('str!');
  expect(value('deux', 'deux')).toBe('any');
  expect(value('kind', 'kind().name')).toBe('str?');
  expect(value('other', 'other().name')).toBe('str?');
  expect(value('third', 'third().name')).toBe('str?');
  expect(value('kinds', 'kinds.first.name')).toBe('str?');
  expect(value('w', 'w.deep')).toBe('bool?');
  expect(value('run', 'run()')).toBe('str!');
  expect(value('nothing', 'nothing')).toBe('any');
  expect(value('default as f', 'f()', 'whole')).toBe('int | float!');
  expect(value('run', 'run()', 'whole')).toBe('str!');
  expect(value('join, sep', 'join(sep)', 'node:path')).toBe('str!');
  expect(value('* as path', 'path.parse("a").base', 'path')).toBe('str?');
  expect(value('existsSync', 'existsSync("a")', 'node:fs')).toBe('bool!');
  expect(value('readFileSync', 'readFileSync("a", "utf8")', 'fs')).toBe('str!');
  expect(value('x', 'x()', 'unknown-package')).toBe('any');
});

test('declarations of the project for modules of Node come first', () => {
  const files = {
    'main.svc': 'import from "node:os" { hostname, EOL }\nwith entry { r = hostname(); }',
    'node_modules/@types/node/os.d.ts':
      'declare module "os" { function hostname(): number; }\ndeclare module "node:os" { export * from "os"; }',
    'node_modules/@types/node/fs.d.ts': `declare module "fs" {
      export function readFileSync(path: string | number, options?: { encoding?: null } | null): NonSharedBuffer;
      export function readFileSync(path: string | number, options: { encoding: BufferEncoding } | BufferEncoding): string; }
      declare module "fs" { import { hostname } from "os"; export { hostname as host }; }`,
  };
  expect(lastClaim(files)).toBe('int | float!');
  const read = (rest: string) =>
    lastClaim({
      ...files,
      'main.svc': `import from "fs" { readFileSync }\nwith entry { r = readFileSync("a"${rest}); }`,
    });
  expect(read(', "utf8"')).toBe('str!');
  expect(read(', "utf9"')).toBe('any');
  expect(read('')).toBe('any');
  expect(lastClaim({ ...files, 'main.svc': 'import from "fs" { host }\nwith entry { r = host(); }' })).toBe(
    'int | float!',
  );
});

test('declarations that go in circles are unknown where they meet', () => {
  const files = {
    'main.svc': '',
    'util.ts': `export * from './other.ts'; export const a: typeof b = 1; export const b: typeof a = 1; type L = L[]; export const l: L = [];
      export interface I extends J { i: string } export interface J extends I { j: I } export const i: I = 0; type P<T> = P<P<T>>; export const p: P<1> = 0;
      export const w: typeof import('./util.ts') = 0;`,
    'other.ts': `export * from './util.ts'; export { x as y } from './util.ts'; export { y as x } from './util.ts';`,
    'node_modules/one/index.d.ts': 'import two = require("two"); export = two;',
    'node_modules/two/index.d.ts': 'import one = require("one"); export = one;',
  };
  const value = (name: string, expression = name, from = './util.ts') =>
    lastClaim({ ...files, 'main.svc': `import from "${from}" { ${name} }\nwith entry { r = ${expression}; }` });
  for (const name of ['a', 'b', 'x', 'y', 'p', 'none']) expect(value(name)).toBe('any');
  expect(value('l')).toBe('list!');
  expect(value('i', 'i.j.j.i')).toBe('str?');
  expect(value('w', 'w.w.w.l')).toBe('list!');
  expect(value('z', 'z', 'one')).toBe('any');
  expect(value('default as d', 'd()', 'one')).toBe('any');
});

test('modules of both languages in a circle', () => {
  const files = {
    'main.svc':
      'import from "./a.ts" { a, shelf, boxed }\nimport from shelf { Box }\nwith entry { b: Box = boxed(); r = a(); }',
    'a.ts': `import { Box, total } from './shelf.svc'; import { c } from './c.ts'; export { total as shelf } from './shelf.svc';
      export type Own = ReturnType<typeof a>; export function a(): string { return c(); } export function boxed(): Box { return new Box(); }`,
    'c.ts': `import { a } from './a.ts'; export const c: typeof a = a; export * from './a.ts'; export * from './c.ts';`,
    'shelf.svc': 'import from "./c.ts" { c }\nobj Box { has n: int = 1; }\ndef total() { return c(); }',
  };
  expect(lastClaim(files)).toBe('str!');
  expect(lastClaim({ ...files, 'main.svc': 'import from "./a.ts" { shelf }\nwith entry { r = shelf(); }' })).toBe(
    'any',
  );
  expect(lastClaim({ ...files, 'main.svc': 'import from shelf { total }\nwith entry { r = total(); }' })).toBe('str?');
});

test('TypeScript that imports the module is told what is claimed', () => {
  const { project } = front({
    'main.svc': `import from "node:path" { join }
      import from "./util.ts" { Node, maybe, soon, all }
      def file() { return join("a"); }
      def some() { return maybe(); }
      def one() { return Node(); }
      async def later() { return await soon(); }
      glob whole = all();`,
    'util.ts': `export class Node { }
      export function maybe(): string | number | null { return null; } export async function soon(): Promise<boolean> { return true; }
      export function all(): string[] { return []; }`,
  });
  const { text } = declareModules(project, signatures)[0]!;
  expect(text).toContain('function file(): string;');
  expect(text).toContain('function some(): string | number | null;');
  expect(text).toContain('function one(): any;');
  expect(text).toContain('function later(): Promise<boolean>;');
  expect(text).toContain('const whole: Array<string>;');
});
