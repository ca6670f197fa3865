/** Runner of the tests of `unittest` from a program, and `main`. */

import { nativeClass } from '../../builtins/native-class.ts';
import { streams } from '../../builtins/streams.ts';
import { std } from '../../registry.ts';
import { call } from '../../values/calls/calls.ts';
import { native } from '../../values/calls/signature.ts';
import { toArray } from '../../values/containers/iteration.ts';
import { getattr, lookup } from '../../values/objects/attributes.ts';
import { SystemExit } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { isClass } from '../../values/objects/type-name.ts';
import { casesOfProgram, TestLoader } from './loader.ts';
import { TextTestResult } from './result.ts';
import { TestSuite } from './suite.ts';

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

/** Reads the arguments behind the name of the program: `-v`, `-q`, `-f`, `-k pattern` and names of tests. */
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
