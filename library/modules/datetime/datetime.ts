/** Module `datetime`, and its class of that name. Naive local times use the time zone of the process. */

import type { Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { fromOutside } from '../../outside.ts';
import type { Tuple } from '../../values/containers/tuple.ts';
import { boxed } from '../../values/numbers/float-box.ts';
import { TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { NotImplemented } from '../../values/objects/singletons.ts';
import { fullTypeName } from '../../values/objects/type-name.ts';
import { requireText } from '../../values/text/text-arguments.ts';
import { fromOrdinal, toOrdinal } from './calendar-days.ts';
import { clockText, parseClock, TimeValue } from './clock-time.ts';
import { DateValue, fromIsoCalendar, parseDate } from './date.ts';
import { as, checkTime, like, makers, microsOf, order, part } from './date-parts.ts';
import { type Moment, offsetText, parseTime, zoneName } from './strftime.ts';
import { requireZone, TimeZone, TzInfo, utc, zoneOf } from './time-zone.ts';
import { roundHalfEven, TimeDelta } from './timedelta.ts';

export class DateTimeValue extends DateValue {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
  readonly tzinfo: TzInfo | null;
  readonly fold: number;

  constructor(
    year: number,
    month: number,
    day: number,
    hour: number,
    minute: number,
    second: number,
    microsecond: number,
    tzinfo: TzInfo | null,
    fold = 0,
  ) {
    super(year, month, day);
    checkTime(hour, minute, second, microsecond);
    this.hour = hour;
    this.minute = minute;
    this.second = second;
    this.microsecond = microsecond;
    this.tzinfo = tzinfo;
    this.fold = fold;
  }

  override get $hasClock(): boolean {
    return true;
  }

  override $parts(): unknown[] {
    return [...super.$parts(), this.hour, this.minute, this.second, this.microsecond, this.tzinfo];
  }

  $at(wall: bigint, zone: TzInfo): DateTimeValue {
    return fromWall(wall, zone);
  }

  date(): DateValue {
    return new DateValue(this.year, this.month, this.day);
  }

  time(): TimeValue {
    return new TimeValue(this.hour, this.minute, this.second, this.microsecond, null, this.fold);
  }

  timetz(): TimeValue {
    return new TimeValue(this.hour, this.minute, this.second, this.microsecond, this.tzinfo, this.fold);
  }

  utcoffset(): TimeDelta | null {
    return this.tzinfo?.utcoffset(this) ?? null;
  }

  tzname(): string | null {
    return this.tzinfo?.tzname(this) ?? null;
  }

  dst(): TimeDelta | null {
    return this.tzinfo?.dst(this) ?? null;
  }

  /** Microseconds since year 1 as the clock shows them, without the zone. */
  $wall(): bigint {
    const seconds = (this.toordinal() * 24 + this.hour) * 3600 + this.minute * 60 + this.second;
    return BigInt(seconds) * 1_000_000n + BigInt(this.microsecond);
  }

  /** The same, in UTC for aware values. */
  $instant(): bigint {
    return this.$wall() - (this.utcoffset()?.$micros ?? 0n);
  }

  timestamp(): unknown {
    return boxed(this.$timestamp());
  }

  $timestamp(): number {
    if (this.tzinfo !== null) return Number(this.$instant() - epochMicros) / 1e6;
    const d = new Date(this.year, this.month - 1, this.day, this.hour, this.minute, this.second);
    if (this.year < 100) d.setFullYear(this.year);
    return d.getTime() / 1000 + this.microsecond / 1e6;
  }

  astimezone(tz?: unknown): DateTimeValue {
    const zone = tz === undefined || tz === null ? localZone(this.$timestamp()) : requireZone(tz)!;
    const instant = this.tzinfo === null ? epochMicros + roundHalfEven(this.$timestamp() * 1e6) : this.$instant();
    return as(this.constructor, inZone(instant, zone));
  }

  override $dstFlag(): number {
    const shift = this.dst();
    return shift === null ? -1 : shift.$micros === 0n ? 0 : 1;
  }

  utctimetuple(): Tuple {
    return (this.tzinfo === null ? this : inZone(this.$instant(), utc)).$timeTuple(0);
  }

  override isoformat(sep?: unknown, timespec?: unknown): string {
    const offset = this.utcoffset();
    const zone = offset === null ? '' : offsetText(offset.$seconds, ':');
    return `${super.isoformat()}${sep === undefined ? 'T' : requireText(sep)}${clockText(this, timespec)}${zone}`;
  }

  override replace(...slots: unknown[]): DateTimeValue {
    const [year, month, day, hour, minute, second, microsecond, tzinfo, fold] = slots;
    const made = new DateTimeValue(
      year === undefined ? this.year : part(year),
      month === undefined ? this.month : part(month),
      day === undefined ? this.day : part(day),
      hour === undefined ? this.hour : part(hour),
      minute === undefined ? this.minute : part(minute),
      second === undefined ? this.second : part(second),
      microsecond === undefined ? this.microsecond : part(microsecond),
      tzinfo === undefined ? this.tzinfo : requireZone(tzinfo),
      fold === undefined ? this.fold : part(fold),
    );
    return like(this, made);
  }

  override $moment(): Moment {
    const { hour, minute, second, microsecond } = this;
    return {
      ...super.$moment(),
      hour,
      minute,
      second,
      microsecond,
      offset: this.utcoffset()?.$seconds,
      zone: this.tzname() ?? '',
    };
  }

  override __add__(other: unknown): unknown {
    return other instanceof TimeDelta
      ? as(this.constructor, fromWall(this.$wall() + other.$micros, this.tzinfo))
      : NotImplemented;
  }

  override __sub__(other: unknown): unknown {
    if (other instanceof TimeDelta) return as(this.constructor, fromWall(this.$wall() - other.$micros, this.tzinfo));
    if (!(other instanceof DateTimeValue)) return NotImplemented;
    if ((this.tzinfo === null) !== (other.tzinfo === null))
      throw new TypeError("can't subtract offset-naive and offset-aware datetimes");
    return new TimeDelta(
      this.tzinfo === other.tzinfo ? this.$wall() - other.$wall() : this.$instant() - other.$instant(),
    );
  }

  override __eq__(other: unknown): unknown {
    if (!(other instanceof DateTimeValue)) return NotImplemented;
    return (this.utcoffset() === null) === (other.utcoffset() === null) && this.$instant() === other.$instant();
  }

  override __hash__(): number {
    return Number(this.$instant() % 9_007_199_254_740_991n);
  }

  override __str__(): string {
    return this.isoformat(' ');
  }

  override __repr__(): string {
    const parts: (string | number)[] = [this.year, this.month, this.day, this.hour, this.minute];
    if (this.second !== 0 || this.microsecond !== 0) parts.push(this.second);
    if (this.microsecond !== 0) parts.push(this.microsecond);
    if (this.fold !== 0) parts.push(`fold=${this.fold}`);
    if (this.tzinfo !== null) parts.push(`tzinfo=${reprOf(this.tzinfo)}`);
    return `${fullTypeName(this)}(${parts.join(', ')})`;
  }
}

function orderDateTimes(a: DateTimeValue, b: unknown, test: (x: bigint, y: bigint) => boolean): unknown {
  if (!(b instanceof DateTimeValue)) {
    if (b instanceof DateValue) throw new TypeError(`can't compare datetime.datetime to datetime.date`);
    return NotImplemented;
  }
  if ((a.utcoffset() === null) !== (b.utcoffset() === null))
    throw new TypeError("can't compare offset-naive and offset-aware datetimes");
  return test(a.$instant(), b.$instant());
}
order(DateTimeValue, orderDateTimes);

export const epochMicros = BigInt(toOrdinal(1970, 1, 1)) * 86_400_000_000n;

function fromWall(wall: bigint, tzinfo: TzInfo | null, fold = 0): DateTimeValue {
  const day = 86_400_000_000n;
  let ordinal = wall / day;
  let rest = wall % day;
  if (rest < 0n) {
    ordinal -= 1n;
    rest += day;
  }
  const { year, month, day: dayOfMonth } = fromOrdinal(Number(ordinal));
  const seconds = Number(rest / 1_000_000n);
  return new DateTimeValue(
    year,
    month,
    dayOfMonth,
    Math.floor(seconds / 3600),
    Math.floor((seconds % 3600) / 60),
    seconds % 60,
    Number(rest % 1_000_000n),
    tzinfo,
    fold,
  );
}

function inZone(instant: bigint, zone: TzInfo): DateTimeValue {
  const named = (zone as { $atInstant?(instant: bigint): { micros: bigint; fold: number } }).$atInstant?.(instant);
  if (named !== undefined) return fromWall(instant + named.micros, zone, named.fold);
  if (zone instanceof TimeZone) return fromWall(instant + zone.$offset.$micros, zone);
  return zone.fromutc(fromWall(instant, zone)) as DateTimeValue;
}

function localZone(timestamp: number): TimeZone {
  const d = new Date(timestamp * 1000);
  return new TimeZone(new TimeDelta(BigInt(-d.getTimezoneOffset()) * 60_000_000n), zoneName(d));
}

export function fromTimestamp(seconds: unknown, tz: unknown): DateTimeValue {
  const zone = requireZone(tz);
  const micros = microsOf(seconds);
  if (zone !== null) return inZone(epochMicros + micros, zone);
  const whole = Number(micros >= 0n ? micros / 1000n : (micros - 999n) / 1000n);
  const d = new Date(whole);
  const rest = Number(((micros % 1_000_000n) + 1_000_000n) % 1_000_000n);
  return new DateTimeValue(
    d.getFullYear(),
    d.getMonth() + 1,
    d.getDate(),
    d.getHours(),
    d.getMinutes(),
    d.getSeconds(),
    rest,
    null,
  );
}

// The millisecond clock, with the fraction the monotonic clock adds.
function nowSeconds(): number {
  return fromOutside('clock', () => (Date.now() + (performance.now() % 1)) / 1000);
}

/** Reads a date and time from its text. @throws ValueError */
export function parseDateTime(text: string): DateTimeValue {
  const found = /^(\d{4}-?\d{2}-?\d{2}|\d{4}-?W\d{2}(?:-?[1-7])?)(?:.(.+))?$/su.exec(text);
  if (found === null) throw new ValueError(`Invalid isoformat string: ${reprOf(text)}`);
  let date: DateValue;
  try {
    date = parseDate(found[1]!);
  } catch (e) {
    if (String((e as Error).message).startsWith('Invalid isoformat'))
      throw new ValueError(`Invalid isoformat string: ${reprOf(text)}`);
    throw e;
  }
  return combine(date, found[2] === undefined ? new TimeValue(0, 0, 0, 0, null) : parseClock(found[2], text));
}

function combine(date: DateValue, time: TimeValue, tz?: unknown): DateTimeValue {
  const zone = tz === undefined ? time.tzinfo : requireZone(tz);
  return new DateTimeValue(
    date.year,
    date.month,
    date.day,
    time.hour,
    time.minute,
    time.second,
    time.microsecond,
    zone,
    time.fold,
  );
}

function parse(text: unknown, format: unknown): DateTimeValue {
  const p = parseTime(requireText(text, 'strptime() argument 1'), requireText(format, 'strptime() argument 2'));
  let { month, day } = p;
  const year = p.year ?? 1900;
  if (p.yearday !== undefined) ({ month, day } = fromOrdinal(toOrdinal(year, 1, 1) + p.yearday - 1));
  const zone =
    p.offset === undefined
      ? null
      : p.zone === undefined
        ? zoneOf(p.offset)
        : new TimeZone(zoneOf(p.offset).$offset, p.zone);
  return new DateTimeValue(year, month, day, p.hour, p.minute, p.second, p.microsecond, zone);
}

nativeClass(DateTimeValue, {
  name: 'datetime',
  module: 'datetime',
  fullName: true,
  params: 'year, month, day, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0',
  make: (_cls, year, month, day, hour, minute, second, microsecond, tzinfo, fold) =>
    new DateTimeValue(
      part(year),
      part(month),
      part(day),
      part(hour ?? 0),
      part(minute ?? 0),
      part(second ?? 0),
      part(microsecond ?? 0),
      requireZone(tzinfo),
      part(fold ?? 0),
    ),
  methods: {
    isoformat: 'sep="T", timespec="auto"',
    replace:
      'year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None, tzinfo=None, *, fold=None',
    astimezone: 'tz=None',
  },
  classMethods: makers({
    now: ['tz=None', (tz: unknown) => fromTimestamp(nowSeconds(), tz)],
    utcnow: [
      '',
      () => {
        const moment = inZone(epochMicros + roundHalfEven(nowSeconds() * 1e6), utc);
        return moment.replace(undefined, undefined, undefined, undefined, undefined, undefined, undefined, null);
      },
    ],
    today: ['', () => fromTimestamp(nowSeconds(), undefined)],
    fromtimestamp: ['timestamp, tz=None', fromTimestamp],
    utcfromtimestamp: [
      'timestamp, /',
      (seconds: unknown) =>
        fromTimestamp(seconds, utc).replace(
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          null,
        ),
    ],
    fromordinal: ['ordinal, /', (ordinal: unknown) => fromWall(BigInt(part(ordinal)) * 86_400_000_000n, null)],
    fromisoformat: ['date_string, /', (text: unknown) => parseDateTime(requireText(text, 'fromisoformat: argument'))],
    fromisocalendar: [
      'year, week, day',
      (year: unknown, week: unknown, day: unknown) =>
        combine(fromIsoCalendar(part(year), part(week), part(day)), new TimeValue(0, 0, 0, 0, null)),
    ],
    strptime: ['date_string, format, /', parse],
    combine: ['date, time, tzinfo=None', combine],
  }),
  values: {
    min: new DateTimeValue(1, 1, 1, 0, 0, 0, 0, null),
    max: new DateTimeValue(9999, 12, 31, 23, 59, 59, 999_999, null),
    resolution: new TimeDelta(1n),
  },
});

export function makeDatetime(): Members {
  return {
    date: DateValue,
    datetime: DateTimeValue,
    time: TimeValue,
    timedelta: TimeDelta,
    timezone: TimeZone,
    tzinfo: TzInfo,
    UTC: utc,
    MINYEAR: 1,
    MAXYEAR: 9999,
  };
}
