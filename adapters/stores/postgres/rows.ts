/** Records of the database as rows of core. */
import { EdgeRow, type IdMaker, NodeRow, type StoredType } from '../../../core/memory/rows.ts';
import type { Cells } from './line.ts';
import type { Types } from './types.ts';

export const nodeColumns = (n: string): string =>
  ['id', 'uid', 'type', 'owner', 'rev', 'topo', 'access', 'data', 'attic'].map((name) => `${n}.${name}`).join(', ');

export const edgeColumns =
  'e.id, e.uid, e.type, e.source, e.target, e.undirected, e.owner, e.rev, e.access, e.data, e.attic';

/** @param at column that the record begins with */
export function nodeRow(cells: Cells, typeOf: (id: string) => StoredType, nodeId: IdMaker, at = 0): NodeRow {
  return new NodeRow(
    Number(cells[at]),
    cells[at + 1] ?? nodeId,
    typeOf(cells[at + 2]!),
    Number(cells[at + 3]),
    Number(cells[at + 4]),
    Number(cells[at + 5]),
    cells[at + 6]!,
    cells[at + 7]!,
    cells[at + 8]!,
  );
}

/** An edge that nobody gave anything to record is at version 0. */
export function edgeRow(cells: Cells, typeOf: (id: string) => StoredType): EdgeRow {
  const [id, uid, type, source, target, undirected, owner, rev, access, data, attic] = cells;
  return new EdgeRow({
    key: Number(id),
    uid: uid ?? '',
    type: typeOf(type!),
    source: Number(source),
    target: Number(target),
    undirected: undirected === 't',
    owner: owner === null ? undefined : Number(owner),
    rev: Number(rev),
    access: access!,
    data: data!,
    attic: attic!,
    hasRecord: rev !== '0',
  });
}

/** Reads records whose types may be new here: then the list of types is loaded first. */
export async function withTypes<T>(
  types: Types,
  found: readonly Cells[],
  column: number,
  read: (typeOf: (id: string) => StoredType) => T,
): Promise<T> {
  if (found.some((cells) => cells[column] !== null && types.byNumber(cells[column]!) === undefined)) await types.load();
  return read((id) => types.byNumber(id)!);
}
