/** How the store names records: a node by its id, an edge by its order of creation and id. */
import type { Key, StoredType } from '../../../core/memory/rows.ts';
import { sequenceLength } from '../sequence.ts';

export function edgeName(sequence: string, id: string): string {
  return sequence + id;
}

export function sequenceOf(edge: Key): string {
  return String(edge).slice(0, sequenceLength);
}

export function edgeId(edge: Key): string {
  return String(edge).slice(sequenceLength);
}

/** `module.Name`, as edges say what they lead to. */
export function typeName({ module, name }: Pick<StoredType, 'module' | 'name'>): string {
  return `${module}.${name}`;
}
