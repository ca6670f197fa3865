/** Functions: declarations, nested ones, lambdas. A function that awaits or spawns is an async one (language reference, asynchrony). */

import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { blockGivesMarkup, isComponent, opensFunction, takesAll } from '../2-resolve/components.ts';
import { deferring } from '../2-resolve/deferred-calls.ts';
import { anyWithin } from '../2-resolve/find-by-word.ts';
import type { Scope, ScopeNode } from '../2-resolve/names.ts';
import { quote } from '../5-emit/identifiers.ts';
import { at, type Code, code, P } from './code.ts';
import { componentParameters, parameters } from './components.ts';
import { type Cx, type FunctionCx, indented, inFile, inner, lang, line, mark } from './cx.ts';
import { heldAround, heldLines, withDefaults } from './defaults.ts';
import { cleanup, effect } from './effects.ts';
import { expr, gen } from './expressions.ts';
import { identifier } from './identifier.ts';
import { keywordsTaken, parameterNames, parameterNote, wrapped } from './named.ts';
import { bindingCode } from './names.ts';
import { signatureCall, signed } from './refresh.ts';
import { isRemoteSpawn } from './remote.ts';
import { declareState, noteState } from './state.ts';
import { statements } from './statements.ts';
import { placeVariables } from './variables.ts';

/** Does the body itself await something? Functions inside of it do so on their own. */
export function awaits(c: Cx, node: ast.Node): boolean {
  // Of most code the text tells that there is no need to look.
  if (!anyWithin(c.u.pauses, node.start, node.end)) return false;
  const isDeferring = (inside: ast.Node): inside is ast.Call =>
    inside !== node && inside.kind === 'Call' && deferring(c.u.names, inside) !== undefined;
  return containsNode(
    node,
    (inside) => {
      if (inside === node) return false;
      if (inside.kind === 'Await' || (inside.kind === 'Flow' && inside.word === 'wait')) return true;
      if (isDeferring(inside)) return inside.args.slice(1).some((one) => awaits(c, one));
      if (inside.kind === 'Spawn') return isRemoteSpawn(c, inside);
      return (
        (inside.kind === 'ForIn' || inside.kind === 'WithStatement' || inside.kind === 'CompClause') && inside.async
      );
    },
    (inside) => inside === node || ((inside.kind === 'MarkupSlot' || !opensFunction(inside)) && !isDeferring(inside)),
  );
}

function yields(c: Cx, node: ast.Node): boolean {
  if (!anyWithin(c.u.pauses, node.start, node.end)) return false;
  return containsNode(
    node,
    (inside) => inside !== node && inside.kind === 'Yield',
    (inside) => inside === node || !opensFunction(inside),
  );
}

interface Written {
  /** `async ` or nothing. */
  readonly prefix: string;
  readonly star: string;
  readonly params: string;
  /** `{ … }` */
  readonly body: string;
}

/** The parts of a declared function. */
function functionParts(c: Cx, decl: ast.FunctionDecl, more: Partial<Cx> = {}, skipped = 0): Written {
  const joined = c.u.names.implOf(decl);
  const signature = joined?.signature ?? decl.signature;
  const block = joined?.body ?? (decl.body.kind === 'Block' ? decl.body : undefined);
  if (block === undefined) {
    const message = `${decl.name?.text ?? 'a function'} is declared without an implementation`;
    const body = `{ throw new ${lang(c.u, 'NotImplementedError')}(${quote(message)}); }`;
    return { prefix: '', star: '', params: parameters(c, signature, skipped), body };
  }
  return inFile(c.u, joined?.impl ?? decl, () => {
    const isElement = isComponent(decl) || blockGivesMarkup(block);
    const isReactive = isElement || block.statements.some(({ kind }) => kind === 'HasDecl' || kind === 'Ability');
    const isMethod = c.self !== undefined && more.self !== undefined;
    const usesProps = isElement && signature.params.length === 0;
    const component = isReactive && !isMethod ? { node: decl, props: 'props' } : c.fn.component;
    const isAsync = decl.mods.async || awaits(c, block);
    const isVoid = isNone(signature.result);
    const at = inner(c, { component, isAsync, isVoid, isRender: isElement }, more);
    const params =
      isElement && !isMethod
        ? componentParameters(at, decl, signature, usesProps && asksProps(block))
        : parameters(at, signature, skipped);
    const body = functionBody(at, decl, block, isElement);
    return { prefix: isAsync ? 'async ' : '', star: yields(c, block) ? '*' : '', params, body };
  });
}

/** Is the result declared to be nothing? */
export function isNone(type: ast.Expression | undefined): boolean {
  return type?.kind === 'Constant' && type.value === null;
}

function asksProps(node: ast.Node): boolean {
  return containsNode(node, (inside) => inside.kind === 'SpecialRef' && inside.word === 'props');
}

/** The body of a function: its variables, its state and effects, its statements. The last expression without `;` is its result. */
export function functionBody(c: Cx, node: ScopeNode, body: ast.Block, isElement = false): string {
  const isStateful = holdsState(c, node, body);
  const cells = new Set(isStateful ? body.statements.flatMap((s) => (s.kind === 'HasDecl' ? s.items : [])) : []);
  noteState(c, node, cells);
  const scope = c.u.names.scope(node);
  place(c, scope, body.statements, cells);
  const text = indented(c, () => {
    const head: string[] = [];
    const rest: string[] = [];
    body.statements.forEach((s, i) => {
      if (s.kind === 'HasDecl' && isStateful) rest.push(declareState(c, s));
      else if (s.kind === 'Ability') rest.push(effect(c, s));
      else if (
        i === body.statements.length - 1 &&
        isResult(c, s, isSole(node, body) || (isElement && s.kind === 'ExprStatement' && s.expr.kind === 'Markup'))
      )
        rest.push(line(c, `${mark(c, s)}return ${c.fn.isEffect === true ? cleanup(c, s.expr) : expr(c, s.expr)};`));
      else rest.push(statements(c, [s]));
    });
    const signature = node.kind === 'Lambda' ? node.signature : signatureOf(c, node);
    if (signature !== undefined && takesAll(signature)) head.push(line(c, keywordsTaken(c, signature)));
    if (c.fn.hoisted.length > 0) head.push(line(c, `let ${[...new Set(c.fn.hoisted)].join(', ')};`));
    return [signatureCall(c, node), ...head, ...rest].join('');
  });
  return `{${text}${line(c, '}')}`;
}

/** Is `has` state of React in it? In a lambda where React calls that: it gives markup, or no function is around it. */
function holdsState(c: Cx, node: ScopeNode, body: ast.Block): boolean {
  if (node.kind === 'FunctionDecl') return true;
  return node.kind === 'Lambda' && (c.parent?.parent === undefined || blockGivesMarkup(body));
}

function signatureOf(c: Cx, node: ScopeNode): ast.Signature | undefined {
  return node.kind === 'FunctionDecl' ? (c.u.names.implOf(node)?.signature ?? node.signature) : undefined;
}

/** `isGiven`: counts as the result although a `;` follows. */
function isResult(c: Cx, s: ast.Statement, isGiven: boolean): s is ast.ExprStatement {
  if (s.kind !== 'ExprStatement') return false;
  if (s.semicolon && !isGiven) return false;
  return !c.fn.isVoid;
}

/** `lambda (x) { x * 2; }`: the only expression of a lambda is its result, but for a call that changes something and gives nothing. */
function isSole(node: ScopeNode, { statements: [only, ...others] }: ast.Block): boolean {
  if (node.kind !== 'Lambda' || only?.kind !== 'ExprStatement' || others.length > 0) return false;
  const { expr: e } = only;
  return !(e.kind === 'Call' && e.callee.kind === 'Attribute' && givesNothing.has(e.callee.name.text));
}

const givesNothing: ReadonlySet<string> = new Set(
  'append extend insert remove clear update add discard push unshift set'.split(' '),
);

/** Notes where the variables of a function are declared; the others go to its head. */
export function place(c: Cx, scope: Scope, body: readonly ast.Node[], cells?: ReadonlySet<ast.Node>): void {
  const { hoisted, declaredAt, changed } = placeVariables(c.u.names, scope, body, cells);
  for (const [binding, by] of declaredAt) c.u.declaredAt.set(binding, by);
  for (const binding of changed) c.u.changed.add(binding);
  c.fn.hoisted.push(...hoisted.map((binding) => bindingCode(c, binding)));
}

/** `function name(…) { … }` of a module or of a function. */
export function functionText(c: Cx, decl: ast.FunctionDecl, name: string): string {
  const { prefix, star, params, body } = functionParts(c, decl);
  // A call of itself is one of what its decorators made of it.
  const own = decoratorsOf(decl).length > 0 && !isComponent(decl) ? `${name}$` : name;
  return `${prefix}function${star} ${decl.name === undefined ? '' : mark(c, decl.name, decl.name.text)}${own}(${params}) ${body}`;
}

/** A function inside of another. In methods it keeps their `this`. */
export function nestedFunction(c: Cx, decl: ast.FunctionDecl): string {
  const name = decl.name === undefined ? '' : bindingCode(c, c.u.names.binding(decl.name));
  const note = parameterNote(c, decl, name);
  const after = note === undefined ? '' : line(c, note);
  const [text, held] = withDefaults(c, () => {
    if (c.self !== 'this') return decorated(c, decl, functionText(c, decl, name), name);
    const { prefix, star, params, body } = functionParts(c, decl);
    // An arrow cannot give one value after the other.
    const isArrow = star === '';
    return `const ${name} = ${isArrow ? `${prefix}(${params}) => ${body}` : `(${prefix}function* (${params}) ${body}).bind(this)`};`;
  });
  return heldLines(c, held) + line(c, text) + after;
}

/** Decorators of client functions are plain functions of functions. */
export function decorated(c: Cx, decl: ast.FunctionDecl, text: string, name: string): string {
  const decorators = decoratorsOf(decl);
  if (decorators.length === 0) return text;
  const own = signed(c.u, decl, wrapped(c, decl, text));
  const value = decorators.reduceRight((inside, one) => `${expr(c, one, P.call)}(${inside})`, own);
  return `const ${name} = ${value};`;
}

/** Decorators that change what the function is. */
export function decoratorsOf(decl: ast.FunctionDecl): readonly ast.Expression[] {
  return decl.decorators.filter((one) => !isNeutral(one));
}

function isNeutral(e: ast.Expression): boolean {
  const name = e.kind === 'Call' ? e.callee : e;
  return (
    name.kind === 'NameRef' &&
    ['restspec', 'staticmethod', 'classmethod', 'property', 'override', 'overload'].includes(name.name)
  );
}

export function methodParts(c: Cx, decl: ast.FunctionDecl, more: Partial<Cx>, skipped: number): Written {
  return functionParts(c, decl, more, skipped);
}

export function functionExpression(c: Cx, decl: ast.FunctionDecl): Code {
  const [{ prefix, star, params, body }, held] = withDefaults(c, () => functionParts(c, decl));
  const name = decl.name === undefined ? '' : ` ${identifier(decl.name.text)}`;
  const isArrow = star === '' && decl.name === undefined;
  const written = isArrow ? `${prefix}(${params}) => ${body}` : `${prefix}function${star}${name}(${params}) ${body}`;
  return heldAround(code(written, isArrow ? P.assign : P.primary), held);
}

export function lambda(c: Cx, e: ast.Lambda): Code {
  const [written, held] = withDefaults(c, () => arrow(c, e));
  const names = parameterNames(c, e.signature);
  const noted =
    names === undefined ? written : code(`Object.assign(${at(written, P.assign)}, { $params: ${names} })`, P.call);
  return heldAround(noted, held);
}

function arrow(c: Cx, e: ast.Lambda): Code {
  const { signature, body } = e;
  const isAsync = body.kind === 'Block' ? awaits(c, body) : awaitsItself(c, body);
  const fn: Partial<FunctionCx> = { isAsync, isVoid: isNone(signature.result) };
  const inside = inner(c, { ...fn, isRender: body.kind === 'Block' && blockGivesMarkup(body) });
  const params = parameters(inside, signature);
  if (body.kind === 'Block' && yields(c, body)) {
    // An arrow cannot give one value after the other.
    const text = `${isAsync ? 'async ' : ''}function* (${params}) ${functionBody(inside, e, body)}`;
    return c.self === 'this' ? code(`(${text}).bind(this)`, P.call) : code(`(${text})`, P.primary);
  }
  const head = `${isAsync ? 'async ' : ''}(${params}) => `;
  if (body.kind === 'Block') return signedCode(c, e, head + functionBody(inside, e, body));
  place(inside, c.u.names.scope(e), [body]);
  const value = gen(inside, body);
  const text = at(value, P.assign);
  const start = indented(inside, () => signatureCall(inside, e));
  const isPlain = start === '' && inside.fn.hoisted.length === 0 && !takesAll(signature);
  if (isPlain) return code(head + (/^[\x01-\x02\w,;]*\{/.test(text) ? `(${text})` : text), P.assign);
  const lines = indented(
    inside,
    () =>
      start +
      (takesAll(signature) ? line(inside, keywordsTaken(inside, signature)) : '') +
      (inside.fn.hoisted.length === 0 ? '' : line(inside, `let ${inside.fn.hoisted.join(', ')};`)) +
      line(inside, `return ${text};`),
  );
  return signedCode(c, e, `${head}{${lines}${line(inside, '}')}`);
}

function signedCode(c: Cx, e: ast.Lambda, text: string): Code {
  const whole = signed(c.u, e, text);
  return code(whole, whole === text ? P.assign : P.call);
}

function awaitsItself(c: Cx, e: ast.Expression): boolean {
  return e.kind === 'Await' || (e.kind === 'Spawn' && isRemoteSpawn(c, e)) || awaits(c, e);
}
