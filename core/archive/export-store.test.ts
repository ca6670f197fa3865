import { expect, test } from 'vitest';
import { openMemoryStore } from '../../adapters/stores/memory/store.ts';
import { fillForArchive } from '../../test/contracts/archive.ts';
import { answeringLater } from '../../test/harness/answering-later.ts';
import type { GraphStore } from '../memory/store.ts';
import type { ArchiveLine } from './archive.ts';
import { exportLines } from './export-store.ts';

test('an export of a store that answers later is complete: the same lines in the same order', async () => {
  const { graph, accounts } = openMemoryStore();
  await fillForArchive({ graph, accounts });
  const linesOf = async (store: GraphStore) => {
    const lines: ArchiveLine[] = [];
    for await (const line of exportLines({ graph: store, accounts }, true, () => 0)) lines.push(line);
    return lines.slice(1); // the header names keys made for each export
  };
  const expected = await linesOf(graph);
  expect(expected.at(-1)).toEqual({ kind: 'end', nodes: 3 + 2 + 70 + 1, edges: 2 + 3 + 70 + 2, accounts: 1 });
  expect(await linesOf(answeringLater(graph))).toEqual(expected);
  const { nodeKeys: _, ...byRoots } = answeringLater(graph);
  expect(await linesOf(byRoots)).toEqual(expected);
});
