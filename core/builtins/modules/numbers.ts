/** Module `numbers`: what kind of number a value is. */

import { TypeError } from '../../values/exceptions.ts';
import { asInt, asNumber } from '../../values/numbers.ts';
import { registerType } from '../../values/types.ts';
import type { Members } from '../module.ts';
import { Decimal } from './decimal.ts';
import { Fraction } from './fractions.ts';

const isReal = (x: unknown) => x instanceof Fraction || asNumber(x) !== undefined;
const isRational = (x: unknown) => x instanceof Fraction || isIntegral(x);
const isIntegral = (x: unknown) => asInt(x) !== undefined;

function abstract(name: string, base: string, check: (x: unknown) => boolean): unknown {
  const construct = () => {
    throw new TypeError(`Can't instantiate abstract class ${name}`);
  };
  return registerType(construct, { name, check, base });
}

export function makeNumbers(): Members {
  return {
    Number: abstract('Number', 'object', (x) => isReal(x) || x instanceof Decimal),
    Complex: abstract('Complex', 'Number', isReal),
    Real: abstract('Real', 'Complex', isReal),
    Rational: abstract('Rational', 'Real', isRational),
    Integral: abstract('Integral', 'Rational', isIntegral),
  };
}
