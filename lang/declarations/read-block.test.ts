import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Block } from './block.ts';
import { readBlock } from './read-block.ts';
import { readDeclaration } from './read-declaration.ts';

function block(text: string, isAmbient = false): Block {
  const found = readBlock(text, 0, text.length, isAmbient);
  if (found === undefined) throw new Error('not understood');
  return found;
}

/** Names with their kinds, and what is exported under which name. */
function outline(text: string, isAmbient = false) {
  const { entries, exports } = block(text, isAmbient);
  return {
    entries: [...entries].map(([name, list]) => `${name}: ${list.map(({ kind }) => kind).join(' ')}`),
    exports: [...exports].map(([name, to]) =>
      to.of === 'local' ? `${name} = ${to.path.join('.')}` : `${name} = ${to.member ?? '*'} of ${to.specifier}`,
    ),
  };
}

test('declarations of every kind, with and without export', () => {
  const text = `
    import fs, { join as j, type Stats } from 'node:fs';
    import * as all from "./all.js";
    import old = require('./old');
    function hidden() {}
    export async function f(a: string): Promise<void> {}
    export const a = 1, b: Map<string, number> = new Map(), { taken } = all;
    export abstract class C<T> extends Base<T> { }
    export interface I { x: number }
    export type T = { a: 1 } | string;
    export const enum E { A }
    export namespace N { export const inner = 1; }
    export default class { }
    export { j as joined, type Stats };
    export { x as y } from './x.ts';
    export * from './stars.ts';
    export * as group from './group.ts';`;
  expect(outline(text)).toEqual({
    entries: [
      'hidden: function',
      'f: function',
      'a: variable',
      'b: variable',
      'C: class',
      'I: interface',
      'T: alias',
      'E: enum',
      'N: namespace',
      'default: class',
    ],
    exports: [
      'f = f',
      'a = a',
      'b = b',
      'C = C',
      'I = I',
      'T = T',
      'E = E',
      'N = N',
      'default = default',
      'joined = j',
      'Stats = Stats',
      'y = x of ./x.ts',
      'group = * of ./group.ts',
    ],
  });
  const { imports, stars } = block(text);
  expect(stars).toEqual(['./stars.ts']);
  expect([...imports].map(([name, { specifier, member }]) => `${name} ${member ?? '*'} ${specifier}`)).toEqual([
    'fs default node:fs',
    'j join node:fs',
    'Stats Stats node:fs',
    'all * ./all.js',
    'old * ./old',
  ]);
});

test('what stands in bodies, strings, templates, regular expressions and comments declares nothing', () => {
  const text = `
    // export const no1 = 1;
    /* export const no2 = 1; */
    export function a() { const s = "}"; return \`\${'}' + { x: \`}\` }.x} export const no3 = 1;\`; }
    const pattern = /[/}"'\`]/g, half = 8 / 2; const quoted = half / 2;
    if (/['"]/.test(quoted)) { export_(); }
    export const yes = /* { */ 1;
    const rx =
      // a word
      /["\\\\]/g
    export function last(x: number) { for (const y of x) /}/.exec(y); return x++ / 2 / 1; }`;
  expect(outline(text).exports).toEqual(['a = a', 'yes = yes', 'last = last']);
});

test('statements without semicolons end with their line', () => {
  const text = `
    export const type = 'x'
    export const other: string
      | number = 1
    const table = {
      a: 1,
    }
    export function f(): { a: number } {
      return table
    }
    export type Two =
      | import('./two').Two
      | string
    declare const last: typeof table
    export default last`;
  expect(outline(text).exports).toEqual(['type = type', 'other = other', 'f = f', 'Two = Two', 'default = last']);
});

test('declarations without a list of exports export everything', () => {
  expect(block('declare function f(): void;\ndeclare const c: string;', true).exportsAll).toBe(true);
  expect(block('declare function f(): void;\nexport { f };', true).exportsAll).toBe(false);
  expect(block('declare const c: string;\nexport = c;', true)).toMatchObject({ exportsAll: false, assigned: ['c'] });
  const ambient = block(
    `declare module "a" { export const x: string; }\ndeclare module 'b';\ndeclare global { }`,
    true,
  );
  expect([...ambient.modules.keys()]).toEqual(['a']);
});

test('a text whose brackets do not match is not understood', () => {
  for (const text of ['export const a = {', 'export function f() { ( } )', 'const t = `${'])
    expect(readBlock(text, 0, text.length, false)).toBeUndefined();
});

test('a declaration of an unknown form is unknown, the others are read', () => {
  const { entries, ...rest } = block('type A = { a: ??? };\ntype B = string;');
  const read = (name: string) => readDeclaration({ entries, ...rest }, entries.get(name)![0]!);
  expect(read('A')).toBeUndefined();
  expect(read('B')).toEqual({ k: 'alias', generics: [], type: { k: 'plain', of: 'str' } });
});

test('depth has an end', () => {
  const deep = (open: string, close: string) => `${open.repeat(20_000)}x${close.repeat(20_000)}`;
  for (const type of [deep('A<', '>'), deep('(', ')'), deep('{ a: ', ' }'), deep('[', ']'), deep('keyof ', '')]) {
    const { entries, ...rest } = block(`type T = ${type};\ntype U = string;`);
    expect(readDeclaration({ entries, ...rest }, entries.get('T')![0]!)).toBeUndefined();
    expect(readDeclaration({ entries, ...rest }, entries.get('U')![0]!)).toMatchObject({ k: 'alias' });
  }
  const templates = `const t = ${'`${'.repeat(20_000)}${'}`'.repeat(20_000)};`;
  expect(readBlock(templates, 0, templates.length, false)).toBeUndefined();
});

test('damaged text is read or refused, never an error', () => {
  const text = readFileSync(join(import.meta.dirname, 'read-block.ts'), 'utf8');
  const pieces = text.split(/(\W)/);
  for (let seed = 1; seed <= 150; seed++) {
    const damaged = pieces.filter((_, i) => (i * seed * 7919) % 101 > 2).join('');
    const found = readBlock(damaged, 0, damaged.length, seed % 2 === 0);
    for (const list of found?.entries.values() ?? []) for (const entry of list) readDeclaration(found!, entry);
  }
});
