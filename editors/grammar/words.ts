/**
 * Words of the language by what editors colour alike, taken from the scanner's own tables (lang/1-parse/tokens.ts). A new word of
 * the language that no group takes makes `wordGroups` throw.
 */
import * as t from '../../lang/1-parse/tokens.ts';

export interface WordGroups {
  /** Words that begin or belong to a statement. */
  readonly control: readonly string[];
  /** Words that begin a declaration. */
  readonly declaration: readonly string[];
  /** Words that stand before a declaration and change it. */
  readonly modifier: readonly string[];
  /** Words between or before operands. */
  readonly operator: readonly string[];
  readonly constant: readonly string[];
  /** References with a meaning: `self`, `here` and their kin. */
  readonly special: readonly string[];
  /** Names that mean something in one place only. */
  readonly soft: readonly string[];
  readonly types: readonly string[];
  /** Reserved words that are plain names in some places. */
  readonly names: readonly string[];
  /** Words that join two operands or follow one: before them no word is a keyword. */
  readonly joiner: readonly string[];
  /** Words behind which an operand is due, so that `<` begins markup. */
  readonly beforeOperand: readonly string[];
}

// biome-ignore format: a dense table
const declarations = [
  t.OBJ, t.CLASS, t.NODE, t.EDGE, t.WALKER, t.ENUM, t.DEF, t.CAN, t.HAS, t.GLOB, t.IMPL, t.TEST, t.SEM, t.LAMBDA,
];
const modifiers = [t.ASYNC, t.STATIC, t.OVERRIDE, t.PUB, t.PRIV, t.PROTECT, t.ABST];
const operators = [t.AND, t.OR, t.NOT, t.IN, t.IS, t.AS, t.BY, t.SPAWN];
const constants = [t.TRUE, t.FALSE, t.NONE];
// biome-ignore format: a dense table
const control = [
  t.ASSERT, t.AWAIT, t.BREAK, t.CASE, t.CONTINUE, t.DEFAULT, t.DEL, t.DISENGAGE, t.ELIF, t.ELSE, t.ENTRY, t.EXCEPT, t.EXIT, t.FINALLY,
  t.FLOW, t.FOR, t.FROM, t.IF, t.IMPORT, t.INCLUDE, t.INIT, t.MATCH, t.POSTINIT, t.RAISE, t.REPORT, t.RETURN, t.SKIP, t.SWITCH, t.TRY,
  t.VISIT, t.WAIT, t.WHILE, t.WITH, t.YIELD,
];
// biome-ignore format: a dense table
const operandFollows = [
  t.AND, t.OR, t.NOT, t.IN, t.IS, t.RETURN, t.REPORT, t.YIELD, t.ELSE, t.IF, t.ELIF, t.WHILE, t.CASE, t.AWAIT, t.VISIT, t.RAISE, t.ASSERT,
];

/** Every word of the language in its group, in the order of the table. */
export function wordGroups(): WordGroups {
  const of = (kinds: readonly number[]) => t.words.filter(([, kind]) => kinds.includes(kind)).map(([word]) => word);
  const flagged = (flags: Uint8Array) => t.words.filter(([, kind]) => flags[kind] === 1).map(([word]) => word);
  const groups: WordGroups = {
    control: of(control),
    declaration: of(declarations),
    modifier: of(modifiers),
    operator: of(operators),
    constant: of(constants),
    special: flagged(t.isSpecial),
    soft: t.words.filter(([, kind]) => kind <= t.LAST_IDENTIFIER && kind !== t.TYPE).map(([word]) => word),
    types: [...t.builtinTypes, ...of([t.TYPE])],
    names: of([...control, ...declarations, ...modifiers, ...operators].filter((kind) => t.namesNoParam[kind] === 0)),
    joiner: flagged(t.isJoiner),
    beforeOperand: of(operandFollows),
  };
  const taken = [groups.control, groups.declaration, groups.modifier, groups.operator, groups.constant, groups.special];
  const known = [...taken, groups.soft, groups.types].flat();
  const left = t.words.filter(([word]) => known.filter((other) => other === word).length !== 1);
  if (left.length > 0) throw new Error(`Words in no group, or in two: ${left.map(([word]) => word).join(', ')}`);
  return groups;
}

/** Operators and punctuation of plain mode by family, longest first in each. */
export interface OperatorGroups {
  /** Hops and links of the graph: `-->`, `++>`, `->:`. */
  readonly graph: readonly string[];
  readonly assignment: readonly string[];
  readonly comparison: readonly string[];
  readonly arrow: readonly string[];
  /** Arithmetic, bits, logic and pipes. */
  readonly other: readonly string[];
}

export function operatorGroups(): OperatorGroups {
  const between = (from: number, to: number) => longestFirst(t.spelling.slice(from, to + 1));
  const spelled = (...kinds: readonly number[]) => longestFirst(kinds.map((kind) => t.spelling[kind]!));
  const graph = between(t.HOP_OUT, t.LINK_IN_CLOSE);
  const assignment = [...between(t.FIRST_AUGMENTED, t.LAST_AUGMENTED), ...spelled(t.WALRUS, t.ASSIGN)];
  // As JavaScript spells them, too: the scanner takes `===` and `!==` as one token.
  const comparison = longestFirst(['===', '!==', ...spelled(t.EQ, t.NE, t.LE, t.GE, t.LT, t.GT)]);
  const arrow = spelled(t.ARROW, t.FAT_ARROW);
  const taken = new Set([...graph, ...assignment, ...comparison, ...arrow]);
  const rest = [...t.spelling.slice(t.QUESTION, t.COUNT), t.spelling[t.ELLIPSIS]!];
  return { graph, assignment, comparison, arrow, other: longestFirst(rest.filter((text) => !taken.has(text))) };
}

function longestFirst(texts: readonly string[]): string[] {
  return texts.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
}
