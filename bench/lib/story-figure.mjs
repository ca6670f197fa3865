// Prints P11 inside a unit of work in nodes per CPU second, recorded or not. `node story-figure.mjs on|off [checkout]`. In a process of its own, as
// walk-figures.mjs is.
import { join, resolve } from 'node:path';
import { loadSource } from './bundle.mjs';
import { measureAsync } from './micro.mjs';

const nodes = 100_000;
const isOn = process.argv[2] === 'on';
const project = await loadSource(
  'bench/lib/project.ts',
  resolve(process.argv[3] ?? join(import.meta.dirname, '../..')),
);
const compiled = await project.loadProgram(join(import.meta.dirname, '../apps/walks.svc'));
const runtime = project.createRuntime({ store: (await project.openMemory()).graph });
const caller = { rootId: '0'.repeat(32), userId: null, kind: 'system' };
const start = compiled.tree(nodes);
const told = [];
if (isOn) project.tellHops(project.tellHop);
const run = async () => {
  const story = isOn ? new project.Story(undefined, { name: 'Sum' }) : undefined;
  const total = await project.runUnit(runtime, caller, () => compiled.walk_all(start), { trace: story });
  story?.over();
  if (isOn) told[0] = story;
  return total;
};
console.log(JSON.stringify(await measureAsync(run, { perCall: nodes, slices: 3, sliceMs: 100, warmMs: 400 })));
if (isOn && told[0].steps.length !== 1000) throw new Error('nothing was recorded');
process.exit(0);
