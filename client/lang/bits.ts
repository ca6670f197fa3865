/** Bit operators on whole numbers of any size, which JavaScript cuts to 32 bits, and on whatever else has them. */
import * as plain from './operators.ts';

/** Are both whole numbers, and one of them longer than 32 bits? */
function isWide(a: number, b: number): boolean {
  return Number.isInteger(a) && Number.isInteger(b) && ((a | 0) !== a || (b | 0) !== b);
}

export const bitand = (a: any, b: any): any => (isWide(a, b) ? Number(BigInt(a) & BigInt(b)) : plain.bitand(a, b));
export const bitor = (a: any, b: any): any => (isWide(a, b) ? Number(BigInt(a) | BigInt(b)) : plain.bitor(a, b));
export const bitxor = (a: any, b: any): any => (isWide(a, b) ? Number(BigInt(a) ^ BigInt(b)) : plain.bitxor(a, b));

/** `a * b` of ints, or where a double does not hold it a number with the same remainder by `m`. */
export function times(a: number, b: number, m: number): number {
  const isExact = Number.isSafeInteger(a * b) || !Number.isInteger(a) || !Number.isInteger(b) || m === 0;
  return isExact ? a * b : Number((BigInt(a) * BigInt(b)) % BigInt(m));
}
