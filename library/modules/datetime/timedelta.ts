/** `datetime.timedelta` */

import { nativeClass } from '../../builtins/native-class.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { boxed, isFloat } from '../../values/numbers/float-box.ts';
import { asNumber, demote, type Num, toFloat } from '../../values/numbers/numbers.ts';
import { OverflowError, TypeError, ZeroDivisionError } from '../../values/objects/exceptions.ts';
import { hashNumber, hashOf } from '../../values/objects/hashing.ts';
import { $hash, $truth } from '../../values/objects/protocol.ts';
import { NotImplemented } from '../../values/objects/singletons.ts';
import { typeName } from '../../values/objects/type-name.ts';

const DAY = 86_400_000_000n;

/** A span of time: whole microseconds. */
export class TimeDelta {
  readonly $micros: bigint;

  constructor(micros: bigint) {
    if (micros >= 1_000_000_000n * DAY || micros <= -1_000_000_000n * DAY) {
      throw new OverflowError(`days=${micros / DAY}; must have magnitude <= 999999999`);
    }
    this.$micros = micros;
  }

  get days(): number {
    return Number(floor(this.$micros, DAY));
  }

  get seconds(): number {
    return Number(modulo(this.$micros, DAY) / 1_000_000n);
  }

  get microseconds(): number {
    return Number(modulo(this.$micros, 1_000_000n));
  }

  get $seconds(): number {
    return Number(this.$micros) / 1e6;
  }

  total_seconds(): unknown {
    return boxed(this.$seconds);
  }

  __add__(other: unknown): unknown {
    return other instanceof TimeDelta ? new TimeDelta(this.$micros + other.$micros) : NotImplemented;
  }

  __radd__(other: unknown): unknown {
    return this.__add__(other);
  }

  __sub__(other: unknown): unknown {
    return other instanceof TimeDelta ? new TimeDelta(this.$micros - other.$micros) : NotImplemented;
  }

  __neg__(): TimeDelta {
    return new TimeDelta(-this.$micros);
  }

  __pos__(): TimeDelta {
    return this;
  }

  __abs__(): TimeDelta {
    return this.$micros < 0n ? new TimeDelta(-this.$micros) : this;
  }

  __mul__(other: unknown): unknown {
    const n = asNumber(other);
    if (n === undefined) return NotImplemented;
    if (typeof n === 'bigint' || Number.isSafeInteger(n)) return new TimeDelta(this.$micros * BigInt(n));
    return new TimeDelta(roundHalfEven(Number(this.$micros) * n));
  }

  __rmul__(other: unknown): unknown {
    return this.__mul__(other);
  }

  __truediv__(other: unknown): unknown {
    if (other instanceof TimeDelta) {
      if (other.$micros === 0n) throw new ZeroDivisionError('division by zero');
      return boxed(Number(this.$micros) / Number(other.$micros));
    }
    const n = asNumber(other);
    if (n === undefined) return NotImplemented;
    if (Number(n) === 0) throw new ZeroDivisionError('division by zero');
    if (typeof n === 'bigint' || Number.isSafeInteger(n)) return new TimeDelta(divideRounded(this.$micros, BigInt(n)));
    return new TimeDelta(roundHalfEven(Number(this.$micros) / n));
  }

  __floordiv__(other: unknown): unknown {
    if (other instanceof TimeDelta) {
      if (other.$micros === 0n) throw new ZeroDivisionError('division by zero');
      return demote(floor(this.$micros, other.$micros));
    }
    const n = asNumber(other);
    if (n === undefined || isFloat(other)) return NotImplemented;
    if (Number(n) === 0) throw new ZeroDivisionError('division by zero');
    return new TimeDelta(floor(this.$micros, BigInt(n)));
  }

  __mod__(other: unknown): unknown {
    if (!(other instanceof TimeDelta)) return NotImplemented;
    if (other.$micros === 0n) throw new ZeroDivisionError('division by zero');
    return new TimeDelta(modulo(this.$micros, other.$micros));
  }

  __divmod__(other: unknown): unknown {
    return new Tuple([this.__floordiv__(other), this.__mod__(other)]);
  }

  __eq__(other: unknown): unknown {
    return other instanceof TimeDelta ? this.$micros === other.$micros : NotImplemented;
  }

  __lt__(other: unknown): unknown {
    return other instanceof TimeDelta ? this.$micros < other.$micros : NotImplemented;
  }

  __le__(other: unknown): unknown {
    return other instanceof TimeDelta ? this.$micros <= other.$micros : NotImplemented;
  }

  __gt__(other: unknown): unknown {
    return other instanceof TimeDelta ? this.$micros > other.$micros : NotImplemented;
  }

  __ge__(other: unknown): unknown {
    return other instanceof TimeDelta ? this.$micros >= other.$micros : NotImplemented;
  }

  __hash__(): number {
    return hashNumber(hashOf(demote(this.$micros)));
  }

  [$hash](): string {
    return `td${this.$micros}`;
  }

  [$truth](): boolean {
    return this.$micros !== 0n;
  }

  __str__(): string {
    const { days, seconds, microseconds } = this;
    const clock = `${Math.floor(seconds / 3600)}:${pad(Math.floor((seconds % 3600) / 60))}:${pad(seconds % 60)}`;
    const head = days === 0 ? '' : `${days} day${Math.abs(days) === 1 ? '' : 's'}, `;
    return `${head}${clock}${microseconds === 0 ? '' : `.${String(microseconds).padStart(6, '0')}`}`;
  }

  __repr__(): string {
    const parts = (['days', 'seconds', 'microseconds'] as const)
      .filter((name) => this[name] !== 0)
      .map((name) => `${name}=${this[name]}`);
    return `datetime.timedelta(${parts.length === 0 ? '0' : parts.join(', ')})`;
  }
}

function pad(x: number): string {
  return String(x).padStart(2, '0');
}

function floor(a: bigint, b: bigint): bigint {
  const q = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? q - 1n : q;
}

function modulo(a: bigint, b: bigint): bigint {
  return a - floor(a, b) * b;
}

function divideRounded(a: bigint, b: bigint): bigint {
  const [n, d] = b < 0n ? [-a, -b] : [a, b];
  const q = floor(n, d);
  const twice = (n - q * d) * 2n;
  return twice > d || (twice === d && (q & 1n) === 1n) ? q + 1n : q;
}

/** The nearest whole number, ties to even. */
export function roundHalfEven(x: number): bigint {
  const floored = Math.floor(x);
  const rest = x - floored;
  const up = rest > 0.5 || (rest === 0.5 && floored % 2 !== 0);
  return BigInt(up ? floored + 1 : floored);
}

const units: readonly bigint[] = [DAY, 1_000_000n, 1n, 1000n, 60_000_000n, 3_600_000_000n, 7n * DAY];
const names = ['days', 'seconds', 'microseconds', 'milliseconds', 'minutes', 'hours', 'weeks'];

/** `timedelta(days, seconds, microseconds, milliseconds, minutes, hours, weeks)` */
function makeTimeDelta(...slots: unknown[]): TimeDelta {
  let whole = 0n;
  let fraction = 0;
  slots.forEach((slot, i) => {
    if (slot === undefined) return;
    const n = asNumber(slot);
    if (n === undefined) throw new TypeError(`unsupported type for timedelta ${names[i]} component: ${typeName(slot)}`);
    if (typeof n === 'bigint' || Number.isSafeInteger(n)) whole += BigInt(n) * units[i]!;
    else {
      const floored = Math.trunc(toFloat(n as Num));
      whole += BigInt(floored) * units[i]!;
      fraction += ((n as number) - floored) * Number(units[i]);
    }
  });
  return new TimeDelta(whole + roundHalfEven(fraction));
}

nativeClass(TimeDelta, {
  name: 'timedelta',
  module: 'datetime',
  fullName: true,
  params: 'days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0',
  make: (_cls, ...slots) => makeTimeDelta(...slots),
  methods: { total_seconds: '' },
  values: {
    min: new TimeDelta(-999_999_999n * DAY),
    max: new TimeDelta(1_000_000_000n * DAY - 1n),
    resolution: new TimeDelta(1n),
  },
});
