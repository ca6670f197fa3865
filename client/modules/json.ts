/** `json` in the browser. */
import { ValueError } from '../lang/exceptions.ts';

export class JSONDecodeError extends ValueError {}

interface Dumping {
  readonly indent?: number;
  readonly sort_keys?: boolean;
  readonly ensure_ascii?: boolean;
  readonly separators?: readonly [item: string, key: string];
}

export function dumps(value: unknown): string {
  return dumps.$kw([value], {});
}
dumps.$kw = ([value]: unknown[], form: Dumping): string => {
  const { indent, sort_keys: isSorted, ensure_ascii: isAscii = true, separators = [', ', ': '] } = form;
  const ordered = isSorted === true ? sorted(value) : value;
  const whole = JSON.stringify(ordered, (_, one) => (one instanceof Set ? [...one] : one), indent ?? undefined);
  const text = isAscii ? whole.replace(/[\x7f-\uffff]/g, escaped) : whole;
  // With the spaces that the language's own text has.
  return indent === undefined || indent === null ? spaced(text, separators) : text;
};

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}

function spaced(text: string, [item, key]: readonly [string, string]): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) => (part === ',' ? item : part === ':' ? key : part));
}

export function loads(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JSONDecodeError((error as Error).message);
  }
}
