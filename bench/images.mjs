// K5: an image without an engine: time of a build that has its base image and packages, the digest, the size over the base image, and whether Docker
// and podman run it. The base image is this machine's Node, or `BASE`, a name or `oci:DIR`. Packages come from an index with what is installed here.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadSource } from './lib/bundle.mjs';
import { median, rounds } from './lib/rounds.mjs';

const root = resolve(import.meta.dirname, '..');
const { openPodman, startDocker, startRepositoryIndex, writeBaseLayout } = await loadSource('bench/lib/images.ts');
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-images-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const index = await startRepositoryIndex(root);
if (process.env.BASE === undefined) await writeBaseLayout(join(folder, 'base'), { isReal: true, root });
const base = process.env.BASE ?? `oci:${join(folder, 'base')}`;
const archive = join(folder, 'image.tar');

/**
 * Builds the example in a new folder; gives seconds from the command to the archive, those of processors, the digest and the megabytes over the base
 * image.
 */
async function build(env = {}) {
  const app = mkdtempSync(join(folder, 'app-'));
  for (const name of ['main.svc', 'svc.toml']) cpSync(join(root, 'examples/todo', name), join(app, name));
  const args = ['build', 'main.svc', '--target', 'container', '--base', base, '--load', archive];
  const begun = performance.now();
  // What the shell says last is the time of its children: 0m3.21s 0m0.55s.
  const command = ['-c', '"$@"; code=$?; times; exit $code', 'sh', process.execPath, join(root, 'bin/svc.mjs')];
  const { code, output } = await run('sh', [...command, ...args], app, env);
  const seconds = (performance.now() - begun) / 1000;
  if (code !== 0) throw new Error(output);
  const [, megabytes] = /([\d.]+) MB over/.exec(output);
  const [, digest] = /^ {2}(sha256:[0-9a-f]{64})$/m.exec(output);
  const times = [
    ...output
      .split('\n')
      .at(-2)
      .matchAll(/(\d+)m([\d.]+)s/g),
  ];
  const cpu = times.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0);
  return { seconds, cpu, megabytes: Number(megabytes), digest };
}

function run(program, args, cwd, env) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd, env: { ...index.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
    child.on('close', (code) => done({ code, output }));
  });
}

// The command line itself is bundled before.
spawnSync(process.execPath, [join(root, 'bin/svc.mjs'), '--version']);
const first = await build();
const warm = [];
for (let round = 0; round < rounds; round++) warm.push(await build());
const other = await build({ XDG_CACHE_HOME: join(folder, 'another machine') });
const digests = new Set([first, ...warm, other].map(({ digest }) => digest));
const seconds = warm.map((one) => one.seconds);

console.log('\n| # | subject | goal | measured | spread | |');
console.log('|---|---|---|---|---|---|');
const line = (subject, goal, measured, spread, met) =>
  console.log(
    `| K5 | ${subject} | ${goal} | ${measured} | ${spread} | ${met === undefined ? '' : met ? 'met' : 'MISSED'} |`,
  );
line('first build, nothing kept (s)', '', first.seconds.toFixed(1), '', undefined);
const spread = `${Math.min(...seconds).toFixed(1)}..${Math.max(...seconds).toFixed(1)}`;
line('built again (s)', '<= 5', median(seconds).toFixed(1), spread, median(seconds) <= 5);
line('the same, seconds of processors', '', median(warm.map(({ cpu }) => cpu)).toFixed(1), '', undefined);
line(`digests of ${warm.length + 2} builds, one with nothing kept`, '1', digests.size, '', digests.size === 1);
line('over the base image (MB)', '<= 70', first.megabytes.toFixed(1), '', first.megabytes <= 70);
for (const [engine, answer] of await Promise.all([underDocker(), underPodman()]))
  line(`runs under ${engine}`, 'yes', answer, '', answer === 'yes' ? true : undefined);
await index[Symbol.asyncDispose]();
process.exit(0);

async function underDocker() {
  const engine = await startDocker();
  const answer = engine === undefined ? 'not here' : runsUnder(engine.docker);
  await engine?.[Symbol.asyncDispose]();
  return ['docker', answer];
}

async function underPodman() {
  const engine = openPodman();
  const answer = engine === undefined ? 'not here' : runsUnder(engine.podman);
  engine?.[Symbol.dispose]();
  return ['podman', answer];
}

/** Loads the archive and asks the running image, read-only and without rights. */
function runsUnder(engine) {
  const rights = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
  const ask = `const until = Date.now() + 60000; for (;;) { const ok = await fetch('http://127.0.0.1:8000/healthz/ready').then((one) => one.ok, () => false); if (ok) break; if (Date.now() > until) process.exit(1); await new Promise((done) => setTimeout(done, 200)); }`;
  try {
    engine('load', '-i', archive);
    const id = engine('run', '-d', ...rights, '--network', 'none', '-e', 'JWT_SECRET=auto', 'todo:1.0.0').trim();
    engine('exec', id, 'node', '--input-type=module', '-e', ask);
    engine('stop', id);
    return 'yes';
  } catch (error) {
    return `no: ${String(error.stderr ?? error)
      .trim()
      .split('\n')
      .at(-1)}`;
  }
}
