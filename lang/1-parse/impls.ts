/** Implementation blocks (docs/language/implementations.md#impl). */
import { inClass, parseBases, parseEnumMember } from './archetypes.ts';
import type {
  Block,
  EnumMember,
  Event,
  Expression,
  ImplBody,
  ImplDecl,
  Member,
  Name,
  Signature,
  Statement,
} from './ast.ts';
import { checkTail, parseStatements, recoverBlock } from './blocks.ts';
import { complain, failExpected, failUnclosed } from './complain.ts';
import { parseEntryBlock } from './declarations.ts';
import { parseExpression } from './expressions.ts';
import { type Head, parseEvent, parseSignature } from './functions.ts';
import { next } from './lexer.ts';
import { kindBehindBracket, peek } from './look-ahead.ts';
import { parseOldTarget, skipOldKind } from './old-spellings.ts';
import { type Parser, restore, save } from './parser.ts';
import { leaveDepth, tooDeep } from './recover.ts';
import { skipOver } from './skip.ts';
import { expectSemicolon } from './statements.ts';
import { none, parseDottedNames, privateTo, take } from './syntax.ts';
import * as t from './tokens.ts';

/** `impl A.m(x: int) -> T { … }`; the current token is `impl`, or the first colon of an old target. */
export function parseImpl(p: Parser, head: Head): ImplDecl {
  const target = p.tok === t.COLON ? parseOldTarget(p) : parseTarget(p);
  const cls = target[0]?.text ?? '';
  if (!isPlainClass(p, cls)) return parseRest(p, head, target);
  return inClass(p, cls, () => {
    const own = target.map((name) => privateTo(p, name));
    return parseRest(p, head, own);
  });
}

/**
 * Tells whether an archetype is a `class`: only its declaration says so, which may stand anywhere in the module; it
 * matters where there are private names.
 */
function isPlainClass(p: Parser, name: string): boolean {
  p.plainClasses ??= plainClassesOf(p.text, p.base?.text ?? '');
  return p.plainClasses.has(name);
}

function plainClassesOf(own: string, base: string): ReadonlySet<string> {
  if (!own.includes('__')) return noNames;
  return new Set([own, base].flatMap((text) => [...text.matchAll(classHead)].map((match) => match[1]!)));
}

const classHead = /\bclass\s*(?::\s*\w+\s*)?\s(\w+)/g;
const noNames: ReadonlySet<string> = new Set();

function parseRest(p: Parser, head: Head, target: readonly Name[]): ImplDecl {
  let signature: Signature | undefined;
  let bases: readonly Expression[] | undefined;
  let event: Event | undefined;
  if (p.tok === t.WITH) event = parseEvent(p);
  else if (p.tok === t.ARROW || (p.tok === t.LPAREN && isSignature(p))) signature = parseSignature(p);
  else if (p.tok === t.LPAREN) bases = parseBases(p);
  const body = parseImplBody(p);
  const { start, placement, doc, decorators } = head;
  const end = p.prevEnd;
  return { kind: 'ImplDecl', start, end, placement, doc, decorators, target, signature, bases, event, body };
}

function parseTarget(p: Parser): Name[] {
  next(p);
  skipOldKind(p);
  return parseDottedNames(p);
}

/**
 * Signature or base list: a signature is empty, or begins with `self`, `*`, `**` or a name with a colon. A list with a default, or
 * with a result behind it, can be nothing else either.
 */
function isSignature(p: Parser): boolean {
  const at = save(p);
  next(p);
  let found = p.tok === t.RPAREN || p.tok === t.SELF || p.tok === t.STAR || p.tok === t.STAR_STAR || p.tok === t.SLASH;
  if (!found) {
    const after = peek(p);
    found = after === t.COLON || after === t.ASSIGN;
  }
  restore(p, at);
  return found || kindBehindBracket(p) === t.ARROW;
}

function parseImplBody(p: Parser): ImplBody {
  const { start } = p;
  if (p.tok === t.BY) {
    next(p);
    const by = parseExpression(p);
    expectSemicolon(p, start);
    return {
      kind: 'ImplBody',
      start,
      end: p.prevEnd,
      block: undefined,
      members: undefined,
      enumMembers: undefined,
      by,
    };
  }
  if (p.tok !== t.LBRACE) {
    const block = recoverBlock(p, 'function', '`{` or `by`');
    return {
      kind: 'ImplBody',
      start: block.start,
      end: block.end,
      block,
      members: none,
      enumMembers: undefined,
      by: undefined,
    };
  }
  if (isEnumList(p)) {
    const enumMembers = parseEnumMembers(p);
    return {
      kind: 'ImplBody',
      start,
      end: p.prevEnd,
      block: undefined,
      members: undefined,
      enumMembers,
      by: undefined,
    };
  }
  return parseStatementsOrMembers(p);
}

/** The braces read as statements and, when every one of them may stand in an archetype, as members too. */
function parseStatementsOrMembers(p: Parser): ImplBody {
  const { start, inSlot } = p;
  if (tooDeep(p))
    return {
      kind: 'ImplBody',
      start,
      end: start,
      block: undefined,
      members: none,
      enumMembers: undefined,
      by: undefined,
    };
  p.inSlot = false;
  next(p);
  const statements: Statement[] = [];
  let members: Member[] | undefined = [];
  for (;;) {
    for (const statement of parseStatements(p, isEntry)) {
      statements.push(statement);
      if (members !== undefined && isMember(statement)) members.push(statement);
      else members = undefined;
    }
    if (!isEntry(p)) break;
    // An entry block is a member only: as a statement it would have no meaning.
    const entry = parseEntryBlock(p, {
      start: p.start,
      placement: undefined,
      doc: undefined,
      decorators: none,
      isMember: false,
    });
    if (members !== undefined) members.push(entry);
    else complain(p, 'E0110', entry.start, entry.end, { expected: 'a statement', got: 'an entry block' });
  }
  const tail = checkTail(p, statements, 'function');
  if (!take(p, t.RBRACE)) failUnclosed(p, '{', start, '}');
  p.inSlot = inSlot;
  leaveDepth(p);
  const end = Math.max(start, p.prevEnd);
  const block: Block = { kind: 'Block', start, end, statements, tail };
  return { kind: 'ImplBody', start, end, block, members, enumMembers: onlyMember(block), by: undefined };
}

/** `{ RED }` is the only member of an enum as well. */
function onlyMember({ statements, tail }: Block): EnumMember[] | undefined {
  const [only] = statements;
  if (only === undefined || only !== tail || statements.length > 1 || tail.expr.kind !== 'NameRef') return undefined;
  const { start, end, name: text, escaped } = tail.expr;
  return [{ kind: 'EnumMember', start, end, name: { kind: 'Name', start, end, text, escaped }, value: undefined }];
}

function isEntry(p: Parser): boolean {
  if (p.tok !== t.WITH) return false;
  const at = save(p);
  next(p);
  const isEntryWord = p.tok === t.ENTRY;
  next(p);
  const found = isEntryWord && (p.tok === t.LBRACE || p.tok === t.COLON);
  restore(p, at);
  return found;
}

function isMember(statement: Statement): statement is Extract<Member, Statement> {
  switch (statement.kind) {
    case 'HasDecl':
    case 'FunctionDecl':
    case 'Ability':
    case 'Archetype':
    case 'EnumDecl':
    case 'ImplDecl':
    case 'InlineForeign':
      return true;
    case 'AssignStatement':
      return !statement.let;
    default:
      return false;
  }
}

/** `NAME ,` first, or `NAME (: type)? =` with a comma before any `;` on the level of the braces. */
function isEnumList(p: Parser): boolean {
  const at = save(p);
  next(p);
  let found = false;
  if (p.tok >= t.NAME && p.tok <= t.LAST_WORD) {
    const level = p.nesting;
    next(p);
    if (p.tok === t.COMMA) found = true;
    else if (p.tok === t.ASSIGN || p.tok === t.COLON) {
      while (p.tok !== t.EOF && p.tok !== t.SEMI && p.nesting >= level && !(p.tok === t.COMMA && p.nesting === level))
        next(p);
      found = p.tok === t.COMMA;
    }
  }
  restore(p, at);
  return found;
}

function parseEnumMembers(p: Parser): EnumMember[] {
  const open = p.start;
  next(p);
  const members: EnumMember[] = [];
  while (p.tok >= t.NAME && p.tok <= t.LAST_WORD) {
    members.push(parseEnumMember(p));
    if (!take(p, t.COMMA)) break;
  }
  if (p.tok === t.RBRACE) next(p);
  else if (p.tok === t.EOF) failUnclosed(p, '{', open, '}');
  else {
    failExpected(p, '`,` or `}`');
    while (p.tok !== t.EOF && p.tok !== t.RBRACE) skipOver(p);
    take(p, t.RBRACE);
  }
  return members;
}
