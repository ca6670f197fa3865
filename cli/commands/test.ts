import { dirname } from 'node:path';
import { didYouMean } from '../../base/did-you-mean.ts';
import { isBrowserTest } from '../../lang/project/annexes.ts';
import { configOption, flagType, profileOption } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { type CommandFailure, usageFailure } from '../command-failure.ts';
import { inspectedPorts, inspectOption } from '../debug/inspect-option.ts';
import { exitCodes } from '../exit-codes.ts';
import { namedFiles, projectFiles } from '../program/project-files.ts';
import { readScriptConfig } from '../program/read-app.ts';
import { reportConfig } from '../report-config.ts';
import { findWanted } from '../tests/find-tests.ts';
import { createJsonReporter, createTextReporter } from '../tests/report-tests.ts';
import { runTests } from '../tests/run-tests.ts';

export const command: Command = {
  name: 'test',
  operands: '[files...]',
  arity: [0, Number.POSITIVE_INFINITY],
  about: 'Runs the tests of files or of the project, each in a fresh graph.',
  examples: [
    ['svc test', 'all tests'],
    ['svc test main.svc --filter adds --bail', 'some of a file, up to the first failure'],
  ],
  options: [
    {
      name: 'filter',
      short: 'f',
      type: { kind: 'text', placeholder: 'TEXT' },
      about: 'Only tests whose name contains TEXT.',
    },
    {
      name: 'browser',
      type: flagType,
      about: 'The tests in *.e2e.svc, each in a browser on an application of its own.',
    },
    inspectOption,
    { name: 'story', type: flagType, about: 'Tell below a failure what the test did, step by step.' },
    { name: 'bail', type: flagType, about: 'Stop after the first failure.' },
    { name: 'json', type: flagType, about: 'One JSON object per test, and one with the totals.' },
    configOption,
    profileOption,
  ],
  notes: [
    'Tests of components run in a DOM and need happy-dom and @testing-library/react, those with --browser need playwright-core and Chromium.',
    'Annex files are read too: the tests of main.svc may stand in main.test.svc, main.test/ or test/main.test.svc.',
    'Exit code 0 when every test passed, 1 when one failed, 2 when there was none to run.',
  ],
  async run({ operands, options, terminal }) {
    const named = namedFiles('test', operands, terminal);
    const read = readScriptConfig(named[0] === undefined ? terminal.cwd : dirname(named[0]), { options, terminal });
    reportConfig(read, terminal);
    Object.assign(process.env, read.dotEnv);
    const { config, env } = read;
    const all = named.length > 0 ? named : projectFiles('test', config, terminal);
    const inBrowser = options['browser'] === true;
    const files = all.filter((file) => isBrowserTest(file) === inBrowser);
    if (files.length === 0 && all.length > 0) throw otherTests(inBrowser, operands);
    const filter = options['filter'] as string | undefined;
    const json = options['json'] === true;
    const reporter = json ? createJsonReporter(terminal) : createTextReporter(terminal);
    const totals = { passed: 0, failed: 0, skipped: 0, broken: 0 };
    const began = performance.now();
    try {
      const names = await runTests({
        wanted: findWanted(files),
        config,
        env,
        terminal,
        filter,
        bail: options['bail'] === true,
        tellsStory: options['story'] === true,
        json,
        inBrowser,
        inspectorPorts: inspectedPorts(options['inspect']),
        onLoaded: reporter.loaded,
        onResult(result) {
          if (result.failure !== undefined) totals.failed++;
          else if (result.skipped !== undefined) totals.skipped++;
          else totals.passed++;
          reporter.result(result);
        },
        onBroken(broken) {
          totals.broken++;
          reporter.broken(broken);
        },
      });
      if (totals.passed + totals.failed + totals.skipped + totals.broken === 0)
        throw nothingToRun(operands, filter, names);
      reporter.summary({ ...totals, ms: performance.now() - began });
    } finally {
      reporter.end();
    }
    return totals.failed + totals.broken > 0 ? exitCodes.failure : exitCodes.success;
  },
};

function otherTests(inBrowser: boolean, operands: readonly string[]): CommandFailure {
  const where = operands.length === 0 ? 'this project' : operands.join(', ');
  return inBrowser
    ? usageFailure('test --browser', `there are no tests in a browser in ${where}`, ['they stand in files *.e2e.svc'])
    : usageFailure('test', `the tests in ${where} are for a browser`, ['svc test --browser runs them']);
}

function nothingToRun(
  operands: readonly string[],
  filter: string | undefined,
  names: readonly string[],
): CommandFailure {
  if (filter !== undefined && names.length > 0) {
    const nearest = didYouMean(filter, names);
    const hint = nearest === undefined ? `there are ${names.length} tests` : `did you mean ${nearest}?`;
    return usageFailure('test', `no test has '${filter}' in its name`, [hint]);
  }
  const where = operands.length === 0 ? 'this project' : operands.join(', ');
  return usageFailure('test', `there are no tests in ${where}`, ['test "adds up" { assert 1 + 1 == 2; }']);
}
