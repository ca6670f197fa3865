/** A process for the crash tests: works on the store given as argument and acknowledges on standard output. */
import { SHARED_ROOT_ID } from '../../../core/graph/ids.ts';
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import * as $ from '../../../core/runtime.ts';
import { openSqliteStore } from './store.ts';

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

const [file, task, amount, syncMs] = process.argv.slice(2) as [string, 'write' | 'count' | 'try', string, string?];
const { graph } = await openSqliteStore({
  file,
  durability: 'full',
  ...(syncMs !== undefined && { syncMs: Number(syncMs) }),
});
const runtime = createRuntime({ store: graph, settings: () => ({ conflictMaxAttempts: 1000 }) });
const guest = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' as const };
const run = async <T>(work: () => T) => runUnit(runtime, guest, work);
const entries = () => $.hops($.root(), 'node', [{ dir: 'out', nodeType: Entry }]) as Entry[];

let next = Number(amount);
if (task === 'write') {
  // Several in flight, so that a group is open at most times.
  const writer = async () => {
    for (;;) {
      const n = next++;
      await run(() => void $.connect($.root(), (Entry as any).$new(n), 'out'));
      process.stdout.write(`${n}\n`);
    }
  };
  await Promise.all([writer(), writer(), writer(), writer()]);
} else if (task === 'try') {
  // One after the other, each told as it was answered.
  for (let n = 0; n < next; n++) {
    const answer = await run(() => void $.connect($.root(), (Entry as any).$new(n), 'out')).then(
      () => 'ok',
      (error) => error.code,
    );
    process.stdout.write(`${answer} ${n}\n`);
  }
} else {
  const add = async () => {
    while (next-- > 0) await run(() => void (entries()[0]!.n += 1));
  };
  await Promise.all([add(), add(), add()]);
  await graph.close();
}
