/**
 * Floats as values (docs/decisions/0341). A JavaScript number that is a safe integer is an int; every other number shows by itself that it is a
 * float. A float that is integral is a `Float` wherever a value may be anything: in variables and fields, in containers, as an argument or result.
 * Only code that the compiler has proven to compute with floats keeps it as a bare number.
 */
import { $isFloat, $primitive, $repr, $typeName } from '../objects/protocol.ts';
import { floatRepr } from './float-text.ts';

export class Float {
  declare readonly [$primitive]: number;

  constructor(value: number) {
    (this as any)[$primitive] = value;
  }

  [$repr](): string {
    return floatRepr(this[$primitive]);
  }

  valueOf(): number {
    return this[$primitive];
  }

  toJSON(): number {
    return this[$primitive];
  }
}
Object.defineProperty(Float.prototype, $isFloat, { value: true });
Object.defineProperty(Float.prototype, $typeName, { value: 'float' });

/** A float as a value: integral numbers get their box; what is no number is left as it is. */
export function boxed(x: any): any {
  return Number.isSafeInteger(x) ? new Float(x) : x;
}

/** The number in a box, or the value itself. */
export function bare(x: any): any {
  return x instanceof Float ? x[$primitive] : x;
}

/** Is it a float, and no instance of a class derived from `float`? */
export function isOwnFloat(x: unknown): boolean {
  return typeof x === 'number' ? !Number.isSafeInteger(x) : x instanceof Float;
}

/** Is it a float: a number that is no int, a box, an instance of a class derived from `float`? */
export function isFloat(x: any): boolean {
  return typeof x === 'number' ? !Number.isSafeInteger(x) : typeof x === 'object' && x !== null && x[$isFloat] === true;
}
