/** `json` in the browser. */
import { ValueError } from '../lang/exceptions.ts';

export class JSONDecodeError extends ValueError {}

export function dumps(value: unknown): string {
  return dumps.$kw([value], {});
}
dumps.$kw = ([value]: unknown[], { indent, sort_keys: isSorted }: { indent?: number; sort_keys?: boolean }): string => {
  const ordered = isSorted === true ? sorted(value) : value;
  const text = JSON.stringify(ordered, (_, one) => (one instanceof Set ? [...one] : one), indent ?? undefined);
  // With the spaces that the language's own text has.
  return indent === undefined || indent === null ? spaced(text) : text;
};

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}

function spaced(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) => (part === ',' ? ', ' : part === ':' ? ': ' : part));
}

export function loads(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JSONDecodeError((error as Error).message);
  }
}
