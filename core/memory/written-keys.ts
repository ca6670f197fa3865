import { edgeName } from './commit-log.ts';
import type { Key } from './rows.ts';
import { changesLinks, type UnitWrite } from './store.ts';

/**
 * Gives the keys of existing records that a unit writes, as conflicts name them; neighbours of removed nodes are not
 * among them.
 */
export function* writtenKeys(unit: UnitWrite): Iterable<Key> {
  for (const { row } of unit.nodeChanges) yield row.key;
  for (const { row } of unit.removedNodes) yield row.key;
  for (const { source, target } of unit.newEdges)
    for (const end of [source, target]) if (typeof end !== 'object') yield end;
  for (const { row } of unit.removedEdges) yield* [edgeName(row.key), row.source, row.target];
  for (const change of unit.edgeChanges) {
    yield edgeName(change.row.key);
    if (changesLinks(change)) yield* [change.row.source, change.row.target];
  }
  if (unit.newNodes.some(({ isRoot }) => isRoot)) yield 'roots';
}
