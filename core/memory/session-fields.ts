/** Fields of stored objects in a unit: opened at the first read, marked before the first change. */
import { openField } from '../../library/classes/closed-fields.ts';
import { ACCESS, DIRTY, LAZY, READ, WATCHED } from '../../library/classes/state.ts';
import { RuntimeError } from '../../library/values/objects/exceptions.ts';
import { WRITE } from '../access/rules.ts';
import { permits } from '../access/session-access.ts';
import { type Edge, type GraphObject, Node } from '../graph/objects.ts';
import { decodeValue, isMutable } from '../stored/codec.ts';
import { edgeName } from './commit-log.ts';
import { requireWritable } from './read-only.ts';
import { NodeRow, type Row } from './rows.ts';
import { requireOpen, type Session } from './session.ts';
import { ConflictError } from './store.ts';

/** First read of a stored object's field: fills the plain ones, containers stay closed. */
export function hydrate(session: Session, x: GraphObject): void {
  const row = x.$row as Row;
  const fields = fieldsOf(session, row, x);
  x.$meta.load(x, fields, x.$s);
  noteRead(session, x);
}

/**
 * First read of a field that may hold a container or a reference: gives the unit its own copy. A reference that leads nowhere for this caller
 * stays closed, so that it is stored again as it was.
 */
export function unfold(session: Session, x: GraphObject, index: number): void {
  if ((x.$st & LAZY) !== 0) hydrate(session, x);
  const field = x.$meta.fields[index]!;
  const json = fieldsOf(session, x.$row, x)[field.name];
  const value = decodeValue(json, x.$s, field.type);
  (x as any)[field.slot] = value;
  if (isMutable(value)) watch(session, x);
  if (value !== null || json === null || json === undefined) openField(x, field);
}

/** A value with structure in a field whose type promised none. */
export function openPlain(session: Session, x: GraphObject, json: unknown): unknown {
  const value = decodeValue(json, x.$s);
  if (isMutable(value)) watch(session, x);
  return value;
}

/** Before a field is assigned: may it be, and remember that it changed. False: leave the field alone. */
export function touch(session: Session, x: GraphObject): boolean {
  const state = x.$st;
  if ((state & DIRTY) !== 0) return true;
  requireOpen(session, x);
  if (x.$row !== null) requireWritable(session, 'changed an object');
  if ((state & LAZY) !== 0) hydrate(session, x);
  if (x.$row !== null && !permits(session, x, WRITE, 'write')) return false;
  x.$st |= DIRTY;
  if (x.$row !== null) session.trace?.story?.wrote(x.$row);
  if (x.$row !== null && (state & ACCESS) === 0) session.dirty.push(x);
  return true;
}

export function watch(session: Session, x: GraphObject): void {
  if ((x.$st & WATCHED) !== 0) return;
  x.$st |= WATCHED;
  session.watched.push(x);
}

export function noteRead(session: Session, x: GraphObject): void {
  if ((x.$st & READ) !== 0) return;
  x.$st |= READ;
  session.trace?.story?.read(x.$row);
  if (x instanceof Node) session.readNodes.push(x);
  else session.readEdges.push(x as Edge);
}

/** The stored fields in the shape of the class. */
function fieldsOf(session: Session, row: Row, x: GraphObject): Record<string, any> {
  try {
    return session.runtime.types.fieldsOf(row);
  } catch (cause) {
    return meetUnreadable(session, row, x, cause);
  }
}

/**
 * A record that cannot be decoded is copied to the quarantine and is invisible from then on
 * (docs/server/storage.md#changing-types). It was visible to this run, so the unit begins again; where it cannot, the program is told.
 */
function meetUnreadable(session: Session, row: Row, x: GraphObject, cause: unknown): never {
  for (const node of [x, ...session.nodes.values()]) {
    const met: Row = node.$row;
    try {
      session.runtime.types.fieldsOf(met);
    } catch (error) {
      const isNode = met instanceof NodeRow;
      session.runtime.unreadable.set(isNode ? met.key : edgeName(met.key), met.rev);
      const uid = isNode || met.uid !== '' ? met.uid : session.runtime.store.edgeUid(met.key, met.source);
      session.runtime.store.quarantine(uid, String((error as Error).message), met.data);
      session.runtime.warn('a stored record cannot be decoded and is left aside', { id: uid, type: met.type.name });
    }
  }
  if (session.mayRunAgain()) throw new ConflictError([row.key], false, true);
  throw new RuntimeError(`the record of ${x.$meta.name} ${row.uid} cannot be read`, { cause });
}
