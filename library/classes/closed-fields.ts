/**
 * Fields of stored objects that may hold containers or references are closed until first read: what nobody read is neither copied nor
 * compared, and is stored again as it was.
 */
import type { ClassMeta, Field } from './meta.ts';

/** A node or an edge. */
interface Stored {
  readonly $meta: ClassMeta;
}

/** Words of an instance that hold a bit for each such field. */
export function wordsOf(fields: readonly Field[]): string[] {
  return [...new Set(fields.filter((field) => field.bit !== 0).map((field) => field.word))];
}

export function isClosed(x: Stored, field: Field): boolean {
  return field.bit !== 0 && ((x as any)[field.word] & field.bit) === 0;
}

export function openField(x: Stored, field: Field): void {
  (x as any)[field.word] |= field.bit;
}

export function closeFields(x: Stored): void {
  const { words } = x.$meta;
  for (let i = 0; i < words.length; i++) (x as any)[words[i]!] = 0;
}
