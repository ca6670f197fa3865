// Requests of 4 MB that are refused: size of the answer, and the longest stretch the event loop is busy without a pause, in milliseconds
// of processor time of the main thread. `node bench/long-requests.mjs [shape …]`
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProject } from './lib/project-server.mjs';
import { median, rounds } from './lib/rounds.mjs';
import { benchFolder } from './lib/server.mjs';

const size = 4 * 1024 * 1024 - 1000;

/** As many parts as fit, with commas. */
function parts(make) {
  const made = [];
  for (let length = 0, i = 0; ; i++) {
    const part = make(i);
    length += part.length + 1;
    if (length > size - 40) return made.join(',');
    made.push(part);
  }
}

const shapes = {
  'wrong items': () => `{"items":[${parts(() => '"a"')}]}`,
  'empty lists': () => `{"items":[${parts(() => '[]')}]}`,
  'empty objects': () => `{"items":[${parts(() => '{}')}]}`,
  'nested 60 deep': () => `{"items":[${parts(() => '['.repeat(60) + ']'.repeat(60))}]}`,
  'nested without end': () => `{"items":${'['.repeat(size / 2)}${']'.repeat(size / 2 - 20)}}`,
  'unknown keys': () => `{"items":0,${parts((i) => `"k${i}":1`)}}`,
  'keys of a table': () => `{"table":{${parts((i) => `"k${i}":"x"`)}}}`,
  'keys of any value, then a fault': () => `{"any_value":{${parts((i) => `"k${i}":1`)}},"items":0}`,
  'long keys': () => `{"table":{${parts((i) => `"${'x'.repeat(100_000)}${i}":"x"`)}}}`,
  'the same key': () => `{${parts(() => '"items":1')}}`,
  'the same key at the end': () => `{${parts((i) => `"k${i}":1`)},"k1":2}`,
  'wrong members of objects': () => `{"rows":[${parts(() => '{"a":"x"}')}]}`,
  'wrong items of lists in lists': () => `{"nested":[${parts(() => '["x"]')}]}`,
  'references to nothing': () => `{"refs":[${parts(() => `"${'7'.repeat(32)}"`)}]}`,
  'integers that are not exact': () => `{"any_value":[${parts(() => '9007199254740993')}]}`,
  'JSON that breaks off': () => `{"items":[${parts(() => '"a"')}]`,
  'a text that breaks off': () => `{"items":"${'\\"'.repeat(size / 2)}`,
  'one number': () => `{"items":${'1'.repeat(size - 20)}}`,
};

const report = join(mkdtempSync(join(tmpdir(), 'svc-bench-loop-')), 'longest');
const options = ['--require', join(benchFolder, 'lib/loop-probe.cjs')];
const server = await startProject(options, { LOOP_PROBE: report }, [], 'long.svc');

async function longestStretch(work) {
  rmSync(report, { force: true });
  process.kill(server.pid, 'SIGUSR2');
  await work();
  process.kill(server.pid, 'SIGUSR2');
  while (!existsSync(report) || readFileSync(report, 'utf8') === '')
    await new Promise((resolve) => setTimeout(resolve, 5));
  return Number(readFileSync(report, 'utf8'));
}

async function send(body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${server.base}/walker/Take`, { method: 'POST', headers, body });
  return { status: answer.status, bytes: (await answer.text()).length };
}

const wanted = process.argv.slice(2);
console.log('| shape | status | answer, bytes | longest stretch, ms: median, most |');
console.log('| --- | --- | --- | --- |');
for (const [name, make] of Object.entries(shapes).filter(([name]) => wanted.length === 0 || wanted.includes(name))) {
  const body = Buffer.from(make());
  const stretches = [];
  let sent;
  for (let i = 0; i < rounds; i++) stretches.push(await longestStretch(async () => (sent = await send(body))));
  const most = Math.max(...stretches);
  console.log(`| ${name} | ${sent.status} | ${sent.bytes} | ${median(stretches).toFixed(1)}, ${most.toFixed(1)} |`);
}
await server.stop();
