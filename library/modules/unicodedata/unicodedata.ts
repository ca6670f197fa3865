/** Module `unicodedata`: what JavaScript knows of characters, and what unicode-data.ts has. */

import { functions, type Members } from '../../builtins/module.ts';
import { KeyError, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { charsOf } from '../../values/text/strings.ts';
import { requireText } from '../../values/text/text-arguments.ts';
import { bidirectionalOf, codeOf, combiningOf, decompositionOf, nameOf } from './unicode-data.ts';

function char(x: unknown, what: string): string {
  const text = requireText(x, `${what}() argument 1`);
  if (charsOf(text).length !== 1) {
    const which = hasFallback.has(what) ? 'argument 1' : 'argument';
    throw new TypeError(`${what}() ${which} must be a unicode character, not str`);
  }
  return text;
}

const hasFallback = new Set(['decimal', 'digit', 'name', 'numeric']);

const forms = new Set(['NFC', 'NFD', 'NFKC', 'NFKD']);

function normalize(form: unknown, text: unknown): string {
  const name = requireText(form, 'normalize() argument 1');
  const given = requireText(text, 'normalize() argument 2');
  if (!forms.has(name)) throw new ValueError('invalid normalization form');
  return given.normalize(name);
}

const categories = 'Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co'
  .split(' ')
  .map((name) => ({ name, pattern: new RegExp(`^\\p{${name}}$`, 'u') }));

function category(x: unknown): string {
  const one = char(x, 'category');
  return categories.find(({ pattern }) => pattern.test(one))?.name ?? 'Cn';
}

/** Digits of every script come ten in a row. */
function digitOf(one: string): number | undefined {
  if (!/^\p{Nd}$/u.test(one)) return undefined;
  const code = one.codePointAt(0)!;
  let start = code;
  while (code - start < 10 && /^\p{Nd}$/u.test(String.fromCodePoint(start - 1))) start -= 1;
  return (code - start) % 10;
}

function numberOf(one: string): number | undefined {
  const plain = digitOf(one);
  if (plain !== undefined) return plain;
  const parts = /^(\d+)(?:\u2044(\d+))?$/.exec(one.normalize('NFKC'));
  return parts === null ? undefined : Number(parts[1]) / Number(parts[2] ?? 1);
}

const read =
  (what: string, complaint: string, find: (one: string) => number | undefined) =>
  (x: unknown, fallback?: unknown): unknown => {
    const found = find(char(x, what)) ?? fallback;
    if (found === undefined) throw new ValueError(complaint);
    return found;
  };

const wide =
  /^[\u1100-\u115f\u231a\u231b\u2329\u232a\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2648-\u2653\u267f\u2693\u26a1\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd\u2705\u270a\u270b\u2728\u274c\u274e\u2753-\u2755\u2757\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u;

function width(x: unknown): string {
  const one = char(x, 'east_asian_width');
  if (/^[\uff01-\uff60\uffe0-\uffe6\u3000]$/u.test(one)) return 'F';
  if (/^[\uff61-\uffdc\uffe8-\uffee\u20a9]$/u.test(one)) return 'H';
  if (wide.test(one)) return 'W';
  return /^[ -~¢£¥¦¬¯]$/u.test(one) ? 'Na' : 'N';
}

const codePoint = (x: unknown, what: string): number => char(x, what).codePointAt(0)!;

function name(x: unknown, fallback?: unknown): unknown {
  const found = nameOf(codePoint(x, 'name')) ?? fallback;
  if (found === undefined) throw new ValueError('no such name');
  return found;
}

function lookup(x: unknown): string {
  const wanted = requireText(x, 'lookup() argument');
  const code = codeOf(wanted.toUpperCase());
  if (code === undefined) throw new KeyError(`undefined character name '${wanted}'`);
  return String.fromCodePoint(code);
}

export function makeUnicodedata(): Members {
  return {
    unidata_version: '14.0.0',
    ...functions('unicodedata', {
      category: ['chr, /', category],
      bidirectional: ['chr, /', (x: unknown) => bidirectionalOf(codePoint(x, 'bidirectional'))],
      combining: ['chr, /', (x: unknown) => combiningOf(codePoint(x, 'combining'))],
      decimal: ['chr, default=None, /', read('decimal', 'not a decimal', digitOf)],
      decomposition: ['chr, /', (x: unknown) => decompositionOf(codePoint(x, 'decomposition'))],
      digit: [
        'chr, default=None, /',
        read('digit', 'not a digit', (one) => digitOf(one) ?? digitOf(one.normalize('NFKC'))),
      ],
      east_asian_width: ['chr, /', width],
      is_normalized: ['form, unistr, /', (form: unknown, text: unknown) => normalize(form, text) === text],
      lookup: ['name, /', lookup],
      mirrored: ['chr, /', (x: unknown) => (/^\p{Bidi_M}$/u.test(char(x, 'mirrored')) ? 1 : 0)],
      name: ['chr, default=None, /', name],
      normalize: ['form, unistr, /', normalize],
      numeric: ['chr, default=None, /', read('numeric', 'not a numeric character', numberOf)],
    }),
  };
}
