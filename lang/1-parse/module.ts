/**
 * A module and its elements (docs/language/modules.md#elements), placement markers and braces
 * (docs/language/placement.md#markers).
 */
import { didYouMean } from '../../base/did-you-mean.ts';
import type {
  Declaration,
  Element,
  EntryBlock,
  Module,
  PlacedBlock,
  Placement,
  Spines,
  Statement,
  StringLiteral,
} from './ast.ts';
import { complain, describe, fail, failExpected, failUnclosed } from './complain.ts';
import { isComptime, takeComptime } from './comptime.ts';
import { isDeclarationStart, parseDeclaration, parseDoc, parseGlob, parseGlobItems } from './declarations.ts';
import { tryForeignImport } from './imports.ts';
import { next } from './lexer.ts';
import { noWords, settleElement, settleModule } from './local-words.ts';
import { canBeginOperand, isFirstOnLine, peek } from './look-ahead.ts';
import { renameOldKeyword, tryOldModel, warnOld } from './old-spellings.ts';
import { type Parser, restore, save } from './parser.ts';
import { leaveDepth, tooDeep } from './recover.ts';
import { skipToken } from './skip.ts';
import { findSpines } from './spines.ts';
import { parseStatement } from './statements.ts';
import { takeString } from './strings.ts';
import { none, take, tryAccess } from './syntax.ts';
import * as t from './tokens.ts';

const noSpines: Spines = new Map();

/** The whole text. The parser stands at its first token. */
export function parseModule(p: Parser): Module {
  const doc = p.tok === t.STRING ? takeString(p) : undefined;
  if (doc !== undefined) take(p, t.SEMI);
  const body: Element[] = [];
  while (p.tok !== t.EOF) {
    parseElements(p, body);
    if (p.tok === t.RBRACE) {
      fail(p, 'E0110', p.start, p.end, { expected: 'a declaration', got: '`}`' });
      next(p);
    }
  }
  settleModule(p);
  return { kind: 'Module', start: 0, end: p.length, doc, body, spines: p.hasLongChain ? findSpines(body) : noSpines };
}

/** Elements until a `}` or the end of the text. */
function parseElements(p: Parser, body: Element[]): void {
  let failures = p.failures;
  while (p.tok !== t.EOF && p.tok !== t.RBRACE) {
    const before = p.start;
    const mayFollowUp = p.failures > failures;
    failures = p.failures;
    const { wordUses } = p;
    p.wordUses = noWords();
    const element = p.tok === t.SEMI ? strayElement(p) : parseElement(p, mayFollowUp);
    settleElement(p, element);
    p.wordUses = wordUses;
    if (element !== undefined) {
      body.push(element);
      take(p, t.SEMI);
    }
    if (p.start === before && p.tok !== t.EOF) {
      skipToken(p);
    }
  }
}

function strayElement(p: Parser): undefined {
  complain(p, 'W0201', p.start, p.end);
  next(p);
}

/** `mayFollowUp`: the element before was broken, so a statement here may be a piece of it. */
function parseElement(p: Parser, mayFollowUp: boolean): Element | undefined {
  const { start } = p;
  if (p.tok === t.STRING && !isDocumentation(p)) return parseLooseStatements(p, mayFollowUp);
  const doc = parseDoc(p);
  const marker = tryPlacement(p);
  if (marker !== undefined && p.tok === t.LBRACE) return parsePlacedBlock(p, start, marker);
  if (marker === undefined && isSectionMarker(p)) return takeSectionMarker(p);
  const placement = marker ?? p.section;
  if (takeComptime(p) && !isDeclarationStart(p)) return parseComptime(p, start, placement, doc);
  renameOldKeyword(p);
  const model = tryOldModel(p, { start, placement, doc });
  if (model !== undefined) return model;
  if (isGlobalLet(p)) {
    warnOld(p, p.start, p.end, '`glob`');
    return parseGlob(p, { start, placement, doc, decorators: none, isMember: false });
  }
  if (p.word === 'export' && p.tok === t.NAME && peek(p) >= t.NAME && peek(p) <= t.LAST_WORD) {
    failExpected(p, 'a declaration', { help: 'what others may import is marked `:pub`, as in `def:pub f { … }`' });
    next(p);
    if (p.text.startsWith('default', p.start)) next(p);
    // `export default App;` declares nothing.
    if (peek(p) !== t.SEMI) return parseElement(p, true);
    next(p);
    next(p);
    return undefined;
  }
  const foreign = tryForeignImport(p, { start, placement, doc, decorators: none, isMember: false });
  if (foreign !== undefined) return foreign;
  if (p.tok !== t.AT && !isDeclarationStart(p, false) && !isMisspelledEntry(p)) return parseOther(p, doc, mayFollowUp);
  const decl = parseDeclaration(p, start, placement, doc);
  if (decl?.kind !== 'Ability' && decl?.kind !== 'HasDecl') return decl satisfies Declaration | undefined;
  const got = decl.kind === 'Ability' ? '`can`' : '`has`';
  complain(
    p,
    'E0110',
    decl.start,
    decl.end,
    { expected: 'a declaration of a module', got },
    { help: 'it is a member of an archetype' },
  );
  return undefined;
}

/** `let styles = {…};` or `let:pub styles = {…};` at module level, as early client code has it. */
function isGlobalLet(p: Parser): boolean {
  if (p.tok !== t.LET) return false;
  const at = save(p);
  next(p);
  tryAccess(p);
  const isName = p.tok >= t.NAME && p.tok <= t.LAST_IDENTIFIER;
  next(p);
  const isValue = p.tok === t.ASSIGN || p.tok === t.COLON;
  restore(p, at);
  return isName && isValue;
}

/** A variable, or a statement that is run in place. */
function parseComptime(
  p: Parser,
  start: number,
  placement: Placement | undefined,
  doc: StringLiteral | undefined,
): Element | undefined {
  if (p.tok <= t.LAST_IDENTIFIER)
    return parseGlobItems(p, { start, placement, doc, decorators: none, isMember: false });
  const statement = parseStatement(p);
  if (statement === undefined) return undefined;
  const end = p.prevEnd;
  const body = { kind: 'Block', start, end, statements: [statement], tail: undefined } as const;
  return { kind: 'EntryBlock', start, end, placement, doc, label: undefined, body };
}

function parsePlacedBlock(p: Parser, start: number, placement: Placement): PlacedBlock {
  const open = p.start;
  const body: Element[] = [];
  if (tooDeep(p)) return { kind: 'PlacedBlock', start, end: start, placement, body: none };
  next(p);
  const { section } = p;
  p.section = undefined;
  parseElements(p, body);
  p.section = section;
  if (p.tok === t.RBRACE) next(p);
  else failUnclosed(p, '{', open, '}');
  leaveDepth(p);
  return { kind: 'PlacedBlock', start, end: p.prevEnd, placement, body };
}

/** `cl`, `sv`, `na` before `{` or a declaration; otherwise they are names. */
function tryPlacement(p: Parser): Placement | undefined {
  const { tok, start, end } = p;
  if (tok !== t.CL && tok !== t.SV && tok !== t.NA) return undefined;
  const at = save(p);
  const placement = p.word as Placement;
  next(p);
  if (p.tok !== t.LBRACE && p.tok !== t.AT && !isDeclarationStart(p, false) && !isGlobalLet(p)) {
    restore(p, at);
    return undefined;
  }
  if (placement === 'na') complain(p, 'W0206', start, end);
  return placement;
}

/**
 * `to cl:` places all that follows it, up to the next such line or the end of what is around it
 * (docs/language/placement.md#sections).
 */
function isSectionMarker(p: Parser): boolean {
  if (p.tok !== t.TO) return false;
  const at = save(p);
  next(p);
  const isPlace = p.tok === t.CL || p.tok === t.SV || p.tok === t.NA;
  next(p);
  const found = isPlace && p.tok === t.COLON;
  restore(p, at);
  return found;
}

function takeSectionMarker(p: Parser): undefined {
  const { start } = p;
  next(p);
  p.section = p.word as Placement;
  next(p);
  complain(p, 'W0207', start, p.end, { side: p.section }, { help: `write \`${p.section} { … }\`` });
  next(p);
}

/** Tells whether the string is followed by something it may document. */
function isDocumentation(p: Parser): boolean {
  const at = save(p);
  while (p.tok === t.STRING) next(p);
  const isMarker = p.tok === t.CL || p.tok === t.SV || p.tok === t.NA;
  if (isMarker) next(p);
  const found = p.tok === t.AT || isDeclarationStart(p, false) || isComptime(p) || (isMarker && p.tok === t.LBRACE);
  restore(p, at);
  return found;
}

/** Parses text in which no declaration begins: statements, or text that is neither. */
function parseOther(p: Parser, doc: StringLiteral | undefined, mayFollowUp: boolean): Element | undefined {
  const isWord = p.tok >= t.NAME && p.tok <= t.LAST_WORD;
  if (isWord && isMisspelled(p)) {
    const before = p.start;
    fail(p, 'E0110', before, p.end, { expected: 'a declaration', got: describe(p) }, { help: helpFor(p) });
    skipElement(p);
    return undefined;
  }
  if (isWord || canBeginOperand(p)) return parseLooseStatements(p, mayFollowUp);
  failExpected(p, 'a declaration');
  if (doc === undefined || p.tok !== t.EOF) skipElement(p);
  return undefined;
}

/**
 * Statements at module level (E0202, once for a run of them). They are kept as an entry block, so that the names they bind are known.
 */
function parseLooseStatements(p: Parser, mayFollowUp: boolean): EntryBlock | undefined {
  const { start } = p;
  const statements: Statement[] = [];
  let firstEnd = start;
  const isLet = p.tok === t.LET;
  const { failures } = p;
  const mark = p.pending.length;
  while (p.tok !== t.EOF && p.tok !== t.RBRACE && p.tok !== t.SEMI) {
    if (statements.length > 0 && !isLooseStatement(p)) break;
    const before = p.start;
    const statement = parseStatement(p);
    if (statement !== undefined) statements.push(statement);
    if (statements.length === 1) firstEnd = p.prevEnd;
    if (p.start === before) break;
  }
  const isBroken = p.failures > failures && p.pending.length > mark;
  if (!mayFollowUp && !isBroken) {
    const help = isLet
      ? 'a value is taken apart by name: `glob pair = f(); glob a = pair[0];`'
      : 'put it in `with entry { … }`';
    complain(p, 'E0202', start, Math.max(start, firstEnd), undefined, { help });
  }
  if (statements.length === 0) return undefined;
  const end = Math.max(start, p.prevEnd);
  const body = { kind: 'Block', start, end, statements, tail: undefined } as const;
  return { kind: 'EntryBlock', start, end, placement: undefined, doc: undefined, label: undefined, body };
}

function isLooseStatement(p: Parser): boolean {
  if (p.tok === t.AT || isDeclarationStart(p)) return false;
  if (p.tok === t.CL || p.tok === t.SV || p.tok === t.NA || p.tok === t.TO) return false;
  if (p.tok === t.STRING) return !isDocumentation(p);
  if (p.tok > t.LAST_WORD) return canBeginOperand(p) && p.tok !== t.LBRACE;
  return !isMisspelled(p);
}

/** `with entyr {`: no context stands at module level. */
function isMisspelledEntry(p: Parser): boolean {
  if (p.tok !== t.WITH || peek(p) !== t.NAME) return false;
  const at = save(p);
  next(p);
  const found = didYouMean(p.word, ['entry']) !== undefined;
  restore(p, at);
  return found;
}

/** Two words side by side begin no statement: the first was meant as the keyword of a declaration. */
function isMisspelled(p: Parser): boolean {
  if (p.tok > t.LAST_IDENTIFIER || p.tok === t.LET || p.tok === t.GLOBAL || p.tok === t.NONLOCAL || p.tok === t.NEW)
    return false;
  if (p.tok === t.CHECK || p.tok === t.IGNORE || p.tok === t.CATCH || p.tok === t.FOREVER) return false;
  const after = peek(p);
  return after >= t.NAME && after <= t.LAST_IDENTIFIER;
}

const keywords = [
  'obj',
  'node',
  'edge',
  'walker',
  'class',
  'enum',
  'def',
  'impl',
  'glob',
  'import',
  'include',
  'test',
  'sem',
  'type',
];
const foreign: Readonly<Record<string, string>> = {
  function: 'def',
  func: 'def',
  fn: 'def',
  struct: 'obj',
  object: 'obj',
  var: 'glob',
  const: 'glob',
  let: 'glob',
  static: 'glob',
};

const foreignForms: Readonly<Record<string, string>> = {
  interface: 'the shape of a dict is an `obj` with its fields: `obj Name { has a: int; }`',
  namespace: 'a file is a namespace: put these declarations into one of their own, and import them from there',
  declare: 'a name of the browser needs no declaration: one that scripts of the page make is `globalThis.name`',
};

function helpFor(p: Parser): string | undefined {
  const form = foreignForms[p.word];
  if (form !== undefined) return form;
  const meant = foreign[p.word] ?? didYouMean(p.word, keywords);
  return meant === undefined ? undefined : `did you mean \`${meant}\`?`;
}

/** Skips to behind the `;` or `}` that ends the element, or to the next declaration at the start of a line. */
function skipElement(p: Parser): void {
  const level = p.nesting;
  for (;;) {
    const { tok } = p;
    if (tok === t.EOF || (tok === t.RBRACE && p.nesting < level)) return;
    skipToken(p);
    if (p.nesting > level) continue;
    if (tok === t.SEMI) return;
    if (tok === t.RBRACE && p.tok !== t.RPAREN && p.tok !== t.COMMA) return;
    if (p.tok <= t.LAST_WORD && isFirstOnLine(p) && isDeclarationStart(p)) return;
  }
}
