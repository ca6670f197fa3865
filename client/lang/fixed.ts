/** Numbers with a fixed count of decimals: the formats that programs use most, without the others. */
import { ValueError } from './exceptions.ts';
import { special, typeName } from './kinds.ts';

/** `f"{value:.2f}"`, and `f"{value:,.2f}"` with the sign between groups of three digits. */
export function fixed(value: any, digits: number, group?: string): string {
  const own = special(value, '__format__');
  if (own !== undefined) return String(own(`${group ?? ''}.${digits}f`));
  if (typeof value !== 'number' && typeof value !== 'boolean')
    throw new ValueError(`Unknown format code 'f' for object of type '${typeName(value)}'`);
  const text = decimals(Number(value), digits);
  return group === undefined ? text : grouped(text, group);
}

/** Rounded to the even neighbour where two are equally near, as the language rounds. */
export function decimals(value: number, digits: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf';
  const scaled = Math.abs(value) * 10 ** digits;
  // Only such values lie exactly between two.
  const isTie = scaled % 1 === 0.5 && Number.isInteger(value * 2 ** (digits + 1));
  if (!isTie || Math.floor(scaled) % 2 !== 0) return value.toFixed(digits);
  return (Math.sign(value) * (Math.floor(scaled) / 10 ** digits)).toFixed(digits);
}

export function grouped(text: string, group: string): string {
  const [whole = '', ...rest] = text.split('.');
  return [whole.replace(/\B(?=(\d{3})+(?!\d))/g, group), ...rest].join('.');
}
