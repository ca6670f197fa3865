/** The end of a unit: from what changed in its session to one write of the store (docs/server/storage.md#units). */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { timed } from '../../base/timed.ts';
import { closeFields } from '../../library/classes/closed-fields.ts';
import { BOTH_WAYS, DELETED, DIRTY, LAZY } from '../../library/classes/state.ts';
import { rulesText, WRITE } from '../access/rules.ts';
import { levelOfEdge, nodeLevel } from '../access/session-access.ts';
import { Failure } from '../errors.ts';
import { type Edge, type GraphObject, Node, Root } from '../graph/objects.ts';
import type { JsonFields } from '../stored/drift.ts';
import { inSpan } from '../trace/trace.ts';
import { makeApplied, makeEntry } from './applied.ts';
import { chain } from './chain.ts';
import { encodeFields, hasChanged } from './encode-fields.ts';
import { requireWritable } from './read-only.ts';
import { readSetOf } from './read-set.ts';
import { refresh } from './refresh.ts';
import type { EdgeRow, NodeRow, StoredType } from './rows.ts';
import type { Session } from './session.ts';
import type { Draft } from './session-draft.ts';
import { touch } from './session-fields.ts';
import { openRoot } from './session-rows.ts';
import { ConflictError, type NewEdge, type NewNode, type UnitWrite } from './store.ts';

/**
 * Commits and goes on as a new unit with the objects there are (`commit()`). Resolves when the change is durable and `between`, which sees it
 * and whose own changes the unit then sees, is done.
 */
export async function commitSession(session: Session, between?: () => Promise<void>): Promise<void> {
  if (session.discards) return;
  requireWritable(session, 'called commit()');
  await commitLast(session, false);
  await between?.();
  await refresh(session);
}

/** Commits a session that is over. */
export function commitLast(session: Session, isLast = true): MaybePromise<void> {
  if (session.discards) return undefined;
  if (session.refused !== undefined) throw session.refused;
  return chain(prepare(session, isLast), (unit) => {
    if (unit === undefined) return checkReads(session);
    requireWritable(session, 'changed the graph');
    return storeUnit(session, unit);
  });
}

/** Commits without waiting for the disk, and goes on. */
export function commitSessionNow(session: Session): MaybePromise<void> {
  if (session.discards) return undefined;
  return chain(prepare(session, false), (unit) => {
    if (unit === undefined) return undefined;
    const { store } = session.runtime;
    const told = session.trace?.story?.commits(unit);
    return chain(store.commitNow === undefined ? storeUnit(session, unit) : store.commitNow(unit), () => {
      told?.(false);
      return refresh(session);
    });
  });
}

function storeUnit(session: Session, unit: UnitWrite): MaybePromise<void> {
  const { ruleChanges, rulesFollower } = session;
  if (ruleChanges === undefined) return storeMeasured(session, unit);
  session.ruleChanges = undefined;
  return chain(storeMeasured(session, unit), () => rulesFollower?.onRulesChanged?.(ruleChanges));
}

function storeMeasured({ runtime, trace }: Session, unit: UnitWrite): MaybePromise<void> {
  const { store, meters } = runtime;
  if (meters === undefined && trace === undefined) return store.commit(unit);
  const told = trace?.story?.commits(unit);
  const commit =
    trace === undefined
      ? () => store.commit(unit)
      : () => inSpan(trace, ['store commit', 'client'], { 'svc.store': store.name }, () => store.commit(unit));
  if (meters === undefined && told === undefined) return commit();
  return timed(commit, (isSuccess, seconds, error) => {
    told?.(!isSuccess);
    meters?.committed(isSuccess ? 'ok' : error instanceof ConflictError ? 'conflict' : 'failed', seconds);
  });
}

/**
 * A unit that wrote nothing: what it saw must have been true at one moment. A single object always is. In its last run it is answered all the
 * same: a unit that only reads never ends in a conflict (docs/server/storage.md#replay).
 */
function checkReads(session: Session): MaybePromise<void> {
  const { runtime } = session;
  if (session.since < 0 || !session.isStrict) return undefined;
  const count =
    session.readNodes.length +
    session.readEdges.length +
    session.listed.length +
    (session.rootsSeen === undefined ? 0 : 1);
  if (count <= 1 && session.searched.length === 0 && session.assumed?.isSure !== false) return undefined;
  return chain(runtime.store.validate(readSetOf(session)), (changed) => {
    if (changed.length === 0) return;
    runtime.meters?.readConflict();
    // A live value is of one moment, or there is none: stores with snapshots have given one in the last run.
    const isTorn = session.isReadOnly && runtime.store.snapshot === undefined;
    if (isTorn || session.mayRunAgain()) throw new ConflictError(changed, false, true);
  });
}

/** Collects the changes of a unit for the store; undefined when there are none. */
function prepare(session: Session, isLast: boolean): MaybePromise<UnitWrite | undefined> {
  const { types } = session.runtime;
  for (const x of session.watched) {
    if ((x.$st & (DIRTY | DELETED)) !== 0 || x.$row === null || !hasChanged(x, types)) continue;
    if (!touch(session, x)) undo(x);
  }
  if (
    session.created.length +
      session.joined.length +
      session.dirty.length +
      session.removedNodes.length +
      session.removedEdges.length ===
    0
  ) {
    return undefined;
  }
  return chain(openRoot(session), () => chain(storedTypes(session), (give) => write(session, give, isLast)));
}

/** Undoes changes in place the caller has no right to, before an answer shows them. @throws PermissionError, unless `on_denied = "warn"` */
export function dropDenied(session: Session): void {
  for (const x of session.watched) {
    if (x.$row === null || (x.$st & (DIRTY | DELETED)) !== 0) continue;
    const level = x instanceof Node ? nodeLevel(session, x) : levelOfEdge(session, x as Edge);
    if (level < WRITE && hasChanged(x, session.runtime.types) && !touch(session, x)) undo(x);
  }
}

/** A change in place that is not allowed: the next read gives the stored value again. */
function undo(x: GraphObject): void {
  closeFields(x);
  x.$st |= LAZY;
}

type Types = (x: GraphObject) => StoredType;

/** The stored types of everything that is new or changes; those that never occurred are added to the store. */
function storedTypes(session: Session): MaybePromise<Types> {
  const { types } = session.runtime;
  const known = new Map<unknown, StoredType>();
  const asked = new Set<unknown>();
  const waiting: Promise<unknown>[] = [];
  for (const list of [session.created, session.joined, session.dirty]) {
    for (const x of list) {
      const meta = x.$meta;
      if (asked.has(meta)) continue;
      asked.add(meta);
      const stored = types.stored(meta);
      if (stored instanceof Promise) waiting.push(stored.then((type) => known.set(meta, type)));
      else known.set(meta, stored);
    }
  }
  const give: Types = (x) => known.get(x.$meta)!;
  return waiting.length === 0 ? give : Promise.all(waiting).then(() => give);
}

/** Undefined when nothing is different in the end: a field was given the value it had, a new object was deleted again. */
function write(session: Session, types: Types, isLast: boolean): UnitWrite | undefined {
  const draft = collect(session, types);
  const count =
    draft.newNodes.length +
    draft.newEdges.length +
    draft.nodeChanges.length +
    draft.edgeChanges.length +
    draft.removedNodes.length +
    draft.removedEdges.length;
  if (count === 0) return undefined;
  const { maxCommitOperations } = session.settings;
  if (count > maxCommitOperations && !session.isSystem) {
    throw new Failure(
      'COMMIT_TOO_LARGE',
      `a call may change ${maxCommitOperations} objects, this one changed ${count}`,
      { details: { limit: maxCommitOperations } },
    );
  }
  const { newNodes, newEdges, nodeChanges, edgeChanges, removedNodes, removedEdges } = draft;
  const reads = readSetOf(session);
  const { answer } = session;
  return {
    reads,
    answer,
    newNodes,
    newEdges,
    nodeChanges,
    edgeChanges,
    removedNodes,
    removedEdges,
    entry: makeEntry(draft),
    applied: makeApplied(draft, isLast),
  };
}

function collect(session: Session, types: Types): Draft {
  const draft: Draft = {
    session,
    newNodes: [],
    nodeOf: new Map(),
    placeOf: new Map(),
    newEdges: [],
    edgeOf: new Map(),
    nodeChanges: [],
    edgeChanges: [],
    removedNodes: [],
    removedEdges: [],
  };
  session.gaveId = false;
  for (const node of session.created) if ((node.$st & DELETED) === 0) addNode(draft, node, types(node));
  for (const edge of session.joined) {
    if (((edge.$st | edge.$src.$st | edge.$dst.$st) & DELETED) === 0) addEdge(draft, edge, types(edge));
  }
  for (const x of session.dirty) {
    if ((x.$st & DELETED) !== 0) continue;
    if (x instanceof Node) changeNode(draft, x, types(x));
    else changeEdge(draft, x as Edge, types(x));
  }
  if (session.gaveId) takeLateIds(draft);
  draft.removedNodes = session.removedNodes.map((node) => ({ row: node.$row as NodeRow, neighbours: [], edges: [] }));
  // The edges of a removed node go with it.
  draft.removedEdges = session.removedEdges
    .filter((edge) => ((edge.$src.$st | edge.$dst.$st) & DELETED) === 0)
    .map((edge) => ({ row: edge.$row as EdgeRow, sourceType: edge.$src.$row.type, targetType: edge.$dst.$row.type }));
  return draft;
}

/** A field that refers to a new object asks for its id, which may happen when that object has been looked at already. */
function takeLateIds({ session, nodeOf, edgeOf }: Draft): void {
  for (const [place, node] of nodeOf) {
    place.reserved = session.reserved.get(node);
    place.uid = place.reserved === undefined ? node.$id : '';
  }
  for (const [place, edge] of edgeOf) place.uid = edge.$id;
}

function checkedData(session: Session, x: GraphObject): string {
  const data = encodeFields(x, session.runtime.types);
  return requireSize(session, data, () => `a ${x.$meta.name} is`);
}

function accessText(session: Session, x: GraphObject): string {
  const rules = session.rules.get(x);
  if (rules === undefined) return x.$row === null ? '' : x.$row.access;
  return requireSize(session, rulesText(rules), () => `the access rules of a ${x.$meta.name} are`);
}

function requireSize(session: Session, text: string, what: () => string): string {
  const { nodeMaxBytes } = session.settings;
  if (text.length * 3 > nodeMaxBytes && Buffer.byteLength(text) > nodeMaxBytes) {
    const details = { limit: nodeMaxBytes };
    throw new Failure('COMMIT_TOO_LARGE', `${what()} larger than ${nodeMaxBytes} bytes`, { details });
  }
  return text;
}

function addNode(draft: Draft, node: Node, type: StoredType): void {
  const { session } = draft;
  const isRoot = node instanceof Root;
  const reserved = session.reserved.get(node);
  const place: NewNode = {
    uid: reserved === undefined ? node.$id : '',
    reserved,
    type,
    owner: isRoot ? undefined : session.rootKey,
    access: accessText(session, node),
    data: checkedData(session, node),
    isRoot,
    key: 0,
    topo: 0,
  };
  draft.newNodes.push(place);
  draft.nodeOf.set(place, node);
  draft.placeOf.set(node, place);
}

function addEdge(draft: Draft, edge: Edge, type: StoredType): void {
  const { session, placeOf } = draft;
  const [source, target] = [placeOf.get(edge.$src), placeOf.get(edge.$dst)];
  const sourceOwner = source === undefined ? (edge.$src.$row as NodeRow).owner : session.rootKey;
  const place: NewEdge = {
    uid: edge.$id,
    type,
    source: source ?? edge.$src.$row.key,
    target: target ?? edge.$dst.$row.key,
    sourceType: source?.type ?? edge.$src.$row.type,
    targetType: target?.type ?? edge.$dst.$row.type,
    undirected: (edge.$st & BOTH_WAYS) !== 0,
    owner: sourceOwner === session.rootKey ? undefined : session.rootKey,
    access: accessText(session, edge),
    data: edge.$meta.fields.length === 0 ? '' : checkedData(session, edge),
    key: 0,
  };
  draft.newEdges.push(place);
  draft.edgeOf.set(place, edge);
}

function changeNode(draft: Draft, node: Node, type: StoredType): void {
  const { session } = draft;
  const row = node.$row as NodeRow;
  const data = (node.$st & DIRTY) !== 0 ? checkedData(session, node) : row.data;
  const access = accessText(session, node);
  if (data === row.data && access === row.access) return;
  const merges = session.settings.isolation === 'merge' && access === row.access;
  const merge = merges ? (current: NodeRow) => mergeInto(session, row, data, current) : undefined;
  draft.nodeChanges.push({ row, type, data, attic: atticOf(row), access, merge, merged: undefined });
}

function changeEdge(draft: Draft, edge: Edge, type: StoredType): void {
  const { session } = draft;
  const row = edge.$row as EdgeRow;
  const data = edge.$meta.fields.length === 0 ? '' : (edge.$st & DIRTY) !== 0 ? checkedData(session, edge) : row.data;
  const access = accessText(session, edge);
  if (data === row.data && access === row.access) return;
  const [sourceType, targetType] = [edge.$src.$row.type, edge.$dst.$row.type];
  draft.edgeChanges.push({
    row,
    sourceType,
    targetType,
    type,
    uid: row.uid,
    owner: row.owner,
    data,
    attic: atticOf(row),
    access,
  });
}

function atticOf(row: NodeRow | EdgeRow): string {
  if (row.newAttic === undefined) return row.attic;
  return Object.keys(row.newAttic).length === 0 ? '' : JSON.stringify(row.newAttic);
}

/** Isolation "merge": the fields this unit changed go on top of what another one wrote, unless both changed the same. */
function mergeInto(
  session: Session,
  base: NodeRow,
  mine: string,
  current: NodeRow,
): { data: string; attic: string } | undefined {
  const { types } = session.runtime;
  const before = types.fieldsOf(base);
  const now = { ...types.fieldsOf(current) };
  for (const [name, value] of Object.entries(JSON.parse(mine) as JsonFields)) {
    const old = JSON.stringify(before[name]);
    if (JSON.stringify(value) === old) continue;
    if (JSON.stringify(now[name]) !== old) return undefined;
    now[name] = value;
  }
  return { data: JSON.stringify(now), attic: current.attic };
}
