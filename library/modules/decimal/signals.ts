/** Exceptions of `decimal`, which are its signals too. */
import { mix } from '../../classes/mro.ts';
import { ArithmeticError, nameException, TypeError, ZeroDivisionError } from '../../values/objects/exceptions.ts';

export class DecimalException extends ArithmeticError {}
export class InvalidOperation extends DecimalException {}
export class ConversionSyntax extends InvalidOperation {}
export class DivisionImpossible extends InvalidOperation {}
export class DivisionUndefined extends InvalidOperation {}
export class DivisionByZero extends (mix(DecimalException, ZeroDivisionError) as typeof DecimalException) {}
export class Overflow extends DecimalException {}
class Underflow extends DecimalException {}
class Inexact extends DecimalException {}
class Rounded extends DecimalException {}
class Subnormal extends DecimalException {}
class Clamped extends DecimalException {}
class FloatOperation extends (mix(DecimalException, TypeError) as typeof DecimalException) {}
export const signals = {
  Clamped,
  DivisionByZero,
  FloatOperation,
  Inexact,
  InvalidOperation,
  Overflow,
  Rounded,
  Subnormal,
  Underflow,
};
for (const [name, cls] of Object.entries({
  DecimalException,
  ConversionSyntax,
  DivisionImpossible,
  DivisionUndefined,
  ...signals,
})) {
  nameException(cls, name, 'decimal');
}
