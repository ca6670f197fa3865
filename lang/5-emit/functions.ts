/**
 * Functions of every form (docs/language/functions.md#functions, docs/language/expressions.md#lambdas): parameters in
 * slots, results, generators, suspension.
 */
import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from '../2-resolve/children.ts';
import type { Binding, LocalBinding, Scope, ScopeNode } from '../2-resolve/names.ts';
import { listMark } from './assignment.ts';
import { type Cx, indented, inFile, line, nested, newline, type Surroundings, tempList, unique } from './context.ts';
import type { DebugFunction, DebugName } from './debug-tables.ts';
import { answer, type DebuggedCall, debuggedCall, keptCall } from './debugging.ts';
import { byBody } from './delegation.ts';
import { expr } from './expressions.ts';
import type { SpecSource } from './function-spec.ts';
import { identifier, quote } from './identifiers.ts';
import { findSmallIntegers } from './integers.ts';
import { holdsBare, isListCode } from './kinds.ts';
import { isSimpleDefault, isTimeless } from './literals.ts';
import { lookLine, mayRecur } from './looks.ts';
import { localCode } from './names.ts';
import { returned, statement } from './statements.ts';

/** Description of a function to write. */
export interface FunctionSource {
  /** The node the tables of phases 2 and 3 know it by. */
  readonly node: ScopeNode;
  readonly signature: ast.Signature;
  /** The body to write: statements, one expression, a model expression, or nothing. */
  readonly body: ast.Block | ast.Expression | undefined;
  readonly by?: ast.Expression | undefined;
  /** File the body is in, when it is an impl's. */
  readonly bodyNode?: ast.Node | undefined;
  /** Declared `async def`. */
  readonly async: boolean;
  /** Name of the coroutine objects that calls of an `async def` give; its absence means a call is its own start. */
  readonly coroutine?: string | undefined;
  /** Overrides what inference says about waiting. */
  readonly isAsync?: boolean | undefined;
  readonly result: 'plain' | 'void';
  /** Number of leading parameters that are the receiver. */
  readonly receivers: number;
  /** Name by which the body knows the receiver, when it is not `self`. */
  readonly receiverName?: string | undefined;
  /** The receiver is the first of `*args`. */
  readonly packsReceiver?: boolean;
  /** Objects around the function, when they are not those of the code around it. */
  readonly around?: Surroundings | undefined;
  /** Text of the NotImplementedError of a missing body. */
  readonly missing?: string | undefined;
  /** The rule of lambda blocks for a single expression statement. */
  readonly singleResult?: boolean;
  /** Needed when the body is a model's. */
  readonly spec?: SpecSource | undefined;
  /** A declaration of the module or of one of its classes, not a function made by running code. */
  readonly declared?: boolean;
}

export interface WrittenFunction {
  /** `async `, or nothing. */
  readonly prefix: string;
  readonly params: string;
  /** `{ … }` */
  readonly body: string;
  /** Lines that evaluate defaults, in front of the function. */
  readonly before: string;
  /** The call that the body is, of a function which gives its value at once where nothing in it waits. */
  readonly kept?: string | undefined;
  /** `=> expression` form, when the body is only that. */
  readonly expression: string | undefined;
}

export function writeFunction(c: Cx, f: FunctionSource): WrittenFunction {
  const { u } = c;
  const isGenerator = u.hasYield && f.body !== undefined && yields(f.body);
  const isAsync = f.isAsync ?? (f.async || u.types.suspends(f.node));
  const scope = u.names.scope(f.node);
  const { params, before } = parameters(c, f);
  const canSuper = isGenerator ? false : undefined;
  const inner = nested(c, isAsync, f.result, { scope, around: f.around, canSuper, qualname: f.spec?.qualname });
  if (isGenerator) return { prefix: '', params, before, expression: undefined, body: generatorBody(c, inner, f) };
  if (f.async && f.coroutine !== undefined)
    return { prefix: '', params, before, expression: undefined, body: coroutineBody(c, inner, f, f.coroutine) };
  if (f.body !== undefined && f.body.kind !== 'Block' && f.result === 'plain' && restOf(f) === undefined) {
    const code = expr(inner, f.body);
    const recurs = mayRecur(inner, f.node, f.async);
    const locals = localNames(inner, u.names.scope(f.node), f);
    if (inner.mostTemps === 0 && inner.listTests === undefined && !recurs && locals.length === 0) {
      const text = code.startsWith('{') ? `(${code})` : code;
      return { prefix: isAsync ? 'async ' : '', params, before, expression: text, body: `{ return ${code}; }` };
    }
    const text = indented(inner, () => {
      const { statements, flags } = keepListTests(inner, line(inner, `return ${code};`));
      const look = recurs ? lookLine(inner, f.body as ast.Expression) : '';
      return declared([...locals, ...tempList(inner), ...flags], inner) + look + statements;
    });
    return { prefix: isAsync ? 'async ' : '', params, before, expression: undefined, body: `{${text}${newline(c)}}` };
  }
  const body = bodyText(inner, f);
  if (
    u.debugging === undefined ||
    !isAsync ||
    f.async ||
    f.isAsync !== undefined ||
    f.declared !== true ||
    f.result !== 'plain'
  )
    return { prefix: isAsync ? 'async ' : '', params, before, expression: undefined, body };
  const kept = keptCall(body);
  return { prefix: '', params, before, expression: undefined, kept, body: `{ return ${kept};${newline(c)}}` };
}

function generatorBody(c: Cx, inner: Cx, f: FunctionSource): string {
  const kind = inner.isAsync ? 'agen' : 'gen';
  const self = inner.self === 'this' ? 'this' : 'undefined';
  return indented(c, () => {
    const body = bodyText(inner, f);
    const head = `return $.${kind}((${inner.isAsync ? 'async ' : ''}function* ${chainName(c, f.coroutine)}() ${body}).call(${self}));`;
    const text = line(c, head);
    c.u.depth -= 1;
    const end = newline(c);
    c.u.depth += 1;
    return `{${text}${end}}`;
  });
}

/** Name for the call chains of errors, `C.m` as `C$_m`; numbered, so that it hides no name of the program. */
function chainName(c: Cx, name = ''): string {
  if (name === '') return '';
  const stem = name.includes('<') ? name.slice(name.lastIndexOf('>') + 2) : name;
  return `${stem.replaceAll('.', '$_')}${unique(c.u, '')}`;
}

// The body is an arrow function, so that `this` and `super` mean what they mean around it.
function coroutineBody(c: Cx, inner: Cx, f: FunctionSource, name: string): string {
  return indented(c, () => {
    const named = chainName(c, name);
    const body = line(c, `const ${named} = async () => ${bodyText(inner, f)};`);
    const text = body + line(c, `return $.coro(${quote(name)}, ${named});`);
    c.u.depth -= 1;
    const end = newline(c);
    c.u.depth += 1;
    return `{${text}${end}}`;
  });
}

/** `{ … }` with the declarations of locals and temporaries in front. */
function bodyText(inner: Cx, f: FunctionSource): string {
  const { u } = inner;
  const text = indented(inner, () => {
    const write = () =>
      debuggedCall(
        inner,
        () => debuggedBody(inner, f),
        () => bodyStatements(inner, f),
      );
    const written = f.bodyNode === undefined ? write() : inFile(u, f.bodyNode, write);
    const { statements, flags } = keepListTests(inner, written);
    const receiver = f.receiverName === undefined ? '' : line(inner, `const ${identifier(f.receiverName)} = this;`);
    const rest = restOf(f);
    const packed =
      rest === undefined
        ? ''
        : line(inner, `${rest} = new $.Tuple(${f.packsReceiver === true ? `[this, ...${rest}]` : rest});`);
    const locals = localNames(inner, u.names.scope(f.node), f).concat(tempList(inner), flags);
    const look = mayRecur(inner, f.node, f.async) ? lookLine(inner, f.node) : '';
    return receiver + packed + declared(locals, inner) + look + statements;
  });
  return `{${text}${newline(inner)}}`;
}

function debuggedBody(c: Cx, f: FunctionSource): DebuggedCall {
  const names = new Map(
    [...namesOfParams(f.signature), ...namesOfScope(c, c.u.names.scope(f.node))].map((one) => [one[0], one]),
  );
  const name = f.spec?.qualname ?? c.qualname;
  return {
    name,
    kind: f.node.kind === 'Ability' ? 'ability' : 'function',
    start: (f.body ?? f.node).start,
    node: f.node,
    names: [...names.values()],
  };
}

/** The variables of a scope as `[name, code]`. */
export function namesOfScope(c: Cx, scope: Cx['scope']): DebugFunction['names'] {
  if (c.u.debugging === undefined || scope === undefined) return [];
  return [...scope.locals.values()].flatMap((binding) =>
    binding.role === 'type' && binding.decl?.kind !== 'Archetype' && binding.decl?.kind !== 'EnumDecl'
      ? []
      : [nameEntry(c, binding.name, localCode(c.u, binding), binding)],
  );
}

/** A name for the debugger. */
export function nameEntry(c: Cx, name: string, code: string, binding: Binding): DebugName {
  return holdsBare(c, binding) ? [name, code, 'bare'] : [name, code];
}

/** `[name, code]` of parameters. */
function namesOfParams(signature: ast.Signature): DebugFunction['names'] {
  return signature.params.flatMap(({ name }) =>
    name === undefined ? [] : [[name.text, identifier(name.text)] as const],
  );
}

function declared(names: readonly string[], c: Cx): string {
  return names.length > 0 ? line(c, `let ${names.join(', ')};`) : '';
}

// Parameters are tested in front of the body, other variables behind their assignment, where `listMark` left a mark.
function keepListTests(c: Cx, text: string): { statements: string; flags: string[] } {
  if (c.listTests === undefined && c.listMarks === undefined) return { statements: text, flags: [] };
  const tests = c.listTests ?? new Map<LocalBinding, string>();
  let head = '';
  let statements = text;
  for (const [binding, flag] of tests) {
    const test = `${flag} = ${isListCode(c, localCode(c.u, binding))};`;
    if (binding.role === 'param') head += line(c, test);
    else statements = statements.replaceAll(listMark(binding), ` ${test}`);
  }
  if (c.listMarks !== undefined) statements = statements.replace(/\x03[^\x04]*\x04/g, '');
  return { statements: head + statements, flags: [...tests.values()] };
}

function bodyStatements(c: Cx, f: FunctionSource): string {
  if (f.by !== undefined) return byBody(c, f.by, f.spec!);
  if (f.body === undefined) {
    return line(c, `throw new $.NotImplementedError(${f.missing === undefined ? '' : quote(f.missing)});`);
  }
  if (f.body.kind !== 'Block') return returned(c, f.body, f.body);
  const { scope } = c;
  if (!c.u.hasWalrus && scope !== undefined && scope.locals.size > 0) {
    findSmallIntegers(
      c,
      f.body.statements,
      (binding) =>
        binding.scope === scope &&
        binding.role === 'local' &&
        !binding.captured &&
        !binding.assignedInside &&
        !binding.mayBeUnbound &&
        !isParam(f, binding.name),
    );
  }
  return blockStatements(c, f.body, f.singleResult === true);
}

function blockStatements(c: Cx, b: ast.Block, singleResult: boolean): string {
  const { statements: list, tail } = b;
  const only = list.length === 1 ? list[0]! : undefined;
  const result = tail ?? (singleResult && only?.kind === 'ExprStatement' ? only : undefined);
  const end = list.at(-1);
  let text = '';
  for (const s of list) {
    if (s === result && c.result === 'plain') {
      const returning = {
        kind: 'ReturnStatement',
        start: s.start,
        end: s.end,
        value: (s as ast.ExprStatement).expr,
      } as const;
      text += statement(c, returning);
    } else text += statement(c, s);
  }
  if (c.result === 'plain' && result === undefined && !(end !== undefined && leaves(end)))
    text += line(c, `return ${answer(c, 'null')};`);
  return text;
}

function leaves(s: ast.Statement): boolean {
  switch (s.kind) {
    case 'ReturnStatement':
    case 'RaiseStatement':
      return true;
    case 'CtrlStatement':
      return s.word === 'skip' || s.word === 'disengage';
    case 'IfStatement':
      return allLeave(s);
    default:
      return false;
  }
}

function allLeave(first: ast.IfStatement): boolean {
  let at: ast.Block | ast.IfStatement | undefined = first;
  for (; at?.kind === 'IfStatement'; at = at.orElse) if (!blockLeaves(at.body)) return false;
  return at !== undefined && blockLeaves(at);
}

function blockLeaves(b: ast.Block): boolean {
  const end = b.statements.at(-1);
  return end !== undefined && leaves(end);
}

function isParam(f: FunctionSource, name: string): boolean {
  return f.signature.params.some((param) => param.name?.text === name);
}

/** Variables of a function besides its parameters. */
function localNames(c: Cx, scope: Scope, f: FunctionSource): string[] {
  const names: string[] = [];
  for (const binding of scope.locals.values()) {
    if (binding.role === 'param' || isParam(f, binding.name)) continue;
    if (binding.role === 'type' && (binding.decl?.kind === 'TypeParam' || binding.decl?.kind === 'TypeAlias')) continue;
    if (binding.name === f.receiverName) continue;
    names.push(localCode(c.u, binding));
  }
  return names;
}

// ---------------------------------------------------------------- parameters

/** The variable of `*args`: its slot holds an array, the body sees a tuple. */
function restOf(f: FunctionSource): string | undefined {
  const param = f.signature.params.find(({ sort }) => sort === 'star');
  return param?.name === undefined ? undefined : identifier(param.name.text);
}

function parameters(c: Cx, f: FunctionSource): { params: string; before: string } {
  const codes: string[] = [];
  let before = '';
  f.signature.params.forEach((param, i) => {
    if (i < f.receivers || param.name === undefined) return;
    const name = identifier(param.name.text);
    if (param.sort === 'star') codes.push(`${name} = []`);
    else if (param.sort === 'doublestar') codes.push(`${name} = new $.Dict()`);
    else if (param.value === undefined) codes.push(name);
    else if (isSimpleDefault(param.value)) codes.push(`${name} = ${expr(c, param.value)}`);
    else {
      const held = unique(c.u, 'd');
      if (c.u.options.traits.asksForDefaults) c.u.defaults.set(param, held);
      // Declarations are in place from the start; a default that depends on the moment is evaluated where they stand.
      if (!c.isTop || f.declared !== true) before += line(c, `const ${held} = ${expr(c, param.value)};`);
      else if (isTimeless(param.value)) c.u.constants.push(`const ${held} = ${expr(c, param.value)};`);
      else {
        c.u.constants.push(`let ${held};`);
        before += line(c, `${held} = ${expr(c, param.value)};`);
      }
      codes.push(`${name} = ${held}`);
    }
  });
  return { params: codes.join(', '), before };
}

/** Does this very function contain `yield`? */
export function yields(body: ast.Block | ast.Expression): boolean {
  const list: readonly ast.Node[] = body.kind === 'Block' ? body.statements : [body];
  return list.some((node) => containsYield(node));
}

/** Is there something in this very body that waits? */
export function containsWait(c: Cx, node: ast.Node): boolean {
  if (node.kind === 'Await' || (node.kind === 'Flow' && node.word === 'wait')) return true;
  if (
    (node.kind === 'ForIn' || node.kind === 'WithStatement' || node.kind === 'CompClause' || node.kind === 'EdgeRef') &&
    node.async
  )
    return true;
  if (c.u.types.waits(node)) return true;
  if (ownFunctions.has(node.kind)) return false;
  let found = false;
  forEachChild(node, (child) => {
    found ||= containsWait(c, child);
  });
  return found;
}

const ownFunctions = new Set([
  'FunctionDecl',
  'Lambda',
  'FunctionExpr',
  'Ability',
  'Archetype',
  'EnumDecl',
  'ImplDecl',
]);

function containsYield(node: ast.Node): boolean {
  if (node.kind === 'Yield') return true;
  if (ownFunctions.has(node.kind)) return false;
  let found = false;
  for (const value of Object.values(node)) {
    if (found) break;
    found = yieldsIn(value);
  }
  return found;
}

function yieldsIn(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(yieldsIn);
  if ('kind' in value) return containsYield(value as ast.Node);
  return Object.values(value).some(yieldsIn);
}
