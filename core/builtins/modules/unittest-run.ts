/** How tests of `unittest` are found, run and reported: suites, loaders, results, the runner and `main`. */
import { liveClasses } from '../../archetypes/registry.ts';
import { getattr, getattrOr, lookup } from '../../values/attributes.ts';
import { awaitable } from '../../values/awaitable.ts';
import { call } from '../../values/calls.ts';
import { AttributeError, NotImplementedError, SystemExit, TypeError } from '../../values/exceptions.ts';
import { toArray } from '../../values/iteration.ts';
import { callMethod } from '../../values/methods.ts';
import { $about, $repr, $str, attributeName } from '../../values/protocol.ts';
import { caught } from '../../values/raise.ts';
import { qualifiedClass, reprOf, strOf } from '../../values/repr.ts';
import { native } from '../../values/signature.ts';
import { truth } from '../../values/truth.ts';
import { type Tuple, tuple } from '../../values/tuple.ts';
import { className, isClass } from '../../values/type-name.ts';
import { SkipTest } from '../expectations.ts';
import { std } from '../modules.ts';
import { nativeClass } from '../native-class.ts';
import { dir } from '../objects.ts';
import { streams } from '../streams.ts';
import { exceptionReport } from './traceback.ts';
import { cleanupsOfClass, detailsOf, SubTest, setDefaultResult, skipReason, TestCase } from './unittest-case.ts';

// ---------------------------------------------------------------- results

export class TestResult {
  declare failures: unknown[];
  declare errors: unknown[];
  declare skipped: unknown[];
  declare expectedFailures: unknown[];
  declare unexpectedSuccesses: unknown[];
  declare testsRun: number;
  declare shouldStop: boolean;
  declare failfast: boolean;

  constructor(...slots: any[]) {
    this.init(...slots);
  }

  init(..._slots: any[]): void {
    this.failures = [];
    this.errors = [];
    this.skipped = [];
    this.expectedFailures = [];
    this.unexpectedSuccesses = [];
    this.testsRun = 0;
    this.shouldStop = false;
    this.failfast = false;
  }

  startTest(_test: unknown): null {
    this.testsRun += 1;
    return null;
  }

  stopTest(_test: unknown): null {
    return null;
  }

  startTestRun(): null {
    return null;
  }

  stopTestRun(): null {
    return null;
  }

  addSuccess(_test: unknown): null {
    return null;
  }

  addFailure(test: unknown, details: Tuple): null {
    return this.$note(this.failures, test, details);
  }

  addError(test: unknown, details: Tuple): null {
    return this.$note(this.errors, test, details);
  }

  addSubTest(_test: unknown, sub: unknown, details: Tuple | null): null {
    if (details === null) return null;
    return this.$note(isFailure(sub, details) ? this.failures : this.errors, sub, details);
  }

  addSkip(test: unknown, reason: unknown): null {
    this.skipped.push(tuple(test, reason));
    return null;
  }

  addExpectedFailure(test: unknown, details: Tuple): null {
    this.expectedFailures.push(tuple(test, textOf(details)));
    return null;
  }

  addUnexpectedSuccess(test: unknown): null {
    this.unexpectedSuccesses.push(test);
    this.shouldStop ||= this.failfast;
    return null;
  }

  wasSuccessful(): boolean {
    return this.failures.length === 0 && this.errors.length === 0 && this.unexpectedSuccesses.length === 0;
  }

  stop(): null {
    this.shouldStop = true;
    return null;
  }

  $note(list: unknown[], test: unknown, details: Tuple): null {
    list.push(tuple(test, textOf(details)));
    this.shouldStop ||= this.failfast;
    return null;
  }

  [$repr](): string {
    return `<${qualifiedClass(this.constructor)} run=${this.testsRun} errors=${this.errors.length} failures=${this.failures.length}>`;
  }
}
const resultMethods = {
  startTest: 'test',
  stopTest: 'test',
  addSuccess: 'test',
  addFailure: 'test, err',
  addError: 'test, err',
  addSubTest: 'test, subtest, err',
  addSkip: 'test, reason',
  addExpectedFailure: 'test, err',
  addUnexpectedSuccess: 'test',
};
native('TestResult.__init__', 'stream=None, descriptions=None, verbosity=None', TestResult.prototype.init);
nativeClass(TestResult, {
  name: 'TestResult',
  module: 'unittest.result',
  params: 'stream=None, descriptions=None, verbosity=None',
  methods: resultMethods,
});
setDefaultResult(() => new TestResult());

/** The report of an error, from the test on. */
function textOf(details: Tuple): string {
  const text = exceptionReport(details.items[1]).join('');
  return text.replace(/^(Traceback .*\n)(?: {2}File .*, in <module>\n)+/gm, '$1');
}

function isFailure(test: any, details: Tuple): boolean {
  const owner = test instanceof SubTest ? test.test_case : test;
  return details.items[1] instanceof (getattrOr(owner, 'failureException', SkipTest) as any);
}

/** Writes a sign, or with more detail a line, for each test. */
export class TextTestResult extends TestResult {
  declare stream: any;
  declare descriptions: unknown;
  declare $verbosity: number;
  declare $isNewLine: boolean;
  declare separator1: string;
  declare separator2: string;

  override init(stream?: any, descriptions?: unknown, verbosity?: any): void {
    super.init();
    this.stream = stream ?? streams.stderr;
    this.descriptions = descriptions ?? true;
    this.$verbosity = verbosity ?? 1;
    this.$isNewLine = true;
    this.separator1 = '='.repeat(70);
    this.separator2 = '-'.repeat(70);
  }

  getDescription(test: any): string {
    const doc = truth(this.descriptions) ? callMethod(test, 'shortDescription') : null;
    return doc === null ? strOf(test) : `${strOf(test)}\n${strOf(doc)}`;
  }

  $write(text: string): void {
    callMethod(this.stream, 'write', text);
  }

  $show(test: unknown, word: string, sign: string): null {
    if (this.$verbosity > 1) {
      const isPart = test instanceof SubTest;
      if (isPart || this.$isNewLine) {
        if (!this.$isNewLine) this.$write('\n');
        this.$write(`${isPart ? '  ' : ''}${strOf(callMethod(this, 'getDescription', test))} ... `);
      }
      this.$write(`${word}\n`);
      this.$isNewLine = true;
    } else if (this.$verbosity === 1) this.$write(sign);
    return null;
  }

  override startTest(test: unknown): null {
    super.startTest(test);
    if (this.$verbosity > 1) {
      this.$write(`${strOf(callMethod(this, 'getDescription', test))} ... `);
      this.$isNewLine = false;
    }
    return null;
  }

  override addSuccess(test: unknown): null {
    return this.$show(test, 'ok', '.');
  }

  override addFailure(test: unknown, details: Tuple): null {
    super.addFailure(test, details);
    return this.$show(test, 'FAIL', 'F');
  }

  override addError(test: unknown, details: Tuple): null {
    super.addError(test, details);
    return this.$show(test, 'ERROR', 'E');
  }

  override addSubTest(test: unknown, sub: unknown, details: Tuple | null): null {
    super.addSubTest(test, sub, details);
    if (details === null) return null;
    return isFailure(sub, details) ? this.$show(sub, 'FAIL', 'F') : this.$show(sub, 'ERROR', 'E');
  }

  override addSkip(test: unknown, reason: unknown): null {
    super.addSkip(test, reason);
    return this.$show(test, `skipped ${reprOf(reason)}`, 's');
  }

  override addExpectedFailure(test: unknown, details: Tuple): null {
    super.addExpectedFailure(test, details);
    return this.$show(test, 'expected failure', 'x');
  }

  override addUnexpectedSuccess(test: unknown): null {
    super.addUnexpectedSuccess(test);
    return this.$show(test, 'unexpected success', 'u');
  }

  printErrors(): null {
    if (this.$verbosity > 0) this.$write('\n');
    this.printErrorList('ERROR', this.errors as Tuple[]);
    this.printErrorList('FAIL', this.failures as Tuple[]);
    if (this.unexpectedSuccesses.length > 0) this.$write(`${this.separator1}\n`);
    for (const test of this.unexpectedSuccesses)
      this.$write(`UNEXPECTED SUCCESS: ${strOf(callMethod(this, 'getDescription', test))}\n`);
    return null;
  }

  printErrorList(kind: string, list: readonly Tuple[]): null {
    for (const { items } of list) {
      const [test, text] = items;
      const title = `${kind}: ${strOf(callMethod(this, 'getDescription', test))}`;
      this.$write(`${this.separator1}\n${title}\n${this.separator2}\n${strOf(text)}\n`);
    }
    return null;
  }
}
native('TextTestResult.__init__', 'stream, descriptions, verbosity', TextTestResult.prototype.init);
nativeClass(TextTestResult, {
  name: 'TextTestResult',
  module: 'unittest.runner',
  params: 'stream, descriptions, verbosity',
  methods: { ...resultMethods, getDescription: 'test', printErrorList: 'flavour, errors' },
});

// ---------------------------------------------------------------- suites

/** Stands for what failed around the tests of a class. */
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

  /** May tests of the class run? */
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

// ---------------------------------------------------------------- finding tests

export class TestLoader {
  declare testMethodPrefix: string;
  declare testNamePatterns: unknown;

  constructor() {
    this.testMethodPrefix = 'test';
    this.testNamePatterns = null;
  }

  getTestCaseNames(cls: any): string[] {
    const names = new Set<string>();
    for (let at = cls.prototype; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
      for (const name of Object.getOwnPropertyNames(at)) names.add(attributeName(name));
    for (const name of Object.keys(cls)) names.add(attributeName(name));
    return [...names]
      .filter((name) => name.startsWith(this.testMethodPrefix) && isMethod(cls, name))
      .filter((name) => this.$isChosen(`${qualifiedClass(cls)}.${name}`))
      .sort((a, b) => (a < b ? -1 : 1));
  }

  $isChosen(id: string): boolean {
    if (this.testNamePatterns === null) return true;
    return toArray(this.testNamePatterns).some((pattern) => truth(call(std('fnmatch').fnmatchcase, id, pattern)));
  }

  loadTestsFromTestCase(cls: any): TestSuite {
    if (isClass(cls) && (cls === TestSuite || cls.prototype instanceof TestSuite))
      throw new TypeError('Test cases should not be derived from TestSuite. Maybe you meant to derive from TestCase?');
    const names = this.getTestCaseNames(cls);
    if (names.length === 0 && lookup(cls, 'runTest') !== undefined) names.push('runTest');
    return new TestSuite(names.map((name) => call(cls, name)));
  }

  loadTestsFromModule(module: any): TestSuite {
    const cases = toArray(call(dir, module))
      .map((name) => getattrOr(module, String(name), null))
      .filter(isTestCase);
    return new TestSuite(cases.map((cls) => this.loadTestsFromTestCase(cls)));
  }

  loadTestsFromName(name: string): TestSuite {
    const parts = name.split('.');
    const cls = casesOfProgram().find((one) => parts.includes(className(one)));
    if (cls === undefined) throw new AttributeError(`module '__main__' has no attribute '${parts[0]}'`);
    const method = parts[parts.indexOf(className(cls)) + 1];
    return method === undefined ? this.loadTestsFromTestCase(cls) : new TestSuite([call(cls, method)]);
  }

  loadTestsFromNames(names: unknown): TestSuite {
    return new TestSuite(toArray(names).map((name) => this.loadTestsFromName(strOf(name))));
  }

  discover(): never {
    throw new NotImplementedError(
      'tests are not looked for in folders: import their modules, or write `test` blocks and use `svc test`',
    );
  }
}
nativeClass(TestLoader, {
  name: 'TestLoader',
  module: 'unittest.loader',
  methods: {
    getTestCaseNames: 'testCaseClass',
    loadTestsFromTestCase: 'testCaseClass',
    loadTestsFromModule: 'module, *, pattern=None',
    loadTestsFromName: 'name, module=None',
    loadTestsFromNames: 'names, module=None',
    discover: "start_dir, pattern='test*.py', top_level_dir=None",
  },
});

function isMethod(cls: any, name: string): boolean {
  return typeof lookup(cls, name) === 'function' && !isClass(lookup(cls, name));
}

function isTestCase(cls: any): boolean {
  return typeof cls === 'function' && cls.prototype instanceof TestCase && !cls[$about]?.module?.startsWith('unittest');
}

/** Test cases that modules of the program declare, by their names as in Python. */
function casesOfProgram(): any[] {
  const found = [...liveClasses.all()].filter(isTestCase);
  return found.sort((a, b) => (className(a) < className(b) ? -1 : 1));
}

// ---------------------------------------------------------------- running

export class TextTestRunner {
  declare stream: any;
  declare descriptions: unknown;
  declare verbosity: number;
  declare failfast: unknown;
  declare resultclass: unknown;

  constructor(...slots: any[]) {
    this.init(...slots);
  }

  init(stream?: any, descriptions?: any, verbosity?: any, failfast?: any, _buffer?: any, resultclass?: any): void {
    this.stream = stream ?? streams.stderr;
    this.descriptions = descriptions ?? true;
    this.verbosity = Number(verbosity ?? 1);
    this.failfast = failfast ?? false;
    this.resultclass = resultclass ?? TextTestResult;
  }

  async run(test: unknown): Promise<any> {
    const write = (text: string) => callMethod(this.stream, 'write', text);
    const result: any = call(this.resultclass, this.stream, this.descriptions, this.verbosity);
    result.failfast = truth(this.failfast);
    const start = performance.now();
    callMethod(result, 'startTestRun');
    await callMethod(test, 'run', result);
    callMethod(result, 'stopTestRun');
    const seconds = (performance.now() - start) / 1000;
    if (lookup(result, 'printErrors') !== undefined) callMethod(result, 'printErrors');
    if (lookup(result, 'separator2') !== undefined) write(`${strOf(getattr(result, 'separator2'))}\n`);
    const { testsRun } = result;
    write(`Ran ${testsRun} test${testsRun === 1 ? '' : 's'} in ${seconds.toFixed(3)}s\n\n`);
    write(`${summaryOf(result)}\n`);
    return result;
  }
}
const runnerParams =
  'stream=None, descriptions=True, verbosity=1, failfast=False, buffer=False, resultclass=None, warnings=None, *, tb_locals=False';
native('TextTestRunner.__init__', runnerParams, TextTestRunner.prototype.init);
nativeClass(TextTestRunner, {
  name: 'TextTestRunner',
  module: 'unittest.runner',
  params: runnerParams,
  methods: { run: 'test' },
});

function summaryOf(result: any): string {
  const counts = [
    ['failures', result.failures],
    ['errors', result.errors],
    ['skipped', result.skipped],
    ['expected failures', result.expectedFailures],
    ['unexpected successes', result.unexpectedSuccesses],
  ].flatMap(([word, list]) => (list.length > 0 ? [`${word}=${list.length}`] : []));
  const word = truth(callMethod(result, 'wasSuccessful')) ? 'OK' : 'FAILED';
  return counts.length === 0 ? word : `${word} (${counts.join(', ')})`;
}

class TestProgram {
  readonly result: unknown;

  constructor(result: unknown) {
    this.result = result;
  }
}
nativeClass(TestProgram, { name: 'TestProgram', module: 'unittest.main' });

export const mainParams =
  "module='__main__', defaultTest=None, argv=None, testRunner=None, testLoader=None, exit=True, verbosity=1, failfast=None, catchbreak=None, buffer=None, warnings=None, *, tb_locals=False";

/** `unittest.main()`: runs the test cases of the program, those that the command line names, and ends it with 0 when none has failed. */
export async function main(...slots: any[]): Promise<unknown> {
  const [, defaultTest, argv, runner, givenLoader, exit, givenVerbosity, givenFailfast] = slots;
  const { names, patterns, verbosity, failfast } = readArguments(
    toArray(argv ?? std('sys').argv)
      .slice(1)
      .map(String),
    Number(givenVerbosity ?? 1),
    truth(givenFailfast ?? false),
  );
  const loader: any = givenLoader ?? new TestLoader();
  if (patterns.length > 0) loader.testNamePatterns = patterns;
  const chosen = names.length > 0 ? names : (defaultTest ?? null) === null ? [] : toArray([defaultTest].flat());
  const suite =
    chosen.length > 0
      ? loader.loadTestsFromNames(chosen)
      : new TestSuite(casesOfProgram().map((cls) => callMethod(loader, 'loadTestsFromTestCase', cls)));
  const made: any =
    (runner ?? null) === null
      ? new TextTestRunner(undefined, true, verbosity, failfast)
      : isClass(runner)
        ? call(runner)
        : runner;
  const result: any = await callMethod(made, 'run', suite);
  if (exit === undefined || truth(exit)) throw new SystemExit(truth(callMethod(result, 'wasSuccessful')) ? 0 : 1);
  return new TestProgram(result);
}

/** What follows the name of the program: `-v`, `-q`, `-f`, `-k pattern` and names of tests. */
function readArguments(args: readonly string[], verbosity: number, failfast: boolean) {
  const names: string[] = [];
  const patterns: string[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i]!;
    if (arg === '-v' || arg === '--verbose') verbosity = 2;
    else if (arg === '-q' || arg === '--quiet') verbosity = 0;
    else if (arg === '-f' || arg === '--failfast') failfast = true;
    else if (arg === '-k') patterns.push(pattern(args[(i += 1)] ?? ''));
    else if (!arg.startsWith('-')) names.push(arg);
  }
  return { names, patterns, verbosity, failfast };
}

const pattern = (text: string): string => (text.includes('*') ? text : `*${text}*`);
