/** Built-ins about numbers: `abs`, `round`, `divmod`, `pow`, `bin`, `ord`, `chr` … */

import { builtin } from '../values/calls/builtin.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { requireIndex } from '../values/numbers/index-value.ts';
import { asNumber, isInt, type Num } from '../values/numbers/numbers.ts';
import { rounded } from '../values/numbers/rounding.ts';
import { OverflowError, TypeError, ValueError, ZeroDivisionError } from '../values/objects/exceptions.ts';
import { hashNumber, identityOf } from '../values/objects/hashing.ts';
import { absoluteOf, floordiv, mod, pow as power } from '../values/objects/operators.ts';
import { typeName } from '../values/objects/type-name.ts';
import { AnyBytes } from '../values/text/bytes.ts';
import { lengthOf } from '../values/text/strings.ts';
import { textOf } from '../values/text/text-arguments.ts';

export const abs = builtin('abs', absoluteOf);

export const round = builtin('round', (x: any, digits?: any): unknown => {
  if (typeof x === 'object' && x !== null && typeof x.__round__ === 'function') {
    return digits === undefined || digits === null ? x.__round__() : x.__round__(digits);
  }
  const n = asNumber(x);
  if (n === undefined) throw new TypeError(`type ${typeName(x)} doesn't define __round__ method`);
  return rounded(n, digits);
});

export const divmod = builtin('divmod', (a: any, b: any) => {
  if (typeof a?.__divmod__ === 'function') return a.__divmod__(b);
  if (typeof b?.__rdivmod__ === 'function') return b.__rdivmod__(a);
  if (asNumber(a) === undefined && typeof a?.__floordiv__ !== 'function') {
    throw new TypeError(`unsupported operand type(s) for divmod(): '${typeName(a)}' and '${typeName(b)}'`);
  }
  const [x, y] = [asNumber(a), asNumber(b)];
  if (y !== undefined && Number(y) === 0 && !(isInt(x ?? 0) && isInt(y))) throw new ZeroDivisionError('float divmod()');
  return new Tuple([floordiv(a, b), mod(a, b)]);
});

export const pow = builtin('pow', power);

function radixText(name: string, radix: number, prefix: string) {
  return builtin(name, (x: unknown): string => {
    const n = requireIndex(x);
    return `${n < 0 ? '-' : ''}${prefix}${(n < 0 ? -n : n).toString(radix)}`;
  });
}

export const bin = radixText('bin', 2, '0b');
export const oct = radixText('oct', 8, '0o');
export const hex = radixText('hex', 16, '0x');

export const ord = builtin('ord', (c: unknown): number => {
  const text = textOf(c);
  if (text !== undefined) {
    if (lengthOf(text) !== 1)
      throw new TypeError(`ord() expected a character, but string of length ${lengthOf(text)} found`);
    return text.codePointAt(0)!;
  }
  if (c instanceof AnyBytes) {
    if (c.length !== 1) throw new TypeError(`ord() expected a character, but string of length ${c.length} found`);
    return c.data[0]!;
  }
  throw new TypeError(`ord() expected string of length 1, but ${typeName(c)} found`);
});

export const chr = builtin('chr', (i: unknown): string => {
  const code = requireIndex(i);
  if (Number(code) !== (Number(code) | 0)) throw new OverflowError('Python int too large to convert to C int');
  if (code < 0 || code > 0x10ffff) throw new ValueError('chr() arg not in range(0x110000)');
  return String.fromCodePoint(Number(code));
});

export const hash = builtin('hash', (x: unknown): Num => hashNumber(x));

const primitiveIds = new Map<unknown, number>();

/** `id(x)`: a counter for objects; equal primitives share one. */
export const id = builtin('id', (x: any): number => {
  if ((typeof x === 'object' && x !== null) || typeof x === 'function') return 0x7f0000000000 + identityOf(x) * 16;
  let known = primitiveIds.get(x ?? null);
  if (known === undefined) {
    if (primitiveIds.size > 100_000) primitiveIds.clear();
    known = 0x7e0000000000 + primitiveIds.size * 16;
    primitiveIds.set(x ?? null, known);
  }
  return known;
});

/** `check almostEqual(a, b);` [L]: the same to that many places, as tests of the time of `check` said it. */
export const almostEqual = builtin('almostEqual', (a: any, b: any, places: unknown = 7) => {
  const difference = Math.abs(Number(a) - Number(b));
  return difference < 0.5 / 10 ** Number(places);
});
