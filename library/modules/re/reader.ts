/** Reads the text of a pattern or template item by item: a character, or a backslash with the one behind it. */
import { reprOf } from '../../values/objects/repr.ts';
import { RegexError } from './error.ts';

export interface Reader {
  readonly text: string;
  readonly isBytes: boolean;
  at: number;
}

const identifier = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;

export function openReader(text: string, isBytes: boolean): Reader {
  return { text, isBytes, at: 0 };
}

/** A mistake `back` characters before the place that has been read. */
export function mistake(r: Reader, msg: string, back = 0): RegexError {
  return new RegexError(msg, r.text, r.at - back);
}

/** The next item, not taken; undefined at the end. */
export function peek(r: Reader): string | undefined {
  const code = r.text.codePointAt(r.at);
  if (code === undefined) return undefined;
  if (code !== 92) return String.fromCodePoint(code);
  const behind = r.text.codePointAt(r.at + 1);
  if (behind === undefined) throw new RegexError('bad escape (end of pattern)', r.text, r.text.length - 1);
  return `\\${String.fromCodePoint(behind)}`;
}

export function take(r: Reader): string | undefined {
  const item = peek(r);
  r.at += item?.length ?? 0;
  return item;
}

export function accept(r: Reader, item: string): boolean {
  if (peek(r) !== item) return false;
  r.at += item.length;
  return true;
}

/** At most `count` characters of `kind`. */
export function takeWhile(r: Reader, count: number, kind: RegExp): string {
  const from = r.at;
  while (r.at - from < count && kind.test(r.text[r.at] ?? '')) r.at += 1;
  return r.text.slice(from, r.at);
}

/** Reads the text before `end`, which is taken as well. */
export function takeUntil(r: Reader, end: string, what: string): string {
  let found = '';
  for (;;) {
    const item = take(r);
    if (item === undefined) {
      if (found === '') throw mistake(r, `missing ${what}`);
      throw mistake(r, `missing ${end}, unterminated name`, found.length);
    }
    if (item === end) {
      if (found === '') throw mistake(r, `missing ${what}`, 1);
      return found;
    }
    found += item;
  }
}

export function isIdentifier(name: string): boolean {
  return identifier.test(name);
}

export function checkGroupName(r: Reader, name: string): void {
  if (!isIdentifier(name) || (r.isBytes && !/^[\x00-\x7f]*$/.test(name)))
    throw mistake(r, `bad character in group name ${shownName(r, name)}`, name.length + 1);
}

/** A name as complaints show it. */
export function shownName(r: Reader, name: string): string {
  return r.isBytes ? reprOf(name).replace(/[\x80-\xff]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`) : reprOf(name);
}
