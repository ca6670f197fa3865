/** Contexts of `decimal`: precision, rounding, and which conditions raise. */

import { nativeClass } from '../../builtins/native-class.ts';
import { Dict } from '../../values/containers/dict.ts';
import { itemsOf } from '../../values/containers/iteration.ts';
import { asInt } from '../../values/numbers/numbers.ts';
import { TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { $repr } from '../../values/objects/protocol.ts';
import type { Rounding } from './arithmetic.ts';
import { DivisionByZero, InvalidOperation, Overflow, signals } from './signals.ts';

export const roundings: readonly Rounding[] = [
  'ROUND_UP',
  'ROUND_DOWN',
  'ROUND_CEILING',
  'ROUND_FLOOR',
  'ROUND_HALF_UP',
  'ROUND_HALF_DOWN',
  'ROUND_HALF_EVEN',
  'ROUND_05UP',
];

/** Precision, rounding and which conditions raise. */
export class Context {
  $prec = 28;
  $rounding: Rounding = 'ROUND_HALF_EVEN';
  Emin = -999_999;
  Emax = 999_999;
  capitals = 1;
  clamp = 0;
  flags: Dict = Dict.from(Object.values(signals).map((cls) => [cls, false] as const));
  traps: Dict = Dict.from(
    Object.values(signals).map(
      (cls) => [cls, cls === InvalidOperation || cls === DivisionByZero || cls === Overflow] as const,
    ),
  );

  get prec(): number {
    return this.$prec;
  }

  set prec(value: unknown) {
    const prec = asInt(value);
    if (prec === undefined) throw new TypeError('an integer is required');
    if (prec < 1) throw new ValueError('valid range for prec is [1, MAX_PREC]');
    this.$prec = Number(prec);
  }

  get rounding(): Rounding {
    return this.$rounding;
  }

  set rounding(value: unknown) {
    this.$rounding = requireRounding(value);
  }

  copy(): Context {
    const made = new Context();
    Object.assign(made, {
      $prec: this.$prec,
      $rounding: this.$rounding,
      Emin: this.Emin,
      Emax: this.Emax,
      capitals: this.capitals,
    });
    made.traps = this.traps.copy();
    made.flags = this.flags.copy();
    return made;
  }

  /** Function of `decimal.ts`, which knows what numbers are. */
  declare create_decimal: (value?: unknown) => unknown;

  clear_flags(): null {
    for (const signal of this.flags.keys()) this.flags.set(signal, false);
    return null;
  }

  /** Raises when the condition is trapped; else gives what stands for the result. */
  $signal<T>(signal: any, detail: unknown, result: T): T {
    this.flags.set(signal, true);
    if (this.traps.get(signal) === true) throw new signal([detail]);
    return result;
  }

  [$repr](): string {
    const trapped = [...this.traps.entries()].filter(([, on]) => on === true).map(([cls]: any) => cls.name);
    const raised = [...this.flags.entries()].filter(([, on]) => on === true).map(([cls]: any) => cls.name);
    return `Context(prec=${this.$prec}, rounding=${this.$rounding}, Emin=${this.Emin}, Emax=${this.Emax}, capitals=${this.capitals}, clamp=${this.clamp}, flags=[${raised.join(', ')}], traps=[${trapped.join(', ')}])`;
  }
}

export function requireRounding(value: unknown): Rounding {
  if (!roundings.includes(value as Rounding))
    throw new TypeError(
      'valid values for rounding are:\n  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,\n   ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,\n   ROUND_05UP]',
    );
  return value as Rounding;
}

export function contextOf(base: Context, slots: readonly unknown[]): Context {
  const [prec, rounding, Emin, Emax, capitals, clamp, flags, traps] = slots as any[];
  const context = base.copy();
  for (const [name, value] of Object.entries({ prec, rounding, Emin, Emax, capitals, clamp }))
    if (value !== undefined && value !== null) (context as any)[name] = value;
  if (flags !== undefined && flags !== null) setSignals(context.flags, flags);
  if (traps !== undefined && traps !== null) setSignals(context.traps, traps);
  return context;
}

function setSignals(target: Dict, given: unknown): void {
  const wanted =
    given instanceof Dict
      ? [...given.entries()].filter(([, on]) => on === true || on === 1).map(([cls]) => cls)
      : itemsOf(given);
  for (const signal of target.keys()) target.set(signal, wanted.includes(signal));
}

export const contextParams =
  'prec=None, rounding=None, Emin=None, Emax=None, capitals=None, clamp=None, flags=None, traps=None';

export const defaultContext = new Context();
export let current = defaultContext;

/** Makes a context the one that counts. */
export function setContext(context: Context): void {
  current = context;
}

export function within<T>(context: unknown, work: () => T): T {
  if (!(context instanceof Context)) return work();
  const before = current;
  current = context;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** `with localcontext() as ctx` */
export class LocalContext {
  readonly $context: Context;
  $before: Context | undefined;

  constructor(context: Context) {
    this.$context = context;
  }

  __enter__(): Context {
    this.$before = current;
    current = this.$context;
    return this.$context;
  }

  __exit__(): null {
    current = this.$before ?? defaultContext;
    return null;
  }
}
nativeClass(LocalContext, { name: '_ContextManager', module: 'decimal' });
