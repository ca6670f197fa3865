/** `unittest.TestCase`: one test, what stands around it, and how it is run. */

import { SkipTest } from '../../builtins/expectations.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { setOnFunction } from '../../classes/class-attributes.ts';
import { awaitable } from '../../values/calls/awaitable.ts';
import { call, callkw } from '../../values/calls/calls.ts';
import { enter, exit } from '../../values/calls/context-managers.ts';
import { caught } from '../../values/calls/raise.ts';
import { native } from '../../values/calls/signature.ts';
import type { Dict } from '../../values/containers/dict.ts';
import { tuple } from '../../values/containers/tuple.ts';
import { getattr, getattrOr, lookup } from '../../values/objects/attributes.ts';
import { AssertionError, KeyboardInterrupt, ValueError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { $repr, $str } from '../../values/objects/protocol.ts';
import { qualifiedClass, reprOf, strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { isClass } from '../../values/objects/type-name.ts';
import { assertions, type Methods } from './assertions.ts';
import { contexts } from './contexts.ts';

type Cleanup = () => unknown;

/** Outcome of a test while it runs. */
interface Outcome {
  readonly result: any;
  failed: boolean;
  expectsFailure: boolean;
  expected: unknown;
}

export class TestCase {
  declare _testMethodName: string;
  declare $cleanups: Cleanup[];
  declare $outcome: Outcome | undefined;
  declare $params: ReadonlyMap<unknown, unknown>;
  declare $typed: Map<unknown, unknown> | undefined;

  constructor(name?: string) {
    this.init(name);
  }

  init(name = 'runTest'): void {
    if (lookup(this, name) === undefined && name !== 'runTest')
      throw new ValueError(`no such test method in ${reprOf(this.constructor)}: ${name}`);
    this._testMethodName = name;
    this.$cleanups = [];
    this.$params = new Map();
  }

  setUp(): null {
    return null;
  }

  tearDown(): null {
    return null;
  }

  id(): string {
    return `${qualifiedClass(this.constructor)}.${this._testMethodName}`;
  }

  shortDescription(): string | null {
    const doc = getattrOr(lookup(this, this._testMethodName), '__doc__', null);
    return typeof doc === 'string' && doc !== '' ? doc.trim().split('\n')[0]!.trim() : null;
  }

  countTestCases(): number {
    return 1;
  }

  fail(message?: unknown): never {
    throw call(getattr(this, 'failureException'), message ?? null);
  }

  skipTest(reason: unknown): never {
    throw new SkipTest(reason);
  }

  addCleanup(f: unknown, args: readonly unknown[] = [], kwargs?: Dict): null {
    this.$cleanups.push(() => callkw(f, args, kwargs));
    return null;
  }

  enterContext(manager: unknown): unknown {
    const entered = enter(manager);
    this.$cleanups.push(() => exit(manager, undefined));
    return entered;
  }

  addTypeEqualityFunc(type: unknown, f: unknown): null {
    this.$typed ??= new Map();
    this.$typed.set(type, f);
    return null;
  }

  async doCleanups(): Promise<boolean> {
    for (let next = this.$cleanups.pop(); next !== undefined; next = this.$cleanups.pop()) {
      const cleanup = next;
      await part(this, cleanup);
    }
    return this.$outcome?.failed !== true;
  }

  subTest(message?: unknown, params?: Dict): SubTestContext {
    return new SubTestContext(this, message, new Map([...this.$params, ...(params?.entries() ?? [])]));
  }

  run(result?: any): Promise<unknown> {
    return runTest(this, result);
  }

  __call__(result?: any): Promise<unknown> {
    return runTest(this, result);
  }

  async debug(): Promise<null> {
    await callMethod(this, 'setUp');
    await callMethod(this, this._testMethodName);
    await callMethod(this, 'tearDown');
    for (const cleanup of this.$cleanups.splice(0).reverse()) await cleanup();
    return null;
  }

  [$str](): string {
    return `${this._testMethodName} (${this.id()})`;
  }

  [$repr](): string {
    return `<${qualifiedClass(this.constructor)} testMethod=${this._testMethodName}>`;
  }
}

function addMethods(cls: any, methods: Methods): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, [params, act]] of Object.entries(methods)) {
    const { [name]: method } = {
      [name](this: unknown, ...slots: unknown[]) {
        return act(this, ...slots);
      },
    };
    Object.defineProperty(cls.prototype, name, { value: method, writable: true, configurable: true });
    texts[name] = params;
  }
  return texts;
}

const classCleanups = new WeakMap<object, Cleanup[]>();

/** Takes the functions that `addClassCleanup` has collected: last in, first out. */
export function cleanupsOfClass(cls: object): Cleanup[] {
  return (classCleanups.get(cls) ?? []).splice(0).reverse();
}

const nameOfMethod = "methodName='runTest'";
native('TestCase.__init__', nameOfMethod, TestCase.prototype.init);
nativeClass(TestCase, {
  name: 'TestCase',
  module: 'unittest.case',
  params: nameOfMethod,
  methods: {
    ...addMethods(TestCase, { ...assertions, ...contexts }),
    fail: 'msg=None',
    skipTest: 'reason',
    addCleanup: 'function, /, *args, **kwargs',
    enterContext: 'cm',
    addTypeEqualityFunc: 'typeobj, function',
    subTest: 'msg=None, **params',
    run: 'result=None',
    __call__: 'result=None',
  },
  classMethods: {
    setUpClass: ['', () => null],
    tearDownClass: ['', () => null],
    addClassCleanup: [
      'function, /, *args, **kwargs',
      (cls, f: unknown, args: readonly unknown[] = [], kwargs?: Dict) => {
        classCleanups.set(cls, [...(classCleanups.get(cls) ?? []), () => callkw(f, args, kwargs)]);
        return null;
      },
    ],
    enterClassContext: [
      'cm',
      (cls, manager: unknown) => {
        const entered = enter(manager);
        classCleanups.set(cls, [...(classCleanups.get(cls) ?? []), () => exit(manager, undefined)]);
        return entered;
      },
    ],
  },
  values: { failureException: AssertionError, longMessage: true, maxDiff: 640 },
});

/** Tests that are coroutines, with `asyncSetUp` and `asyncTearDown` around them. */
export class IsolatedAsyncioTestCase extends TestCase {
  // Classes with one of their own are set up by it.
  override init(name?: string): void {
    super.init(name);
  }

  asyncSetUp(): null {
    return null;
  }

  asyncTearDown(): null {
    return null;
  }

  addAsyncCleanup(f: unknown, args: readonly unknown[] = [], kwargs?: Dict): null {
    return this.addCleanup(f, args, kwargs);
  }
}
native('IsolatedAsyncioTestCase.__init__', nameOfMethod, IsolatedAsyncioTestCase.prototype.init);
nativeClass(IsolatedAsyncioTestCase, {
  name: 'IsolatedAsyncioTestCase',
  module: 'unittest.async_case',
  params: nameOfMethod,
  methods: { addAsyncCleanup: 'function, /, *args, **kwargs' },
});

/** A function as a test. */
export class FunctionTestCase extends TestCase {
  declare $parts: readonly unknown[];

  override setUp(): null {
    return this.$call(1);
  }

  override tearDown(): null {
    return this.$call(2);
  }

  runTest(): unknown {
    return this.$call(0);
  }

  $call(at: number): any {
    const f = this.$parts[at] ?? null;
    return f === null ? null : call(f);
  }

  override id(): string {
    return strOf(getattr(this.$parts[0], '__name__'));
  }

  override [$str](): string {
    return `${qualifiedClass(this.constructor)} (${this.id()})`;
  }
}
nativeClass(FunctionTestCase, {
  name: 'FunctionTestCase',
  module: 'unittest.case',
  params: 'testFunc, setUp=None, tearDown=None, description=None',
  make: (cls, ...parts) => {
    const made = new cls();
    made.$parts = parts;
    return made;
  },
});

/** Part of a test that failed, as results are told of it. */
export class SubTest {
  readonly test_case: TestCase;
  readonly $message: unknown;
  readonly params: ReadonlyMap<unknown, unknown>;

  constructor(test: TestCase, message: unknown, params: ReadonlyMap<unknown, unknown>) {
    this.test_case = test;
    this.$message = message;
    this.params = params;
  }

  $description(): string {
    const parts = (this.$message ?? null) === null ? [] : [`[${strOf(this.$message)}]`];
    const named = [...this.params].map(([name, value]) => `${strOf(name)}=${reprOf(value)}`);
    if (named.length > 0) parts.push(`(${named.join(', ')})`);
    return parts.length === 0 ? '(<subtest>)' : parts.join(' ');
  }

  id(): string {
    return `${strOf(callMethod(this.test_case, 'id'))} ${this.$description()}`;
  }

  shortDescription(): unknown {
    return callMethod(this.test_case, 'shortDescription');
  }

  [$str](): string {
    return `${strOf(this.test_case)} ${this.$description()}`;
  }
}
nativeClass(SubTest, { name: '_SubTest', module: 'unittest.case' });

/** Keeps the failure of its block to itself: the test goes on behind it and has failed. */
class SubTestContext {
  readonly $test: TestCase;
  readonly $message: unknown;
  readonly $params: ReadonlyMap<unknown, unknown>;
  readonly $around: ReadonlyMap<unknown, unknown>;

  constructor(test: TestCase, message: unknown, params: ReadonlyMap<unknown, unknown>) {
    this.$test = test;
    this.$message = message;
    this.$around = test.$params;
    this.$params = params;
  }

  __enter__(): null {
    this.$test.$params = this.$params;
    return null;
  }

  __exit__(_type: unknown, error: unknown): boolean {
    const test = this.$test;
    test.$params = this.$around;
    const outcome = test.$outcome;
    if (outcome === undefined || error instanceof KeyboardInterrupt) return false;
    const sub = new SubTest(test, this.$message, this.$params);
    if ((error ?? null) === null) {
      callMethod(outcome.result, 'addSubTest', test, sub, null);
      return false;
    }
    if (error instanceof SkipTest) callMethod(outcome.result, 'addSkip', sub, reasonOf(error));
    else if (outcome.expectsFailure) outcome.expected = error;
    else {
      outcome.failed = true;
      callMethod(outcome.result, 'addSubTest', test, sub, detailsOf(error));
    }
    return true;
  }
}
nativeClass(SubTestContext, { name: '_SubTestContext', module: 'unittest.case' });

// ---------------------------------------------------------------- running

/** `(type, error, traceback)` */
export function detailsOf(error: any): unknown {
  return tuple(error.constructor, error, error.__traceback__ ?? null);
}

export function reasonOf(error: unknown): string {
  return strOf(error);
}

/** Does something of the test and notes how it ends. */
async function part(test: TestCase, act: () => unknown): Promise<void> {
  const outcome = test.$outcome;
  try {
    await awaitable(act());
  } catch (e) {
    const error: any = caught(e);
    if (outcome === undefined || error instanceof KeyboardInterrupt) throw error;
    if (outcome.expectsFailure && !(error instanceof SkipTest)) {
      outcome.expected = error;
      outcome.failed = true;
      return;
    }
    outcome.failed = true;
    if (error instanceof SkipTest) callMethod(outcome.result, 'addSkip', test, reasonOf(error));
    else {
      const isFailure = error instanceof (getattr(test, 'failureException') as any);
      callMethod(outcome.result, isFailure ? 'addFailure' : 'addError', test, detailsOf(error));
    }
  }
}

let makeResult: (() => any) | undefined;

/** Sets the maker of the result for a test that is run without one. */
export function setDefaultResult(make: () => any): void {
  makeResult = make;
}

async function runTest(test: TestCase, given: any): Promise<unknown> {
  const result = given ?? makeResult!();
  callMethod(result, 'startTest', test);
  try {
    const method = lookup(test, test._testMethodName);
    const reason = skipReason(method) ?? skipReason(test.constructor);
    if (reason !== undefined) callMethod(result, 'addSkip', test, reason);
    else await runParts(test, method, result);
  } finally {
    callMethod(result, 'stopTest', test);
  }
  return result;
}

async function runParts(test: TestCase, method: unknown, result: any): Promise<void> {
  const outcome: Outcome = { result, failed: false, expectsFailure: false, expected: undefined };
  const expectsFailure = hasMark(method, expecting) || hasMark(test.constructor, expecting);
  const isAsync = test instanceof IsolatedAsyncioTestCase;
  test.$outcome = outcome;
  await part(test, () => callMethod(test, 'setUp'));
  if (isAsync && !outcome.failed) await part(test, () => callMethod(test, 'asyncSetUp'));
  if (!outcome.failed) {
    outcome.expectsFailure = expectsFailure;
    await part(test, () => callMethod(test, test._testMethodName));
    outcome.expectsFailure = false;
    if (isAsync) await part(test, () => callMethod(test, 'asyncTearDown'));
    await part(test, () => callMethod(test, 'tearDown'));
  }
  await test.doCleanups();
  test.$outcome = undefined;
  if (expectsFailure && outcome.expected !== undefined)
    callMethod(result, 'addExpectedFailure', test, detailsOf(outcome.expected));
  else if (outcome.failed) return;
  else if (expectsFailure) callMethod(result, 'addUnexpectedSuccess', test);
  else callMethod(result, 'addSuccess', test);
}

// ---------------------------------------------------------------- decorators

const expecting = '__unittest_expecting_failure__';
const skipping = '__unittest_skip__';
const why = '__unittest_skip_why__';

function mark(f: any, name: string, value: unknown): void {
  if (isClass(f)) Object.defineProperty(f, name, { value, configurable: true });
  else setOnFunction(f, name, value);
}

function hasMark(f: any, name: string): boolean {
  return isClass(f) ? truth((f as any)[name] ?? false) : truth(getattrOr(f, name, false));
}

/** Gives the reason why a test or class is not run; undefined when it is. */
export function skipReason(f: any): string | undefined {
  if (!hasMark(f, skipping)) return undefined;
  return strOf(isClass(f) ? (f as any)[why] : getattrOr(f, why, ''));
}

function skipped(f: any, reason: unknown): unknown {
  mark(f, skipping, true);
  mark(f, why, reason);
  return f;
}

function skip(reason: any): unknown {
  if (typeof reason === 'function') return skipped(reason, '');
  return native('decorator', 'test_item', (f: unknown) => skipped(f, reason));
}

const same = native('_id', 'obj', (f: unknown) => f);

export const decorators: Readonly<Record<string, readonly [string, (...slots: any[]) => unknown]>> = {
  skip: ['reason', skip],
  skipIf: ['condition, reason', (condition, reason) => (truth(condition) ? skip(reason) : same)],
  skipUnless: ['condition, reason', (condition, reason) => (truth(condition) ? same : skip(reason))],
  expectedFailure: [
    'test_item',
    (f) => {
      mark(f, expecting, true);
      return f;
    },
  ],
};
