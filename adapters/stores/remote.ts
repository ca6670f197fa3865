/**
 * Parts that stores without numbers of their own share: nodes are known by their id, and nobody tells of other
 * processes.
 */
import { newId, SHARED_ROOT_ID, SYSTEM_ROOT_ID } from '../../core/graph/ids.ts';
import type { GraphStore } from '../../core/memory/store.ts';
import { edgeId } from './edge-names.ts';
import type { StoredTypes } from './stored-types.ts';

export interface RemoteDeps {
  readonly types: StoredTypes;
  readonly nowMs: () => number;
  readonly background: Background;
}

/** Types that other processes have entered are looked for so often. */
const typesMs = 5000;

export function remoteBasics({ types, nowMs, background }: RemoteDeps) {
  let units = 0;
  let typesAt = nowMs();
  return {
    durability: 'full',
    isSync: false,
    types: types.all,
    systemRoot: SYSTEM_ROOT_ID,
    sharedRoot: SHARED_ROOT_ID,
    intern: types.intern,
    know: types.know,
    // No unit may rest on what an earlier one has read.
    foreignChanges() {
      if (nowMs() - typesAt > typesMs) {
        typesAt = nowMs();
        background.run(types.load());
      }
      return ++units;
    },
    edgeUid: edgeId,
    reserveNode() {
      const id = newId();
      return { key: id, uid: id };
    },
    nodeId: String,
  } satisfies Partial<GraphStore>;
}

/** Work nobody waits for, and whose failure nobody is told. */
export interface Background {
  run(work: Promise<unknown>): void;
  /** Until all of it is over. */
  idle(): Promise<void>;
}

export function createBackground(): Background {
  const running = new Set<Promise<unknown>>();
  return {
    run(work) {
      const watched: Promise<unknown> = work.catch(() => {}).finally(() => running.delete(watched));
      running.add(watched);
    },
    async idle() {
      await Promise.all(running);
    },
  };
}
