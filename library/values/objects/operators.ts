/**
 * Operators on values of unknown kinds. Each begins with the cases generated code meets most; the rest follows Python: numbers, sequences,
 * special methods, reflected special methods, TypeError.
 */
import { look } from '../../limits/look.ts';
import { border } from '../calls/border.ts';
import { Dict } from '../containers/dict.ts';
import { dictUpdate } from '../containers/dict-update.ts';
import { iter, requireRoom } from '../containers/iteration.ts';
import { AnySet, assignSet, difference, intersection, symmetricDifference, union } from '../containers/sets.ts';
import { Tuple } from '../containers/tuple.ts';
import { andBits, invertBits, orBits, shiftLeft, shiftRight, xorBits } from '../numbers/bits.ts';
import { boxed, Float, isFloat } from '../numbers/float-box.ts';
import { indexOf } from '../numbers/index-value.ts';
import {
  absolute,
  addNumbers,
  asNumber,
  divideNumbers,
  floorDivideFloats,
  floorDivideNumbers,
  isInt,
  moduloFloats,
  moduloNumbers,
  multiplyNumbers,
  type Num,
  negateNumber,
  powerFloats,
  powerModulo,
  powerNumbers,
  subtractNumbers,
  toFloat,
} from '../numbers/numbers.ts';
import { AnyBytes, ByteArray, joinBytes } from '../text/bytes.ts';
import { formatPercent } from '../text/percent-format.ts';
import { TypeError } from './exceptions.ts';
import { $primitive } from './protocol.ts';
import { NotImplemented } from './singletons.ts';
import { fullTypeName, typeName } from './type-name.ts';
import { isTypeLike, unionOf } from './union-type.ts';

type Numeric = (a: Num, b: Num) => unknown;

interface Operator {
  readonly sign: string;
  readonly method: string;
  readonly reflected: string;
  readonly inPlace: string;
  /** Computes with two numbers; undefined where the operator has no meaning for floats and one of them is a float. */
  readonly numbers?: Numeric | undefined;
  /** For two numbers of which one is a float; the result is one. */
  readonly floats?: ((a: number, b: number) => number) | undefined;
  /** Defined for ints only. */
  readonly ints?: Numeric | undefined;
  /** Other built-in kinds; `NotImplemented` when it does not apply. */
  /** `given` is the right operand itself, where `b` is the number or text it stands for. */
  readonly others?: (a: any, b: any, given: any) => unknown;
}

function operator(sign: string, name: string, rest: Partial<Operator>): Operator {
  return { sign, method: `__${name}__`, reflected: `__r${name}__`, inPlace: `__i${name}__`, ...rest };
}

const plus = operator('+', 'add', { numbers: addNumbers, floats: (a, b) => a + b, others: concatenate });
const minus = operator('-', 'sub', {
  numbers: subtractNumbers,
  floats: (a, b) => a - b,
  others: setOperator(difference),
});
const times = operator('*', 'mul', { numbers: multiplyNumbers, floats: (a, b) => a * b, others: repeat });
const slash = operator('/', 'truediv', { numbers: (a, b) => boxed(divideNumbers(a, b)), floats: divideNumbers });
const slashes = operator('//', 'floordiv', { numbers: floorDivideNumbers, floats: floorDivideFloats });
const remainder = operator('%', 'mod', { numbers: moduloNumbers, floats: moduloFloats, others: formatOperator });
const power = operator('** or pow()', 'pow', { numbers: powerOfInts, floats: powerFloats });
const at = operator('@', 'matmul', {});
const left = operator('<<', 'lshift', { ints: shiftLeft });
const right = operator('>>', 'rshift', { ints: shiftRight });
const and = operator('&', 'and', { ints: andBits, others: setOperator(intersection) });
const or = operator('|', 'or', { ints: orBits, others: orOthers });
const xor = operator('^', 'xor', { ints: xorBits, others: setOperator((a, [b]) => symmetricDifference(a, b!)) });

function powerOfInts(a: Num, b: Num): unknown {
  return b < 0 ? boxed(powerNumbers(a, b)) : powerNumbers(a, b);
}

/** Bare numbers that are ints. */
function areInts(a: any, b: any): boolean {
  return Number.isSafeInteger(a) && Number.isSafeInteger(b);
}

/** Two numbers of which one at least is boxed. */
function areFloats(a: any, b: any): boolean {
  if (a instanceof Float) return typeof b === 'number' || b instanceof Float;
  return typeof a === 'number' && b instanceof Float;
}

function valueOf(x: number | Float): number {
  return typeof x === 'number' ? x : x[$primitive];
}

export function add(a: any, b: any): any {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    return Number.isInteger(sum) ? (areInts(a, b) ? addNumbers(a, b) : boxed(sum)) : sum;
  }
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  return areFloats(a, b) ? boxed(valueOf(a) + valueOf(b)) : binary(plus, a, b);
}

export function sub(a: any, b: any): any {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    return Number.isInteger(difference) ? (areInts(a, b) ? subtractNumbers(a, b) : boxed(difference)) : difference;
  }
  return areFloats(a, b) ? boxed(valueOf(a) - valueOf(b)) : binary(minus, a, b);
}

export function mul(a: any, b: any): any {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    return Number.isInteger(product) ? (areInts(a, b) ? multiplyNumbers(a, b) : boxed(product)) : product;
  }
  return areFloats(a, b) ? boxed(valueOf(a) * valueOf(b)) : binary(times, a, b);
}

export function div(a: any, b: any): any {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0) return boxed(a / b);
  return areFloats(a, b) && valueOf(b) !== 0 ? boxed(valueOf(a) / valueOf(b)) : binary(slash, a, b);
}

export function floordiv(a: any, b: any): any {
  return areInts(a, b) ? floorDivideNumbers(a, b) : binary(slashes, a, b);
}

export function mod(a: any, b: any): any {
  return areInts(a, b) ? moduloNumbers(a, b) : binary(remainder, a, b);
}

export function pow(a: any, b: any, m?: any): any {
  if (m !== undefined && m !== null) return power3(a, b, m);
  return binary(power, a, b);
}

export function matmul(a: any, b: any): any {
  return binary(at, a, b);
}

export function lshift(a: any, b: any): any {
  return binary(left, a, b);
}

export function rshift(a: any, b: any): any {
  return binary(right, a, b);
}

export function band(a: any, b: any): any {
  if (typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b) return a & b;
  return typeof a === 'boolean' && typeof b === 'boolean' ? a && b : binary(and, a, b);
}

export function bor(a: any, b: any): any {
  if (typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b) return a | b;
  return typeof a === 'boolean' && typeof b === 'boolean' ? a || b : binary(or, a, b);
}

export function bxor(a: any, b: any): any {
  return typeof a === 'boolean' && typeof b === 'boolean' ? a !== b : binary(xor, a, b);
}

export function neg(a: any): any {
  if (typeof a === 'number') return a === 0 ? 0 : -a;
  return unary('-', '__neg__', a, negateNumber);
}

export function pos(a: any): any {
  if (typeof a === 'number') return a;
  return unary('+', '__pos__', a, (n) => n);
}

export function invert(a: any): any {
  return unary('~', '__invert__', a, (n) => (isInt(n) && !isFloat(a) ? invertBits(n) : undefined));
}

/** `abs(x)` */
export function absoluteOf(a: any): any {
  const own = typeof a === 'object' && a !== null ? a.__abs__ : undefined;
  if (typeof own === 'function') return own.call(a);
  const n = asNumber(a);
  if (n === undefined) throw new TypeError(`bad operand type for abs(): '${typeName(a)}'`);
  return isFloat(a) ? boxed(absolute(n)) : absolute(n);
}

function unary(sign: string, method: string, a: any, numbers: (n: Num) => unknown): any {
  const own = typeof a === 'object' && a !== null ? a[method] : undefined;
  if (typeof own === 'function') return own.call(a);
  const n = asNumber(a);
  const result = n === undefined ? undefined : numbers(n);
  if (result === undefined) throw new TypeError(`bad operand type for unary ${sign}: '${typeName(a)}'`);
  return isFloat(a) ? boxed(result) : result;
}

function binary(op: Operator, a: any, b: any): any {
  const result = compute(op, a, b);
  if (result !== NotImplemented) return result;
  throw unsupported(op.sign, a, b);
}

function unsupported(sign: string, a: any, b: any): TypeError {
  return new TypeError(`unsupported operand type(s) for ${sign}: '${fullTypeName(a)}' and '${fullTypeName(b)}'`);
}

function compute(op: Operator, a: any, b: any): any {
  const [x, y] = [asNumber(a), asNumber(b)];
  if (x !== undefined && y !== undefined) {
    const own = special(op, a, b);
    if (own !== NotImplemented) return own;
    if (isFloat(a) || isFloat(b))
      return op.floats === undefined ? NotImplemented : boxed(op.floats(toFloat(x), toFloat(y)));
    return (op.numbers ?? op.ints)?.(x, y) ?? NotImplemented;
  }
  const own = special(op, a, b);
  if (own !== NotImplemented) return own;
  const result = op.others === undefined ? NotImplemented : op.others(primitiveOf(a), primitiveOf(b), b);
  return result === NotImplemented && border !== undefined ? special(op, primitiveOf(a), primitiveOf(b)) : result;
}

function primitiveOf(x: any): any {
  const inner = typeof x === 'object' && x !== null ? x[$primitive] : undefined;
  return inner === undefined ? (border?.meaning(x) ?? x) : isFloat(x) ? boxed(inner) : inner;
}

function special(op: Operator, a: any, b: any): any {
  const direct = typeof a === 'object' && a !== null ? a[op.method] : undefined;
  const reflected = typeof b === 'object' && b !== null ? b[op.reflected] : undefined;
  // The right operand goes first when its class refines the left one's.
  if (typeof direct === 'function' && typeof reflected === 'function' && refines(b, a, op.reflected)) {
    const result = reflected.call(b, a);
    return result === NotImplemented ? direct.call(a, b) : result;
  }
  if (typeof direct === 'function') {
    const result = direct.call(a, b);
    if (result !== NotImplemented) return result;
  }
  return typeof reflected === 'function' ? reflected.call(b, a) : NotImplemented;
}

function refines(b: any, a: any, method: string): boolean {
  const [upper, lower] = [a.constructor, b.constructor];
  return upper !== lower && typeof upper === 'function' && b instanceof upper && b[method] !== a[method];
}

// Classes on `list` may call methods of their own like these.
const { concat, push, slice } = Array.prototype;

function concatenate(a: any, b: any): unknown {
  if (typeof a === 'string') {
    if (typeof b === 'string') return a + b;
    throw new TypeError(`can only concatenate str (not "${typeName(b)}") to str`);
  }
  if (Array.isArray(a)) {
    if (Array.isArray(b)) {
      requireRoom(a.length + b.length);
      return concat.call(a, b);
    }
    throw new TypeError(`can only concatenate list (not "${typeName(b)}") to list`);
  }
  if (a instanceof Tuple) {
    if (b instanceof Tuple) {
      requireRoom(a.items.length + b.items.length);
      return new Tuple([...a.items, ...b.items]);
    }
    throw new TypeError(`can only concatenate tuple (not "${typeName(b)}") to tuple`);
  }
  if (a instanceof AnyBytes) {
    if (b instanceof AnyBytes) return new (a.constructor as any)(joinBytes([a.data, b.data]));
    throw new TypeError(`can't concat ${typeName(b)} to ${typeName(a)}`);
  }
  return NotImplemented;
}

function repeat(a: any, b: any): unknown {
  if (isSequence(a)) return repeatSequence(a, b);
  if (isSequence(b)) return repeatSequence(b, a);
  return NotImplemented;
}

function isSequence(x: any): boolean {
  return typeof x === 'string' || Array.isArray(x) || x instanceof Tuple || x instanceof AnyBytes;
}

function repeatSequence(x: any, times: any): unknown {
  const count = indexOf(times);
  if (count === undefined) throw new TypeError(`can't multiply sequence by non-int of type '${typeName(times)}'`);
  const n = Math.max(0, Number(count));
  requireRoom((x instanceof Tuple ? x.items : x).length * n);
  if (typeof x === 'string') return x.repeat(n);
  if (Array.isArray(x)) return repeatItems(x, n);
  if (x instanceof Tuple) return new Tuple(repeatItems(x.items, n));
  const parts = repeatItems([...x.data], n) as number[];
  return new (x.constructor as any)(Uint8Array.from(parts));
}

function repeatItems(items: readonly unknown[], times: number): unknown[] {
  if (items.length === 1) return new Array(times).fill(items[0]);
  const all: unknown[] = [];
  for (let i = 0; i < times; i += 1) {
    if ($due) look();
    for (const item of items) all.push(item);
  }
  return all;
}

function formatOperator(a: any, _b: any, given: any): unknown {
  return typeof a === 'string' || a instanceof AnyBytes ? formatPercent(a, given) : NotImplemented;
}

function setOperator(
  combine: (a: AnySet, others: readonly Iterable<unknown>[]) => unknown,
): (a: any, b: any) => unknown {
  return (a, b) => (a instanceof AnySet && b instanceof AnySet ? combine(a, [b]) : NotImplemented);
}

function orOthers(a: any, b: any): unknown {
  if (a instanceof AnySet && b instanceof AnySet) return union(a, [b]);
  if (a instanceof Dict && b instanceof Dict) {
    const merged = a.copy();
    dictUpdate(merged, b);
    return merged;
  }
  const types = (isTypeLike(a) || a === null) && (isTypeLike(b) || b === null) && (a !== null || b !== null);
  return types ? unionOf(a, b) : NotImplemented;
}

function power3(a: any, b: any, m: any): any {
  const own = typeof a === 'object' && a !== null ? a.__pow__ : undefined;
  if (typeof own === 'function') return own.call(a, b, m);
  const [x, y, z] = [asNumber(a), asNumber(b), asNumber(m)];
  if (x === undefined || y === undefined || z === undefined) {
    throw new TypeError(
      `unsupported operand type(s) for ** or pow(): '${typeName(a)}', '${typeName(b)}', '${typeName(m)}'`,
    );
  }
  if (isFloat(a) || isFloat(b) || isFloat(m))
    throw new TypeError('pow() 3rd argument not allowed unless all arguments are integers');
  return powerModulo(x, y, z);
}

function inPlace(op: Operator, sign: string, a: any, b: any): any {
  const own = typeof a === 'object' && a !== null ? a[op.inPlace] : undefined;
  if (typeof own === 'function') {
    const result = own.call(a, b);
    if (result !== NotImplemented) return result;
  }
  const result = compute(op, a, b);
  if (result === NotImplemented) throw unsupported(sign, a, b);
  if (!(a instanceof ByteArray && result instanceof ByteArray)) return result;
  a.data = result.data;
  return a;
}

export function iadd(a: any, b: any): any {
  if ((typeof a === 'number' && typeof b === 'number') || areFloats(a, b)) return add(a, b);
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (Array.isArray(a) && !hasOwn(a, plus)) return extendList(a, b);
  return inPlace(plus, '+=', a, b);
}

/** `a += b` of a list, whatever its class says. */
export function extendList(a: unknown[], b: any): unknown[] {
  const source = b === a ? slice.call(a) : iter(b);
  for (const item of source) {
    if ($due) look();
    push.call(a, item);
  }
  return a;
}

// A class of the program that inherits from a container may do it otherwise.
function hasOwn(a: any, op: Operator): boolean {
  return a[op.inPlace] !== undefined;
}

export function isub(a: any, b: any): any {
  if (a instanceof AnySet && b instanceof AnySet && !hasOwn(a, minus)) return keepFrozen(a, difference(a, [b]));
  return inPlace(minus, '-=', a, b);
}

export function imul(a: any, b: any): any {
  if (Array.isArray(a) && !hasOwn(a, times)) return repeatList(a, b);
  return inPlace(times, '*=', a, b);
}

/** `a *= n` of a list, whatever its class says. */
export function repeatList(a: unknown[], n: any): unknown[] {
  const all = repeatSequence(a, n) as unknown[];
  a.length = 0;
  for (const item of all) push.call(a, item);
  return a;
}

export function idiv(a: any, b: any): any {
  return inPlace(slash, '/=', a, b);
}

export function ifloordiv(a: any, b: any): any {
  return inPlace(slashes, '//=', a, b);
}

export function imod(a: any, b: any): any {
  return inPlace(remainder, '%=', a, b);
}

export function ipow(a: any, b: any): any {
  return inPlace(power, '**=', a, b);
}

export function imatmul(a: any, b: any): any {
  return inPlace(at, '@=', a, b);
}

export function ilshift(a: any, b: any): any {
  return inPlace(left, '<<=', a, b);
}

export function irshift(a: any, b: any): any {
  return inPlace(right, '>>=', a, b);
}

export function iband(a: any, b: any): any {
  if (a instanceof AnySet && b instanceof AnySet && !hasOwn(a, and)) return keepFrozen(a, intersection(a, [b]));
  return typeof a === 'boolean' && typeof b === 'boolean' ? a && b : inPlace(and, '&=', a, b);
}

export function ibor(a: any, b: any): any {
  if (a instanceof AnySet && b instanceof AnySet && !hasOwn(a, or)) return keepFrozen(a, union(a, [b]));
  if (a instanceof Dict && !hasOwn(a, or)) {
    dictUpdate(a, b);
    return a;
  }
  return typeof a === 'boolean' && typeof b === 'boolean' ? a || b : inPlace(or, '|=', a, b);
}

export function ibxor(a: any, b: any): any {
  if (a instanceof AnySet && b instanceof AnySet && !hasOwn(a, xor)) return keepFrozen(a, symmetricDifference(a, b));
  return typeof a === 'boolean' && typeof b === 'boolean' ? a !== b : inPlace(xor, '^=', a, b);
}

// A set changes in place; a frozenset gives way to a new one.
function keepFrozen(target: AnySet, result: AnySet): AnySet {
  if (target.constructor === result.constructor && typeName(target) === 'frozenset') return result;
  assignSet(target, result);
  return target;
}
