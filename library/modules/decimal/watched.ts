/** The functions of decimal-arithmetic.ts; with numbers of very many digits none computes for longer than the call may run. */
import { bounded } from '../../limits/bounded.ts';
import { isHuge } from '../../values/numbers/numbers.ts';
import * as arithmetic from './arithmetic.ts';

/** Digits from which on an operation takes about a millisecond. */
const many = 50_000;

function isLong(argument: unknown): boolean {
  if (typeof argument === 'number') return Math.abs(argument) > many;
  if (typeof argument === 'bigint') return isHuge(argument);
  if (typeof argument !== 'object' || argument === null) return false;
  if ('prec' in argument) return (argument as arithmetic.Precision).prec > many;
  const { coef, exp } = argument as arithmetic.Dec;
  return isHuge(coef) || Math.abs(exp) > many;
}

function watched<F extends (...args: any[]) => unknown>(f: F): F {
  return ((...args) => (args.some(isLong) ? bounded(() => f(...args)) : f(...args))) as F;
}

type Arithmetic = typeof arithmetic;

export const dec = Object.fromEntries(
  Object.entries(arithmetic).map(([name, member]) => [
    name,
    typeof member === 'function' ? watched(member as never) : member,
  ]),
) as unknown as Arithmetic;
