/**
 * Archetypes with their members (docs/language/archetypes.md#kinds) and enums (docs/language/enums.md#enums). Methods
 * and abilities: functions.ts.
 */
import type {
  Accessor,
  Archetype,
  ArchetypeKind,
  Argument,
  EnumDecl,
  EnumMember,
  Expression,
  HasDecl,
  HasItem,
  Member,
  Name,
} from './ast.ts';
import { closesAt, isElementOnly, parseBlock } from './blocks.ts';
import { parseChain } from './chains.ts';
import { complain, failExpected, failUnclosed, isQuiet } from './complain.ts';
import { isForeign, openEntryBlock, parseDescribedType, parseDoc, parseMember } from './declarations.ts';
import { parseExpression, parseType } from './expressions.ts';
import { type Head, parseSignature, parseTypeParams } from './functions.ts';
import { next } from './lexer.ts';
import { indentationAt, isBeforeAssign, isFirstOnLine, peek, skipToNextToken } from './look-ahead.ts';
import { skipOldDescription, warnOld } from './old-spellings.ts';
import { type Parser, restore, save } from './parser.ts';
import { closeBracket, continuesList, leaveDepth, openBracket, syncStatement, tooDeep } from './recover.ts';
import { parseYield } from './simple-statements.ts';
import { skipToken } from './skip.ts';
import { expectSemicolon } from './statements.ts';
import { compact, expect, expectName, none, parseAccessAhead, take, takeName, tryAccess } from './syntax.ts';
import * as t from './tokens.ts';

/** `node :pub N[T](Base) { … }`; the current token is the word for its kind. */
export function parseArchetype(p: Parser, head: Head, isAsync: boolean): Archetype {
  const archetype = p.word as ArchetypeKind;
  next(p);
  let access = parseAccessAhead(p);
  skipOldDescription(p);
  const { word } = p;
  const name = expectName(p);
  access ??= misplacedAccess(p, archetype, name);
  const typeParams = parseTypeParams(p);
  const keywords: Argument[] = [];
  let bases = p.tok === t.LT ? parseOldBases(p, t.GT) : parseBases(p, keywords);
  let endpoints: Archetype['endpoints'];
  if (p.tok === t.COLON && !endsLine(p)) {
    if (endpointsFollow(p)) endpoints = parseEndpoints(p, archetype);
    else bases = parseOldBases(p, t.COLON);
  }
  let members: readonly Member[] | undefined;
  const inside = head.doc ?? docInMembers(p);
  if (p.tok === t.LBRACE) {
    members = inClass(p, archetype === 'class' ? word : '', () => parseMembers(p, archetype));
    if (archetype === 'class' && !p.asWritten) members = members.flatMap(openEntryBlock);
  }
  if (members === undefined && !take(p, t.SEMI)) members = recoverMembers(p);
  const { start, placement, decorators } = head;
  const end = p.prevEnd;
  const node: Archetype = {
    kind: 'Archetype',
    start,
    end,
    placement,
    doc: inside,
    decorators,
    async: isAsync,
    archetype,
    access,
    name,
    typeParams,
    bases,
    keywords,
    endpoints,
    members,
  };
  return node;
}

/** `walker W:pub { … }`: told, and taken for what is meant. */
function misplacedAccess(p: Parser, kind: string, name: Name): Archetype['access'] {
  const { start } = p;
  const access = tryAccess(p) ?? tryForeignAccess(p);
  if (access === undefined) return undefined;
  const help = `the tag stands before the name: \`${kind}:${access} ${name.text}\``;
  complain(p, 'E0110', start, p.prevEnd, { expected: '`{`', got: `\`${p.text.slice(start, p.prevEnd)}\`` }, { help });
  return access;
}

/** `:public` and its kin of other languages. */
function tryForeignAccess(p: Parser): Archetype['access'] {
  foreignAccess.lastIndex = p.start;
  const meant = foreignAccess.exec(p.text)?.[1];
  if (meant === undefined) return undefined;
  next(p);
  next(p);
  return meant === 'public' ? 'pub' : meant === 'private' ? 'priv' : 'protect';
}

const foreignAccess = /:\s*(public|private|protected)\b/y;

/**
 * Documentation as an expression of its own in front of the members, where Python has it
 * (docs/language/modules.md#elements). The parser stays at the `{`.
 */
function docInMembers(p: Parser): Archetype['doc'] {
  if (p.tok !== t.LBRACE || p.asWritten || peek(p) !== t.STRING) return undefined;
  const at = save(p);
  next(p);
  const doc = parseDoc(p);
  const isAlone = p.tok === t.SEMI;
  restore(p, at);
  return isAlone ? doc : undefined;
}

/** Parses what belongs to the `class` called `name`, '' for other code. */
export function inClass<T>(p: Parser, name: string, parse: () => T): T {
  const around = p.privateOf;
  p.privateOf = name.replace(/^_+/, '');
  const parsed = parse();
  p.privateOf = around;
  return parsed;
}

/** `(A, B)`, or none. `keywords` takes what stands as `name=value` among them; where nothing takes it, E0906. */
export function parseBases(p: Parser, keywords?: Argument[]): readonly Expression[] {
  if (p.tok !== t.LPAREN) return none;
  const list = openBracket(p);
  next(p);
  const bases: Expression[] = [];
  while (p.tok !== t.RPAREN) {
    const { start, tok } = p;
    if (tok > t.EOF && tok <= t.LAST_WORD && isBeforeAssign(p)) {
      const name = takeName(p);
      next(p);
      const value = parseExpression(p);
      if (keywords === undefined) complain(p, 'E0906', start, p.prevEnd, { what: 'keyword arguments of a class' });
      else if (name.text === 'metaclass' && !isOwnMetaclass(value)) noMetaclass(p, start);
      else keywords.push({ kind: 'Argument', start, end: p.prevEnd, sort: 'keyword', name, value });
    } else {
      const base = parseExpression(p);
      if (isOwnMetaclass(base)) noMetaclass(p, start);
      bases.push(base);
    }
    if (!take(p, t.COMMA) && (p.tok === t.RPAREN || !continuesList(p, list))) break;
  }
  closeBracket(p, list);
  return bases;
}

/** Python's own metaclasses: `metaclass=ABCMeta` says nothing that classes do not have here, and below one another would be made. */
function isOwnMetaclass(value: Expression): boolean {
  const name = value.kind === 'Attribute' ? value.name.text : value.kind === 'NameRef' ? value.name : '';
  return ownMetaclasses.has(name);
}

const ownMetaclasses: ReadonlySet<string> = new Set(['type', 'ABCMeta', 'EnumMeta', 'EnumType']);

function noMetaclass(p: Parser, start: number): void {
  const help =
    'give the base class an `__init_subclass__` method (it is called for each class that inherits from it), or use a class decorator; for one instance per class define `__new__`';
  complain(p, 'E0906', start, p.prevEnd, { what: 'metaclasses' }, { help });
}

/** `{ member* }`; `kind` where the braces are those of the archetype itself. */
function parseMembers(p: Parser, kind?: ArchetypeKind): readonly Member[] {
  const open = p.start;
  if (tooDeep(p)) return none;
  next(p);
  return finishMembers(p, open, kind);
}

/** Members up to and with the closing brace; `open` is the offset of the opening one. */
function finishMembers(p: Parser, open: number, kind?: ArchetypeKind): readonly Member[] {
  const members: Member[] = [];
  let isIndented = false;
  while (p.tok !== t.RBRACE && p.tok !== t.EOF) {
    // A test or entry block at the margin, where the members are indented, is one of the module.
    if (isIndented && isElementOnly(p)) break;
    isIndented ||= isFirstOnLine(p) && indentationAt(p, p.start) > 0;
    const before = p.start;
    if (p.tok === t.SEMI) {
      next(p);
      continue;
    }
    const member = parseMember(p, kind);
    if (member !== undefined) members.push(member);
    if (p.start === before) {
      skipToken(p);
    }
  }
  leaveDepth(p);
  if (p.tok === t.RBRACE) next(p);
  else failUnclosed(p, '{', open, '}');
  return compact(members);
}

/** `static? has …`; the current token is `has`. */
export function parseHas(p: Parser, head: Head, isStatic: boolean): HasDecl {
  next(p);
  const access = parseAccessAhead(p);
  const items: HasItem[] = [];
  let mayEnd = false;
  do {
    const { item, ends } = parseHasItem(p);
    items.push(item);
    mayEnd = ends;
  } while (take(p, t.COMMA));
  if (!take(p, t.SEMI) && !mayEnd) expectSemicolon(p, head.start);
  const { start, placement, doc } = head;
  return { kind: 'HasDecl', start, end: p.prevEnd, placement, doc, static: isStatic, access, items: compact(items) };
}

/** `enum E: int { … }`; the current token is `enum`. */
export function parseEnum(p: Parser, head: Head): EnumDecl {
  next(p);
  const access = parseAccessAhead(p);
  skipOldDescription(p);
  const name = expectName(p);
  let bases: readonly Expression[] = none;
  const keywords: Argument[] = [];
  if (p.tok === t.LPAREN) bases = parseBases(p, keywords);
  else if (p.tok === t.COLON) {
    if (endpointsFollow(p)) {
      next(p);
      bases = [parseChain(p)];
    } else bases = parseOldBases(p, t.COLON);
  }
  let members: EnumMember[] | undefined;
  const body: EnumDecl['body'][number][] = [];
  if (p.tok === t.LBRACE) {
    members = [];
    parseEnumBody(p, members, body);
  } else if (!take(p, t.SEMI)) {
    failExpected(p, '`{` or `;`');
    syncStatement(p);
  }
  const { start, placement, doc, decorators } = head;
  const end = p.prevEnd;
  return { kind: 'EnumDecl', start, end, placement, doc, decorators, access, name, bases, keywords, members, body };
}

/** `NAME (: type)? (= value)?`, in enums and their implementations; the type is ignored. */
export function parseEnumMember(p: Parser): EnumMember {
  const { start } = p;
  const name = expectName(p);
  const isValue = p.tok === t.COLON && isLiteralAhead(p);
  if (isValue) {
    failExpected(p, '`=`');
    next(p);
  } else if (!isForeign(p) && take(p, t.COLON)) parseType(p);
  const value = isValue || take(p, t.ASSIGN) ? parseExpression(p) : undefined;
  return { kind: 'EnumMember', start, end: Math.max(start, p.prevEnd), name, value };
}

/** `RED: 1` of JavaScript; a text with a value behind it is a description of 2023. */
function isLiteralAhead(p: Parser): boolean {
  const at = save(p);
  next(p);
  const isLiteral = p.tok === t.NUMBER || p.tok === t.STRING;
  next(p);
  const found = isLiteral && p.tok !== t.ASSIGN;
  restore(p, at);
  return found;
}

function parseEnumBody(p: Parser, members: EnumMember[], body: EnumDecl['body'][number][]): void {
  const open = p.start;
  next(p);
  while (p.tok !== t.RBRACE && p.tok !== t.EOF) {
    const before = p.start;
    if (isEnumMember(p)) {
      members.push(parseEnumMember(p));
      if (!take(p, t.COMMA) && p.tok === t.SEMI) {
        failExpected(p, '`,` or `}`');
        next(p);
      }
    } else if (p.tok === t.SEMI || p.tok === t.COMMA) next(p);
    else {
      const member = parseMember(p);
      if (member?.kind === 'FunctionDecl' || member?.kind === 'EntryBlock' || member?.kind === 'InlineForeign')
        body.push(member);
      else if (member !== undefined && !isQuiet(p)) {
        complain(p, 'E0110', member.start, member.end, {
          expected: 'an enum member or a function',
          got: 'another declaration',
        });
      }
    }
    if (p.start === before) {
      skipToken(p);
    }
  }
  if (p.tok === t.RBRACE) next(p);
  else failUnclosed(p, '{', open, '}');
}

/** A reserved word names a member when `,`, `=` or the end of the body follows it. */
function isEnumMember(p: Parser): boolean {
  if (p.tok >= t.NAME && p.tok <= t.LAST_IDENTIFIER) return true;
  if (p.tok === t.EOF || p.tok > t.LAST_WORD) return false;
  const after = peek(p);
  return after === t.COMMA || after === t.RBRACE || after === t.ASSIGN;
}

/** `ends`: with a block of accessors, behind which the `;` may be left out. */
function parseHasItem(p: Parser): { readonly item: HasItem; readonly ends: boolean } {
  const { start } = p;
  const name = expectName(p);
  if (name.text === 'constructor' || name.text === '__proto__')
    complain(p, 'E0142', name.start, name.end, { name: name.text });
  const type = take(p, t.COLON) || lacksColon(p) ? parseDescribedType(p) : undefined;
  let value: Expression | undefined;
  let postinit = false;
  if (take(p, t.ASSIGN) || lacksAssign(p)) value = p.tok === t.YIELD ? parseYield(p) : parseExpression(p);
  else if (p.tok === t.POSTINIT || (p.tok === t.BY && peek(p) === t.POSTINIT)) {
    take(p, t.BY);
    next(p);
    postinit = true;
  }
  const found = p.tok === t.LBRACE ? parseAccessors(p) : undefined;
  const isField = found?.isAutomatic === true && !p.asWritten;
  const accessors = isField ? undefined : found?.accessors;
  if (isField) {
    // Nobody has to say what such a property begins with.
    value ??= { kind: 'Constant', start: p.prevEnd, end: p.prevEnd, value: null };
    if (!found.accessors.some(({ sort }) => sort === 'setter')) {
      const help = 'a property that cannot be assigned has a `getter { … }` that gives the value';
      complain(p, 'W0145', name.start, name.end, { name: name.text }, { help });
    }
  }
  const end = Math.max(start, p.prevEnd);
  const item: HasItem = { kind: 'HasItem', start, end, name, type, value, postinit, accessors };
  return { item, ends: found !== undefined };
}

interface Accessors {
  readonly accessors: readonly Accessor[];
  /** `{ get; set; }`: a field (docs/language/archetypes.md#properties). */
  readonly isAutomatic: boolean;
}

/** `has name str;`: reported. */
function lacksColon(p: Parser): boolean {
  const isType = p.tok > t.EOF && p.tok <= t.LAST_WORD && p.tok !== t.BY && p.tok !== t.POSTINIT && !isFirstOnLine(p);
  return isType && failExpected(p, '`:`');
}

/** `has size: int 3;`: reported. */
function lacksAssign(p: Parser): boolean {
  const isValue = p.tok === t.NUMBER || p.tok === t.STRING || p.tok === t.FSTRING;
  return isValue && !isFirstOnLine(p) && failExpected(p, '`=`');
}

/** `{ getter { … } setter(v: T) { … } deleter; }` */
function parseAccessors(p: Parser): Accessors {
  const open = p.start;
  next(p);
  const accessors: Accessor[] = [];
  let isAutomatic = false;
  for (;;) {
    if (take(p, t.SEMI)) continue;
    const { start } = p;
    const sort = sortOfAccessor(p);
    if (sort === undefined) break;
    const isShort = p.word !== sort;
    next(p);
    isAutomatic = isShort && p.tok === t.SEMI && (isAutomatic || accessors.length === 0);
    if (isShort && p.tok !== t.SEMI) warnOld(p, start, p.prevEnd, `\`${sort}\``);
    const signature = parseSignature(p);
    const body = take(p, t.SEMI) ? undefined : parseBlock(p, 'function');
    accessors.push({ kind: 'Accessor', start, end: p.prevEnd, sort, signature, body });
  }
  if (p.tok === t.RBRACE) next(p);
  else if (p.tok === t.EOF) failUnclosed(p, '{', open, '}');
  else {
    failExpected(p, '`getter`, `setter`, `deleter` or `}`');
    skipToNextToken(p, t.RBRACE);
    take(p, t.RBRACE);
  }
  return { accessors, isAutomatic };
}

function sortOfAccessor(p: Parser): Accessor['sort'] | undefined {
  switch (p.tok) {
    case t.GETTER:
    case t.SETTER:
    case t.DELETER:
      return p.word as Accessor['sort'];
    case t.NAME:
    case t.BUILTIN_TYPE:
      return p.word === 'get' ? 'getter' : p.word === 'set' ? 'setter' : undefined;
    case t.DEL:
      return 'deleter';
    default:
      return undefined;
  }
}

/** `:A, B:` or `<A, B>` behind the name, where `(A, B)` stands today. */
function parseOldBases(p: Parser, close: number): readonly Expression[] {
  const { start } = p;
  next(p);
  const bases = [parseChain(p)];
  while (take(p, t.COMMA)) bases.push(parseChain(p));
  expect(p, close);
  warnOld(p, start, p.prevEnd, `\`(${p.text.slice(bases[0]!.start, bases[bases.length - 1]!.end)})\``);
  return bases;
}

/** A block as Python has it. */
function endsLine(p: Parser): boolean {
  lineEnd.lastIndex = p.end;
  return lineEnd.test(p.text);
}

const lineEnd = /[ \t]*(?:#.*)?(?:\r|\n|\0)/y;

/** Tells whether the colon begins endpoints: bases of an old spelling end with another colon. */
function endpointsFollow(p: Parser): boolean {
  const at = save(p);
  next(p);
  if (p.tok >= t.NAME && p.tok <= t.LAST_WORD) parseChain(p);
  const found = p.tok !== t.COMMA && p.tok !== t.COLON;
  restore(p, at);
  return found;
}

/** `: A --> B | C`, on edges only. */
function parseEndpoints(p: Parser, archetype: ArchetypeKind): Archetype['endpoints'] {
  const { start } = p;
  next(p);
  const from = parseType(p);
  if (p.tok === t.HOP_OUT) next(p);
  else {
    failExpected(p, archetype === 'edge' ? '`-->`' : '`{`');
    return undefined;
  }
  const to = parseType(p);
  if (archetype !== 'edge') complain(p, 'E0521', start, p.prevEnd);
  return { from, to };
}

/** The `{` of the members is missing: it may follow on the line; else the next lines are read as members while they fit. */
function recoverMembers(p: Parser): readonly Member[] {
  const indentation = indentationAt(p, Math.max(0, p.prevEnd - 1));
  failExpected(p, '`{` or `;`');
  if (closesAt(p, indentation, true) || (isFirstOnLine(p) && closesAt(p, indentation, false))) {
    if (!tooDeep(p)) {
      p.nesting++;
      return finishMembers(p, p.prevEnd);
    }
  }
  while (p.tok !== t.LBRACE && p.tok !== t.RBRACE && p.tok !== t.SEMI && p.tok !== t.EOF && !isFirstOnLine(p)) {
    skipToken(p);
  }
  if (p.tok === t.LBRACE) return parseMembers(p);
  if (take(p, t.SEMI)) return none;
  const members: Member[] = [];
  while (p.tok === t.HAS || p.tok === t.CAN || p.tok === t.STATIC) {
    const before = p.start;
    const member = parseMember(p);
    if (member !== undefined) members.push(member);
    if (p.start === before) break;
  }
  take(p, t.RBRACE);
  return members;
}
