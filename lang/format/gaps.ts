/**
 * Kinds of gap between two tokens. Every gap has a kind, which the rules for each construct set (statements.ts,
 * expressions.ts …); where no rule speaks, `defaultGap` does.
 */
import * as t from '../1-parse/tokens.ts';
import { ATTRIBUTE, FOREIGN, TAG, TAG_CLOSE, TAG_END, TAG_SELF_END, TEXT, TEXT_COMMENT, type Tokens } from './scan.ts';

export const NONE = 0;
export const SPACE = 1;
/** A line end where the group it belongs to is broken, else nothing. */
export const SOFT = 2;
/** A line end where the group it belongs to is broken, else a space. */
export const LINE = 3;
/** Always a line end. */
export const HARD = 4;
/** A line end where what follows does not fit, else a space. */
export const FILL = 5;
/** The white space as written: it has a meaning. */
export const KEPT = 6;

/** The gap before token `i` as far as the two tokens alone decide it. */
export function defaultGap({ kinds, inText }: Tokens, i: number): number {
  if (i === 0) return NONE;
  const before = kinds[i - 1]!;
  const after = kinds[i]!;
  if (inText[i]) return NONE;
  if (after === FOREIGN || before === FOREIGN) return HARD;
  if (before >= TAG || after >= TAG) return markupGap(before, after);
  if (hugsLeft[after] === 1 || hugsRight[before] === 1) return NONE;
  if (after === t.LPAREN || after === t.LBRACKET) return endsOperand(before) ? NONE : SPACE;
  return SPACE;
}

function markupGap(before: number, after: number): number {
  if (after === TAG_END || before === TAG || before === TEXT_COMMENT) return NONE;
  if (after === TAG_SELF_END || after === ATTRIBUTE) return SPACE;
  if (before === TAG_SELF_END || before === TAG_CLOSE)
    return hugsLeft[after] === 1 || after === t.LPAREN || after === t.LBRACKET ? NONE : SPACE;
  if (before === ATTRIBUTE || before === TAG_END || before === TEXT) return NONE;
  return hugsRight[before] === 1 ? NONE : SPACE;
}

/** Tells whether a bracket behind the token is an argument list or a subscript. */
function endsOperand(kind: number): boolean {
  if (kind <= t.LAST_IDENTIFIER) return true;
  return kind === t.STRING || kind === t.NUMBER || kind === t.RPAREN || kind === t.RBRACKET || isNameLike[kind] === 1;
}

const hugsLeft = table(t.COMMA, t.SEMI, t.RPAREN, t.RBRACKET, t.RBRACE, t.DOT, t.QUESTION, t.COLON, t.HOP_OUT_CLOSE);
hugsLeft[t.HOP_IN_CLOSE] = 1;
const hugsRight = table(t.LPAREN, t.LBRACKET, t.LBRACE, t.DOT, t.QUESTION, t.BACKTICK, t.AT, t.TILDE, t.HOP_OUT_OPEN);
hugsRight[t.HOP_IN_OPEN] = 1;
const isNameLike = table(
  t.SELF,
  t.SUPER,
  t.HERE,
  t.VISITOR,
  t.ROOT,
  t.PROPS,
  t.INIT,
  t.POSTINIT,
  t.TRUE,
  t.FALSE,
  t.NONE,
);

function table(...kinds: readonly number[]): Uint8Array {
  const found = new Uint8Array(t.COUNT + 16);
  for (const kind of kinds) found[kind] = 1;
  return found;
}

/** Tells whether two tokens side by side would be read as something else. */
export function wouldMerge({ text, kinds, starts, ends }: Tokens, i: number): boolean {
  const before = kinds[i - 1]!;
  const after = kinds[i]!;
  if (before >= TAG || after >= TAG) return false;
  const last = text.charCodeAt(ends[i - 1]! - 1);
  const first = text.charCodeAt(starts[i]!);
  if (isWordUnit(last) && (isWordUnit(first) || first === 0x22 || first === 0x27) && before !== t.STRING) return true;
  if (before === t.NUMBER && (after === t.DOT || after === t.ELLIPSIS || after === t.DOT_PIPE))
    return ends[i - 1] !== starts[i];
  if (before === t.STRING && after === t.STRING) return last === first;
  if (isWordUnit(last) || isWordUnit(first)) return last === 0x2e && first >= 0x30 && first <= 0x39;
  const token = text.slice(starts[i - 1]!, ends[i - 1]!);
  const joined = token + text.slice(starts[i]!, ends[i]!) + text.slice(starts[i + 1], ends[i + 1]);
  return operators.some((operator) => operator.length > token.length && joined.startsWith(operator));
}

function isWordUnit(c: number): boolean {
  return (c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x5a) || c === 0x5f || (c >= 0x61 && c <= 0x7a);
}

const operators = t.spelling.filter((spelling) => spelling !== undefined && /^\W{2,}$/.test(spelling));
