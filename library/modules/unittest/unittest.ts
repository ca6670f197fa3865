/** Module `unittest`. What it is made of is in files of its own: assertions, contexts, the test case, and how tests are found and run. */
import { SkipTest } from '../../builtins/expectations.ts';
import { functions, type Members } from '../../builtins/module.ts';
import { std } from '../../registry.ts';
import { decorators, FunctionTestCase, IsolatedAsyncioTestCase, TestCase } from './case.ts';
import { TestLoader } from './loader.ts';
import { TestResult, TextTestResult } from './result.ts';
import { main, mainParams, TextTestRunner } from './run.ts';
import { TestSuite } from './suite.ts';

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
