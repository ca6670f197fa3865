/**
 * Assignment, destructuring, augmented assignment and `del` (docs/language/statements.md#assignment,
 * docs/language/statements.md#del). Everything gives whole lines.
 */
import type * as ast from '../1-parse/ast.ts';
import type { LocalBinding } from '../2-resolve/names.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import { canKeepListTest, isProven, listTest, subscriptCode, wholeTest } from './access.ts';
import { type Cx, line, mark, temp, unique } from './context.ts';
import { bounds, expr, num, operatorKey, runtime, waited, wholeIterable, withOperators } from './expressions.ts';
import { property, quote } from './identifiers.ts';
import { interval } from './integers.ts';
import { holdsBare, isBareFloat, isSimple, isSure, mainTypeOf } from './kinds.ts';
import { bindingCode, nameValue } from './names.ts';
import { operands } from './operators.ts';

export function assignStatement(c: Cx, s: ast.AssignStatement): string {
  const [first] = s.targets;
  if (s.value === undefined) {
    return first?.kind === 'NameRef' ? line(c, `${mark(c, s)}${nameValue(c, first, true)} = null;`) : '';
  }
  if (s.targets.length === 1 && first !== undefined) return assignValue(c, s, first, s.value);
  const value = unique(c.u, 'v');
  const lines = line(c, `${mark(c, s)}const ${value} = ${expr(c, s.value)};`);
  return lines + s.targets.map((target) => assignTo(c, target, value)).join('');
}

/**
 * `has x: T = v` in a function: a variable of its own (docs/language/statements.md#assignment,
 * docs/language/client.md#state), None without an initialiser.
 */
export function declareVariable(c: Cx, { name, value, start, end }: ast.HasItem): string {
  const code =
    value === undefined ? 'null' : `${heldCode(c, name, value)}${mayGiveUndefined(c, name, value) ? ' ?? null' : ''}`;
  return line(c, `${mark(c, { start, end }, name.text)}${nameValue(c, name, true)} = ${code};`);
}

function assignValue(c: Cx, s: ast.AssignStatement, target: ast.Expression, value: ast.Expression): string {
  if (isPattern(target) && isDisplay(value) && value.items.length > 0 && sameShape(target, value)) {
    // `(a, b) = (b, a)`: no tuple is made.
    const names = value.items.map(() => unique(c.u, 'v'));
    const codes = value.items.map((item, i) => `${names[i]} = ${expr(c, item)}`);
    return (
      line(c, `${mark(c, s)}const ${codes.join(', ')};`) +
      target.items.map((item, i) => assignTo(c, item, names[i]!)).join('')
    );
  }
  if (target.kind === 'NameRef') {
    const unbound = mayGiveUndefined(c, target, value) ? ' ?? null' : '';
    return line(
      c,
      `${mark(c, s)}${nameValue(c, target, true)} = ${heldCode(c, target, value)}${unbound};${listMarkFor(c, target)}`,
    );
  }
  if (isPattern(target)) return assignTo(c, target, partsOf(c, value), s);
  if (isPure(value) && (isFixed(value) || isPure(target))) return assignTo(c, target, expr(c, value), s);
  // The value comes before the parts of the target, which may change what it is made of.
  const t = temp(c);
  return line(c, `${mark(c, s)}${t} = ${expr(c, value)};`) + assignTo(c, target, t);
}

/** The value as the variable holds it. */
export function heldCode(c: Cx, target: ast.NameRef | ast.Name, value: ast.Expression): string {
  if (!holdsBare(c, c.u.names.binding(target))) return expr(c, value);
  return isBareFloat(c, value) ? num(c, value) : `$.bare(${expr(c, value)})`;
}

/** Stands behind the assignment of a variable whose being a list may be asked later; see `keepListTests`. */
export function listMark(binding: LocalBinding): string {
  return `\x03${binding.name}\x04`;
}

function listMarkFor(c: Cx, target: ast.NameRef): string {
  const type = mainTypeOf(c, target);
  if (type.t !== 'list') return '';
  const binding = c.u.names.binding(target);
  if (binding.sort !== 'local' || binding.role !== 'local' || binding.scope !== c.scope || !canKeepListTest(binding))
    return '';
  (c.listMarks ??= new Set()).add(binding);
  return listMark(binding);
}

// A variable that is tested for being bound must not receive JavaScript's undefined.
function mayGiveUndefined(c: Cx, target: ast.NameRef | ast.Name, value: ast.Expression): boolean {
  const binding = c.u.names.binding(target);
  if ((binding.sort !== 'local' && binding.sort !== 'module') || !binding.mayBeUnbound) return false;
  return value.kind === 'Call' && c.u.types.callPlan(value).how === 'dynamic';
}

// A generator that waits is run to its end before its items are told apart.
function partsOf(c: Cx, value: ast.Expression): string {
  return mainTypeOf(c, value).t === 'iterator' ? wholeIterable(c, value) : expr(c, value);
}

type PatternExpression = ast.TupleExpr | ast.ListExpr;

function isPattern(e: ast.Expression): e is PatternExpression {
  return e.kind === 'TupleExpr' || e.kind === 'ListExpr';
}

function isDisplay(e: ast.Expression): e is PatternExpression {
  return isPattern(e);
}

function sameShape(target: PatternExpression, value: PatternExpression): boolean {
  const starred = (e: ast.Expression) => e.kind === 'Starred';
  return target.items.length === value.items.length && !target.items.some(starred) && !value.items.some(starred);
}

/** Assigns the value of `code` (evaluated once, before the parts of the target). */
export function assignTo(c: Cx, target: ast.Expression, code: string, at: ast.Span = target): string {
  switch (target.kind) {
    case 'NameRef':
      return line(
        c,
        `${mark(c, at)}${nameValue(c, target, true)} = ${holdsBare(c, c.u.names.binding(target)) ? `$.bare(${code})` : code};`,
      );
    case 'TupleExpr':
    case 'ListExpr':
      return unpackTo(c, target, code, at);
    case 'Starred':
      return assignTo(c, target.expr, `[...$.iter(${code})]`, at);
    case 'Attribute':
      return setAttribute(c, target, code, at);
    case 'Index':
      return setIndex(c, target, code, at);
    case 'Cast':
      return assignTo(c, target.expr, code, at);
    case 'SpecialRef': {
      const binding = c.u.names.special(target);
      return line(c, `${mark(c, at)}${binding === undefined ? '' : `${bindingCode(c, binding)} = `}${code};`);
    }
    default:
      return line(c, `${mark(c, at)}${expr(c, target)}; ${code};`);
  }
}

function unpackTo(c: Cx, target: PatternExpression, code: string, at: ast.Span): string {
  const { items } = target;
  const rt = runtime(c, target);
  const star = items.findIndex((item) => item.kind === 'Starred');
  const u = unique(c.u, 'u');
  const source =
    star < 0
      ? `${rt}.unpack(${code}, ${items.length})`
      : `${rt}.unpackStar(${code}, ${star}, ${items.length - star - 1})`;
  const parts = items.map((item, i) => assignTo(c, item.kind === 'Starred' ? item.expr : item, `${u}[${i}]`));
  return line(c, `${mark(c, at)}const ${u} = ${waited(c, target, source)};`) + parts.join('');
}

export function setAttribute(c: Cx, e: ast.Attribute, code: string, at: ast.Span): string {
  const name = e.name.text;
  const key = property(name);
  const at0 = mark(c, at);
  const main = mainTypeOf(c, e.object);
  if (main.t === 'instance' && isPlainField(main.cls, name)) {
    if (isProven(c, e.object)) return line(c, `${at0}${expr(c, e.object)}.${key} = ${code};`);
    // An instance has all its fields; for other values the general way explains what is wrong.
    const value = isRepeatable(code) ? code : temp(c);
    const object = isSimple(c, e.object) ? expr(c, e.object) : temp(c);
    const head = value === code ? '' : `${value} = ${code}; `;
    const get = isSimple(c, e.object) ? '' : `${object} = ${expr(c, e.object)}; `;
    const slow = `$.setattr(${object}, ${quote(name)}, ${value})`;
    return line(c, `${at0}${head}${get}if (${object}.${key} !== undefined) ${object}.${key} = ${value}; else ${slow};`);
  } else if (main.t === 'instance' && isProven(c, e.object) && isFree(main.cls, name)) {
    return line(c, `${at0}${expr(c, e.object)}.${key} = ${code};`);
  }
  return line(c, `${at0}${waited(c, e, `${runtime(c, e)}.setattr(${expr(c, e.object)}, ${quote(name)}, ${code})`)};`);
}

function isRepeatable(code: string): boolean {
  return /^(-?[\w.$]+|"[^"\\]*")$/.test(code);
}

function isPlainField(cls: ClassInfo, name: string): boolean {
  const field = cls.fields.get(name);
  return (
    field !== undefined &&
    !field.property &&
    !field.static &&
    cls.kind !== 'runtime' &&
    cls.kind !== 'enum' &&
    !cls.methods.has('__setattr__')
  );
}

/** An undeclared attribute of `self` that nothing else in the class explains. */
export function isFree(cls: ClassInfo, name: string): boolean {
  return (
    cls.kind !== 'runtime' &&
    cls.kind !== 'enum' &&
    !cls.open &&
    !cls.fields.has(name) &&
    !cls.methods.has(name) &&
    !cls.methods.has('__setattr__') &&
    !cls.attributes.has(name) &&
    !name.startsWith('__')
  );
}

export function setIndex(c: Cx, e: ast.Index, code: string, at: ast.Span): string {
  const at0 = mark(c, at);
  const operator = operatorKey(e.index);
  if (operator !== undefined) {
    const into = withOperators(expr(c, e.object), [operator]);
    return line(c, `${at0}${waited(c, e, `${runtime(c, e)}.setitem(${into}, ${operator}, ${code})`)};`);
  }
  if (e.index.kind === 'Slice')
    return line(
      c,
      `${at0}${waited(c, e, `${runtime(c, e)}.setslice(${expr(c, e.object)}, ${bounds(c, e.index)}, ${code})`)};`,
    );
  const kind = mainTypeOf(c, e.object).t;
  if (kind === 'dict' && isSure(c, e.object, 'dict') && runtime(c, e) === '$') {
    return line(c, `${at0}${expr(c, e.object)}.set(${subscriptCode(c, e.index)}, ${code});`);
  }
  const isList = kind === 'list' && mainTypeOf(c, e.index).t === 'int' && e.index.kind !== 'Unary';
  if ((isList || kind === 'dict') && runtime(c, e) === '$') {
    const value = isRepeatable(code) ? code : temp(c);
    const { before, left, right } = operands(c, e.object, e.index);
    const head = `${value === code ? '' : `${value} = ${code}; `}${before === '' ? '' : `${before.slice(0, -2)}; `}`;
    const guard = isSure(c, e.object, 'list') ? '' : `${listTest(c, e.object, left)} && `;
    const place = interval(c, e.index);
    const zero = place !== undefined && place.low >= 0 ? '' : `${right} >= 0 && `;
    const test = isList
      ? `${guard}${zero}${right} < ${left}.length${wholeTest(c, e.index, right)}`
      : `${left}?.constructor === $.Dict`;
    const fast = isList ? `${left}[${right}] = ${value}` : `${left}.set(${right}, ${value})`;
    return line(c, `${at0}${head}if (${test}) ${fast}; else $.setitem(${left}, ${right}, ${value});`);
  }
  return line(
    c,
    `${at0}${waited(c, e, `${runtime(c, e)}.setitem(${expr(c, e.object)}, ${subscriptCode(c, e.index)}, ${code})`)};`,
  );
}

/** The same whatever happens in front of it. */
function isFixed(e: ast.Expression): boolean {
  return e.kind === 'NumberLiteral' || e.kind === 'StringLiteral' || e.kind === 'Constant' || e.kind === 'Lambda';
}

/** Tells whether an expression has no calls, graph operations or assignments inside: order does not matter. */
function isPure(e: ast.Expression): boolean {
  switch (e.kind) {
    case 'NumberLiteral':
    case 'StringLiteral':
    case 'Constant':
    case 'NameRef':
    case 'SpecialRef':
    case 'Lambda':
      return true;
    case 'Binary':
    case 'Logical':
      return isPure(e.left) && isPure(e.right);
    case 'Unary':
      return isPure(e.operand);
    case 'Compare':
      return e.operands.every(isPure);
    case 'Conditional':
      return isPure(e.test) && isPure(e.then) && isPure(e.orElse);
    case 'Attribute':
      return isPure(e.object);
    case 'Index':
      return isPure(e.object) && isPure(e.index);
    case 'TupleExpr':
    case 'ListExpr':
    case 'SetExpr':
      return e.items.every(isPure);
    case 'DictExpr':
      return e.entries.every((entry) => (entry.key === undefined || isPure(entry.key)) && isPure(entry.value));
    case 'Starred':
    case 'Cast':
      return isPure(e.expr);
    default:
      return false;
  }
}
