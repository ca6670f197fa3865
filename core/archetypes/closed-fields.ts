/**
 * Fields of stored objects that may hold containers or references are closed until first read: what nobody read is neither copied nor
 * compared, and is stored again as it was.
 */
import type { GraphObject } from './classes.ts';
import type { Field } from './meta.ts';

/** Words of an instance that hold a bit for each such field. */
export function wordsOf(fields: readonly Field[]): string[] {
  return [...new Set(fields.filter((field) => field.bit !== 0).map((field) => field.word))];
}

export function isClosed(x: GraphObject, field: Field): boolean {
  return field.bit !== 0 && ((x as any)[field.word] & field.bit) === 0;
}

export function openField(x: GraphObject, field: Field): void {
  (x as any)[field.word] |= field.bit;
}

export function closeFields(x: GraphObject): void {
  const { words } = x.$meta;
  for (let i = 0; i < words.length; i++) (x as any)[words[i]!] = 0;
}
