/** Statements: dispatch by kind and the simple ones. A statement is text in which every line begins with a line break. */
import type * as ast from '../1-parse/ast.ts';
import { localArchetype } from './archetypes.ts';
import { assertStatement } from './assertions.ts';
import { assignStatement, declareVariable, heldCode } from './assignment.ts';
import { augAssign, augName } from './augmented.ts';
import { nestedFunction } from './closures.ts';
import { inlined } from './comprehensions.ts';
import { type Cx, indented, line, mark, unique } from './context.ts';
import { answer, statementLine, stepBefore } from './debugging.ts';
import { deleteStatement } from './deletion.ts';
import { localEnum } from './enums.ts';
import { raiseStatement, tryStatement, withStatement } from './exceptions.ts';
import { expr } from './expressions.ts';
import { reportStatement, typedContext, visitStatement } from './graph.ts';
import { importStatement } from './imports.ts';
import { methodStatement } from './kind-methods.ts';
import { forCount, forIn, whileLoop } from './loops.ts';
import { markLine } from './marks.ts';
import { matchStatement, switchStatement } from './matching.ts';
import { localCode, nameValue } from './names.ts';
import { withSums } from './sums.ts';
import { condition } from './truth.ts';

/** The statements of a block, one level deeper. */
export function block(c: Cx, b: ast.Block): string {
  return indented(c, () => statements(c, b.statements));
}

export function statements(c: Cx, list: readonly ast.Statement[]): string {
  let text = '';
  for (const s of list) text += statement(c, s);
  return text;
}

export function statement(c: Cx, s: ast.Statement): string {
  c.temps = 0;
  return statementLine(c, s, expr) + markLine(c, s) + statementCode(c, s);
}

function statementCode(c: Cx, s: ast.Statement): string {
  switch (s.kind) {
    case 'ExprStatement':
      return hoisted(c, s.expr, s, expressionStatement);
    case 'AssignStatement':
      return s.value === undefined ? assignStatement(c, s) : hoisted(c, s.value, s, assignStatement);
    case 'AugAssign':
      return augAssign(c, s);
    case 'IfStatement':
      return hoisted(c, s.test, s, ifStatement);
    case 'WhileStatement':
      return c.u.debugging === undefined
        ? withSums(
            c,
            s,
            (binding) => localCode(c.u, binding),
            () => whileLoop(c, s),
          )
        : whileLoop(c, s);
    case 'ForIn':
      return c.u.debugging === undefined
        ? withSums(
            c,
            s,
            (binding) => localCode(c.u, binding),
            () => hoisted(c, s.iter, s, forIn),
          )
        : forIn(c, s);
    case 'ForCount':
      return forCount(c, s);
    case 'ReturnStatement':
      return s.value === undefined ? returned(c, s, undefined) : hoisted(c, s.value, s, returnStatement);
    case 'CtrlStatement':
      return control(c, s);
    case 'RaiseStatement':
      return raiseStatement(c, s);
    case 'TryStatement':
      return tryStatement(c, s);
    case 'WithStatement':
      return withStatement(c, s);
    case 'MatchStatement':
      return matchStatement(c, s);
    case 'SwitchStatement':
      return switchStatement(c, s);
    case 'AssertStatement':
      return assertStatement(c, s);
    case 'DeleteStatement':
      return deleteStatement(c, s);
    case 'GlobDecl':
      return globStatement(c, s);
    case 'ScopeStatement':
    case 'TypeAlias':
    case 'ImplDecl':
    case 'Ability':
      return '';
    case 'HasDecl':
      return s.items.map((item) => declaration(c, item)).join('');
    case 'VisitStatement':
      return visitStatement(c, s);
    case 'ReportStatement':
      return hoisted(c, s.value, s, reportStatement);
    case 'TypedContext':
      return typedContext(c, s);
    case 'Region':
      return line(c, `${mark(c, s)}${expr(c, s.region)};`) + statements(c, s.body.statements);
    case 'FunctionDecl':
      return nestedFunction(c, s);
    case 'Archetype':
      return localArchetype(c, s);
    case 'EnumDecl':
      return localEnum(c, s);
    case 'ImportModules':
    case 'ImportFrom':
    case 'Include':
      return importStatement(c, s);
    case 'InlineForeign':
      return line(c, `${mark(c, s)}throw new $.RuntimeError("inline Python blocks are not supported");`);
    case 'Block':
      return statements(c, s.statements);
  }
}

/** A statement as one JavaScript expression (the step of a counting loop), or undefined. */
export function simpleInline(c: Cx, s: ast.AssignStatement | ast.AugAssign | ast.ExprStatement): string | undefined {
  if (s.kind === 'ExprStatement') return expr(c, s.expr);
  if (s.kind === 'AugAssign') return s.target.kind === 'NameRef' ? mark(c, s) + augName(c, s, s.target) : undefined;
  const [target] = s.targets;
  if (s.targets.length !== 1 || target?.kind !== 'NameRef' || s.value === undefined) return undefined;
  return `${mark(c, s)}${nameValue(c, target, true)} = ${heldCode(c, target, s.value)}`;
}

function declaration(c: Cx, item: ast.HasItem): string {
  c.temps = 0;
  return item.value === undefined ? declareVariable(c, item) : hoisted(c, item.value, item, declareVariable);
}

function expressionStatement(c: Cx, s: ast.ExprStatement): string {
  const e = s.expr;
  if (e.kind === 'StringLiteral' || e.kind === 'NumberLiteral' || e.kind === 'Constant' || e.kind === 'Missing')
    return '';
  if (e.kind === 'NameRef' && e.name === 'pass' && c.u.names.binding(e).sort === 'unresolved') return '';
  if (e.kind === 'Call' && !c.u.types.waits(e)) {
    const code = methodStatement(c, e);
    if (code !== undefined) return line(c, code);
  }
  const code = expr(c, e);
  return line(c, `${mark(c, s)}${c.slot !== undefined && e.kind === 'Markup' ? `${c.slot}.push(${code})` : code};`);
}

/** Most arms as one chain of `else if`: engines nest them, and their stack ends. */
const mostArms = 500;

function ifStatement(c: Cx, s: ast.IfStatement): string {
  let text = line(c, `${mark(c, s)}if (${condition(c, s.test)}) {`) + block(c, s.body);
  let rest = s.orElse;
  let next = '';
  for (let arms = 1; rest?.kind === 'IfStatement'; arms++, rest = rest.orElse) {
    const head = `if (${mark(c, rest)}${stepBefore(c, rest, condition(c, rest.test))}) {`;
    if (arms % mostArms === 0) {
      if (next === '') next = unique(c.u, 'arms');
      text += line(c, `} else ${next} = ${arms};`) + line(c, `if (${next} === ${arms}) ${head}`);
    } else text += line(c, `} else ${head}`);
    text += block(c, rest.body);
  }
  if (rest !== undefined) text += line(c, '} else {') + block(c, rest);
  return (next === '' ? '' : line(c, `let ${next};`)) + text + line(c, '}');
}

function returnStatement(c: Cx, s: ast.ReturnStatement): string {
  return returned(c, s, s.value);
}

/** `return`, also of a tail expression. */
export function returned(c: Cx, s: ast.Span, value: ast.Expression | undefined): string {
  const at = mark(c, s);
  if (c.result === 'plain') return line(c, `${at}return ${answer(c, value === undefined ? 'null' : expr(c, value))};`);
  const isInit = c.result === 'void' && /\.(?:__init__|init)$/.test(c.qualname);
  const effect =
    value === undefined || value.kind === 'Constant'
      ? ''
      : isInit
        ? `$.initGave(${expr(c, value)}); `
        : `${expr(c, value)}; `;
  return line(c, `${at}${effect}${leaveCode(c)}`);
}

/** Leaves the function, ability or entry block without a value. */
function leaveCode(c: Cx): string {
  if (c.result === 'plain') return `return ${answer(c, 'null')};`;
  if (c.result === 'void' || c.exit === undefined) return 'return;';
  c.exit.used = true;
  return `break ${c.exit.label};`;
}

function control(c: Cx, s: ast.CtrlStatement): string {
  const at = mark(c, s);
  switch (s.word) {
    case 'skip':
      return line(c, at + leaveCode(c));
    case 'disengage':
      return line(
        c,
        c.walk === undefined
          ? `${at}$.disengage(); ${leaveCode(c)}`
          : `${at}${c.walk}.disengaged = true; ${leaveCode(c)}`,
      );
    case 'break': {
      const jump = c.jumps.at(-1);
      return line(c, `${at}break${jump?.breakLabel === undefined ? '' : ` ${jump.breakLabel}`};`);
    }
    case 'continue': {
      const jump = c.jumps.findLast((one) => one.of === 'loop');
      return line(c, jump?.continueLabel === undefined ? `${at}continue;` : `${at}break ${jump.continueLabel};`);
    }
  }
}

function globStatement(c: Cx, s: ast.GlobDecl): string {
  return s.items
    .filter((item) => item.value !== undefined)
    .map((item) => {
      const targets = [item.name, ...item.chained].map((name) => `${nameValue(c, name, true)} = `);
      return line(c, `${mark(c, item)}${targets.join('')}${expr(c, item.value!)};`);
    })
    .join('');
}

// ---------------------------------------------------------------- comprehensions in front of their statement

/** Writes a statement whose value is `e`; a comprehension that is evaluated first in it is computed by a loop in front. */
function hoisted<S>(c: Cx, e: ast.Expression, s: S, write: (c: Cx, s: S) => string): string {
  const found = first(c, e);
  if (found === undefined || c.u.computed.has(found) || (c.u.types.suspends(found) && !c.isAsync)) return write(c, s);
  const name = unique(c.u, 'r');
  const before = inlined(c, found, name);
  c.u.computed.set(found, name);
  c.temps = 0;
  const text = hoisted(c, e, s, write);
  c.u.computed.delete(found);
  return before + text;
}

const consumers = new Set(['list', 'set', 'frozenset', 'tuple', 'sum', 'sorted', 'min', 'max']);

// The comprehension that is evaluated before anything else that has an effect.
function first(c: Cx, e: ast.Expression): ast.Comprehension | undefined {
  if (c.u.spines.has(e)) return undefined;
  switch (e.kind) {
    case 'Comprehension':
      return e.sort === 'generator' || c.u.computed.has(e) ? undefined : e;
    case 'Binary':
    case 'Logical':
      return first(c, e.left);
    case 'Compare':
      return first(c, e.operands[0]!);
    case 'Unary':
      return first(c, e.operand);
    case 'Attribute':
    case 'Index':
    case 'Filter':
      return first(c, e.object);
    case 'Cast':
      return first(c, e.expr);
    case 'Conditional':
      return first(c, e.test);
    case 'Call':
      return firstOfCall(c, e);
    default:
      return undefined;
  }
}

function firstOfCall(c: Cx, e: ast.Call): ast.Comprehension | undefined {
  if (c.u.computed.has(e)) return undefined;
  const plan = c.u.types.callPlan(e);
  if (e.callee.kind === 'Attribute') {
    const inner = first(c, e.callee.object);
    if (inner !== undefined || e.callee.safe || !isQuiet(e.callee.object)) return inner;
  } else if (e.callee.kind !== 'NameRef') return undefined;
  for (const arg of e.args) {
    if (arg.sort !== 'positional' && arg.sort !== 'keyword') return undefined;
    const { value } = arg;
    if (isQuiet(value)) continue;
    if (value.kind === 'Comprehension' && value.sort === 'generator') {
      return plan.how === 'builtin' && consumers.has(plan.name) && !c.u.computed.has(value) ? value : undefined;
    }
    return c.u.computed.has(value) ? undefined : first(c, value);
  }
  return undefined;
}

function isQuiet(e: ast.Expression): boolean {
  return e.kind === 'StringLiteral' || e.kind === 'NumberLiteral' || e.kind === 'Constant' || e.kind === 'SpecialRef';
}
