/**
 * Declarations wherever they stand: as elements of a module (module.ts), members of an archetype, or statements. One dispatch by the
 * word behind documentation, decorators and modifiers.
 */

import { parseArchetype, parseEnum, parseHas } from './archetypes.ts';
import { finishSimple } from './assignments.ts';
import type {
  Ability,
  ArchetypeKind,
  AssignStatement,
  Declaration,
  EntryBlock,
  Expression,
  FunctionDecl,
  FunctionMods,
  GlobDecl,
  GlobItem,
  HasDecl,
  HasItem,
  InlineForeign,
  Member,
  Name,
  Placement,
  SemDecl,
  Span,
  Statement,
  StringLiteral,
  TestBlock,
  TypeAlias,
} from './ast.ts';
import { parseBlock } from './blocks.ts';
import { hasBodyStatements, inBody, isBodyStatement, parseBodyStatement } from './body-statements.ts';
import { parseChain } from './chains.ts';
import { complain, fail, failExpected } from './complain.ts';
import { takeComptime } from './comptime.ts';
import { parseExpression, parseType } from './expressions.ts';
import {
  type Head,
  noMods,
  parseAbility,
  parseDecorators,
  parseFunction,
  parseMods,
  parseTypeParams,
} from './functions.ts';
import { parseImpl } from './impls.ts';
import { parseImport, parseInclude } from './imports.ts';
import { next } from './lexer.ts';
import { isFirstOnLine, isUsedAsName, kindBehindBracket, peek } from './look-ahead.ts';
import { isOldImpl, isOldInit, skipOldTypeDescription } from './old-spellings.ts';
import { type Parser, restore, save } from './parser.ts';
import { syncStatement } from './recover.ts';
import { parseYield } from './simple-statements.ts';
import { expectSemicolon } from './statements.ts';
import { parseStrings, takeString } from './strings.ts';
import {
  expectName,
  none,
  parseAccess,
  parseAccessAhead,
  parseDottedNames,
  tagAhead,
  take,
  takeName,
} from './syntax.ts';
import * as t from './tokens.ts';

export type AnyDeclaration = Declaration | Ability | HasDecl;

/**
 * Tells whether the current token begins a declaration and is not a name in an expression. Strings and `@` are not
 * asked about. `amongStatements`: an expression could stand here as well.
 */
export function isDeclarationStart(p: Parser, amongStatements = true): boolean {
  const { tok } = p;
  if (tok === t.EOF || tok > t.LAST_WORD || (t.beginsStatement[tok] === 0 && tok !== t.TYPE))
    return tok === t.COLON && (isForeign(p) || isOldImpl(p));
  if (tok !== t.INCLUDE && isUsedAsName(p)) return false;
  const at = save(p);
  next(p);
  const found = fitsBehind(p, tok) || (!amongStatements && isNamedByJoiner(p, tok));
  restore(p, at);
  return found;
}

/**
 * `obj in { … }`: the word could join the operand `obj` to another one, had expressions a place here
 * (docs/language/lexical.md#words-as-names).
 */
function isNamedByJoiner(p: Parser, word: number): boolean {
  if (!archetypeWords.has(word) || p.tok < t.NAME || p.tok > t.LAST_WORD) return false;
  next(p);
  return p.tok === t.LBRACE || p.tok === t.LPAREN || p.tok === t.LBRACKET || p.tok === t.SEMI || p.tok === t.COLON;
}

/** A declaration among statements; its documentation and decorators may come first. */
export function parseInnerDeclaration(p: Parser): Statement | undefined {
  const { start } = p;
  const doc = parseDoc(p);
  const decl = parseDeclaration(p, start, undefined, doc);
  if (decl === undefined) return undefined;
  switch (decl.kind) {
    case 'EntryBlock':
    case 'TestBlock':
    case 'SemDecl':
      complain(p, 'E0110', decl.start, decl.end, { expected: 'a statement', got: 'a declaration of a module' });
      return undefined;
    default:
      return decl;
  }
}

/** One member of an archetype; undefined, reported, when there is none. */
export function parseMember(p: Parser, kind?: ArchetypeKind): Member | undefined {
  if (kind !== undefined && isBodyStatement(p, kind)) return parseBodyStatement(p, kind);
  const { start } = p;
  const doc = parseDoc(p);
  const isMarked = takeComptime(p);
  if (p.tok === t.AT || isDeclarationStart(p, false)) {
    const decl = parseDeclaration(p, start, undefined, doc, true);
    if (decl === undefined) return undefined;
    switch (decl.kind) {
      case 'FunctionDecl':
        return isMarked ? { ...decl, mods: { ...decl.mods, class: true } } : decl;
      case 'HasDecl':
      case 'Ability':
      case 'Archetype':
      case 'EnumDecl':
      case 'ImplDecl':
      case 'EntryBlock':
      case 'InlineForeign':
        return decl;
      default:
        complain(p, 'E0110', decl.start, decl.end, { expected: 'a member', got: 'a declaration of a module' });
        return undefined;
    }
  }
  const isTuple = p.tok === t.LPAREN || p.tok === t.LBRACKET;
  if (isTuple || (p.tok > t.EOF && p.tok <= t.LAST_WORD && !isStatementWord(p))) {
    const statement = finishSimple(p, parseExpression(p), start);
    if (statement.kind === 'AssignStatement') return bareField(statement, doc, isMarked) ?? statement;
    if (kind !== undefined && hasBodyStatements(kind)) return inBody(statement);
    complain(p, 'E0202', statement.start, statement.end, undefined, {
      help: 'put it in a method or in `with entry { … }`',
    });
    return undefined;
  }
  // The documentation of the class, as an expression of its own.
  if (doc !== undefined && p.tok === t.SEMI) return undefined;
  // `...;` says that there is nothing more to say.
  if (take(p, t.ELLIPSIS)) return undefined;
  failExpected(p, 'a member');
  syncStatement(p);
  return undefined;
}

/** `x: int = 1;` as a member says what `has x: int = 1;` says (docs/language/archetypes.md#classes). */
function bareField(s: AssignStatement, doc: StringLiteral | undefined, isStatic: boolean): HasDecl | undefined {
  const [target] = s.targets;
  if (s.type === undefined || s.let || s.targets.length !== 1 || target?.kind !== 'NameRef') return undefined;
  const { start, end } = s;
  const name: Name = { kind: 'Name', start: target.start, end: target.end, text: target.name, escaped: target.escaped };
  const item: HasItem = {
    kind: 'HasItem',
    start,
    end: s.value?.end ?? s.type.end,
    name,
    type: s.type,
    value: s.value,
    postinit: false,
    accessors: undefined,
  };
  return { kind: 'HasDecl', start, end, placement: undefined, doc, static: isStatic, access: undefined, items: [item] };
}

/**
 * An entry block in a `class` is a piece of its body (docs/language/modules.md#entry-blocks): where it gives names a
 * type or declares functions, its statements are members, those that are neither in blocks of their own.
 */
export function openEntryBlock(member: Member): readonly Member[] {
  if (member.kind !== 'EntryBlock') return [member];
  const { statements } = member.body;
  const opened = statements.map((s) => (s.kind === 'AssignStatement' ? bareField(s, undefined, false) : undefined));
  const isBody = statements.some((s, i) => opened[i] !== undefined || s.kind === 'FunctionDecl');
  if (!isBody) return [member];
  return statements.map((s, i): Member => {
    if (opened[i] !== undefined) return opened[i];
    if (s.kind === 'FunctionDecl' || s.kind === 'HasDecl' || s.kind === 'AssignStatement') return s;
    return { ...member, body: { ...member.body, statements: [s], tail: undefined } };
  });
}

/** Dispatch behind the documentation; undefined, reported, when no declaration follows. */
export function parseDeclaration(
  p: Parser,
  start: number,
  placement: Placement | undefined,
  doc: StringLiteral | undefined,
  isMember = false,
): AnyDeclaration | undefined {
  const decorators = parseDecorators(p);
  const head: Head = { start, placement, doc, decorators, isMember };
  const words = p.start;
  const mods = parseDeclarationMods(p);
  tellWithoutEffect(p, decorators, words, mods);
  switch (p.tok) {
    case t.DEF:
      return named(p, parseFunction(p, head, mods));
    case t.CAN:
      return named(p, parseAbility(p, head, mods));
    case t.OBJ:
    case t.CLASS:
    case t.NODE:
    case t.EDGE:
    case t.WALKER:
      return parseArchetype(p, head, mods.async);
    case t.HAS:
      return parseHas(p, head, mods.static);
    case t.ENUM:
      return parseEnum(p, head);
    case t.IMPL:
      return parseImpl(p, head);
    case t.TEST:
      return parseTest(p, head);
    case t.IMPORT:
      return parseImport(p, head);
    case t.INCLUDE:
      return parseInclude(p, head);
    case t.GLOB:
      return parseGlob(p, head);
    case t.WITH:
      return parseEntryBlock(p, head);
    case t.SEM:
      return parseSem(p, head);
    case t.TYPE:
      return parseTypeAlias(p, head);
    case t.COLON:
      if (isForeign(p)) return parseForeign(p, start, placement, doc);
      if (isOldImpl(p)) return parseImpl(p, head);
  }
  failExpected(p, 'a declaration');
  syncStatement(p);
  return undefined;
}

/** W0514: decorators and words in front of a declaration that never takes them. The parser stays at the word of the declaration. */
function tellWithoutEffect(p: Parser, decorators: readonly Expression[], start: number, mods: FunctionMods): void {
  const { tok } = p;
  if (tok === t.DEF || tok === t.CAN) return;
  const isDecorated = archetypeWords.has(tok) || tok === t.ENUM || tok === t.IMPL || tok === t.TEST || tok === t.COLON;
  const tell = (span: Span, what: string) => complain(p, 'W0514', span.start, span.end, { what });
  if (!isDecorated)
    for (const decorator of decorators)
      tell({ start: decorator.start - 1, end: decorator.end }, `@${p.text.slice(decorator.start, decorator.end)}`);
  if (mods === noMods) return;
  const takes: Partial<FunctionMods> = { async: tok === t.WALKER, static: tok === t.HAS };
  for (const [word, isGiven] of Object.entries(mods) as [keyof FunctionMods, boolean][])
    if (isGiven && takes[word] !== true) tell({ start, end: p.prevEnd }, word);
}

/** Requires a name for a function: only in brackets it may lack one. */
function named(p: Parser, decl: FunctionDecl | Ability): FunctionDecl | Ability {
  if (decl.kind === 'FunctionDecl' && decl.name === undefined) {
    const at = decl.signature.start;
    fail(p, 'E0113', at, at + 1, { got: `\`${p.text[at] ?? ''}\`` });
  }
  return decl;
}

/** `with entry:label { … }`, and with E0210 `with exit { … }`. The current token is `with`. */
export function parseEntryBlock(p: Parser, head: Head): EntryBlock {
  next(p);
  if (p.tok === t.EXIT)
    complain(p, 'E0210', head.start, p.end, undefined, { help: 'only `with entry` runs at module level' });
  if (p.tok === t.ENTRY || p.tok === t.EXIT) next(p);
  else failExpected(p, '`entry`', { help: p.tok === t.NAME ? 'did you mean `entry`?' : undefined });
  const label = p.tok === t.COLON && !beginsIndented(p) && take(p, t.COLON) ? expectName(p) : undefined;
  const body = parseBlock(p, 'plain');
  const { start, placement, doc } = head;
  return { kind: 'EntryBlock', start, end: p.prevEnd, placement, doc, label, body };
}

/** `with entry:` at the end of a line, as Python begins a block: no label and brace follow. */
function beginsIndented(p: Parser): boolean {
  const at = save(p);
  next(p);
  const found = isFirstOnLine(p) && peek(p) !== t.LBRACE;
  restore(p, at);
  return found;
}

/**
 * `::py:: … ::py::`: never executed (docs/language/lexical.md#inline-foreign-code). The current token is the first
 * colon.
 */
export function parseForeign(
  p: Parser,
  start: number,
  placement: Placement | undefined,
  doc: StringLiteral | undefined,
): InlineForeign {
  const open = p.start;
  const from = open + markerAt(p.text, open).length;
  const { close, end, isDamaged } = endOfForeign(p, from);
  const help = 'rewrite this block in the language or call a service';
  const written = p.text.slice(open, from);
  if (isDamaged) complain(p, 'E0103', open, from);
  else if (written !== marker) complain(p, 'E0110', open, from, { expected: `\`${marker}\``, got: `\`${written}\`` });
  else complain(p, 'E0901', open, from, undefined, { help });
  p.end = end;
  next(p);
  if (isDamaged) p.quietStart = p.start;
  return { kind: 'InlineForeign', start, end: p.prevEnd, placement, doc, text: p.text.slice(from, close) };
}

/**
 * Finds the end of the text of a block and of the line behind it. A line with no more than a marker that is not spelled
 * right ends it too.
 */
function endOfForeign({ text, length }: Parser, from: number): { close: number; end: number; isDamaged: boolean } {
  const found = text.indexOf(marker, from);
  const close = found < 0 ? length : found;
  const nearMiss = /^[ \t]*(?::[: \t]*py[: \t]*|py[ \t]*:[: \t]*)$/m.exec(text.slice(from, close));
  if (nearMiss !== null && nearMiss.index > 0)
    return { close: from + nearMiss.index, end: from + nearMiss.index + nearMiss[0].length, isDamaged: true };
  return { close, end: Math.min(length, close + marker.length), isDamaged: found < 0 };
}

export function isForeign(p: Parser): boolean {
  return p.tok === t.COLON && markerAt(p.text, p.start) !== '';
}

/** The marker that stands here, also one with a colon too few or with blanks in it, which a right one must follow; else empty. */
function markerAt(text: string, at: number): string {
  if (text.startsWith(marker, at)) return marker;
  damagedMarker.lastIndex = at;
  const found = damagedMarker.exec(text)?.[0] ?? '';
  return found !== '' && text.includes(marker, at + found.length) ? found : '';
}

const damagedMarker = /:[: \t]*py[ \t]*:[: \t]*$/my;

/** Documentation: the plain strings before a declaration. */
export function parseDoc(p: Parser): StringLiteral | undefined {
  if (p.tok !== t.STRING) return undefined;
  const first = takeString(p);
  if (p.tok !== t.STRING) return first;
  let { value } = first;
  while (p.tok === t.STRING) value += takeString(p).value;
  return { kind: 'StringLiteral', start: first.start, end: p.prevEnd, bytes: first.bytes, value };
}

/** `glob a: int = 1, b = c = 2;`; the current token is `glob`, or what stands for it. */
export function parseGlob(p: Parser, head: Head): GlobDecl {
  next(p);
  return parseGlobItems(p, head);
}

/** Parses the variables behind `glob`. */
export function parseGlobItems(p: Parser, head: Head): GlobDecl {
  const access = parseAccessAhead(p);
  const items: GlobItem[] = [];
  do {
    if (p.tok === t.LPAREN) parseGlobPattern(p, items);
    else items.push(parseGlobItem(p));
  } while (take(p, t.COMMA));
  expectSemicolon(p, head.start);
  const { start, placement, doc } = head;
  return { kind: 'GlobDecl', start, end: p.prevEnd, placement, doc, access, items };
}

/** `glob (a, b) = (1, 2);` [L]: as many values in brackets as there are names. */
function parseGlobPattern(p: Parser, items: GlobItem[]): void {
  const target = parseChain(p);
  if (!take(p, t.ASSIGN)) {
    failExpected(p, '`=`');
    return;
  }
  const value = parseExpression(p);
  const names = displayed(target);
  const values = displayed(value);
  names.forEach((name, i) => {
    const part = values[i];
    if (name.kind !== 'NameRef' || part === undefined || names.length !== values.length) {
      complain(p, 'E0113', name.start, name.end, { got: `\`${p.text.slice(name.start, name.end)}\`` });
      return;
    }
    const { start, end } = name;
    const text: Name = { kind: 'Name', start, end, text: name.name, escaped: name.escaped };
    items.push({ kind: 'GlobItem', start, end, name: text, chained: none, type: undefined, value: part });
  });
}

function displayed(e: Expression): readonly Expression[] {
  return e.kind === 'TupleExpr' || e.kind === 'ListExpr' ? e.items : none;
}

function parseGlobItem(p: Parser): GlobItem {
  const { start } = p;
  const name = expectName(p);
  const type = take(p, t.COLON) ? parseDescribedType(p) : undefined;
  const chained: Name[] = [];
  let value: Expression | undefined;
  if (take(p, t.ASSIGN)) {
    value = parseGlobValue(p);
    if (p.tok === t.ASSIGN) {
      chained.push(name);
      while (take(p, t.ASSIGN)) {
        if (value.kind === 'NameRef') {
          const { start: from, end, name: text, escaped } = value;
          chained.push({ kind: 'Name', start: from, end, text, escaped });
        } else complain(p, 'E0113', value.start, value.end, { got: `\`${p.text.slice(value.start, value.end)}\`` });
        value = parseGlobValue(p);
      }
    }
  }
  return { kind: 'GlobItem', start, end: Math.max(start, p.prevEnd), name, chained, type, value };
}

/** A type behind a colon, over the text that once stood before it. */
export function parseDescribedType(p: Parser): Expression {
  skipOldTypeDescription(p);
  return parseType(p);
}

function parseGlobValue(p: Parser): Expression {
  return p.tok === t.YIELD ? parseYield(p) : parseExpression(p);
}

/** `test "title" { … }`; the current token is `test`. */
function parseTest(p: Parser, head: Head): TestBlock {
  next(p);
  let title: StringLiteral | Name | undefined;
  if (p.tok === t.STRING) title = takeString(p);
  else if (p.tok >= t.NAME && p.tok <= t.LAST_WORD) title = takeName(p);
  const body = parseBlock(p, 'plain');
  const { start, placement, doc, decorators } = head;
  return { kind: 'TestBlock', start, end: p.prevEnd, placement, doc, decorators, title, body };
}

/** `sem a.b = "…"`; the current token is `sem`. */
function parseSem(p: Parser, head: Head): SemDecl {
  next(p);
  const target = parseDottedNames(p);
  if (!take(p, t.ASSIGN) && !take(p, t.IS)) failExpected(p, '`=`');
  let text: SemDecl['text'];
  if (p.tok === t.STRING || p.tok === t.FSTRING) text = parseStrings(p);
  else {
    failExpected(p, 'a string');
    text = { kind: 'StringLiteral', start: p.prevEnd, end: p.prevEnd, bytes: false, value: '' };
    syncStatement(p);
  }
  take(p, t.SEMI);
  const { start, placement, doc } = head;
  return { kind: 'SemDecl', start, end: p.prevEnd, placement, doc, target, text };
}

/** `type A[T] = B | C;`; the current token is `type`. */
function parseTypeAlias(p: Parser, head: Head): TypeAlias {
  next(p);
  const access = parseAccess(p);
  const name = expectName(p);
  const typeParams = parseTypeParams(p);
  if (!take(p, t.ASSIGN)) failExpected(p, '`=`');
  const type = parseType(p);
  expectSemicolon(p, head.start);
  const { start, placement, doc } = head;
  return { kind: 'TypeAlias', start, end: p.prevEnd, placement, doc, access, name, typeParams, type };
}

const marker = '::py::';

/** Modifiers, unless `class` begins a class. */
function parseDeclarationMods(p: Parser): FunctionMods {
  switch (p.tok) {
    case t.OVERRIDE:
    case t.STATIC:
    case t.ASYNC:
      return parseMods(p);
    case t.CLASS:
      return isClassModifier(p) ? parseMods(p) : noMods;
    default:
      return noMods;
  }
}

function isClassModifier(p: Parser): boolean {
  const at = save(p);
  next(p);
  const found = p.tok === t.DEF || p.tok === t.CAN || p.tok === t.ASYNC || p.tok === t.STATIC || p.tok === t.OVERRIDE;
  if (found) next(p);
  // `class async {` declares a class of that name.
  const isName = found && (p.tok === t.LBRACE || p.tok === t.LPAREN || p.tok === t.SEMI);
  restore(p, at);
  return found && !isName;
}

/** Words of declarations that need a name behind them. */
const needsName = new Set([t.DEF, t.CAN, t.HAS, t.GLOB, t.OBJ, t.CLASS, t.NODE, t.EDGE, t.WALKER, t.ENUM]);
const archetypeWords = new Set([t.OBJ, t.CLASS, t.NODE, t.EDGE, t.WALKER, t.ENUM]);

/** Tells whether the current token, behind the word of kind `word`, lets that word begin a declaration. */
function fitsBehind(p: Parser, word: number): boolean {
  const { tok } = p;
  const isWord = tok >= t.NAME && tok <= t.LAST_WORD;
  // A literal where the name belongs: no word of a declaration is an operand that one could follow.
  if ((tok === t.NUMBER || tok === t.STRING) && needsName.has(word)) return true;
  switch (word) {
    case t.IMPORT:
      return isWord || tok === t.STRING || tok === t.COLON;
    case t.INCLUDE:
      // `include .m` leads to a module, `include.m` to a member of a variable.
      if (tok === t.DOT || tok === t.ELLIPSIS) return p.start > p.prevEnd;
      return isWord || tok === t.STRING || tok === t.COLON;
    case t.DEF:
      return isWord || tok === t.COLON || tok === t.LPAREN || tok === t.LBRACE || tok === t.ARROW;
    case t.HAS:
      // A field name behind the old escape `<>`.
      return isWord || tok === t.COLON || (tok === t.LT && p.text.charCodeAt(p.end) === 0x3e);
    case t.GLOB:
      return isWord || tok === t.COLON || (tok === t.LPAREN && kindBehindBracket(p) === t.ASSIGN);
    case t.CAN:
      return isWord || tok === t.COLON || isOldInit(p);
    case t.IMPL:
    case t.SEM:
      return isWord && t.isJoiner[tok] === 0;
    case t.OBJ:
    case t.CLASS:
    case t.NODE:
    case t.EDGE:
    case t.WALKER:
    case t.ENUM:
      if (tok === t.COLON) return isAccessNext(p);
      // The name is missing.
      if (tok === t.LBRACE) return true;
      return isWord && t.isJoiner[tok] === 0 && tok !== t.NOT && tok !== t.SPAWN && tok !== t.DEL;
    case t.STATIC:
    case t.OVERRIDE:
    case t.ASYNC:
      return isModified(tok);
    case t.TYPE:
      return isAlias(p);
    case t.WITH:
      return tok === t.ENTRY || tok === t.EXIT;
    case t.TEST:
      return tok === t.STRING || tok === t.LBRACE || (isWord && t.isJoiner[tok] === 0);
    default:
      return false;
  }
}

function isModified(kind: number): boolean {
  switch (kind) {
    case t.DEF:
    case t.CAN:
    case t.HAS:
    case t.CLASS:
    case t.STATIC:
    case t.OVERRIDE:
    case t.ASYNC:
    case t.OBJ:
    case t.NODE:
    case t.EDGE:
    case t.WALKER:
      return true;
    default:
      return false;
  }
}

function isAccessNext(p: Parser): boolean {
  if (tagAhead(p)) return true;
  next(p);
  return p.tok === t.PUB || p.tok === t.PRIV || p.tok === t.PROTECT;
}

/**
 * `type` declares when `name =` or `name [` follows, an access tag in between allowed
 * (docs/language/modules.md#type-aliases).
 */
function isAlias(p: Parser): boolean {
  if (p.tok === t.COLON) return isAccessNext(p);
  if (p.tok < t.NAME || p.tok > t.LAST_WORD || t.isJoiner[p.tok] === 1) return false;
  next(p);
  return p.tok === t.ASSIGN || p.tok === t.LBRACKET;
}

/** A statement of a function body that no member can begin with. */
function isStatementWord(p: Parser): boolean {
  return t.beginsStatement[p.tok] === 1 && !isUsedAsName(p);
}
