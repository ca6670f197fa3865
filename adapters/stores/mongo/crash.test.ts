/** A process that dies in the middle of a commit: all of it or nothing, and others go on (docs/server/storage.md#guarantees). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChildScript, childScript } from '../../../test/harness/child-script.ts';
import { entries } from '../../../test/harness/entry-node.ts';
import { startMongo } from '../../../test/harness/mongo/mongo-server.ts';
import { opened } from './fixture.ts';

let child: ChildScript;
beforeAll(async () => {
  child = childScript(new URL('./crash-child.ts', import.meta.url));
  console.info('document database: emulation (OP_MSG server of the tests), which gives transactions up after 300 ms');
});
afterAll(() => child[Symbol.dispose]());

const before = [0, 1, 2, 3];
const after = [1001, 1002, 1003, 5000, 5001, 5002, 5003, 5004];

test.each([
  ['begun', before],
  ['nodes', before],
  ['edges', before],
  ['written', before],
  ['committed', after],
] as const)('a process that dies when its commit is %s leaves all of it or nothing', async (step, expected) => {
  await using server = await startMongo({ transactionLifeMs: 300 });
  await using store = await opened({ uri: server.uri, name: 'svc' }, { conflictMaxAttempts: 100 });
  await store.add(4);
  const dying = spawn(process.execPath, [child.path, server.uri, step], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [, signal] = await once(dying, 'close');
  expect(signal).toBe('SIGKILL');
  expect(await store.numbers()).toEqual(expected);

  // The objects of the dead process are free again: others change them, and those who begin later see it.
  await store.run(async () => {
    for (const entry of await entries()) entry.n += 1;
  });
  await using late = await opened({ uri: server.uri, name: 'svc' });
  expect(await late.numbers()).toEqual(expected.map((n) => n + 1));
  expect(server.transactions).toBe(0);
});
