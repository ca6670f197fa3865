/**
 * Reading records. A query gives one text with all rows in it, which costs a third of one JavaScript object per row: control characters never
 * occur in JSON text, so they separate columns and rows.
 */
import { EdgeRow, type IdMaker, NodeRow, type StoredType } from '../../../core/memory/rows.ts';
import type { Sql } from './sql-cache.ts';

export interface RowReader {
  nodes(keys: readonly number[]): (NodeRow | undefined)[];
  nodesByUid(uids: readonly string[]): (NodeRow | undefined)[];
  edges(keys: readonly number[]): (EdgeRow | undefined)[];
  edgeByUid(uid: string): EdgeRow | undefined;
}

/** The stored type of a number, also when another process added it. */
export type TypeOf = (id: number) => StoredType;

const column = '\x1f';
const row = '\x1e';

const nodeText = packed([
  'n.id',
  "coalesce(n.uid, '')",
  'n.type',
  'n.owner',
  'n.rev',
  'n.topo',
  "coalesce(n.access, '')",
  'n.data',
  "coalesce(n.attic, '')",
]);
const edgeText = packed([
  'e.id',
  "coalesce(e.uid, '')",
  'e.type',
  'e.source',
  'e.target',
  'e.undirected',
  "coalesce(e.owner, '')",
  'e.rev',
  "coalesce(e.access, '')",
  'e.data',
  "coalesce(e.attic, '')",
]);

function packed(columns: readonly string[]): string {
  return columns.join(' || char(31) || ');
}

/** Most records one query asks for: its text must stay within SQLite's limits. */
const batch = 2000;

export function createRowReader(
  sql: Sql,
  typeOf: TypeOf,
  nodeId: IdMaker,
  keyOf: (uid: string) => number | undefined,
): RowReader {
  const read = <T extends { readonly key: unknown }>(
    one: string,
    many: string,
    parse: (text: string) => T,
    keys: readonly (number | string)[],
    keyOf: (made: T) => unknown,
  ) => {
    if (keys.length === 0) return [];
    if (keys.length === 1) {
      const text = sql(one).value(keys[0]!) as string | null;
      return [text === null ? undefined : parse(text)];
    }
    const found = new Map<unknown, T>();
    for (let at = 0; at < keys.length; at += batch) {
      const text = sql(many).value(JSON.stringify(keys.slice(at, at + batch))) as string | null;
      if (text === null) continue;
      for (const part of text.split(row)) {
        const made = parse(part);
        found.set(keyOf(made), made);
      }
    }
    return keys.map((key) => found.get(key));
  };
  const all = (from: string, text: string, match: string) =>
    `SELECT group_concat(${text}, char(30)) AS v FROM json_each(?) j CROSS JOIN ${from} ON ${match} = j.value`;
  const parseNode = (text: string) => nodeOf(text, typeOf, nodeId);
  const parseEdge = (text: string) => edgeOf(text, typeOf);
  const nodes = (keys: readonly number[]) =>
    read(
      `SELECT ${nodeText} AS v FROM node n WHERE n.id = ?`,
      all('node n', nodeText, 'n.id'),
      parseNode,
      keys,
      (made) => made.key,
    );
  return {
    nodes,
    // Most ids lead to a number; the others are in the index.
    nodesByUid(uids) {
      const keys = uids.map(keyOf);
      const others = uids.filter((_, i) => keys[i] === undefined);
      const byKey = nodes(keys.filter((key) => key !== undefined));
      const byUid = read(
        `SELECT ${nodeText} AS v FROM node n WHERE n.uid = ?`,
        all('node n', nodeText, 'n.uid'),
        parseNode,
        others,
        (made) => made.uid,
      );
      let [k, u] = [0, 0];
      return keys.map((key) => (key === undefined ? byUid[u++] : byKey[k++]));
    },
    edges: (keys) =>
      read(
        `SELECT ${edgeText} AS v FROM edge e WHERE e.id = ?`,
        all('edge e', edgeText, 'e.id'),
        parseEdge,
        keys,
        (made) => made.key,
      ),
    edgeByUid(uid) {
      const text = sql(`SELECT ${edgeText} AS v FROM edge e WHERE e.uid = ?`).value(uid) as string | null;
      return text === null ? undefined : parseEdge(text);
    },
  };
}

function nodeOf(text: string, typeOf: TypeOf, nodeId: IdMaker): NodeRow {
  const at = text.split(column);
  return new NodeRow(
    Number(at[0]),
    at[1] === '' ? nodeId : at[1]!,
    typeOf(Number(at[2])),
    Number(at[3]),
    Number(at[4]),
    Number(at[5]),
    at[6]!,
    at[7]!,
    at[8]!,
  );
}

function edgeOf(text: string, typeOf: TypeOf): EdgeRow {
  const at = text.split(column);
  return new EdgeRow({
    key: Number(at[0]),
    uid: at[1]!,
    type: typeOf(Number(at[2])),
    source: Number(at[3]),
    target: Number(at[4]),
    undirected: at[5] === '1',
    owner: at[6] === '' ? undefined : Number(at[6]),
    rev: Number(at[7]),
    access: at[8]!,
    data: at[9]!,
    attic: at[10]!,
    hasRecord: true,
  });
}
