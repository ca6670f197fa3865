// Prints the closing line of the gate from the test runner's JSON report, and ends with the status of the tests.
import { readFileSync } from 'node:fs';

const [path, status] = process.argv.slice(2);
let report = { numPassedTests: 0, numFailedTests: 1, testResults: [], success: false };
try {
  report = JSON.parse(readFileSync(path, 'utf8'));
} catch {
  console.log('no test report was written');
}
const failed = Math.max(report.numFailedTests, report.success && status === '0' ? 0 : 1);
/** Folders whose tests cannot run on this machine, as `run` found out. */
const without = (process.env.SVC_SKIPPED_TESTS ?? '').split(' ').filter((folder) => folder !== '');
const isSkipped = ({ status }) => status === 'pending' || status === 'skipped' || status === 'todo';
const skipped = (report.testResults ?? []).flatMap(({ name, assertionResults }) =>
  assertionResults
    .filter(isSkipped)
    .map(({ fullName }) => ({ fullName, isKnown: without.some((folder) => name.includes(`/${folder}`)) })),
);
for (const { fullName, isKnown } of skipped)
  console.log(`${isKnown ? 'not possible on this machine' : 'skipped, and the gate skips nothing'}: ${fullName}`);
const unknown = skipped.filter(({ isKnown }) => !isKnown).length;
console.log(`${report.numPassedTests} passed, ${failed + unknown} failed`);
process.exit(failed + unknown > 0 ? 1 : 0);
