/** A process for the crash tests: works on the store given as argument and acknowledges on standard output. */
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import { addEntry, entriesNow, guest } from '../../../test/harness/entry-node.ts';
import { openSqliteStore } from './store.ts';

const [file, task, amount, syncMs] = process.argv.slice(2) as [string, 'write' | 'count' | 'try', string, string?];
const { graph } = await openSqliteStore({
  file,
  durability: 'full',
  ...(syncMs !== undefined && { syncMs: Number(syncMs) }),
});
const runtime = createRuntime({ store: graph, settings: () => ({ conflictMaxAttempts: 1000 }) });
const run = async <T>(work: () => T) => runUnit(runtime, guest, work);

let next = Number(amount);
if (task === 'write') {
  // Several in flight, so that a group is open at most times.
  const writer = async () => {
    for (;;) {
      const n = next++;
      await run(() => addEntry(n));
      process.stdout.write(`${n}\n`);
    }
  };
  await Promise.all([writer(), writer(), writer(), writer()]);
} else if (task === 'try') {
  // One after the other, each told as it was answered.
  for (let n = 0; n < next; n++) {
    const answer = await run(() => addEntry(n)).then(
      () => 'ok',
      (error) => error.code,
    );
    process.stdout.write(`${answer} ${n}\n`);
  }
} else {
  const add = async () => {
    while (next-- > 0) await run(() => void (entriesNow()[0]!.n += 1));
  };
  await Promise.all([add(), add(), add()]);
  await graph.close();
}
