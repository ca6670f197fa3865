import { expect, test } from 'vitest';
import type { ArchiveLine } from '../../core/archive/archive.ts';
import { SHARED_ROOT_ID } from '../../core/graph/ids.ts';
import { createRuntime } from '../../core/memory/runtime.ts';
import type { GraphStore } from '../../core/memory/store.ts';
import { runUnit } from '../../core/memory/unit.ts';
import * as $ from '../../core/runtime.ts';
import { fillForArchive, openTestSpool } from '../../test/contracts/archive.ts';
import { item } from '../../test/contracts/store.ts';
import { answeringLater } from '../../test/harness/answering-later.ts';
import { openMemoryStore } from '../stores/memory/store.ts';
import { exportLines } from './export-store.ts';

test('an export of a store that answers later is complete: the same lines in the same order', async () => {
  const { graph, accounts } = openMemoryStore();
  await fillForArchive({ graph, accounts });
  const linesOf = async (store: GraphStore) => {
    const lines: ArchiveLine[] = [];
    for await (const line of exportLines({ graph: store, accounts }, true, () => 0, openTestSpool)) lines.push(line);
    return lines.slice(1); // the header names keys made for each export
  };
  const expected = await linesOf(graph);
  expect(expected.at(-1)).toEqual({ kind: 'end', nodes: 3 + 2 + 70 + 1, edges: 2 + 3 + 70 + 2, accounts: 1 });
  expect(await linesOf(answeringLater(graph))).toEqual(expected);
  const { nodeKeys: _, ...byRoots } = answeringLater(graph);
  expect(await linesOf(byRoots)).toEqual(expected);
});

test('writes of a store of the same process while lines are taken are not in the export', async () => {
  const { graph, accounts } = openMemoryStore();
  await fillForArchive({ graph, accounts });
  const runtime = createRuntime({ store: graph });
  const guest = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' } as const;
  const exported: ArchiveLine[] = [];
  for await (const line of exportLines({ graph, accounts }, true, () => 0, openTestSpool)) {
    exported.push(line);
    await runUnit(runtime, guest, () => void $.connect($.root(), item('late'), 'out'));
  }
  expect(exported[0]).toMatchObject({ of_one_moment: true });
  expect(exported.at(-1)).toEqual({ kind: 'end', nodes: 3 + 2 + 70 + 1, edges: 2 + 3 + 70 + 2, accounts: 1 });
});

test('a store that changes at every look is exported as it was met, and says so', async () => {
  const { graph, accounts } = openMemoryStore();
  await fillForArchive({ graph, accounts });
  const runtime = createRuntime({ store: graph });
  const guest = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' } as const;
  const restless: GraphStore = {
    ...graph,
    get log() {
      return graph.log;
    },
    async validate(reads) {
      await runUnit(runtime, guest, () => void $.connect($.root(), item('late'), 'out'));
      return graph.validate(reads);
    },
  };
  const { value: header } = await exportLines({ graph: restless, accounts }, true, () => 0, openTestSpool).next();
  expect(header).toMatchObject({ of_one_moment: false });
});
