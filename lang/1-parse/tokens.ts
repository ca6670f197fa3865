/**
 * Token kinds: small numbers, so that the parser can ask tables about them. Order carries meaning: words come first, plain
 * identifiers before reserved words, and families (augmented assignment, hops, links) are neighbours.
 *
 * Below the kinds: the words of the language, and the tables (operator precedence, what may begin an operand …) indexed by kind.
 */
// ---- words that are plain names, some with a meaning in one position
export const EOF: number = 0;
export const NAME: number = 1;
export const ABS: number = 2;
export const GLOBAL: number = 3;
export const NONLOCAL: number = 4;
export const LET: number = 5;
export const TO: number = 6;
export const CL: number = 7;
export const SV: number = 8;
export const NA: number = 9;
export const OWN: number = 10;
export const IMM: number = 11;
export const MUT: number = 12;
export const FOREVER: number = 13;
export const AWAITING: number = 14;
export const GETTER: number = 15;
export const SETTER: number = 16;
export const DELETER: number = 17;
export const CHECK: number = 18;
export const IGNORE: number = 19;
export const CATCH: number = 20;
export const NEW: number = 21;
export const BUILTIN_TYPE: number = 22; // any bool bytes … but not `type`
export const TYPE: number = 23;
export const LAST_IDENTIFIER: number = TYPE;

// ---- reserved words
export const ABST: number = 24;
export const AND: number = 25;
export const AS: number = 26;
export const ASSERT: number = 27;
export const ASYNC: number = 28;
export const AWAIT: number = 29;
export const BREAK: number = 30;
export const BY: number = 31;
export const CAN: number = 32;
export const CASE: number = 33;
export const CLASS: number = 34;
export const CONTINUE: number = 35;
export const DEF: number = 36;
export const DEFAULT: number = 37;
export const DEL: number = 38;
export const DISENGAGE: number = 39;
export const EDGE: number = 40;
export const ELIF: number = 41;
export const ELSE: number = 42;
export const ENTRY: number = 43;
export const ENUM: number = 44;
export const EXCEPT: number = 45;
export const EXIT: number = 46;
export const FALSE: number = 47;
export const FINALLY: number = 48;
export const FLOW: number = 49;
export const FOR: number = 50;
export const FROM: number = 51;
export const GLOB: number = 52;
export const HAS: number = 53;
export const HERE: number = 54;
export const IF: number = 55;
export const IMPL: number = 56;
export const IMPORT: number = 57;
export const IN: number = 58;
export const INCLUDE: number = 59;
export const INIT: number = 60;
export const IS: number = 61;
export const LAMBDA: number = 62;
export const MATCH: number = 63;
export const NODE: number = 64;
export const NONE: number = 65;
export const NOT: number = 66;
export const OBJ: number = 67;
export const OR: number = 68;
export const OVERRIDE: number = 69;
export const POSTINIT: number = 70;
export const PRIV: number = 71;
export const PROPS: number = 72;
export const PROTECT: number = 73;
export const PUB: number = 74;
export const RAISE: number = 75;
export const REPORT: number = 76;
export const RETURN: number = 77;
export const ROOT: number = 78;
export const SELF: number = 79;
export const SEM: number = 80;
export const SKIP: number = 81;
export const SPAWN: number = 82;
export const STATIC: number = 83;
export const SUPER: number = 84;
export const SWITCH: number = 85;
export const TEST: number = 86;
export const TRUE: number = 87;
export const TRY: number = 88;
export const VISIT: number = 89;
export const VISITOR: number = 90;
export const WAIT: number = 91;
export const WALKER: number = 92;
export const WHILE: number = 93;
export const WITH: number = 94;
export const YIELD: number = 95;
export const LAST_WORD: number = YIELD;

// ---- literals
export const NUMBER: number = 96;
export const STRING: number = 97; // with its prefix
export const FSTRING: number = 98; // prefix and opening quote of a formatted string

// ---- brackets and punctuation
export const LPAREN: number = 99; // (
export const RPAREN: number = 100; // )
export const LBRACKET: number = 101; // [
export const RBRACKET: number = 102; // ]
export const LBRACE: number = 103; // {
export const RBRACE: number = 104; // }
export const COMMA: number = 105; // ,
export const COLON: number = 106; // :
export const SEMI: number = 107; // ;
export const DOT: number = 108; // .
export const ELLIPSIS: number = 109; // ...
export const QUESTION: number = 110; // ?
export const BACKTICK: number = 111; // `, not before a name
export const AT: number = 112; // @
export const ARROW: number = 113; // ->
export const ASSIGN: number = 114; // =
export const BANG: number = 115; // !, not before =
export const FAT_ARROW: number = 116; // =>, in no program
export const DOT_PIPE: number = 117; // .>
export const PIPE_DOT: number = 118; // <.

// ---- operators
export const WALRUS: number = 119; // :=
export const PIPE: number = 120; // |>
export const PIPE_BACK: number = 121; // <|
export const OR_OR: number = 122; // ||
export const AND_AND: number = 123; // &&
export const EQ: number = 124; // ==
export const NE: number = 125; // !=
export const LT: number = 126; // <
export const GT: number = 127; // >
export const LE: number = 128; // <=
export const GE: number = 129; // >=
export const BAR: number = 130; // |
export const CARET: number = 131; // ^
export const AMP: number = 132; // &
export const SHL: number = 133; // <<
export const SHR: number = 134; // >>
export const PLUS: number = 135; // +
export const MINUS: number = 136; // -
export const STAR: number = 137; // *
export const SLASH: number = 138; // /
export const SLASH_SLASH: number = 139; // //
export const PERCENT: number = 140; // %
export const STAR_STAR: number = 141; // **
export const TILDE: number = 142; // ~
export const COLON_GT: number = 143; // :>
export const LT_COLON: number = 144; // <:

// ---- augmented assignment
export const PLUS_EQ: number = 145; // +=
export const MINUS_EQ: number = 146; // -=
export const STAR_EQ: number = 147; // *=
export const SLASH_EQ: number = 148; // /=
export const SLASH_SLASH_EQ: number = 149; // //=
export const PERCENT_EQ: number = 150; // %=
export const STAR_STAR_EQ: number = 151; // **=
export const AT_EQ: number = 152; // @=
export const AMP_EQ: number = 153; // &=
export const BAR_EQ: number = 154; // |=
export const CARET_EQ: number = 155; // ^=
export const SHL_EQ: number = 156; // <<=
export const SHR_EQ: number = 157; // >>=
export const FIRST_AUGMENTED: number = PLUS_EQ;
export const LAST_AUGMENTED: number = SHR_EQ;

// ---- graph arrows
export const HOP_OUT: number = 158; // -->
export const HOP_IN: number = 159; // <--
export const HOP_ANY: number = 160; // <-->
export const HOP_OUT_OPEN: number = 161; // ->:
export const HOP_IN_OPEN: number = 162; // <-:
export const HOP_OUT_CLOSE: number = 163; // :->
export const HOP_IN_CLOSE: number = 164; // :<-
export const LINK_OUT: number = 165; // ++>
export const LINK_IN: number = 166; // <++
export const LINK_ANY: number = 167; // <++>
export const LINK_OUT_OPEN: number = 168; // +>:
export const LINK_IN_OPEN: number = 169; // <+:
export const LINK_OUT_CLOSE: number = 170; // :+>
export const LINK_IN_CLOSE: number = 171; // :<+
export const COUNT: number = 172;

/** Words with a kind of their own. Names not in here are NAME; those of `builtinTypes` are BUILTIN_TYPE. */
// biome-ignore format: a dense table
export const words: readonly (readonly [string, number])[] = [
  ['abs', ABS], ['global', GLOBAL], ['nonlocal', NONLOCAL], ['let', LET], ['to', TO], ['cl', CL], ['sv', SV], ['na', NA], ['own', OWN],
  ['imm', IMM], ['mut', MUT], ['forever', FOREVER], ['awaiting', AWAITING], ['getter', GETTER], ['setter', SETTER], ['deleter', DELETER],
  ['check', CHECK], ['ignore', IGNORE], ['catch', CATCH], ['new', NEW], ['type', TYPE],
  ['abst', ABST], ['and', AND], ['as', AS], ['assert', ASSERT], ['async', ASYNC], ['await', AWAIT], ['break', BREAK], ['by', BY],
  ['can', CAN], ['case', CASE], ['class', CLASS], ['continue', CONTINUE], ['def', DEF], ['default', DEFAULT], ['del', DEL],
  ['disengage', DISENGAGE], ['edge', EDGE], ['elif', ELIF], ['else', ELSE], ['entry', ENTRY], ['enum', ENUM], ['except', EXCEPT],
  ['exit', EXIT], ['False', FALSE], ['finally', FINALLY], ['flow', FLOW], ['for', FOR], ['from', FROM], ['glob', GLOB], ['has', HAS],
  ['here', HERE], ['if', IF], ['impl', IMPL], ['import', IMPORT], ['in', IN], ['include', INCLUDE], ['init', INIT], ['is', IS],
  ['lambda', LAMBDA], ['match', MATCH], ['node', NODE], ['None', NONE], ['not', NOT], ['obj', OBJ], ['or', OR], ['override', OVERRIDE],
  ['postinit', POSTINIT], ['priv', PRIV], ['props', PROPS], ['protect', PROTECT], ['pub', PUB], ['raise', RAISE], ['report', REPORT],
  ['return', RETURN], ['root', ROOT], ['self', SELF], ['sem', SEM], ['skip', SKIP], ['spawn', SPAWN], ['static', STATIC],
  ['super', SUPER], ['switch', SWITCH], ['test', TEST], ['True', TRUE], ['try', TRY], ['visit', VISIT], ['visitor', VISITOR],
  ['wait', WAIT], ['walker', WALKER], ['while', WHILE], ['with', WITH], ['yield', YIELD],
];

// biome-ignore format: a dense table
export const builtinTypes: readonly string[] = [
  'any', 'bool', 'bytes', 'dict', 'float', 'int', 'list', 'set', 'str', 'tuple',
  'i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'f32', 'f64',
];

// ---- tables by kind

/** Reserved words no parameter can have as its name: what no name can mean in an operand. */
export const namesNoParam = new Uint8Array(COUNT);
// biome-ignore format: a dense table
for (const kind of [
  AND, AS, ASSERT, ASYNC, AWAIT, BREAK, CLASS, CONTINUE, DEF, DEL, ELIF, ELSE, EXCEPT, FALSE, FINALLY, FOR, FROM, IF, IMPORT, IN, IS,
  LAMBDA, NONE, NOT, OR, RAISE, RETURN, ROOT, SUPER, TRUE, TRY, WHILE, WITH, YIELD,
]) namesNoParam[kind] = 1;

/**
 * Infix operators, levels 4 to 19 of docs/language/expressions.md#precedence, by how tight they bind; 0 for other tokens.
 * Connect, `spawn` and so on: see `isTight`.
 */
export const precedence = new Uint8Array(COUNT);
export const P_WALRUS: number = 1;
export const P_BY: number = 2;
export const P_PIPE: number = 3;
export const P_PIPE_BACK: number = 4;
export const P_ELVIS: number = 5;
export const P_OR: number = 6;
export const P_AND: number = 7;
export const P_COMPARE: number = 9;
export const P_AS: number = 10;
export const P_BAR: number = 11;
export const P_CARET: number = 12;
const P_AMP: number = 13;
const P_SHIFT: number = 14;
export const P_SUM: number = 15;
const P_TERM: number = 16;
export const P_POWER: number = 17;
precedence[WALRUS] = P_WALRUS;
precedence[BY] = P_BY;
precedence[PIPE] = P_PIPE;
precedence[PIPE_BACK] = P_PIPE_BACK;
// The first half of `?:`: any other `?` belongs to an operand.
precedence[QUESTION] = P_ELVIS;
for (const kind of [OR, OR_OR]) precedence[kind] = P_OR;
for (const kind of [AND, AND_AND]) precedence[kind] = P_AND;
for (const kind of [EQ, NE, LT, GT, LE, GE, IN, IS, NOT]) precedence[kind] = P_COMPARE;
precedence[AS] = P_AS;
precedence[BAR] = P_BAR;
precedence[CARET] = P_CARET;
precedence[AMP] = P_AMP;
for (const kind of [SHL, SHR]) precedence[kind] = P_SHIFT;
for (const kind of [PLUS, MINUS]) precedence[kind] = P_SUM;
for (const kind of [STAR, SLASH, SLASH_SLASH, PERCENT, AT]) precedence[kind] = P_TERM;
precedence[STAR_STAR] = P_POWER;

/** Operators of levels 21 to 24: connect, disconnect, `:>`, `<:`, `spawn`. */
// biome-ignore format: a dense table
export const isTight = table([
  SPAWN, COLON_GT, LT_COLON, DEL, LINK_OUT, LINK_IN, LINK_ANY, LINK_OUT_OPEN, LINK_IN_OPEN,
]);

/** Tokens that begin a hop of an edge reference. */
export const isHop = table([HOP_OUT, HOP_IN, HOP_ANY, HOP_OUT_OPEN, HOP_IN_OPEN]);

/** Reserved words that join or follow operands and so never begin one when an operand follows them. */
export const isJoiner = table([AND, OR, IN, IS, AS, IF, ELSE, ELIF, FOR, BY, FROM, EXCEPT, FINALLY, CASE]);

/** Reserved words that begin a statement or declaration when they stand first on a line. */
// biome-ignore format: a dense table
export const beginsStatement = table([
  IF, WHILE, FOR, TRY, WITH, MATCH, SWITCH, RETURN, BREAK, CONTINUE, SKIP, DISENGAGE, RAISE, ASSERT, DEL, GLOB, VISIT, REPORT, IMPORT,
  INCLUDE, DEF, CAN, HAS, OBJ, CLASS, NODE, EDGE, WALKER, ENUM, IMPL, ASYNC, STATIC, OVERRIDE, TEST, SEM, ELIF, ELSE, EXCEPT, FINALLY,
  CASE, YIELD,
]);

/** Words that begin a statement in the body of a class and no member. */
export const beginsBodyStatement = table([IF, WHILE, FOR, TRY, WITH, MATCH, SWITCH, ASSERT, RAISE, DEL, IMPORT]);

/** Words read as references with a meaning (docs/language/expressions.md#special-references). */
export const isSpecial = table([SELF, SUPER, HERE, VISITOR, ROOT, PROPS]);

/** Tokens that may begin an operand; words are judged by `canBeginOperand` in look-ahead.ts. */
// biome-ignore format: a dense table
export const beginsOperand = table([
  NUMBER, STRING, FSTRING, LPAREN, LBRACKET, LBRACE, ELLIPSIS, MINUS, PLUS, TILDE, STAR, AMP, LT, PIPE, COLON_GT, BACKTICK, BANG,
]);

/** Fixed spellings of tokens that are not words, for messages and operators. */
export const spelling: readonly string[] = makeSpellings();

function table(kinds: readonly number[]): Uint8Array {
  const flags = new Uint8Array(COUNT);
  for (const kind of kinds) flags[kind] = 1;
  return flags;
}

function makeSpellings(): string[] {
  const list = new Array<string>(COUNT).fill('');
  for (const [word, kind] of words) list[kind] = word;
  // biome-ignore format: a dense table
  const fixed: readonly (readonly [number, string])[] = [
    [LPAREN, '('], [RPAREN, ')'], [LBRACKET, '['], [RBRACKET, ']'], [LBRACE, '{'], [RBRACE, '}'], [COMMA, ','], [COLON, ':'], [SEMI, ';'],
    [DOT, '.'], [ELLIPSIS, '...'], [QUESTION, '?'], [BACKTICK, '`'], [AT, '@'], [ARROW, '->'], [ASSIGN, '='], [BANG, '!'],
    [FAT_ARROW, '=>'], [DOT_PIPE, '.>'], [PIPE_DOT, '<.'], [WALRUS, ':='], [PIPE, '|>'], [PIPE_BACK, '<|'], [OR_OR, '||'],
    [AND_AND, '&&'], [EQ, '=='], [NE, '!='], [LT, '<'], [GT, '>'], [LE, '<='], [GE, '>='], [BAR, '|'], [CARET, '^'], [AMP, '&'],
    [SHL, '<<'], [SHR, '>>'], [PLUS, '+'], [MINUS, '-'], [STAR, '*'], [SLASH, '/'], [SLASH_SLASH, '//'], [PERCENT, '%'],
    [STAR_STAR, '**'], [TILDE, '~'], [COLON_GT, ':>'], [LT_COLON, '<:'], [PLUS_EQ, '+='], [MINUS_EQ, '-='], [STAR_EQ, '*='],
    [SLASH_EQ, '/='], [SLASH_SLASH_EQ, '//='], [PERCENT_EQ, '%='], [STAR_STAR_EQ, '**='], [AT_EQ, '@='], [AMP_EQ, '&='],
    [BAR_EQ, '|='], [CARET_EQ, '^='], [SHL_EQ, '<<='], [SHR_EQ, '>>='], [HOP_OUT, '-->'], [HOP_IN, '<--'], [HOP_ANY, '<-->'],
    [HOP_OUT_OPEN, '->:'], [HOP_IN_OPEN, '<-:'], [HOP_OUT_CLOSE, ':->'], [HOP_IN_CLOSE, ':<-'], [LINK_OUT, '++>'], [LINK_IN, '<++'],
    [LINK_ANY, '<++>'], [LINK_OUT_OPEN, '+>:'], [LINK_IN_OPEN, '<+:'], [LINK_OUT_CLOSE, ':+>'], [LINK_IN_CLOSE, ':<+'],
  ];
  for (const [kind, text] of fixed) list[kind] = text;
  return list;
}
