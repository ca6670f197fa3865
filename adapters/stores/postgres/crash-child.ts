/** A process for the crash tests: clients that each add entries, and print every number they were told is stored. */
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import { addEntry, guest } from '../../../test/harness/entry-node.ts';
import { openPostgresStore } from './store.ts';

const [url, from, clients] = process.argv.slice(2) as [string, string, string];
const { graph } = await openPostgresStore({ url, connectTimeoutMs: 10_000 });
const runtime = createRuntime({ store: graph, settings: () => ({ conflictMaxAttempts: 100 }) });
let next = Number(from);

async function client(): Promise<never> {
  for (;;) {
    const n = next++;
    try {
      await runUnit(runtime, guest, () => addEntry(n));
      process.stdout.write(`${n}\n`);
    } catch {
      // Refused, or nobody knows: not acknowledged.
    }
  }
}

await Promise.all(Array.from({ length: Number(clients) }, client));
