/**
 * Python's regular expressions as a tree (docs/language/standard-modules.md#modules: `re` takes Python's pattern
 * syntax). What is no pattern of Python raises `re.error` with Python's words, as does what the tree cannot say.
 */
import { OverflowError, ValueError } from '../../values/objects/exceptions.ts';
import { RegexError } from './error.ts';
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
  takeWhile,
} from './reader.ts';

export const flagBits = { A: 256, I: 2, L: 4, M: 8, S: 16, U: 32, X: 64 } as const;

/** Comparison of letters: exactly, whatever their case, or so for letters of ASCII only. */
export type Case = 'exact' | 'ignored' | 'ignored-ascii';

/** A member of a set: a range of code points, or a class by its letter (`d`, `W`). */
export type Member = readonly [low: number, high: number] | string;

export type Node =
  | { readonly kind: 'char'; readonly code: number; readonly letters: Case }
  | { readonly kind: 'any'; readonly newlines: boolean }
  | {
      readonly kind: 'set';
      readonly negated: boolean;
      readonly members: readonly Member[];
      readonly ascii: boolean;
      readonly letters: Case;
    }
  | { readonly kind: 'at'; readonly place: Place; readonly ascii: boolean }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'group'; readonly number: number | undefined; readonly body: Node; readonly plain: boolean }
  | { readonly kind: 'repeat'; readonly min: number; readonly max: number; readonly how: Greed; readonly body: Node }
  | { readonly kind: 'look'; readonly behind: boolean; readonly negated: boolean; readonly body: Node }
  | { readonly kind: 'atomic'; readonly body: Node }
  | { readonly kind: 'reference'; readonly number: number; readonly letters: Case }
  | { readonly kind: 'condition'; readonly number: number; readonly yes: Node; readonly no: Node };

/** `^` and `$` of one line or of several, `\A`, `\Z`, `\b`, `\B`. */
export type Place = 'start' | 'line-start' | 'end' | 'line-end' | 'last' | 'boundary' | 'inside';

export type Greed = 'greedy' | 'lazy' | 'possessive';

export interface Parsed {
  readonly tree: Node;
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
  /** Group numbers in the order the groups end. */
  readonly closed: readonly number[];
  /** All flags, inline ones included. */
  readonly flags: number;
}

interface Parser extends Reader {
  flags: number;
  groups: number;
  readonly names: Map<string, number>;
  readonly closed: number[];
  /** Places of conditions that name groups before they exist. */
  readonly asked: Map<number, number>;
  /** Groups there were before the outermost look behind being read. */
  beforeLookBehind: number | undefined;
}

const letterBits: Readonly<Record<string, number>> = { i: 2, L: 4, m: 8, s: 16, x: 64, a: 256, u: 32 };
const typeBits = flagBits.A | flagBits.L | flagBits.U;
const mostRepeats = 4294967295;
const mostGroups = 1073741823;

export function parse(text: string, flags: number, isBytes: boolean): Parsed {
  const p: Parser = {
    ...openReader(text, isBytes),
    flags,
    groups: 0,
    names: new Map(),
    closed: [],
    asked: new Map(),
    beforeLookBehind: undefined,
  };
  const tree = parseChoice(p, undefined, true);
  const all = fixedFlags(p.flags, isBytes);
  if (p.at < text.length) throw mistake(p, 'unbalanced parenthesis');
  for (const [number, at] of p.asked)
    if (number > p.groups) throw new RegexError(`invalid group reference ${number}`, text, at);
  return { tree, groups: p.groups, names: p.names, closed: p.closed, flags: all };
}

function fixedFlags(flags: number, isBytes: boolean): number {
  if (isBytes) {
    if (flags & flagBits.U) throw new ValueError('cannot use UNICODE flag with a bytes pattern');
    if (flags & flagBits.L && flags & flagBits.A) throw new ValueError('ASCII and LOCALE flags are incompatible');
    return flags;
  }
  if (flags & flagBits.L) throw new ValueError('cannot use LOCALE flag with a str pattern');
  if (flags & flagBits.A && flags & flagBits.U) throw new ValueError('ASCII and UNICODE flags are incompatible');
  return flags & flagBits.A ? flags : flags | flagBits.U;
}

// Without `scope` the flags of the whole pattern hold, which may still be found.
function parseChoice(p: Parser, scope: number | undefined, isFirst = false): Node {
  const options = [parseSequence(p, scope, isFirst)];
  while (accept(p, '|')) options.push(parseSequence(p, scope));
  return options.length === 1 ? options[0]! : { kind: 'choice', options };
}

function parseSequence(p: Parser, scope: number | undefined, isFirst = false): Node {
  const items: Node[] = [];
  for (;;) {
    const item = peek(p);
    if (item === undefined || item === '|' || item === ')') break;
    take(p);
    const flags = scope ?? p.flags;
    if (flags & flagBits.X) {
      if (/^[ \t\n\r\v\f]$/.test(item)) continue;
      if (item === '#') {
        for (let skipped = take(p); skipped !== undefined && skipped !== '\n'; ) skipped = take(p);
        continue;
      }
    }
    const node = parseItem(p, item, flags, { items, isFirst });
    if (node !== undefined) items.push(node);
  }
  return items.length === 1 ? items[0]! : { kind: 'sequence', items };
}

interface Before {
  readonly items: Node[];
  readonly isFirst: boolean;
}

function parseItem(p: Parser, item: string, flags: number, before: Before): Node | undefined {
  if (item[0] === '\\') return parseEscape(p, item, flags);
  switch (item) {
    case '.':
      return { kind: 'any', newlines: (flags & flagBits.S) !== 0 };
    case '^':
      return { kind: 'at', place: flags & flagBits.M ? 'line-start' : 'start', ascii: false };
    case '$':
      return { kind: 'at', place: flags & flagBits.M ? 'line-end' : 'end', ascii: false };
    case '[':
      return parseSet(p, flags);
    case '(':
      return parseGroup(p, flags, before);
    case '*':
    case '+':
    case '?':
    case '{':
      return parseRepeat(p, item, flags, before.items);
    default:
      return charNode(p, item.codePointAt(0)!, flags);
  }
}

function charNode(p: Parser, code: number, flags: number): Node {
  return { kind: 'char', code, letters: caseOf(p, flags) };
}

function caseOf(p: Parser, flags: number): Case {
  return (flags & flagBits.I) === 0 ? 'exact' : isAscii(p, flags) ? 'ignored-ascii' : 'ignored';
}

function isAscii(p: Parser, flags: number): boolean {
  return p.isBytes || (flags & flagBits.A) !== 0;
}

function parseRepeat(p: Parser, mark: string, flags: number, items: Node[]): Node | undefined {
  const here = p.at;
  let [min, max] = mark === '?' ? [0, 1] : mark === '+' ? [1, Number.POSITIVE_INFINITY] : [0, Number.POSITIVE_INFINITY];
  if (mark === '{') {
    const counts = /\{(\d*)(?:(,)(\d*))?\}/y;
    counts.lastIndex = here - 1;
    const found = counts.exec(p.text);
    if (found === null || found[0] === '{}') return charNode(p, 123, flags);
    p.at = counts.lastIndex;
    const [low, high] = [found[1]!, found[2] === undefined ? found[1]! : found[3]!];
    if (Number(low) >= mostRepeats || Number(high) >= mostRepeats)
      throw new OverflowError('the repetition number is too large');
    min = Number(low);
    if (high !== '') max = Number(high);
    if (max < min) throw mistake(p, 'min repeat greater than max repeat', p.at - here);
  }
  const body = items.at(-1);
  if (body === undefined || body.kind === 'at') throw mistake(p, 'nothing to repeat', p.at - here + 1);
  if (body.kind === 'repeat') throw mistake(p, 'multiple repeat', p.at - here + 1);
  items.pop();
  const how = accept(p, '?') ? 'lazy' : accept(p, '+') ? 'possessive' : 'greedy';
  return { kind: 'repeat', min, max, how, body };
}

function parseGroup(p: Parser, flags: number, before: Before): Node | undefined {
  const start = p.at - 1;
  if (!accept(p, '?')) return capture(p, undefined, flags, start);
  const char = take(p);
  switch (char) {
    case undefined:
      throw mistake(p, 'unexpected end of pattern');
    case 'P':
      return parseNamed(p, flags, start);
    case ':':
      return plainGroup(p, flags, start);
    case '>':
      return { kind: 'atomic', body: parseBody(p, flags, start) };
    case '#':
      for (let skipped = take(p); skipped !== ')'; skipped = take(p))
        if (skipped === undefined) throw mistake(p, 'missing ), unterminated comment', p.at - start);
      return undefined;
    case '=':
    case '!':
      return { kind: 'look', behind: false, negated: char === '!', body: parseBody(p, flags, start) };
    case '<':
      return parseLookBehind(p, flags, start);
    case '(':
      return parseCondition(p, flags, start);
  }
  if (char !== '-' && letterBits[char] === undefined) throw mistake(p, `unknown extension ?${char}`, char.length + 1);
  const changed = parseFlags(p, char);
  if (changed !== undefined) {
    const kept = changed.add & typeBits ? flags & ~typeBits : flags;
    return plainGroup(p, (kept | changed.add) & ~changed.remove, start, changed.add === 0 && changed.remove === 0);
  }
  if (!before.isFirst || before.items.length > 0)
    throw mistake(p, 'global flags not at the start of the expression', p.at - start);
  return undefined;
}

function parseBody(p: Parser, flags: number, start: number): Node {
  const body = parseChoice(p, flags);
  if (!accept(p, ')')) throw mistake(p, 'missing ), unterminated subpattern', p.at - start);
  return body;
}

function plainGroup(p: Parser, flags: number, start: number, plain = true): Node {
  return { kind: 'group', number: undefined, body: parseBody(p, flags, start), plain };
}

function capture(p: Parser, name: string | undefined, flags: number, start: number): Node {
  p.groups += 1;
  const number = p.groups;
  if (name !== undefined) {
    const known = p.names.get(name);
    if (known !== undefined)
      throw mistake(
        p,
        `redefinition of group name ${shownName(p, name)} as group ${number}; was group ${known}`,
        name.length + 1,
      );
    p.names.set(name, number);
  }
  const body = parseBody(p, flags, start);
  p.closed.push(number);
  return { kind: 'group', number, body, plain: false };
}

function parseNamed(p: Parser, flags: number, start: number): Node {
  if (accept(p, '<')) {
    const name = takeUntil(p, '>', 'group name');
    checkGroupName(p, name);
    return capture(p, name, flags, start);
  }
  if (accept(p, '=')) {
    const name = takeUntil(p, ')', 'group name');
    checkGroupName(p, name);
    return reference(p, knownGroup(p, name), name.length + 1, flags);
  }
  const char = take(p);
  if (char === undefined) throw mistake(p, 'unexpected end of pattern');
  throw mistake(p, `unknown extension ?P${char}`, char.length + 2);
}

function knownGroup(p: Parser, name: string): number {
  const number = p.names.get(name);
  if (number === undefined) throw mistake(p, `unknown group name ${shownName(p, name)}`, name.length + 1);
  return number;
}

function reference(p: Parser, number: number, back: number, flags: number): Node {
  if (!p.closed.includes(number)) throw mistake(p, 'cannot refer to an open group', back);
  checkLookBehind(p, number);
  return { kind: 'reference', number, letters: caseOf(p, flags) };
}

function checkLookBehind(p: Parser, number: number): void {
  if (p.beforeLookBehind === undefined) return;
  if (!p.closed.includes(number)) throw mistake(p, 'cannot refer to an open group');
  if (number > p.beforeLookBehind) throw mistake(p, 'cannot refer to group defined in the same lookbehind subpattern');
}

function parseLookBehind(p: Parser, flags: number, start: number): Node {
  const char = take(p);
  if (char === undefined) throw mistake(p, 'unexpected end of pattern');
  if (char !== '=' && char !== '!') throw mistake(p, `unknown extension ?<${char}`, char.length + 2);
  const outer = p.beforeLookBehind;
  p.beforeLookBehind ??= p.groups;
  const body = parseBody(p, flags, start);
  p.beforeLookBehind = outer;
  return { kind: 'look', behind: true, negated: char === '!', body };
}

function parseCondition(p: Parser, flags: number, start: number): Node {
  const name = takeUntil(p, ')', 'group name');
  const number = isIdentifier(name) ? namedCondition(p, name) : numberedCondition(p, name);
  checkLookBehind(p, number);
  const yes = parseSequence(p, flags);
  let no: Node = { kind: 'sequence', items: [] };
  if (accept(p, '|')) {
    no = parseSequence(p, flags);
    if (peek(p) === '|') throw mistake(p, 'conditional backref with more than two branches');
  }
  if (!accept(p, ')')) throw mistake(p, 'missing ), unterminated subpattern', p.at - start);
  return { kind: 'condition', number, yes, no };
}

function namedCondition(p: Parser, name: string): number {
  checkGroupName(p, name);
  return knownGroup(p, name);
}

function numberedCondition(p: Parser, name: string): number {
  if (!/^\d+$/.test(name)) throw mistake(p, `bad character in group name ${shownName(p, name)}`, name.length + 1);
  const number = Number(name);
  if (number === 0) throw mistake(p, 'bad group number', name.length + 1);
  if (number >= mostGroups) throw mistake(p, `invalid group reference ${name}`, name.length + 1);
  if (!p.asked.has(number)) p.asked.set(number, p.at - name.length - 1);
  return number;
}

/** Flags of a group; undefined when they are those of the whole pattern, which are noted. */
function parseFlags(p: Parser, first: string): { add: number; remove: number } | undefined {
  const wrong = (msg: string, back = 0) => mistake(p, `bad inline flags: ${msg}`, back);
  let [add, remove] = [0, 0];
  let char: string | undefined = first;
  if (char !== '-') {
    for (;;) {
      if (char === 'L' && !p.isBytes) throw wrong("cannot use 'L' flag with a str pattern");
      if (char === 'u' && p.isBytes) throw wrong("cannot use 'u' flag with a bytes pattern");
      const bit: number = letterBits[char!]!;
      add |= bit;
      if (bit & typeBits && (add & typeBits) !== bit) throw wrong("flags 'a', 'u' and 'L' are incompatible");
      char = take(p);
      if (char === undefined) throw mistake(p, 'missing -, : or )');
      if (char === ')' || char === '-' || char === ':') break;
      if (letterBits[char] === undefined) throw unknownFlag(p, char, 'missing -, : or )');
    }
  }
  if (char === ')') {
    p.flags |= add;
    return undefined;
  }
  if (char === '-') {
    char = take(p);
    if (char === undefined) throw mistake(p, 'missing flag');
    if (letterBits[char] === undefined) throw unknownFlag(p, char, 'missing flag');
    for (;;) {
      const bit = letterBits[char]!;
      if (bit & typeBits) throw wrong("cannot turn off flags 'a', 'u' and 'L'");
      remove |= bit;
      char = take(p);
      if (char === undefined) throw mistake(p, 'missing :');
      if (char === ':') break;
      if (letterBits[char] === undefined) throw unknownFlag(p, char, 'missing :');
    }
  }
  if (add & remove) throw wrong('flag turned on and off', 1);
  return { add, remove };
}

function unknownFlag(p: Parser, char: string, otherwise: string): RegexError {
  return mistake(p, /^\p{L}/u.test(char) ? 'unknown flag' : otherwise, char.length);
}

const places: Readonly<Record<string, Place>> = { A: 'start', Z: 'last', b: 'boundary', B: 'inside' };
const simpleEscapes: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

function parseEscape(p: Parser, item: string, flags: number): Node {
  const char = item.slice(1);
  const place = places[char];
  if (place !== undefined) return { kind: 'at', place, ascii: isAscii(p, flags) };
  if (/^[dDsSwW]$/.test(char))
    return { kind: 'set', negated: false, members: [char], ascii: isAscii(p, flags), letters: 'exact' };
  if (/^[1-9]$/.test(char)) return digitsEscape(p, char, flags);
  const code = char === '0' ? Number.parseInt(`0${takeWhile(p, 2, /[0-7]/)}`, 8) : escapedCode(p, item);
  return charNode(p, code, flags);
}

// Three octal digits are a character, others the number of a group.
function digitsEscape(p: Parser, first: string, flags: number): Node {
  const digits = first + takeWhile(p, 1, /\d/);
  if (/^[0-7]{2}$/.test(digits) && /[0-7]/.test(p.text[p.at] ?? '')) {
    const octal = digits + take(p);
    return charNode(p, octalCode(p, octal), flags);
  }
  const number = Number(digits);
  if (number > p.groups) throw mistake(p, `invalid group reference ${number}`, digits.length);
  return reference(p, number, digits.length + 1, flags);
}

function octalCode(p: Reader, digits: string): number {
  const code = Number.parseInt(digits, 8);
  if (code > 0o377) throw mistake(p, `octal escape value \\${digits} outside of range 0-0o377`, digits.length + 1);
  return code;
}

/** The code of an escape that means one character wherever it stands. */
function escapedCode(p: Parser, item: string): number {
  const char = item.slice(1);
  const simple = simpleEscapes[char];
  if (simple !== undefined) return simple;
  const size = char === 'x' ? 2 : p.isBytes ? undefined : { u: 4, U: 8 }[char];
  if (size !== undefined) {
    const digits = takeWhile(p, size, /[0-9a-fA-F]/);
    if (digits.length !== size) throw mistake(p, `incomplete escape ${item}${digits}`, 2 + digits.length);
    const code = Number.parseInt(digits, 16);
    if (code > 0x10ffff) throw mistake(p, `bad escape ${item}${digits}`, 2 + digits.length);
    return code;
  }
  if (char === 'N' && !p.isBytes) {
    if (!accept(p, '{')) throw mistake(p, 'missing {');
    const name = takeUntil(p, '}', 'character name');
    throw mistake(p, `names of characters are not available, write \\u… for \\N{${name}}`, name.length + 4);
  }
  if (/^[a-zA-Z0-9]$/.test(char)) throw mistake(p, `bad escape ${item}`, 2);
  return char.codePointAt(0)!;
}

function parseSet(p: Parser, flags: number): Node {
  const start = p.at - 1;
  const negated = accept(p, '^');
  const members: Member[] = [];
  for (;;) {
    const low = take(p);
    if (low === undefined) throw mistake(p, 'unterminated character set', p.at - start);
    if (low === ']' && members.length > 0) break;
    const lowMember = setMember(p, low);
    if (!accept(p, '-')) {
      members.push(lowMember);
      continue;
    }
    const high = take(p);
    if (high === undefined) throw mistake(p, 'unterminated character set', p.at - start);
    if (high === ']') {
      members.push(lowMember, [45, 45]);
      break;
    }
    const highMember = setMember(p, high);
    if (typeof lowMember === 'string' || typeof highMember === 'string' || highMember[0] < lowMember[0])
      throw mistake(p, `bad character range ${low}-${high}`, low.length + 1 + high.length);
    members.push([lowMember[0], highMember[0]]);
  }
  return { kind: 'set', negated, members, ascii: isAscii(p, flags), letters: caseOf(p, flags) };
}

function setMember(p: Parser, item: string): Member {
  const code = item[0] === '\\' ? setEscape(p, item) : item.codePointAt(0)!;
  return typeof code === 'string' ? code : [code, code];
}

function setEscape(p: Parser, item: string): number | string {
  const char = item.slice(1);
  if (char === 'b') return 8;
  if (/^[dDsSwW]$/.test(char)) return char;
  if (/^[0-7]$/.test(char)) return octalCode(p, char + takeWhile(p, 2, /[0-7]/));
  return escapedCode(p, item);
}
