/** Bit operations on ints: exact, never truncated to 32 bits. */
import { MemoryError, OverflowError, ValueError } from '../objects/exceptions.ts';
import { demote, type Num } from './numbers.ts';

export function andBits(a: Num, b: Num): Num {
  if (typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b) return a & b;
  return demote(BigInt(a) & BigInt(b));
}

export function orBits(a: Num, b: Num): Num {
  if (typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b) return a | b;
  return demote(BigInt(a) | BigInt(b));
}

export function xorBits(a: Num, b: Num): Num {
  if (typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b) return a ^ b;
  return demote(BigInt(a) ^ BigInt(b));
}

export function shiftLeft(a: Num, b: Num): Num {
  if (b < 0) throw new ValueError('negative shift count');
  if (typeof a === 'number' && typeof b === 'number' && b < 53) {
    const shifted = a * 2 ** b;
    if (Number.isSafeInteger(shifted)) return shifted;
  }
  if (a === 0 || a === 0n) return 0;
  if (typeof b === 'bigint') throw new OverflowError('too many digits in integer');
  try {
    return demote(BigInt(a) << BigInt(b));
  } catch {
    throw new MemoryError();
  }
}

export function shiftRight(a: Num, b: Num): Num {
  if (b < 0) throw new ValueError('negative shift count');
  if (typeof b === 'bigint') return a < 0 ? -1 : 0;
  if (typeof a === 'number') return b > 60 ? (a < 0 ? -1 : 0) : Math.floor(a / 2 ** b);
  return demote(a >> BigInt(b));
}

export function invertBits(a: Num): Num {
  return typeof a === 'number' && (a | 0) === a ? ~a : demote(~BigInt(a));
}
