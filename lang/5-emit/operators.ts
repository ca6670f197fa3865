/**
 * Arithmetic (language.md 6.1, 6.2). Where a type is certain the bare JavaScript operator is written; elsewhere
 * inline `typeof` guards take the fast path and the shared helpers of the runtime do the rest. Every operand is evaluated once, in order.
 */
import type * as ast from '../1-parse/ast.ts';
import { type Cx, mark, temp } from './context.ts';
import { expr, runtime, waited } from './expressions.ts';
import { hintOf } from './hints.ts';
import { interval } from './integers.ts';
import { combine, largest } from './intervals.ts';
import { isFloat, isNumber, isNumeric, isSimple, isStable, isSure, mainTypeOf } from './kinds.ts';
import { condition } from './truth.ts';

/** Two operands that may be written several times; `before` evaluates what has to be evaluated first. */
export interface Operands {
  readonly before: string;
  readonly left: string;
  readonly right: string;
}

export function operands(c: Cx, left: ast.Expression, right: ast.Expression): Operands {
  const simpleRight = isSimple(c, right);
  if (isSimple(c, left) && (simpleRight || isStable(c, left, right))) {
    if (simpleRight) return { before: '', left: expr(c, left), right: expr(c, right) };
    const r = temp(c);
    return { before: `${r} = ${expr(c, right)}, `, left: expr(c, left), right: r };
  }
  const l = temp(c);
  const before = `${l} = ${expr(c, left)}, `;
  if (simpleRight) return { before, left: l, right: expr(c, right) };
  const r = temp(c);
  return { before: `${before}${r} = ${expr(c, right)}, `, left: l, right: r };
}

/** One operand that may be written several times. */
export function operand(c: Cx, e: ast.Expression): { before: string; code: string } {
  if (isSimple(c, e)) return { before: '', code: expr(c, e) };
  const t = temp(c);
  return { before: `${t} = ${expr(c, e)}, `, code: t };
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
  if (isBare(c, e.op, e.left, e.right)) return `(${expr(c, e.left)} ${e.op} ${expr(c, e.right)})`;
  if (e.op === '+' || e.op === '-') {
    const whole = chain(c, e);
    if (whole !== undefined) return whole;
  }
  if (!guarded(c, e.op, e.left, e.right)) {
    const operator = unguarded(c, e.op, e.left, e.right, `${runtime(c, e)}.${helpers[e.op]}`);
    return waited(c, e, mark(c, e) + operator(expr(c, e.left), expr(c, e.right)));
  }
  const { before, left, right } = operands(c, e.left, e.right);
  const code = arithmetic(c, e.op, e.left, e.right, left, right, `${runtime(c, e)}.${helpers[e.op]}`, mark(c, e));
  return waited(c, e, before === '' ? `(${code})` : `(${before}${code})`);
}

/** `a op= b` for a target whose value is in `left` (already evaluated, repeatable); `right` likewise. */
export function augmented(c: Cx, e: ast.AugAssign, left: string, right: string): string {
  const op = e.op as ast.Binary['op'];
  const helper = `${runtime(c, e)}.i${helpers[op]}`;
  if (!guarded(c, op, e.target, e.value)) {
    return waited(c, e, mark(c, e) + unguarded(c, op, e.target, e.value, helper)(left, right));
  }
  return waited(c, e, `(${arithmetic(c, op, e.target, e.value, left, right, helper, mark(c, e))})`);
}

// A call of the helper; with a float on one side a power is a float, and text that is filled shows the floats it gets as such.
function unguarded(c: Cx, op: ast.Binary['op'], left: ast.Expression, right: ast.Expression, helper: string) {
  const hint = op === '%' && mainTypeOf(c, left).t === 'str' ? hintOf(c, right) : undefined;
  const rt = helper.slice(0, helper.lastIndexOf('.'));
  if (hint !== undefined) return (l: string, r: string) => `${rt}.percent(${l}, ${r}, ${hint})`;
  const name = op === '**' && (isFloat(c, left) || isFloat(c, right)) ? `${rt}.powf` : helper;
  return (l: string, r: string) => `${name}(${l}, ${r})`;
}

/** Can the JavaScript operator stand without any guard? */
export function isBare(c: Cx, op: ast.Binary['op'], left: ast.Expression, right: ast.Expression): boolean {
  if (op === '+' && isText(c, left) && isText(c, right)) return true;
  if (op !== '+' && op !== '-' && op !== '*' && op !== '/' && op !== '%') return false;
  if (!isNumber(c, left) || !isNumber(c, right)) return false;
  const [a, b] = [interval(c, left), interval(c, right)];
  if (op === '/') return b !== undefined && (b.low > 0 || b.high < 0);
  if (op === '%') return a !== undefined && b !== undefined && a.low >= 0 && b.low > 0;
  if (isFloat(c, left) || isFloat(c, right)) return true;
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

function arithmetic(
  c: Cx,
  op: ast.Binary['op'],
  leftNode: ast.Expression,
  rightNode: ast.Expression,
  left: string,
  right: string,
  helper: string,
  at: string,
): string {
  const isReal = isFloat(c, leftNode) || isFloat(c, rightNode);
  const slow = isReal ? `${at}${helper}($.real(${left}), $.real(${right}))` : `${at}${helper}(${left}, ${right})`;
  if (op === '+' && (mainTypeOf(c, leftNode).t === 'str' || mainTypeOf(c, rightNode).t === 'str')) {
    const test = both(
      isSure(c, leftNode, 'str') ? '' : typeTest(left, 'string'),
      isSure(c, rightNode, 'str') ? '' : typeTest(right, 'string'),
    );
    return test === '' ? `${left} + ${right}` : `${test} ? ${left} + ${right} : ${slow}`;
  }
  const test = both(
    isNumber(c, leftNode) ? '' : typeTest(left, 'number'),
    isNumber(c, rightNode) ? '' : typeTest(right, 'number'),
  );
  switch (op) {
    case '+':
    case '-':
    case '*':
      return checked(c, op, leftNode, rightNode, left, right, test, slow);
    case '/': {
      const divisor = interval(c, rightNode);
      const safe = divisor !== undefined && (divisor.low > 0 || divisor.high < 0);
      return either(both(test, safe ? '' : `${right} !== 0`), `${left} / ${right}`, slow);
    }
    case '//': {
      const divisor = interval(c, rightNode);
      const safe = divisor !== undefined && (divisor.low > 0 || divisor.high < 0);
      if (isReal) return slow;
      return either(both(test, safe ? '' : `${right} !== 0`), `Math.floor(${left} / ${right})`, slow);
    }
    case '%': {
      const [dividend, divisor] = [interval(c, leftNode), interval(c, rightNode)];
      const positive = both(
        dividend && dividend.low >= 0 ? '' : `${left} >= 0`,
        divisor && divisor.low > 0 ? '' : `${right} > 0`,
      );
      return either(both(test, positive), `${left} % ${right}`, slow);
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
  if (isFloat(c, leftNode) || isFloat(c, rightNode)) return either(test, plain, slow);
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
  if (terms.length < 2 || slack > 2 ** 52 || !isSimple(c, base) || isFloat(c, base) || interval(c, base) !== undefined)
    return undefined;
  const kind = mainTypeOf(c, base).t;
  if (kind !== 'int' && kind !== 'any') return undefined;
  const start = expr(c, base);
  const codes = terms.map((term) => expr(c, term.node));
  const t = temp(c);
  const sum = terms.reduce((code, term, i) => `${code} ${term.op} ${codes[i]}`, start);
  const slow = terms.reduce((code, term, i) => `$.${term.op === '+' ? 'add' : 'sub'}(${code}, ${codes[i]})`, start);
  return `(${typeTest(start, 'number')} && ${rangeTest(t, sum, true, true, largest - Math.ceil(slack))} ? ${t} : ${mark(c, e)}${slow})`;
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
  if (e.op === '-' && isNumeric(c, e.operand)) return `(- ${expr(c, e.operand)})`;
  if (e.op === '-' && (mainTypeOf(c, e.operand).t === 'int' || mainTypeOf(c, e.operand).t === 'float')) {
    const { before, code } = operand(c, e.operand);
    return waited(
      c,
      e,
      `(${before}${typeTest(code, 'number')} ? -${code} : ${mark(c, e)}${runtime(c, e)}.neg(${code}))`,
    );
  }
  return waited(c, e, `${mark(c, e)}${runtime(c, e)}.${helper}(${expr(c, e.operand)})`);
}
