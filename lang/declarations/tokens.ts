/** Words and signs of TypeScript, as far as declarations need them. The record is changed as the reading goes. */
import { skipBrackets, skipComment, skipSlash, skipTemplate, skipText } from './skip-brackets.ts';

export interface Tokens {
  readonly text: string;
  /** Place from which on nothing is read. */
  readonly limit: number;
  /** `lost`: something that the reader does not know; there are no further tokens. */
  kind: 'name' | 'text' | 'template' | 'regex' | 'number' | 'mark' | 'end';
  /** A name or sign as written (`=>` and `...` are one sign), the content of a string. */
  value: string;
  start: number;
  /** Place behind the token. */
  at: number;
  /** True when the token is on another line than the one before. */
  onNewLine: boolean;
  lost: boolean;
  /** Types around the place. */
  depth: number;
}

export function tokensOf(text: string, from: number, limit: number = text.length): Tokens {
  const t: Tokens = {
    text,
    limit,
    kind: 'end',
    value: '',
    start: from,
    at: from,
    onNewLine: true,
    lost: false,
    depth: 0,
  };
  next(t);
  return t;
}

const nameAt = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/y;
const numberAt = /(?:0[xXbBoO][\da-fA-F_]+|[\d_]*\.?[\d_]+(?:[eE][+-]?\d+)?)n?/y;

export function next(t: Tokens): void {
  const { text } = t;
  let { at } = t;
  const before = at - 1;
  t.onNewLine = false;
  for (; at < t.limit; ) {
    const char = text.charCodeAt(at);
    if (char === 10) {
      t.onNewLine = true;
      at += 1;
    } else if (char <= 32 || char === 0xfeff) at += 1;
    else if (char === 47) {
      const behind = skipComment(text, at);
      if (behind === at) break;
      const end = text.indexOf('\n', at);
      if (end >= 0 && end < behind) t.onNewLine = true;
      at = behind;
    } else break;
  }
  t.start = at;
  if (at >= t.limit || t.lost) {
    t.at = t.limit;
    t.kind = 'end';
    t.value = '';
    return;
  }
  readToken(t, at, before);
}

function readToken(t: Tokens, at: number, before: number): void {
  const { text } = t;
  const char = text[at]!;
  if (match(t, nameAt, 'name', at)) return;
  if (char === '"' || char === "'") {
    t.at = skipText(text, at);
    t.kind = 'text';
    t.value = text.slice(at + 1, t.at - 1);
  } else if (char === '`') {
    t.at = skipTemplate(text, at);
    t.kind = 'template';
    t.value = '';
    if (t.at < 0) lose(t);
  } else if (/\d/.test(char) || (char === '.' && /\d/.test(text[at + 1] ?? ''))) match(t, numberAt, 'number', at);
  else {
    t.kind = 'mark';
    t.value = text.startsWith('=>', at) ? '=>' : text.startsWith('...', at) ? '...' : char;
    t.at = char === '/' ? skipSlash(text, at, before, false) : at + t.value.length;
    if (char === '/' && t.at > at + 1) t.kind = 'regex';
  }
}

function match(t: Tokens, pattern: RegExp, kind: Tokens['kind'], at: number): boolean {
  pattern.lastIndex = at;
  const found = pattern.exec(t.text);
  if (found === null) return false;
  t.kind = kind;
  t.value = found[0];
  t.at = pattern.lastIndex;
  return true;
}

/** Gives up: what is being read is of an unknown form. */
export function lose(t: Tokens): void {
  t.lost = true;
  t.at = t.limit;
  t.kind = 'end';
  t.value = '';
}

export function isMark(t: Tokens, value: string): boolean {
  return t.kind === 'mark' && t.value === value;
}

export function isWord(t: Tokens, value: string): boolean {
  return t.kind === 'name' && t.value === value;
}

/** Past this sign, when it is the one here. */
export function tryMark(t: Tokens, value: string): boolean {
  if (!isMark(t, value)) return false;
  next(t);
  return true;
}

export function tryWord(t: Tokens, value: string): boolean {
  if (!isWord(t, value)) return false;
  next(t);
  return true;
}

export function expectMark(t: Tokens, value: string): void {
  if (isMark(t, value)) next(t);
  else lose(t);
}

export function isOpening(t: Tokens): boolean {
  return t.kind === 'mark' && (t.value === '(' || t.value === '[' || t.value === '{');
}

/** Skips from an opening bracket to the token behind the one that closes it. */
export function skipBracketed(t: Tokens): void {
  const end = skipBrackets(t.text, t.start);
  if (end < 0 || end > t.limit) lose(t);
  else {
    t.at = end;
    next(t);
  }
}

/** Skips from `<` to the token behind the `>` that belongs to it. */
export function skipAngles(t: Tokens): void {
  for (let depth = 0; t.kind !== 'end'; ) {
    if (isOpening(t)) {
      skipBracketed(t);
      continue;
    }
    if (isMark(t, '<')) depth += 1;
    else if (isMark(t, '>')) depth -= 1;
    next(t);
    if (depth === 0) return;
  }
  lose(t);
}

/** Looks ahead: what `ask` consumes is given back. */
export function lookAhead<T>(t: Tokens, ask: (t: Tokens) => T): T {
  const { kind, value, start, at, onNewLine, lost } = t;
  const answer = ask(t);
  t.kind = kind;
  t.value = value;
  t.start = start;
  t.at = at;
  t.onNewLine = onNewLine;
  t.lost = lost;
  return answer;
}
