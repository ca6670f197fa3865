/**
 * Functions (docs/language/functions.md#functions): modifiers, type parameters, signatures, bodies. Abilities:
 * archetypes.ts.
 */

import type {
  Ability,
  Event,
  Expression,
  FunctionBody,
  FunctionDecl,
  FunctionMods,
  Name,
  Param,
  Placement,
  Signature,
  StringLiteral,
  TypeParam,
} from './ast.ts';
import { parseBlock, recoverBlock } from './blocks.ts';
import { parseChain } from './chains.ts';
import { complain, failExpected } from './complain.ts';
import { takeComptime } from './comptime.ts';
import { parseBinary, parseExpression, parseType } from './expressions.ts';
import { next } from './lexer.ts';
import { enterFunction, hasReceiver, leaveFunction } from './local-self.ts';
import { peek } from './look-ahead.ts';
import { isOldInit, skipOldDescription, skipOldEventResult, skipOldTypeDescription, warnOld } from './old-spellings.ts';
import type { Parser } from './parser.ts';
import { closeBracket, continuesList, maxDepth, openBracket, tooLong } from './recover.ts';
import { expectSemicolon } from './statements.ts';
import { compact, expectName, expectPlainName, none, parseAccess, takeName } from './syntax.ts';
import * as t from './tokens.ts';

/** Parts of a declaration that stand before its keyword. */
export interface Head {
  readonly start: number;
  readonly placement: Placement | undefined;
  readonly doc: StringLiteral | undefined;
  readonly decorators: readonly Expression[];
  /** Directly in the body of an archetype or enum. */
  readonly isMember: boolean;
}

export const noMods: FunctionMods = { override: false, static: false, class: false, async: false };

/** `def …`; the current token is `def`. */
export function parseFunction(p: Parser, head: Head, mods: FunctionMods): FunctionDecl {
  next(p);
  const access = parseAccess(p);
  skipOldDescription(p);
  return finishFunction(p, head, mods, access, tryFunctionName(p));
}

/** `can …`: an ability, or with W0221 a function. The current token is `can`. */
export function parseAbility(p: Parser, head: Head, mods: FunctionMods): Ability | FunctionDecl {
  const can = p.start;
  next(p);
  const access = parseAccess(p);
  skipOldDescription(p);
  const isNamed = (p.tok !== t.WITH && p.tok >= t.NAME && p.tok <= t.LAST_WORD) || isOldInit(p);
  const name = isNamed ? expectName(p) : undefined;
  if (p.tok !== t.WITH) {
    complain(p, 'W0221', can, Math.max(p.prevEnd, can), undefined, { help: 'write `def`' });
    return finishFunction(p, head, mods, access, name);
  }
  const event = parseEvent(p);
  const around = enterFunction(p, head.isMember, head.isMember);
  const body = leaveFunction(p, around, parseFunctionBody(p));
  const { start, placement, doc, decorators } = head;
  return { kind: 'Ability', start, end: p.prevEnd, placement, doc, decorators, mods, access, name, event, body };
}

/** `with T entry`; the current token is `with`. */
export function parseEvent(p: Parser): Event {
  const { start } = p;
  next(p);
  const isBare = (p.tok === t.ENTRY || p.tok === t.EXIT) && !isEventWord(peek(p));
  const trigger = isBare ? undefined : rootWithoutCall(p, parseExpression(p));
  const when = p.tok === t.EXIT ? 'exit' : 'entry';
  if (isEventWord(p.tok)) next(p);
  else failExpected(p, '`entry` or `exit`');
  const { prevEnd: end } = p;
  skipOldEventResult(p);
  return { kind: 'Event', start, end, trigger, when };
}

/** ``with `root() entry``: the call of what names the root node is the root node, of type `Root`. */
function rootWithoutCall(p: Parser, trigger: Expression): Expression {
  if (trigger.kind !== 'Call' || trigger.args.length > 0) return trigger;
  const { callee } = trigger;
  const isRoot =
    callee.kind === 'SpecialRef' ? callee.word === 'root' : callee.kind === 'NameRef' && callee.name === 'root';
  if (!isRoot) return trigger;
  warnOld(p, trigger.start, trigger.end, '`Root`');
  return callee;
}

/** `(def name? (x) { … })`, from `def` or `async` on. */
export function parseFunctionExpression(p: Parser): FunctionDecl {
  const { start } = p;
  const isAsync = p.tok === t.ASYNC;
  if (isAsync) next(p);
  const head: Head = { start, placement: undefined, doc: undefined, decorators: none, isMember: false };
  return parseFunction(p, head, isAsync ? { ...noMods, async: true } : noMods);
}

/** Modifiers in any order, each at most once. */
export function parseMods(p: Parser): FunctionMods {
  let override = false;
  let isStatic = false;
  let isClass = false;
  let isAsync = false;
  for (;;) {
    if (p.tok === t.OVERRIDE && !override) override = true;
    else if (p.tok === t.STATIC && !isStatic) isStatic = true;
    else if (p.tok === t.CLASS && !isClass && beginsMethod(peek(p))) isClass = true;
    else if (p.tok === t.ASYNC && !isAsync) isAsync = true;
    else
      return override || isStatic || isClass || isAsync
        ? { override, static: isStatic, class: isClass, async: isAsync }
        : noMods;
    next(p);
  }
}

/** Tells whether a token behind `class` begins a method: else `class` declares one, as in `async class A { … }`. */
function beginsMethod(kind: number): boolean {
  return kind === t.DEF || kind === t.CAN || kind === t.ASYNC || kind === t.STATIC || kind === t.OVERRIDE;
}

/** `@a @b(c)` */
export function parseDecorators(p: Parser): readonly Expression[] {
  if (p.tok !== t.AT) return none;
  const decorators: Expression[] = [];
  while (p.tok === t.AT) {
    if (decorators.length === maxDepth) tooLong(p);
    else {
      next(p);
      decorators.push(parseChain(p));
    }
  }
  return decorators;
}

/** `[T, E: Base = Exception]` */
export function parseTypeParams(p: Parser): readonly TypeParam[] {
  if (p.tok !== t.LBRACKET) return none;
  const list = openBracket(p);
  const params: TypeParam[] = [];
  do {
    next(p);
    if (p.tok === t.RBRACKET) break;
    const { start } = p;
    const name = expectPlainName(p);
    const bound = takeType(p, t.COLON);
    const value = takeType(p, t.ASSIGN);
    params.push({ kind: 'TypeParam', start, end: Math.max(p.prevEnd, start), name, bound, value });
  } while (p.tok === t.COMMA);
  closeBracket(p, list);
  return params;
}

/** `(params) -> T`, each part optional. */
export function parseSignature(p: Parser): Signature {
  const { start } = p;
  const hasList = p.tok === t.LPAREN;
  const params = hasList ? parseParamList(p) : none;
  let end = hasList ? p.prevEnd : start;
  let result: Expression | undefined;
  if (p.tok === t.ARROW) {
    next(p);
    skipOldTypeDescription(p);
    result = parseType(p);
    end = p.prevEnd;
  }
  return { kind: 'Signature', start, end: Math.max(start, end), hasList, params, result };
}

/** Parameters in parentheses; the current token is `(`. */
export function parseParamList(p: Parser): readonly Param[] {
  const list = openBracket(p);
  next(p);
  if (p.tok === t.RPAREN) {
    next(p);
    return none;
  }
  const params: Param[] = [];
  for (;;) {
    const before = p.start;
    params.push(parseParam(p));
    if (p.tok === t.COMMA) {
      next(p);
      if (p.tok === t.RPAREN) break;
    } else if (p.tok === t.RPAREN || !continuesList(p, list) || p.start === before) break;
  }
  closeBracket(p, list);
  return compact(params);
}

/** One parameter; its type may be left out. */
export function parseParam(p: Parser): Param {
  takeComptime(p);
  const { start, tok } = p;
  if (tok === t.SLASH) {
    next(p);
    return { kind: 'Param', start, end: p.prevEnd, sort: 'slash', name: undefined, type: undefined, value: undefined };
  }
  if (tok === t.STAR || tok === t.STAR_STAR) {
    next(p);
    if (tok === t.STAR && (p.tok === t.COMMA || p.tok === t.RPAREN)) {
      return { kind: 'Param', start, end: p.prevEnd, sort: 'bare', name: undefined, type: undefined, value: undefined };
    }
  }
  const name = expectParamName(p);
  const type = takeType(p, t.COLON);
  let value: Expression | undefined;
  if (p.tok === t.ASSIGN) {
    next(p);
    value = parseExpression(p);
  }
  const sort = tok === t.STAR ? 'star' : tok === t.STAR_STAR ? 'doublestar' : 'plain';
  return { kind: 'Param', start, end: Math.max(p.prevEnd, start), sort, name, type, value };
}

/** A block, `by model;`, `abs;`, `abst;` or `;`. */
function parseFunctionBody(p: Parser): FunctionBody {
  const { start, tok } = p;
  if (tok === t.LBRACE) return parseBlock(p, 'function');
  if (tok === t.SEMI) {
    next(p);
    return { kind: 'NoBody', start, end: p.prevEnd };
  }
  if (tok === t.BY) {
    next(p);
    const model = parseExpression(p);
    expectSemicolon(p, start);
    return { kind: 'ByBody', start, end: p.prevEnd, model };
  }
  if (tok === t.ABST || (tok === t.ABS && peek(p) === t.SEMI)) {
    next(p);
    expectSemicolon(p, start);
    return { kind: 'AbstractBody', start, end: p.prevEnd };
  }
  const block = recoverBlock(p, 'function', '`{`, `by` or `;`');
  // Without any statement it was the `;` that is missing: an `impl` may have the body.
  return block.end > block.start ? block : { kind: 'NoBody', start: block.start, end: block.end };
}

function finishFunction(
  p: Parser,
  head: Head,
  mods: FunctionMods,
  access: FunctionDecl['access'],
  name: Name | undefined,
): FunctionDecl {
  const typeParams = parseTypeParams(p);
  const signature = parseSignature(p);
  const around = enterFunction(p, head.isMember, head.isMember && hasReceiver(p, head, mods, name, signature));
  const { nodeIsParam } = p;
  p.nodeIsParam ||= signature.params.some((param) => param.name?.text === 'node');
  // Meant as an ability: what follows is not blamed again.
  if (p.tok === t.WITH && failExpected(p, '`{`, `by` or `;`')) parseEvent(p);
  const parsed = parseFunctionBody(p);
  p.nodeIsParam = nodeIsParam;
  const body = leaveFunction(p, around, parsed, signature);
  const { start, placement, decorators } = head;
  const doc = head.doc ?? docInBody(p, parsed);
  const end = p.prevEnd;
  return ofClass({
    kind: 'FunctionDecl',
    start,
    end,
    placement,
    doc,
    decorators,
    mods,
    access,
    name,
    typeParams,
    signature,
    body,
  });
}

/**
 * Finds documentation in the place that Python has for it: a string that is the first statement of the body, and not
 * its result (docs/language/modules.md#elements).
 */
function docInBody(p: Parser, body: FunctionBody): StringLiteral | undefined {
  if (body.kind !== 'Block' || p.asWritten) return undefined;
  const [first] = body.statements;
  if (first?.kind !== 'ExprStatement' || first === body.tail) return undefined;
  return first.expr.kind === 'StringLiteral' && !first.expr.bytes ? first.expr : undefined;
}

/** `def __init_subclass__(cls)` and `def __class_getitem__(cls, item)` are methods of the class without saying so. */
function ofClass(decl: FunctionDecl): FunctionDecl {
  const { mods, name, decorators } = decl;
  const isHook = name?.text === '__init_subclass__' || name?.text === '__class_getitem__';
  if (!isHook || mods.static || mods.class || decorators.length > 0) return decl;
  return { ...decl, mods: { ...mods, class: true } };
}

/** A function expression may have none; elsewhere a missing name is seen by what follows. */
function tryFunctionName(p: Parser): Name | undefined {
  return p.tok >= t.NAME && p.tok <= t.LAST_WORD ? expectName(p) : undefined;
}

/**
 * Names of parameters: `self`, `props`, `here`, `visitor` and words that are names wherever no other rule applies
 * (docs/language/lexical.md#words-as-names).
 */
export function expectParamName(p: Parser): Name {
  const { tok } = p;
  if (tok > t.LAST_IDENTIFIER && tok <= t.LAST_WORD) {
    if (t.namesNoParam[tok] === 1) {
      complain(p, 'E0140', p.start, p.end, { kw: p.word }, { help: `write \`\` \`${p.word} \`\`` });
    }
    return takeName(p);
  }
  return expectName(p);
}

function takeType(p: Parser, before: number): Expression | undefined {
  if (p.tok !== before) return undefined;
  next(p);
  if (before === t.ASSIGN) return parseBinary(p, t.P_BAR);
  skipOldTypeDescription(p);
  return parseType(p);
}

function isEventWord(kind: number): boolean {
  return kind === t.ENTRY || kind === t.EXIT;
}
