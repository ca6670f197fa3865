// One process with clients that each make one call after the other, for capacity.mjs. Takes a description as JSON, tells the ids it made, waits
// for a line with the id that all share, and tells what it did.
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { loadSource } from './bundle.mjs';

const { config, work, clients, seconds } = JSON.parse(process.argv[2]);
const project = await loadSource('bench/lib/project.ts');
const { graph, close } = await project.openStore(config);
const runtime = project.createRuntime({ store: graph });
const app = await project.loadProgram(join(import.meta.dirname, '../apps/graph.svc'), graph.isSync ? 'sync' : 'async');
const caller = { rootId: '0'.repeat(32), userId: null, kind: 'system' };
let runs = 0;
const options = { onAttempt: () => void runs++ };
const unit = async (what) => project.runUnit(runtime, caller, what, options);

const holders = [];
const items = [];
for (let i = 0; i < clients; i++) {
  const id = await unit(() => app.make_holder());
  await unit(() => app.fill(id, 10));
  holders.push(id);
  items.push(await unit(() => app.first_item(id)));
}
console.log(JSON.stringify({ holder: holders[0], item: items[0] }));
const [line] = await once(createInterface({ input: process.stdin }), 'line');
const shared = JSON.parse(line);

const works = {
  read: (i) => app.read_one(items[i]),
  list: (i) => app.list_all(holders[i]),
  create: (i) => app.fill(holders[i], 1),
  'one object is changed by all': () => app.bump(shared.item),
  'all append to one node': () => app.fill(shared.holder, 1),
  'all list one node and append to it': () => app.list_and_fill(shared.holder),
};
const call = works[work];
let done = 0;
let failed = 0;
async function client(i, until) {
  while (performance.now() < until) {
    try {
      await unit(() => call(i));
      done++;
    } catch {
      failed++;
    }
  }
}
// Compiled code and open connections first.
await Promise.all(holders.map((_, i) => client(i, performance.now() + 1_000)));
[done, failed, runs] = [0, 0, 0];
const began = performance.now();
const before = process.cpuUsage();
await Promise.all(holders.map((_, i) => client(i, began + seconds * 1_000)));
const { user, system } = process.cpuUsage(before);
const tookMs = performance.now() - began;
console.log(JSON.stringify({ done, failed, runs, cpuSeconds: (user + system) / 1e6, tookMs }));
await close();
process.exit();
