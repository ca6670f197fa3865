/** Expressions: dispatch by kind, and the small kinds. Every emitter gives code that can stand as an operand anywhere. */
import type * as ast from '../1-parse/ast.ts';
import { membersOf } from '../3-infer/classes/type-values.ts';
import { attribute, index, nullSafe, startsNullSafe } from './access.ts';
import { call, pipe } from './calls.ts';
import { functionExpression, lambda } from './closures.ts';
import { comparedValue } from './comparisons.ts';
import { comprehension } from './comprehensions.ts';
import { type Cx, mark, temp } from './context.ts';
import { assignTrailer, borrow, connect, disconnect, edgeReference, filterTrailer, spawn } from './graph.ts';
import { quote } from './identifiers.ts';
import { isBareFloat, isSimple, isStable, mainTypeOf, typeOf } from './kinds.ts';
import { markup } from './markup.ts';
import { bindingCode, builtinValue, nameValue } from './names.ts';
import { binary, unary } from './operators.ts';
import { joined } from './strings.ts';
import { condition, logical } from './truth.ts';

/** Code of an expression: a value, evaluated once, awaited where it may wait. */
export function expr(c: Cx, e: ast.Expression): string {
  const code = bareCode(c, e);
  const showsItself = e.kind === 'NumberLiteral' && !Number.isSafeInteger(e.value);
  return !showsItself && isBareFloat(c, e) ? `$.f(${code})` : code;
}

/** The same for code that computes with numbers: floats that are proven to be floats are bare. */
export function num(c: Cx, e: ast.Expression): string {
  return isBareFloat(c, e) ? bareCode(c, e) : expr(c, e);
}

function bareCode(c: Cx, e: ast.Expression): string {
  const { computed, spines } = c.u;
  if (computed.size > 0) {
    const known = computed.get(e);
    if (known !== undefined) return known;
  }
  const below = spines.size === 0 ? undefined : spines.get(e);
  if (below !== undefined && !areComputed(c, below)) return inPieces(c, e, below);
  switch (e.kind) {
    case 'NumberLiteral':
      return numberLiteral(e);
    case 'StringLiteral':
      return e.bytes ? `$.bytes(${quote(e.value)})` : quote(e.value);
    case 'Joined':
      return joined(c, e);
    case 'Constant':
      return e.value === 'ellipsis' ? builtinValue(c, 'Ellipsis') : String(e.value);
    case 'NameRef':
      return nameValue(c, e);
    case 'SpecialRef':
      return specialReference(c, e);
    case 'TupleExpr':
      return `$.tuple(${items(c, e.items)})`;
    case 'ListExpr':
      return `[${items(c, e.items)}]`;
    case 'SetExpr':
      return waited(c, e, `${runtime(c, e)}.set([${items(c, e.items)}])`);
    case 'DictExpr':
      return dictionary(c, e);
    case 'Comprehension':
      return comprehension(c, e);
    case 'EdgeRef':
      return edgeReference(c, e);
    case 'Lambda':
      return lambda(c, e);
    case 'FunctionExpr':
      return functionExpression(c, e.decl);
    case 'Conditional':
      return `(${condition(c, e.test)} ? ${expr(c, e.then)} : ${expr(c, e.orElse)})`;
    case 'Walrus':
      return `(${nameValue(c, e.name, true)} = ${expr(c, e.value)})`;
    case 'Binary':
      return binary(c, e);
    case 'Logical':
      return logical(c, e);
    case 'Unary':
      return unary(c, e);
    case 'Compare':
      return comparedValue(c, e);
    case 'Cast':
      return expr(c, e.expr);
    case 'Await':
      return c.isAsync ? `(await ${awaited(c, e.expr)})` : expr(c, e.expr);
    case 'Flow':
      return flow(c, e);
    case 'By':
      return byValue(c, e);
    case 'Pipe':
      return pipe(c, e);
    case 'Connect':
      return connect(c, e);
    case 'Disconnect':
      return disconnect(c, e);
    case 'Spawn':
      return spawn(c, e);
    case 'Starred':
      return `$.tuple(...${spread(c, e.expr)})`;
    case 'Borrow':
      return borrow(c, e);
    case 'Call':
      return startsNullSafe(c, e) ? nullSafe(c, e) : call(c, e);
    case 'Attribute':
      return startsNullSafe(c, e) ? nullSafe(c, e) : attribute(c, e);
    case 'Index':
      return startsNullSafe(c, e) ? nullSafe(c, e) : index(c, e);
    case 'Slice':
      return slice(c, e);
    case 'Filter':
      return startsNullSafe(c, e) ? nullSafe(c, e) : filterTrailer(c, e);
    case 'AssignTrailer':
      return startsNullSafe(c, e) ? nullSafe(c, e) : assignTrailer(c, e);
    case 'Yield':
      return yielded(c, e);
    case 'Markup':
      return markup(c, e);
    case 'Missing':
      return 'null';
  }
}

function areComputed(c: Cx, list: readonly ast.Expression[]): boolean {
  return list.every((e) => c.u.computed.has(e));
}

/** A long chain: what is below goes into temporaries first, so that neither this phase nor JavaScript's parser descends far. */
function inPieces(c: Cx, e: ast.Expression, below: readonly ast.Expression[]): string {
  const { computed } = c.u;
  const set: ast.Expression[] = [];
  let before = '';
  for (const rest of below) {
    if (computed.has(rest)) continue;
    const code = expr(c, rest);
    const t = temp(c);
    before += `${t} = ${code}, `;
    computed.set(rest, t);
    set.push(rest);
  }
  const code = `(${before}${expr(c, e)})`;
  for (const rest of set) computed.delete(rest);
  return code;
}

/** Awaits `code` where `node` may give a promise: only a promise is awaited (decisions/0001). */
export function waited(c: Cx, node: ast.Node, code: string): string {
  return c.isAsync && c.u.types.waits(node) ? awaitIfPromise(c, code) : code;
}

/** The runtime as this node calls it: where it may meet something of the program that waits, through `$.w` (library/values/calls/waiting.ts). */
export function runtime(c: Cx, node: ast.Node): string {
  return c.isAsync && c.u.types.waits(node) ? '$.w' : '$';
}

export function awaitIfPromise(c: Cx, code: string): string {
  const t = temp(c);
  return `((${t} = ${code}) instanceof Promise ? await ${t} : ${t})`;
}

/** Items of a display or arguments, with `*x` spread. */
export function items(c: Cx, list: readonly ast.Expression[]): string {
  let text = '';
  for (const item of list) {
    if (text !== '') text += ', ';
    text += item.kind === 'Starred' ? `...${spread(c, item.expr)}` : expr(c, item);
  }
  return text;
}

/** Gives the code of `*x` as something JavaScript can spread. */
export function spread(c: Cx, e: ast.Expression): string {
  return `$.iter(${wholeIterable(c, e)})`;
}

/** The value of `e` for something that takes all its items: an asynchronous generator is run to its end here. */
export function wholeIterable(c: Cx, e: ast.Expression): string {
  const code = expr(c, e);
  // A list that is too long is an error of the program; spreading it would end the process.
  if (mainTypeOf(c, e).t === 'range') return `$.b.list(${code})`;
  if (!c.isAsync || !mayBeGenerator.has(mainTypeOf(c, e).t)) return code;
  return awaitIfPromise(c, `$.whole(${code})`);
}

const mayBeGenerator = new Set(['iterator', 'any', 'instance']);

/** Like `expr` for several expressions that end up out of their order: `before` evaluates what must come first. */
export function inOrder(c: Cx, list: readonly ast.Expression[]): { before: string; codes: string[] } {
  let before = '';
  const codes = list.map((e, i) => {
    const later = list.slice(i + 1);
    if (isSimple(c, e) && later.every((other) => isStable(c, e, other))) return expr(c, e);
    const t = temp(c);
    before += `${t} = ${expr(c, e)}, `;
    return t;
  });
  return { before, codes };
}

function numberLiteral(e: ast.NumberLiteral): string {
  if (typeof e.value === 'bigint') return `${e.value}n`;
  return e.value === Infinity ? 'Infinity' : String(e.value);
}

function specialReference(c: Cx, e: ast.SpecialRef): string {
  const param = c.u.names.special(e);
  if (param !== undefined) return bindingCode(c, param);
  switch (e.word) {
    case 'self':
      return c.cls?.selfWord ?? c.self ?? c.cls?.outerSelf ?? `${mark(c, e)}$.undefinedName("self")`;
    case 'here':
      // In a node's ability: what only the walker has was asked of it by this name in older programs
      // (docs/language/older-programs.md#old-meanings).
      if (c.here === 'this' && c.visitor !== undefined && isWalker(c, e)) return c.visitor;
      return c.here ?? `${mark(c, e)}$.here()`;
    case 'visitor':
      return c.visitor ?? `${mark(c, e)}$.visitor()`;
    case 'root':
      return `${mark(c, e)}$.root()`;
    case 'super':
      return `${mark(c, e)}$.superObject(${c.cls?.code ?? 'null'}, ${c.self ?? 'null'})`;
    default:
      return `${mark(c, e)}$.undefinedName(${quote(e.word)})`;
  }
}

function isWalker(c: Cx, e: ast.SpecialRef): boolean {
  return membersOf(typeOf(c, e)).every((type) => type.t === 'instance' && type.cls.kind === 'walker');
}

function dictionary(c: Cx, e: ast.DictExpr): string {
  let code = '';
  let flat: string[] = [];
  const rt = runtime(c, e);
  const group = () =>
    flat.length === 0
      ? 'new $.Dict()'
      : rt === '$'
        ? `$.Dict.of(${flat.join(', ')})`
        : waited(c, e, `$.w.dictOf(${flat.join(', ')})`);
  const added = (to: string) => waited(c, e, `${rt}.dictUpdate(${to}, ${group()})`);
  const operators = e.entries.flatMap(({ key }) => operatorKey(key) ?? []);
  for (const { key, value } of e.entries) {
    if (key !== undefined) flat.push(expr(c, key), expr(c, value));
    else {
      const left = code === '' ? group() : flat.length === 0 ? code : added(code);
      code = waited(c, e, `${mark(c, value)}${rt}.dictSpread(${left}, ${expr(c, value)})`);
      flat = [];
    }
  }
  if (code === '') code = group();
  else if (flat.length > 0) code = added(code);
  return withOperators(code, operators);
}

/** A constant key that a database takes for an operator: in code quotes. */
export function operatorKey(key: ast.Expression | undefined): string | undefined {
  return key?.kind === 'StringLiteral' && !key.bytes && key.value.startsWith('$') ? quote(key.value) : undefined;
}

/** The dict of this code, which is told that the program itself wrote these keys (decisions/0412). */
export function withOperators(code: string, operators: readonly string[]): string {
  return operators.length === 0 ? code : `$.written(${[code, ...operators].join(', ')})`;
}

export function slice(c: Cx, e: ast.Slice): string {
  return `new $.Slice(${bounds(c, e)})`;
}

export function bounds(c: Cx, e: ast.Slice): string {
  return [e.lower, e.upper, e.step].map((part) => (part === undefined ? 'null' : expr(c, part))).join(', ');
}

/** An operand of `await` or `flow`: its own promise is what is wanted. */
function awaited(c: Cx, e: ast.Expression): string {
  return `$.awaitable(${withoutWaiting(c, e)})`;
}

/** Code of `e` whose outermost operation is not awaited by itself. */
function withoutWaiting(c: Cx, e: ast.Expression): string {
  const { types } = c.u;
  const u = { ...c.u, types: { ...types, waits: (node: ast.Node) => node !== e && types.waits(node) } };
  const inner = { ...c, u };
  const code = expr(inner, e);
  c.temps = inner.temps;
  c.mostTemps = Math.max(c.mostTemps, inner.mostTemps);
  c.listTests = inner.listTests;
  c.listMarks = inner.listMarks;
  c.u.serial = u.serial;
  return code;
}

// The callee's arguments are evaluated now, up to the first wait of the call.
function flow(c: Cx, e: ast.Flow): string {
  if (e.word === 'wait') return c.isAsync ? `(await $.awaitable(${expr(c, e.expr)}))` : expr(c, e.expr);
  return `$.flow(async () => ${awaited(c, e.expr)})`;
}

function byValue(c: Cx, e: ast.By): string {
  const { before, codes } = inOrder(c, [e.value, e.model]);
  const code = `${mark(c, e)}$.askModel(${codes[1]}, ${codes[0]})`;
  return waited(c, e, before === '' ? code : `(${before}${code})`);
}

function yielded(c: Cx, e: ast.Yield): string {
  if (!e.from) {
    const value = e.value === undefined ? 'null' : expr(c, e.value);
    const error = c.u.options.traits.tracksHandled ? c.caught.at(-1)?.code : undefined;
    if (error === undefined) return `(yield ${value})`;
    // Work of the generator's caller between two items is not part of the clause.
    const t = temp(c);
    return `(${t} = ${value}, $.endHandling(${error}), ${t} = yield ${t}, $.beginHandling(${error}), ${t})`;
  }
  return `(yield* $.${c.isAsync ? 'aiter' : 'yieldFrom'}(${expr(c, e.value!)}))`;
}
