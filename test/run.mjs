/**
 * `npm test`: the linter and the types beside the tests. Files of tests that take long (`long.json`) are left out, and named at the end; `npm test -- --all`,
 * as the gate runs it, leaves out nothing (decisions/0630). Other arguments go to vitest: `npm test -- core/walkers`.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOfSources } from '../bin/checkout.mjs';

const root = join(import.meta.dirname, '..');
const long = Object.entries(JSON.parse(readFileSync(join(root, 'test/long.json'), 'utf8')).onlyWithAll);
const given = process.argv.slice(2).filter((one) => one !== '--all');
const isWhole = process.argv.includes('--all') || given.some((one) => !one.startsWith('-'));
const excluded = isWhole ? [] : long.flatMap(([file]) => ['--exclude', file]);

const checks = Promise.all(['lint', 'types'].map((name) => inOnePiece('npm', ['run', '--silent', name])));
const tests = await run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...excluded, ...given]);
const statuses = [tests, ...(await checks)];
if (!isWhole) {
  const minutes = Math.ceil(long.reduce((sum, [, seconds]) => sum + seconds, 0) / 120);
  console.log(
    `\nNOT RUN: ${long.length} files of tests that take about ${minutes} minutes more on two cores. npm test -- --all runs them:`,
  );
  console.log(`  ${long.map(([file]) => file).join('\n  ')}`);
}
const failed = statuses.filter((status) => status !== 0).length;
if (failed > 0) console.log(`\n${failed} of lint, types and tests failed`);
process.exit(failed > 0 ? 1 : 0);

/** Output as it comes. Processes that tests start take the command line as the sources are now, and do not look at every one of them again. */
function run(program, args) {
  const env = { ...process.env, SVC_TEST_BUILD: buildOfSources() };
  const child = spawn(program, args, { cwd: root, env, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (status) => resolve(status ?? 1));
  });
}

/** Output when it has ended, so that it does not stand between lines of the tests. */
function inOnePiece(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (printed += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      process.stdout.write(`\n${args.at(-1)}${status === 0 ? ': ok' : ': FAILED'}\n${printed}`);
      resolve(status ?? 1);
    });
  });
}
