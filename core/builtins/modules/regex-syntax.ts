/**
 * Translation of Python's regular expressions into JavaScript's. Anchors, `.`, and classes are spelled out, so that no JavaScript flag but `i` and `u`
 * is needed; what has no counterpart raises `re.error` when the pattern is compiled.
 */
import { Exception, nameException } from '../../values/exceptions.ts';

export const flagBits = { A: 256, I: 2, L: 4, M: 8, S: 16, U: 32, X: 64 } as const;

/** `re.error` */
export class RegexError extends Exception {
  declare msg: string;
  declare pattern: string;
  declare pos: number | null;
  declare lineno: number | null;
  declare colno: number | null;

  constructor(msg: string, pattern = '', pos: number | null = null) {
    const before = pos === null ? '' : pattern.slice(0, pos);
    const lineno = before.split('\n').length;
    const colno = (pos ?? 0) - before.lastIndexOf('\n');
    const place =
      pos === null ? '' : ` at position ${pos}${pattern.includes('\n') ? ` (line ${lineno}, column ${colno})` : ''}`;
    super(msg + place);
    Object.assign(this, {
      msg,
      pattern,
      pos,
      lineno: pos === null ? null : lineno,
      colno: pos === null ? null : colno,
    });
  }
}
nameException(RegexError, 'error', 're');

export interface Translated {
  /** For subjects of ASCII characters only, where the short classes do. */
  readonly ascii: string;
  readonly unicode: string;
  readonly ignoreCase: boolean;
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
  /** Group numbers in the order the groups end. */
  readonly closed: readonly number[];
  /** All flags, inline ones included. */
  readonly flags: number;
}

interface Scope {
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
  verbose: boolean;
}

interface Parser {
  readonly text: string;
  at: number;
  flags: number;
  readonly ascii: boolean;
  readonly caseByFlag: boolean;
  groups: number;
  readonly names: Map<string, number>;
  readonly open: Set<number>;
  /** Groups in the order they end. */
  readonly closed: number[];
}

/** What one source construct becomes, for both kinds of subject. */
interface Piece {
  readonly a: string;
  readonly u: string;
}

const both = (text: string): Piece => ({ a: text, u: text });
const concat = (pieces: readonly Piece[]): Piece => ({
  a: pieces.map((p) => p.a).join(''),
  u: pieces.map((p) => p.u).join(''),
});

const classes: Readonly<Record<string, Piece>> = {
  d: { a: '0-9', u: '\\p{Nd}' },
  w: { a: 'A-Za-z0-9_', u: '\\p{L}\\p{N}_' },
  s: { a: ' \\t\\n\\r\\f\\v\\x1c-\\x1f', u: ' \\t\\n\\r\\f\\v\\x1c-\\x1f\\x85\\p{Z}' },
};

export function translate(text: string, flags: number, isBytes: boolean): Translated {
  const inline = leadingFlags(text);
  const all = flags | inline;
  const p: Parser = {
    text,
    at: 0,
    flags: all,
    ascii: isBytes || (all & flagBits.A) !== 0,
    caseByFlag: (all & flagBits.I) !== 0,
    groups: 0,
    names: new Map(),
    open: new Set(),
    closed: [],
  };
  const scope = {
    ignoreCase: false,
    multiline: (all & flagBits.M) !== 0,
    dotAll: (all & flagBits.S) !== 0,
    verbose: (all & flagBits.X) !== 0,
  };
  const piece = alternatives(p, scope);
  if (p.at < text.length) throw new RegexError('unbalanced parenthesis', text, p.at);
  const unicode = p.ascii ? piece.a : piece.u;
  return {
    ascii: piece.a,
    unicode,
    ignoreCase: p.caseByFlag,
    groups: p.groups,
    names: p.names,
    closed: p.closed,
    flags: p.flags | (isBytes || p.ascii ? 0 : flagBits.U),
  };
}

function leadingFlags(text: string): number {
  let bits = 0;
  for (const found of text.matchAll(/^(?:\(\?([aiLmsux]+)\))+/g)) {
    for (const letter of found[0].replace(/[()?]/g, ''))
      bits |= flagBits[letter.toUpperCase() as keyof typeof flagBits];
  }
  return bits;
}

function alternatives(p: Parser, scope: Scope): Piece {
  const options: Piece[] = [sequence(p, scope)];
  while (p.text[p.at] === '|') {
    p.at += 1;
    options.push(sequence(p, scope));
  }
  return { a: options.map((o) => o.a).join('|'), u: options.map((o) => o.u).join('|') };
}

function sequence(p: Parser, scope: Scope): Piece {
  const pieces: Piece[] = [];
  while (p.at < p.text.length) {
    const char = p.text[p.at]!;
    if (char === '|' || char === ')') break;
    if (scope.verbose && /\s/.test(char)) {
      p.at += 1;
      continue;
    }
    if (scope.verbose && char === '#') {
      while (p.at < p.text.length && p.text[p.at] !== '\n') p.at += 1;
      continue;
    }
    const start = p.at;
    const piece = atom(p, scope);
    if (piece !== undefined) pieces.push(quantified(p, scope, piece, start));
  }
  return concat(pieces);
}

const quantifier = /\*|\+|\?|\{(\d*)(,?)(\d*)\}/y;

function quantified(p: Parser, scope: Scope, piece: Piece & { repeatable?: boolean }, start: number): Piece {
  let result: Piece = piece;
  for (let times = 0; ; times += 1) {
    if (scope.verbose) skipSpace(p);
    quantifier.lastIndex = p.at;
    const found = quantifier.exec(p.text);
    if (found === null || (found[0][0] === '{' && found[1] === '' && found[3] === '')) {
      if (found !== null && found[0] === '{}') return result;
      if (found === null || found[0] !== '{,}') return result;
    }
    if (times > 0) throw new RegexError('multiple repeat', p.text, p.at);
    const at = p.at;
    p.at += found![0].length;
    let mark = found![0];
    if (mark[0] === '{') {
      const low = found![1] === '' ? '0' : found![1]!;
      mark = found![2] === '' ? `{${low}}` : `{${low},${found![3]}}`;
      if (found![3] !== '' && found![2] !== '' && Number(found![3]) < Number(low))
        throw new RegexError('min repeat greater than max repeat', p.text, at + 1);
    }
    if (p.text[p.at] === '?') {
      mark += '?';
      p.at += 1;
    } else if (p.text[p.at] === '+') throw new RegexError('possessive quantifiers are not supported', p.text, p.at);
    if (piece.repeatable === false) throw new RegexError('nothing to repeat', p.text, start);
    result = { a: repeat(piece.a, mark), u: repeat(piece.u, mark) };
  }
}

// Lookarounds may be repeated in Python, not in JavaScript.
function repeat(source: string, mark: string): string {
  return (/^\(\?<?[=!]/.test(source) ? `(?:${source})` : source) + mark;
}

function skipSpace(p: Parser): void {
  while (/\s/.test(p.text[p.at] ?? 'x')) p.at += 1;
}

function atom(p: Parser, scope: Scope): (Piece & { repeatable?: boolean }) | undefined {
  const start = p.at;
  const char = String.fromCodePoint(p.text.codePointAt(p.at)!);
  p.at += char.length;
  switch (char) {
    case '.':
      return both(scope.dotAll ? '[^]' : '[^\\n]');
    case '^':
      return { ...both(scope.multiline ? '(?<![^\\n])' : '(?<![^])'), repeatable: false };
    case '$':
      return { ...both(scope.multiline ? '(?![^\\n])' : '(?=\\n?(?![^]))'), repeatable: false };
    case '(':
      return group(p, scope, start);
    case '[':
      return set(p, scope, start);
    case '\\':
      return escape(p, scope, start);
    case '*':
    case '+':
    case '?':
      throw new RegexError('nothing to repeat', p.text, start);
    case '{': {
      quantifier.lastIndex = start;
      const found = quantifier.exec(p.text);
      if (found !== null && (found[1] !== '' || found[3] !== '' || found[0] === '{,}'))
        throw new RegexError('nothing to repeat', p.text, start);
      return both('\\{');
    }
    default:
      return both(literal(p, scope, char));
  }
}

const syntaxChars = /[\^$\\.*+?()[\]{}|/]/;

function literal(p: Parser, scope: Scope, char: string): string {
  const plain = syntaxChars.test(char) ? `\\${char}` : char;
  if (!scope.ignoreCase || p.caseByFlag) return plain;
  const [lower, upper] = [char.toLowerCase(), char.toUpperCase()];
  return lower !== upper && lower.length === char.length && upper.length === char.length ? `[${lower}${upper}]` : plain;
}

function group(p: Parser, scope: Scope, start: number): (Piece & { repeatable?: boolean }) | undefined {
  if (p.text[p.at] !== '?') return capture(p, scope, start, undefined);
  const rest = p.text.slice(p.at + 1);
  const lead = /^(?:P<([^>]*)>|P=([^)]*)\)|:|=|!|<=|<!|#[^)]*\)|>|\(|([aiLmsux]*)(?:-([imsx]+))?([:)]))/.exec(rest);
  if (lead === null) {
    const shown = rest.slice(0, rest.startsWith('P') || rest.startsWith('<') ? 2 : 1);
    if (/^P<\w*$/.test(rest)) throw new RegexError('missing >, unterminated name', p.text, start + 4);
    if (/^[aiLmsux]+$/.test(rest)) throw new RegexError('missing -, : or )', p.text, p.text.length);
    if (rest.startsWith('#')) throw new RegexError('missing ), unterminated comment', p.text, start);
    throw new RegexError(rest === '' ? 'unexpected end of pattern' : `unknown extension ?${shown}`, p.text, start + 1);
  }
  p.at += 1 + lead[0].length;
  if (lead[1] !== undefined) return capture(p, scope, start, lead[1]);
  if (lead[2] !== undefined) return namedReference(p, lead[2], start);
  switch (lead[0]) {
    case ':':
      return closed(p, scope, start, '(?:');
    case '=':
    case '!':
    case '<=':
    case '<!':
      return closed(p, scope, start, `(?${lead[0]}`);
    case '>':
      throw new RegexError('atomic groups are not supported', p.text, start);
    case '(':
      throw new RegexError('conditional groups are not supported', p.text, start);
  }
  if (lead[0].startsWith('#')) return undefined;
  if (lead[5] === ')') {
    if (start !== 0 && !/^(?:\(\?[aiLmsux]+\))+$/.test(p.text.slice(0, start)))
      throw new RegexError('global flags not at the start of the expression', p.text, start);
    return undefined;
  }
  const inner: Scope = { ...scope };
  for (const letter of lead[3] ?? '') setFlag(inner, letter, true);
  for (const letter of lead[4] ?? '') setFlag(inner, letter, false);
  return closed(p, inner, start, '(?:');
}

function setFlag(scope: Scope, letter: string, on: boolean): void {
  if (letter === 'i') scope.ignoreCase = on;
  else if (letter === 'm') scope.multiline = on;
  else if (letter === 's') scope.dotAll = on;
  else if (letter === 'x') scope.verbose = on;
}

function capture(p: Parser, scope: Scope, start: number, name: string | undefined): Piece {
  p.groups += 1;
  const number = p.groups;
  if (name !== undefined) {
    if (!/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name)) {
      throw new RegexError(
        name === '' ? 'missing group name' : `bad character in group name '${name}'`,
        p.text,
        start + 4,
      );
    }
    const known = p.names.get(name);
    if (known !== undefined) {
      throw new RegexError(
        `redefinition of group name '${name}' as group ${number}; was group ${known}`,
        p.text,
        start + 4,
      );
    }
    p.names.set(name, number);
  }
  p.open.add(number);
  const inner = closed(p, scope, start, '(');
  p.open.delete(number);
  p.closed.push(number);
  return inner;
}

function closed(p: Parser, scope: Scope, start: number, head: string): Piece {
  const inner = alternatives(p, scope);
  if (p.text[p.at] !== ')') throw new RegexError('missing ), unterminated subpattern', p.text, start);
  p.at += 1;
  return { a: `${head}${inner.a})`, u: `${head}${inner.u})` };
}

function namedReference(p: Parser, name: string, start: number): Piece {
  const number = p.names.get(name);
  if (number === undefined) throw new RegexError(`unknown group name '${name}'`, p.text, start + 4);
  return reference(p, number, start);
}

// A group that took no part matches nothing in Python, the empty text in JavaScript.
function reference(p: Parser, number: number, start: number): Piece {
  if (number > p.groups) throw new RegexError(`invalid group reference ${number}`, p.text, start + 1);
  if (p.open.has(number)) throw new RegexError('cannot refer to an open group', p.text, start);
  return both(`(?:\\${number})`);
}

const simpleEscapes: Readonly<Record<string, string>> = {
  n: '\\n',
  t: '\\t',
  r: '\\r',
  f: '\\f',
  v: '\\v',
  a: '\\x07',
};

function escape(p: Parser, scope: Scope, start: number): Piece & { repeatable?: boolean } {
  const char = p.text[p.at];
  if (char === undefined) throw new RegexError('bad escape (end of pattern)', p.text, start);
  const code = numericEscape(p, start, false);
  if (code !== undefined) return both(codeText(p, scope, code));
  if (/[1-9]/.test(char)) {
    const digits = /^\d{1,2}/.exec(p.text.slice(p.at))![0];
    p.at += digits.length;
    return reference(p, Number(digits), start);
  }
  p.at += 1;
  const known = classes[char.toLowerCase()];
  if (known !== undefined)
    return {
      a: `[${char === char.toLowerCase() ? '' : '^'}${known.a}]`,
      u: `[${char === char.toLowerCase() ? '' : '^'}${known.u}]`,
    };
  switch (char) {
    case 'A':
      return { ...both('(?<![^])'), repeatable: false };
    case 'Z':
      return { ...both('(?![^])'), repeatable: false };
    case 'b':
      return { a: '\\b', u: '(?:(?<=[\\p{L}\\p{N}_])(?![\\p{L}\\p{N}_])|(?<![\\p{L}\\p{N}_])(?=[\\p{L}\\p{N}_]))' };
    case 'B':
      return { a: '\\B', u: '(?:(?<=[\\p{L}\\p{N}_])(?=[\\p{L}\\p{N}_])|(?<![\\p{L}\\p{N}_])(?![\\p{L}\\p{N}_]))' };
  }
  const simple = simpleEscapes[char];
  if (simple !== undefined) return both(simple);
  if (/[a-zA-Z]/.test(char)) throw new RegexError(`bad escape \\${char}`, p.text, start);
  return both(literal(p, scope, char));
}

function codeText(p: Parser, scope: Scope, code: number): string {
  return literal(p, scope, String.fromCodePoint(code));
}

/** `\xhh`, `\uhhhh`, `\Uhhhhhhhh`, octal; undefined for other escapes. `p.at` is behind the backslash. */
function numericEscape(p: Parser, start: number, inSet: boolean): number | undefined {
  const rest = p.text.slice(p.at);
  const hex = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(rest);
  if (hex !== null) {
    p.at += hex[0].length;
    return Number.parseInt(hex[1] ?? hex[2] ?? hex[3]!, 16);
  }
  if (/^[xuU]/.test(rest)) {
    const size = { x: 2, u: 4, U: 8 }[rest[0] as 'x' | 'u' | 'U'];
    const digits = /^[0-9a-fA-F]*/.exec(rest.slice(1))![0].slice(0, size);
    throw new RegexError(`incomplete escape \\${rest[0]}${digits}`, p.text, start);
  }
  const octal = inSet ? /^[0-7]{1,3}/.exec(rest) : /^(?:0[0-7]{0,2}|[1-3][0-7]{2})/.exec(rest);
  if (octal === null) return undefined;
  p.at += octal[0].length;
  return Number.parseInt(octal[0], 8);
}

function set(p: Parser, scope: Scope, start: number): Piece {
  const negated = p.text[p.at] === '^';
  if (negated) p.at += 1;
  const pieces: Piece[] = [];
  let first = true;
  for (;;) {
    if (p.at >= p.text.length) throw new RegexError('unterminated character set', p.text, start);
    if (p.text[p.at] === ']' && !first) break;
    first = false;
    pieces.push(setMember(p, scope));
  }
  p.at += 1;
  const inner = concat(pieces);
  const head = negated ? '[^' : '[';
  return { a: `${head}${inner.a}]`, u: `${head}${inner.u}]` };
}

function setMember(p: Parser, scope: Scope): Piece {
  const at = p.at;
  const low = setItem(p);
  if (p.text[p.at] !== '-' || p.text[p.at + 1] === ']' || p.at + 1 >= p.text.length) {
    return typeof low === 'number' ? both(setText(p, scope, low)) : low;
  }
  p.at += 1;
  const high = setItem(p);
  if (typeof low !== 'number' || typeof high !== 'number' || high < low) {
    throw new RegexError(`bad character range ${p.text.slice(at, p.at)}`, p.text, at);
  }
  const range = `${setChar(low)}-${setChar(high)}`;
  if (!scope.ignoreCase || p.caseByFlag) return both(range);
  return both(range + otherCase(low, high));
}

function otherCase(low: number, high: number): string {
  let text = '';
  for (let code = Math.max(low, 65); code <= Math.min(high, 122); code += 1) {
    const char = String.fromCharCode(code);
    const other = char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase();
    if (other !== char) text += other;
  }
  return text;
}

function setText(p: Parser, scope: Scope, code: number): string {
  const char = String.fromCodePoint(code);
  if (!scope.ignoreCase || p.caseByFlag) return setChar(code);
  const [lower, upper] = [char.toLowerCase(), char.toUpperCase()];
  return lower !== upper && lower.length === char.length && upper.length === char.length
    ? lower + upper
    : setChar(code);
}

function setChar(code: number): string {
  if (code < 32 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000))
    return `\\u${code.toString(16).padStart(4, '0')}`;
  const char = String.fromCodePoint(code);
  return /[\^\\\]\-[]/.test(char) ? `\\${char}` : char;
}

/** One member of a set: a code point, or a class. */
function setItem(p: Parser): number | Piece {
  const start = p.at;
  const code = p.text.codePointAt(p.at)!;
  p.at += code > 0xffff ? 2 : 1;
  if (code !== 92) return code;
  const char = p.text[p.at];
  if (char === undefined) throw new RegexError('bad escape (end of pattern)', p.text, start);
  const numeric = numericEscape(p, start, true);
  if (numeric !== undefined) return numeric;
  p.at += 1;
  const known = classes[char.toLowerCase()];
  if (known !== undefined) return char === char.toLowerCase() ? known : complement(char);
  const simple = { n: 10, t: 9, r: 13, f: 12, v: 11, a: 7, b: 8 }[char];
  if (simple !== undefined) return simple;
  if (/[a-zA-Z]/.test(char)) throw new RegexError(`bad escape \\${char}`, p.text, start);
  return char.codePointAt(0)!;
}

// \D, \W and \S inside a set, as ranges or properties.
function complement(letter: string): Piece {
  switch (letter) {
    case 'D':
      return { a: '\\D', u: '\\P{Nd}' };
    case 'W':
      return { a: '\\W', u: '\\p{M}\\p{P}\\p{S}\\p{Z}\\p{C}' };
    default:
      return {
        a: '\\x00-\\x08\\x0e-\\x1b\\x21-\\x7f',
        u: '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}\\x00-\\x08\\x0e-\\x1b\\x7f-\\x84\\x86-\\x9f',
      };
  }
}
