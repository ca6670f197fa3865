/** Days of the proleptic Gregorian calendar, counted from 0001-01-01, which is 1. */
import { OverflowError } from '../../values/objects/exceptions.ts';
import { isLeap } from './strftime.ts';

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function daysIn(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : monthDays[month - 1]!;
}

export function toOrdinal(year: number, month: number, day: number): number {
  const y = year - 1;
  let days = y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  for (let m = 1; m < month; m += 1) days += daysIn(year, m);
  return days + day;
}

/** @throws OverflowError date value out of range */
export function fromOrdinal(ordinal: number): { year: number; month: number; day: number } {
  if (ordinal < 1 || ordinal > 3_652_059) throw new OverflowError('date value out of range');
  let year = Math.max(1, Math.floor(ordinal / 365.2425));
  while (toOrdinal(year + 1, 1, 1) <= ordinal) year += 1;
  while (toOrdinal(year, 1, 1) > ordinal) year -= 1;
  let rest = ordinal - toOrdinal(year, 1, 1);
  let month = 1;
  while (rest >= daysIn(year, month)) {
    rest -= daysIn(year, month);
    month += 1;
  }
  return { year, month, day: rest + 1 };
}
