/** Module `numbers`: what kind of number a value is. Classes of programs may derive from these, or be registered as such. */

import { bool, float, int } from '../builtins/conversions.ts';
import type { Members } from '../builtins/module.ts';
import { native } from '../values/calls/signature.ts';
import { tuple } from '../values/containers/tuple.ts';
import { getattr } from '../values/objects/attributes.ts';
import { TypeError } from '../values/objects/exceptions.ts';
import { div, floordiv, mod } from '../values/objects/operators.ts';
import { $about, $form, $isInstance, $isSubclass } from '../values/objects/protocol.ts';
import { className, isClass } from '../values/objects/type-name.ts';
import { isInstance, isSubclass } from '../values/objects/types.ts';
import { Decimal } from './decimal/decimal.ts';
import { Fraction } from './fractions.ts';

/**
 * Attributes of instances of classes below the kind: numbers without an imaginary part, fractions in lowest terms,
 * whole numbers.
 */
class AnyNumber {
  constructor() {
    if (Object.hasOwn(new.target, $form))
      throw new TypeError(`Can't instantiate abstract class ${className(new.target)}`);
  }
}
class AnyComplex extends AnyNumber {}
class AnyReal extends AnyComplex {
  get real(): unknown {
    return this;
  }

  get imag(): number {
    return 0;
  }

  conjugate(): unknown {
    return this;
  }

  __divmod__(other: unknown): unknown {
    return tuple(floordiv(this, other), mod(this, other));
  }

  __rdivmod__(other: unknown): unknown {
    return tuple(floordiv(other, this), mod(other, this));
  }
}
class AnyRational extends AnyReal {
  __float__(): unknown {
    return float(div(int(getattr(this, 'numerator')), int(getattr(this, 'denominator'))));
  }
}
class AnyIntegral extends AnyRational {
  get numerator(): unknown {
    return int(this);
  }

  get denominator(): number {
    return 1;
  }

  override __float__(): unknown {
    return float(int(this));
  }

  __index__(): unknown {
    return int(this);
  }
}

/** `own`: the types whose values are of the kind, those of the kinds below it included. */
function abstract(name: string, cls: any, own: readonly any[]): any {
  const known = [...own];
  const register = native('register', 'subclass', (subclass: any) => {
    if (!isClass(subclass)) throw new TypeError('Can only register classes');
    known.push(subclass);
    return subclass;
  });
  const isBelow = (other: any) => other === cls || other.prototype instanceof cls;
  const hidden = {
    name,
    register,
    [$form]: true,
    [$about]: { module: 'numbers', qualname: name },
    [$isInstance]: (x: any) => isBelow(x?.constructor ?? Object) || known.some((one) => isInstance(x, one)),
    [$isSubclass]: (other: any) => isBelow(other) || known.some((one) => isSubclass(other, one)),
  };
  for (const k of Reflect.ownKeys(hidden))
    Object.defineProperty(cls, k, { value: (hidden as any)[k], configurable: true });
  return cls;
}

export function makeNumbers(): Members {
  const whole = [int, bool];
  const rational = [...whole, Fraction];
  const real = [...rational, float];
  return {
    Number: abstract('Number', AnyNumber, [...real, Decimal]),
    Complex: abstract('Complex', AnyComplex, real),
    Real: abstract('Real', AnyReal, real),
    Rational: abstract('Rational', AnyRational, rational),
    Integral: abstract('Integral', AnyIntegral, whole),
  };
}
