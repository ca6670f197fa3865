import { type Attributes, inSpan } from '../trace/trace.ts';
import { contextOrNone } from './context.ts';
import type { GraphStore } from './store.ts';

const reads = ['nodes', 'nodesByUid', 'edges', 'edgeByUid', 'neighbours', 'roots', 'ownedBy'] as const;

/** Number of rows or links of an answer. */
function rowsIn(found: unknown): Attributes {
  const lists = Array.isArray(found) ? found : [found];
  let rows = 0;
  for (const one of lists) {
    const many = one?.nodes ?? one?.keys;
    rows += Array.isArray(many) ? many.length : one === undefined ? 0 : 1;
  }
  return { 'svc.rows': rows };
}

/** The same store with a span for each read that a call makes. Commits have theirs where they begin. */
export function tracedStore(store: GraphStore): GraphStore {
  const traced = Object.create(store) as GraphStore;
  for (const name of reads) {
    const read = store[name].bind(store) as (...given: never[]) => unknown;
    const withSpan = (...given: never[]) => {
      const trace = contextOrNone()?.session.trace;
      const counted = (found: unknown) => {
        trace?.story?.saw(name, given[0], found);
        return rowsIn(found);
      };
      return inSpan(trace, [`store ${name}`, 'client'], { 'svc.store': store.name }, () => read(...given), counted);
    };
    Object.defineProperty(traced, name, { value: withSpan });
  }
  return traced;
}
