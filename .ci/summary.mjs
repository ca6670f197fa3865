// Prints the closing line of the gate from the test runner's JSON report, and ends with the status of the tests.
import { readFileSync } from 'node:fs';

const [path, status] = process.argv.slice(2);
let report = { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTotalTestSuites: 0, success: false };
try {
  report = JSON.parse(readFileSync(path, 'utf8'));
} catch {
  console.log('no test report was written');
}
const failed = Math.max(report.numFailedTests, report.success && status === '0' ? 0 : 1);
if (report.numPendingTests > 0) console.log(`${report.numPendingTests} tests were skipped; the gate skips nothing`);
console.log(`${report.numPassedTests} passed, ${failed + report.numPendingTests} failed`);
process.exit(failed + report.numPendingTests > 0 ? 1 : 0);
