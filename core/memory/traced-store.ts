import { inSpan } from '../trace/trace.ts';
import { contextOrNone } from './context.ts';
import type { GraphStore } from './store.ts';

const reads = ['nodes', 'nodesByUid', 'edges', 'edgeByUid', 'neighbours', 'roots', 'ownedBy'] as const;

/** The same store with a span for each read that a call makes. Commits have theirs where they begin. */
export function tracedStore(store: GraphStore): GraphStore {
  const traced = Object.create(store) as GraphStore;
  for (const name of reads) {
    const read = store[name].bind(store) as (...given: never[]) => unknown;
    const withSpan = (...given: never[]) =>
      inSpan(contextOrNone()?.call?.trace, [`store ${name}`, 'client'], { 'svc.store': store.name }, () =>
        read(...given),
      );
    Object.defineProperty(traced, name, { value: withSpan });
  }
  return traced;
}
