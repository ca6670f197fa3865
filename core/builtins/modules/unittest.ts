/** Module `unittest`. What it is made of is in files of its own: assertions, contexts, the test case, and how tests are found and run. */
import { SkipTest } from '../expectations.ts';
import { functions, type Members } from '../module.ts';
import { std } from '../modules.ts';
import { decorators, FunctionTestCase, IsolatedAsyncioTestCase, TestCase } from './unittest-case.ts';
import { TestLoader } from './unittest-loader.ts';
import { TestResult, TextTestResult } from './unittest-result.ts';
import { main, mainParams, TextTestRunner } from './unittest-run.ts';
import { TestSuite } from './unittest-suite.ts';

export function makeUnittest(): Members {
  const defaultTestLoader = new TestLoader();
  return {
    FunctionTestCase,
    IsolatedAsyncioTestCase,
    SkipTest,
    TestCase,
    TestLoader,
    TestResult,
    TestSuite,
    TextTestResult,
    TextTestRunner,
    defaultTestLoader,
    ...functions('unittest', {
      ...decorators,
      main: [mainParams, main],
      makeSuite: ['testCaseClass', (cls: unknown) => defaultTestLoader.loadTestsFromTestCase(cls)],
    }),
    get mock() {
      return std('unittest.mock');
    },
  };
}
