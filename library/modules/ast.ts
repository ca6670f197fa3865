/**
 * Module `ast`, as far as it reads values: `literal_eval` (docs/language/standard-modules.md#differences). There are no
 * trees of source text at run time.
 */

import { float, int } from '../builtins/conversions.ts';
import { functions, type Members } from '../builtins/module.ts';
import { call } from '../values/calls/calls.ts';
import { Dict } from '../values/containers/dict.ts';
import { PySet } from '../values/containers/sets.ts';
import { setitem } from '../values/containers/subscripts.ts';
import { Tuple, tuple } from '../values/containers/tuple.ts';
import { asNumber } from '../values/numbers/numbers.ts';
import { SyntaxError, ValueError } from '../values/objects/exceptions.ts';
import { neg } from '../values/objects/operators.ts';
import { address, reprOf } from '../values/objects/repr.ts';
import { Ellipsis } from '../values/objects/singletons.ts';
import { Bytes } from '../values/text/bytes.ts';
import { escapes } from '../values/text/escape-codecs.ts';

interface Reader {
  readonly text: string;
  at: number;
  /** Number of open brackets: line ends count for nothing inside. */
  depth: number;
}

/** @throws SyntaxError for what is no expression, ValueError for an expression that is no literal */
function literalEval(given: unknown): unknown {
  if (typeof given !== 'string') throw new ValueError(`malformed node or string: ${reprOf(given)}`);
  const r: Reader = { text: given.replace(/^[ \t]+/, ''), at: 0, depth: 0 };
  const value = expression(r);
  r.depth = 1;
  skip(r);
  if (r.at < r.text.length) throw wrong(r);
  return value;
}

// `1, 2` without parentheses is a tuple.
function expression(r: Reader): unknown {
  const first = signed(r);
  skip(r);
  if (r.text[r.at] !== ',') return first;
  const items = [first];
  while (takes(r, ',')) {
    if (r.at === r.text.length || ')]}\n'.includes(r.text[r.at]!)) break;
    items.push(signed(r));
    skip(r);
  }
  return new Tuple(items);
}

function signed(r: Reader): unknown {
  skip(r);
  const sign = r.text[r.at];
  const value = sign === '-' || sign === '+' ? signedNumber(r, sign) : atom(r);
  skip(r);
  const rest = r.text.slice(r.at);
  if (/^(\(|\[|\.[A-Za-z_])/.test(rest))
    throw malformed(r, rest[0] === '(' ? 'Call' : rest[0] === '[' ? 'Subscript' : 'Attribute');
  if (/^([-+*/%@&|^]|<<|>>)/.test(rest)) throw malformed(r, 'BinOp');
  if (/^([<>]|[=!]=|(in|is|not)\b)/.test(rest)) throw malformed(r, 'Compare');
  if (/^(and|or)\b/.test(rest)) throw malformed(r, 'BoolOp');
  return value;
}

function signedNumber(r: Reader, sign: string): unknown {
  r.at += 1;
  skip(r);
  if (r.text[r.at] === '-' || r.text[r.at] === '+') throw malformed(r, 'UnaryOp');
  const inner = atom(r);
  if (asNumber(inner) === undefined || typeof inner === 'boolean') throw malformed(r, 'UnaryOp');
  return sign === '-' ? neg(inner) : inner;
}

const numberAt =
  /0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*)?\.\d[\d_]*(?:[eE][-+]?\d+)?|\d[\d_]*\.?(?:[eE][-+]?\d+)?/y;
const stringAt = /([rRbBuUfF]{0,2})("""|'''|"|')/y;
const wordAt = /[\p{XID_Start}_]\p{XID_Continue}*/uy;

function atom(r: Reader): unknown {
  const text = matched(r, stringAt);
  if (text !== null) return strings(r, text);
  const number = matched(r, numberAt);
  if (number !== null) {
    r.at += number[0].length;
    return /^\d[\d_]*$|^0[xXoObB]/.test(number[0]) ? call(int, number[0], 0) : call(float, number[0]);
  }
  const word = matched(r, wordAt)?.[0];
  if (word !== undefined) return named(r, word);
  if (r.text.startsWith('...', r.at)) {
    r.at += 3;
    return Ellipsis;
  }
  switch (r.text[r.at]) {
    case '(':
      return inBrackets(r, () => (takes(r, ')') ? tuple() : closed(r, expression(r), ')')));
    case '[':
      return inBrackets(r, () => itemsUpTo(r, ']', () => signed(r)));
    case '{':
      return inBrackets(r, () => braces(r));
    default:
      throw wrong(r);
  }
}

function named(r: Reader, word: string): unknown {
  r.at += word.length;
  if (word === 'None') return null;
  if (word === 'True' || word === 'False') return word === 'True';
  if (word === 'set' && /^\s*\(\s*\)/.test(r.text.slice(r.at))) {
    r.at = r.text.indexOf(')', r.at) + 1;
    return new PySet([]);
  }
  throw malformed(r, /^\s*\(/.test(r.text.slice(r.at)) ? 'Call' : 'Name');
}

// Literals side by side are one.
function strings(r: Reader, first: RegExpExecArray): unknown {
  const parts: unknown[] = [];
  for (let next: RegExpExecArray | null = first; next !== null; next = matched(r, stringAt)) {
    parts.push(string(r, next));
    skip(r);
  }
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  if (!parts.every((part) => part instanceof Bytes)) throw wrong(r, 'cannot mix bytes and nonbytes literals');
  return new Bytes(Uint8Array.from((parts as Bytes[]).flatMap((part) => [...part.data])));
}

function string(r: Reader, [opening, prefix, quote]: RegExpExecArray): unknown {
  const kind = prefix!.toLowerCase();
  if (kind.includes('f')) throw malformed(r, 'JoinedStr');
  let at = r.at + opening.length;
  const from = at;
  while (!r.text.startsWith(quote!, at)) {
    if (at >= r.text.length || (quote!.length === 1 && r.text[at] === '\n'))
      throw wrong(
        r,
        `unterminated ${quote!.length === 3 ? 'triple-quoted ' : ''}string literal (detected at line ${lineOf(r, at)})`,
      );
    at += r.text[at] === '\\' ? 2 : 1;
  }
  const inner = r.text.slice(from, at).replace(/\r\n?/g, '\n');
  r.at = at + quote!.length;
  const isBytes = kind.includes('b');
  const text = kind.includes('r') ? inner : unescaped(r, inner, isBytes);
  return isBytes ? new Bytes(Uint8Array.from(text, (char) => char.charCodeAt(0))) : text;
}

function unescaped(r: Reader, text: string, isBytes: boolean): string {
  return text.replace(
    /\\(?:([abfnrtv\\'"\n])|([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/g,
    (all, char?: string, octal?: string, byte?: string, short?: string, long?: string) => {
      if (char !== undefined) return escapes[char]!;
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
      if (isBytes) return all;
      const code = Number.parseInt((short ?? long)!, 16);
      if (code > 0x10ffff) throw wrong(r, `(unicode error) illegal Unicode character: ${all}`);
      return String.fromCodePoint(code);
    },
  );
}

function inBrackets<T>(r: Reader, read: () => T): T {
  r.at += 1;
  r.depth += 1;
  skip(r);
  const value = read();
  r.depth -= 1;
  return value;
}

function braces(r: Reader): unknown {
  if (takes(r, '}')) return new Dict();
  const first = signed(r);
  if (!takes(r, ':')) return new PySet(itemsUpTo(r, '}', () => signed(r), first));
  const made = new Dict();
  setitem(made, first, signed(r));
  if (!takes(r, ',')) {
    closed(r, null, '}');
    return made;
  }
  itemsUpTo(r, '}', () => {
    const key = signed(r);
    if (!takes(r, ':')) throw wrong(r);
    setitem(made, key, signed(r));
  });
  return made;
}

/** Items to the closing bracket, which is taken; `first` has been read. */
function itemsUpTo<T>(r: Reader, close: string, read: () => T, ...first: T[]): T[] {
  const items = first;
  if (first.length > 0 && !takes(r, ',')) return closed(r, items, close);
  while (!takes(r, close)) {
    items.push(read());
    if (!takes(r, ',')) return closed(r, items, close);
  }
  return items;
}

function closed<T>(r: Reader, value: T, close: string): T {
  if (takes(r, close)) return value;
  if (r.at < r.text.length) throw wrong(r);
  throw wrong(r, `'${{ ')': '(', ']': '[', '}': '{' }[close]}' was never closed`);
}

function takes(r: Reader, sign: string): boolean {
  skip(r);
  if (!r.text.startsWith(sign, r.at)) return false;
  r.at += sign.length;
  skip(r);
  return true;
}

function skip(r: Reader): void {
  const space = r.depth > 0 ? /(?:\s|#[^\n]*|\\\n)*/y : /(?:[ \t\f]|\\\n)*(?:#[^\n]*)?/y;
  r.at += matched(r, space)![0].length;
}

function matched(r: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = r.at;
  return pattern.exec(r.text);
}

const lineOf = (r: Reader, at: number): number => r.text.slice(0, at).split('\n').length;

function wrong(r: Reader, message = 'invalid syntax'): SyntaxError {
  return new SyntaxError(message, tuple('<unknown>', lineOf(r, r.at), r.at + 1, r.text));
}

function malformed(r: Reader, kind: string): ValueError {
  return new ValueError(`malformed node or string on line ${lineOf(r, r.at)}: <ast.${kind} object at ${address(r)}>`);
}

export function makeAst(): Members {
  return functions('ast', { literal_eval: ['node_or_string', literalEval] });
}
