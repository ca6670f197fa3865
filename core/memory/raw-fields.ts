/** What the serializer asks of a stored object (server.md 7.8, performance.md 12.5). */
import { READ } from '../access/rules.ts';
import { type Edge, type GraphObject, Node } from '../archetypes/classes.ts';
import { DELETED, DIRTY, WATCHED } from '../archetypes/state.ts';
import type { Session } from './session.ts';

/**
 * The public fields as stored JSON text, `"title":"x","done":false`, ready to go into an answer; undefined when it must be written field by
 * field: the object is new or changed, has private fields, is of an older version of its type, or holds values that look different on
 * the wire. Counts as reading the object.
 */
export function rawPublicFields(x: GraphObject): string | undefined {
  const row = x.$row;
  if (row === null || (x.$st & (DIRTY | DELETED | WATCHED)) !== 0) return undefined;
  if (row.raw === undefined) row.raw = rawText(x);
  if (row.raw === null) return undefined;
  x.$s.noteRead(x);
  return row.raw;
}

function rawText(x: GraphObject): string | null {
  const session = x.$s as Session;
  const binding = session.runtime.types.of(x.$row.type);
  if (binding === undefined || !binding.isCurrent || binding.meta.hasPrivateFields) return null;
  const { data } = x.$row;
  if (data === '') return '';
  session.fieldsOf(x.$row, x); // it is JSON
  // Tagged values have another form on the wire; numbers are written the same there.
  return data.includes('"$t"') || data.includes('-0.0') ? null : data.slice(1, -1);
}

/** May the caller of the session read the object? New objects are the unit's own. */
export function canRead(session: Session, x: GraphObject): boolean {
  if (x.$row === null) return true;
  return (x instanceof Node ? session.nodeLevel(x) : session.edgeLevel(x as Edge)) >= READ;
}
