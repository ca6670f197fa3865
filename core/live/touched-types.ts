import type { Draft } from '../memory/session-draft.ts';
import type { Changed } from '../memory/store.ts';

/** Types of everything that a commit concerns, -1 among them when one is not known. `topos`: nodes whose links it changes. */
export function touchedTypes(draft: Draft, topos: readonly Changed[]): readonly number[] {
  const types = new Set<number>();
  for (const { type } of draft.newNodes) types.add(type.id);
  for (const { type, row } of draft.nodeChanges) types.add(type.id).add(row.type.id);
  for (const { row } of draft.removedNodes) types.add(row.type.id);
  for (const { type } of draft.newEdges) types.add(type.id);
  for (const { type, row } of draft.edgeChanges) types.add(type.id).add(row.type.id);
  for (const { row } of draft.removedEdges) types.add(row.type.id);
  for (const { key } of topos) types.add(draft.session.rows.get(key)?.type.id ?? -1);
  return [...types];
}
