// `svc start --scale --dry-run` of the example application for each target: the first on a machine (nothing kept), of an application that is not compiled yet, and
// again unchanged. Without a network where the machine can do that (`unshare`). Wall time is what a person waits for; CPU time says what it would be on a machine that does nothing else.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './lib/rounds.mjs';

const command = join(import.meta.dirname, '../bin/svc.mjs');
const apart = spawnSync('unshare', ['-rn', 'true']).status === 0 ? ['unshare', '-rn'] : [];

const cache = join(mkdtempSync(join(tmpdir(), 'svc-bench-cache-')), 'cache');
const targets = (process.env.TARGETS ?? 'orchestrator,cloud,cloud_b').split(',');

// Cloud Run has no disk, so a deployment there asks for a database, and for its region.
const google = { GOOGLE_CLOUD_PROJECT: 'demo', SVC_GCP_REGION: 'europe-west1' };
const database = '\n[plugins.scale.secrets]\nDOCDB_URI = "mongodb://db.example.org/todo"\n';

async function once(cwd, target) {
  const before = performance.now();
  const args = [
    process.execPath,
    '--import',
    join(import.meta.dirname, 'lib/count-children.mjs'),
    command,
    'start',
    'main.svc',
    '--scale',
    '--dry-run',
    '--offline',
    '--target',
    target,
  ];
  const [program, ...rest] = ['bash', '-c', 'TIMEFORMAT="cpu %U %S"; time "$@"', 'bash', ...apart, ...args];
  const env = { ...process.env, XDG_CACHE_HOME: cache, ...(target === 'cloud_b' ? google : {}) };
  const child = spawn(program, rest, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (chunk) => (told += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  const wall = performance.now() - before;
  if (code !== 0) throw new Error(told);
  const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(told);
  const left = Number(/^left running (.*)$/m.exec(told)[1]);
  return { wall, cpu: (Number(user) + Number(system) + left) * 1000, digest: /^digest: (.*)$/m.exec(told)[1] };
}

function folderFor(target) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-dry-run-'));
  cpSync(join(import.meta.dirname, '../examples/todo'), folder, {
    recursive: true,
    filter: (path) => !/\.svc($|\/)/.test(path) || path.endsWith('main.svc'),
  });
  if (target === 'cloud_b') appendFileSync(join(folder, 'svc.toml'), database);
  return folder;
}

const subjects = ['first on this machine', 'nothing compiled yet', 'again, unchanged'];
const figures = targets.map((target) => ({ target, folder: folderFor(target), runs: subjects.map(() => []) }));
// Rounds go over all targets, so that none of them has the quiet time of the machine to itself.
for (let round = 0; round < Number(process.env.ROUNDS ?? 7); round++)
  for (const { target, folder, runs } of figures) {
    rmSync(cache, { recursive: true, force: true });
    for (const [at, one] of runs.entries()) {
      if (at < 2) rmSync(join(folder, '.svc'), { recursive: true, force: true });
      one.push(await once(folder, target));
    }
  }
rmSync(cache, { recursive: true, force: true });
for (const { folder } of figures) rmSync(folder, { recursive: true, force: true });
console.log(`\ndry run of examples/todo, ${apart.length > 0 ? 'without a network' : 'with a network'}\n`);
console.log(
  '| target | subject | goal | wall (ms) | spread | CPU (ms) | digests seen |\n|---|---|---|---|---|---|---|',
);
for (const { target, runs } of figures)
  for (const [at, subject] of subjects.entries()) {
    const walls = runs[at].map(({ wall }) => wall);
    const cpu = median(runs[at].map(({ cpu }) => cpu));
    const digests = new Set(runs.flat().map(({ digest }) => digest));
    const spread = `${Math.min(...walls).toFixed(0)}..${Math.max(...walls).toFixed(0)}`;
    console.log(
      `| ${target} | ${subject} | <= 2000 | ${median(walls).toFixed(0)} | ${spread} | ${cpu.toFixed(0)} | ${digests.size} |`,
    );
  }
