import { ValueError } from '../exceptions.ts';
import { format } from '../format.ts';
import { iter } from '../iteration.ts';
import { characters } from '../kinds.ts';
import { repr, str } from '../text.ts';
import type { Methods } from './methods.ts';

const space = /\s+/;

function trimmer(chars: string | null | undefined, start: boolean, end: boolean): (text: string) => string {
  if (chars === null || chars === undefined)
    return (text) => (start && end ? text.trim() : start ? text.trimStart() : text.trimEnd());
  return (text) => {
    let from = 0;
    let to = text.length;
    while (start && from < to && chars.includes(text[from]!)) from += 1;
    while (end && to > from && chars.includes(text[to - 1]!)) to -= 1;
    return text.slice(from, to);
  };
}

/** `split("")` gives the characters, as in JavaScript: Python has no meaning for it. */
function split(text: string, sep: string | null | undefined, most: number): string[] {
  if (sep === null || sep === undefined) {
    const trimmed = text.trimStart();
    if (most < 0) return trimmed.trimEnd() === '' ? [] : trimmed.trimEnd().split(space);
    const parts: string[] = [];
    let rest = trimmed;
    for (let found = space.exec(rest); parts.length < most && found !== null; found = space.exec(rest)) {
      parts.push(rest.slice(0, found.index));
      rest = rest.slice(found.index + found[0].length);
    }
    return rest === '' ? parts : [...parts, rest];
  }
  const parts = text.split(sep);
  return most < 0 || parts.length <= most + 1 ? parts : [...parts.slice(0, most), parts.slice(most).join(sep)];
}

function rsplit(text: string, sep: string | null | undefined, most: number): string[] {
  if (most < 0) return split(text, sep, -1);
  if (sep === null || sep === undefined) {
    // From its end, the words of a text are those of the text that is written backwards.
    const turned = (part: string) => [...part].reverse().join('');
    return split(turned(text), null, most).map(turned).reverse();
  }
  const parts = text.split(sep);
  const at = parts.length - most;
  return at <= 1 ? parts : [parts.slice(0, at).join(sep), ...parts.slice(at)];
}

function starts(wanted: string | string[], test: (one: string) => boolean): boolean {
  return Array.isArray(wanted) ? wanted.some(test) : /* @__PURE__ */ test(wanted);
}

function textOf(part: string | readonly string[]): string {
  return typeof part === 'string' ? part : part.join('');
}

/** The place where `look` finds something in a part of the text, counted in characters. */
function find(text: string, look: (part: string) => number, start = 0, end?: number): number {
  const all = characters(text);
  const at = look(textOf(all.slice(start, end)));
  const from = start < 0 ? Math.max(0, all.length + start) : start;
  return at < 0 ? at : from + placed(textOf(all.slice(start, end)), at);
}

/** A place in a text, counted in characters. */
function placed(text: string, at: number): number {
  return at <= 0 ? at : characters(text.slice(0, at)).length;
}

/** The length, in JavaScript's units, of the text when it has so many characters. */
function units(text: string, count: number): number {
  return count + text.length - characters(text).length;
}

const test = (form: RegExp) => (text: string) => form.test(text);

export const textMethods: Methods = {
  upper: (s) => s.toUpperCase(),
  lower: (s) => s.toLowerCase(),
  casefold: (s) => s.toLowerCase().replaceAll('ß', 'ss'),
  capitalize: (s) => s.charAt(0).toUpperCase() + s.slice(1).toLowerCase(),
  title: (s) => s.replace(/[\p{L}]+/gu, (word: string) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()),
  swapcase: (s) =>
    [...s].map((char) => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase())).join(''),
  strip: (s, [chars]) => trimmer(chars, true, true)(s),
  lstrip: (s, [chars]) => trimmer(chars, true, false)(s),
  rstrip: (s, [chars]) => trimmer(chars, false, true)(s),
  split: (s, [sep, most], named) => split(s, named['sep'] ?? sep, named['maxsplit'] ?? most ?? -1),
  rsplit: (s, [sep, most], named) => rsplit(s, named['sep'] ?? sep, named['maxsplit'] ?? most ?? -1),
  splitlines: (s, [keepends], named) => {
    const lines: string[] = s.match(/[^\n\r\v\f\x85\u2028\u2029]*(?:\r\n|[\n\r\v\f\x85\u2028\u2029])|.+/g) ?? [];
    return named['keepends'] || keepends
      ? lines
      : lines.map((line) => line.replace(/(?:\r\n|[\n\r\v\f\x85\u2028\u2029])$/, ''));
  },
  // A list joined by the text, or in JavaScript's order of words: an array is the argument in both.
  join: (s, [values]) => [...iter(values)].map((value) => str(value)).join(s),
  replace: (s, [from, to, most]) => {
    if (most === undefined) return s.replaceAll(from, () => to);
    const parts = split(s, from, most);
    return parts.join(to);
  },
  startswith: (s, [wanted, start, end]) => starts(wanted, (one) => s.slice(start, end).startsWith(one)),
  endswith: (s, [wanted, start, end]) => starts(wanted, (one) => s.slice(start, end).endsWith(one)),
  find: (s, [part, start, end]) => find(s, (all) => all.indexOf(part), start, end),
  rfind: (s, [part, start, end]) => find(s, (all) => all.lastIndexOf(part), start, end),
  index: (s, [part, start, end]) => {
    const at = find(s, (all) => all.indexOf(part), start, end);
    if (at < 0) throw new ValueError('substring not found');
    return at;
  },
  rindex: (s, [part, start, end]) => {
    const at = find(s, (all) => all.lastIndexOf(part), start, end);
    if (at < 0) throw new ValueError('substring not found');
    return at;
  },
  count: (s, [part, start, end]) => {
    const within = characters(s).slice(start, end);
    return part === '' ? within.length + 1 : textOf(within).split(part).length - 1;
  },
  center: (s, [width, fill = ' ']) => {
    const more = Math.max(0, width - characters(s).length);
    // Of an odd number one side gets more: the left one in an odd width.
    return s.padStart(s.length + (more >> 1) + (more & width & 1), fill).padEnd(s.length + more, fill);
  },
  ljust: (s, [width, fill = ' ']) => s.padEnd(units(s, width), fill),
  rjust: (s, [width, fill = ' ']) => s.padStart(units(s, width), fill),
  zfill: (s, [width]) =>
    /^[-+]/.test(s) ? s[0] + s.slice(1).padStart(units(s, width) - 1, '0') : s.padStart(units(s, width), '0'),
  partition: (s, [sep]) => {
    const at = s.indexOf(sep);
    return at < 0 ? [s, '', ''] : [s.slice(0, at), sep, s.slice(at + sep.length)];
  },
  rpartition: (s, [sep]) => {
    const at = s.lastIndexOf(sep);
    return at < 0 ? ['', '', s] : [s.slice(0, at), sep, s.slice(at + sep.length)];
  },
  removeprefix: (s, [prefix]) => (s.startsWith(prefix) ? s.slice(prefix.length) : s),
  removesuffix: (s, [suffix]) => (suffix !== '' && s.endsWith(suffix) ? s.slice(0, -suffix.length) : s),
  encode: (s) => new TextEncoder().encode(s),
  format: (s, args, named) => {
    let at = 0;
    return s.replace(
      /\{\{|\}\}|\{([^{}:!]*)(?:!([rs]))?(?::([^{}]*))?\}/g,
      (whole: string, name: string, shown: string, spec: string) => {
        if (whole === '{{' || whole === '}}') return whole[0]!;
        const [head = '', ...path] = name.split(/[.[\]]+/).filter((part, i) => part !== '' || i === 0);
        const first = head === '' ? args[at++] : /^\d+$/.test(head) ? args[Number(head)] : named[head];
        const value = path.reduce((object: any, part) => object?.[part], first);
        return format(shown === 'r' ? repr(value) : shown === 's' ? str(value) : value, spec ?? '');
      },
    );
  },
  isdigit: /* @__PURE__ */ test(/^\p{Nd}+$/u),
  isdecimal: /* @__PURE__ */ test(/^\p{Nd}+$/u),
  isnumeric: /* @__PURE__ */ test(/^\p{N}+$/u),
  isalpha: /* @__PURE__ */ test(/^\p{L}+$/u),
  isalnum: /* @__PURE__ */ test(/^[\p{L}\p{N}]+$/u),
  isspace: /* @__PURE__ */ test(/^\s+$/),
  isupper: (s) => s !== s.toLowerCase() && s === s.toUpperCase(),
  islower: (s) => s !== s.toUpperCase() && s === s.toLowerCase(),
  isidentifier: /* @__PURE__ */ test(/^[\p{L}_][\p{L}\p{N}_]*$/u),
  isascii: /* @__PURE__ */ test(/^[\x00-\x7f]*$/),
};
