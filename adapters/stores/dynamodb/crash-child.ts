/** A process for the crash tests: one large commit that ends at the step it is told, or work that goes on until it is killed. */
import { SHARED_ROOT_ID } from '../../../core/graph/ids.ts';
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import * as $ from '../../../core/runtime.ts';
import { openDynamoStore } from './store.ts';

class Entry extends $.Node {
  declare n: number;
}
$.archetype(Entry, {
  kind: 'node',
  name: 'Entry',
  module: 'crash',
  fields: [{ name: 'n', type: { t: 'int' } }],
  abilities: [],
});

const [endpoint, task, step] = process.argv.slice(2) as [string, 'large' | 'count', string];
const [name, times = '1'] = step.split(':') as [string, string?];
let left = Number(times);
const { graph } = await openDynamoStore({
  endpoint,
  tablePrefix: 'crash-',
  leaseMs: 1500,
  onStep(reached) {
    if (task === 'large' && reached === name && --left === 0) process.kill(process.pid, 'SIGKILL');
  },
});
const runtime = createRuntime({ store: graph, settings: () => ({ conflictMaxAttempts: 1000 }) });
const guest = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' as const };
const entries = async () => (await $.hops($.root(), 'node', [{ dir: 'out', nodeType: Entry }])) as Entry[];

if (task === 'large') {
  // Changes what is there, adds as many again and takes one away: far more than fits one transaction.
  await runUnit(runtime, guest, async () => {
    const all = await entries();
    for (const entry of all) entry.n += 1000;
    await $.destroy(all[0]);
    for (let n = 0; n < 60; n++) $.connect($.root(), (Entry as any).$new(5000 + n), 'out');
  });
} else {
  for (let n = Number(step); n > 0; n--)
    await runUnit(runtime, guest, async () => {
      (await entries())[0]!.n += 1;
    });
}
await graph.close();
