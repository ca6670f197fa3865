/** Statements: one case for each kind. */
import type * as ast from '../1-parse/ast.ts';
import { classCode } from './classes.ts';
import { at, P } from './code.ts';
import { type Cx, indented, isChanged, lang, line, mark, unique, wire } from './cx.ts';
import { heldLines, withDefaults } from './defaults.ts';
import { cleanup } from './effects.ts';
import { enumCode } from './enums.ts';
import { raiseStatement, tryStatement, withStatement } from './exceptions.ts';
import { expr, gen, slice } from './expressions.ts';
import { nestedFunction } from './functions.ts';
import { identifier } from './identifier.ts';
import { kindOf } from './kinds.ts';
import { forCount, forIn, jump, whileStatement } from './loops.ts';
import { matchStatement, switchStatement } from './matching.ts';
import { bindingCode } from './names.ts';
import { compare, test } from './operators.ts';
import { assignTarget, augmented, pattern, targetNames } from './targets.ts';

export function statements(c: Cx, list: readonly ast.Statement[]): string {
  return list.map((one) => statement(c, one)).join('');
}

/** `{ … }` with the statements of a block. */
export function block(c: Cx, body: ast.Block, first = ''): string {
  return `{${first}${indented(c, () => statements(c, body.statements))}${line(c, '}')}`;
}

export function statement(c: Cx, s: ast.Statement): string {
  switch (s.kind) {
    case 'ExprStatement':
      return expressionStatement(c, s);
    case 'AssignStatement':
      return assignment(c, s);
    case 'AugAssign':
      return line(c, `${mark(c, s)}${augmented(c, s)};`);
    case 'IfStatement':
      return line(c, ifStatement(c, s));
    case 'WhileStatement':
      return whileStatement(c, s);
    case 'ForIn':
      return forIn(c, s);
    case 'ForCount':
      return forCount(c, s);
    case 'TryStatement':
      return tryStatement(c, s);
    case 'WithStatement':
      return withStatement(c, s);
    case 'MatchStatement':
      return matchStatement(c, s);
    case 'SwitchStatement':
      return switchStatement(c, s);
    case 'ReturnStatement':
      return returnStatement(c, s);
    case 'CtrlStatement':
      return jump(c, s);
    case 'RaiseStatement':
      return raiseStatement(c, s);
    case 'AssertStatement':
      return assertStatement(c, s);
    case 'DeleteStatement':
      return s.targets.map((target) => deletion(c, target)).join('');
    case 'GlobDecl':
      return s.items
        .flatMap((item) =>
          item.value === undefined ? [] : [line(c, `${assignTarget(c, item.name, expr(c, item.value))};`)],
        )
        .join('');
    case 'FunctionDecl':
      return nestedFunction(c, s);
    case 'Archetype': {
      const [text, held] = withDefaults(c, () => classCode(c, s, identifier(s.name.text)));
      return heldLines(c, held) + line(c, text);
    }
    case 'EnumDecl':
      return line(c, enumCode(c, s, identifier(s.name.text)));
    case 'HasDecl':
      // State of a component is written with its head; in a block or slot it is a plain variable (E0603, E0604 tell).
      return s.items
        .map((item) =>
          line(c, `${assignTarget(c, item.name, item.value === undefined ? 'null' : expr(c, item.value))};`),
        )
        .join('');
    case 'TypedContext':
    case 'Region':
      return statements(c, s.body.statements);
    case 'Block':
      return statements(c, s.statements);
    case 'VisitStatement':
    case 'ReportStatement':
      return line(c, `${wire(c.u, 'absent')}(${s.kind === 'VisitStatement' ? '"visit"' : '"report"'});`);
    case 'ImportModules':
    case 'ImportFrom':
    case 'Include':
    case 'ScopeStatement':
    case 'ImplDecl':
    case 'Ability':
    case 'TypeAlias':
    case 'InlineForeign':
      return '';
  }
}

function expressionStatement(c: Cx, s: ast.ExprStatement): string {
  const { expr: e } = s;
  if (c.slot !== undefined && givesElement(c, e)) return line(c, `${mark(c, s)}${c.slot}.push(${expr(c, e)});`);
  if (e.kind === 'StringLiteral' && s.semicolon) return '';
  if (e.kind === 'NameRef' && e.name === 'pass' && c.u.names.binding(e).sort === 'unresolved') return '';
  const text = expr(c, e, P.comma);
  return line(
    c,
    `${mark(c, s)}${/^[\x01-\x02\w,;]*[{]|^(?:async )?function\b|^class\b/.test(text) ? `(${text})` : text};`,
  );
}

/**
 * In a slot, markup as a statement is one of its elements. So is a call that gives one, and what does nothing but give a value: a text, a name
 * such as `children`, a sum, a list of elements, a call of `str` or of a method of a text.
 */
function givesElement(c: Cx, e: ast.Expression): boolean {
  return (
    values.has(e.kind) ||
    kindOf(c, e) === 'element' ||
    (e.kind === 'Call' && givesValue(c, e.callee)) ||
    (e.kind === 'Cast' && givesElement(c, e.expr)) ||
    (e.kind === 'Conditional' && givesElement(c, e.then)) ||
    (e.kind === 'Logical' && givesElement(c, e.right))
  );
}

/** Callees that are called for what they give alone: texts do not change, and `map` makes elements. */
function givesValue(c: Cx, callee: ast.Expression): boolean {
  if (callee.kind === 'Attribute') return callee.name.text === 'map' || kindOf(c, callee.object) === 'str';
  return callee.kind === 'NameRef' && callee.name === 'str' && c.u.names.binding(callee).sort === 'builtin';
}

const values: ReadonlySet<ast.Node['kind']> = new Set([
  'Markup',
  'StringLiteral',
  'Joined',
  'Binary',
  'NumberLiteral',
  'NameRef',
  'Attribute',
  'Index',
  'ListExpr',
  'Comprehension',
]);

/** In a test a comparison that does not hold remembers its two sides, as on the server. */
function assertStatement(c: Cx, s: ast.AssertStatement): string {
  const message = s.message === undefined ? '' : expr(c, s.message);
  if (c.u.link.options.tests !== true || s.test.kind !== 'Compare' || s.test.ops.length > 1) {
    const error = `new ${lang(c.u, 'AssertionError')}(${message})`;
    return line(c, `${mark(c, s)}if (!${at(test(c, s.test), P.unary)}) throw ${error};`);
  }
  const names = s.test.operands.map(() => unique(c.u, 'side'));
  const held = s.test.operands.map((operand, i) => `const ${names[i]} = ${expr(c, operand)}; `).join('');
  const holds = at(compare(c, s.test, names), P.unary);
  const more = message === '' ? '' : `, ${message}`;
  const error = `${mark(c, s.test)}${lang(c.u, 'failedAssert')}([${names.join(', ')}]${more})`;
  return line(c, `${mark(c, s)}{ ${held}if (!${holds}) throw ${error}; }`);
}

function ifStatement(c: Cx, s: ast.IfStatement): string {
  let text = `${mark(c, s)}if (${at(test(c, s.test), P.comma)}) ${block(c, s.body)}`;
  let other = s.orElse;
  for (; other?.kind === 'IfStatement'; other = other.orElse)
    text += ` else if (${at(test(c, other.test), P.comma)}) ${block(c, other.body)}`;
  return other === undefined ? text : `${text} else ${block(c, other)}`;
}

function returnStatement(c: Cx, s: ast.ReturnStatement): string {
  if (c.slot !== undefined) return line(c, `return ${c.slot};`);
  if (s.value === undefined) return line(c, `${mark(c, s)}return${c.fn.isRender === true ? ' null' : ''};`);
  if (c.fn.isEffect === true || c.fn.defaults !== undefined) {
    if (s.value.kind === 'Constant' && s.value.value === null) return line(c, `${mark(c, s)}return;`);
    if (c.fn.isEffect === true) return line(c, `${mark(c, s)}return ${cleanup(c, s.value)};`);
  }
  return line(c, `${mark(c, s)}return ${expr(c, s.value)};`);
}

function assignment(c: Cx, s: ast.AssignStatement): string {
  const { value } = s;
  if (value === undefined) {
    const [target] = s.targets;
    if (target?.kind !== 'NameRef') return '';
    return isDeclaredBy(c, s, target) ? line(c, `let ${bindingCode(c, c.u.names.binding(target))};`) : '';
  }
  const [target] = s.targets;
  if (s.targets.length === 1 && target !== undefined) {
    const names = targetNames(target);
    const [first] = names;
    if (first !== undefined && names.every((name) => isDeclaredBy(c, s, name))) {
      const left =
        target.kind === 'NameRef'
          ? bindingCode(c, c.u.names.binding(target))
          : `[${pattern(c, (target as ast.TupleExpr).items)?.join(', ')}]`;
      const word = names.some((name) => isChanged(c, name)) ? 'let' : 'const';
      return line(c, `${mark(c, s)}${word} ${left} = ${valueOf(c, target, value)};`);
    }
    hoistDeclared(c, s, names);
    return line(c, `${mark(c, s)}${statementText(assignTarget(c, target, valueOf(c, target, value)))};`);
  }
  const name = `$all${(c.u.serial += 1)}`;
  const assigned = s.targets.map((one) => line(c, `${statementText(assignTarget(c, one, name))};`)).join('');
  return line(c, `const ${name} = ${expr(c, value)};`) + assigned;
}

/** A value that is taken apart: what is no array for certain is made one. */
function valueOf(c: Cx, target: ast.Expression, value: ast.Expression): string {
  if (target.kind === 'NameRef' || target.kind === 'Attribute' || target.kind === 'Index') return expr(c, value);
  const isList = kindOf(c, value) === 'list';
  if (isHook(value) || (isList && isOfLength(c, target, value))) return expr(c, value);
  if (target.kind === 'TupleExpr' && !target.items.some(isStarred))
    return `${lang(c.u, 'unpack')}(${expr(c, value)}, ${target.items.length})`;
  return `${lang(c.u, 'array')}(${expr(c, value)})`;
}

/** Does the list have as many items as it is taken apart into, as far as that has to be so? Brackets take what is there, as in JavaScript. */
function isOfLength(c: Cx, target: ast.Expression, value: ast.Expression): boolean {
  if (target.kind !== 'TupleExpr' || target.items.some(isStarred)) return true;
  if (value.kind === 'TupleExpr' || value.kind === 'ListExpr')
    return value.items.length === target.items.length && !value.items.some(isStarred);
  const type = c.u.types.of(value);
  return type.t === 'tuple' && type.items?.length === target.items.length;
}

function isStarred({ kind }: ast.Expression): boolean {
  return kind === 'Starred';
}

/** `useState(0)` and its like give arrays. */
function isHook(e: ast.Expression): boolean {
  return e.kind === 'Call' && e.callee.kind === 'NameRef' && /^use[A-Z]/.test(e.callee.name);
}

function statementText(text: string): string {
  return text.startsWith('[') || text.startsWith('{') ? `(${text})` : text;
}

export function isDeclaredBy(c: Cx, s: ast.Node, name: ast.NameRef | ast.Name): boolean {
  const binding = c.u.names.binding(name);
  return binding.sort === 'local' && c.u.declaredAt.get(binding)?.has(s) === true;
}

/** Variables that a statement would declare, were the others it gives values its own too, are declared at the head of the function. */
export function hoistDeclared(c: Cx, s: ast.Node, names: readonly ast.NameRef[]): void {
  for (const name of names) {
    const variable = bindingCode(c, c.u.names.binding(name));
    if (isDeclaredBy(c, s, name) && !c.fn.hoisted.includes(variable)) c.fn.hoisted.push(variable);
  }
}

function deletion(c: Cx, target: ast.Expression): string {
  switch (target.kind) {
    case 'NameRef':
      return line(c, `${assignTarget(c, target, 'undefined')};`);
    case 'Attribute':
      return line(c, `delete ${expr(c, target, P.call)};`);
    case 'Index':
      if (target.index.kind === 'Slice') {
        const [lower, upper = 'null', step = 'null'] = slice(c, target.index);
        return line(c, `${lang(c.u, 'setSlice')}(${expr(c, target.object)}, ${lower}, ${upper}, ${step});`);
      }
      return line(c, `${lang(c.u, 'delIndex')}(${expr(c, target.object)}, ${expr(c, target.index)});`);
    case 'TupleExpr':
    case 'ListExpr':
      return target.items.map((item) => deletion(c, item)).join('');
    default:
      return line(c, `${at(gen(c, target), P.comma)};`);
  }
}
