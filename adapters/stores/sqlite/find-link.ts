/** Place of an edge in the adjacency: its types may have newer versions than those it was filed under. */
import type { StoredType } from '../../../core/memory/rows.ts';
import type { Sql } from './sql-cache.ts';

export interface LinkPlace {
  readonly etype: number;
  readonly ntype: number;
  readonly far: number;
  readonly x: number;
}

/** One seek per combination of types; `likely` is tried first. */
export function findLink(
  sql: Sql,
  types: ReadonlyMap<number, StoredType>,
  table: 'adj' | 'radj',
  src: number,
  eid: number,
  likely?: number,
): LinkPlace | undefined {
  const nodeTypes = idsOf(types, 'node');
  const find = (edgeTypes: string): LinkPlace | undefined =>
    sql(
      `SELECT etype, ntype, far, x FROM ${table} WHERE src = ? AND etype IN (${edgeTypes}) AND ntype IN (${nodeTypes}) AND eid = ?`,
    ).row(src, eid);
  return (likely === undefined ? undefined : find(String(likely))) ?? find(idsOf(types, 'edge'));
}

function idsOf(types: ReadonlyMap<number, StoredType>, kind: 'node' | 'edge'): string {
  const ids: number[] = [];
  for (const type of types.values()) if (type.kind === kind) ids.push(type.id);
  return ids.join(',');
}
