// S1: recording on / off. P1 is the trivial public walker over HTTP, P11 a walk over 100,000 nodes in memory inside a unit of work.
// `node bench/stories.mjs [P1 P11]`
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { post, script, startProject } from './lib/project-server.mjs';
import { alternate, printRows, ratio, row } from './lib/rounds.mjs';
import { load } from './lib/server.mjs';

const wanted = process.argv.slice(2);
const wants = (id) => wanted.length === 0 || wanted.includes(id);
const large =
  '{"name":"Ada Lovelace","age":36,"tags":["math","engine","notes"],"address":{"street":"12 St James Sq","city":"London","zip":"SW1Y"},"active":true,"score":12.75}';
const figure = join(import.meta.dirname, 'lib/story-figure.mjs');
const rows = [];

async function trivial() {
  const lua = script('echo', large);
  const recording = { SVC_STUDIO_ENABLED: 'true', SVC_STUDIO_SAMPLE: '1' };
  const servers = { on: await startProject([], recording), off: await startProject() };
  for (const server of Object.values(servers)) {
    await post(server, '/walker/Echo', large);
    load(server, '/walker/Echo', lua, 32, 2);
  }
  const figures = await alternate(
    Object.fromEntries(
      Object.entries(servers).map(([name, server]) => [name, () => load(server, '/walker/Echo', lua).perCpuSecond]),
    ),
  );
  for (const server of Object.values(servers)) await server.stop();
  rows.push(row('S1', 'P1, recorded / not recorded', '>= 0.95', ratio(figures, 'on', 'off'), (x) => x >= 0.95));
}

async function walk() {
  const measured = (how) => () => JSON.parse(execFileSync(process.execPath, [figure, how], { encoding: 'utf8' }));
  const figures = await alternate({ on: measured('on'), off: measured('off') });
  rows.push(row('S1', 'P11, recorded / not recorded', '>= 0.95', ratio(figures, 'on', 'off'), (x) => x >= 0.95));
}

if (wants('P1')) await trivial();
if (wants('P11')) await walk();
printRows(rows);
