/**
 * Objects that a unit takes in and removes: those that become persistent by being connected
 * (docs/server/storage.md#persistent), and those that are deleted.
 */
import { DELETED, DIRTY } from '../../library/classes/state.ts';
import { listed } from '../graph/adjacency.ts';
import { type Edge, type GraphObject, Node } from '../graph/objects.ts';
import { requireWritable } from './read-only.ts';
import type { Session } from './session.ts';

/** A new edge with at least one end in this session: edge and other end become persistent, and what hangs on that (15.2). */
export function adopt(session: Session, edge: Edge): void {
  requireWritable(session, 'connected nodes');
  const pending: Edge[] = [edge];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.$s !== null) continue;
    next.$s = session;
    next.$st |= DIRTY;
    session.joined.push(next);
    if (next.$id !== '') session.named.set(next.$id, next);
    for (const end of [next.$src, next.$dst]) if (end.$s === null) adoptNode(session, end, pending);
  }
}

/** Makes a node persistent, with everything connected to it. */
export function adoptAll(session: Session, node: Node): void {
  if (node.$s !== null) return;
  requireWritable(session, 'saved a node');
  const pending: Edge[] = [];
  adoptNode(session, node, pending);
  for (const edge of pending) adopt(session, edge);
}

export function noteRemoved(session: Session, x: GraphObject): void {
  if (x.$row === null) return;
  requireWritable(session, 'deleted an object');
  if (x instanceof Node) session.removedNodes.push(x);
  else session.removedEdges.push(x as Edge);
}

function adoptNode(session: Session, node: Node, pending: Edge[]): void {
  node.$s = session;
  node.$st |= DIRTY;
  session.created.push(node);
  if (node.$id !== '') session.named.set(node.$id, node);
  for (const list of [listed(node.$out), listed(node.$in)]) {
    for (const edge of list) if (edge.$s === null && (edge.$st & DELETED) === 0) pending.push(edge);
  }
}
