/** `datetime.date`. */

import { makeNamedTuple } from '../../builtins/namedtuple.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { fromOutside } from '../../outside.ts';
import type { Tuple } from '../../values/containers/tuple.ts';
import { ValueError } from '../../values/objects/exceptions.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { NotImplemented } from '../../values/objects/singletons.ts';
import { fullTypeName } from '../../values/objects/type-name.ts';
import { requireText } from '../../values/text/text-arguments.ts';
import { daysIn, fromOrdinal, toOrdinal } from './calendar-days.ts';
import { as, like, makeReadOnly, makers, microsOf, order, pad, part } from './date-parts.ts';
import { formatTime, isoWeek, type Moment } from './strftime.ts';
import { StructTime } from './struct-time.ts';
import { TimeDelta } from './timedelta.ts';

const IsoCalendarDate = makeNamedTuple('IsoCalendarDate', ['year', 'week', 'weekday'], {
  module: 'datetime',
  label: 'datetime.IsoCalendarDate',
});

function checkDate(year: number, month: number, day: number): void {
  if (year < 1 || year > 9999) throw new ValueError(`year ${year} is out of range`);
  if (month < 1 || month > 12) throw new ValueError('month must be in 1..12');
  if (day < 1 || day > daysIn(year, month)) throw new ValueError('day is out of range for month');
}

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

  /** True for a `datetime`, which dates are neither equal to nor compared with. */
  get $hasClock(): boolean {
    return false;
  }

  $parts(): unknown[] {
    return [this.year, this.month, this.day];
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
    return this.$timeTuple(this.$dstFlag());
  }

  /** 1 or 0 where a time zone says whether clocks are set forward, else −1. */
  $dstFlag(): number {
    return -1;
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
    if (other instanceof DateValue && !other.$hasClock) {
      return new TimeDelta(BigInt(this.toordinal() - other.toordinal()) * 86_400_000_000n);
    }
    return NotImplemented;
  }

  __eq__(other: unknown): unknown {
    return other instanceof DateValue && !other.$hasClock ? this.toordinal() === other.toordinal() : NotImplemented;
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
  const sameKind = b instanceof DateValue && !b.$hasClock;
  return sameKind ? test(a.toordinal(), b.toordinal()) : NotImplemented;
}
order(DateValue, compare);

function dateOf(ordinal: number): DateValue {
  const { year, month, day } = fromOrdinal(ordinal);
  return new DateValue(year, month, day);
}

/** Reads a date from its text. @throws ValueError */
export function parseDate(text: string): DateValue {
  const found = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text);
  if (found !== null) return new DateValue(Number(found[1]), Number(found[2]), Number(found[3]));
  const week = /^(\d{4})-?W(\d{2})(?:-?([1-7]))?$/.exec(text);
  if (week !== null) return fromIsoCalendar(Number(week[1]), Number(week[2]), Number(week[3] ?? 1));
  throw new ValueError(`Invalid isoformat string: ${reprOf(text)}`);
}

export function fromIsoCalendar(year: number, week: number, day: number): DateValue {
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
        const d = new Date(fromOutside('clock', Date.now));
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
    fromisoformat: ['date_string, /', (text: unknown) => parseDate(requireText(text, 'fromisoformat: argument'))],
    fromisocalendar: [
      'year, week, day',
      (year: unknown, week: unknown, day: unknown) => fromIsoCalendar(part(year), part(week), part(day)),
    ],
  }),
  values: { min: new DateValue(1, 1, 1), max: new DateValue(9999, 12, 31), resolution: new TimeDelta(86_400_000_000n) },
});
makeReadOnly(DateValue);
