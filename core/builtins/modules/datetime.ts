/** Module `datetime`. Naive local times use the time zone of the process. */
import { call } from '../../values/calls.ts';
import { AttributeError, OSError, OverflowError, TypeError, ValueError } from '../../values/exceptions.ts';
import { requireIndex } from '../../values/index-value.ts';
import { $hash, $setattr } from '../../values/protocol.ts';
import { reprOf } from '../../values/repr.ts';
import { NotImplemented } from '../../values/singletons.ts';
import { requireText } from '../../values/text-arguments.ts';
import type { Tuple } from '../../values/tuple.ts';
import { fullTypeName, typeName } from '../../values/type-name.ts';
import type { Members } from '../module.ts';
import { makeNamedTuple } from '../namedtuple.ts';
import { nativeClass } from '../native-class.ts';
import { real } from './math.ts';
import { formatTime, isLeap, isoWeek, type Moment, offsetOf, offsetText, parseTime } from './strftime.ts';
import { StructTime } from './struct-time.ts';
import { zoneName } from './time.ts';
import { roundHalfEven, TimeDelta } from './timedelta.ts';

const pad = (x: number, width = 2) => String(x).padStart(width, '0');
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function daysIn(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : monthDays[month - 1]!;
}

/** Days since 0001-01-01, which is 1. */
export function toOrdinal(year: number, month: number, day: number): number {
  const y = year - 1;
  let days = y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  for (let m = 1; m < month; m += 1) days += daysIn(year, m);
  return days + day;
}

function fromOrdinal(ordinal: number): { year: number; month: number; day: number } {
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

function part(x: unknown): number {
  return Number(requireIndex(x));
}

function checkDate(year: number, month: number, day: number): void {
  if (year < 1 || year > 9999) throw new ValueError(`year ${year} is out of range`);
  if (month < 1 || month > 12) throw new ValueError('month must be in 1..12');
  if (day < 1 || day > daysIn(year, month)) throw new ValueError('day is out of range for month');
}

function checkTime(hour: number, minute: number, second: number, microsecond: number): void {
  if (hour < 0 || hour > 23) throw new ValueError('hour must be in 0..23');
  if (minute < 0 || minute > 59) throw new ValueError('minute must be in 0..59');
  if (second < 0 || second > 59) throw new ValueError('second must be in 0..59');
  if (microsecond < 0 || microsecond > 999_999) throw new ValueError('microsecond must be in 0..999999');
}

const IsoCalendarDate = makeNamedTuple('IsoCalendarDate', ['year', 'week', 'weekday'], {
  module: 'datetime',
  label: 'datetime.IsoCalendarDate',
});

// ---------------------------------------------------------------- zones

export class TzInfo {
  utcoffset(_moment: unknown): TimeDelta | null {
    return null;
  }

  tzname(_moment: unknown): string | null {
    return null;
  }

  dst(_moment: unknown): TimeDelta | null {
    return null;
  }

  /** What the zone's clock shows at a time of UTC: standard time first, then with the summer time of that. */
  fromutc(moment: DateTimeValue): DateTimeValue {
    if (moment.tzinfo !== this) throw new ValueError('fromutc: dt.tzinfo is not self');
    const offset = moment.utcoffset()?.$micros ?? 0n;
    const standard = fromWall(moment.$wall() + offset - (moment.dst()?.$micros ?? 0n), this);
    return fromWall(standard.$wall() + (standard.dst()?.$micros ?? 0n), this);
  }
}
nativeClass(TzInfo, {
  name: 'tzinfo',
  module: 'datetime',
  methods: { utcoffset: 'dt, /', tzname: 'dt, /', dst: 'dt, /', fromutc: 'dt, /' },
});

export class TimeZone extends TzInfo {
  readonly $offset: TimeDelta;
  readonly $name: string | undefined;

  constructor(offset: TimeDelta, name?: string) {
    super();
    this.$offset = offset;
    this.$name = name;
  }

  override utcoffset(): TimeDelta {
    return this.$offset;
  }

  override tzname(): string {
    if (this.$name !== undefined) return this.$name;
    const seconds = this.$offset.total_seconds();
    return seconds === 0 ? 'UTC' : `UTC${offsetText(seconds, ':')}`;
  }

  override dst(): null {
    return null;
  }

  __str__(): string {
    return this.tzname();
  }

  __repr__(): string {
    if (this === utc) return 'datetime.timezone.utc';
    return `datetime.timezone(${this.$offset.__repr__()}${this.$name === undefined ? '' : `, ${reprOf(this.$name)}`})`;
  }

  __eq__(other: unknown): unknown {
    return other instanceof TimeZone ? this.$offset.$micros === other.$offset.$micros : NotImplemented;
  }

  [$hash](): string {
    return `tz${this.$offset.$micros}`;
  }

  __hash__(): number {
    return this.$offset.__hash__();
  }
}

const limit = 86_400_000_000n;

function makeTimeZone(offset: unknown, name: unknown): TimeZone {
  if (!(offset instanceof TimeDelta))
    throw new TypeError(`timezone() argument 1 must be datetime.timedelta, not ${typeName(offset)}`);
  if (offset.$micros <= -limit || offset.$micros >= limit) {
    throw new ValueError(
      `offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24), not ${offset.__repr__()}.`,
    );
  }
  if (offset.$micros === 0n && name === undefined) return utc;
  return new TimeZone(offset, name === undefined ? undefined : requireText(name));
}

export const utc = new TimeZone(new TimeDelta(0n), undefined);
nativeClass(TimeZone, {
  name: 'timezone',
  module: 'datetime',
  fullName: true,
  params: 'offset, name=None',
  make: (_cls, offset, name) => makeTimeZone(offset, name),
  methods: { utcoffset: 'dt, /', tzname: 'dt, /', dst: 'dt, /' },
  values: {
    utc,
    min: new TimeZone(new TimeDelta(-86_340_000_000n)),
    max: new TimeZone(new TimeDelta(86_340_000_000n)),
  },
});

function requireZone(x: unknown): TzInfo | null {
  if (x === undefined || x === null) return null;
  if (typeof x === 'object' && typeof (x as any).utcoffset === 'function') return x as TzInfo;
  throw new TypeError(`tzinfo argument must be None or of a tzinfo subclass, not type '${typeName(x)}'`);
}

// ---------------------------------------------------------------- date

export class DateValue {
  readonly year: number;
  readonly month: number;
  readonly day: number;

  constructor(year: number, month: number, day: number) {
    checkDate(year, month, day);
    this.year = year;
    this.month = month;
    this.day = day;
  }

  toordinal(): number {
    return toOrdinal(this.year, this.month, this.day);
  }

  weekday(): number {
    return (this.toordinal() + 6) % 7;
  }

  isoweekday(): number {
    return this.weekday() + 1;
  }

  isocalendar(): Tuple {
    const { year, week } = isoWeek(this.$moment());
    return new IsoCalendarDate([year, week, this.isoweekday()]);
  }

  timetuple(): Tuple {
    return this.$timeTuple(-1);
  }

  $timeTuple(isDst: number): Tuple {
    const m = this.$moment();
    return new StructTime([m.year, m.month, m.day, m.hour, m.minute, m.second, m.weekday, m.yearday, isDst]);
  }

  isoformat(..._options: unknown[]): string {
    return `${pad(this.year, 4)}-${pad(this.month)}-${pad(this.day)}`;
  }

  ctime(): string {
    return formatTime(this.$moment(), '%a %b %e %H:%M:%S ') + pad(this.year, 4);
  }

  strftime(format: unknown): string {
    return formatTime(this.$moment(), requireText(format, 'strftime() argument 1'));
  }

  replace(year?: unknown, month?: unknown, day?: unknown, ..._rest: unknown[]): DateValue {
    const made = new DateValue(
      year === undefined ? this.year : part(year),
      month === undefined ? this.month : part(month),
      day === undefined ? this.day : part(day),
    );
    return like(this, made);
  }

  $moment(): Moment {
    const yearday = this.toordinal() - toOrdinal(this.year, 1, 1) + 1;
    const { year, month, day } = this;
    return {
      year,
      month,
      day,
      hour: 0,
      minute: 0,
      second: 0,
      microsecond: 0,
      weekday: this.weekday(),
      yearday,
      offset: undefined,
      zone: '',
    };
  }

  /** Days since year 1: what dates compare by. */
  $order(): number {
    return this.toordinal();
  }

  __add__(other: unknown): unknown {
    if (!(other instanceof TimeDelta)) return NotImplemented;
    return as(this.constructor, dateOf(this.toordinal() + other.days));
  }

  __radd__(other: unknown): unknown {
    return this.__add__(other);
  }

  __sub__(other: unknown): unknown {
    if (other instanceof TimeDelta) return as(this.constructor, dateOf(this.toordinal() - other.days));
    if (other instanceof DateValue && !(other instanceof DateTimeValue)) {
      return new TimeDelta(BigInt(this.toordinal() - other.toordinal()) * 86_400_000_000n);
    }
    return NotImplemented;
  }

  __eq__(other: unknown): unknown {
    return other instanceof DateValue && !(other instanceof DateTimeValue)
      ? this.toordinal() === other.toordinal()
      : NotImplemented;
  }

  __lt__(other: unknown): unknown {
    return compare(this, other, (a, b) => a < b);
  }

  __le__(other: unknown): unknown {
    return compare(this, other, (a, b) => a <= b);
  }

  __gt__(other: unknown): unknown {
    return compare(this, other, (a, b) => a > b);
  }

  __ge__(other: unknown): unknown {
    return compare(this, other, (a, b) => a >= b);
  }

  __hash__(): number {
    return this.toordinal();
  }

  __str__(): string {
    return this.isoformat();
  }

  __repr__(): string {
    return `${fullTypeName(this)}(${this.year}, ${this.month}, ${this.day})`;
  }

  __format__(spec: string): string {
    return spec === '' ? this.__str__() : this.strftime(spec);
  }

  toJSON(): string {
    return this.isoformat();
  }
}

function compare(a: DateValue, b: unknown, test: (x: number, y: number) => boolean): unknown {
  const sameKind = b instanceof DateValue && !(b instanceof DateTimeValue);
  return sameKind ? test(a.toordinal(), b.toordinal()) : NotImplemented;
}

function dateOf(ordinal: number): DateValue {
  const { year, month, day } = fromOrdinal(ordinal);
  return new DateValue(year, month, day);
}

function isoDate(text: string): DateValue {
  const found = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text);
  if (found !== null) return new DateValue(Number(found[1]), Number(found[2]), Number(found[3]));
  const week = /^(\d{4})-?W(\d{2})(?:-?([1-7]))?$/.exec(text);
  if (week !== null) return fromIsoCalendar(Number(week[1]), Number(week[2]), Number(week[3] ?? 1));
  throw new ValueError(`Invalid isoformat string: ${reprOf(text)}`);
}

function fromIsoCalendar(year: number, week: number, day: number): DateValue {
  const fourth = toOrdinal(year, 1, 4);
  const monday = fourth - ((fourth + 6) % 7);
  const last = isoWeek(new DateValue(year, 12, 28).$moment()).week;
  if (week < 1 || week > last) throw new ValueError(`Invalid week: ${week}`);
  if (day < 1 || day > 7) throw new ValueError(`Invalid weekday: ${day} (range is [1, 7])`);
  return dateOf(monday + (week - 1) * 7 + day - 1);
}

nativeClass(DateValue, {
  name: 'date',
  module: 'datetime',
  fullName: true,
  params: 'year, month, day',
  make: (_cls, year, month, day) => new DateValue(part(year), part(month), part(day)),
  methods: { replace: 'year=None, month=None, day=None', strftime: 'format', isoformat: '' },
  classMethods: makers({
    today: [
      '',
      () => {
        const d = new Date();
        return new DateValue(d.getFullYear(), d.getMonth() + 1, d.getDate());
      },
    ],
    fromtimestamp: [
      'timestamp, /',
      (seconds: unknown) => {
        const d = new Date(Number(microsOf(seconds) / 1000n));
        return new DateValue(d.getFullYear(), d.getMonth() + 1, d.getDate());
      },
    ],
    fromordinal: ['ordinal, /', (ordinal: unknown) => dateOf(part(ordinal))],
    fromisoformat: ['date_string, /', (text: unknown) => isoDate(requireText(text, 'fromisoformat: argument'))],
    fromisocalendar: [
      'year, week, day',
      (year: unknown, week: unknown, day: unknown) => fromIsoCalendar(part(year), part(week), part(day)),
    ],
  }),
  values: { min: new DateValue(1, 1, 1), max: new DateValue(9999, 12, 31), resolution: new TimeDelta(86_400_000_000n) },
});

// ---------------------------------------------------------------- time

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
    return clockText(this, timespec) + (offset === null ? '' : offsetText(offset.total_seconds(), ':'));
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
        offset: this.utcoffset()?.total_seconds(),
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
    const offset = this.utcoffset()?.total_seconds() ?? 0;
    return ((this.hour * 60 + this.minute) * 60 + this.second - offset) * 1e6 + this.microsecond;
  }

  __eq__(other: unknown): unknown {
    return other instanceof TimeValue
      ? (this.tzinfo === null) === (other.tzinfo === null) && this.$order() === other.$order()
      : NotImplemented;
  }

  __lt__(other: unknown): unknown {
    return orderTimes(this, other, (a, b) => a < b);
  }

  __le__(other: unknown): unknown {
    return orderTimes(this, other, (a, b) => a <= b);
  }

  __gt__(other: unknown): unknown {
    return orderTimes(this, other, (a, b) => a > b);
  }

  __ge__(other: unknown): unknown {
    return orderTimes(this, other, (a, b) => a >= b);
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

function clockText(
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

function isoTime(text: string, whole: string): TimeValue {
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

function zoneOf(seconds: number): TimeZone {
  return seconds === 0 ? utc : new TimeZone(new TimeDelta(roundHalfEven(seconds * 1e6)));
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
    fromisoformat: [
      'time_string, /',
      (text: unknown) => isoTime(requireText(text, 'fromisoformat: argument'), requireText(text)),
    ],
  }),
  values: {
    min: new TimeValue(0, 0, 0, 0, null),
    max: new TimeValue(23, 59, 59, 999_999, null),
    resolution: new TimeDelta(1n),
  },
});

// ---------------------------------------------------------------- datetime

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

  timestamp(): number {
    if (this.tzinfo !== null) return Number(this.$instant() - epochMicros) / 1e6;
    const d = new Date(this.year, this.month - 1, this.day, this.hour, this.minute, this.second);
    if (this.year < 100) d.setFullYear(this.year);
    return d.getTime() / 1000 + this.microsecond / 1e6;
  }

  astimezone(tz?: unknown): DateTimeValue {
    const zone = tz === undefined || tz === null ? localZone(this.timestamp()) : requireZone(tz)!;
    const instant = this.tzinfo === null ? epochMicros + roundHalfEven(this.timestamp() * 1e6) : this.$instant();
    return as(this.constructor, inZone(instant, zone));
  }

  utctimetuple(): Tuple {
    return (this.tzinfo === null ? this : inZone(this.$instant(), utc)).$timeTuple(0);
  }

  override isoformat(sep?: unknown, timespec?: unknown): string {
    const offset = this.utcoffset();
    const zone = offset === null ? '' : offsetText(offset.total_seconds(), ':');
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
      offset: this.utcoffset()?.total_seconds(),
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

  override __lt__(other: unknown): unknown {
    return orderDateTimes(this, other, (a, b) => a < b);
  }

  override __le__(other: unknown): unknown {
    return orderDateTimes(this, other, (a, b) => a <= b);
  }

  override __gt__(other: unknown): unknown {
    return orderDateTimes(this, other, (a, b) => a > b);
  }

  override __ge__(other: unknown): unknown {
    return orderDateTimes(this, other, (a, b) => a >= b);
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
  return zone.fromutc(fromWall(instant, zone));
}

function localZone(timestamp: number): TimeZone {
  const d = new Date(timestamp * 1000);
  return new TimeZone(new TimeDelta(BigInt(-d.getTimezoneOffset()) * 60_000_000n), zoneName(d));
}

/** Microseconds of a time since 1970, within the years that dates have. */
function microsOf(given: unknown): bigint {
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

function fromTimestamp(seconds: unknown, tz: unknown): DateTimeValue {
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
  return (Date.now() + (performance.now() % 1)) / 1000;
}

function isoDateTime(text: string): DateTimeValue {
  const found = /^(\d{4}-?\d{2}-?\d{2}|\d{4}-?W\d{2}(?:-?[1-7])?)(?:.(.+))?$/su.exec(text);
  if (found === null) throw new ValueError(`Invalid isoformat string: ${reprOf(text)}`);
  let date: DateValue;
  try {
    date = isoDate(found[1]!);
  } catch (e) {
    if (String((e as Error).message).startsWith('Invalid isoformat'))
      throw new ValueError(`Invalid isoformat string: ${reprOf(text)}`);
    throw e;
  }
  return combine(date, found[2] === undefined ? new TimeValue(0, 0, 0, 0, null) : isoTime(found[2], text));
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
    fromisoformat: ['date_string, /', (text: unknown) => isoDateTime(requireText(text, 'fromisoformat: argument'))],
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

/** For other parts of the runtime (field binding): values from text. @throws ValueError */
export { isoDate as parseDate, isoDateTime as parseDateTime };

/** A time of the day from its text. @throws ValueError */
export const parseClock = (text: string): TimeValue => isoTime(text, text);

/** The same as an instance of the class of `self`, whose constructor is not called. */
function like<T extends object>(self: object, made: T): T {
  const prototype = Object.getPrototypeOf(self);
  return Object.getPrototypeOf(made) === prototype ? made : Object.setPrototypeOf(made, prototype);
}

/** The same as an instance of a class derived from that of `made`, which is called for it. */
function as(cls: any, made: any): any {
  if (cls === made.constructor || typeof cls !== 'function' || !(cls.prototype instanceof made.constructor))
    return made;
  const own = call(cls, ...partsOf(made));
  if (made.fold === 1) own.fold = 1;
  return own;
}

function partsOf(made: DateValue | TimeValue): unknown[] {
  const clock = (x: DateTimeValue | TimeValue) => [x.hour, x.minute, x.second, x.microsecond, x.tzinfo];
  if (made instanceof TimeValue) return clock(made);
  const days = [made.year, made.month, made.day];
  return made instanceof DateTimeValue ? [...days, ...clock(made)] : days;
}

/** Class methods that give an instance of the class they are called on. */
function makers(
  all: Readonly<Record<string, readonly [string, (...slots: any[]) => unknown]>>,
): Record<string, readonly [string, (cls: any, ...slots: any[]) => unknown]> {
  const entries = Object.entries(all).map(
    ([name, [params, make]]) => [name, [params, (cls: any, ...slots: any[]) => as(cls, make(...slots))]] as const,
  );
  return Object.fromEntries(entries);
}

// Dates and times do not change.
for (const cls of [DateValue, TimeValue, TimeZone]) {
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
