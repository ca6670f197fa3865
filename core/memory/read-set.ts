/**
 * Records that a unit saw, for the check at its commit (docs/server/storage.md#units). Lists are made only when something has changed
 * since the unit began.
 */

import { DELETED } from '../../library/classes/state.ts';
import { Edge, type Node } from '../graph/objects.ts';
import type { Key } from './rows.ts';
import type { Session } from './session.ts';
import { ANY_VERSION, type ReadSet } from './store.ts';

interface Seen {
  readonly key: Key;
  readonly rev: number;
}

/** A class, not an object with getters: those would give every unit a shape of its own that lives until a full collection. */
class UnitReads implements ReadSet {
  readonly since: number;
  readonly seen: number;
  readonly roots: number | undefined;
  readonly searched: readonly number[];
  readonly types: number | undefined;
  private readonly session: Session;
  private nodeList: readonly Seen[] | undefined;
  private edgeList: readonly Seen[] | undefined;
  private listedList: ReadSet['listed'] | undefined;

  constructor(session: Session) {
    this.since = session.since;
    this.seen = session.seen;
    this.roots = session.rootsSeen;
    this.searched = session.searched;
    this.types = session.typesSeen;
    this.session = session;
    this.nodeList = undefined;
    this.edgeList = undefined;
    this.listedList = undefined;
  }

  mayHoldNode(key: Key): boolean {
    return this.session.nodes.has(key) || this.session.decided.has(key);
  }

  mayHoldEdge(key: Key): boolean {
    return this.session.edges.has(key) || this.session.decidedEdges.has(key);
  }

  get nodes(): readonly Seen[] {
    return (this.nodeList ??= nodesSeen(this.session));
  }

  get edges(): readonly Seen[] {
    return (this.edgeList ??= edgesSeen(this.session));
  }

  get listed(): ReadSet['listed'] {
    return (this.listedList ??= nodesListed(this.session));
  }
}

export function readSetOf(session: Session): ReadSet {
  return new UnitReads(session);
}

function nodesSeen(session: Session): Seen[] {
  const seen = new Map<Key, number>();
  const add = (key: Key, rev: number) => seen.set(key, Math.min(rev, seen.get(key) ?? ANY_VERSION));
  if (session.isStrict) for (const node of session.readNodes) if (node.$row !== null) add(node.$row.key, node.$row.rev);
  for (const row of session.decided.values()) add(row.key, row.rev);
  if (session.assumed !== undefined) for (const row of session.assumed.rows()) add(row.key, row.rev);
  for (const node of session.removedNodes) add(node.$row.key, node.$row.rev);
  for (const edge of session.joined) {
    if ((edge.$st & DELETED) !== 0) continue;
    for (const end of [edge.$src, edge.$dst]) if (end.$row !== null) add(end.$row.key, ANY_VERSION);
  }
  for (const x of session.dirty)
    if (!(x instanceof Edge) && x.$row !== null) add(x.$row.key, session.isStrict ? x.$row.rev : ANY_VERSION);
  return [...seen].map(([key, rev]) => ({ key, rev }));
}

function edgesSeen(session: Session): Seen[] {
  const seen = new Map<Key, number>();
  if (session.isStrict)
    for (const edge of session.readEdges) if (edge.$row?.hasRecord === true) seen.set(edge.$row.key, edge.$row.rev);
  for (const edge of session.removedEdges) seen.set(edge.$row.key, ANY_VERSION);
  for (const row of session.decidedEdges.values()) seen.set(row.key, Math.min(row.rev, seen.get(row.key) ?? row.rev));
  for (const x of session.dirty) if (x instanceof Edge && x.$row !== null) seen.set(x.$row.key, x.$row.rev);
  return [...seen].map(([key, rev]) => ({ key, rev }));
}

// Lists the nodes whose lists were read. A unit that found nothing and created it must have looked at the lists as they
// are: also with isolation "merge".
function nodesListed(session: Session): { key: Key; topo: number }[] {
  const seen = new Map<Node, number>();
  const connects = session.joined.length > 0 || session.removedEdges.length > 0;
  if (session.isStrict || connects)
    for (const node of session.listed) if (node.$row !== null) seen.set(node, node.$row.topo);
  for (const node of session.removedNodes) seen.set(node, node.$row.topo);
  return [...seen].map(([node, topo]) => ({ key: node.$row.key, topo }));
}
