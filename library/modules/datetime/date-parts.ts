/** Functions that dates, times of the day and both together share. */

import { real } from '../../builtins/real.ts';
import { call } from '../../values/calls/calls.ts';
import { requireIndex } from '../../values/numbers/index-value.ts';
import { AttributeError, OSError, OverflowError, ValueError } from '../../values/objects/exceptions.ts';
import { $setattr } from '../../values/objects/protocol.ts';
import { fullTypeName } from '../../values/objects/type-name.ts';
import { roundHalfEven } from './timedelta.ts';

export const pad = (x: number, width = 2) => String(x).padStart(width, '0');

export function part(x: unknown): number {
  return Number(requireIndex(x));
}

export function checkTime(hour: number, minute: number, second: number, microsecond: number): void {
  if (hour < 0 || hour > 23) throw new ValueError('hour must be in 0..23');
  if (minute < 0 || minute > 59) throw new ValueError('minute must be in 0..59');
  if (second < 0 || second > 59) throw new ValueError('second must be in 0..59');
  if (microsecond < 0 || microsecond > 999_999) throw new ValueError('microsecond must be in 0..999999');
}

/** Microseconds of a time since 1970, within the years that dates have. */
export function microsOf(given: unknown): bigint {
  const seconds = real(given);
  if (Number.isNaN(seconds)) throw new ValueError('Invalid value NaN (not a number)');
  if (Math.abs(seconds) >= 2 ** 63) throw new OverflowError('timestamp out of range for platform time_t');
  if (seconds < -62_135_596_800 || seconds >= 253_402_300_800) {
    const known = new Date(seconds * 1000).getUTCFullYear();
    const year = Number.isNaN(known) ? Math.floor(1970 + seconds / 31_556_952) : known;
    if (Math.abs(year) > 2 ** 31) throw new OSError(75, 'Value too large for defined data type');
    throw new ValueError(`year ${year} is out of range`);
  }
  return roundHalfEven(seconds * 1e6);
}

/** The same as an instance of the class of `self`, whose constructor is not called. */
export function like<T extends object>(self: object, made: T): T {
  const prototype = Object.getPrototypeOf(self);
  return Object.getPrototypeOf(made) === prototype ? made : Object.setPrototypeOf(made, prototype);
}

/** The same as an instance of a class derived from that of `made`, which is called for it. */
export function as(cls: any, made: any): any {
  if (cls === made.constructor || typeof cls !== 'function' || !(cls.prototype instanceof made.constructor))
    return made;
  const own = call(cls, ...made.$parts());
  if (made.fold === 1) own.fold = 1;
  return own;
}

/** Class methods that give an instance of the class they are called on. */
export function makers(
  all: Readonly<Record<string, readonly [string, (...slots: any[]) => unknown]>>,
): Record<string, readonly [string, (cls: any, ...slots: any[]) => unknown]> {
  const entries = Object.entries(all).map(
    ([name, [params, make]]) => [name, [params, (cls: any, ...slots: any[]) => as(cls, make(...slots))]] as const,
  );
  return Object.fromEntries(entries);
}

/** Dates and times do not change. */
export function makeReadOnly(cls: any): void {
  Object.defineProperty(cls.prototype, $setattr, {
    value(this: any, name: string): boolean {
      const full = fullTypeName(this);
      if (!full.startsWith('datetime.')) return false;
      throw name in this
        ? new AttributeError(`attribute '${name}' of '${full}' objects is not writable`)
        : new AttributeError(`'${full}' object has no attribute '${name}'`);
    },
  });
}

const orders: Readonly<Record<string, (a: any, b: any) => boolean>> = {
  __lt__: (a, b) => a < b,
  __le__: (a, b) => a <= b,
  __gt__: (a, b) => a > b,
  __ge__: (a, b) => a >= b,
};

/** Gives the class its methods for `<` and the like. `compare` finds what `test` looks at, or says that there is no order. */
export function order<C>(
  cls: { prototype: C },
  compare: (a: C, b: unknown, test: (x: any, y: any) => boolean) => unknown,
): void {
  for (const [name, test] of Object.entries(orders)) {
    const method = {
      [name](this: C, other: unknown) {
        return compare(this, other, test);
      },
    }[name];
    Object.defineProperty(cls.prototype, name, { value: method, writable: true, configurable: true });
  }
}
