/** Module `unittest`. What it is made of is in files of its own: assertions, contexts, the test case, and how tests are found and run. */
import { SkipTest } from '../expectations.ts';
import { functions, type Members } from '../module.ts';
import { std } from '../modules.ts';
import { decorators, FunctionTestCase, IsolatedAsyncioTestCase, TestCase } from './unittest-case.ts';
import { main, mainParams, TestLoader, TestResult, TestSuite, TextTestResult, TextTestRunner } from './unittest-run.ts';

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
