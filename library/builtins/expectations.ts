/** Statements that `test` blocks have besides `assert`: `testraises`, `testfail`, `testskip`. */

import { std } from '../registry.ts';
import { builtin } from '../values/calls/builtin.ts';
import { call } from '../values/calls/calls.ts';
import { excMatch } from '../values/calls/raise.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { AssertionError, BaseException, Exception, nameException, TypeError } from '../values/objects/exceptions.ts';
import { reprOf, strOf } from '../values/objects/repr.ts';
import { className } from '../values/objects/type-name.ts';
import { nativeClass } from './native-class.ts';

/** Raised by `testskip`; the module `unittest` has it too. */
export class SkipTest extends Exception {}
nameException(SkipTest, 'SkipTest');

/** Value that `with testraises(…) as info` binds: filled in when the block ends. */
class RaisedInfo {
  type: unknown = null;
  value: unknown = null;
}
nativeClass(RaisedInfo, { name: 'RaisedInfo' });

class Raises {
  readonly $expected: readonly unknown[];
  readonly $pattern: unknown;
  readonly $info = new RaisedInfo();

  constructor(expected: readonly unknown[], pattern: unknown) {
    if (expected.length === 0) throw new TypeError('testraises() needs an exception type');
    const wrong = expected.find((cls) => !isExceptionClass(cls));
    if (wrong !== undefined) throw new TypeError(`testraises() takes exception types, not ${reprOf(wrong)}`);
    this.$expected = expected;
    this.$pattern = pattern ?? null;
  }

  __enter__(): RaisedInfo {
    return this.$info;
  }

  __exit__(type: unknown, error: unknown): boolean {
    if (error === null || error === undefined) {
      throw new AssertionError(`DID NOT RAISE ${this.$expected.map(className).join(' or ')}`);
    }
    if (!excMatch(error, new Tuple(this.$expected))) return false;
    Object.assign(this.$info, { type, value: error });
    if (this.$pattern !== null && call(std('re').search, this.$pattern, strOf(error)) === null)
      throw new AssertionError(`${reprOf(strOf(error))} does not match ${reprOf(this.$pattern)}`);
    return true;
  }
}
nativeClass(Raises, { name: 'testraises' });

function isExceptionClass(cls: any): boolean {
  return typeof cls === 'function' && (cls === BaseException || cls.prototype instanceof BaseException);
}

export const testraises = builtin(
  'testraises',
  (expected: readonly unknown[] = [], match: unknown = null) => new Raises(expected, match),
);

export const testfail = builtin('testfail', (reason: unknown = 'explicit failure') => {
  throw new AssertionError(reason);
});

export const testskip = builtin('testskip', (reason: unknown = '') => {
  throw new SkipTest(reason);
});
