/** Methods of `str` (language.md 6.5): receiver first, then the parameters named in the table. */

import { builtinMethods } from '../calls/builtin.ts';
import { Dict } from '../containers/dict.ts';
import { tryIter } from '../containers/iteration.ts';
import { slicePart } from '../containers/slice.ts';
import { getitem } from '../containers/subscripts.ts';
import { Tuple, tuple } from '../containers/tuple.ts';
import { requireSize } from '../numbers/index-value.ts';
import { LookupError, TypeError, ValueError } from '../objects/exceptions.ts';
import { tables } from '../objects/method-tables.ts';
import { truth } from '../objects/truth.ts';
import { typeName } from '../objects/type-name.ts';
import { Bytes } from './bytes.ts';
import { encodeText } from './codecs.ts';
import { formatTemplate } from './str-format.ts';
import { isPrintable } from './string-repr.ts';
import { charsOf, isWide, lengthOf, pointIndex, unitIndex } from './strings.ts';
import { requireText, textOf } from './text-arguments.ts';
import { isSpace, splitLines, splitWords, splitWordsRight, stripEnd, stripStart } from './whitespace.ts';

type Optional = unknown;

/** `start` and `end` of `find` and friends as UTF-16 positions; `start` may lie behind the end. */
function span(s: string, start: Optional, end: Optional): { from: number; to: number; valid: boolean } {
  if (start === undefined && end === undefined) return { from: 0, to: s.length, valid: true };
  const length = lengthOf(s);
  const from = position(start, 0, length);
  const to = Math.min(position(end, length, length), length);
  return { from: unitIndex(s, Math.min(from, length)), to: unitIndex(s, to), valid: from <= to };
}

function position(x: Optional, fallback: number, length: number): number {
  if (x === undefined || x === null) return fallback;
  const n = slicePart(x);
  return n < 0 ? Math.max(0, n + length) : n;
}

function find(s: string, sub: unknown, start: Optional, end: Optional): number {
  const wanted = requireText(sub);
  const { from, to, valid } = span(s, start, end);
  if (!valid) return -1;
  const at = to === s.length ? s.indexOf(wanted, from) : s.slice(0, to).indexOf(wanted, from);
  return at < 0 || (wanted === '' && at > to) ? -1 : pointIndex(s, at);
}

function rfind(s: string, sub: unknown, start: Optional, end: Optional): number {
  const wanted = requireText(sub);
  const { from, to, valid } = span(s, start, end);
  if (!valid) return -1;
  const at = s.slice(0, to).lastIndexOf(wanted);
  return at < from ? -1 : pointIndex(s, at);
}

function count(s: string, sub: unknown, start: Optional, end: Optional): number {
  const wanted = requireText(sub);
  const { from, to, valid } = span(s, start, end);
  if (!valid) return 0;
  const part = s.slice(from, to);
  if (wanted === '') return lengthOf(part) + 1;
  let found = 0;
  for (let at = part.indexOf(wanted); at >= 0; at = part.indexOf(wanted, at + wanted.length)) found += 1;
  return found;
}

function affix(
  name: string,
  s: string,
  wanted: unknown,
  start: Optional,
  end: Optional,
  test: (part: string, affix: string) => boolean,
): boolean {
  const { from, to, valid } = span(s, start, end);
  const part = from === 0 && to === s.length ? s : s.slice(from, to);
  if (wanted instanceof Tuple) {
    return wanted.items.some((one) => {
      const text = textOf(one);
      if (text === undefined) throw new TypeError(`tuple for ${name} must only contain str, not ${typeName(one)}`);
      return valid && test(part, text);
    });
  }
  const text = textOf(wanted);
  if (text === undefined)
    throw new TypeError(`${name} first arg must be str or a tuple of str, not ${typeName(wanted)}`);
  return valid && test(part, text);
}

function strip(s: string, chars: Optional, which: 'strip' | 'lstrip' | 'rstrip'): string {
  if (chars === undefined || chars === null) {
    const left = which === 'rstrip' ? s : stripStart(s);
    return which === 'lstrip' ? left : stripEnd(left);
  }
  const text = textOf(chars);
  if (text === undefined) throw new TypeError(`${which} arg must be None or str`);
  const set = new Set(text);
  if (!isWide(s)) {
    let [from, to] = [0, s.length];
    if (which !== 'rstrip') while (from < to && set.has(s[from]!)) from += 1;
    if (which !== 'lstrip') while (to > from && set.has(s[to - 1]!)) to -= 1;
    return s.slice(from, to);
  }
  const all = charsOf(s);
  let [from, to] = [0, all.length];
  if (which !== 'rstrip') while (from < to && set.has(all[from]!)) from += 1;
  if (which !== 'lstrip') while (to > from && set.has(all[to - 1]!)) to -= 1;
  return all.slice(from, to).join('');
}

function separator(sep: unknown): string {
  const text = textOf(sep);
  if (text === undefined) throw new TypeError(`must be str or None, not ${typeName(sep)}`);
  if (text === '') throw new ValueError('empty separator');
  return text;
}

function split(s: string, sep: Optional, maxsplit: Optional): string[] {
  const limit = maxsplit === undefined ? -1 : requireSize(maxsplit);
  if (sep === undefined || sep === null) return splitWords(s, limit);
  const mark = separator(sep);
  if (limit < 0) return s.split(mark);
  const parts: string[] = [];
  let from = 0;
  while (parts.length < limit) {
    const at = s.indexOf(mark, from);
    if (at < 0) break;
    parts.push(s.slice(from, at));
    from = at + mark.length;
  }
  parts.push(s.slice(from));
  return parts;
}

function rsplit(s: string, sep: Optional, maxsplit: Optional): string[] {
  const limit = maxsplit === undefined ? -1 : requireSize(maxsplit);
  if (sep === undefined || sep === null) return limit < 0 ? splitWords(s, -1) : splitWordsRight(s, limit);
  const mark = separator(sep);
  if (limit < 0) return s.split(mark);
  const parts: string[] = [];
  let to = s.length;
  while (parts.length < limit) {
    const at = to - mark.length < 0 ? -1 : s.lastIndexOf(mark, to - mark.length);
    if (at < 0) break;
    parts.push(s.slice(at + mark.length, to));
    to = at;
  }
  parts.push(s.slice(0, to));
  return parts.reverse();
}

function replace(s: string, old: unknown, by: unknown, times: Optional): string {
  const from = requireText(old, 'replace() argument 1');
  const to = requireText(by, 'replace() argument 2');
  const limit = times === undefined ? -1 : requireSize(times);
  if (limit < 0 && from !== '') return s.replaceAll(from, () => to);
  if (from === '') {
    const chars = charsOf(s);
    const gaps = limit < 0 ? chars.length + 1 : Math.min(limit, chars.length + 1);
    return chars.map((char, i) => (i < gaps ? to + char : char)).join('') + (gaps > chars.length ? to : '');
  }
  const parts = split(s, from, limit);
  return parts.join(to);
}

function join(s: string, items: unknown): string {
  const source = Array.isArray(items) ? items : tryIter(items);
  if (source === undefined) throw new TypeError('can only join an iterable');
  if (Array.isArray(source) && source.every(isString)) return source.join(s);
  const parts: string[] = [];
  for (const item of source) {
    const text = typeof item === 'string' ? item : textOf(item);
    if (text === undefined)
      throw new TypeError(`sequence item ${parts.length}: expected str instance, ${typeName(item)} found`);
    parts.push(text);
  }
  return parts.join(s);
}

function isString(x: unknown): boolean {
  return typeof x === 'string';
}

function justify(s: string, width: unknown, fillchar: Optional, side: 'left' | 'right' | 'center'): string {
  const fill = fillchar === undefined ? ' ' : fillchar;
  if (typeof fill !== 'string')
    throw new TypeError(`The fill character must be a unicode character, not ${typeName(fill)}`);
  if (lengthOf(fill) !== 1) throw new TypeError('The fill character must be exactly one character long');
  const wanted = requireSize(width);
  const room = wanted - lengthOf(s);
  if (room <= 0) return s;
  if (side === 'left') return s + fill.repeat(room);
  if (side === 'right') return fill.repeat(room) + s;
  const before = (room >> 1) + (room & wanted & 1);
  return fill.repeat(before) + s + fill.repeat(room - before);
}

function zfill(s: string, width: unknown): string {
  const room = requireSize(width) - lengthOf(s);
  if (room <= 0) return s;
  const signed = s[0] === '+' || s[0] === '-';
  return signed ? s[0] + '0'.repeat(room) + s.slice(1) : '0'.repeat(room) + s;
}

// Letters whose title case is neither their upper nor their lower case.
const titleCase: Readonly<Record<string, string>> = { Ǆ: 'ǅ', ǆ: 'ǅ', Ǉ: 'ǈ', ǉ: 'ǈ', Ǌ: 'ǋ', ǌ: 'ǋ', Ǳ: 'ǲ', ǳ: 'ǲ' };

function capitalizeChar(char: string): string {
  const special = titleCase[char];
  if (special !== undefined) return special;
  const upper = char.toUpperCase();
  return upper.length > char.length ? upper[0] + upper.slice(1).toLowerCase() : upper;
}

function capitalize(s: string): string {
  if (s === '') return s;
  const first = String.fromCodePoint(s.codePointAt(0)!);
  return capitalizeChar(first) + s.toLowerCase().slice(first.toLowerCase().length);
}

const asciiOnly = /^[\x00-\x7f]*$/;

function title(s: string): string {
  if (!asciiOnly.test(s)) return titleAny(s);
  return s.replace(/[A-Za-z]+/g, (word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase());
}

function titleAny(s: string): string {
  let out = '';
  let inside = false;
  const chars = charsOf(s);
  chars.forEach((char, i) => {
    out += inside ? lowerAt(chars, i) : capitalizeChar(char);
    inside = matches('isCased', char);
  });
  return out;
}

// A sigma at the end of a word has a form of its own.
function lowerAt(chars: readonly string[], i: number): string {
  const char = chars[i]!;
  if (char !== 'Σ') return char.toLowerCase();
  const isFinal =
    i > 0 && matches('isCased', chars[i - 1]!) && !(i + 1 < chars.length && matches('isCased', chars[i + 1]!));
  return isFinal ? 'ς' : 'σ';
}

function isTitle(s: string): boolean {
  let [inside, any] = [false, false];
  for (const char of s) {
    const isUpper = /[\p{Uppercase}\p{Lt}]/u.test(char);
    const isLower = /\p{Lowercase}/u.test(char);
    if ((isUpper && inside) || (isLower && !inside)) return false;
    inside = isUpper || isLower;
    any ||= inside;
  }
  return any;
}

function swapCase(s: string): string {
  if (!asciiOnly.test(s)) return swapAny(s);
  return s.replace(/[a-z]+|[A-Z]+/g, (part) => (part < 'a' ? part.toLowerCase() : part.toUpperCase()));
}

function swapAny(s: string): string {
  let out = '';
  const chars = charsOf(s);
  chars.forEach((char, i) => {
    out += /\p{Uppercase}/u.test(char) ? lowerAt(chars, i) : char.toUpperCase();
  });
  return out;
}

function casefold(s: string): string {
  let out = '';
  if (asciiOnly.test(s)) return s.toLowerCase();
  for (const char of s) out += char === 'ı' ? char : char === 'İ' ? 'i̇' : char.toUpperCase().toLowerCase();
  return out.replaceAll('ς', 'σ');
}

function expandTabs(s: string, tabsize: Optional): string {
  const size = tabsize === undefined ? 8 : requireSize(tabsize);
  let out = '';
  let column = 0;
  for (const char of s) {
    if (char === '\t') {
      const spaces = size > 0 ? size - (column % size) : 0;
      out += ' '.repeat(spaces);
      column += spaces;
    } else {
      out += char;
      column = char === '\n' || char === '\r' ? 0 : column + 1;
    }
  }
  return out;
}

function partition(s: string, sep: unknown, fromRight: boolean): Tuple {
  const mark = requireText(sep);
  if (mark === '') throw new ValueError('empty separator');
  const at = fromRight ? s.lastIndexOf(mark) : s.indexOf(mark);
  if (at < 0) return fromRight ? tuple('', '', s) : tuple(s, '', '');
  return tuple(s.slice(0, at), mark, s.slice(at + mark.length));
}

/** `str.maketrans(x)` or `(from, to[, drop])` */
export function makeTranslation(x: unknown, y: Optional, z: Optional): Dict {
  const table = new Dict();
  if (y === undefined) {
    if (!(x instanceof Dict)) throw new TypeError('if you give only one argument to maketrans it must be a dict');
    for (const [k, v] of x.map) {
      if (typeof k === 'string' && lengthOf(k) !== 1)
        throw new ValueError('string keys in translate table must be of length 1');
      table.set(typeof k === 'string' ? k.codePointAt(0) : k, v);
    }
    return table;
  }
  const [from, to] = [charsOf(requireText(x)), charsOf(requireText(y))];
  if (from.length !== to.length) throw new ValueError('the first two maketrans arguments must have equal length');
  for (const [i, char] of from.entries()) table.set(char.codePointAt(0), to[i]!.codePointAt(0));
  if (z !== undefined) for (const char of requireText(z)) table.set(char.codePointAt(0), null);
  return table;
}

function translate(s: string, table: unknown): string {
  // A plain dict is asked once for each character there is.
  const known: string[] | undefined = (table as any)?.constructor === Dict ? [] : undefined;
  let out = '';
  let from = 0; // what is behind it and before `at` stays as it is
  for (let at = 0; at < s.length; ) {
    const code = s.codePointAt(at)!;
    const end = at + (code > 0xffff ? 2 : 1);
    const text = known?.[code] ?? translated(table, code, known);
    if (text.length !== end - at || text.codePointAt(0) !== code) {
      out += s.slice(from, at) + text;
      from = end;
    }
    at = end;
  }
  return out + s.slice(from);
}

function translated(table: unknown, code: number, known: string[] | undefined): string {
  const by = known === undefined ? itemOf(table, code) : (table as Dict).get(code);
  const text = by === null ? '' : typeof by === 'string' ? by : String.fromCodePoint(Number(by ?? code));
  if (known !== undefined) known[code] = text;
  return text;
}

function itemOf(table: unknown, code: number): unknown {
  try {
    return getitem(table, code);
  } catch (e) {
    if (e instanceof LookupError) return undefined;
    throw e;
  }
}

const digitSymbols =
  '\\p{Nd}\u00b2\u00b3\u00b9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792';
const ideographicNumbers = '〇零一二三四五六七八九十百千万億兆壱弐参拾萬两亖壹貳貮贰叁陆柒玖';
// Classes of Unicode are large tables: each is made when the first text is compared with it.
const sources = {
  isalnum: `^[\\p{L}\\p{N}${ideographicNumbers}]+$`,
  isalpha: '^\\p{L}+$',
  isdecimal: '^\\p{Nd}+$',
  isdigit: `^[${digitSymbols}]+$`,
  isnumeric: `^[\\p{N}${ideographicNumbers}]+$`,
  isidentifier: '^[\\p{XID_Start}_]\\p{XID_Continue}*$',
  isCased: '[\\p{Lowercase}\\p{Uppercase}\\p{Lt}]',
  hasUpper: '[\\p{Uppercase}\\p{Lt}]',
  hasLower: '\\p{Lowercase}',
  hasLowerOrTitle: '[\\p{Lowercase}\\p{Lt}]',
  hasRealUpper: '\\p{Uppercase}',
};
const patterns: { [K in keyof typeof sources]?: RegExp } = {};

function matches(name: keyof typeof sources, s: string): boolean {
  patterns[name] ??= new RegExp(sources[name], 'u');
  return patterns[name].test(s);
}

function isSpaceText(s: string): boolean {
  for (let i = 0; i < s.length; i += 1) if (!isSpace(s.charCodeAt(i))) return false;
  return s !== '';
}

function isPrintableText(s: string): boolean {
  for (const char of s) if (!isPrintable(char)) return false;
  return true;
}

function namedFields(kwargs: Dict | undefined): (name: string) => unknown {
  return (name) => kwargs?.get(name);
}

export const strM = builtinMethods('str', {
  capitalize,
  casefold,
  center: (s: string, width: unknown, fill: Optional) => justify(s, width, fill, 'center'),
  count,
  encode: (s: string, encoding: Optional, errors: Optional) =>
    new Bytes(encodeText(s, requireText(encoding ?? 'utf-8'), requireText(errors ?? 'strict'))),
  endswith: (s: string, suffix: unknown, start: Optional, end: Optional) =>
    typeof suffix === 'string' && start === undefined && end === undefined
      ? s.endsWith(suffix)
      : affix('endswith', s, suffix, start, end, (part, text) => part.endsWith(text)),
  expandtabs: expandTabs,
  find,
  format: (s: string, args: unknown[] | undefined, kwargs: Dict | undefined) =>
    formatTemplate(s, args ?? [], namedFields(kwargs)),
  format_map: (s: string, mapping: unknown) => formatTemplate(s, [], (name) => getitem(mapping, name)),
  index: (s: string, sub: unknown, start: Optional, end: Optional) => {
    const at = find(s, sub, start, end);
    if (at < 0) throw new ValueError('substring not found');
    return at;
  },
  isalnum: (s: string) => matches('isalnum', s),
  isalpha: (s: string) => matches('isalpha', s),
  isascii: (s: string) => /^[\x00-\x7f]*$/.test(s),
  isdecimal: (s: string) => matches('isdecimal', s),
  isdigit: (s: string) => matches('isdigit', s),
  isidentifier: (s: string) => matches('isidentifier', s),
  islower: (s: string) => matches('hasLower', s) && !matches('hasUpper', s),
  isnumeric: (s: string) => matches('isnumeric', s),
  isprintable: isPrintableText,
  isspace: isSpaceText,
  istitle: isTitle,
  isupper: (s: string) => matches('hasRealUpper', s) && !matches('hasLowerOrTitle', s),
  join,
  ljust: (s: string, width: unknown, fill: Optional) => justify(s, width, fill, 'left'),
  lower: (s: string) => s.toLowerCase(),
  lstrip: (s: string, chars: Optional) => strip(s, chars, 'lstrip'),
  maketrans: (_s: string, x: unknown, y: Optional, z: Optional) => makeTranslation(x, y, z),
  partition: (s: string, sep: unknown) => partition(s, sep, false),
  removeprefix: (s: string, prefix: unknown) => {
    const text = requireText(prefix, 'removeprefix() argument');
    return s.startsWith(text) ? s.slice(text.length) : s;
  },
  removesuffix: (s: string, suffix: unknown) => {
    const text = requireText(suffix, 'removesuffix() argument');
    return text !== '' && s.endsWith(text) ? s.slice(0, -text.length) : s;
  },
  replace,
  rfind,
  rindex: (s: string, sub: unknown, start: Optional, end: Optional) => {
    const at = rfind(s, sub, start, end);
    if (at < 0) throw new ValueError('substring not found');
    return at;
  },
  rjust: (s: string, width: unknown, fill: Optional) => justify(s, width, fill, 'right'),
  rpartition: (s: string, sep: unknown) => partition(s, sep, true),
  rsplit,
  rstrip: (s: string, chars: Optional) => strip(s, chars, 'rstrip'),
  split,
  splitlines: (s: string, keepends: Optional) => splitLines(s, truth(keepends)),
  startswith: (s: string, prefix: unknown, start: Optional, end: Optional) =>
    typeof prefix === 'string' && start === undefined && end === undefined
      ? s.startsWith(prefix)
      : affix('startswith', s, prefix, start, end, (part, text) => part.startsWith(text)),
  strip: (s: string, chars: Optional) => strip(s, chars, 'strip'),
  swapcase: swapCase,
  title,
  translate,
  upper: (s: string) => s.toUpperCase(),
  zfill,
});
tables.str = strM;
