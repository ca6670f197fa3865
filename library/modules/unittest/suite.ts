/** Suites of `unittest`: tests in their order, with what stands around those of a class. */

import { SkipTest } from '../../builtins/expectations.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { awaitable } from '../../values/calls/awaitable.ts';
import { call } from '../../values/calls/calls.ts';
import { caught } from '../../values/calls/raise.ts';
import { native } from '../../values/calls/signature.ts';
import { toArray } from '../../values/containers/iteration.ts';
import { getattr, lookup } from '../../values/objects/attributes.ts';
import { TypeError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { $repr, $str } from '../../values/objects/protocol.ts';
import { qualifiedClass, reprOf, strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { isClass } from '../../values/objects/type-name.ts';
import { cleanupsOfClass, detailsOf, skipReason } from './case.ts';

/** Holder of a failure around the tests of a class. */
class ErrorHolder {
  readonly description: string;
  readonly failureException = null;

  constructor(description: string) {
    this.description = description;
  }

  id(): string {
    return this.description;
  }

  shortDescription(): null {
    return null;
  }

  [$str](): string {
    return this.description;
  }
}
nativeClass(ErrorHolder, { name: '_ErrorHolder', module: 'unittest.suite' });

export class TestSuite {
  declare $tests: any[];

  constructor(tests?: unknown) {
    this.init(tests);
  }

  init(tests?: unknown): void {
    this.$tests = [];
    if ((tests ?? null) !== null) this.addTests(tests);
  }

  addTest(test: any): null {
    if (isClass(test))
      throw new TypeError('TestCases and TestSuites must be instantiated before passing them to addTest()');
    this.$tests.push(test);
    return null;
  }

  addTests(tests: unknown): null {
    for (const test of toArray(tests)) this.addTest(test);
    return null;
  }

  countTestCases(): number {
    return this.$tests.reduce((count, test) => count + callMethod(test, 'countTestCases'), 0);
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.$tests[Symbol.iterator]();
  }

  async run(result: any): Promise<unknown> {
    const around = new ClassFixtures(result);
    for (const test of flat(this)) {
      if (truth(getattr(result, 'shouldStop'))) break;
      if (await around.enter(test.constructor)) await callMethod(test, 'run', result);
    }
    await around.leave();
    return result;
  }

  __call__(result: any): Promise<unknown> {
    return this.run(result);
  }

  [$repr](): string {
    return `<${qualifiedClass(this.constructor)} tests=${reprOf(this.$tests)}>`;
  }
}
native('TestSuite.__init__', 'tests=()', TestSuite.prototype.init);
nativeClass(TestSuite, {
  name: 'TestSuite',
  module: 'unittest.suite',
  params: 'tests=()',
  methods: { addTest: 'test', addTests: 'tests', run: 'result, debug=False', __call__: 'result' },
});

function flat(suite: TestSuite): any[] {
  return suite.$tests.flatMap((test) => (test instanceof TestSuite ? flat(test) : [test]));
}

/** `setUpClass` before the first test of a class and `tearDownClass` behind its last. */
class ClassFixtures {
  readonly #result: any;
  #current: any;
  #isReady = true;

  constructor(result: unknown) {
    this.#result = result;
  }

  /** Tells whether tests of the class may run. */
  async enter(cls: any): Promise<boolean> {
    if (cls === this.#current) return this.#isReady;
    await this.leave();
    this.#current = cls;
    this.#isReady = skipReason(cls) !== undefined || (await this.#fixture(cls, 'setUpClass'));
    if (!this.#isReady) for (const cleanup of cleanupsOfClass(cls)) await this.#attempt(cls, 'setUpClass', cleanup);
    return this.#isReady;
  }

  async leave(): Promise<void> {
    const cls = this.#current;
    this.#current = undefined;
    if (cls === undefined || !this.#isReady || skipReason(cls) !== undefined) return;
    await this.#fixture(cls, 'tearDownClass');
    for (const cleanup of cleanupsOfClass(cls)) await this.#attempt(cls, 'tearDownClass', cleanup);
  }

  #fixture(cls: any, name: string): Promise<boolean> {
    const found = lookup(cls, name);
    return found === undefined ? Promise.resolve(true) : this.#attempt(cls, name, () => call(found));
  }

  async #attempt(cls: any, name: string, act: () => unknown): Promise<boolean> {
    try {
      await awaitable(act());
      return true;
    } catch (e) {
      const error: any = caught(e);
      const holder = new ErrorHolder(`${name} (${qualifiedClass(cls)})`);
      if (error instanceof SkipTest) callMethod(this.#result, 'addSkip', holder, strOf(error));
      else callMethod(this.#result, 'addError', holder, detailsOf(error));
      return false;
    }
  }
}
