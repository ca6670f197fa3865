/**
 * Cost of one call in commands to the database: a constant number, whatever the size of the graph
 * (docs/server/stores.md#document-database).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as $ from '../../../core/runtime.ts';
import { Entry, entries } from '../../../test/harness/entry-node.ts';
import { type DocumentDatabase, openDocumentDatabase } from '../../../test/harness/mongo/document-database.ts';
import { type Opened, opened } from './fixture.ts';

let database: DocumentDatabase;
beforeAll(async () => {
  database = await openDocumentDatabase();
});
afterAll(() => database?.[Symbol.asyncDispose]());

const run = Date.now().toString(36);

/** Commands of each kind of call, over a graph of so many nodes. */
async function costs(size: number): Promise<Record<string, string[]>> {
  let commands: string[] = [];
  // Now and then a store looks for new types in the background; here time stands still.
  const at = Date.now();
  const options = {
    nowMs: () => at,
    uri: database.uri,
    name: `svc_trips_${run}_${size}`,
    onCommand: (name: string) => commands.push(name),
  };
  await using store: Opened = await opened(options);
  for (let left = size; left > 0; left -= 500) await store.add(Math.min(left, 500));
  await store.bump();
  const during = async (work: () => unknown) => {
    commands = [];
    await store.run(work as () => void);
    return [...commands];
  };
  return {
    'reads its root': await during(() => void $.root()),
    'reads all neighbours': await during(async () => {
      expect((await entries()).filter(({ n }) => n >= 0)).toHaveLength(size);
    }),
    'two hops': await during(() => $.hops($.root(), 'node', [{ dir: 'out', nodeType: Entry }, { dir: 'out' }])),
    'lists a page of ten': await during(() => $.hops($.root(), 'node', [{ dir: 'out', nodeType: Entry, limit: 10 }])),
    'adds one': await during(() => void $.connect($.root(), (Entry as any).$new(0), 'out')),
    'changes one of all': await during(async () => {
      (await entries())[0]!.n = -1;
    }),
    'changes all': await during(async () => {
      for (const entry of await entries()) entry.n += 1;
    }),
    'removes one': await during(async () => {
      await $.destroy((await entries()).at(-1));
    }),
  };
}

test('the number of commands does not depend on the size of the graph', async () => {
  const small = await costs(20);
  expect(await costs(800)).toEqual(small);
  expect(Object.fromEntries(Object.entries(small).map(([what, commands]) => [what, commands.join(' ')]))).toEqual({
    'reads its root': 'find',
    'reads all neighbours': 'find find find find',
    'two hops': 'find find find find find',
    'lists a page of ten': 'find find find',
    'adds one': 'find update insert insert commitTransaction',
    'changes one of all': 'find find find update commitTransaction',
    'changes all': 'find find find update commitTransaction',
    'removes one': 'find find find find update delete delete commitTransaction',
  });
});
