/** Hops: one query for the edges of all origins, whatever their number (server.md 15.7). */
import type { ClientSession, Document } from 'mongodb';
import type { Key, LinkList, RowVersions, StoredType } from '../../../core/memory/rows.ts';
import type { NeighbourQuery } from '../../../core/memory/store.ts';
import { edgeName, typeName } from '../edge-names.ts';
import { flagsSeen, type Link, linkFlags, listOf } from '../links.ts';
import type { StoredTypes } from '../stored-types.ts';
import type { Collections, Stored } from './collections.ts';
import { allAtOnce } from './commit.ts';
import { asked } from './trouble.ts';

const projection = {
  type: 1,
  module: 1,
  schema: 1,
  source: 1,
  target: 1,
  source_type: 1,
  target_type: 1,
  undirected: 1,
  seq: 1,
  rev: 1,
  owner: 1,
  access: 1,
};

/** Options of reads in a session that holds a moment. */
export interface Within {
  readonly session?: ClientSession;
  readonly readConcern?: { readonly level: 'snapshot' };
}

export interface LinkDeps {
  readonly collections: Pick<Collections, 'edges' | 'nodes'>;
  readonly types: StoredTypes;
  /** Also tell the versions of the nodes the links lead to: for a cache of their records. */
  readonly wantsVersions: boolean;
  /** Moment that is read instead of the present; undefined: the present. */
  readonly within?: Within;
}

export async function readLinks(deps: LinkDeps, query: NeighbourQuery): Promise<LinkList[]> {
  const { types } = deps;
  const lists = new Map<string, Link[]>(query.from.map((key) => [String(key), []]));
  const filter = filterOf(query, [...lists.keys()], types.all);
  const found = await asked(deps.wantsVersions ? withVersions(deps, query, filter) : plain(deps, query, filter));
  const wanted = query.nodeTypes === undefined ? undefined : new Set(namesOf(query.nodeTypes, types.all));
  for (const edge of found) addLinks(lists, types, edge, query, wanted);
  const versions = deps.wantsVersions ? versionsOf(found) : undefined;
  return query.from.map((key) => {
    const list = listOf(lists.get(String(key))!, query);
    return versions === undefined ? list : { ...list, versions };
  });
}

function plain(
  { collections: { edges }, within }: LinkDeps,
  { limit }: NeighbourQuery,
  filter: Document,
): Promise<Stored[]> {
  const cursor = edges.find(filter, { ...within, projection, batchSize: allAtOnce });
  return (limit === undefined ? cursor : cursor.sort({ seq: 1 }).limit(limit)).toArray();
}

/** The same edges, each with the versions of the nodes it may lead to, in the same command. */
function withVersions(
  { collections: { edges, nodes } }: LinkDeps,
  { limit, from }: NeighbourQuery,
  filter: Document,
): Promise<Stored[]> {
  const far =
    from.length === 1
      ? { $cond: [{ $eq: ['$source', String(from[0])] }, '$target', '$source'] }
      : ['$source', '$target'];
  const pipeline: Document[] = [
    { $match: filter },
    ...(limit === undefined ? [] : [{ $sort: { seq: 1 } }, { $limit: limit }]),
    { $project: { ...projection, far } },
    {
      $lookup: {
        from: nodes.collectionName,
        localField: 'far',
        foreignField: '_id',
        pipeline: [{ $project: { rev: 1, topo: 1 } }],
        as: 'ends',
      },
    },
  ];
  return edges.aggregate<Stored>(pipeline, { batchSize: allAtOnce }).toArray();
}

function versionsOf(edges: readonly Stored[]): RowVersions {
  const versions = new Map<Key, { readonly rev: number; readonly topo: number }>();
  for (const { ends } of edges)
    for (const { _id, rev, topo } of ends as Stored[]) versions.set(_id, { rev: Number(rev), topo: Number(topo) });
  return versions;
}

function filterOf(query: NeighbourQuery, from: readonly string[], types: ReadonlyMap<number, StoredType>): Document {
  const { dir, edgeTypes, nodeTypes } = query;
  const origin = from.length === 1 ? from[0] : { $in: from };
  const far = nodeTypes === undefined ? undefined : { $in: namesOf(nodeTypes, types) };
  const leaving = { source: origin, ...(far === undefined ? {} : { target_type: far }) };
  const coming = { target: origin, ...(far === undefined ? {} : { source_type: far }) };
  const ends =
    dir === 'any'
      ? [leaving, coming]
      : dir === 'out'
        ? [leaving, { ...coming, undirected: true }]
        : [coming, { ...leaving, undirected: true }];
  return edgeTypes === undefined ? { $or: ends } : { $or: ends, $and: [{ $or: typesOf(edgeTypes, types) }] };
}

function namesOf(ids: readonly number[], types: ReadonlyMap<number, StoredType>): string[] {
  return [...new Set(ids.map((id) => typeName(types.get(id)!)))];
}

/** Versions of a type have one name. */
function typesOf(ids: readonly number[], types: ReadonlyMap<number, StoredType>): Document[] {
  const named = new Map(ids.map((id) => types.get(id)!).map((type) => [typeName(type), type]));
  return [...named.values()].map(({ name, module }) => ({ type: name, module }));
}

/** An edge may join two of the origins, of which only one leads to a node that is wanted. */
function addLinks(
  lists: ReadonlyMap<string, Link[]>,
  types: StoredTypes,
  edge: Stored,
  { dir }: NeighbourQuery,
  wanted: ReadonlySet<string> | undefined,
): void {
  const { _id, source, target, undirected, seq, rev, owner, access } = edge;
  const isForeign = owner !== undefined || access !== undefined;
  const flags = linkFlags(undirected === true, Number(rev) > 0, isForeign);
  const type = types.of('edge', edge).id;
  const key = edgeName(String(seq), _id);
  const add = (from: string, far: string, end: 'out' | 'in' | 'loop') => {
    const farType = String(edge[far === source ? 'source_type' : 'target_type']);
    if (wanted !== undefined && !wanted.has(farType)) return;
    const list = lists.get(from);
    const seen = list === undefined ? undefined : flagsSeen(end, flags, dir);
    if (seen !== undefined) list!.push({ edge: key, far, type, flags: seen });
  };
  if (source === target) {
    add(source, target, 'loop');
    return;
  }
  add(source, target, 'out');
  add(target, source, 'in');
}
