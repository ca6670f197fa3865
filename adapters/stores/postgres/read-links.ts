/**
 * Hops: one statement for all origins that ask the same question in a turn, which gives the links and the records they
 * lead to (docs/server/stores.md#postgresql). Each combination of types is one range of an index.
 */
import type { IdMaker, Key, LinkList, NodeRow, StoredType } from '../../../core/memory/rows.ts';
import { FOREIGN, type NeighbourQuery, RECORD, UNDIRECTED } from '../../../core/memory/store.ts';
import { flagsSeen } from '../links.ts';
import type { NodeIds } from '../node-ids.ts';
import { createBatch } from './batch.ts';
import { type Cells, type Statement, statement } from './line.ts';
import type { Source } from './pool.ts';
import { nodeColumns, nodeRow, withTypes } from './rows.ts';
import type { Types } from './types.ts';

export interface ReadDeps {
  readonly source: Source;
  readonly types: Types;
  readonly nodeIds: NodeIds;
  readonly edgeIds: NodeIds;
  readonly nodeId: IdMaker;
}

interface Shape {
  readonly statement: Statement;
  readonly values: readonly string[];
}

/** Columns before the record: origin, its version, number of its edges, edge, its type, whether the origin is its source, flags. */
const before = 7;

type Ranges = 'all' | 'by far type' | 'by edge type' | 'by both';

/** Part of a question that its answers depend on. */
type Wanted = Pick<NeighbourQuery, 'dir' | 'limit' | 'details'>;

/** Answers of one question by origin. */
type Answers = ReadonlyMap<number, LinkList>;

export function createHops(deps: ReadDeps): (query: NeighbourQuery) => Promise<readonly LinkList[]> {
  const { source, types } = deps;
  let asking = new Map<string, (from: readonly number[]) => Promise<(LinkList | undefined)[]>>();
  return (query) => {
    const { edgeTypes, nodeTypes, dir, limit, details } = query;
    const named = [
      edgeTypes === undefined ? '' : types.named(edgeTypes),
      nodeTypes === undefined ? '' : types.named(nodeTypes),
    ];
    const question = `${dir} ${limit ?? ''} ${details} ${named.join(' ')}`;
    let ask = asking.get(question);
    if (ask === undefined) {
      const shape = shapeOf(query, named);
      const wanted = { dir, limit, details };
      ask = createBatch(async (from: ReadonlySet<number>): Promise<Answers> => {
        const found = await source.ask(shape.statement, [`{${[...from].join()}}`, ...shape.values]);
        return answersOf(deps, wanted, from, found);
      });
      if (asking.size >= mostQuestions) asking = new Map();
      asking.set(question, ask);
    }
    return ask(query.from as readonly number[]) as Promise<LinkList[]>;
  };
}

/** Questions that are remembered: a program asks few, unless it makes up limits. */
const mostQuestions = 1000;

const statements = new Map<string, Statement>();

function shapeOf({ dir, limit, edgeTypes, nodeTypes }: NeighbourQuery, [edges, nodes]: readonly string[]): Shape {
  // A limit is a part of the statement: there are few of them, and the plan depends on it.
  const name = `${dir} ${edgeTypes !== undefined} ${nodeTypes !== undefined} ${limit ?? ''}`;
  const values = [...(edgeTypes === undefined ? [] : [edges!]), ...(nodeTypes === undefined ? [] : [nodes!])];
  let made = statements.get(name);
  if (made === undefined) {
    made = statement(textOf(dir, rangesOf(edgeTypes !== undefined, nodeTypes !== undefined), limit));
    if (statements.size > mostQuestions) statements.clear();
    statements.set(name, made);
  }
  return { statement: made, values };
}

function rangesOf(edges: boolean, nodes: boolean): Ranges {
  return edges ? (nodes ? 'by both' : 'by edge type') : nodes ? 'by far type' : 'all';
}

function textOf(dir: NeighbourQuery['dir'], ranges: Ranges, limit: number | undefined): string {
  const both = dir === 'any';
  const sides = [
    ...(both || dir === 'out' ? [side('source', ranges, limit, '')] : []),
    ...(both || dir === 'in' ? [side('target', ranges, limit, '')] : []),
    // Undirected edges are followed from both ends.
    ...(both ? [] : [side(dir === 'out' ? 'target' : 'source', ranges, limit, ' AND undirected')]),
  ];
  return (
    `SELECT o.id, o.rev, o.topo, e.id, e.type, e.leaves, e.flags, ${nodeColumns('n')} FROM svc_node o ` +
    `LEFT JOIN LATERAL (${sides.join(' UNION ALL ')}) AS e ON true LEFT JOIN svc_node n ON n.id = e.far WHERE o.id = ANY($1::int8[])`
  );
}

/** Edges that have the origin at one of their ends. */
function side(end: 'source' | 'target', ranges: Ranges, limit: number | undefined, also: string): string {
  const far = end === 'source' ? 'target' : 'source';
  const flags = `(CASE WHEN undirected THEN ${UNDIRECTED} ELSE 0 END) + (CASE WHEN rev > 0 THEN ${RECORD} ELSE 0 END) + (CASE WHEN owner IS NOT NULL OR access <> '' THEN ${FOREIGN} ELSE 0 END)`;
  const columns = `id, ${far} AS far, type, ${end === 'source'} AS leaves, ${flags} AS flags`;
  const from = `SELECT ${columns} FROM svc_edge WHERE ${end} = o.id${also}`;
  const some = limit === undefined ? '' : ` ORDER BY id LIMIT ${limit}`;
  // Undirected edges have an index of their own, which knows no types.
  const typed = (edge: string, node: string) => ` AND named = ${edge} AND ${far}_named = ${node}`;
  if (also !== '') {
    const [edges, nodes] = ['ANY($2::int8[])', ranges === 'by both' ? 'ANY($3::int8[])' : 'ANY($2::int8[])'];
    const only =
      (ranges === 'by both' || ranges === 'by edge type' ? ` AND named = ${edges}` : '') +
      (ranges === 'by both' || ranges === 'by far type' ? ` AND ${far}_named = ${nodes}` : '');
    return `(${from}${only}${some})`;
  }
  const names = (kind: string) => `(SELECT DISTINCT named FROM svc_type WHERE kind = '${kind}')`;
  const given = (place: number) => `(SELECT unnest($${place}::int8[]) AS named)`;
  const each = (edges: string, nodes: string) =>
    `(SELECT r.* FROM ${edges} AS t CROSS JOIN ${nodes} AS f CROSS JOIN LATERAL (${from}${typed('t.named', 'f.named')}${some}) AS r)`;
  if (ranges === 'by both') return each(given(2), given(3));
  if (ranges === 'by far type') return each(names('edge'), given(2));
  if (ranges === 'by edge type')
    return limit === undefined
      ? `(SELECT r.* FROM ${given(2)} AS t CROSS JOIN LATERAL (${from} AND named = t.named) AS r)`
      : each(given(2), names('node'));
  return limit === undefined ? `(${from})` : each(names('edge'), names('node'));
}

interface Found {
  readonly edge: number;
  readonly type: number;
  readonly flags: number;
  readonly row: NodeRow;
}

async function answersOf(
  { types, nodeId }: ReadDeps,
  query: Wanted,
  from: ReadonlySet<number>,
  found: readonly Cells[],
): Promise<Answers> {
  // An origin without links has a line of its own.
  const linked = found.filter((cells) => cells[before] !== null);
  if (linked.some((cells) => types.byNumber(cells[4]!) === undefined)) await types.load();
  const rows = new Map<string, NodeRow>();
  const typeOfEdge = (id: string): StoredType => types.byNumber(id)!;
  const lists = new Map<number, Origin>();
  for (const origin of from) lists.set(origin, { links: [], origin: undefined });
  for (const [id, rev, topo] of found) {
    const list = lists.get(Number(id))!;
    list.origin ??= { rev: Number(rev), topo: Number(topo) };
  }
  await withTypes(types, linked, before + 2, (typeOf) => {
    for (const cells of linked) {
      const far = cells[before]!;
      let row = rows.get(far);
      if (row === undefined) {
        row = nodeRow(cells, typeOf, nodeId, before);
        rows.set(far, row);
      }
      const isLoop = cells[0] === far;
      const flags = flagsSeen(isLoop ? 'loop' : cells[5] === 't' ? 'out' : 'in', Number(cells[6]), query.dir);
      if (flags === undefined) continue;
      lists.get(Number(cells[0]))!.links.push({ edge: Number(cells[3]), type: typeOfEdge(cells[4]!).id, flags, row });
    }
  });
  return new Map(
    [...lists].map(([key, { links, origin }]) => [key, { ...listOf(links, query), ...(origin && { origin }) }]),
  );
}

interface Origin {
  readonly links: Found[];
  origin: { readonly rev: number; readonly topo: number } | undefined;
}

/** In order of creation, each edge once. The records go along where their versions are asked for. */
function listOf(links: Found[], { limit, details: wantsDetails }: Wanted): LinkList {
  links.sort((a, b) => a.edge - b.edge);
  const once = links.filter(({ edge }, i) => i === 0 || edge !== links[i - 1]!.edge);
  const some = limit === undefined ? once : once.slice(0, limit);
  const nodes = some.map(({ row }) => row.key);
  const versions = new Map<Key, NodeRow>(some.map(({ row }) => [row.key, row]));
  if (!wantsDetails && some.every(({ flags }) => flags === 0)) return { nodes, details: undefined, versions };
  return {
    nodes,
    versions,
    details: {
      edges: some.map(({ edge }) => edge),
      types: some.map(({ type }) => type),
      flags: some.map(({ flags }) => flags),
    },
  };
}
