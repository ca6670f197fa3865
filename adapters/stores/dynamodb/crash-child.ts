/** A process for the crash tests: one large commit that ends at the step it is told, or work that goes on until it is killed. */
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import * as $ from '../../../core/runtime.ts';
import { addEntry, entries, guest } from '../../../test/harness/entry-node.ts';
import { openDynamoStore } from './store.ts';

const [endpoint, task, step, tablePrefix = 'crash-'] = process.argv.slice(2) as [
  string,
  'large' | 'count',
  string,
  string?,
];
const [name, times = '1'] = step.split(':') as [string, string?];
let left = Number(times);
const { graph } = await openDynamoStore({
  endpoint,
  tablePrefix,
  leaseMs: 1500,
  onStep(reached) {
    if (task === 'large' && reached === name && --left === 0) process.kill(process.pid, 'SIGKILL');
  },
});
const runtime = createRuntime({ store: graph, settings: () => ({ conflictMaxAttempts: 1000 }) });

if (task === 'large') {
  // Changes what is there, adds as many again and takes one away: far more than fits one transaction.
  await runUnit(runtime, guest, async () => {
    const all = await entries();
    for (const entry of all) entry.n += 1000;
    await $.destroy(all[0]);
    for (let n = 0; n < 60; n++) addEntry(5000 + n);
  });
} else {
  for (let n = Number(step); n > 0; n--)
    await runUnit(runtime, guest, async () => {
      (await entries())[0]!.n += 1;
    });
}
await graph.close();
