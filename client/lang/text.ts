/** Texts of values: `str` and `repr`. */
import { className, isMember, isPlain, special } from './kinds.ts';

export function str(...values: [any?]): string {
  if (values.length === 0) return '';
  const [value] = values;
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
      return value ? 'True' : 'False';
    case 'number':
      return Number.isNaN(value) ? 'nan' : value === Infinity ? 'inf' : value === -Infinity ? '-inf' : String(value);
    case 'object':
      break;
    default:
      return value === undefined ? 'None' : String(value);
  }
  if (value === null) return 'None';
  const own = special(value, '__str__')?.() as string | undefined;
  return own ?? (isMember(value) ? value.toString() : value instanceof Error ? value.message : repr(value));
}

/** Text of a value whose static type is `float`, as Python has it: `3.0`, `1e+16`. JavaScript has one kind of number, so the compiler says which is meant. */
export function floatText(value: any): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return str(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  const text = Object.is(value, -0) ? '-0' : String(value);
  return Number.isInteger(value) ? `${text}.0` : text;
}

/** Facts that the static type of a value gives about its text; `null` gives none. `items` and `isTuple` are of tuples. */
export interface Looks {
  readonly items?: readonly (Looks | 'float' | null)[];
  readonly each?: Looks | 'float' | null;
  readonly isTuple?: true;
  readonly keys?: 'int';
  readonly values?: Looks | 'float' | null;
}

/** Text of a list, tuple, set or dict as its static type says. */
export function typedText(value: any, looks: Looks | 'float' | null): string {
  if (looks === 'float') return typeof value === 'number' ? floatText(value) : repr(value);
  if (looks === null || value === null || typeof value !== 'object') return repr(value);
  const { items, each = null, isTuple = items !== undefined, keys, values } = looks;
  if (values === undefined) {
    if (!Array.isArray(value) && !(value instanceof Set && value.size > 0)) return repr(value);
    const texts = Array.from(value, (one, i) => typedText(one, items === undefined ? each : (items[i] ?? null)));
    if (isTuple) return `(${texts.join(', ')}${texts.length === 1 ? ',' : ''})`;
    return Array.isArray(value) ? `[${texts.join(', ')}]` : `{${texts.join(', ')}}`;
  }
  if (!isPlain(value)) return repr(value);
  const texts = Object.entries(value).map(([name, one]) => {
    return `${keys === 'int' ? name : repr(name)}: ${typedText(one, values)}`;
  });
  return `{${texts.join(', ')}}`;
}

export function repr(value: any, depth = 0): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return str(value);
  // Deeper than any reader looks, and a bound for what refers to itself.
  if (depth > 12) return '...';
  const inside = (one: unknown) => repr(one, depth + 1);
  if (Array.isArray(value)) return `[${value.map(inside).join(', ')}]`;
  if (value instanceof Set) return value.size === 0 ? 'set()' : `{${[...value].map(inside).join(', ')}}`;
  if (isPlain(value))
    return `{${Object.entries(value)
      .map(([name, one]) => `${inside(name)}: ${inside(one)}`)
      .join(', ')}}`;
  if (value instanceof Error) {
    const { args = value.message === '' ? [] : [value.message] } = value as { args?: unknown[] };
    return `${value.name}(${args.map(inside).join(', ')})`;
  }
  const { $fields: fields } = value.constructor as { $fields?: readonly string[] };
  const asked = special(value, '__repr__') ?? (isMember(value) || fields ? undefined : special(value, '__str__'));
  if (asked !== undefined) return String(asked());
  if (isMember(value)) return `<${value.$enum}.${value.name}: ${inside(value.value)}>`;
  if (fields === undefined) return String(value);
  return `${className(value.constructor)}(${fields.map((name) => `${name}=${inside(value[name])}`).join(', ')})`;
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(
    /[\\\0-\x1f\x7f]/g,
    (char) =>
      ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' })[char] ??
      `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}
