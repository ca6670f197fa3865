/** `datetime` in the browser, on JavaScript's dates: what programs of the client use of it. */
import { ValueError } from '../lang/exceptions.ts';

const two = (value: number, width = 2): string => String(value).padStart(width, '0');
const dayMs = 86_400_000;
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export class timedelta {
  readonly ms: number;

  constructor(dayCount = 0, seconds = 0) {
    this.ms = dayCount * dayMs + seconds * 1000;
  }
  static $kw(
    [first = 0, second = 0]: number[],
    { days: d = 0, hours = 0, minutes = 0, seconds = 0, weeks = 0, milliseconds = 0, microseconds = 0 }: Numbers,
  ): timedelta {
    const small = milliseconds / 1000 + microseconds / 1_000_000;
    return new timedelta(first + d + weeks * 7, second + hours * 3600 + minutes * 60 + seconds + small);
  }
  static ofMs(ms: number): timedelta {
    return new timedelta(0, ms / 1000);
  }
  get days(): number {
    return Math.floor(this.ms / dayMs);
  }
  get seconds(): number {
    return Math.floor((this.ms - this.days * dayMs) / 1000);
  }
  get microseconds(): number {
    return Math.round((((this.ms % 1000) + 1000) % 1000) * 1000);
  }
  total_seconds(): number {
    return this.ms / 1000;
  }
  __add__(other: any): any {
    return other instanceof timedelta ? timedelta.ofMs(this.ms + other.ms) : other.__add__(this);
  }
  __sub__(other: timedelta): timedelta {
    return timedelta.ofMs(this.ms - other.ms);
  }
  __mul__(factor: number): timedelta {
    return timedelta.ofMs(this.ms * factor);
  }
  __rmul__(factor: number): timedelta {
    return this.__mul__(factor);
  }
  __truediv__(by: number | timedelta): number | timedelta {
    return by instanceof timedelta ? this.ms / by.ms : timedelta.ofMs(this.ms / by);
  }
  __floordiv__(by: number | timedelta): number | timedelta {
    return by instanceof timedelta ? Math.floor(this.ms / by.ms) : timedelta.ofMs(Math.floor(this.ms / by));
  }
  __mod__(by: timedelta): timedelta {
    return timedelta.ofMs(this.ms - Math.floor(this.ms / by.ms) * by.ms);
  }
  __neg__(): timedelta {
    return timedelta.ofMs(-this.ms);
  }
  __abs__(): timedelta {
    return timedelta.ofMs(Math.abs(this.ms));
  }
  __bool__(): boolean {
    return this.ms !== 0;
  }
  /** Gives JavaScript's own operators milliseconds to reckon with. */
  valueOf(): number {
    return this.ms;
  }
  __lt__(other: timedelta): boolean {
    return this.ms < other.ms;
  }
  __eq__(other: unknown): boolean {
    return other instanceof timedelta && other.ms === this.ms;
  }
  __str__(): string {
    const { days: d, seconds: s } = this;
    const part = this.microseconds === 0 ? '' : `.${two(this.microseconds, 6)}`;
    const clock = `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}${part}`;
    return d === 0 ? clock : `${d} day${Math.abs(d) === 1 ? '' : 's'}, ${clock}`;
  }
}

/** A distance from UTC that does not change. Without one, times are those of the browser. */
export class timezone {
  readonly offset: timedelta;

  constructor(offset: timedelta) {
    this.offset = offset;
  }
  static readonly utc: timezone = new timezone(new timedelta());

  __str__(): string {
    return this.offset.ms === 0 ? 'UTC' : `UTC${offsetText(this.offset.ms)}`;
  }
}
export const UTC: timezone = timezone.utc;

function offsetText(ms: number): string {
  const minutes = Math.abs(ms) / 60_000;
  return `${ms < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

type Numbers = Record<string, number>;
type Zone = timezone | null | undefined;

/** Parts of a time of day, in order. */
const partNames: readonly string[] = ['year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond'];

/** Base of `date` and `datetime`: a moment, read as of a zone. */
class Moment {
  value: Date;
  readonly tzinfo: timezone | null;

  constructor(value: Date, zone: Zone) {
    this.value = value;
    this.tzinfo = zone ?? null;
  }
  /** A date whose parts of UTC are the parts in this zone. */
  private get local(): Date {
    const offset = this.tzinfo?.offset.ms ?? -this.value.getTimezoneOffset() * 60_000;
    return new Date(this.value.getTime() + offset);
  }
  get year(): number {
    return this.local.getUTCFullYear();
  }
  get month(): number {
    return this.local.getUTCMonth() + 1;
  }
  get day(): number {
    return this.local.getUTCDate();
  }
  get hour(): number {
    return this.local.getUTCHours();
  }
  get minute(): number {
    return this.local.getUTCMinutes();
  }
  get second(): number {
    return this.local.getUTCSeconds();
  }
  get microsecond(): number {
    return this.local.getUTCMilliseconds() * 1000;
  }
  weekday(): number {
    return (this.local.getUTCDay() + 6) % 7;
  }
  isoweekday(): number {
    return this.weekday() + 1;
  }
  /** Year, week and day of the week: a week is of the year of its Thursday. */
  isocalendar(): [number, number, number] {
    const thursday = this.toordinal() - this.weekday() + 3;
    const year = new Date((thursday - 719_163) * dayMs).getUTCFullYear();
    const first = Date.UTC(year, 0, 1) / dayMs + 719_163;
    return [year, Math.floor((thursday - first) / 7) + 1, this.isoweekday()];
  }
  toordinal(): number {
    return Math.round(Date.UTC(this.year, this.month - 1, this.day) / dayMs) + 719_163;
  }
  strftime(form: string): string {
    const parts: Record<string, string> = {
      Y: String(this.year),
      m: two(this.month),
      d: two(this.day),
      e: String(this.day),
      H: two(this.hour),
      I: two(this.hour % 12 === 0 ? 12 : this.hour % 12),
      M: two(this.minute),
      S: two(this.second),
      f: two(this.microsecond, 6),
      p: this.hour < 12 ? 'AM' : 'PM',
      y: two(this.year % 100),
      A: days[this.weekday()]!,
      a: days[this.weekday()]!.slice(0, 3),
      B: months[this.month - 1]!,
      b: months[this.month - 1]!.slice(0, 3),
      j: two(Math.round((Date.UTC(this.year, this.month - 1, this.day) - Date.UTC(this.year, 0, 1)) / dayMs) + 1, 3),
      w: String(this.isoweekday() % 7),
      z: this.tzinfo === null ? '' : offsetText(this.tzinfo.offset.ms).replace(':', ''),
      Z: this.tzinfo?.__str__() ?? '',
      '%': '%',
    };
    parts['F'] = `${parts['Y']}-${parts['m']}-${parts['d']}`;
    parts['T'] = `${parts['H']}:${parts['M']}:${parts['S']}`;
    // `%-d` is without the zero in front.
    return form.replace(/%(-?)([a-zA-Z%])/g, (whole, bare: string, letter: string) => {
      const part = parts[letter];
      return part === undefined ? whole : bare === '' ? part : part.replace(/^0+(?=\d)/, '');
    });
  }
  __lt__(other: Moment): boolean {
    return this.value < other.value;
  }
  __eq__(other: unknown): boolean {
    return (
      other instanceof Moment &&
      other.constructor === this.constructor &&
      other.value.getTime() === this.value.getTime()
    );
  }
  __format__(form: string): string {
    return form === '' ? (this as any).__str__() : this.strftime(form);
  }
  toString(): string {
    return (this as any).__str__();
  }
}

export class date extends Moment {
  constructor(year: number, month: number, day: number) {
    super(new Date(year, month - 1, inMonth(year, month, day)), null);
  }
  static $kw(args: number[], named: Numbers): date {
    const [year, month, day] = filled(args, named);
    return new date(year!, month!, day!);
  }
  static of(value: Date): date {
    return new date(value.getFullYear(), value.getMonth() + 1, value.getDate());
  }
  static today(): date {
    return date.of(new Date());
  }
  static fromisoformat(text: string): date {
    return date.of(parsed(text).value);
  }
  static fromtimestamp(seconds: number): date {
    return date.of(new Date(seconds * 1000));
  }
  replace(year = this.year, month = this.month, day = this.day): date {
    return new date(year, month, day);
  }
  isoformat(): string {
    return `${two(this.year, 4)}-${two(this.month)}-${two(this.day)}`;
  }
  toJSON(): string {
    return this.isoformat();
  }
  __str__(): string {
    return this.isoformat();
  }
  __sub__(other: date | timedelta): date | timedelta {
    return other instanceof timedelta
      ? this.__add__(other.__neg__())
      : new timedelta(this.toordinal() - other.toordinal());
  }
  // By the calendar: days on which clocks change have other lengths.
  __add__(other: timedelta): date {
    return date.of(new Date(this.year, this.month - 1, this.day + other.days));
  }
}

export class datetime extends Moment {
  constructor(
    year: number,
    month = 1,
    day = 1,
    hour = 0,
    minute = 0,
    second = 0,
    microsecond = 0,
    tzinfo: Zone = null,
  ) {
    const zone = tzinfo ?? null;
    inMonth(year, month, day);
    within('hour', hour, 0, 23);
    within('minute', minute, 0, 59);
    within('second', second, 0, 59);
    const ms = Math.floor(microsecond / 1000);
    super(
      zone === null
        ? new Date(year, month - 1, day, hour, minute, second, ms)
        : new Date(Date.UTC(year, month - 1, day, hour, minute, second, ms) - zone.offset.ms),
      zone,
    );
  }
  static $kw(args: any[], named: Record<string, any>): datetime {
    return new datetime(...(filled(args, named) as [number]), named['tzinfo']);
  }
  static of(value: Date, zone: Zone = null): datetime {
    const made = new datetime(1970, 1, 1, 0, 0, 0, 0, zone);
    made.value = value;
    return made;
  }
  static now(zone: Zone = null): datetime {
    return datetime.of(new Date(), zone);
  }
  static today(): datetime {
    return datetime.now();
  }
  static utcnow(): datetime {
    const { value } = datetime.now();
    return datetime.of(new Date(value.getTime() + value.getTimezoneOffset() * 60_000));
  }
  static fromisoformat(text: string): datetime {
    return parsed(text);
  }
  static strptime(text: string, form: string): datetime {
    const letters: string[] = [];
    const pattern = form.replace(/%([a-zA-Z%])|[\\^$.*+?()[\]{}|]/g, (found, letter: string | undefined) => {
      if (letter === undefined || letter === '%') return letter ?? `\\${found}`;
      letters.push(letter);
      return /[bBp]/.test(letter)
        ? '([A-Za-z]+)'
        : letter === 'Y'
          ? '(\\d{4})'
          : letter === 'f'
            ? '(\\d{1,6})'
            : '(\\d{1,2})';
    });
    const found = new RegExp(`^${pattern}$`).exec(text);
    if (found === null) throw new ValueError(`time data '${text}' does not match format '${form}'`);
    const parts = Object.fromEntries(letters.map((letter, i) => [letter, found[i + 1]!]));
    const part = (letter: string, other: number) => Number(parts[letter] ?? other);
    const name = (parts['b'] ?? parts['B'])?.slice(0, 3).toLowerCase();
    const month = name === undefined ? part('m', 1) : months.findIndex((one) => one.toLowerCase().startsWith(name)) + 1;
    const short = part('y', 0);
    const year = parts['y'] === undefined ? part('Y', 1900) : short + (short < 69 ? 2000 : 1900);
    const half = parts['p']?.toUpperCase() === 'PM' ? 12 : 0;
    const hour = parts['I'] === undefined ? part('H', 0) : (part('I', 0) % 12) + half;
    const micro = Number((parts['f'] ?? '').padEnd(6, '0'));
    return new datetime(year, month, part('d', 1), hour, part('M', 0), part('S', 0), micro);
  }
  static fromtimestamp(seconds: number, zone: Zone = null): datetime {
    return datetime.of(new Date(seconds * 1000), zone);
  }
  static combine(day: date, at: { hour: number; minute: number; second: number }): datetime {
    return new datetime(day.year, day.month, day.day, at.hour, at.minute, at.second);
  }
  date(): date {
    return new date(this.year, this.month, this.day);
  }
  astimezone(zone: Zone = null): datetime {
    return datetime.of(this.value, zone);
  }
  replace(
    year = this.year,
    month = this.month,
    day = this.day,
    hour = this.hour,
    minute = this.minute,
    second = this.second,
    microsecond = this.microsecond,
    tzinfo: Zone = this.tzinfo,
  ): datetime {
    return new datetime(year, month, day, hour, minute, second, microsecond, tzinfo);
  }
  timestamp(): number {
    return this.value.getTime() / 1000;
  }
  isoformat(sep = 'T', timespec = 'auto'): string {
    const form = timespec === 'minutes' ? '%H:%M' : timespec === 'hours' ? '%H' : '%T';
    const isWhole = form !== '%T' || timespec === 'seconds';
    const fraction = isWhole || this.microsecond === 0 ? '' : `.${two(this.microsecond, 6)}`;
    return `${this.strftime('%F')}${sep}${this.strftime(form)}${fraction}${this.tzinfo === null ? '' : offsetText(this.tzinfo.offset.ms)}`;
  }
  toJSON(): string {
    return this.value.toISOString();
  }
  __str__(): string {
    return this.isoformat().replace('T', ' ');
  }
  __sub__(other: datetime | timedelta): datetime | timedelta {
    return other instanceof timedelta
      ? this.__add__(other.__neg__())
      : timedelta.ofMs(this.value.getTime() - other.value.getTime());
  }
  __add__(other: timedelta): datetime {
    return datetime.of(new Date(this.value.getTime() + other.ms), this.tzinfo);
  }
}

/** Parts by position and by name, up to the last one given. */
function filled(args: readonly number[], named: Numbers): number[] {
  const first = [1970, 1, 1, 0, 0, 0, 0];
  return partNames.map((name, i) => named[name] ?? args[i] ?? first[i]!);
}

// Where keywords of `replace` stand.
Object.assign(datetime.prototype.isoformat, { $params: ['sep', 'timespec'] });
Object.assign(date.prototype.replace, { $params: partNames.slice(0, 3) });
Object.assign(datetime.prototype.replace, { $params: [...partNames, 'tzinfo'] });

/** ISO 8601, as Python reads it: without a zone it is the time of the browser, without a time midnight. */
function parsed(text: string): datetime {
  const found =
    /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,6})\d*)?)?)?(Z|[+-]\d\d:?\d\d)?$/.exec(text);
  if (found === null) throw new ValueError(`Invalid isoformat string: '${text}'`);
  const [year, month, day, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map((part) => Number(part ?? 0));
  return new datetime(
    year!,
    month,
    day,
    hour,
    minute,
    second,
    Number((found[7] ?? '0').padEnd(6, '0')),
    zoneOf(found[8]),
  );
}

function within(name: string, value: number, least: number, most: number): void {
  if (value < least || value > most) throw new ValueError(`${name} must be in ${least}..${most}`);
}

/** Gives the day; throws where the month does not have it. */
function inMonth(year: number, month: number, day: number): number {
  within('month', month, 1, 12);
  if (day < 1 || day > new Date(year, month, 0).getDate()) throw new ValueError('day is out of range for month');
  return day;
}

function zoneOf(text: string | undefined): timezone | null {
  if (text === undefined) return null;
  if (text === 'Z') return timezone.utc;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return minutes === 0 ? timezone.utc : new timezone(new timedelta(0, (text.startsWith('-') ? -60 : 60) * minutes));
}
