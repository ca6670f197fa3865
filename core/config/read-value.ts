import type { OptionType } from './option.ts';

/** Outcome of reading one value; `problem` completes the sentence `<key>: …`. */
export type Read = { readonly value: unknown } | { readonly problem: string };

/**
 * Checks a value of the file, a default of a flag, or anything else that is already typed. `filled` says that the value came out of
 * an interpolation, where numbers and booleans arrive as text.
 */
export function readTyped(type: OptionType, value: unknown, filled = false): Read {
  if (filled && typeof value === 'string' && type.kind !== 'text' && type.kind !== 'choice')
    return readText(type, value);
  switch (type.kind) {
    case 'text':
      return typeof value === 'string' ? { value } : expected('text', value);
    case 'flag':
      return typeof value === 'boolean' ? { value } : expected('true or false', value);
    case 'choice':
      return readChoice(type.of, value);
    case 'int':
    case 'number':
      return readNumber(type, value);
    case 'texts':
      return isListOf(value, 'string') ? { value } : expected('a list of texts', value);
    case 'numbers':
      return isListOf(value, 'number') ? { value } : expected('a list of numbers', value);
    case 'table':
      return readTable(value, type.holds);
    case 'providers':
      return expected('a table', value);
  }
}

/** Reads a value from an environment variable or a command-line option: lists are comma separated, tables are JSON. */
export function readText(type: OptionType, text: string): Read {
  switch (type.kind) {
    case 'text':
    case 'choice':
      return readTyped(type, text);
    case 'flag':
      return readFlag(text);
    case 'int':
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim())
        ? readNumber(type, Number(text))
        : expected(numberRange(type), text);
    case 'texts':
      return { value: splitList(text) };
    case 'numbers':
      return readTyped(type, splitList(text).map(Number));
    case 'table':
    case 'providers':
      return readJson(type, text);
  }
}

function readFlag(text: string): Read {
  const word = text.trim().toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return { value: true };
  if (['false', '0', 'no', 'off'].includes(word)) return { value: false };
  return expected('true or false', text);
}

/** `true` and `false` are `on` and `off`. */
function readChoice(of: readonly string[], value: unknown): Read {
  const word = typeof value === 'boolean' ? (value ? 'on' : 'off') : value;
  return typeof word === 'string' && of.includes(word) ? { value: word } : expected(oneOf(of), value);
}

function readNumber(type: OptionType & { kind: 'int' | 'number' }, value: unknown): Read {
  const fits =
    typeof value === 'number' &&
    value >= type.min &&
    value <= type.max &&
    (type.kind === 'number' || Number.isInteger(value));
  return fits ? { value } : expected(numberRange(type), value);
}

function readJson(type: OptionType, text: string): Read {
  try {
    return readTyped(type, JSON.parse(text));
  } catch {
    return expected('a JSON object of texts', text);
  }
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function isListOf(value: unknown, type: 'string' | 'number'): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === type && !Number.isNaN(item));
}

function readTable(value: unknown, holds: 'scalars' | 'anything' | undefined): Read {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return expected('a table', value);
  if (holds === 'anything') return { value };
  const sorts = holds === 'scalars' ? ['string', 'number', 'boolean'] : ['string'];
  if (!Object.values(value).every((item) => sorts.includes(typeof item))) return expected('a table of texts', value);
  return { value: Object.fromEntries(Object.entries(value).map(([name, item]) => [name, `${item}`])) };
}

function expected(what: string, got: unknown): Read {
  return { problem: `expected ${what}, got ${shown(got)}` };
}

function oneOf(choices: readonly string[]): string {
  return `one of ${choices.filter((item) => item !== '').join(', ')}`;
}

function numberRange(type: OptionType & { kind: 'int' | 'number' }): string {
  return `a ${type.kind === 'int' ? 'whole number' : 'number'} from ${type.min} to ${type.max}`;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 60 ? `${value.slice(0, 57)}...` : value}'`;
  if (value instanceof Date) return 'a date';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a table' : String(value);
}
