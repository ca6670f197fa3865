/** Instances of classes that a program derives from `int`, `float` or `str`: objects that stand for a primitive value. */

import type { Hint } from '../hint.ts';
import { $primitive, $primitiveHint, $repr } from './protocol.ts';
import { reprOf } from './repr.ts';

class PrimitiveObject {
  declare readonly [$primitive]: unknown;
  declare readonly [$primitiveHint]: Hint | undefined;

  [$repr](): string {
    return reprOf(this[$primitive], this[$primitiveHint]);
  }
}

export class IntObject extends PrimitiveObject {}
export class FloatObject extends PrimitiveObject {}
Object.defineProperty(FloatObject.prototype, $primitiveHint, { value: 'f' });
export class TextObject extends PrimitiveObject {}
