/** Hops: one range of the clustered adjacency per combination of types, read as one text (see read-rows.ts). */
import type { Condition } from '../../../core/graph/hop.ts';
import type { LinkList, StoredType } from '../../../core/memory/rows.ts';
import { INCOMING, type NeighbourQuery } from '../../../core/memory/store.ts';
import type { SqlValue } from './driver.ts';
import type { Sql } from './sql-cache.ts';

/** Numbers per link in a result: edge, far end, edge type, flags. */
const width = 4;

const nobody: LinkList = { nodes: [], details: undefined, last: 0 };

/** Up to this many combinations of types a limited query asks each range for its first links. */
const mostRanges = 64;

export function readLinks(sql: Sql, query: NeighbourQuery, types: ReadonlyMap<number, StoredType>): LinkList[] {
  const from = query.from as readonly number[];
  const filter = filterOf(query, types);
  if (from.length === 1) return [one(sql, query, from[0]!, filter)];
  const lists: number[][] = from.map(() => []);
  for (const [table, flag] of tablesOf(query)) {
    const text = sql(
      `SELECT '[' || group_concat(j.key || ',' || a.eid || ',' || a.far || ',' || a.etype || ',' || a.x) || ']' AS v ` +
        `FROM json_each(?) j CROSS JOIN ${table} a ON a.src = j.value${filter.sql}`,
    ).value(JSON.stringify(from)) as string | null;
    if (text === null) continue;
    const flat = JSON.parse(text) as number[];
    for (let i = 0; i < flat.length; i += width + 1)
      lists[flat[i]!]!.push(flat[i + 1]!, flat[i + 2]!, flat[i + 3]!, flat[i + 4]! | flag);
  }
  return lists.map((flat) => listOf(flat, query));
}

interface Filter {
  /** Condition behind `a.src = …`; conditions on fields look at the far node. */
  readonly sql: string;
  /** Part of `sql` about fields. */
  readonly fields: string;
  readonly params: readonly SqlValue[];
  /** Exactly one combination of types: what comes out is in order of creation. */
  readonly isRange: boolean;
  readonly edgeTypes: readonly number[] | undefined;
  readonly nodeTypes: readonly number[] | undefined;
}

// A far end's type alone would not narrow the key: all edge types are named then, so each combination is one seek.
function filterOf(query: NeighbourQuery, types: ReadonlyMap<number, StoredType>): Filter {
  const { nodeTypes } = query;
  const edgeTypes = query.edgeTypes ?? (nodeTypes === undefined ? undefined : ofKind(types, 'edge'));
  const edges = edgeTypes === undefined ? '' : ` AND a.etype IN (${edgeTypes.join(',')})`;
  const nodes = nodeTypes === undefined ? '' : ` AND a.ntype IN (${nodeTypes.join(',')})`;
  const params: SqlValue[] = [];
  const tests = (query.where ?? []).map((condition) => conditionSql(condition, params)).join('');
  const fields = tests === '' ? '' : ` AND EXISTS (SELECT 1 FROM node n WHERE n.id = a.far${tests})`;
  return {
    sql: edges + nodes + fields,
    fields,
    params,
    isRange: edgeTypes?.length === 1 && nodeTypes?.length === 1,
    edgeTypes,
    nodeTypes,
  };
}

/**
 * A condition as SQL, its values among `params`. What the language decides otherwise than SQL stays in: values with structure, and None
 * where it would be an error to compare.
 */
function conditionSql({ field, op, value }: Condition, params: SqlValue[]): string {
  const path = `$.${JSON.stringify(field)}`;
  const found = 'json_extract(n.data, ?)';
  const operator = op === '==' ? 'IS' : op === '!=' ? 'IS NOT' : op;
  params.push(path, typeof value === 'boolean' ? Number(value) : value, path);
  const open = operator === op ? ` OR ${found} IS NULL` : '';
  if (open !== '') params.push(path);
  return ` AND (${found} ${operator} ? OR json_type(n.data, ?) IN ('object', 'array')${open})`;
}

function ofKind(types: ReadonlyMap<number, StoredType>, kind: 'node' | 'edge'): number[] {
  const ids: number[] = [];
  for (const type of types.values()) if (type.kind === kind) ids.push(type.id);
  return ids;
}

function tablesOf(query: NeighbourQuery): readonly (readonly ['adj' | 'radj', number])[] {
  if (query.dir === 'out') return [['adj', 0]];
  if (query.dir === 'in') return [['radj', 0]];
  return [
    ['adj', 0],
    ['radj', INCOMING],
  ];
}

function one(sql: Sql, query: NeighbourQuery, from: number, filter: Filter): LinkList {
  const plain = wantsPlainRange(query, filter) ? plainRange(sql, query, from, filter) : undefined;
  if (plain !== undefined) return plain;
  if (query.limit !== undefined) return limited(sql, query, from, filter);
  const flat: number[] = [];
  for (const [table, flag] of tablesOf(query)) {
    append(flat, readFlat(sql, `FROM ${table} a WHERE a.src = ?${filter.sql}`, from, ...filter.params), flag);
  }
  return listOf(flat, query);
}

/** Tells whether only far ends are wanted, of one range: the commonest typed hop. */
const wantsPlainRange = (query: NeighbourQuery, filter: Filter): boolean =>
  filter.isRange && !query.details && query.dir !== 'any';

/** Undefined when an edge among them has something to it: then the whole rows are needed. */
function plainRange(sql: Sql, query: NeighbourQuery, from: number, filter: Filter): LinkList | undefined {
  const table = query.dir === 'out' ? 'adj' : 'radj';
  const range = `FROM ${table} a WHERE a.src = ?${filter.sql}`;
  const limited =
    query.limit === undefined ? range : `FROM (SELECT eid, far, x ${range} ORDER BY a.eid LIMIT ${query.limit}) a`;
  const last = query.isShort ? "max(a.eid) || ',' || " : '';
  const text = sql(`SELECT max(a.x) || '[' || ${last}group_concat(a.far) || ']' AS v ${limited}`).value(
    from,
    ...filter.params,
  ) as string | null;
  if (text === null) return nobody;
  if (!text.startsWith('0[')) return undefined;
  const nodes = JSON.parse(text.slice(1)) as number[];
  return query.isShort ? { last: nodes.shift()!, nodes, details: undefined } : { nodes, details: undefined };
}

function readFlat(sql: Sql, rest: string, ...params: SqlValue[]): number[] {
  const text = sql(
    `SELECT '[' || group_concat(a.eid || ',' || a.far || ',' || a.etype || ',' || a.x) || ']' AS v ${rest}`,
  ).value(...params) as string | null;
  return text === null ? [] : (JSON.parse(text) as number[]);
}

function append(flat: number[], more: readonly number[], flag: number): void {
  for (let i = 0; i < more.length; i += width) flat.push(more[i]!, more[i + 1]!, more[i + 2]!, more[i + 3]! | flag);
}

/** The first links in order of creation: each range is in order, so the first few of each are enough. */
function limited(sql: Sql, query: NeighbourQuery, from: number, filter: Filter): LinkList {
  const flat: number[] = [];
  for (const [table, flag] of tablesOf(query)) {
    const ranges = rangesOf(sql, table, from, filter);
    const rest =
      ranges === undefined
        ? [`FROM (SELECT * FROM ${table} a WHERE a.src = ?${filter.sql} ORDER BY a.eid LIMIT ${query.limit}) a`]
        : ranges.map(
            ([etype, ntype]) =>
              `FROM (SELECT * FROM ${table} a WHERE a.src = ? AND a.etype = ${etype} AND a.ntype = ${ntype}${filter.fields} ORDER BY a.eid LIMIT ${query.limit}) a`,
          );
    for (const part of rest) append(flat, readFlat(sql, part, from, ...filter.params), flag);
  }
  if (flat.length === 0) return nobody;
  const all = listOf(flat, { ...query, details: true });
  const count = Math.min(query.limit!, all.nodes.length);
  const { edges, types, flags } = all.details!;
  const details = { edges: edges.slice(0, count), types: types.slice(0, count), flags: flags.slice(0, count) };
  const nodes = all.nodes.slice(0, count);
  if (query.details || details.flags.some((bits) => bits !== 0)) return { nodes, details };
  return { nodes, details: undefined, last: details.edges[count - 1] as number };
}

/** Combinations of types that occur at a node, found by jumping from one to the next; undefined when there are too many. */
function rangesOf(sql: Sql, table: string, from: number, filter: Filter): (readonly [number, number])[] | undefined {
  const { edgeTypes, nodeTypes } = filter;
  if (edgeTypes !== undefined && nodeTypes !== undefined) {
    if (edgeTypes.length * nodeTypes.length > mostRanges) return undefined;
    return edgeTypes.flatMap((etype) => nodeTypes.map((ntype) => [etype, ntype] as const));
  }
  const ranges: [number, number][] = [];
  const next = sql(
    `SELECT etype || ',' || ntype AS v FROM ${table} WHERE src = ? AND (etype, ntype) > (?, ?) ORDER BY etype, ntype LIMIT 1`,
  );
  for (let [etype, ntype] = [-1, -1]; ranges.length <= mostRanges; ) {
    const text = next.value(from, etype, ntype) as string | null;
    if (text === null) return ranges;
    [etype, ntype] = text.split(',').map(Number) as [number, number];
    if (edgeTypes === undefined || edgeTypes.includes(etype)) ranges.push([etype, ntype]);
  }
  return undefined;
}

/** Lists links in order of creation, each edge once. */
function listOf(flat: number[], query: NeighbourQuery): LinkList {
  if (flat.length === 0) return nobody;
  const order = inOrder(flat);
  const nodes: number[] = [];
  const edges: number[] = [];
  const types: number[] = [];
  const flags: number[] = [];
  let plain = !query.details;
  let last = -1;
  for (const at of order) {
    const edge = flat[at]!;
    if (edge === last) continue; // both directions of a loop or of an undirected edge
    last = edge;
    edges.push(edge);
    nodes.push(flat[at + 1]!);
    types.push(flat[at + 2]!);
    flags.push(flat[at + 3]!);
    if (flat[at + 3] !== 0) plain = false;
  }
  return plain ? { nodes, details: undefined, last } : { nodes, details: { edges, types, flags } };
}

function inOrder(flat: readonly number[]): number[] {
  const order: number[] = new Array(flat.length / width);
  let sorted = true;
  for (let i = 0, at = 0; at < flat.length; i++, at += width) {
    order[i] = at;
    if (at > 0 && flat[at]! < flat[at - width]!) sorted = false;
  }
  // Outgoing before incoming where both stand for one edge: sorting keeps their order.
  return sorted ? order : order.sort((a, b) => flat[a]! - flat[b]!);
}
