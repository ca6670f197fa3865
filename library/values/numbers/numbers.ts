/**
 * Arithmetic on numbers (docs/language/values.md#integers): an int is a JavaScript number inside ±(2^53−1) and a BigInt
 * outside; a number outside that range is therefore a float. Everything here takes and gives `Num`; kinds other than
 * numbers are the operators' business.
 */

import { bounded } from '../../limits/bounded.ts';
import { look } from '../../limits/look.ts';
import { OverflowError, ValueError, ZeroDivisionError } from '../objects/exceptions.ts';
import { $primitive } from '../objects/protocol.ts';
import { isFloat } from './float-box.ts';
import { precisePower } from './precise.ts';

export type Num = number | bigint;

const largest = 9007199254740991n;

/** Number of bits with which a multiplication takes about a millisecond. */
const hugeBits = 2 ** 18;
const huge = 1n << BigInt(hugeBits);

/** Greatest number of bits of an integer in V8. */
const mostBits = 2 ** 30;

/** Tells whether arithmetic on a number is worth being watched. */
export function isHuge(x: Num): boolean {
  return typeof x === 'bigint' && (x > huge || x < -huge);
}

/** Computes with `a` and `b`; where both are huge, no longer than the call may run. */
function computed(a: bigint, b: bigint, compute: (a: bigint, b: bigint) => bigint): bigint {
  return isHuge(a) && isHuge(b) ? bounded(() => compute(a, b)) : compute(a, b);
}

export const product = (a: bigint, b: bigint): bigint => computed(a, b, (x, y) => x * y);
export const quotient = (a: bigint, b: bigint): bigint => computed(a, b, (x, y) => x / y);
export const remainder = (a: bigint, b: bigint): bigint => computed(a, b, (x, y) => x % y);

/** Demotes an exact result that fits. */
export function demote(x: bigint): Num {
  return x <= largest && x >= -largest ? Number(x) : x;
}

/** The number that takes part in arithmetic for `x`: bools count as 1 and 0, int-based enum members as their value. */
export function asNumber(x: unknown): Num | undefined {
  switch (typeof x) {
    case 'number':
    case 'bigint':
      return x;
    case 'boolean':
      return x ? 1 : 0;
    case 'object': {
      const inner = x === null ? undefined : (x as any)[$primitive];
      return typeof inner === 'number' || typeof inner === 'bigint' ? inner : undefined;
    }
    default:
      return undefined;
  }
}

/** An int for `x` (bools and int enum members included); undefined for floats and everything else. */
export function asInt(x: unknown): Num | undefined {
  if (isFloat(x)) return undefined;
  const n = asNumber(x);
  return n;
}

export function isInt(n: Num): boolean {
  return typeof n === 'bigint' || Number.isSafeInteger(n);
}

/** The float nearest to an int. @throws OverflowError */
export function toFloat(n: Num): number {
  if (typeof n === 'number') return n;
  const x = Number(n);
  if (!Number.isFinite(x)) throw new OverflowError('int too large to convert to float');
  return x;
}

export function addNumbers(a: Num, b: Num): Num {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum) || !Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return sum;
    return BigInt(a) + BigInt(b);
  }
  if (isInt(a) && isInt(b)) return demote(BigInt(a) + BigInt(b));
  return toFloat(a) + toFloat(b);
}

export function subtractNumbers(a: Num, b: Num): Num {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference) || !Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return difference;
    return BigInt(a) - BigInt(b);
  }
  if (isInt(a) && isInt(b)) return demote(BigInt(a) - BigInt(b));
  return toFloat(a) - toFloat(b);
}

export function multiplyNumbers(a: Num, b: Num): Num {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product) || !Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return product;
    return BigInt(a) * BigInt(b);
  }
  if (isInt(a) && isInt(b)) return demote(product(BigInt(a), BigInt(b)));
  return toFloat(a) * toFloat(b);
}

export function divideNumbers(a: Num, b: Num): number {
  if (typeof a === 'number' && typeof b === 'number') {
    if (b === 0) throw new ZeroDivisionError('division by zero');
    return a / b;
  }
  if (isInt(a) && isInt(b)) return divideInts(BigInt(a), BigInt(b));
  if (Number(b) === 0) throw new ZeroDivisionError('division by zero');
  return toFloat(a) / toFloat(b);
}

// Correctly rounded: enough quotient bits that Number() rounds once, the remainder kept as a sticky bit.
function divideInts(a: bigint, b: bigint): number {
  if (b === 0n) throw new ZeroDivisionError('division by zero');
  if (a === 0n) return b < 0n ? -0 : 0;
  const negative = a < 0n !== b < 0n;
  const n = a < 0n ? -a : a;
  const d = b < 0n ? -b : b;
  const shift = Math.max(0, 66 - (bitLength(n) - bitLength(d)));
  const scaled = n << BigInt(shift);
  let quotient = scaled / d;
  if (quotient * d !== scaled) quotient |= 1n;
  const x = scaleDown(Number(quotient), shift);
  if (!Number.isFinite(x)) throw new OverflowError('integer division result too large for a float');
  return negative ? -x : x;
}

function scaleDown(x: number, bits: number): number {
  while (bits > 1000) {
    x /= 2 ** 1000;
    bits -= 1000;
  }
  return x / 2 ** bits;
}

export function bitLength(x: bigint): number {
  const n = x < 0n ? -x : x;
  if (n === 0n) return 0;
  const hex = n.toString(16);
  return (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hex[0]!, 16)));
}

export function floorDivideNumbers(a: Num, b: Num): Num {
  if (typeof a === 'number' && typeof b === 'number') {
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b)) {
      if (b === 0) throw new ZeroDivisionError('division by zero');
      return Math.floor(a / b);
    }
    return floorDivideFloats(a, b);
  }
  if (!isInt(a) || !isInt(b)) return floorDivideFloats(toFloat(a), toFloat(b));
  const [n, d] = [BigInt(a), BigInt(b)];
  if (d === 0n) throw new ZeroDivisionError('division by zero');
  const whole = quotient(n, d);
  return demote(n < 0n !== d < 0n && whole * d !== n ? whole - 1n : whole);
}

export function floorDivideFloats(a: number, b: number): number {
  if (b === 0) throw new ZeroDivisionError('division by zero');
  let rest = a % b;
  let quotient = (a - rest) / b;
  if (rest !== 0 && b < 0 !== rest < 0) {
    rest += b;
    quotient -= 1;
  }
  if (quotient === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

export function moduloNumbers(a: Num, b: Num): Num {
  if (typeof a === 'number' && typeof b === 'number') {
    if (b === 0) {
      throw new ZeroDivisionError('division by zero');
    }
    const rest = a % b;
    if (rest === 0) return b < 0 && !Number.isSafeInteger(b) ? -0 : 0;
    return rest < 0 !== b < 0 ? rest + b : rest;
  }
  if (!isInt(a) || !isInt(b)) return moduloFloats(toFloat(a), toFloat(b));
  const [n, d] = [BigInt(a), BigInt(b)];
  if (d === 0n) throw new ZeroDivisionError('division by zero');
  const rest = remainder(n, d);
  return demote(rest !== 0n && rest < 0n !== d < 0n ? rest + d : rest);
}

export function moduloFloats(a: number, b: number): number {
  if (b === 0) throw new ZeroDivisionError('division by zero');
  const rest = a % b;
  if (rest === 0) return b < 0 ? -0 : 0;
  return rest < 0 !== b < 0 ? rest + b : rest;
}

export function powerNumbers(a: Num, b: Num): Num {
  if (!isInt(a) || !isInt(b)) return powerFloats(toFloat(a), toFloat(b));
  if (b < 0) return powerFloats(toFloat(a), toFloat(b));
  if (typeof a === 'number' && typeof b === 'number') {
    const power = a ** b;
    if (Number.isSafeInteger(power)) return power;
  }
  const [x, y] = [BigInt(a), BigInt(b)];
  const bits = (isHuge(x) ? hugeBits : bitLength(x) - 1) * Number(y);
  // V8 would compute for long before it found that there is no room.
  if (bits > mostBits) throw new OverflowError('result of power is too large');
  try {
    return demote(bits > hugeBits ? bounded(() => x ** y) : x ** y);
  } catch (e) {
    if (!(e instanceof RangeError)) throw e;
    throw new OverflowError('result of power is too large');
  }
}

export function powerFloats(a: number, b: number): number {
  if (a === 0 && b < 0) throw new ZeroDivisionError('0.0 cannot be raised to a negative power');
  if (a === 1 || b === 0) return 1;
  const power = precisePower(a, b);
  if (Number.isNaN(power) && !Number.isNaN(a) && !Number.isNaN(b)) {
    if (a === -1) return 1;
    throw new ValueError('negative number cannot be raised to a fractional power');
  }
  if (!Number.isFinite(power) && Number.isFinite(a) && Number.isFinite(b)) {
    throw new OverflowError(34, 'Numerical result out of range');
  }
  return power;
}

/** `pow(a, b, m)` on ints; a negative exponent needs an inverse. */
export function powerModulo(a: Num, b: Num, m: Num): Num {
  const modulus = BigInt(m);
  if (modulus === 0n) throw new ValueError('pow() 3rd argument cannot be 0');
  const size = modulus < 0n ? -modulus : modulus;
  let base = ((BigInt(a) % size) + size) % size;
  let exponent = BigInt(b);
  if (exponent < 0n) {
    base = inverse(base, size);
    exponent = -exponent;
  }
  const compute = () => {
    let result = 1n % size;
    for (let rest = exponent; rest > 0n; rest >>= 1n) {
      if ((rest & 1n) === 1n) result = (result * base) % size;
      base = (base * base) % size;
    }
    return result;
  };
  const isLong = bitLengthAbove(size, 2 ** 12) || bitLengthAbove(exponent, 2 ** 12);
  const result = isLong ? bounded(compute) : compute();
  return demote(modulus < 0n && result !== 0n ? result + modulus : result);
}

function bitLengthAbove(x: bigint, bits: number): boolean {
  return x >> BigInt(bits) !== 0n;
}

function inverse(a: bigint, m: bigint): bigint {
  let [r, nextR, t, nextT] = [m, a, 0n, 1n];
  while (nextR !== 0n) {
    if ($due) look();
    const q = r / nextR;
    [r, nextR] = [nextR, r - q * nextR];
    [t, nextT] = [nextT, t - q * nextT];
  }
  if (r !== 1n) throw new ValueError('base is not invertible for the given modulus');
  return t < 0n ? t + m : t;
}

export function negateNumber(a: Num): Num {
  return typeof a === 'number' ? -a : demote(-a);
}

export function absolute(a: Num): Num {
  return typeof a === 'number' ? Math.abs(a) : a < 0n ? -a : a;
}

/** -1, 0, 1; NaN compares as undefined. Exact between BigInt and float. */
export function compareNumbers(a: Num, b: Num): number | undefined {
  // biome-ignore lint/suspicious/noDoubleEquals: exact between number and BigInt
  return a < b ? -1 : a > b ? 1 : a == b ? 0 : undefined;
}

/** The whole part of a float as an int. @throws OverflowError, ValueError for infinities and NaN */
export function floatToInt(x: number): Num {
  if (Number.isSafeInteger(x)) return x + 0;
  if (Number.isNaN(x)) throw new ValueError('cannot convert float NaN to integer');
  if (!Number.isFinite(x)) throw new OverflowError('cannot convert float infinity to integer');
  const whole = Math.trunc(x) + 0;
  return Number.isSafeInteger(whole) ? whole : BigInt(whole);
}

/** `round(x)`: to the nearest int, ties to even. */
export function roundToInt(x: number): Num {
  const floor = Math.floor(x);
  const rest = x - floor;
  const nearest = rest < 0.5 ? floor : rest > 0.5 ? floor + 1 : floor % 2 === 0 ? floor : floor + 1;
  return floatToInt(nearest);
}

/** `round(n, digits)` of an int with negative digits: to the nearest multiple of a power of ten, ties to even. */
export function roundInt(n: Num, digits: number): Num {
  if (digits >= 0) return n;
  const unit = 10n ** BigInt(-digits);
  const value = BigInt(n);
  const rest = ((value % unit) + unit) % unit;
  const down = value - rest;
  const twice = rest * 2n;
  const up = twice > unit || (twice === unit && (down / unit) % 2n !== 0n);
  return demote(up ? down + unit : down);
}
