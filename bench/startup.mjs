// `svc start` to its first answer: cold (nothing compiled), and again unchanged. Wall time, since that is what a person waits for.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beside } from './lib/bundle.mjs';
import { median } from './lib/rounds.mjs';

const here = import.meta.dirname;
/** Checkouts whose command is measured, in turn. */
const checkouts = { 'this one': join(here, '..'), ...(beside && { beside }) };

async function startOnce(folder, checkout) {
  const before = performance.now();
  const child = spawn(
    process.execPath,
    [
      join(checkout, 'bin/svc.mjs'),
      'start',
      'main.svc',
      '--port',
      '0',
      '--host',
      '127.0.0.1',
      '--json',
      '--log-level',
      'error',
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let text = '';
  const port = await new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const match = /"port":(\d+)/.exec(text);
      if (match) resolve(match[1]);
    });
  });
  await (await fetch(`http://127.0.0.1:${port}/hello/Ada`)).text();
  const elapsed = performance.now() - before;
  child.kill('SIGKILL');
  await new Promise((resolve) => child.on('exit', resolve));
  return elapsed;
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-start-'));
cpSync(join(here, '../examples/todo'), folder, {
  recursive: true,
  filter: (path) => !path.includes('.svc/') && !path.endsWith('/.svc'),
});
const figures = [];
for (const [name, checkout] of Object.entries(checkouts)) {
  await startOnce(folder, checkout);
  figures.push({
    subject: `${name}: svc start to first answer, nothing compiled yet`,
    times: [],
    checkout,
    cold: true,
  });
  figures.push({ subject: `${name}: again, unchanged`, times: [], checkout, cold: false });
}
for (let round = 0; round < Number(process.env.ROUNDS ?? 7); round++) {
  for (const { times, checkout, cold } of figures) {
    if (cold) rmSync(join(folder, '.svc'), { recursive: true, force: true });
    times.push(await startOnce(folder, checkout));
  }
}
rmSync(folder, { recursive: true, force: true });
console.log('\n| subject | goal | measured (ms) | spread |\n|---|---|---|---|');
for (const { subject, times } of figures) {
  console.log(
    `| ${subject} | <= 500 | ${median(times).toFixed(0)} | ${Math.min(...times).toFixed(0)}..${Math.max(...times).toFixed(0)} |`,
  );
}
