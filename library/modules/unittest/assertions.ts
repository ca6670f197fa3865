/**
 * Assertions of a test case, with the texts of Python's `unittest`. Each is a method: its receiver is the test case,
 * whose `longMessage` and `maxDiff` say how a text is made.
 */

import { abs, round } from '../../builtins/arithmetic.ts';
import { isinstance } from '../../builtins/objects.ts';
import { std } from '../../registry.ts';
import { call } from '../../values/calls/calls.ts';
import { contains } from '../../values/containers/contains.ts';
import { Dict } from '../../values/containers/dict.ts';
import { toArray } from '../../values/containers/iteration.ts';
import { AnySet } from '../../values/containers/sets.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { getattr, getattrOr } from '../../values/objects/attributes.ts';
import { eq, is } from '../../values/objects/equality.ts';
import { TypeError } from '../../values/objects/exceptions.ts';
import { sub } from '../../values/objects/operators.ts';
import { ge, gt, le, lt } from '../../values/objects/ordering.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { namedType, typeOf } from '../../values/objects/types.ts';

/** Methods by name: parameters and the function. */
export type Methods = Readonly<Record<string, readonly [string, (self: any, ...slots: any[]) => unknown]>>;

/** Ends the test as failed. The text is what is wrong, and the message of the program with it or, without `longMessage`, instead of it. */
export function fails(self: any, what: string, message: unknown): never {
  const own = message ?? null;
  const isLong = truth(getattr(self, 'longMessage'));
  const text = own === null ? what : isLong ? `${what} : ${strOf(own)}` : own;
  throw call(getattr(self, 'failureException'), text);
}

function require(self: any, holds: boolean, what: () => string, message: unknown): null {
  return holds ? null : fails(self, what(), message);
}

type Test = (a: any, b: any) => boolean;

const ofTwo: Readonly<Record<string, readonly [Test, string]>> = {
  assertIn: [(a, b) => contains(b, a), 'not found in'],
  assertNotIn: [(a, b) => !contains(b, a), 'unexpectedly found in'],
  assertIs: [is, 'is not'],
  assertNotEqual: [(a, b) => !eq(a, b), '=='],
  assertGreater: [gt, 'not greater than'],
  assertGreaterEqual: [ge, 'not greater than or equal to'],
  assertLess: [lt, 'not less than'],
  assertLessEqual: [le, 'not less than or equal to'],
  assertIsInstance: [(a, b) => truth(isinstance(a, b)), 'is not an instance of'],
  assertNotIsInstance: [(a, b) => !truth(isinstance(a, b)), 'is an instance of'],
};

const ofOne: Readonly<Record<string, readonly [(a: any) => boolean, (a: unknown) => string]>> = {
  assertTrue: [truth, (a) => `${reprOf(a)} is not true`],
  assertFalse: [(a) => !truth(a), (a) => `${reprOf(a)} is not false`],
  assertIsNone: [(a) => (a ?? null) === null, (a) => `${reprOf(a)} is not None`],
  assertIsNotNone: [(a) => (a ?? null) !== null, () => 'unexpectedly None'],
};

// ---------------------------------------------------------------- texts of two values

const longest = 80;
const placeholder = 12;
const shortest = 5;

function shortened(text: string, head: number, tail: number): string {
  const left = text.length - head - tail;
  return left > placeholder ? `${text.slice(0, head)}[${left} chars]${text.slice(text.length - tail)}` : text;
}

/** Both values, shortened where they are long: what they begin with in common, then what differs. */
function sides(a: unknown, b: unknown): [string, string] {
  const [left, right] = [reprOf(a), reprOf(b)];
  const most = Math.max(left.length, right.length);
  if (most <= longest) return [left, right];
  let common = 0;
  while (common < left.length && left[common] === right[common]) common += 1;
  const room = longest - (most - common + shortest + placeholder);
  const prefix = shortened(left.slice(0, common), shortest, Math.max(room, shortest));
  const rest = (text: string) =>
    room > shortest ? text : shortened(text, longest - 3 * shortest - 2 * placeholder, shortest);
  return [prefix + rest(left.slice(common)), prefix + rest(right.slice(common))];
}

const differs = (a: unknown, b: unknown): string => sides(a, b).join(' != ');

/** The difference, when it is not longer than the test case shows. */
function withDiff(self: any, text: string, diff: string): string {
  const most = getattr(self, 'maxDiff');
  if (most === null || diff.length <= Number(most)) return text + diff;
  return `${text}\nDiff is ${diff.length} characters long. Set self.maxDiff to None to see it.`;
}

const diffOf = (a: unknown[], b: unknown[]): string[] => toArray(call(std('difflib').ndiff, a, b)).map(String);
const formatted = (x: unknown): string[] => String(call(std('pprint').pformat, x)).split('\n');

// ---------------------------------------------------------------- containers

/** The same items in the same order; `given` are the sequences as the program has them. */
function assertSequences(self: any, kind: string, given: [unknown, unknown], message: unknown): null {
  const [a, b] = given.map((x) => toArray(x)) as [unknown[], unknown[]];
  if (a.length === b.length && a.every((x, i) => eq(x, b[i]))) return null;
  const diff = diffOf(formatted(given[0]), formatted(given[1])).join('\n');
  return fails(self, withDiff(self, sequenceText(kind, a, b, differs(...given)), `\n${diff}`), message);
}

function sequenceText(kind: string, a: unknown[], b: unknown[], both: string): string {
  let text = `${kind}s differ: ${both}\n`;
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && eq(a[at], b[at])) at += 1;
  if (at < shorter) text += `\nFirst differing element ${at}:\n${reprOf(a[at])}\n${reprOf(b[at])}\n`;
  const label = kind.toLowerCase();
  const extra = (which: string, items: unknown[]) =>
    `\n${which} ${label} contains ${items.length - shorter} additional elements.\nFirst extra element ${shorter}:\n${reprOf(items[shorter])}\n`;
  if (a.length > b.length) text += extra('First', a);
  else if (b.length > a.length) text += extra('Second', b);
  return text;
}

function assertList(self: any, a: unknown, b: unknown, message: unknown): null {
  for (const [which, x] of [
    ['First', a],
    ['Second', b],
  ])
    if (!Array.isArray(x)) fails(self, `${which} sequence is not a list: ${reprOf(x)}`, null);
  return assertSequences(self, 'List', [a, b], message);
}

function assertTuple(self: any, a: unknown, b: unknown, message: unknown): null {
  for (const [which, x] of [
    ['First', a],
    ['Second', b],
  ])
    if (!(x instanceof Tuple)) fails(self, `${which} sequence is not a tuple: ${reprOf(x)}`, null);
  return assertSequences(self, 'Tuple', [a, b], message);
}

function assertSequence(self: any, a: unknown, b: unknown, message: unknown): null {
  return eq(a, b) ? null : assertSequences(self, 'Sequence', [a, b], message);
}

function requireKinds(self: any, type: unknown, word: string, a: unknown, b: unknown): void {
  for (const [which, x] of [
    ['First', a],
    ['Second', b],
  ])
    if (!truth(isinstance(x, type)))
      fails(self, `${reprOf(x)} is not an instance of ${reprOf(type)}`, `${which} argument is not a ${word}`);
}

function assertDict(self: any, a: unknown, b: unknown, message: unknown): null {
  requireKinds(self, namedType('dict'), 'dictionary', a, b);
  if (eq(a, b)) return null;
  return fails(self, withDiff(self, differs(a, b), `\n${diffOf(formatted(a), formatted(b)).join('\n')}`), message);
}

function assertSet(self: any, a: unknown, b: unknown, message: unknown): null {
  const [left, right] = [toArray(a), toArray(b)];
  const without = (items: unknown[], others: unknown[]) => items.filter((x) => !others.some((y) => eq(x, y)));
  const [first, second] = [without(left, right), without(right, left)];
  if (first.length === 0 && second.length === 0) return null;
  const part = (items: unknown[], text: string) => (items.length === 0 ? [] : [text, ...items.map((x) => reprOf(x))]);
  const lines = [
    ...part(first, 'Items in the first set but not the second:'),
    ...part(second, 'Items in the second set but not the first:'),
  ];
  return fails(self, lines.join('\n'), message);
}

const linesWithEnds = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function assertLines(self: any, a: any, b: any, message: unknown): null {
  requireKinds(self, namedType('str'), 'string', a, b);
  if (a === b) return null;
  let [left, right] = [linesWithEnds(a), linesWithEnds(b)];
  if (left.length === 1 && /^[^\r\n]/.test(a) && /[^\r\n]$/.test(a)) [left, right] = [[`${a}\n`], [`${b}\n`]];
  return fails(self, withDiff(self, differs(a, b), `\n${diffOf(left, right).join('')}`), message);
}

function assertCounts(self: any, a: unknown, b: unknown, message: unknown): null {
  const [first, second] = [toArray(a), toArray(b)];
  const known: unknown[] = [];
  for (const x of [...first, ...second]) if (!known.some((y) => eq(x, y))) known.push(x);
  const count = (items: unknown[], x: unknown) => items.filter((y) => eq(x, y)).length;
  const lines = known
    .map((x) => ({ x, left: count(first, x), right: count(second, x) }))
    .filter(({ left, right }) => left !== right)
    .map(({ x, left, right }) => `First has ${left}, Second has ${right}:  ${reprOf(x)}`);
  if (lines.length === 0) return null;
  return fails(self, `Element counts were not equal:\n${lines.join('\n')}`, message);
}

// ---------------------------------------------------------------- equality

/** Two values of one of these types are compared by the assertion of that type, which shows where they differ. */
function byType(a: unknown, b: unknown): ((self: any, a: any, b: any, message: unknown) => null) | undefined {
  if (typeof a === 'string' && typeof b === 'string') return assertLines;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return undefined;
  if ((a as any).constructor !== (b as any).constructor) return undefined;
  if (Array.isArray(a)) return assertList;
  switch ((a as any).constructor) {
    case Tuple:
      return assertTuple;
    case Dict:
      return assertDict;
    default:
      return a instanceof AnySet ? assertSet : undefined;
  }
}

function assertEqual(self: any, a: unknown, b: unknown, message: unknown): unknown {
  const own = self.$typed?.get(typeOf(a));
  if (own !== undefined && typeOf(a) === typeOf(b))
    return call(typeof own === 'string' ? getattr(self, own) : own, a, b, message ?? null);
  if (eq(a, b)) return null;
  return byType(a, b)?.(self, a, b, message) ?? fails(self, differs(a, b), message);
}

function assertNear(wanted: boolean) {
  return (self: any, a: any, b: any, places: any, message: unknown, delta: any): null => {
    const within = delta ?? null;
    if (within !== null && (places ?? null) !== null) throw new TypeError('specify delta or places not both');
    const same = eq(a, b);
    if (same && wanted) return null;
    const difference = same ? 0 : abs(sub(a, b));
    const isNear = same || (within === null ? eq(round(difference, places ?? 7), 0) : le(difference, within));
    const range = within === null ? `${places ?? 7} places` : `${reprOf(within)} delta`;
    const shown = wanted || within !== null ? ` (${reprOf(difference)} difference)` : '';
    return require(self, isNear === wanted, () =>
      `${reprOf(a)} ${wanted ? '!=' : '=='} ${reprOf(b)} within ${range}${shown}`, message);
  };
}

function assertMatch(self: any, text: unknown, pattern: any, message: unknown): null {
  const found = call(std('re').search, pattern, text) ?? null;
  return require(self, found !== null, () =>
    `Regex didn't match: ${patternText(pattern)} not found in ${reprOf(text)}`, message);
}

function assertNoMatch(self: any, text: unknown, pattern: any, message: unknown): null {
  const found = call(std('re').search, pattern, text) ?? null;
  if (found === null) return null;
  const part = reprOf(call(getattr(found, 'group')));
  return fails(self, `Regex matched: ${part} matches ${patternText(pattern)} in ${reprOf(text)}`, message);
}

/** The text of a pattern, compiled or not. */
export function patternText(pattern: unknown): string {
  return reprOf(getattrOr(pattern, 'pattern', pattern));
}

const pair = 'first, second, msg=None';

export const assertions: Methods = {
  ...Object.fromEntries(
    Object.entries(ofTwo).map(([name, [holds, word]]) => [
      name,
      [
        /In$/.test(name) ? 'member, container, msg=None' : /Instance$/.test(name) ? 'obj, cls, msg=None' : pair,
        (self: any, a: unknown, b: unknown, message: unknown) =>
          require(self, holds(a, b), () => `${reprOf(a)} ${word} ${reprOf(b)}`, message),
      ],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(ofOne).map(([name, [holds, text]]) => [
      name,
      ['expr, msg=None', (self: any, a: unknown, message: unknown) => require(self, holds(a), () => text(a), message)],
    ]),
  ),
  assertIsNot: [
    'expr1, expr2, msg=None',
    (self, a, b, message) => require(self, !is(a, b), () => `unexpectedly identical: ${reprOf(a)}`, message),
  ],
  assertEqual: [pair, assertEqual],
  assertAlmostEqual: ['first, second, places=None, msg=None, delta=None', assertNear(true)],
  assertNotAlmostEqual: ['first, second, places=None, msg=None, delta=None', assertNear(false)],
  assertListEqual: ['list1, list2, msg=None', assertList],
  assertTupleEqual: ['tuple1, tuple2, msg=None', assertTuple],
  assertSequenceEqual: ['seq1, seq2, msg=None, seq_type=None', assertSequence],
  assertDictEqual: ['d1, d2, msg=None', assertDict],
  assertSetEqual: ['set1, set2, msg=None', assertSet],
  assertMultiLineEqual: [pair, assertLines],
  assertCountEqual: [pair, assertCounts],
  assertRegex: ['text, expected_regex, msg=None', assertMatch],
  assertNotRegex: ['text, unexpected_regex, msg=None', assertNoMatch],
};
