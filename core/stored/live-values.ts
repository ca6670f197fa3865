/**
 * Values that have no stored form (functions, generators, patterns) in processes that are the whole life of a program: `svc run`, `svc test`.
 * The graph keeps handles of them; another process reads None (docs/language/graph.md#persistence, decisions/0136).
 */
import { randomUUID } from 'node:crypto';
import { typeName } from '../../library/values/objects/type-name.ts';
import type { LiveValues } from './codec.ts';

/** `note` is called once, with what is the first such value. */
export function createLiveValues(note: (kind: string) => void = () => {}): LiveValues {
  const process = randomUUID();
  const handles = new Map<unknown, string>();
  const values = new Map<string, unknown>();
  return {
    handleOf(x) {
      let handle = handles.get(x);
      if (handle === undefined) {
        if (handles.size === 0) note(typeName(x));
        handle = `${process}:${handles.size}`;
        handles.set(x, handle);
        values.set(handle, x);
      }
      return handle;
    },
    valueOf: (handle) => values.get(handle) ?? null,
  };
}
