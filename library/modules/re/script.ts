/**
 * A pattern as a JavaScript expression, where one means the same. Anchors, `.` and classes are spelled out, so that no JavaScript flag but
 * `i` and `u` is needed. What JavaScript has no word for, or repeats in another way, is left to the matcher (regex-matcher.ts).
 */
import { RegexError } from './error.ts';
import type { Case, Member, Node, Parsed } from './parse.ts';

/** `a` for subjects of ASCII characters only, where the short classes do; `u` for others. */
export type Subject = 'a' | 'u';

export function scriptOf(node: Node, subject: Subject, ignoreCase: boolean): string {
  const inner = (child: Node) => scriptOf(child, subject, ignoreCase);
  switch (node.kind) {
    case 'sequence':
      return node.items.map((item) => (item.kind === 'choice' ? `(?:${inner(item)})` : inner(item))).join('');
    case 'choice':
      return node.options.map(inner).join('|');
    case 'group':
      return `${node.number === undefined ? '(?:' : '('}${inner(node.body)})`;
    case 'repeat':
      // Lookarounds may be repeated in Python, not in JavaScript.
      return `${node.body.kind === 'look' ? `(?:${inner(node.body)})` : inner(node.body)}${markOf(node.min, node.max)}${node.how === 'lazy' ? '?' : ''}`;
    case 'look':
      return `(?${node.behind ? '<' : ''}${node.negated ? '!' : '='}${inner(node.body)})`;
    case 'reference':
      return `(?:\\${node.number})`;
    case 'at':
      return placeScript(node, subject);
    default:
      return characterScript(node, subject, ignoreCase);
  }
}

function markOf(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

const word = '[\\p{L}\\p{N}_]';

function placeScript(node: Node & { kind: 'at' }, subject: Subject): string {
  const isShort = subject === 'a' || node.ascii;
  switch (node.place) {
    case 'start':
      return '(?<![^])';
    case 'line-start':
      return '(?<![^\\n])';
    case 'end':
      return '(?=\\n?(?![^]))';
    case 'line-end':
      return '(?![^\\n])';
    case 'last':
      return '(?![^])';
    case 'boundary':
      return isShort ? '\\b' : `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
    case 'inside':
      // There is no such place in an empty text.
      return isShort
        ? '(?:\\B(?:(?<=[^])|(?=[^])))'
        : `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word})(?:(?<=[^])|(?=[^])))`;
  }
}

/** One character: a literal, `.` or a set. */
export function characterScript(node: Node, subject: Subject, ignoreCase: boolean): string {
  if (node.kind === 'any') return node.newlines ? '[^]' : '[^\\n]';
  if (node.kind === 'char') {
    const others = ignoreCase || node.letters === 'exact' ? [] : otherCases(node.code, node.letters);
    return others.length === 0 ? literal(node.code) : `[${[node.code, ...others].map(setChar).join('')}]`;
  }
  if (node.kind !== 'set') throw new Error(`no character: ${node.kind}`);
  const plain = node.members.filter((member) => typeof member !== 'string' || isPlain(member));
  const others = node.members.filter((member) => typeof member === 'string' && !isPlain(member)) as string[];
  const isSpelled = !ignoreCase && node.letters !== 'exact';
  const members = plain.map(
    (member) => memberScript(member, node.ascii, subject) + (isSpelled ? otherCaseScript(member, node.letters) : ''),
  );
  if (others.length === 0) return `[${node.negated ? '^' : ''}${members.join('')}]`;
  const options = others.map((letter) => `[^${memberScript(letter.toLowerCase(), node.ascii, subject)}]`);
  if (members.length > 0) options.unshift(`[${members.join('')}]`);
  if (node.negated) return `(?:(?!${options.join('|')})[^])`;
  return options.length === 1 ? options[0]! : `(?:${options.join('|')})`;
}

function isPlain(member: string): boolean {
  return member === member.toLowerCase();
}

const classes: Readonly<Record<string, Readonly<Record<Subject | 'ascii', string>>>> = {
  d: { a: '0-9', u: '\\p{Nd}', ascii: '0-9' },
  w: { a: 'A-Za-z0-9_', u: '\\p{L}\\p{N}_', ascii: 'A-Za-z0-9_' },
  s: {
    a: ' \\t\\n\\r\\f\\v\\x1c-\\x1f',
    u: ' \\t\\n\\r\\f\\v\\x1c-\\x1f\\x85\\p{Z}',
    ascii: ' \\t\\n\\r\\f\\v',
  },
};

function memberScript(member: Member, isAscii: boolean, subject: Subject): string {
  if (typeof member === 'string') return classes[member]![isAscii ? 'ascii' : subject];
  const [low, high] = member;
  return low === high ? setChar(low) : `${setChar(low)}-${setChar(high)}`;
}

function otherCaseScript(member: Member, letters: Case): string {
  if (typeof member === 'string') return '';
  // Letters with two cases beyond these stand in ranges that have both.
  const last = Math.min(member[1], Math.max(member[0], 0x24f));
  let text = '';
  for (let code = member[0]; code <= last; code += 1) text += otherCases(code, letters).map(setChar).join('');
  return text;
}

/** The same letter in its other cases, where those are one character. */
function otherCases(code: number, letters: Case): number[] {
  if (letters === 'exact' || (letters === 'ignored-ascii' && code > 0x7f)) return [];
  const char = String.fromCodePoint(code);
  return [char.toLowerCase(), char.toUpperCase()]
    .filter((other) => other !== char && [...other].length === 1)
    .map((other) => other.codePointAt(0)!);
}

function literal(code: number): string {
  const char = String.fromCodePoint(code);
  if (code < 32 || (code >= 0xd800 && code < 0xe000)) return setChar(code);
  return /[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

function setChar(code: number): string {
  if (code < 32 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000))
    return `\\u${code.toString(16).padStart(4, '0')}`;
  const char = String.fromCodePoint(code);
  return /[\^\\\]\-[]/.test(char) ? `\\${char}` : char;
}

/** Does the flag `i` of JavaScript hold for all letters of a pattern? */
export function ignoresCase(node: Node): boolean {
  const found = [...lettersOf(node)];
  return found.length > 0 && found.every((letters) => letters === 'ignored');
}

function* lettersOf(node: Node): Generator<Case> {
  if (node.kind === 'char' && otherCases(node.code, 'ignored').length > 0) yield node.letters;
  else if (node.kind === 'set' && node.members.some((member) => typeof member !== 'string')) yield node.letters;
  else if (node.kind === 'reference') yield node.letters;
  for (const child of childrenOf(node)) yield* lettersOf(child);
}

export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'sequence':
      return node.items;
    case 'choice':
      return node.options;
    case 'condition':
      return [node.yes, node.no];
    case 'group':
    case 'repeat':
    case 'look':
    case 'atomic':
      return [node.body];
    default:
      return [];
  }
}

/** @throws RegexError where a look behind may be of several widths. */
export function checkLookBehinds({ tree }: Parsed): void {
  const widths = createWidths();
  widths(tree);
  const check = (node: Node): void => {
    if (node.kind === 'look' && node.behind) {
      const [low, high] = widths(node.body);
      if (low !== high) throw new RegexError('look-behind requires fixed-width pattern');
    }
    childrenOf(node).forEach(check);
  };
  check(tree);
}

/** Tells whether JavaScript finds the same matches of a pattern as Python. */
export function isScript({ tree }: Parsed): boolean {
  const isCased = ignoresCase(tree);
  const widths = createWidths();
  widths(tree);
  const isSame = (node: Node): boolean => {
    switch (node.kind) {
      case 'atomic':
      case 'condition':
        return false;
      case 'repeat':
        // JavaScript refuses rounds that match nothing, and forgets the groups of earlier rounds.
        if (node.how === 'possessive' || widths(node.body)[0] === 0) return false;
        if (node.max > 1 && groupsIn(node.body).some((number) => !surely(node.body).has(number))) return false;
        break;
      case 'look':
        // JavaScript goes backwards there.
        if (node.behind && hasGroups(node.body)) return false;
        break;
      case 'reference':
        if (node.letters !== 'exact' && !isCased) return false;
        break;
    }
    return childrenOf(node).every(isSame);
  };
  return isSame(tree) && refersToSetGroups(tree, new Set());
}

function hasGroups(node: Node): boolean {
  return groupsIn(node).length > 0 || node.kind === 'reference' || childrenOf(node).some(hasGroups);
}

function groupsIn(node: Node): number[] {
  const own = node.kind === 'group' && node.number !== undefined ? [node.number] : [];
  return [...own, ...childrenOf(node).flatMap(groupsIn)];
}

/** Groups that took part wherever `node` matched. */
function surely(node: Node): ReadonlySet<number> {
  switch (node.kind) {
    case 'choice': {
      const [first, ...rest] = node.options.map(surely);
      return new Set([...first!].filter((number) => rest.every((other) => other.has(number))));
    }
    case 'repeat':
      return node.min === 0 ? new Set() : surely(node.body);
    case 'look':
      return node.negated ? new Set() : surely(node.body);
    case 'condition':
      return new Set();
    default:
      return new Set([
        ...(node.kind === 'group' && node.number !== undefined ? [node.number] : []),
        ...childrenOf(node).flatMap((child) => [...surely(child)]),
      ]);
  }
}

// A group that took no part matches nothing in Python, the empty text in JavaScript.
function refersToSetGroups(node: Node, before: ReadonlySet<number>): boolean {
  if (node.kind === 'reference') return before.has(node.number);
  if (node.kind !== 'sequence') return childrenOf(node).every((child) => refersToSetGroups(child, before));
  const known = new Set(before);
  return node.items.every((item) => {
    const isSure = refersToSetGroups(item, known);
    for (const number of surely(item)) known.add(number);
    return isSure;
  });
}

/** Makes the function that gives the least and the greatest number of characters a part of the pattern matches. */
export function createWidths(): (node: Node) => readonly [number, number] {
  const groups = new Map<number, readonly [number, number]>();
  const memo = new Map<Node, readonly [number, number]>();
  const all = (nodes: readonly Node[]) => nodes.map(widths);
  const measure = (node: Node): readonly [number, number] => {
    switch (node.kind) {
      case 'char':
      case 'any':
      case 'set':
        return [1, 1];
      case 'at':
      case 'look':
        all(childrenOf(node));
        return [0, 0];
      case 'reference':
        return groups.get(node.number) ?? [0, Number.POSITIVE_INFINITY];
      case 'sequence':
        return all(node.items).reduce(([a, b], [low, high]) => [a + low, b + high], [0, 0]);
      case 'choice':
      case 'condition': {
        const found = all(childrenOf(node));
        return [Math.min(...found.map(([low]) => low)), Math.max(...found.map(([, high]) => high))];
      }
      case 'repeat': {
        const [low, high] = widths(node.body);
        return [low * node.min, high === 0 ? 0 : high * node.max];
      }
      default: {
        const width = widths(node.body);
        if (node.kind === 'group' && node.number !== undefined) groups.set(node.number, width);
        return width;
      }
    }
  };
  function widths(node: Node): readonly [number, number] {
    const known = memo.get(node) ?? measure(node);
    memo.set(node, known);
    return known;
  }
  return widths;
}
