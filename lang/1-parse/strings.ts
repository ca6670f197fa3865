/** String literals (docs/language/lexical.md#strings): plain ones, and the concatenation of neighbours of all kinds. */
import type { FormatPart, Joined, StringLiteral } from './ast.ts';
import { fail } from './complain.ts';
import { decodeText } from './escapes.ts';
import { parseFormatted } from './formatted.ts';
import { next } from './lexer.ts';
import type { Parser } from './parser.ts';
import * as t from './tokens.ts';

/** One or more string literals side by side; the current token is one. */
export function parseStrings(p: Parser): StringLiteral | Joined {
  const { start } = p;
  const first = parseOne(p);
  if (p.tok !== t.STRING && p.tok !== t.FSTRING) return first;
  const parts: (StringLiteral | FormatPart)[] = [];
  addParts(parts, first);
  const bytes = first.kind === 'StringLiteral' && first.bytes;
  let isMixed = false;
  while (p.tok === t.STRING || p.tok === t.FSTRING) {
    const from = p.start;
    const end = p.end;
    const piece = parseOne(p);
    const isBytes = piece.kind === 'StringLiteral' && piece.bytes;
    if (isBytes !== bytes && !isMixed) fail(p, 'E0106', from, end);
    isMixed ||= isBytes !== bytes;
    addParts(parts, piece);
  }
  const end = p.prevEnd;
  if (parts.every((part) => part.kind === 'StringLiteral')) {
    return { kind: 'StringLiteral', start, end, bytes, value: parts.map((part) => part.value).join('') };
  }
  return { kind: 'Joined', start, end, parts };
}

/** The literal that is the current STRING token, alone. */
export function takeString(p: Parser): StringLiteral {
  const { start, end } = p;
  const literal: StringLiteral = decodeLiteral(p, start, end);
  next(p);
  return literal;
}

/** The literal that is the current STRING token, which stays the current one. */
export function stringHere(p: Parser): StringLiteral {
  return decodeLiteral(p, p.start, p.end);
}

function parseOne(p: Parser): StringLiteral | Joined {
  return p.tok === t.STRING ? takeString(p) : parseFormatted(p);
}

function decodeLiteral(p: Parser, start: number, end: number): StringLiteral {
  const { text } = p;
  let bytes = false;
  let raw = false;
  let i = start;
  let c = text.charCodeAt(i);
  while (c !== 0x22 && c !== 0x27) {
    if ((c | 0x20) === 0x62) bytes = true;
    else raw = true;
    c = text.charCodeAt(++i);
  }
  const isTriple = end - i >= 6 && text.charCodeAt(i + 1) === c && text.charCodeAt(i + 2) === c;
  const quotes = isTriple ? 3 : 1;
  const from = i + quotes;
  const isClosed =
    end - quotes >= from && text.charCodeAt(end - 1) === c && (!isTriple || text.charCodeAt(end - 2) === c);
  const to = isClosed ? end - quotes : Math.max(from, end);
  const value = p.isPlain && !bytes ? text.slice(from, to) : decodeText(p, from, to, { bytes, raw });
  return { kind: 'StringLiteral', start, end, bytes, value };
}

function addParts(parts: (StringLiteral | FormatPart)[], piece: StringLiteral | Joined): void {
  if (piece.kind === 'Joined') parts.push(...piece.parts);
  else parts.push(piece);
}
