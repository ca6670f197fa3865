// `svc start` to its first answer: cold (nothing compiled), and again unchanged. Wall time, since that is what a person waits for.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './lib/rounds.mjs';

const here = import.meta.dirname;
const svc = join(here, '../bin/svc.mjs');

async function startOnce(folder) {
  const before = performance.now();
  const child = spawn(
    process.execPath,
    [svc, 'start', 'main.svc', '--port', '0', '--host', '127.0.0.1', '--json', '--log-level', 'error'],
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
await startOnce(folder);
const [cold, warm] = [[], []];
for (let round = 0; round < Number(process.env.ROUNDS ?? 7); round++) {
  rmSync(join(folder, '.svc'), { recursive: true, force: true });
  cold.push(await startOnce(folder));
  warm.push(await startOnce(folder));
}
rmSync(folder, { recursive: true, force: true });
console.log('\n| subject | goal | measured (ms) | spread |\n|---|---|---|---|');
for (const [name, times] of Object.entries({
  'svc start to first answer, nothing compiled yet': cold,
  'again, unchanged': warm,
})) {
  console.log(
    `| ${name} | <= 500 | ${median(times).toFixed(0)} | ${Math.min(...times).toFixed(0)}..${Math.max(...times).toFixed(0)} |`,
  );
}
