import type { Caller } from '../caller.ts';
import type { JsonObject } from '../http/body/read-json.ts';
import type { Subscribed } from './read-request.ts';

/** Equal for those whose runs give the same. Guests have one root and one key. */
export function runKey(caller: Caller, wanted: Subscribed): string {
  const { userId, rootId, role } = caller;
  return `${commonKey(caller, wanted)}${JSON.stringify([userId, rootId, role])}`;
}

/** Equal for those whose runs give the same unless they look at who runs them. Guests may not run everything. */
export function commonKey({ userId }: Caller, { kind, name, source, nodeId, everyMs }: Subscribed): string {
  return JSON.stringify([kind, name, nodeId, everyMs, userId === null, sorted(source)]);
}

/** The same value for objects that differ in the order of their members. */
function sorted(value: unknown): unknown {
  if (value instanceof Map) return sorted(Object.fromEntries(value));
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.keys(value)
    .sort()
    .map((name) => [name, sorted((value as JsonObject)[name])]);
}
