/**
 * Arithmetic (docs/language/values.md#operators-on-values, docs/language/values.md#integers). Where a type is certain
 * the bare JavaScript operator is written; elsewhere inline `typeof` guards take the fast path and the shared helpers
 * of the runtime do the rest. Every operand is evaluated once, in order.
 */
import type * as ast from '../1-parse/ast.ts';
import { type Cx, mark, temp } from './context.ts';
import { expr, num, runtime, waited } from './expressions.ts';
import { interval } from './integers.ts';
import { combine, largest } from './intervals.ts';
import { hasNumberKind, isBareFloat, isNumber, isNumeric, isSimple, isStable, isSure, mainTypeOf } from './kinds.ts';
import { condition } from './truth.ts';

/** Two operands that may be written several times; `before` evaluates what has to be evaluated first. */
export interface Operands {
  readonly before: string;
  readonly left: string;
  readonly right: string;
}

export function operands(c: Cx, left: ast.Expression, right: ast.Expression, take: Take = num): Operands {
  const simpleRight = isShort(c, right, take);
  if (isShort(c, left, take) && (simpleRight || isStable(c, left, right))) {
    if (simpleRight) return { before: '', left: take(c, left), right: take(c, right) };
    const r = temp(c);
    return { before: `${r} = ${take(c, right)}, `, left: take(c, left), right: r };
  }
  const l = temp(c);
  const before = `${l} = ${take(c, left)}, `;
  if (simpleRight) return { before, left: l, right: take(c, right) };
  const r = temp(c);
  return { before: `${before}${r} = ${take(c, right)}, `, left: l, right: r };
}

/** Way in which the code of an operand is written: boxed (`expr`), bare where it is proven to be a float (`num`), its number alone (`numberOf`). */
type Take = (c: Cx, e: ast.Expression) => string;

function isShort(c: Cx, e: ast.Expression, take: Take): boolean {
  return isSimple(c, e) && (take !== numberOf || isNumber(c, e) || isBareFloat(c, e) || !isMaybeBoxed(c, e));
}

/** May the operand be a box? A value that is declared as a float may. */
function isMaybeBoxed(c: Cx, e: ast.Expression): boolean {
  return !isBareFloat(c, e) && mainTypeOf(c, e).t === 'float';
}

/** The operands of an operator whose result is a float whatever kind of numbers they are: boxes are opened. */
export function operandsOf(c: Cx, whole: ast.Binary): Operands {
  return operands(c, whole.left, whole.right, isBareFloat(c, whole) ? numberOf : num);
}

/** The number of a value, of whichever kind it is; what is no number is left as it is. */
function numberOf(c: Cx, e: ast.Expression): string {
  if (!isMaybeBoxed(c, e)) return num(c, e);
  const isSum = e.kind === 'Binary' && (e.op === '+' || e.op === '-' || e.op === '*') && !c.u.spines.has(e);
  if (isSum && !c.u.computed.has(e) && hasNumberKind(c, e.left) && hasNumberKind(c, e.right) && !c.u.types.waits(e)) {
    const { before, left, right } = operands(c, e.left, e.right, numberOf);
    const test = both(typeGuard(c, e.left, left), typeGuard(c, e.right, right));
    const at = `${mark(c, e)}$.${helpers[e.op]}`;
    const slow = `$.bare(${at}(${boxedOperand(c, e.left, left)}, ${boxedOperand(c, e.right, right)}))`;
    return `(${before}${either(test, `${left} ${e.op} ${right}`, slow)})`;
  }
  const t = temp(c);
  return `(typeof (${t} = ${expr(c, e)}) === "number" ? ${t} : $.bare(${t}))`;
}

function typeGuard(c: Cx, e: ast.Expression, code: string): string {
  return isNumber(c, e) ? '' : typeTest(code, 'number');
}

/** One operand that may be written several times. */
export function operand(c: Cx, e: ast.Expression, take: Take = expr): { before: string; code: string } {
  if (isSimple(c, e)) return { before: '', code: take(c, e) };
  const t = temp(c);
  return { before: `${t} = ${take(c, e)}, `, code: t };
}

const helpers: Readonly<Record<ast.Binary['op'], string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '//': 'floordiv',
  '%': 'mod',
  '@': 'matmul',
  '**': 'pow',
  '<<': 'lshift',
  '>>': 'rshift',
  '&': 'band',
  '|': 'bor',
  '^': 'bxor',
};

export function binary(c: Cx, e: ast.Binary): string {
  if (isBare(c, e.op, e.left, e.right)) {
    const code = `(${num(c, e.left)} ${e.op} ${num(c, e.right)})`;
    const isFloat = e.op === '/' || isBareFloat(c, e.left) || isBareFloat(c, e.right);
    // The head of a long chain is a value, whatever its parts are.
    return isFloat && !isBareFloat(c, e) ? `$.f${code}` : code;
  }
  if (e.op === '+' || e.op === '-') {
    const whole = chain(c, e);
    if (whole !== undefined) return whole;
  }
  if (!guarded(c, e.op, e.left, e.right)) {
    return waited(c, e, `${mark(c, e)}${runtime(c, e)}.${helpers[e.op]}(${expr(c, e.left)}, ${expr(c, e.right)})`);
  }
  const { before, left, right } = operandsOf(c, e);
  const code = arithmetic(c, e, left, right, `${runtime(c, e)}.${helpers[e.op]}`, mark(c, e));
  return waited(c, e, before === '' ? `(${code})` : `(${before}${code})`);
}

/** `a op= b` for a target whose value is in `left` (already evaluated, repeatable); `right` likewise. */
export function augmented(c: Cx, e: ast.AugAssign, left: string, right: string): string {
  const op = e.op as ast.Binary['op'];
  const helper = `${runtime(c, e)}.i${helpers[op]}`;
  if (!guarded(c, op, e.target, e.value)) {
    const [a, b] = [boxedOperand(c, e.target, left), boxedOperand(c, e.value, right)];
    return waited(c, e, `${mark(c, e)}${helper}(${a}, ${b})`);
  }
  const whole: ast.Binary = { ...e, kind: 'Binary', op, left: e.target, right: e.value };
  return waited(c, e, `(${arithmetic(c, whole, left, right, helper, mark(c, e))})`);
}

/** An operand for a helper: what stands for a float is one again. */
function boxedOperand(c: Cx, node: ast.Expression, code: string): string {
  return isBareFloat(c, node) ? `$.f(${code})` : code;
}

/** Can the JavaScript operator stand without any guard? */
export function isBare(c: Cx, op: ast.Binary['op'], left: ast.Expression, right: ast.Expression): boolean {
  if (op === '+' && isText(c, left) && isText(c, right)) return true;
  if (op !== '+' && op !== '-' && op !== '*' && op !== '/' && op !== '%') return false;
  if (!isNumber(c, left) || !isNumber(c, right)) return false;
  const [a, b] = [interval(c, left), interval(c, right)];
  if (op === '/') return b !== undefined && (b.low > 0 || b.high < 0);
  if (op === '%') return a !== undefined && b !== undefined && a.low >= 0 && b.low > 0;
  if (isBareFloat(c, left) || isBareFloat(c, right)) return true;
  if (a === undefined || b === undefined) return false;
  const bounds = combine(op, a, b);
  return bounds.low >= -largest && bounds.high <= largest;
}

// Operators and types for which a guard at the site is worth its size.
function guarded(c: Cx, op: ast.Binary['op'], left: ast.Expression, right: ast.Expression): boolean {
  if (op === '@' || op === '**' || op === '<<') return false;
  const l = mainTypeOf(c, left).t;
  const r = mainTypeOf(c, right).t;
  if (isContainer(l) || isContainer(r)) return false;
  if (op === '|' || op === '^' || op === '&' || op === '>>') return isIntLike(l) && isIntLike(r);
  if (op === '//') return (l === 'int' && r === 'int') || (isNumber(c, left) && isNumber(c, right));
  if (op === '%') return l !== 'str' && l !== 'bytes';
  if (l === 'str' || r === 'str') return op === '+' && l !== 'int' && r !== 'int';
  return true;
}

export function isContainer(kind: string): boolean {
  return (
    kind === 'list' ||
    kind === 'tuple' ||
    kind === 'dict' ||
    kind === 'set' ||
    kind === 'frozenset' ||
    kind === 'bytes' ||
    kind === 'instance'
  );
}

function isIntLike(kind: string): boolean {
  return kind === 'int';
}

function arithmetic(c: Cx, e: ast.Binary, left: string, right: string, helper: string, at: string): string {
  const { op, left: leftNode, right: rightNode } = e;
  const [isLeftBare, isRightBare] = [isBareFloat(c, leftNode), isBareFloat(c, rightNode)];
  const slow = `${at}${helper}(${boxedOperand(c, leftNode, left)}, ${boxedOperand(c, rightNode, right)})`;
  if (op === '+' && (mainTypeOf(c, leftNode).t === 'str' || mainTypeOf(c, rightNode).t === 'str')) {
    const test = both(
      isSure(c, leftNode, 'str') ? '' : typeTest(left, 'string'),
      isSure(c, rightNode, 'str') ? '' : typeTest(right, 'string'),
    );
    return test === '' ? `${left} + ${right}` : `${test} ? ${left} + ${right} : ${slow}`;
  }
  const test = both(typeGuard(c, leftNode, left), typeGuard(c, rightNode, right));
  switch (op) {
    case '+':
    case '-':
    case '*':
      if (isLeftBare || isRightBare) return floatResult(c, e, test, `${left} ${op} ${right}`, slow);
      return checked(c, op, leftNode, rightNode, left, right, test, slow);
    case '/': {
      const divisor = interval(c, rightNode);
      const safe = divisor !== undefined && (divisor.low > 0 || divisor.high < 0);
      return floatResult(c, e, both(test, safe ? '' : `${right} !== 0`), `${left} / ${right}`, slow);
    }
    case '//': {
      const divisor = interval(c, rightNode);
      const safe = divisor !== undefined && (divisor.low > 0 || divisor.high < 0);
      if (isLeftBare || isRightBare) return slow;
      return either(both(test, safe ? '' : `${right} !== 0`), `Math.floor(${left} / ${right})`, slow);
    }
    case '%': {
      const [dividend, divisor] = [interval(c, leftNode), interval(c, rightNode)];
      if (isLeftBare || isRightBare) return slow;
      const ints = areInts(c, leftNode, rightNode)
        ? ''
        : both(wordTest(c, leftNode, left), wordTest(c, rightNode, right));
      const positive = both(
        dividend && dividend.low >= 0 ? '' : `${left} >= 0`,
        divisor && divisor.low > 0 ? '' : `${right} > 0`,
      );
      return either(both(test, both(ints, positive)), `${left} % ${right}`, slow);
    }
    case '>>': {
      const places = interval(c, rightNode);
      const inWord = places !== undefined && places.low >= 0 && places.high < 32;
      const shift = inWord ? '' : `${right} >= 0 && ${right} < 32`;
      return either(both(both(test, wordTest(c, leftNode, left)), shift), `${left} >> ${right}`, slow);
    }
    default:
      return either(
        both(test, both(wordTest(c, leftNode, left), wordTest(c, rightNode, right))),
        `${left} ${op} ${right}`,
        slow,
      );
  }
}

// Is the operand an integer of 32 bits? Nothing to ask where that is known.
function wordTest(c: Cx, node: ast.Expression, code: string): string {
  const bounds = interval(c, node);
  const isWord = bounds !== undefined && bounds.low >= -(2 ** 31) && bounds.high < 2 ** 31;
  return isWord && Number.isInteger(bounds.low) && Number.isInteger(bounds.high) ? '' : `(${code} | 0) === ${code}`;
}

// `+ - *` on numbers: a result outside the exact range goes to the helper, which decides between BigInt and float. A number outside the
// range is a float already, so adding what is not negative cannot leave the range downwards in any way that matters.
function checked(
  c: Cx,
  op: '+' | '-' | '*',
  leftNode: ast.Expression,
  rightNode: ast.Expression,
  left: string,
  right: string,
  test: string,
  slow: string,
): string {
  const plain = `${left} ${op} ${right}`;
  if (!areInts(c, leftNode, rightNode)) return integralOnly(c, leftNode, rightNode, left, right, test, plain, slow);
  const a = interval(c, leftNode);
  const b = interval(c, rightNode);
  const bounds = combine(op, a ?? anyInteger, b ?? anyInteger);
  const isUnbounded = op === '*' && (a === undefined || b === undefined);
  const upper = isUnbounded || bounds.high > largest;
  const lower = isUnbounded || bounds.low < -largest;
  if (!upper && !lower) return either(test, plain, slow);
  const t = temp(c);
  return `${both(test, rangeTest(t, plain, upper, lower, largest))} ? ${t} : ${slow}`;
}

/** Are both operands ints as far as their types go? A number that is none was declared wrongly. */
function areInts(c: Cx, left: ast.Expression, right: ast.Expression): boolean {
  const isInt = (e: ast.Expression) => interval(c, e) !== undefined || mainTypeOf(c, e).t === 'int';
  return isInt(left) && isInt(right);
}

// The result is a float: bare where that is known of both operands, a value like any other elsewhere.
function floatResult(c: Cx, e: ast.Binary, test: string, fast: string, slow: string): string {
  const isBareResult = isBareFloat(c, e);
  return either(test, isBareResult ? fast : `$.f(${fast})`, isBareResult ? `$.bare(${slow})` : slow);
}

// `+ - *` where ints or floats may arrive: a result with a fraction is a float, an integral one of small ints an int. The helper does the rest.
function integralOnly(
  c: Cx,
  leftNode: ast.Expression,
  rightNode: ast.Expression,
  left: string,
  right: string,
  test: string,
  plain: string,
  slow: string,
): string {
  const t = temp(c);
  const hasFraction = `!Number.isInteger(${t} = ${plain})`;
  if (mainTypeOf(c, leftNode).t === 'float' || mainTypeOf(c, rightNode).t === 'float')
    return `${both(test, hasFraction)} ? ${t} : ${slow}`;
  const words = both(wordTest(c, leftNode, left), wordTest(c, rightNode, right));
  const isResult = `(((${t} = ${plain}) | 0) === ${t} ? ${words === '' ? 'true' : words} : !Number.isInteger(${t}))`;
  return `${both(test, isResult)} ? ${t} : ${slow}`;
}

const anyInteger = { low: -largest, high: largest };
// Writes the test that a result is within a limit. It costs nothing for a result that V8 keeps as a small integer: both
// sides are then the same machine word.
function rangeTest(t: string, value: string, upper: boolean, lower: boolean, limit: number): string {
  const far = upper && lower ? `Math.abs(${t}) <= ${limit}` : upper ? `${t} <= ${limit}` : `${t} >= -${limit}`;
  return `(((${t} = ${value}) | 0) === ${t} || ${far})`;
}

/**
 * `t + a - b` where only the first term is unbounded: one check of the result, tightened by what the others can amount to, covers every
 * step on the way.
 */
function chain(c: Cx, e: ast.Binary): string | undefined {
  const terms: { readonly node: ast.Expression; readonly op: '+' | '-' }[] = [];
  let base: ast.Expression = e;
  let slack = 0;
  while (base.kind === 'Binary' && (base.op === '+' || base.op === '-') && (base === e || !c.u.spines.has(base))) {
    const bounds = interval(c, base.right);
    if (bounds === undefined || !isRepeatable(c, base.right)) return undefined;
    slack += Math.max(Math.abs(bounds.low), Math.abs(bounds.high));
    terms.unshift({ node: base.right, op: base.op });
    base = base.left;
  }
  if (
    terms.length < 2 ||
    slack > 2 ** 52 ||
    !isSimple(c, base) ||
    isBareFloat(c, base) ||
    interval(c, base) !== undefined
  )
    return undefined;
  const kind = mainTypeOf(c, base).t;
  if (kind !== 'int' && kind !== 'any') return undefined;
  const start = expr(c, base);
  const codes = terms.map((term) => expr(c, term.node));
  const t = temp(c);
  const sum = terms.reduce((code, term, i) => `${code} ${term.op} ${codes[i]}`, start);
  const slow = terms.reduce((code, term, i) => `$.${term.op === '+' ? 'add' : 'sub'}(${code}, ${codes[i]})`, start);
  const isWord = kind === 'any' ? `(${start} | 0) === ${start} && ` : '';
  return `(${typeTest(start, 'number')} && ${isWord}${rangeTest(t, sum, true, true, largest - Math.ceil(slack))} ? ${t} : ${mark(c, e)}${slow})`;
}

// No calls: writing it twice changes nothing.
function isRepeatable(c: Cx, e: ast.Expression): boolean {
  if (c.u.spines.has(e)) return c.u.computed.has(e);
  switch (e.kind) {
    case 'Binary':
      return isRepeatable(c, e.left) && isRepeatable(c, e.right);
    case 'Unary':
      return isRepeatable(c, e.operand);
    default:
      return isSimple(c, e);
  }
}

export function both(a: string, b: string): string {
  return a === '' ? b : b === '' ? a : `${a} && ${b}`;
}

export function either(test: string, fast: string, slow: string): string {
  return test === '' ? fast : `${test} ? ${fast} : ${slow}`;
}

export function typeTest(code: string, type: 'number' | 'string'): string {
  return `typeof ${code} === "${type}"`;
}

export function isText(c: Cx, e: ast.Expression): boolean {
  return e.kind === 'StringLiteral' ? !e.bytes : isSure(c, e, 'str');
}

export function unary(c: Cx, e: ast.Unary): string {
  if (e.op === 'not') return `!${condition(c, e.operand)}`;
  if (e.op === '-' && e.operand.kind === 'NumberLiteral') {
    const { value } = e.operand;
    return typeof value === 'bigint' ? `-${value}n` : value === 0 && !e.operand.float ? '0' : `-${value}`;
  }
  const helper = e.op === '-' ? 'neg' : e.op === '+' ? 'pos' : 'invert';
  // The space keeps `- -1` from becoming `--1`.
  if (isBareFloat(c, e.operand) && isNumber(c, e.operand) && e.op !== '~') return `(${e.op} ${num(c, e.operand)})`;
  if (isBareFloat(c, e.operand) && e.op !== '~') {
    const { before, code } = operand(c, e.operand, num);
    const slow = `$.bare(${mark(c, e)}${runtime(c, e)}.${helper}($.f(${code})))`;
    return `(${before}${typeTest(code, 'number')} ? ${e.op} ${code} : ${slow})`;
  }
  if (e.op === '-' && isNumeric(c, e.operand)) return `(- ${expr(c, e.operand)})`;
  if (e.op === '-' && (mainTypeOf(c, e.operand).t === 'int' || mainTypeOf(c, e.operand).t === 'float')) {
    const { before, code } = operand(c, e.operand);
    return waited(
      c,
      e,
      `(${before}${typeTest(code, 'number')} ? 0 - ${code} : ${mark(c, e)}${runtime(c, e)}.neg(${code}))`,
    );
  }
  return waited(c, e, `${mark(c, e)}${runtime(c, e)}.${helper}(${expr(c, e.operand)})`);
}
