/**
 * A hop from nodes whose edges are in the store: one query for the links of all of them, one for the rows nobody has read yet, and on top
 * what this unit added and removed (docs/language/graph.md#edge-references, docs/server/storage.md#tiers).
 */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { hasEdgeHooks } from '../../library/classes/registry.ts';
import { DELETED, ENUMERATED, FULL_IN, FULL_OUT, HOPPED, MIXED_OUT } from '../../library/classes/state.ts';
import { READ, WRITE } from '../access/rules.ts';
import { isOwn, levelOfLink, levelOfNode, mayFollow, mayRead, nodeLevel, visible } from '../access/session-access.ts';
import { admission, byAge, edgesOf, farEnd, firstTime, hopInMemory, isBare, slice } from '../graph/adjacency.ts';
import type { Hop } from '../graph/hop.ts';
import type { Edge, Node } from '../graph/objects.ts';
import { chain } from './chain.ts';
import { isShort } from './known-links.ts';
import { linksAhead } from './look-ahead.ts';
import { prefetch } from './prefetch.ts';
import { EdgeRow, type Key, type LinkList, type NodeRow } from './rows.ts';
import type { Session } from './session.ts';
import { begin, materializeEdge, rowsOf } from './session-rows.ts';
import { ConflictError, FOREIGN, INCOMING, type NeighbourQuery, RECORD, REVERSED, UNDIRECTED } from './store.ts';

/** Number of links above which a node's edges are asked for again each time instead of being kept. */
const keepAtMost = 20_000;

export function hopFromStore(
  session: Session,
  from: readonly Node[],
  hop: Hop,
  wantEdges: boolean,
): MaybePromise<any[][]> {
  const stored: Node[] = [];
  for (const node of from)
    if (node.$row !== null && (node.$st & DELETED) === 0 && mayRead(session, node)) stored.push(node);
  const results = from.map((node) =>
    node.$row === null && (node.$st & DELETED) === 0 ? hopInMemory(node, hop, wantEdges) : [],
  );
  if (stored.length === 0) return results;
  return chain(begin(session), () => {
    const fetched = keepsEdges(stored, hop, wantEdges)
      ? chain(keepEdges(session, stored[0]!, hop.dir as 'in' | 'out'), () => [hopInMemory(stored[0]!, hop, wantEdges)])
      : query(session, stored, hop, wantEdges);
    return chain(fetched, (lists) => {
      for (let i = 0, k = 0; i < from.length; i++) if (from[i] === stored[k]) results[i] = lists[k++]!;
      return results;
    });
  });
}

/** Whoever lists all neighbours of a node twice will do it again. */
function keepsEdges(stored: readonly Node[], hop: Hop, wantEdges: boolean): boolean {
  const node = stored[0]!;
  if (stored.length > 1 || hop.dir === 'any' || wantEdges || !isBare(hop) || node.$row.topo > keepAtMost) return false;
  const again = (node.$st & HOPPED) !== 0;
  node.$st |= HOPPED;
  return again;
}

function keepEdges(session: Session, node: Node, dir: 'in' | 'out'): MaybePromise<void> {
  return chain(query(session, [node], { dir }, true), ([edges]) => {
    if (dir === 'out') node.$out = edges!.length === 0 ? null : edges!;
    else node.$in = edges!.length === 0 ? null : edges!;
    node.$st |= dir === 'out' ? FULL_OUT | MIXED_OUT : FULL_IN;
  });
}

/** State of one hop while links become objects. What looks at conditions is made when it is needed. */
class Frame {
  readonly session: Session;
  readonly hop: Hop;
  readonly wantEdges: boolean;
  /** Edges may decide by themselves who sees them. */
  readonly asksEdges: boolean;
  private all: Admission | undefined = undefined;
  private stored: Admission | undefined = undefined;

  constructor(session: Session, hop: Hop, wantEdges: boolean) {
    this.session = session;
    this.hop = hop;
    this.wantEdges = wantEdges;
    this.asksEdges = hasEdgeHooks() && !session.isSystem;
  }

  get admit(): Admission {
    return (this.all ??= admission(this.hop));
  }

  /** The same for links of the store, which has looked at the types. */
  get admitStored(): Admission {
    return (this.stored ??= admission({ ...this.hop, type: undefined, nodeType: undefined } as Hop));
  }
}

type Admission = (edge: any, far: any) => boolean;

function query(session: Session, stored: readonly Node[], hop: Hop, wantEdges: boolean): MaybePromise<any[][]> {
  for (const node of stored) noteListed(session, node);
  const { types } = session.runtime;
  if (hop.type !== undefined || hop.nodeType !== undefined) session.typesSeen ??= session.runtime.store.types.size;
  const edgeTypes = hop.type === undefined ? undefined : types.idsOf(hop.type, 'edge');
  const nodeTypes = hop.nodeType === undefined ? undefined : types.idsOf(hop.nodeType, 'node');
  const frame = new Frame(session, hop, wantEdges);
  const asks = edgeTypes?.length !== 0 && nodeTypes?.length !== 0;
  const first = asks ? firstQuery(frame, stored, edgeTypes, nodeTypes) : undefined;
  return chain(first === undefined ? stored.map(() => []) : fetch(frame, stored, first), (results) => {
    for (let i = 0; i < results.length; i++) results[i] = slice(withOverlay(frame, stored[i]!, results[i]!), hop);
    return results;
  });
}

function firstQuery(
  { session, hop, wantEdges, asksEdges }: Frame,
  stored: readonly Node[],
  edgeTypes: readonly number[] | undefined,
  nodeTypes: readonly number[] | undefined,
): NeighbourQuery {
  const where = conditions(session, stored, hop, nodeTypes);
  const details =
    wantEdges || asksEdges || hop.edgeWhere !== undefined || hop.dir === 'any' || session.removedEdges.length > 0;
  const single = stored.length === 1;
  const limit = single && hop.limit !== undefined && Number.isFinite(hop.limit) ? firstLimit(hop) : undefined;
  return {
    from: stored.map((node) => node.$row.key as Key),
    dir: hop.dir,
    edgeTypes,
    nodeTypes,
    where,
    details,
    limit,
    isShort: single && !details && where === undefined && isShort(stored[0]!.$row, hop.dir, limit),
  };
}

/** Links that lead nowhere the caller may see can leave a page short: then more are asked for. */
function fetch(frame: Frame, stored: readonly Node[], asked: NeighbourQuery): MaybePromise<any[][]> {
  const { session, hop } = frame;
  const { limit } = asked;
  return chain(linksAhead(session, stored, asked), (lists) => {
    const changed = session.assumed?.changedOrigin(stored, lists);
    if (changed !== undefined) throw new ConflictError([changed], true, true);
    return chain(objectsOf(frame, stored, lists), (results) => {
      const short =
        limit !== undefined && lists[0]!.nodes.length === limit && results[0]!.length < (hop.offset ?? 0) + hop.limit!;
      return short ? fetch(frame, stored, { ...asked, limit: limit * 4, isShort: false }) : results;
    });
  });
}

function firstLimit(hop: Hop): number {
  return ((hop.offset ?? 0) + hop.limit!) * (hop.nodeWhere === undefined && hop.edgeWhere === undefined ? 1 : 4);
}

function noteListed(session: Session, node: Node): void {
  if ((node.$st & ENUMERATED) !== 0) return;
  node.$st |= ENUMERATED;
  session.listed.push(node);
}

/**
 * Number of neighbours from which the store is searched; with fewer it is cheaper to look at the rows this process
 * remembers.
 */
const searchAbove = 50_000;

// The store may judge fields only while nothing in the unit differs from what it has.
function conditions(
  session: Session,
  stored: readonly Node[],
  hop: Hop,
  nodeTypes: readonly number[] | undefined,
): NeighbourQuery['where'] {
  if (hop.where === undefined || nodeTypes === undefined || !session.pushesConditions) return undefined;
  if (stored.length > 1 || stored[0]!.$row.topo < searchAbove) return undefined;
  if (session.dirty.length > 0 || session.watched.length > 0 || !session.runtime.types.allCurrent(nodeTypes))
    return undefined;
  session.searched = [...new Set([...session.searched, ...nodeTypes])];
  return hop.where;
}

/** Loads what the links lead to and keeps what the hop wants. */
function objectsOf(frame: Frame, stored: readonly Node[], lists: readonly LinkList[]): MaybePromise<any[][]> {
  const { session } = frame;
  const keys = lists.length === 1 ? lists[0]!.nodes : lists.flatMap((list) => list.nodes);
  return chain(rowsOf(session, keys, lists), (rows) =>
    chain(recordsOf(frame, lists), (records) => {
      const origins = stored.map((node) => node.$row as NodeRow);
      const load = session.runtime.store.isSync ? undefined : prefetch(session, [...origins, ...rows], records);
      return chain(load, () => {
        let at = 0;
        return lists.map((list, i) => {
          const part = lists.length === 1 ? rows : rows.slice(at, at + list.nodes.length);
          at += list.nodes.length;
          return pick(frame, stored[i]!, list, part, records);
        });
      });
    }),
  );
}

/** Edge records that are needed: of all edges with one when edges are wanted, else of those that may be hidden from the caller. */
function recordsOf(frame: Frame, lists: readonly LinkList[]): MaybePromise<ReadonlyMap<Key, EdgeRow>> {
  const bit = frame.wantEdges || frame.asksEdges || frame.hop.edgeWhere !== undefined ? RECORD : FOREIGN;
  const keys: Key[] = [];
  for (const { details } of lists) {
    if (details === undefined) continue;
    for (let i = 0; i < details.flags.length; i++) if ((details.flags[i]! & bit) !== 0) keys.push(details.edges[i]!);
  }
  if (keys.length === 0) return noRecords;
  return chain(frame.session.runtime.store.edges(keys), (rows) => {
    const records = new Map<Key, EdgeRow>();
    for (const row of rows) if (row !== undefined) records.set(row.key, row);
    return records;
  });
}

const noRecords: ReadonlyMap<Key, EdgeRow> = new Map();

function pick(
  frame: Frame,
  node: Node,
  list: LinkList,
  rows: readonly (NodeRow | undefined)[],
  records: ReadonlyMap<Key, EdgeRow>,
): any[] {
  const { session, hop } = frame;
  const { details } = list;
  if (details === undefined && isOpen(frame)) return pickPlain(frame, rows);
  const results: any[] = [];
  const isNew = firstTime(hop);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (row === undefined) continue;
    const far = visible(session, row);
    if (far === undefined || !mayFollow(session, row)) continue;
    const edge = details === undefined ? undefined : edgeOf(frame, node, far, details, i, records);
    if (edge === null) continue;
    const record = details && records.get(details.edges[i]!);
    if (!isEdgeShown(frame, node, row, { flags: details?.flags[i] ?? 0, record, edge })) continue;
    if (!frame.admitStored(edge ?? plainEdge, far)) continue;
    if (frame.wantEdges) {
      results.push(edge); // the store lists each edge once
    } else if (isNew(far)) results.push(far);
  }
  return hop.dir === 'any' && frame.wantEdges ? results.sort(byAge) : results;
}

// Stands for an edge nobody has to look at.
const plainEdge = {} as unknown as Edge;

/**
 * Edges without rules of their own lead from a node that the caller may read to all others that it may read
 * (docs/server/permissions.md#edges).
 */
function isOpen({ wantEdges, hop }: Frame): boolean {
  return !wantEdges && hop.edgeWhere === undefined;
}

/** The commonest case without a look at edges. */
function pickPlain(frame: Frame, rows: readonly (NodeRow | undefined)[]): any[] {
  const { session, hop } = frame;
  const filtered = hop.nodeWhere !== undefined || hop.only !== undefined;
  const results: any[] = [];
  const isNew = firstTime(hop);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (row === undefined) continue;
    const far = visible(session, row);
    if (far === undefined || !mayFollow(session, row)) continue;
    if (filtered && !frame.admitStored(plainEdge, far)) continue;
    if (isNew(far)) results.push(far);
  }
  return results;
}

/** The instance of a link's edge when it is needed; null when the unit removed it or the program does not know its type. */
function edgeOf(
  frame: Frame,
  node: Node,
  far: Node,
  details: NonNullable<LinkList['details']>,
  i: number,
  records: ReadonlyMap<Key, EdgeRow>,
): Edge | null | undefined {
  const { session, hop } = frame;
  const key = details.edges[i]!;
  const known = session.edges.get(key);
  if (known !== undefined) return (known.$st & DELETED) !== 0 ? null : known;
  const type = details.types[i]!;
  if (!frame.wantEdges && hop.edgeWhere === undefined && !decides(frame, type)) return undefined;
  const flags = details.flags[i]!;
  const leaves = leavesOrigin(hop, flags);
  const source = leaves ? node : far;
  const target = leaves ? far : node;
  const row = records.get(key) ?? plainRow(session, key, type, source, target, flags);
  return materializeEdge(session, row, source, target) ?? null;
}

function decides({ session, asksEdges }: Frame, type: number): boolean {
  const { store, types } = session.runtime;
  return asksEdges && types.of(store.types.get(type)!)?.meta.hasAccessHook === true;
}

/** Does the edge point away from the node the hop starts at? */
function leavesOrigin(hop: Hop, flags: number): boolean {
  const outgoing = hop.dir === 'out' || (hop.dir === 'any' && (flags & INCOMING) === 0);
  return outgoing !== ((flags & REVERSED) !== 0);
}

function plainRow(session: Session, key: Key, type: number, source: Node, target: Node, flags: number): EdgeRow {
  return new EdgeRow({
    key,
    uid: '',
    type: session.runtime.store.types.get(type)!,
    source: source.$row.key,
    target: target.$row.key,
    undirected: (flags & UNDIRECTED) !== 0,
    owner: undefined,
    rev: 0,
    access: '',
    data: '',
    attic: '',
    hasRecord: false,
  });
}

interface Link {
  readonly flags: number;
  readonly record: EdgeRow | undefined;
  readonly edge: Edge | undefined;
}

/** READ on the edge (docs/server/permissions.md#operations). */
function isEdgeShown({ session, hop }: Frame, node: Node, far: NodeRow, { flags, record, edge }: Link): boolean {
  if (session.isSystem) return true;
  // Who owns an end may cut what others attached to it, whether or not it is shown otherwise.
  if (hop.toCut === true && (nodeLevel(session, node) >= WRITE || levelOfNode(session, far) >= WRITE)) return true;
  const near: NodeRow = node.$row;
  const leaves = leavesOrigin(hop, flags);
  const source = leaves ? near : far;
  if (isOwn(session, record?.owner ?? source.owner)) return true;
  return levelOfLink(session, { source, target: leaves ? far : near, row: record, edge }) >= READ;
}

/** Appends the edges or nodes that the unit itself connected and has not committed yet: they come last. */
function withOverlay(frame: Frame, node: Node, results: any[]): any[] {
  const { hop, wantEdges } = frame;
  if ((hop.dir !== 'in' && node.$out !== null) || (hop.dir !== 'out' && node.$in !== null)) {
    const seen = new Set(results);
    for (const edge of edgesOf(node, hop.dir)) {
      const far = farEnd(edge, node, hop.dir);
      const result = wantEdges ? edge : far;
      if (seen.has(result) || (far.$st & DELETED) !== 0 || !frame.admit(edge, far)) continue;
      seen.add(result);
      results.push(result);
    }
  }
  return results;
}
