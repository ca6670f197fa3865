/** Results of `unittest`: what is counted and what is written while tests run. */

import { SkipTest } from '../../builtins/expectations.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { streams } from '../../builtins/streams.ts';
import { native } from '../../values/calls/signature.ts';
import { type Tuple, tuple } from '../../values/containers/tuple.ts';
import { getattrOr } from '../../values/objects/attributes.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { $repr } from '../../values/objects/protocol.ts';
import { qualifiedClass, reprOf, strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { exceptionReport } from '../traceback.ts';
import { SubTest, setDefaultResult } from './case.ts';

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
