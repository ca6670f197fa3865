/** Questions that patterns of `match` ask of a value. */
import { isPlain } from './kinds.ts';

export function isMapping(value: unknown): boolean {
  return isPlain(value) || value instanceof Map;
}

export function isSequence(value: unknown): boolean {
  return Array.isArray(value);
}

/** A dict without some keys, for `**rest`. */
export function without(value: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** The name of the field that a pattern by position means. */
export function fieldAt(value: any, place: number): string {
  const { __match_args__: named, $fields: fields } = value.constructor;
  return (named ?? fields)?.[place] ?? '';
}
