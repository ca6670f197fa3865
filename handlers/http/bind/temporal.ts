/** Dates, times and UUIDs from their texts, by way of the program's own modules. */

import type { ProblemType } from '../../../core/problems.ts';
import { std } from '../../../library/registry.ts';
import { call } from '../../../library/values/calls/calls.ts';
import { callMethod } from '../../../library/values/objects/methods.ts';
import { type Place, refuse } from './place.ts';
import { type Coerce, hexId } from './scalars.ts';

const datePart = String.raw`\d{4}-\d{2}-\d{2}`;
const timePart = String.raw`\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?`;
const zonePart = String.raw`(?:[Zz]|[+-]\d{2}:?\d{2})?`;
const dateText = new RegExp(`^${datePart}$`);
const timeText = new RegExp(`^${timePart}${zonePart}$`);
const datetimeText = new RegExp(`^${datePart}(?:[Tt ]${timePart}${zonePart})?$`);

/** ISO 8601 text, or seconds since 1970 as a number (or, outside JSON, as its text). */
export const coerceDatetime: Coerce = (value, place) => {
  const isSeconds =
    typeof value === 'number' || (place.isText && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
  if (!isSeconds) return parsed('datetime', value, datetimeText, 'datetime_parsing', place);
  const { datetime, UTC } = std('datetime');
  return attempt(() => callMethod(datetime, 'fromtimestamp', Number(value), UTC), 'datetime_parsing', place);
};

export const coerceDate: Coerce = (value, place) => parsed('date', value, dateText, 'date_parsing', place);

export const coerceTime: Coerce = (value, place) => parsed('time', value, timeText, 'time_parsing', place);

/** Seconds. */
export const coerceTimedelta: Coerce = (value, place) => {
  const seconds =
    typeof value === 'number' ? value : place.isText && typeof value === 'string' ? Number(value) : Number.NaN;
  if (!Number.isFinite(seconds)) return refuse(place, 'float_parsing', 'must be a number of seconds');
  return attempt(() => call(std('datetime').timedelta, 0, seconds), 'value_error', place);
};

/** Dashed or 32 hexadecimal digits. */
export const coerceUuid: Coerce = (value, place) => {
  const hex = typeof value === 'string' ? hexId(value.trim()) : undefined;
  if (hex === undefined) return refuse(place, 'uuid_parsing');
  return attempt(() => call(std('uuid').UUID, hex), 'uuid_parsing', place);
};

function parsed(
  kind: 'datetime' | 'date' | 'time',
  value: unknown,
  form: RegExp,
  problem: ProblemType,
  place: Place,
): unknown {
  if (typeof value !== 'string' || !form.test(value)) return refuse(place, problem);
  const text = value.replace(/[Zz]$/, '+00:00').replace(',', '.').replace('t', 'T');
  return attempt(() => callMethod(std('datetime')[kind], 'fromisoformat', text), problem, place);
}

function attempt(make: () => unknown, problem: ProblemType, place: Place): unknown {
  try {
    return make();
  } catch {
    return refuse(place, problem);
  }
}
