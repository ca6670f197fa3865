/**
 * Names of edges in stores that number nothing: made of the order of their creation and their id, so that names sort.
 * Nodes are known by their id.
 */
import type { Key, StoredType } from '../../core/memory/rows.ts';
import { sequenceLength } from './sequence.ts';

export function edgeName(sequence: string, id: string): string {
  return sequence + id;
}

export function sequenceOf(edge: Key): string {
  return String(edge).slice(0, sequenceLength);
}

export function edgeId(edge: Key): string {
  return String(edge).slice(sequenceLength);
}

/**
 * Gives the id of an edge from the name a conflict over it has (`core/memory/commit-log.ts`); undefined for any other
 * name.
 */
export function edgeOfConflict(name: Key): string | undefined {
  const text = String(name);
  return text.startsWith('e') && text.length > sequenceLength + 1 + 26 ? edgeId(text.slice(1)) : undefined;
}

/** `module.Name`, as edges say what they lead to. */
export function typeName({ module, name }: Pick<StoredType, 'module' | 'name'>): string {
  return `${module}.${name}`;
}
