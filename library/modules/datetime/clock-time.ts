/** `datetime.time`: a time of the day. */

import { nativeClass } from '../../builtins/native-class.ts';
import { TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { NotImplemented } from '../../values/objects/singletons.ts';
import { fullTypeName } from '../../values/objects/type-name.ts';
import { requireText } from '../../values/text/text-arguments.ts';
import { checkTime, like, makeReadOnly, makers, order, pad, part } from './date-parts.ts';
import { formatTime, offsetOf, offsetText } from './strftime.ts';
import { requireZone, type TzInfo, zoneOf } from './time-zone.ts';
import { TimeDelta } from './timedelta.ts';

export class TimeValue {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
  readonly tzinfo: TzInfo | null;
  readonly fold: number;

  constructor(hour: number, minute: number, second: number, microsecond: number, tzinfo: TzInfo | null, fold = 0) {
    checkTime(hour, minute, second, microsecond);
    this.hour = hour;
    this.minute = minute;
    this.second = second;
    this.microsecond = microsecond;
    this.tzinfo = tzinfo;
    this.fold = fold;
  }

  $parts(): unknown[] {
    return [this.hour, this.minute, this.second, this.microsecond, this.tzinfo];
  }

  utcoffset(): TimeDelta | null {
    return this.tzinfo?.utcoffset(null) ?? null;
  }

  tzname(): string | null {
    return this.tzinfo?.tzname(null) ?? null;
  }

  dst(): TimeDelta | null {
    return this.tzinfo?.dst(null) ?? null;
  }

  isoformat(timespec?: unknown): string {
    const offset = this.utcoffset();
    return clockText(this, timespec) + (offset === null ? '' : offsetText(offset.$seconds, ':'));
  }

  strftime(format: unknown): string {
    return formatTime(
      {
        year: 1900,
        month: 1,
        day: 1,
        hour: this.hour,
        minute: this.minute,
        second: this.second,
        microsecond: this.microsecond,
        weekday: 0,
        yearday: 1,
        offset: this.utcoffset()?.$seconds,
        zone: this.tzname() ?? '',
      },
      requireText(format, 'strftime() argument 1'),
    );
  }

  replace(
    hour?: unknown,
    minute?: unknown,
    second?: unknown,
    microsecond?: unknown,
    tzinfo?: unknown,
    fold?: unknown,
  ): TimeValue {
    const made = new TimeValue(
      hour === undefined ? this.hour : part(hour),
      minute === undefined ? this.minute : part(minute),
      second === undefined ? this.second : part(second),
      microsecond === undefined ? this.microsecond : part(microsecond),
      tzinfo === undefined ? this.tzinfo : requireZone(tzinfo),
      fold === undefined ? this.fold : part(fold),
    );
    return like(this, made);
  }

  $order(): number {
    const offset = this.utcoffset()?.$seconds ?? 0;
    return ((this.hour * 60 + this.minute) * 60 + this.second - offset) * 1e6 + this.microsecond;
  }

  __eq__(other: unknown): unknown {
    return other instanceof TimeValue
      ? (this.tzinfo === null) === (other.tzinfo === null) && this.$order() === other.$order()
      : NotImplemented;
  }

  __hash__(): number {
    return this.$order();
  }

  __str__(): string {
    return this.isoformat();
  }

  __repr__(): string {
    const parts: (string | number)[] = [this.hour, this.minute];
    if (this.second !== 0 || this.microsecond !== 0) parts.push(this.second);
    if (this.microsecond !== 0) parts.push(this.microsecond);
    if (this.tzinfo !== null) parts.push(`tzinfo=${reprOf(this.tzinfo)}`);
    return `${fullTypeName(this)}(${parts.join(', ')})`;
  }

  __format__(spec: string): string {
    return spec === '' ? this.__str__() : this.strftime(spec);
  }

  toJSON(): string {
    return this.isoformat();
  }
}

function orderTimes(a: TimeValue, b: unknown, test: (x: number, y: number) => boolean): unknown {
  if (!(b instanceof TimeValue)) return NotImplemented;
  if ((a.tzinfo === null) !== (b.tzinfo === null))
    throw new TypeError("can't compare offset-naive and offset-aware times");
  return test(a.$order(), b.$order());
}
order(TimeValue, orderTimes);

/** A time of the day in the form of ISO 8601, as exact as `timespec` says. @throws ValueError */
export function clockText(
  t: { hour: number; minute: number; second: number; microsecond: number },
  timespec: unknown,
): string {
  const spec = timespec === undefined ? 'auto' : timespec;
  const base = `${pad(t.hour)}:${pad(t.minute)}`;
  switch (spec) {
    case 'hours':
      return pad(t.hour);
    case 'minutes':
      return base;
    case 'seconds':
      return `${base}:${pad(t.second)}`;
    case 'milliseconds':
      return `${base}:${pad(t.second)}.${pad(Math.floor(t.microsecond / 1000), 3)}`;
    case 'microseconds':
      return `${base}:${pad(t.second)}.${pad(t.microsecond, 6)}`;
    case 'auto':
      return `${base}:${pad(t.second)}${t.microsecond === 0 ? '' : `.${pad(t.microsecond, 6)}`}`;
    default:
      throw new ValueError('Unknown timespec value');
  }
}

const clockPattern =
  /^(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d{2}(?::?\d{2}(?::?\d{2}(?:\.\d+)?)?)?)?$/;

/** Reads a time from its text, which is part of `whole`. @throws ValueError */
export function parseClock(text: string, whole = text): TimeValue {
  const found = clockPattern.exec(text.replace(/^T/, ''));
  if (found === null) throw new ValueError(`Invalid isoformat string: ${reprOf(whole)}`);
  const [, hour, minute, second, fraction, zone] = found;
  const micros = fraction === undefined ? 0 : Number(fraction.slice(0, 6).padEnd(6, '0'));
  return new TimeValue(
    Number(hour),
    Number(minute ?? 0),
    Number(second ?? 0),
    micros,
    zone === undefined ? null : zoneOf(offsetOf(zone)),
  );
}

nativeClass(TimeValue, {
  name: 'time',
  module: 'datetime',
  fullName: true,
  params: 'hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0',
  make: (_cls, hour, minute, second, microsecond, tzinfo, fold) =>
    new TimeValue(
      part(hour ?? 0),
      part(minute ?? 0),
      part(second ?? 0),
      part(microsecond ?? 0),
      requireZone(tzinfo),
      part(fold ?? 0),
    ),
  methods: {
    isoformat: 'timespec="auto"',
    strftime: 'format',
    replace: 'hour=None, minute=None, second=None, microsecond=None, tzinfo=None, *, fold=None',
  },
  classMethods: makers({
    fromisoformat: ['time_string, /', (text: unknown) => parseClock(requireText(text, 'fromisoformat: argument'))],
  }),
  values: {
    min: new TimeValue(0, 0, 0, 0, null),
    max: new TimeValue(23, 59, 59, 999_999, null),
    resolution: new TimeDelta(1n),
  },
});
makeReadOnly(TimeValue);
