import { hash } from 'node:crypto';
import type { Caller } from '../caller.ts';
import type { JsonObject } from '../http/body/read-json.ts';
import type { Subscribed } from './read-request.ts';

/** Equal for those whose runs give the same. Guests have one root and one key. */
export function runKey({ userId, rootId, role }: Caller, { kind, name, source, nodeId, everyMs }: Subscribed): string {
  return digest([kind, name, nodeId, everyMs, userId, rootId, role, sorted(source)]);
}

/** Equal for those whose runs give the same unless they look at who runs them. Guests may not run everything. */
export function commonKey({ userId }: Caller, { kind, name, source, nodeId, everyMs }: Subscribed): string {
  return digest([kind, name, nodeId, everyMs, userId === null, sorted(source)]);
}

/** Fields may be long, and there are thousands of keys. */
function digest(parts: unknown): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
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
