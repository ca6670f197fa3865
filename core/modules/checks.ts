/** `check.assertEqual(a, b);` [L]: what tests said before `assert`, with the names and messages of `unittest`. */

import { abs, round } from '../../library/builtins/arithmetic.ts';
import { testfail, testraises, testskip } from '../../library/builtins/expectations.ts';
import { type Members, makeModule } from '../../library/builtins/module.ts';
import { isinstance } from '../../library/builtins/objects.ts';
import { std } from '../../library/registry.ts';
import { call, callkw } from '../../library/values/calls/calls.ts';
import { excMatch } from '../../library/values/calls/raise.ts';
import { native } from '../../library/values/calls/signature.ts';
import { contains } from '../../library/values/containers/contains.ts';
import type { Dict } from '../../library/values/containers/dict.ts';
import { toArray } from '../../library/values/containers/iteration.ts';
import { getattrOr } from '../../library/values/objects/attributes.ts';
import { eq, is } from '../../library/values/objects/equality.ts';
import { AssertionError } from '../../library/values/objects/exceptions.ts';
import { sub } from '../../library/values/objects/operators.ts';
import { ge, gt, le, lt } from '../../library/values/objects/ordering.ts';
import { reprOf, strOf } from '../../library/values/objects/repr.ts';
import { truth } from '../../library/values/objects/truth.ts';
import { className } from '../../library/values/objects/type-name.ts';

type Test = (a: any, b: any) => boolean;

/** Assertions about two values: what holds, and how the message says that it does not. */
const ofTwo: Readonly<Record<string, readonly [Test, string]>> = {
  assertEqual: [eq, '!='],
  assertNotEqual: [(a, b) => !eq(a, b), '=='],
  assertIs: [is, 'is not'],
  assertIsNot: [(a, b) => !is(a, b), 'is'],
  assertIn: [(a, b) => contains(b, a), 'not found in'],
  assertNotIn: [(a, b) => !contains(b, a), 'unexpectedly found in'],
  assertIsInstance: [(a, b) => truth(isinstance(a, b)), 'is not an instance of'],
  assertNotIsInstance: [(a, b) => !truth(isinstance(a, b)), 'is an instance of'],
  assertGreater: [gt, 'not greater than'],
  assertGreaterEqual: [ge, 'not greater than or equal to'],
  assertLess: [lt, 'not less than'],
  assertLessEqual: [le, 'not less than or equal to'],
  assertCountEqual: [sameItems, 'does not have the items of'],
};

const ofOne: Readonly<Record<string, readonly [(a: any) => boolean, string]>> = {
  assertTrue: [truth, 'is not true'],
  assertFalse: [(a) => !truth(a), 'is not false'],
  assertIsNone: [(a) => (a ?? null) === null, 'is not None'],
  assertIsNotNone: [(a) => (a ?? null) !== null, 'is unexpectedly None'],
};

const sameAs: Readonly<Record<string, string>> = {
  Equal: 'assertEqual',
  NotEqual: 'assertNotEqual',
  True: 'assertTrue',
  False: 'assertFalse',
  AlmostEqual: 'assertAlmostEqual',
  assertEquals: 'assertEqual',
  assertListEqual: 'assertEqual',
  assertTupleEqual: 'assertEqual',
  assertDictEqual: 'assertEqual',
  assertSetEqual: 'assertEqual',
  assertMultiLineEqual: 'assertEqual',
  assertSequenceEqual: 'assertEqual',
};

function sameItems(a: unknown, b: unknown): boolean {
  const left = toArray(b);
  for (const item of toArray(a)) {
    const i = left.findIndex((other) => eq(item, other));
    if (i < 0) return false;
    left.splice(i, 1);
  }
  return left.length === 0;
}

function require(holds: boolean, what: string, message: unknown): null {
  if (holds) return null;
  throw new AssertionError((message ?? null) === null ? what : `${what} : ${strOf(message)}`);
}

/** Equal, or so near that the difference rounds to nothing, or is at most `delta`. */
function isNear(a: any, b: any, places: any, delta: any): boolean {
  if (eq(a, b)) return true;
  const difference = abs(sub(a, b));
  return delta === null ? eq(round(difference, places ?? 7), 0) : le(difference, delta);
}

function distance(a: unknown, b: unknown): string {
  return eq(a, b) ? '' : ` (${reprOf(abs(sub(a, b)))} difference)`;
}

function nearness(name: string, wanted: boolean, word: string): unknown {
  return native(
    name,
    'first, second, places=None, msg=None, delta=None',
    (a: unknown, b: unknown, places: unknown = null, message: unknown = null, delta: unknown = null) =>
      require(isNear(a, b, places, delta) ===
        wanted, `${reprOf(a)} ${word} ${reprOf(b)} within ${delta === null ? `${places ?? 7} places` : `${reprOf(delta)} delta`}${distance(a, b)}`, message),
  );
}

function matching(name: string, wanted: boolean, word: string): unknown {
  return native(name, 'text, expected_regex, msg=None', (text: unknown, pattern: unknown, message: unknown) =>
    require((call(std('re').search, pattern, text) !== null) ===
      wanted, `Regex ${word}: ${reprOf(pattern)} ${wanted ? 'not found in' : 'matches'} ${reprOf(text)}`, message),
  );
}

/** Without a function a context, as `testraises`; with one, calls it. */
const assertRaises = native(
  'assertRaises',
  'expected_exception, *args, **kwargs',
  (expected: any, args: readonly unknown[] = [], kwargs?: Dict) => {
    if (args.length === 0) return call(testraises, expected);
    try {
      callkw(args[0], args.slice(1), kwargs);
    } catch (e) {
      if (excMatch(e, expected)) return null;
      throw e;
    }
    throw new AssertionError(`${className(expected)} not raised by ${callee(args[0])}`);
  },
);

function callee(f: any): string {
  return strOf(getattrOr(f, '__name__', f));
}

const members: Record<string, unknown> = {
  assertRaises,
  assertAlmostEqual: nearness('assertAlmostEqual', true, '!='),
  assertNotAlmostEqual: nearness('assertNotAlmostEqual', false, '=='),
  assertRegex: matching('assertRegex', true, "didn't match"),
  assertNotRegex: matching('assertNotRegex', false, 'matched'),
  fail: testfail,
  skipTest: testskip,
};
for (const [name, [holds, word]] of Object.entries(ofTwo)) {
  members[name] = native(name, 'first, second, msg=None', (a: unknown, b: unknown, message: unknown) =>
    require(holds(a, b), `${reprOf(a)} ${word} ${reprOf(b)}`, message),
  );
}
for (const [name, [holds, word]] of Object.entries(ofOne)) {
  members[name] = native(name, 'expr, msg=None', (a: unknown, message: unknown) =>
    require(holds(a), word.includes('unexpectedly') ? 'unexpectedly None' : `${reprOf(a)} ${word}`, message),
  );
}
for (const [name, other] of Object.entries(sameAs)) members[name] = members[other];

/** `svclang.checks`: what `test` blocks have besides `assert`. Compiled code takes it from there, as programs that are served hardly use it. */
export function makeChecks(): Members {
  return { check: makeModule('check', members), testfail, testraises, testskip };
}
