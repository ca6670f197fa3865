import type { GraphStore } from '../../core/memory/store.ts';

/** A store whose every read takes a turn. */
export function answeringLater(store: GraphStore): GraphStore {
  const later =
    <A extends unknown[], R>(read: (...args: A) => R) =>
    async (...args: A) => {
      await new Promise((resolve) => setImmediate(resolve));
      return read(...args);
    };
  const {
    nodes,
    nodesByUid,
    edges,
    edgeByUid,
    neighbours,
    roots,
    ownedBy,
    foreignChanges,
    intern,
    validate,
    commitNow: _,
    ...rest
  } = store;
  return {
    ...rest,
    isSync: false,
    nodes: later(nodes) as never,
    nodesByUid: later(nodesByUid) as never,
    edges: later(edges) as never,
    edgeByUid: later(edgeByUid) as never,
    neighbours: later(neighbours) as never,
    roots: later(roots) as never,
    ownedBy: later(ownedBy) as never,
    foreignChanges: later(foreignChanges) as never,
    intern: later(intern) as never,
    validate: later(validate) as never,
    get log() {
      return store.log;
    },
  };
}
