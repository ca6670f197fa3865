/** Conversions: built-in types called as functions. */
import { TypeError, ValueError } from './exceptions.ts';
import { array, iter } from './iteration.ts';
import { isMember, isPlain, special, typeName } from './kinds.ts';
import { named } from './named.ts';
import { setOf, truthy } from './operators.ts';
import { repr } from './text.ts';

export function bool(value?: unknown): boolean {
  return truthy(value);
}

export const int = /* @__PURE__ */ named(
  (value: any = 0, base = 10): number => {
    if (typeof value === 'number') return Math.trunc(value);
    if (typeof value === 'boolean') return value ? 1 : 0;
    if (isMember(value)) return int(value.value);
    if (typeof value === 'string') {
      const text = value.trim().replaceAll('_', '');
      const prefix = /^[-+]?0([xob])/i.exec(text)?.[1]?.toLowerCase();
      const own = prefix === 'x' ? 16 : prefix === 'o' ? 8 : prefix === undefined ? prefix : 2;
      const radix = base || own || 10;
      const digits = radix === own ? text.replace(/0\w/, '') : text;
      if (
        /^[-+]?\w+$/.test(digits) &&
        ![...digits.replace(/\W/, '')].some((one) => Number.isNaN(Number.parseInt(one, radix)))
      )
        return Number.parseInt(digits, radix);
      throw new ValueError(`invalid literal for int() with base ${base}: ${repr(value)}`);
    }
    const own = special(value, '__int__');
    if (own !== undefined) return own() as number;
    if (value instanceof Date) return value.getTime();
    throw new TypeError(`int() argument must be a string or a number, not '${typeName(value)}'`);
  },
  ([value]: any[], { base = 10 }: { base?: number }): number => int(value, base),
);

export function float(value: any = 0): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const text = typeof value === 'string' ? value.trim().replaceAll('_', '').toLowerCase() : '';
  const named = /^([-+]?)(inf|infinity|nan)$/.exec(text);
  if (named !== null) return named[2] === 'nan' ? Number.NaN : named[1] === '-' ? -Infinity : Infinity;
  const found = text === '' ? Number.NaN : Number(text);
  if (!Number.isNaN(found)) return found;
  const own = special(value, '__float__');
  if (own !== undefined) return own() as number;
  if (typeof value === 'string') throw new ValueError(`could not convert string to float: ${repr(value)}`);
  throw new TypeError(`float() argument must be a string or a number, not '${typeName(value)}'`);
}

export function list(value: any = []): any[] {
  return [...iter(value)];
}

export const tuple = list;

export function set(value: any = []): Set<any> {
  return setOf(iter(value));
}

export const frozenset = set;

/** `dict(other, a=1)`, `dict(pairs)`. */
export const dict = /* @__PURE__ */ named(
  (value: any = {}): Record<string, any> => {
    if (value instanceof Map) return Object.fromEntries(value);
    return isPlain(value) ? { ...value } : Object.fromEntries(array(value));
  },
  ([value = {}]: any[], named: Record<string, any>): Record<string, any> => ({ ...dict(value), ...named }),
);

/** `dict.fromkeys(keys, value)`. */
export function fromkeys(keys: any, value: any = null): Record<string, any> {
  return Object.fromEntries([...iter(keys)].map((key) => [key, value]));
}

/** `object`: what every class derives from. */
class Base {}

export { Base as object };
