/** Finder of the tests of `unittest`. */

import { nativeClass } from '../../builtins/native-class.ts';
import { dir } from '../../builtins/objects.ts';
import { liveClasses } from '../../classes/registry.ts';
import { std } from '../../registry.ts';
import { call } from '../../values/calls/calls.ts';
import { toArray } from '../../values/containers/iteration.ts';
import { getattrOr, lookup } from '../../values/objects/attributes.ts';
import { AttributeError, NotImplementedError, TypeError } from '../../values/objects/exceptions.ts';
import { $about, attributeName } from '../../values/objects/protocol.ts';
import { qualifiedClass, strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { className, isClass } from '../../values/objects/type-name.ts';
import { TestCase } from './case.ts';
import { TestSuite } from './suite.ts';

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
export function casesOfProgram(): any[] {
  const found = [...liveClasses.all()].filter(isTestCase);
  return found.sort((a, b) => (className(a) < className(b) ? -1 : 1));
}
