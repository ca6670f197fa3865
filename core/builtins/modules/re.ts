/** Module `re`. */
import { AnyBytes, Bytes, fromLatin1 } from '../../values/bytes.ts';
import { call } from '../../values/calls.ts';
import { Dict } from '../../values/dict.ts';
import { enumeration, IntFlag } from '../../values/enums.ts';
import { IndexError, TypeError } from '../../values/exceptions.ts';
import { requireSize } from '../../values/index-value.ts';
import { PyIterator } from '../../values/iteration.ts';
import { $hash, $primitive, $repr } from '../../values/protocol.ts';
import { reprOf } from '../../values/repr.ts';
import { lengthOf, pointIndex, unitIndex } from '../../values/strings.ts';
import { textOf } from '../../values/text-arguments.ts';
import { Tuple } from '../../values/tuple.ts';
import { typeName } from '../../values/type-name.ts';
import { functions, type Members } from '../module.ts';
import { nativeClass } from '../native-class.ts';
import { flagBits, RegexError, type Translated, translate } from './regex-syntax.ts';

const asciiOnly = /^[\x00-\x7f]*$/;

/** A compiled pattern. */
export class Pattern {
  readonly pattern: string | Bytes;
  readonly $source: Translated;
  readonly $isBytes: boolean;
  $compiled: Partial<Record<string, RegExp>> = {};

  constructor(pattern: string | Bytes, flags: number) {
    this.pattern = pattern;
    this.$isBytes = typeof pattern !== 'string';
    this.$source = translate(typeof pattern === 'string' ? pattern : pattern.latin1, flags, this.$isBytes);
  }

  get flags(): number {
    return this.$source.flags;
  }

  get groups(): number {
    return this.$source.groups;
  }

  get groupindex(): Dict {
    return Dict.from(this.$source.names);
  }

  /** The JavaScript expression: `g` searches, `y` matches at a place, `f` matches all of the text. */
  $regex(text: string, how: 'g' | 'y' | 'f', indices = false): RegExp {
    const ascii = asciiOnly.test(text);
    const name = how + (ascii ? 'a' : 'u') + (indices ? 'd' : '');
    let found = this.$compiled[name];
    if (found === undefined) {
      const source = ascii ? this.$source.ascii : this.$source.unicode;
      const flags = `u${how === 'g' ? 'g' : 'y'}${this.$source.ignoreCase ? 'i' : ''}${indices ? 'd' : ''}`;
      try {
        found = new RegExp(how === 'f' ? `(?:${source})(?![^])` : source, flags);
      } catch (e) {
        throw new RegexError(
          (e as Error).message.replace(/^.*?\/: /s, ''),
          typeof this.pattern === 'string' ? this.pattern : this.pattern.latin1,
        );
      }
      this.$compiled[name] = found;
    }
    return found;
  }

  /** The subject as text. @throws TypeError */
  $subject(x: unknown): string {
    if (this.$isBytes) {
      if (x instanceof AnyBytes) return x.latin1;
      throw new TypeError(
        typeof x === 'string'
          ? 'cannot use a bytes pattern on a string-like object'
          : `expected string or bytes-like object, got '${typeName(x)}'`,
      );
    }
    const text = textOf(x);
    if (text !== undefined) return text;
    throw new TypeError(
      x instanceof AnyBytes
        ? 'cannot use a string pattern on a bytes-like object'
        : `expected string or bytes-like object, got '${typeName(x)}'`,
    );
  }

  $result(text: string | undefined): unknown {
    return text === undefined ? null : this.$isBytes ? new Bytes(fromLatin1(text)) : text;
  }

  $first(subject: unknown, pos: unknown, endpos: unknown, how: 'g' | 'y' | 'f'): Match | null {
    const whole = this.$subject(subject);
    const to =
      endpos === undefined
        ? whole.length
        : unitIndex(whole, Math.max(0, Math.min(requireSize(endpos), lengthOf(whole))));
    const text = to === whole.length ? whole : whole.slice(0, to);
    const from = pos === undefined ? 0 : unitIndex(text, Math.max(0, requireSize(pos)));
    if (from > text.length) return null;
    const regex = this.$regex(text, how);
    regex.lastIndex = from;
    const found = regex.exec(text);
    return found === null ? null : new Match(this, subject, text, found, from);
  }

  search(subject: unknown, pos?: unknown, endpos?: unknown): Match | null {
    return this.$first(subject, pos, endpos, 'g');
  }

  match(subject: unknown, pos?: unknown, endpos?: unknown): Match | null {
    return this.$first(subject, pos, endpos, 'y');
  }

  fullmatch(subject: unknown, pos?: unknown, endpos?: unknown): Match | null {
    return this.$first(subject, pos, endpos, 'f');
  }

  *$each(subject: unknown, pos?: unknown, endpos?: unknown): Generator<Match> {
    let match = this.$first(subject, pos, endpos, 'g');
    let after = -1;
    while (match !== null) {
      yield match;
      const { $found: found, $text: text } = match;
      const end = found.index + found[0].length;
      after = found[0] === '' ? end + (text.codePointAt(end)! > 0xffff ? 2 : 1) : end;
      if (after > text.length) return;
      const regex = this.$regex(text, 'g');
      regex.lastIndex = after;
      const next: RegExpExecArray | null = regex.exec(text);
      match = next === null ? null : new Match(this, subject, text, next, 0);
    }
  }

  finditer(subject: unknown, pos?: unknown, endpos?: unknown): PyIterator {
    this.$subject(subject);
    return new PyIterator(this.$each(subject, pos, endpos), 'callable_iterator');
  }

  findall(subject: unknown, pos?: unknown, endpos?: unknown): unknown[] {
    const all: unknown[] = [];
    for (const { $found: found } of this.$each(subject, pos, endpos)) {
      if (this.groups === 0) all.push(this.$result(found[0]));
      else if (this.groups === 1) all.push(this.$result(found[1] ?? ''));
      else all.push(new Tuple(Array.from({ length: this.groups }, (_, i) => this.$result(found[i + 1] ?? ''))));
    }
    return all;
  }

  split(subject: unknown, maxsplit?: unknown): unknown[] {
    const text = this.$subject(subject);
    const limit = maxsplit === undefined || maxsplit === 0 ? Number.POSITIVE_INFINITY : requireSize(maxsplit);
    const parts: unknown[] = [];
    let from = 0;
    let splits = 0;
    if (limit > 0) {
      for (const { $found: found } of this.$each(subject)) {
        parts.push(this.$result(text.slice(from, found.index)));
        for (let i = 1; i <= this.groups; i += 1) parts.push(this.$result(found[i]));
        from = found.index + found[0].length;
        splits += 1;
        if (splits >= limit) break;
      }
    }
    parts.push(this.$result(text.slice(from)));
    return parts;
  }

  subn(replacement: unknown, subject: unknown, count?: unknown): Tuple {
    const text = this.$subject(subject);
    const limit = count === undefined || count === 0 ? Number.POSITIVE_INFINITY : requireSize(count);
    const expand = replacer(this, replacement);
    let out = '';
    let from = 0;
    let done = 0;
    for (const match of this.$each(subject)) {
      const { $found: found } = match;
      out += text.slice(from, found.index) + expand(match);
      from = found.index + found[0].length;
      done += 1;
      if (done >= limit) break;
    }
    return new Tuple([this.$result(out + text.slice(from)), done]);
  }

  sub(replacement: unknown, subject: unknown, count?: unknown): unknown {
    return this.subn(replacement, subject, count).items[0];
  }

  __eq__(other: unknown): boolean {
    return other instanceof Pattern && this[$hash]() === other[$hash]();
  }

  __hash__(): number {
    return this[$hash]().length;
  }

  [$hash](): string {
    return `re${this.flags}${reprOf(this.pattern)}`;
  }

  __repr__(): string {
    const names = (['I', 'M', 'S', 'X', 'A'] as const).filter((name) => (this.flags & flagBits[name]) !== 0);
    const long = { I: 'IGNORECASE', M: 'MULTILINE', S: 'DOTALL', X: 'VERBOSE', A: 'ASCII' };
    const flags = names.length === 0 ? '' : `, ${names.map((name) => `re.${long[name]}`).join('|')}`;
    return `re.compile(${reprOf(this.pattern)}${flags})`;
  }
}

/** Text for a match: from a template, or from what a function gives. */
function replacer(pattern: Pattern, replacement: unknown): (match: Match) => string {
  if (
    typeof replacement === 'function' ||
    (typeof replacement === 'object' && typeof (replacement as any)?.__call__ === 'function')
  ) {
    return (match) => pattern.$subject(call(replacement, match));
  }
  const parts = parseTemplate(pattern, pattern.$subject(replacement));
  return (match) => parts.map((part) => (typeof part === 'string' ? part : (match.$found[part] ?? ''))).join('');
}

const templateEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  f: '\f',
  v: '\v',
  a: '\x07',
  b: '\b',
  '\\': '\\',
};

function parseTemplate(pattern: Pattern, template: string): (string | number)[] {
  const parts: (string | number)[] = [];
  let from = 0;
  for (const found of template.matchAll(/\\(?:g<([^>]*)>|(0[0-7]{0,2}|[1-3][0-7]{2})|(\d{1,2})|([\s\S])|$)/gu)) {
    parts.push(template.slice(from, found.index));
    from = found.index + found[0].length;
    const [, name, octal, number, char] = found;
    if (name !== undefined) parts.push(groupNumber(pattern, name, template, found.index + 3));
    else if (octal !== undefined) parts.push(String.fromCharCode(Number.parseInt(octal, 8)));
    else if (number !== undefined) {
      if (Number(number) > pattern.groups)
        throw new RegexError(`invalid group reference ${number}`, template, found.index + 1);
      parts.push(Number(number));
    } else if (char === undefined) throw new RegexError('bad escape (end of pattern)', template, found.index);
    else if (templateEscapes[char] !== undefined) parts.push(templateEscapes[char]);
    else if (/[a-zA-Z]/.test(char)) throw new RegexError(`bad escape \\${char}`, template, found.index);
    else parts.push(`\\${char}`);
  }
  parts.push(template.slice(from));
  return parts;
}

function groupNumber(pattern: Pattern, name: string, template: string, at: number): number {
  if (/^\d+$/.test(name)) {
    if (Number(name) > pattern.groups) throw new RegexError(`invalid group reference ${name}`, template, at);
    return Number(name);
  }
  const number = pattern.$source.names.get(name);
  if (number !== undefined) return number;
  if (name === '') throw new RegexError('missing group name', template, at);
  throw new IndexError(`unknown group name '${name}'`);
}

export class Match {
  readonly re: Pattern;
  readonly string: unknown;
  readonly $text: string;
  readonly $found: RegExpExecArray;
  readonly $from: number;

  constructor(re: Pattern, subject: unknown, text: string, found: RegExpExecArray, from: number) {
    this.re = re;
    this.string = subject;
    this.$text = text;
    this.$found = found;
    this.$from = from;
  }

  get pos(): number {
    return pointIndex(this.$text, this.$from);
  }

  get endpos(): number {
    return lengthOf(this.$text);
  }

  get lastindex(): number | null {
    return this.re.$source.closed.findLast((i) => this.$found[i] !== undefined) ?? null;
  }

  get regs(): Tuple {
    return new Tuple(Array.from({ length: this.re.groups + 1 }, (_, i) => this.span(i)));
  }

  get lastgroup(): string | null {
    for (const [name, number] of this.re.$source.names) if (number === this.lastindex) return name;
    return null;
  }

  $index(group: unknown): number {
    const text = textOf(group);
    const number =
      text === undefined ? (typeof group === 'number' ? group : -1) : (this.re.$source.names.get(text) ?? -1);
    if (number < 0 || number > this.re.groups) throw new IndexError('no such group');
    return number;
  }

  group(groups: readonly unknown[] = []): unknown {
    if (groups.length === 0) return this.re.$result(this.$found[0]);
    if (groups.length === 1) return this.re.$result(this.$found[this.$index(groups[0])]);
    return new Tuple(groups.map((group) => this.re.$result(this.$found[this.$index(group)])));
  }

  __getitem__(group: unknown): unknown {
    return this.re.$result(this.$found[this.$index(group)]);
  }

  groups(fallback?: unknown): Tuple {
    return new Tuple(
      Array.from({ length: this.re.groups }, (_, i) =>
        this.$found[i + 1] === undefined ? (fallback ?? null) : this.re.$result(this.$found[i + 1]),
      ),
    );
  }

  groupdict(fallback?: unknown): Dict {
    return Dict.from(
      [...this.re.$source.names].map(
        ([name, i]) =>
          [name, this.$found[i] === undefined ? (fallback ?? null) : this.re.$result(this.$found[i])] as const,
      ),
    );
  }

  $span(group: unknown): [number, number] {
    const number = group === undefined ? 0 : this.$index(group);
    if (number === 0) return [this.$found.index, this.$found.index + this.$found[0].length];
    if (this.$found[number] === undefined) return [-1, -1];
    // Positions of groups are asked for seldom; the match is made again with them.
    const regex = this.re.$regex(this.$text, 'y', true);
    regex.lastIndex = this.$found.index;
    return (regex.exec(this.$text) as any)?.indices?.[number] ?? [-1, -1];
  }

  start(group?: unknown): number {
    return pointIndex(this.$text, this.$span(group)[0]);
  }

  end(group?: unknown): number {
    return pointIndex(this.$text, this.$span(group)[1]);
  }

  span(group?: unknown): Tuple {
    return new Tuple([this.start(group), this.end(group)]);
  }

  expand(template: unknown): unknown {
    return this.re.$result(replacer(this.re, template)(this));
  }

  __repr__(): string {
    return `<re.Match object; span=(${this.start()}, ${this.end()}), match=${reprOf(this.group())}>`;
  }
}

const patternMethods = {
  search: 'string, pos=0, endpos=None',
  match: 'string, pos=0, endpos=None',
  fullmatch: 'string, pos=0, endpos=None',
  finditer: 'string, pos=0, endpos=None',
  findall: 'string, pos=0, endpos=None',
  split: 'string, maxsplit=0',
  sub: 'repl, string, count=0',
  subn: 'repl, string, count=0',
} as const;

nativeClass(Pattern, { name: 'Pattern', module: 're', methods: patternMethods });
nativeClass(Match, {
  name: 'Match',
  module: 're',
  methods: {
    group: '*groups',
    groups: 'default=None',
    groupdict: 'default=None',
    start: 'group=0, /',
    end: 'group=0, /',
    span: 'group=0, /',
    expand: 'template, /',
  },
});

class RegexFlag extends IntFlag {
  override [$repr](): string {
    return this.name === ''
      ? `re.RegexFlag(${reprOf(this.value)})`
      : this.name
          .split('|')
          .map((name) => `re.${name}`)
          .join('|');
  }
}
enumeration(RegexFlag, {
  name: 'RegexFlag',
  module: 're',
  members: [
    ['NOFLAG', 0],
    ['ASCII', 256],
    ['A', 256],
    ['IGNORECASE', 2],
    ['I', 2],
    ['LOCALE', 4],
    ['L', 4],
    ['MULTILINE', 8],
    ['M', 8],
    ['DOTALL', 16],
    ['S', 16],
    ['UNICODE', 32],
    ['U', 32],
    ['VERBOSE', 64],
    ['X', 64],
  ],
});

const cache = new Map<string, Pattern>();

/** `re.compile`; patterns given as text are remembered. */
export function compile(pattern: unknown, flags?: unknown): Pattern {
  const bits = flags === undefined || flags === null ? 0 : Number((flags as any)?.[$primitive] ?? flags);
  if (pattern instanceof Pattern) {
    if (bits !== 0) throw new TypeError('cannot process flags argument with a compiled pattern');
    return pattern;
  }
  if (pattern instanceof AnyBytes) return new Pattern(new Bytes(pattern.data), bits);
  const text = textOf(pattern);
  if (text === undefined) throw new TypeError('first argument must be string or compiled pattern');
  const name = `${bits}:${text}`;
  let known = cache.get(name);
  if (known === undefined) {
    known = new Pattern(text, bits);
    if (cache.size >= 512) cache.clear();
    cache.set(name, known);
  }
  return known;
}

function purge(): null {
  cache.clear();
  return null;
}

function escape(x: unknown): unknown {
  const text = x instanceof AnyBytes ? x.latin1 : textOf(x);
  if (text === undefined) throw new TypeError(`expected string or bytes-like object, got '${typeName(x)}'`);
  const escaped = text.replace(/[\t\n\r\v\f !-/[-^`{-~ #]/g, (char) =>
    /["'%,/:;<=>@`!]/.test(char) ? char : `\\${char}`,
  );
  return x instanceof AnyBytes ? new Bytes(fromLatin1(escaped)) : escaped;
}

export function makeRe(): Members {
  const flags: Members = {};
  for (const [name, member] of Object.entries(RegexFlag)) flags[name] = member;
  return {
    ...flags,
    Pattern,
    Match,
    RegexFlag,
    error: RegexError,
    PatternError: RegexError,
    ...functions('re', {
      compile: ['pattern, flags=0', compile],
      escape: ['pattern', escape],
      findall: ['pattern, string, flags=0', (p: unknown, s: unknown, f: unknown) => compile(p, f).findall(s)],
      finditer: ['pattern, string, flags=0', (p: unknown, s: unknown, f: unknown) => compile(p, f).finditer(s)],
      fullmatch: ['pattern, string, flags=0', (p: unknown, s: unknown, f: unknown) => compile(p, f).fullmatch(s)],
      match: ['pattern, string, flags=0', (p: unknown, s: unknown, f: unknown) => compile(p, f).match(s)],
      purge: ['', purge],
      search: ['pattern, string, flags=0', (p: unknown, s: unknown, f: unknown) => compile(p, f).search(s)],
      split: [
        'pattern, string, maxsplit=0, flags=0',
        (p: unknown, s: unknown, n: unknown, f: unknown) => compile(p, f).split(s, n),
      ],
      sub: [
        'pattern, repl, string, count=0, flags=0',
        (p: unknown, r: unknown, s: unknown, n: unknown, f: unknown) => compile(p, f).sub(r, s, n),
      ],
      subn: [
        'pattern, repl, string, count=0, flags=0',
        (p: unknown, r: unknown, s: unknown, n: unknown, f: unknown) => compile(p, f).subn(r, s, n),
      ],
    }),
  };
}
