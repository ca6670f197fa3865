/**
 * Levels of a unit's caller on the objects of its session (docs/server/permissions.md#effective-level,
 * docs/server/permissions.md#operations).
 */
import { DELETED } from '../../library/classes/state.ts';
import { type Edge, type GraphObject, Node } from '../graph/objects.ts';
import type { EdgeRow, Key, NodeRow } from '../memory/rows.ts';
import type { Session } from '../memory/session.ts';
import { idInSession } from '../memory/session-ids.ts';
import { materialize, rowsOf } from '../memory/session-rows.ts';
import { accessDenied, effectiveEdgeLevel, effectiveLevel, type Operation } from './check.ts';
import { CONNECT, NO_ACCESS, READ, WRITE } from './rules.ts';

/** Tells whether the caller owns what has this owner; then others may see other things. */
export function isOwn(session: Session, owner: Key): boolean {
  if (owner !== session.rootKey) return false;
  session.sawOwn = true;
  return true;
}

/** Level on a stored node. What it rests on is remembered: a change of it before the commit is a conflict. */
export function levelOfNode(session: Session, row: NodeRow): number {
  if (isOwn(session, row.owner) || isOwn(session, row.key) || session.isSystem) return WRITE;
  const known = session.levels.get(row.key);
  if (known !== undefined) return known;
  if (row.key === session.runtime.store.systemRoot) return NO_ACCESS;
  const owner = row.owner === row.key ? row : rowAtOnce(session, row.owner);
  session.decided.set(row.key, row);
  if (owner !== undefined) session.decided.set(owner.key, owner);
  const hook = hookOf(session, row);
  const { level, rule } = effectiveLevel(row, owner, session.rootId, session.runtime.store.sharedRoot, hook);
  session.trace?.story?.decided(row, READ, level, rule);
  session.levels.set(row.key, level);
  return level;
}

/** Level on a node; a new one is the unit's own. */
export function nodeLevel(session: Session, node: Node): number {
  return node.$row === null ? WRITE : levelOfNode(session, node.$row);
}

export function mayRead(session: Session, node: Node): boolean {
  return nodeLevel(session, node) >= READ;
}

/** May the caller come to it by an edge, a visit or a spawn? */
export function mayArrive(session: Session, node: Node): boolean {
  return node.$row === null || mayFollow(session, node.$row);
}

/** The instance, when the caller may read it and it is not deleted in this unit. */
export function visible(session: Session, row: NodeRow): Node | undefined {
  if (levelOfNode(session, row) < READ) return undefined;
  const node = materialize(session, row);
  return node === undefined || (node.$st & DELETED) !== 0 ? undefined : node;
}

/** Level on an edge of the session; a new one is the unit's own. */
export function levelOfEdge(session: Session, edge: Edge): number {
  const row = edge.$row as EdgeRow | null;
  if (row === null || session.isSystem) return WRITE;
  return levelOfLink(session, { source: edge.$src.$row, target: edge.$dst.$row, row, edge });
}

/** A stored edge with what is known of it. */
export interface LinkParts {
  readonly source: NodeRow;
  readonly target: NodeRow;
  /** Undefined for an edge without a record: it has no rules of its own, and its owner is that of its source. */
  readonly row: EdgeRow | undefined;
  /** Instance of the edge, where its type may decide by itself. */
  readonly edge: Edge | undefined;
}

export function levelOfLink(session: Session, { source, target, row, edge }: LinkParts): number {
  const owner = row?.owner ?? source.owner;
  if (isOwn(session, owner) || session.isSystem) return WRITE;
  if (row !== undefined) session.decidedEdges.set(row.key, row);
  const hook = edge?.$meta.hasAccessHook === true ? () => (edge as any).__svc_access__() : undefined;
  const ofEnds = () => Math.min(levelOfNode(session, source), levelOfNode(session, target));
  return effectiveEdgeLevel(row, () => ownerOf(session, owner), session.rootId, ofEnds, hook);
}

/** The root of an owner; its rules are part of what is decided. */
function ownerOf(session: Session, key: Key): NodeRow | undefined {
  const row = rowAtOnce(session, key);
  if (row !== undefined) session.decided.set(row.key, row);
  return row;
}

function hookOf(session: Session, row: NodeRow): (() => unknown) | undefined {
  const meta = session.runtime.types.of(row.type)?.meta;
  if (meta?.hasAccessHook !== true) return undefined;
  return () => (materialize(session, row) as any).__svc_access__();
}

function rowAtOnce(session: Session, key: Key): NodeRow | undefined {
  const rows = rowsOf(session, [key]);
  if (rows instanceof Promise) throw new Error('an owner was needed before it was loaded');
  return rows[0];
}

/** Tells whether one may arrive at a node: with `traverse_requires = "connect"` only at nodes one may connect to. */
export function mayFollow(session: Session, row: NodeRow): boolean {
  return (
    isOwn(session, row.owner) || session.settings.traverseRequires === 'read' || levelOfNode(session, row) >= CONNECT
  );
}

/** WRITE on the edge or on either end. */
export function mayRemoveEdge(session: Session, edge: Edge, operation: 'disconnect' | 'delete'): boolean {
  if (edge.$row === null || session.isSystem) return true;
  const mayWrite = (end: Node) => nodeLevel(session, end) >= WRITE;
  if (mayWrite(edge.$src) || mayWrite(edge.$dst)) return true;
  const effective = levelOfEdge(session, edge);
  return effective >= WRITE || denyAccess(session, edge, { operation, required: WRITE, effective });
}

/** Is the level there? Raises, or warns and says no, as configured. */
export function permits(session: Session, x: GraphObject, level: number, operation: Operation): boolean {
  const has = x instanceof Node ? nodeLevel(session, x) : levelOfEdge(session, x as Edge);
  if (x.$row !== null) session.trace?.story?.decided(x.$row, level, has, ruleOf(session, x.$row));
  return has >= level || denyAccess(session, x, { operation, required: level, effective: has });
}

/** A short name of why a level was given on an object that was judged before. */
function ruleOf(session: Session, row: NodeRow | EdgeRow): string {
  if (session.isSystem) return 'system';
  return row.owner === session.rootKey || row.key === session.rootKey ? 'owner' : 'level of the object';
}

export interface Refusal {
  readonly operation: Operation;
  readonly required: number;
  readonly effective: number;
}

/** Raises PermissionError, or with `on_denied = "warn"` notes a line for the answer (docs/server/permissions.md#denials). */
export function denyAccess(session: Session, x: GraphObject, refusal: Refusal): false {
  const id = x.$id !== '' ? x.$id : idInSession(session, x);
  const denied = accessDenied({ object: id, type: x.$meta.name, ...refusal });
  if (session.settings.onDenied === 'error') throw denied;
  const line = denied.failure.message;
  if (!session.warnings.includes(line)) session.warnings.push(line);
  session.runtime.warn('permission denied', { object: id, operation: refusal.operation });
  return false;
}
