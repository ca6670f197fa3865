/**
 * Questions of the emitter about the type of an expression: which guards may be left out, and what may be written twice
 * (docs/language/values.md#integers, docs/language/values.md#floats). A type that is not `sure` is a hint: code that
 * relies on it is guarded at run time.
 */
import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from '../2-resolve/children.ts';
import type { Binding } from '../2-resolve/names.ts';
import { isProvenFloat } from '../3-infer/classes/type-values.ts';
import type { Type } from '../3-infer/types.ts';
import type { Cx } from './context.ts';
import { interval } from './integers.ts';

export type Kind = Type['t'];

export function typeOf(c: Cx, e: ast.Expression): Type {
  return c.u.types.of(e);
}

/** Is the value of `e` certainly of this kind? */
export function isSure(c: Cx, e: ast.Expression, kind: Kind): boolean {
  const type = c.u.types.of(e);
  return type.t === kind && type.sure === true;
}

/** The type without `None` and without doubt about it: what a value is if it is anything. */
export function mainType(type: Type): Type {
  if (type.t !== 'union') return type;
  const parts = type.of.filter((part) => part.t !== 'none' && part.t !== 'never');
  return parts.length === 1 ? parts[0]! : type;
}

export function mainTypeOf(c: Cx, e: ast.Expression): Type {
  return mainType(c.u.types.of(e));
}

/** Test for a list, classes on `list` left out where the program has any. */
export function isListCode(c: Cx, code: string): string {
  return c.u.options.traits.derivesLists ? `(${code}?.constructor === Array)` : `Array.isArray(${code})`;
}

/** Does a variable hold its floats as bare numbers: is all that is assigned to it proven to be a float, if it is a number? */
export function holdsBare(c: Cx, binding: Binding): boolean {
  return binding.sort === 'local' && binding.role === 'local' && isProvenFloat(c.u.types.ofBinding(binding));
}

/**
 * Is the code of `e` a bare number that is a float, if it is a number at all (docs/decisions/0341)? `expr` boxes it for who takes any value, `num`
 * leaves it bare for who computes with it.
 */
export function isBareFloat(c: Cx, e: ast.Expression): boolean {
  if (c.u.computed.has(e) || c.u.spines.has(e)) return false;
  switch (e.kind) {
    case 'NumberLiteral':
      return e.float === true;
    case 'Unary':
      return (e.op === '-' || e.op === '+') && isBareFloat(c, e.operand);
    case 'NameRef':
      return holdsBare(c, c.u.names.binding(e));
    case 'Binary':
      if (e.op !== '+' && e.op !== '-' && e.op !== '*' && e.op !== '/') return false;
      if (e.op !== '/' && !isBareFloat(c, e.left) && !isBareFloat(c, e.right)) return false;
      return hasNumberKind(c, e.left) && hasNumberKind(c, e.right);
    default:
      return false;
  }
}

/** Is it a number, as far as its type goes? */
export function hasNumberKind(c: Cx, e: ast.Expression): boolean {
  const { t } = mainTypeOf(c, e);
  return t === 'float' || t === 'int' || t === 'bool';
}

/** Is `e` certainly a JavaScript number? */
export function isNumber(c: Cx, e: ast.Expression): boolean {
  return (
    (isSure(c, e, 'float') && isBareFloat(c, e)) ||
    (e.kind === 'NumberLiteral' && typeof e.value === 'number') ||
    interval(c, e) !== undefined
  );
}

/** Is `e` certainly an int or a float, perhaps a BigInt? */
export function isNumeric(c: Cx, e: ast.Expression): boolean {
  const type = c.u.types.of(e);
  return (type.t === 'int' && type.sure === true) || isNumber(c, e);
}

/** Can the code of `e` be written twice: no effect, no cost, the same value both times? */
export function isSimple(c: Cx, e: ast.Expression): boolean {
  switch (e.kind) {
    case 'NumberLiteral':
    case 'Constant':
      return true;
    case 'StringLiteral':
      return !e.bytes && e.value.length < 40;
    case 'SpecialRef':
      return (
        (e.word === 'self' && c.self === 'this' && c.cls?.selfWord === undefined) ||
        (e.word === 'here' && c.here !== undefined) ||
        c.u.names.special(e) !== undefined
      );
    case 'NameRef': {
      if (c.u.computed.has(e)) return true;
      const binding = c.u.names.binding(e);
      if (binding.sort === 'local') return !binding.mayBeUnbound;
      return (
        binding.sort === 'module' && (binding.role === 'glob' || binding.role === 'entry') && !binding.mayBeUnbound
      );
    }
    default:
      return c.u.computed.has(e);
  }
}

/** Does the value of `left`, already known to be simple, stay the same while `right` is evaluated? */
export function isStable(c: Cx, left: ast.Expression, right: ast.Expression): boolean {
  if (left.kind !== 'NameRef' || c.u.computed.has(left)) return true;
  const binding = c.u.names.binding(left);
  if (binding.sort !== 'local') return false;
  if (binding.assignedInside) return false;
  return !binding.reassigned || !mayAssign(c, right, binding.name);
}

/** Does an expression contain `name := …`? */
function mayAssign(c: Cx, node: ast.Node, name: string): boolean {
  if (!c.u.hasWalrus && c.u.spines.size === 0) return false;
  if (c.u.spines.has(node as ast.Expression)) return true;
  if (node.kind === 'Walrus' && node.name.text === name) return true;
  let found = false;
  forEachChild(node, (child) => {
    found ||= mayAssign(c, child, name);
  });
  return found;
}
