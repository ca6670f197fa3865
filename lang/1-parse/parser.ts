import type { Code, Details, Params, Reporter } from '../diagnostics.ts';
import type { Source } from '../source.ts';
import type { Placement, SpecialRef } from './ast.ts';
import type { SelfUses } from './local-self.ts';
import { noWords, type WordUses } from './local-words.ts';
import { createWordTable, type WordTable } from './word-table.ts';

/**
 * Parser state, passed first to every parsing function. It holds exactly one token, the current one; the text behind it is scanned
 * when the parser moves on, so that the parser can switch to another mode (markup text, format text) in between.
 */
export interface Parser {
  readonly source: Source;
  readonly report: Reporter;
  /** Source text and a few NUL characters, so that looking ahead never leaves the string. */
  readonly text: string;
  /** Length of the source text proper. */
  readonly length: number;
  readonly wordTable: WordTable;

  // ---- the current token
  tok: number;
  start: number;
  /** End of the current token; scanning goes on from here. */
  end: number;
  /** End of the token before. */
  prevEnd: number;
  /** Spelling of a word token, without its escape. */
  word: string;
  escaped: boolean;
  /** A string token without backslash and carriage return: its value is its text. */
  isPlain: boolean;

  // ---- modes
  /** Open brackets of all kinds, counted by the scanner. */
  nesting: number;
  /** Nesting at which `:` ends the expression of a format field; -1 outside of one. */
  formatNesting: number;
  /** Nesting at which `as` names an alias instead of a cast (heads of `with` and `except`); -1 elsewhere. */
  noAsNesting: number;
  /** Placement that the last `to cl:` gives the elements behind it. */
  section: Placement | undefined;
  /** True in a function with a parameter `node`, with which `[node -->]` begins. */
  nodeIsParam: boolean;
  /** Entry blocks of classes stay as they are. */
  asWritten: boolean;
  /** Inside a statement slot of markup, where results need no `;`. */
  inSlot: boolean;
  /** Tags of the open markup elements, outermost first. */
  openTags: string[];
  /** Markup turned out to be unterminated: everything up to the outermost element is being left. */
  markupIsBroken: boolean;
  /** Help for broken markup: the part that it lacks. */
  unclosed: string | undefined;
  /** Start of the last such element: the text that closed brackets before it may have been read as its content. */
  brokenMarkup: number;
  /** Nested too deeply: the rest is left unread. */
  gaveUp: boolean;

  // ---- recovery
  readonly pending: Pending[];
  /** Syntax errors met, the ones kept quiet included: speculation asks whether there were any. */
  failures: number;
  /** Start of the token at which no further error is reported, … */
  quietStart: number;
  /** … nor while the token before ends here. */
  quietAfter: number;
  /** Place at which the last missing `;` was reported. */
  lastSemicolon: number;
  /** Start of the last trailer `?name` or `?[`: it may turn out to be a foreign `?:`. */
  lastQuestion: number;
  depth: number;
  /** Some chain has many links: the tree may be deeper than a stack (spines.ts). */
  hasLongChain: boolean;
  /** Token at which a list was last continued without a comma. */
  lastResume: number;

  // ---- memory: what speculation found out, by offset, so that nested text is not tried again and again
  /**
   * Reading found for the unparenthesised lambda at an offset (docs/language/expressions.md#lambdas): 1 typed, 0
   * untyped.
   */
  readonly lambdaReadings: Map<number, number>;
  /** Offsets of an `if` that was tried as part of a conditional expression and begins a statement. */
  readonly statementIfs: Set<number>;
  /** Offsets of patterns that begin like a name or class pattern and are expressions. */
  readonly valuePatterns: Set<number>;
  /** Operand start behind the last `await`. */
  awaitedStart: number;
  warnedOwnership: boolean;

  /** The `class` whose text this is, for private names; '' outside of one. */
  privateOf: string;
  /** Meaning of `self` in the function whose text is being read (local-self.ts). */
  selfUses: SelfUses | 'receiver' | undefined;
  /** Uses of `props`, `here` and `visitor` in the function or element whose text is being read (local-words.ts). */
  wordUses: WordUses;
  readonly propsUses: SpecialRef[];
  declaresProps: boolean;
  /** Base file of an annex: the declarations of the module that are written elsewhere. */
  readonly base: Source | undefined;
  /** Names of the module's `class` declarations, once somebody has asked. */
  plainClasses: ReadonlySet<string> | undefined;
}

/** A diagnostic not yet handed to the reporter: a failed speculation takes it back. */
export interface Pending {
  readonly code: Code;
  readonly start: number;
  readonly end: number;
  readonly params: Params | undefined;
  readonly details: Details | undefined;
}

export function createParser(source: Source, report: Reporter, base?: Source): Parser {
  return {
    source,
    report,
    text: `${source.text}\0\0\0\0`,
    length: source.text.length,
    wordTable: createWordTable(),
    tok: 0,
    start: 0,
    end: source.text.charCodeAt(0) === 0xfeff ? 1 : 0,
    prevEnd: 0,
    word: '',
    escaped: false,
    isPlain: false,
    nesting: 0,
    formatNesting: -1,
    noAsNesting: -1,
    section: undefined,
    nodeIsParam: false,
    asWritten: false,
    inSlot: false,
    openTags: [],
    markupIsBroken: false,
    unclosed: undefined,
    brokenMarkup: -1,
    gaveUp: false,
    pending: [],
    failures: 0,
    quietStart: -1,
    quietAfter: -1,
    lastSemicolon: -1,
    lastQuestion: -1,
    depth: 0,
    hasLongChain: false,
    lastResume: -1,
    lambdaReadings: new Map(),
    statementIfs: new Set(),
    valuePatterns: new Set(),
    awaitedStart: 0,
    warnedOwnership: false,
    privateOf: '',
    selfUses: undefined,
    wordUses: noWords(),
    propsUses: [],
    declaresProps: false,
    base,
    plainClasses: undefined,
  };
}

/** Hands what was found to the reporter. */
export function flush(p: Parser): void {
  for (const { code, start, end, params, details } of p.pending) p.report.at(code, { start, end }, params, details);
  p.pending.length = 0;
}

/** State that `restore` needs to go back to a token. */
export interface Snapshot {
  readonly tok: number;
  readonly start: number;
  readonly end: number;
  readonly prevEnd: number;
  readonly word: string;
  readonly escaped: boolean;
  readonly isPlain: boolean;
  readonly nesting: number;
  readonly failures: number;
  readonly pending: number;
  readonly quietStart: number;
  readonly quietAfter: number;
  readonly lastQuestion: number;
  readonly depth: number;
}

export function save(p: Parser): Snapshot {
  return {
    tok: p.tok,
    start: p.start,
    end: p.end,
    prevEnd: p.prevEnd,
    word: p.word,
    escaped: p.escaped,
    isPlain: p.isPlain,
    nesting: p.nesting,
    failures: p.failures,
    pending: p.pending.length,
    quietStart: p.quietStart,
    quietAfter: p.quietAfter,
    lastQuestion: p.lastQuestion,
    depth: p.depth,
  };
}

export function restore(p: Parser, at: Snapshot): void {
  p.tok = at.tok;
  p.start = at.start;
  p.end = at.end;
  p.prevEnd = at.prevEnd;
  p.word = at.word;
  p.escaped = at.escaped;
  p.isPlain = at.isPlain;
  p.nesting = at.nesting;
  p.failures = at.failures;
  p.pending.length = at.pending;
  p.quietStart = at.quietStart;
  p.quietAfter = at.quietAfter;
  p.lastQuestion = at.lastQuestion;
  p.depth = at.depth;
}
