/**
 * A value together with what the compiler knows about floats in it, for calls that print (`json.dumps`) and take no hint of their own:
 * `dumps($.hinted(xs, { list: 'f' }))`. Only functions that unwrap it ever see one.
 */
import type { Hint } from './protocol.ts';

export class Hinted {
  readonly value: unknown;
  readonly hint: Hint;

  constructor(value: unknown, hint: Hint) {
    this.value = value;
    this.hint = hint;
  }
}

export function hinted(value: unknown, hint: Hint): Hinted {
  return new Hinted(value, hint);
}
