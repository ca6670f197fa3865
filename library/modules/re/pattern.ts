/** Patterns and matches of module `re`. */

import { nativeClass } from '../../builtins/native-class.ts';
import { bounded } from '../../limits/bounded.ts';
import { call } from '../../values/calls/calls.ts';
import { Dict } from '../../values/containers/dict.ts';
import { PyIterator } from '../../values/containers/iteration.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { IndexError, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { $hash, $primitive } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { AnyBytes, Bytes, fromLatin1 } from '../../values/text/bytes.ts';
import { lengthOf, pointIndex, unitIndex } from '../../values/text/strings.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { makeLongSearches } from './cost.ts';
import { RegexError } from './error.ts';
import { type Found, type Matcher, makeMatcher, type Wanted } from './matcher.ts';
import { flagBits, type Parsed, parse } from './parse.ts';
import {
  accept,
  checkGroupName,
  isIdentifier,
  mistake,
  openReader,
  peek,
  type Reader,
  shownName,
  take,
  takeUntil,
} from './reader.ts';
import { checkLookBehinds, ignoresCase, isScript, scriptOf } from './script.ts';

const asciiOnly = /^[\x00-\x7f]*$/;
// One text is searched many times in a row.
let lastText = '';
let lastAscii = true;

function isAscii(text: string): boolean {
  if (text !== lastText) {
    lastText = text;
    lastAscii = asciiOnly.test(text);
  }
  return lastAscii;
}

const longNames = { I: 'IGNORECASE', L: 'LOCALE', M: 'MULTILINE', S: 'DOTALL', X: 'VERBOSE', A: 'ASCII' } as const;

function parsed(pattern: string | Bytes, flags: number): Parsed {
  const text = typeof pattern === 'string' ? pattern : pattern.latin1;
  try {
    const source = parse(text, flags, typeof pattern !== 'string');
    checkLookBehinds(source);
    return source;
  } catch (e) {
    if (e instanceof RegexError && typeof pattern !== 'string') e.pattern = pattern;
    throw e;
  }
}

/** A compiled pattern. */
export class Pattern {
  readonly pattern: string | Bytes;
  readonly $source: Parsed;
  readonly $isBytes: boolean;
  /** JavaScript has an expression for it. */
  readonly $isScript: boolean;
  readonly $ignoresCase: boolean;
  $compiled: Partial<Record<string, RegExp>> = {};
  $matcher: Matcher | undefined;
  readonly $isLong: (length: number) => boolean;

  constructor(pattern: string | Bytes, flags: number) {
    this.pattern = pattern;
    this.$isBytes = typeof pattern !== 'string';
    this.$source = parsed(pattern, flags);
    this.$isScript = isScript(this.$source);
    this.$ignoresCase = ignoresCase(this.$source.tree);
    this.$isLong = makeLongSearches(this.$source.tree);
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
    const ascii = isAscii(text);
    const name = how + (ascii ? 'a' : 'u') + (indices ? 'd' : '');
    let found = this.$compiled[name];
    if (found === undefined) {
      const source = scriptOf(this.$source.tree, ascii ? 'a' : 'u', this.$ignoresCase);
      const flags = `u${how === 'g' ? 'g' : 'y'}${this.$ignoresCase ? 'i' : ''}${indices ? 'd' : ''}`;
      found = new RegExp(how === 'f' ? `(?:${source})(?![^])` : source, flags);
      this.$compiled[name] = found;
    }
    return found;
  }

  /** Finds a match, for no longer than the call may run. */
  $find(text: string, from: number, how: 'g' | 'y' | 'f'): RegExpExecArray | Found | null {
    if (!this.$isScript || !this.$isLong(text.length - from)) return this.$search(text, from, how);
    return bounded(() => this.$search(text, from, how));
  }

  $search(text: string, from: number, how: 'g' | 'y' | 'f'): RegExpExecArray | Found | null {
    if (this.$isScript) {
      const regex = this.$regex(text, how);
      regex.lastIndex = from;
      return regex.exec(text);
    }
    if (how !== 'g') return this.$matchAt(text, from, { whole: how === 'f' });
    for (let at = from; at <= text.length; at += text.codePointAt(at)! > 0xffff ? 2 : 1) {
      const found = this.$matchAt(text, at, {});
      if (found !== null) return found;
    }
    return null;
  }

  $matchAt(text: string, at: number, wanted: Wanted): Found | null {
    this.$matcher ??= makeMatcher(this.$source);
    return this.$matcher(text, at, wanted);
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
    const found = this.$find(text, from, how);
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
    const match = this.$first(subject, pos, endpos, 'g');
    if (match === null) return;
    yield match;
    const more = this.$following(subject, match);
    if (!this.$isScript || !this.$isLong(match.$text.length)) {
      yield* more;
      return;
    }
    // Several at a time, as watching costs more than most searches; not more than twice as many as were asked for.
    for (let count = 1, batch: Match[] = [match]; batch.length > 0; count = Math.min(2 * count, mostAtOnce)) {
      batch = bounded(() => upTo(count, more));
      yield* batch;
    }
  }

  *$following(subject: unknown, match: Match): Generator<Match> {
    const { $text: text } = match;
    let found: RegExpExecArray | Found | null = match.$found;
    while (found !== null) {
      let end: number = found.index + found[0]!.length;
      let next: RegExpExecArray | Found | null = null;
      if (found[0] === '') {
        // Behind a match of nothing comes one of something at the same place, if there is one.
        if (end >= text.length) return;
        next = this.$matchAt(text, end, { notEmpty: true });
        end += text.codePointAt(end)! > 0xffff ? 2 : 1;
      }
      found = next ?? this.$search(text, end, 'g');
      if (found !== null) yield new Match(this, subject, text, found, match.$from);
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
        from = found.index + found[0]!.length;
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
      from = found.index + found[0]!.length;
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
    const shown = reprOf(this.pattern);
    const flags = this.$isBytes ? this.flags : this.flags & ~flagBits.U;
    const names = (['I', 'L', 'M', 'S', 'X', 'A'] as const).filter((name) => (flags & flagBits[name]) !== 0);
    const rest = names.reduce((bits, name) => bits & ~flagBits[name], flags);
    const parts = names.map((name) => `re.${longNames[name]}`);
    if (rest !== 0) parts.push(`0x${rest.toString(16)}`);
    return `re.compile(${[...shown].slice(0, 200).join('')}${parts.length === 0 ? '' : `, ${parts.join('|')}`})`;
  }
}

const mostAtOnce = 256;

function upTo<T>(count: number, source: Iterator<T>): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const step = source.next();
    if (step.done === true) break;
    taken.push(step.value);
  }
  return taken;
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
  const r = openReader(template, pattern.$isBytes);
  for (let item = take(r); item !== undefined; item = take(r)) {
    const char = item[1];
    if (char === undefined) parts.push(item);
    else if (char === 'g') parts.push(namedGroup(pattern, r));
    else if (/\d/.test(char)) parts.push(numberedPart(pattern, r, char));
    else if (templateEscapes[char] !== undefined) parts.push(templateEscapes[char]);
    else if (/[a-zA-Z]/.test(char)) throw mistake(r, `bad escape ${item}`, 2);
    else parts.push(item);
  }
  return parts;
}

// An octal number is a character: one that begins with 0, or has three digits.
function numberedPart(pattern: Pattern, r: Reader, first: string): string | number {
  const takeDigit = (kind: RegExp) => (kind.test(peek(r) ?? '') ? take(r)! : '');
  if (first === '0')
    return String.fromCharCode(Number.parseInt(`0${takeDigit(/^[0-7]$/)}${takeDigit(/^[0-7]$/)}`, 8) & 0xff);
  const digits = first + takeDigit(/^\d$/);
  if (/^[0-7]{2}$/.test(digits) && /^[0-7]$/.test(peek(r) ?? '')) {
    const octal = digits + take(r);
    if (Number.parseInt(octal, 8) > 0o377)
      throw mistake(r, `octal escape value \\${octal} outside of range 0-0o377`, 4);
    return String.fromCharCode(Number.parseInt(octal, 8));
  }
  return requireGroup(pattern, r, digits, digits.length);
}

function namedGroup(pattern: Pattern, r: Reader): number {
  if (!accept(r, '<')) throw mistake(r, 'missing <');
  const name = takeUntil(r, '>', 'group name');
  if (/^\d+$/.test(name)) return requireGroup(pattern, r, name, name.length + 1);
  if (!isIdentifier(name)) throw mistake(r, `bad character in group name ${shownName(r, name)}`, name.length + 1);
  checkGroupName(r, name);
  const number = pattern.$source.names.get(name);
  if (number === undefined) throw new IndexError(`unknown group name ${shownName(r, name)}`);
  return number;
}

function requireGroup(pattern: Pattern, r: Reader, digits: string, back: number): number {
  const number = Number(digits);
  if (number > pattern.groups) throw mistake(r, `invalid group reference ${number}`, back);
  return number;
}

// Anything that is no index names no group.
function numberOf(group: unknown): number {
  if (typeof group === 'number') return group;
  const index = typeof group === 'boolean' ? Number(group) : (group as any)?.__index__?.();
  return typeof index === 'number' ? index : -1;
}

export class Match {
  readonly re: Pattern;
  readonly string: unknown;
  readonly $text: string;
  readonly $found: RegExpExecArray | Found;
  readonly $from: number;

  constructor(re: Pattern, subject: unknown, text: string, found: RegExpExecArray | Found, from: number) {
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
    if ('last' in this.$found) return this.$found.last;
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
    const number = text === undefined ? numberOf(group) : (this.re.$source.names.get(text) ?? -1);
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
    if (number === 0) return [this.$found.index, this.$found.index + this.$found[0]!.length];
    if (this.$found[number] === undefined) return [-1, -1];
    if ('last' in this.$found) return [...this.$found.indices[number]!];
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
    return `<re.Match object; span=(${this.start()}, ${this.end()}), match=${Array.from(reprOf(this.group())).slice(0, 50).join('')}>`;
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

const cache = new Map<string, Pattern>();

/** `re.compile`; patterns given as text are remembered. */
export function compile(pattern: unknown, flags?: unknown): Pattern {
  const bits = flags === undefined || flags === null ? 0 : Number((flags as any)?.[$primitive] ?? flags);
  if (pattern instanceof Pattern) {
    if (bits !== 0) throw new ValueError('cannot process flags argument with a compiled pattern');
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

/** `re.purge`: forgets the patterns that were given as text. */
export function purge(): null {
  cache.clear();
  return null;
}
