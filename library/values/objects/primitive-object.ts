/** Instances of classes that a program derives from `int`, `float` or `str`: objects that stand for a primitive value. */

import { boxed, isFloat } from '../numbers/float-box.ts';
import { $isFloat, $primitive, $repr } from './protocol.ts';
import { reprOf } from './repr.ts';

class PrimitiveObject {
  declare readonly [$primitive]: unknown;

  [$repr](): string {
    return reprOf(isFloat(this) ? boxed(this[$primitive]) : this[$primitive]);
  }
}

export class IntObject extends PrimitiveObject {}
export class FloatObject extends PrimitiveObject {}
Object.defineProperty(FloatObject.prototype, $isFloat, { value: true });
export class TextObject extends PrimitiveObject {}
