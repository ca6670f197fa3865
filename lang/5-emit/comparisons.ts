/**
 * Comparison, identity and membership (docs/language/values.md#equality): a JavaScript boolean but where a method of
 * the program may answer something else.
 */
import type * as ast from '../1-parse/ast.ts';
import { type Cx, mark, temp } from './context.ts';
import { expr, num, runtime, waited } from './expressions.ts';
import { quote } from './identifiers.ts';
import { interval } from './integers.ts';
import { isNumber, isNumeric, isSimple, isStable, isSure, mainTypeOf, typeOf } from './kinds.ts';
import { both, either, isContainer, isText, operand, operands, typeTest } from './operators.ts';

const comparers: Readonly<Partial<Record<ast.CompareOp, string>>> = { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' };

type Comparing = (c: Cx, e: ast.Compare, op: ast.CompareOp, left: ast.Expression, right: ast.Expression) => string;

/** Always a boolean. */
export function compare(c: Cx, e: ast.Compare): string {
  const parts = compared(c, e, comparison);
  return parts.length === 1 ? parts[0]! : `(${parts.join(' && ')})`;
}

/** Is the value of the comparison a boolean whatever the program's own methods answer? */
export function givesBool(c: Cx, e: ast.Compare): boolean {
  return c.u.types.answering.size === 0 || isSure(c, e, 'bool');
}

/**
 * Writes a comparison as a value: the answer of a method of the program, where there may be one that gives no boolean.
 */
export function comparedValue(c: Cx, e: ast.Compare): string {
  if (givesBool(c, e)) return compare(c, e);
  const parts = compared(c, e, answer);
  let code = parts.at(-1)!;
  for (const part of parts.slice(0, -1).reverse()) {
    const t = temp(c);
    code = `($.truth(${t} = ${part}) ? ${code} : ${t})`;
  }
  return code;
}

function answer(c: Cx, e: ast.Compare, op: ast.CompareOp, left: ast.Expression, right: ast.Expression): string {
  if (op !== '==' && op !== '!=' && comparers[op] === undefined) return comparison(c, e, op, left, right);
  const code = `${mark(c, e)}${runtime(c, e)}.compared(${quote(op)}, ${expr(c, left)}, ${expr(c, right)})`;
  return waited(c, e, code);
}

/** The comparisons of a chain. */
function compared(c: Cx, e: ast.Compare, comparing: Comparing): readonly string[] {
  if (e.ops.length === 1) return [comparing(c, e, e.ops[0]!, e.operands[0]!, e.operands[1]!)];
  // Operands between two comparisons are kept in temporaries.
  const parts: string[] = [];
  let left = e.operands[0]!;
  const added: ast.Expression[] = [];
  for (let i = 0; i < e.ops.length; i += 1) {
    const right = e.operands[i + 1]!;
    if (i < e.ops.length - 1 && !isSimple(c, right) && !c.u.computed.has(right)) {
      // The left operand is evaluated before the one in the middle.
      let before = '';
      if (!isSimple(c, left)) {
        const l = temp(c);
        before = `${l} = ${expr(c, left)}, `;
        c.u.computed.set(left, l);
        added.push(left);
      }
      const t = temp(c);
      before += `${t} = ${expr(c, right)}, `;
      c.u.computed.set(right, t);
      added.push(right);
      parts.push(`(${before}${comparing(c, e, e.ops[i]!, left, right)})`);
    } else parts.push(comparing(c, e, e.ops[i]!, left, right));
    left = right;
  }
  for (const node of added) c.u.computed.delete(node);
  return parts;
}

function comparison(c: Cx, e: ast.Compare, op: ast.CompareOp, left: ast.Expression, right: ast.Expression): string {
  switch (op) {
    case '==':
      return equality(c, e, left, right, true);
    case '!=':
      return equality(c, e, left, right, false);
    case 'is':
      return identity(c, left, right, true);
    case 'is not':
      return identity(c, left, right, false);
    case 'in':
    case 'not in':
      return membership(c, e, left, right, op === 'in');
    default:
      return ordering(c, e, op, left, right);
  }
}

export function isOrdering(op: ast.CompareOp): boolean {
  return comparers[op] !== undefined;
}

function ordering(
  c: Cx,
  e: ast.Compare,
  op: '<' | '>' | '<=' | '>=',
  left: ast.Expression,
  right: ast.Expression,
): string {
  if (isNumeric(c, left) && isNumeric(c, right)) return `(${num(c, left)} ${op} ${num(c, right)})`;
  const [l, r] = [mainTypeOf(c, left).t, mainTypeOf(c, right).t];
  if (isContainer(l) || isContainer(r) || l === 'str' || r === 'str') {
    return waited(c, e, `${mark(c, e)}${runtime(c, e)}.${comparers[op]}(${expr(c, left)}, ${expr(c, right)})`);
  }
  const ops = operands(c, left, right);
  const slow = waited(c, e, `${mark(c, e)}${runtime(c, e)}.${comparers[op]}(${ops.left}, ${ops.right})`);
  const limit = limitOf(c, left) ?? limitOf(c, right);
  if (limit !== undefined && (isNumber(c, left) || isNumber(c, right))) {
    const fast = isNumber(c, left) ? `${ops.left} ${op} ${limit}` : `${limit} ${op} ${ops.right}`;
    return `(${ops.before}${fast} || ${limit} !== ${limit} && ${slow})`;
  }
  const test = both(
    isNumber(c, left) ? '' : typeTest(ops.left, 'number'),
    isNumber(c, right) ? '' : typeTest(ops.right, 'number'),
  );
  return `(${ops.before}${either(test, `${ops.left} ${op} ${ops.right}`, slow)})`;
}

/**
 * Gives the limit of a variable that the loop around has looked at: NaN, which differs from itself, where its value is
 * no JavaScript number.
 */
function limitOf(c: Cx, e: ast.Expression): string | undefined {
  if (c.u.limits.size === 0 || e.kind !== 'NameRef') return undefined;
  const binding = c.u.names.binding(e);
  return binding.sort === 'local' ? c.u.limits.get(binding) : undefined;
}

const identical = new Set(['int', 'str', 'bool', 'none']);

function equality(c: Cx, e: ast.Compare, left: ast.Expression, right: ast.Expression, equal: boolean): string {
  if (isNone(left) || isNone(right)) {
    const other = isNone(left) ? right : left;
    const type = mainTypeOf(c, other);
    if (type.t !== 'instance' && type.t !== 'any') return noneTest(c, other, equal);
  }
  const [a, b] = [typeOf(c, left), typeOf(c, right)];
  const areSame = a.t === 'float' ? isNumber(c, left) && isNumber(c, right) : identical.has(a.t);
  if (a.sure === true && b.sure === true && a.t === b.t && areSame)
    return `(${num(c, left)} ${equal ? '===' : '!=='} ${num(c, right)})`;
  const asksNe = !equal && c.u.types.answering.has('!=');
  const [method, not] = asksNe ? ['ne', ''] : ['eq', equal ? '' : '!'];
  if (left.kind === 'Binary' && left.op === '%' && right.kind === 'NumberLiteral' && right.value === 0) {
    const divisible = divisibility(c, left, equal);
    if (divisible !== undefined) return divisible;
  }
  const [l, r] = [mainTypeOf(c, left).t, mainTypeOf(c, right).t];
  const primitive =
    l === 'str' || r === 'str'
      ? 'string'
      : l === 'int' || r === 'int' || l === 'float' || r === 'float'
        ? 'number'
        : undefined;
  if (primitive === undefined || isContainer(l) || isContainer(r)) {
    return not + waited(c, e, `${mark(c, e)}${runtime(c, e)}.${method}(${expr(c, left)}, ${expr(c, right)})`);
  }
  const ops = operands(c, left, right);
  const sure = (node: ast.Expression) => (primitive === 'string' ? isText(c, node) : isNumber(c, node));
  const test = both(sure(left) ? '' : typeTest(ops.left, primitive), sure(right) ? '' : typeTest(ops.right, primitive));
  const slow = waited(c, e, `${mark(c, e)}${runtime(c, e)}.${method}(${ops.left}, ${ops.right})`);
  return `(${ops.before}${either(test, `${ops.left} ${equal ? '===' : '!=='} ${ops.right}`, `${not}${slow}`)})`;
}

// `a % b == 0` with a positive `b`: the sign of the remainder does not matter.
function divisibility(c: Cx, e: ast.Binary, equal: boolean): string | undefined {
  const divisor = interval(c, e.right);
  if (divisor === undefined || divisor.low <= 0 || !isSimple(c, e.right) || mainTypeOf(c, e.left).t === 'str')
    return undefined;
  const { before, code } = operand(c, e.left);
  const right = expr(c, e.right);
  const sign = equal ? '===' : '!==';
  const fast = `${code} % ${right} ${sign} 0`;
  if (isNumber(c, e.left)) return `(${before}${fast})`;
  const slow = `${equal ? '' : '!'}$.eq(${mark(c, e)}$.mod(${code}, ${right}), 0)`;
  return `(${before}${typeTest(code, 'number')} ? ${fast} : ${slow})`;
}

function isNone(e: ast.Expression): boolean {
  return e.kind === 'Constant' && e.value === null;
}

function noneTest(c: Cx, e: ast.Expression, equal: boolean): string {
  return `(${expr(c, e)} ${equal ? '==' : '!='} null)`;
}

function identity(c: Cx, left: ast.Expression, right: ast.Expression, equal: boolean): string {
  if (isNone(right)) return noneTest(c, left, equal);
  if (isNone(left)) return noneTest(c, right, equal);
  if (isBool(left) || isBool(right)) return `(${expr(c, left)} ${equal ? '===' : '!=='} ${expr(c, right)})`;
  return `${equal ? '' : '!'}$.is(${expr(c, left)}, ${expr(c, right)})`;
}

function isBool(e: ast.Expression): boolean {
  return e.kind === 'Constant' && typeof e.value === 'boolean';
}

function membership(c: Cx, e: ast.Compare, item: ast.Expression, container: ast.Expression, positive: boolean): string {
  const not = positive ? '' : '!';
  const words = wordList(container);
  if (words !== undefined && mainTypeOf(c, item).t === 'str') {
    const { before, code } = operand(c, item);
    const fast = words.map((word) => `${code} === ${expr(c, word)}`).join(' || ') || 'false';
    if (isText(c, item)) return `${not}(${before}${fast})`;
    return `${not}(${before}${typeTest(code, 'string')} ? ${fast} : ${mark(c, e)}$.contains(${expr(c, container)}, ${code}))`;
  }
  const mayWait = runtime(c, e) !== '$';
  if (!mayWait && mainTypeOf(c, container).t === 'dict' && isSimple(c, item) && isSimple(c, container)) {
    const [dict, key] = [expr(c, container), expr(c, item)];
    if (isSure(c, container, 'dict')) return `${not}${dict}.has(${key})`;
    return `${not}(${dict}?.constructor === $.Dict ? ${dict}.has(${key}) : ${mark(c, e)}$.contains(${dict}, ${key}))`;
  }
  // The item is evaluated before the container, which comes first in the call.
  if (isSimple(c, item) && isStable(c, item, container)) {
    return not + waited(c, e, `${mark(c, e)}${runtime(c, e)}.contains(${expr(c, container)}, ${expr(c, item)})`);
  }
  const t = temp(c);
  const code = `(${t} = ${expr(c, item)}, ${mark(c, e)}${runtime(c, e)}.contains(${expr(c, container)}, ${t}))`;
  return not + waited(c, e, code);
}

// `x in ("a", "b")`: a short display of text literals is compared one by one.
function wordList(e: ast.Expression): readonly ast.Expression[] | undefined {
  if (e.kind !== 'TupleExpr' && e.kind !== 'ListExpr' && e.kind !== 'SetExpr') return undefined;
  if (e.items.length > 6) return undefined;
  return e.items.every((item) => item.kind === 'StringLiteral' && !item.bytes) ? e.items : undefined;
}
