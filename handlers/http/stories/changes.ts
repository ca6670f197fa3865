/** Changes of one commit as a story keeps them. */
import type { Key, StoredType } from '../../../core/memory/rows.ts';
import type { UnitWrite } from '../../../core/memory/store.ts';
import type { Row } from '../../../core/story/teller.ts';

/** Changes of one commit, without what only the store needs. */
export interface Changes {
  readonly created: readonly {
    readonly uid: string;
    readonly key: Key;
    readonly type: StoredType;
    readonly data: string;
    readonly isEdge: boolean;
    /** Ends of an edge. */
    readonly ends: readonly Key[];
  }[];
  readonly changed: readonly { readonly row: Row; readonly data: string; readonly access: string }[];
  readonly removed: readonly Row[];
}

/** A class, as an object with a getter would be kept until a full collection, and its unit with it (decisions/0910). */
export class UnitChanges implements Changes {
  readonly changed: Changes['changed'];
  readonly removed: Changes['removed'];
  private readonly newNodes: UnitWrite['newNodes'];
  private readonly newEdges: UnitWrite['newEdges'];

  constructor({ newNodes, newEdges, nodeChanges, edgeChanges, removedNodes, removedEdges }: UnitWrite) {
    this.changed = [...nodeChanges, ...edgeChanges].map(({ row, data, access }) => ({ row, data, access }));
    this.removed = [...removedNodes, ...removedEdges].map(({ row }) => row);
    this.newNodes = newNodes;
    this.newEdges = newEdges;
  }

  // Asked when the store has given the keys.
  get created(): Changes['created'] {
    const keyOf = (end: UnitWrite['newEdges'][number]['source']) => (typeof end === 'object' ? end.key : end);
    return [
      ...this.newNodes.map(({ uid, key, type, data }) => ({ uid, key, type, data, isEdge: false, ends: [] })),
      ...this.newEdges.map(({ uid, key, type, data, source, target }) => {
        return { uid, key, type, data, isEdge: true, ends: [keyOf(source), keyOf(target)] };
      }),
    ];
  }
}
