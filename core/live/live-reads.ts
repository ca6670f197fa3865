/** Records and lists that a live run read, as commits are compared with it (docs/server/live.md#reads). */
import { CONNECT, READ, rulesOf } from '../access/rules.ts';
import type { Key, NodeRow } from '../memory/rows.ts';
import type { Session } from '../memory/session.ts';
import { ANY_VERSION, type ReadSet } from '../memory/store.ts';

/** Versions are those that were seen: whatever is later concerns the run. */
export interface LiveReads {
  /** Nodes with the version of their record; `ANY_VERSION` where only the node's existence was seen. */
  readonly nodes: ReadonlyMap<Key, number>;
  readonly edges: ReadonlyMap<Key, number>;
  /** Nodes whose links were listed, also where there were none. */
  readonly listed: ReadonlyMap<Key, number>;
  /** Types that are followed as a whole. */
  readonly types: readonly number[];
  /** Version of the list of all roots; undefined when it was not read. */
  readonly roots: number | undefined;
  /** An object was asked for that there is not: the next one that is created may be it. */
  readonly missed: boolean;
  /** Keys and collections of `kvstore`. */
  readonly kept: readonly string[];
  /** False: neither the caller's root nor a right that others may not have decided anything, so that a run of anybody gives the same. */
  readonly ofCaller: boolean;
}

export const nothingRead: LiveReads = {
  nodes: new Map(),
  edges: new Map(),
  listed: new Map(),
  types: [],
  roots: undefined,
  missed: false,
  kept: [],
  ofCaller: true,
};

/** Number of records above which a run follows the classes of what it read instead of each record. */
export const mostRecords = 5000;

/** The session of a read-only unit is over and may be forgotten afterwards. */
export function liveReadsOf(session: Session, most = mostRecords): LiveReads {
  const kept = session.kept === undefined ? noNames : [...session.kept];
  const { missed } = session;
  const ofCaller = looksAtCaller(session);
  const roots = session.rootsSeen;
  const count = session.nodes.size + [...session.edges.keys()].length + session.listed.length;
  if (count > most) {
    const none = nothingRead.nodes;
    return { nodes: none, edges: none, listed: none, types: typesOf(session), roots, missed, kept, ofCaller };
  }
  const nodes = new Map<Key, number>();
  for (const key of session.nodes.keys()) nodes.set(key, ANY_VERSION);
  for (const { $row } of session.readNodes) if ($row !== null) nodes.set($row.key, $row.rev);
  for (const { key, rev } of session.decided.values()) nodes.set(key, rev);
  const edges = new Map<Key, number>();
  for (const key of session.edges.keys()) edges.set(key, ANY_VERSION);
  for (const { $row } of session.readEdges) if ($row?.hasRecord === true) edges.set($row.key, $row.rev);
  for (const { key, rev } of session.decidedEdges.values()) edges.set(key, rev);
  const listed = new Map<Key, number>();
  for (const { $row } of session.listed) if ($row !== null) listed.set($row.key, $row.topo);
  const rest = { types: session.searched, roots, missed, kept, ofCaller };
  return { nodes: sharedIfEmpty(nodes), edges: sharedIfEmpty(edges), listed: sharedIfEmpty(listed), ...rest };
}

/** Gives one empty map for all empty ones, of which there are thousands. */
function sharedIfEmpty(map: ReadonlyMap<Key, number>): ReadonlyMap<Key, number> {
  return map.size === 0 ? nothingRead.nodes : map;
}

/**
 * Tells whether another caller may see other things (decisions/0760): something of the caller was given out, or a level decided that the owner of
 * the object, or whoever its rules name, may not have.
 */
function looksAtCaller(session: Session): boolean {
  if (session.sawOwn) return true;
  const least = session.settings.traverseRequires === 'read' ? READ : CONNECT;
  for (const level of session.levels.values()) if (level < least) return true;
  const { types } = session.runtime;
  for (const row of session.decided.values())
    if (namesRoots(row) || types.of(row.type)?.meta?.hasAccessHook === true) return true;
  for (const row of session.decidedEdges.values()) if (rulesOf(row) !== null) return true;
  for (const edge of session.edges.values()) if (edge.$meta.hasAccessHook === true) return true;
  return false;
}

function namesRoots(row: NodeRow): boolean {
  const rules = rulesOf(row);
  return rules !== null && Object.keys(rules.roots).length > 0;
}

const noNames: readonly string[] = [];

function typesOf(session: Session): readonly number[] {
  const types = new Set(session.searched);
  for (const { $row } of session.nodes.values()) types.add($row.type.id);
  for (const { $row } of session.edges.values()) types.add($row.type.id);
  for (const { type } of session.decided.values()) types.add(type.id);
  for (const { type } of session.decidedEdges.values()) types.add(type.id);
  return [...types];
}

/**
 * The same for a store that says by itself what has changed since (`GraphStore.validate`); undefined where it cannot. Edges that were only
 * met belong to lists that were read.
 */
export function asReadSet({ nodes, edges, listed, types, roots, missed, kept }: LiveReads): ReadSet | undefined {
  if (types.length > 0 || missed || kept.length > 0) return undefined;
  const versions = (map: ReadonlyMap<Key, number>) => [...map].map(([key, rev]) => ({ key, rev }));
  return {
    since: Number.NEGATIVE_INFINITY,
    seen: -1,
    nodes: versions(nodes),
    edges: versions(edges).filter(({ rev }) => rev !== ANY_VERSION),
    listed: [...listed].map(([key, topo]) => ({ key, topo })),
    roots,
    searched: [],
    types: undefined,
    mayHoldNode: (key) => nodes.has(key) || listed.has(key),
    mayHoldEdge: (key) => edges.has(key),
  };
}
