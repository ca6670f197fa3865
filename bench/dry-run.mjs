// `svc start --scale --dry-run` of the example application: cold (nothing compiled), and again unchanged. Without a network where the machine can
// do that (`unshare`). Wall time is what a person waits for; CPU time says what it would be on a machine that does nothing else.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './lib/rounds.mjs';

const command = join(import.meta.dirname, '../bin/svc.mjs');
const apart = spawnSync('unshare', ['-rn', 'true']).status === 0 ? ['unshare', '-rn'] : [];

async function once(cwd) {
  const before = performance.now();
  const args = [process.execPath, command, 'start', 'main.svc', '--scale', '--dry-run', '--offline'];
  const [program, ...rest] = ['bash', '-c', 'TIMEFORMAT="cpu %U %S"; time "$@"', 'bash', ...apart, ...args];
  const child = spawn(program, rest, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (chunk) => (told += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  const wall = performance.now() - before;
  if (code !== 0) throw new Error(told);
  const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(told);
  return { wall, cpu: (Number(user) + Number(system)) * 1000, digest: /^digest: (.*)$/m.exec(told)[1] };
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-dry-run-'));
cpSync(join(import.meta.dirname, '../examples/todo'), folder, {
  recursive: true,
  filter: (path) => !/\.svc($|\/)/.test(path) || path.endsWith('main.svc'),
});
const figures = { 'nothing compiled yet': [], 'again, unchanged': [] };
for (let round = 0; round < Number(process.env.ROUNDS ?? 7); round++) {
  rmSync(join(folder, '.svc'), { recursive: true, force: true });
  for (const runs of Object.values(figures)) runs.push(await once(folder));
}
rmSync(folder, { recursive: true, force: true });
const digests = new Set(Object.values(figures).flatMap((runs) => runs.map(({ digest }) => digest)));
console.log(
  `\ndry run of examples/todo for the orchestrator, ${apart.length > 0 ? 'without a network' : 'with a network'}; digests seen: ${digests.size}\n`,
);
console.log('| subject | goal | wall (ms) | spread | CPU (ms) |\n|---|---|---|---|---|');
for (const [subject, runs] of Object.entries(figures)) {
  const walls = runs.map(({ wall }) => wall);
  const cpu = median(runs.map(({ cpu }) => cpu));
  console.log(
    `| ${subject} | <= 2000 | ${median(walls).toFixed(0)} | ${Math.min(...walls).toFixed(0)}..${Math.max(...walls).toFixed(0)} | ${cpu.toFixed(0)} |`,
  );
}
