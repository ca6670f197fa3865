/** A store that ends with the process: `svc run --no-persist`, tests, scripts without `svc`. Also the plainest reading of the port. */
import { createHash } from 'node:crypto';
import type { IdempotencyRecord } from '../accounts/account-store.ts';
import { newId, SHARED_ROOT_ID, SYSTEM_ROOT_ID } from '../graph/ids.ts';
import { createCommitLog } from './commit-log.ts';
import { rootShape } from './root-type.ts';
import { EdgeRow, type IdMaker, type Key, type LinkList, NodeRow, type StoredType } from './rows.ts';
import {
  ConflictError,
  changesLinks,
  FOREIGN,
  type GraphStore,
  INCOMING,
  type NeighbourQuery,
  type NewNode,
  type NodeChange,
  RECORD,
  REVERSED,
  UNDIRECTED,
  type UnitWrite,
} from './store.ts';

/** One end's view of an edge. */
interface Link {
  readonly edge: number;
  readonly far: number;
  readonly flags: number;
}

interface Tables {
  readonly nodes: Map<number, NodeRow>;
  readonly edges: Map<number, EdgeRow>;
  readonly out: Map<number, Link[]>;
  readonly in: Map<number, Link[]>;
  readonly uids: Map<string, number>;
  readonly ids: Map<number, string>;
  readonly edgeUids: Map<string, number>;
  readonly makeId: IdMaker;
}

export interface VolatileStore extends GraphStore {
  /** The root node of a new account. */
  addRoot(uid: string): void;
}

/** `keepAnswer` gets the answers that are stored with a unit (server.md 11.6). */
export function openVolatileStore(keepAnswer: (record: IdempotencyRecord) => void = () => {}): VolatileStore {
  const tables: Tables = {
    nodes: new Map(),
    edges: new Map(),
    out: new Map(),
    in: new Map(),
    uids: new Map(),
    ids: new Map(),
    edgeUids: new Map(),
    makeId: (key) => nodeId(key),
  };
  const types = new Map<number, StoredType>();
  const log = createCommitLog();
  const roots: number[] = [];
  let lastKey = 0;
  let rootsVersion = 0;
  const intern = (type: Omit<StoredType, 'id'>): StoredType => {
    for (const known of types.values()) if (sameType(known, type)) return known;
    const made = { id: types.size + 1, ...type };
    types.set(made.id, made);
    return made;
  };
  const addRoot = (uid: string): number => {
    const key = ++lastKey;
    tables.nodes.set(key, new NodeRow(key, uid, rootType, key, 1, 0, '', '{}', ''));
    tables.uids.set(uid, key);
    roots.push(key);
    rootsVersion++;
    return key;
  };
  // Ids of nodes nobody asked about are made when somebody does.
  const nodeId: IdMaker = (key) => {
    let uid = tables.ids.get(key as number);
    if (uid === undefined) {
      uid = newId();
      tables.ids.set(key as number, uid);
      tables.uids.set(uid, key as number);
    }
    return uid;
  };
  const rootType = intern(rootShape());
  const systemRoot = addRoot(SYSTEM_ROOT_ID);
  const sharedRoot = addRoot(SHARED_ROOT_ID);
  const write = (unit: UnitWrite): void => {
    const changed = log.changed(unit.reads);
    if (changed === undefined || changed.length > 0)
      throw new ConflictError(changed ?? unit.reads.nodes.map((read) => read.key));
    const changes = unit.nodeChanges.map((change) => changedRow(tables, change));
    for (const node of unit.newNodes) {
      node.key = node.reserved ?? ++lastKey;
      if (node.isRoot) {
        roots.push(node.key as number);
        rootsVersion++;
      }
    }
    for (const edge of unit.newEdges) edge.key = ++lastKey;
    apply(tables, unit, changes);
    for (const { row } of unit.removedNodes)
      if (roots.includes(row.key as number)) roots.splice(roots.indexOf(row.key as number), 1);
    if (unit.answer !== undefined) keepAnswer(unit.answer);
    log.append(unit.entry());
    unit.applied();
  };
  return {
    addRoot: (uid) => void addRoot(uid),
    name: 'memory',
    durability: 'none',
    isSync: true,
    types,
    log,
    systemRoot,
    sharedRoot,
    intern,
    foreignChanges: () => 0,
    nodes: (keys) => keys.map((key) => tables.nodes.get(key as number)?.copy()),
    nodesByUid: (uids) => uids.map((uid) => tables.nodes.get(tables.uids.get(uid) ?? -1)?.copy()),
    edges: (keys) => keys.map((key) => copyOf(tables.edges.get(key as number))),
    edgeByUid: (uid) => copyOf(tables.edges.get(tables.edgeUids.get(uid) ?? -1)),
    edgeUid: (edge) => uidOfEdge(tables, edge as number),
    reserveNode() {
      const key = ++lastKey;
      return { key, uid: nodeId(key) };
    },
    nodeId,
    neighbours: (query) => query.from.map((from) => linksOf(tables, query, from as number)),
    roots: () => ({ keys: [...roots], version: rootsVersion }),
    ownedBy: (root) =>
      [...tables.nodes.values()].filter((row) => row.owner === root && row.key !== root).map((row) => row.key),
    async commit(unit) {
      write(unit);
    },
    commitNow: write,
    flush: async () => {},
    validate: (reads) => log.changed(reads) ?? reads.nodes.map((read) => read.key),
    quarantine: () => {},
    ping: async () => {},
    close: async () => {
      for (const table of Object.values(tables)) if (table instanceof Map) table.clear();
    },
  };
}

function sameType(a: StoredType, b: Omit<StoredType, 'id'>): boolean {
  return a.kind === b.kind && a.module === b.module && a.name === b.name && a.schema === b.schema;
}

function copyOf(row: EdgeRow | undefined): EdgeRow | undefined {
  return row === undefined ? undefined : new EdgeRow(row);
}

/** Ids of edges nobody asked about follow from their number. */
function uidOfEdge(tables: Tables, edge: number): string {
  const row = tables.edges.get(edge)!;
  if (row.uid !== '') return row.uid;
  const hex = createHash('sha256').update(`${edge}:${row.source}`).digest('hex');
  const uid = `${hex.slice(0, 12)}4${hex.slice(13, 16)}8${hex.slice(17, 32)}`;
  tables.edgeUids.set(uid, edge);
  return uid;
}

function linksOf(tables: Tables, query: NeighbourQuery, from: number): LinkList {
  const links =
    query.dir === 'any'
      ? both(tables.out.get(from) ?? [], tables.in.get(from) ?? [])
      : ((query.dir === 'out' ? tables.out : tables.in).get(from) ?? []);
  const fits = links.filter((link) => {
    if (query.edgeTypes !== undefined && !query.edgeTypes.includes(tables.edges.get(link.edge)!.type.id)) return false;
    return query.nodeTypes === undefined || query.nodeTypes.includes(tables.nodes.get(link.far)!.type.id);
  });
  const some = query.limit === undefined ? fits : fits.slice(0, query.limit);
  const nodes = some.map((link) => link.far);
  if (!query.details && some.every((link) => link.flags === 0)) return { nodes, details: undefined };
  const types = some.map((link) => tables.edges.get(link.edge)!.type.id);
  return { nodes, details: { edges: some.map((link) => link.edge), types, flags: some.map((link) => link.flags) } };
}

function both(out: readonly Link[], into: readonly Link[]): Link[] {
  const seen = new Set(out.map((link) => link.edge));
  const incoming = into
    .filter((link) => !seen.has(link.edge))
    .map((link) => ({ ...link, flags: link.flags | INCOMING }));
  return [...out, ...incoming].sort((a, b) => a.edge - b.edge);
}

function changedRow(tables: Tables, change: NodeChange): NodeRow {
  const { row, type, access } = change;
  const current = tables.nodes.get(row.key as number);
  if (current === undefined) throw new ConflictError([row.key]);
  let { data, attic } = change;
  if (current.rev !== row.rev) {
    const merged = change.merge?.(current);
    if (merged === undefined) throw new ConflictError([row.key]);
    ({ data, attic } = merged);
    change.merged = row.next({ type, rev: current.rev + 1, topo: current.topo, access, data, attic });
  }
  return change.merged ?? row.next({ type, rev: row.rev + 1, topo: current.topo, access, data, attic });
}

function apply(tables: Tables, unit: UnitWrite, changes: readonly NodeRow[]): void {
  for (const row of changes) tables.nodes.set(row.key as number, row);
  const topos = new Map<number, number>();
  const count = (key: number) => topos.set(key, (topos.get(key) ?? 0) + 1);
  for (const edge of unit.newEdges) {
    const [source, target] = [keyOf(edge.source), keyOf(edge.target)];
    const hasRecord = edge.data !== '' || edge.access !== '' || edge.uid !== '' || edge.owner !== undefined;
    const key = edge.key as number;
    tables.edges.set(key, new EdgeRow({ ...edge, key, source, target, rev: hasRecord ? 1 : 0, attic: '', hasRecord }));
    if (edge.uid !== '') tables.edgeUids.set(edge.uid, key);
    const flags =
      (edge.undirected ? UNDIRECTED : 0) |
      (hasRecord ? RECORD : 0) |
      (edge.owner !== undefined || edge.access !== '' ? FOREIGN : 0);
    link(tables, key, source, target, flags);
    count(source);
    if (target !== source) count(target);
  }
  for (const node of unit.newNodes) {
    const key = node.key as number;
    node.topo = topos.get(key) ?? 0;
    const id = node.uid === '' ? tables.makeId : node.uid;
    tables.nodes.set(key, new NodeRow(key, id, node.type, node.owner ?? key, 1, node.topo, node.access, node.data, ''));
    if (node.uid !== '') tables.uids.set(node.uid, key);
    topos.delete(key);
  }
  for (const change of unit.edgeChanges) {
    const { row, type, data, attic, access } = change;
    const key = row.key as number;
    if (changesLinks(change)) for (const end of new Set([row.source, row.target])) count(end as number);
    const known = tables.edges.get(key)!;
    tables.edges.set(key, new EdgeRow({ ...known, type, data, attic, access, rev: row.rev + 1, hasRecord: true }));
    const flags =
      RECORD | (known.undirected ? UNDIRECTED : 0) | (access !== '' || known.owner !== undefined ? FOREIGN : 0);
    unlink(tables, known);
    link(tables, key, known.source as number, known.target as number, flags);
  }
  for (const { row } of unit.removedEdges) {
    for (const end of new Set([row.source, row.target])) count(end as number);
    removeEdge(tables, row.key as number);
  }
  for (const removed of unit.removedNodes) {
    const key = removed.row.key as number;
    const links = both(tables.out.get(key) ?? [], tables.in.get(key) ?? []);
    removed.edges = links.map((known) => known.edge);
    removed.neighbours = links.map((known) => known.far).filter((far) => far !== key);
    for (const far of removed.neighbours) count(far as number);
    for (const edge of removed.edges) removeEdge(tables, edge as number);
    tables.nodes.delete(key);
    const uid = removed.row.uid;
    tables.uids.delete(uid);
    tables.ids.delete(key);
    topos.delete(key);
  }
  for (const [key, n] of topos) {
    const row = tables.nodes.get(key);
    if (row !== undefined) tables.nodes.set(key, row.withTopo(row.topo + n));
  }
}

function keyOf(end: Key | NewNode): number {
  return (typeof end === 'object' ? end.key : end) as number;
}

function link(tables: Tables, edge: number, source: number, target: number, flags: number): void {
  add(tables.out, source, { edge, far: target, flags });
  add(tables.in, target, { edge, far: source, flags });
  if ((flags & UNDIRECTED) === 0 || source === target) return;
  add(tables.out, target, { edge, far: source, flags: flags | REVERSED });
  add(tables.in, source, { edge, far: target, flags: flags | REVERSED });
}

// In order of creation, also when a link comes back after a change of its flags.
function add(table: Map<number, Link[]>, key: number, made: Link): void {
  const list = table.get(key);
  if (list === undefined) table.set(key, [made]);
  else if (list.length === 0 || list[list.length - 1]!.edge < made.edge) list.push(made);
  else {
    list.push(made);
    list.sort((a, b) => a.edge - b.edge);
  }
}

function unlink(tables: Tables, row: EdgeRow): void {
  for (const end of [row.source, row.target] as number[]) {
    for (const table of [tables.out, tables.in]) {
      const list = table.get(end);
      if (list === undefined) continue;
      const at = list.findIndex((known) => known.edge === row.key);
      if (at >= 0) list.splice(at, 1);
    }
  }
}

function removeEdge(tables: Tables, key: number): void {
  const row = tables.edges.get(key);
  if (row === undefined) throw new ConflictError([`e${key}`]);
  unlink(tables, row);
  tables.edges.delete(key);
  if (row.uid !== '') tables.edgeUids.delete(row.uid);
}
