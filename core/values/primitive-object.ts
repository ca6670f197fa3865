/** Instances of classes that a program derives from `int`, `float` or `str`: objects that stand for a primitive value. */
import { $primitive, $repr } from './protocol.ts';
import { reprOf } from './repr.ts';

class PrimitiveObject {
  declare readonly [$primitive]: unknown;

  [$repr](): string {
    return reprOf(this[$primitive]);
  }
}

export class IntObject extends PrimitiveObject {}
export class FloatObject extends PrimitiveObject {}
export class TextObject extends PrimitiveObject {}
