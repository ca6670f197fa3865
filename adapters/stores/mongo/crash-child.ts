/** A process for the crash tests: one commit of every kind of change, which ends at the step it is told. */
import * as $ from '../../../core/runtime.ts';
import { addEntry, entries } from '../../../test/harness/entry-node.ts';
import { opened } from './fixture.ts';

const [uri, step] = process.argv.slice(2) as [string, string];
const store = await opened({
  uri,
  name: 'svc',
  onStep(reached) {
    if (reached === step) process.kill(process.pid, 'SIGKILL');
  },
});
await store.run(async () => {
  const all = await entries();
  for (const entry of all) entry.n += 1000;
  await $.destroy(all[0]);
  for (let n = 0; n < 5; n++) addEntry(5000 + n);
});
await store[Symbol.asyncDispose]();
