/** `datetime` in the browser, on JavaScript's dates: what programs of the client use of it. */
import { ValueError } from '../lang/exceptions.ts';

const two = (value: number): string => String(value).padStart(2, '0');
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
    this.ms = dayCount * 86_400_000 + seconds * 1000;
  }
  static $kw(
    _: unknown[],
    { days: d = 0, hours = 0, minutes = 0, seconds = 0, weeks = 0, milliseconds = 0 }: Record<string, number>,
  ): timedelta {
    return new timedelta(d + weeks * 7, hours * 3600 + minutes * 60 + seconds + milliseconds / 1000);
  }
  get days(): number {
    return Math.floor(this.ms / 86_400_000);
  }
  get seconds(): number {
    return Math.floor((this.ms - this.days * 86_400_000) / 1000);
  }
  total_seconds(): number {
    return this.ms / 1000;
  }
}

export class datetime {
  readonly value: Date;

  constructor(year: number, month = 1, day = 1, hour = 0, minute = 0, second = 0) {
    this.value = new Date(year, month - 1, day, hour, minute, second);
  }
  static of(value: Date): datetime {
    const made = new datetime(1970);
    (made as { value: Date }).value = value;
    return made;
  }
  static now(): datetime {
    return datetime.of(new Date());
  }
  static today(): datetime {
    return datetime.now();
  }
  static utcnow(): datetime {
    return datetime.now();
  }
  static fromisoformat(text: string): datetime {
    const value = new Date(text);
    if (Number.isNaN(value.getTime())) throw new ValueError(`Invalid isoformat string: '${text}'`);
    return datetime.of(value);
  }
  static fromtimestamp(seconds: number): datetime {
    return datetime.of(new Date(seconds * 1000));
  }
  get year(): number {
    return this.value.getFullYear();
  }
  get month(): number {
    return this.value.getMonth() + 1;
  }
  get day(): number {
    return this.value.getDate();
  }
  get hour(): number {
    return this.value.getHours();
  }
  get minute(): number {
    return this.value.getMinutes();
  }
  get second(): number {
    return this.value.getSeconds();
  }
  weekday(): number {
    return (this.value.getDay() + 6) % 7;
  }
  timestamp(): number {
    return this.value.getTime() / 1000;
  }
  isoformat(): string {
    return `${this.year}-${two(this.month)}-${two(this.day)}T${two(this.hour)}:${two(this.minute)}:${two(this.second)}`;
  }
  toJSON(): string {
    return this.value.toISOString();
  }
  strftime(form: string): string {
    const parts: Record<string, string> = {
      Y: String(this.year),
      m: two(this.month),
      d: two(this.day),
      H: two(this.hour),
      I: two(this.hour % 12 === 0 ? 12 : this.hour % 12),
      M: two(this.minute),
      S: two(this.second),
      p: this.hour < 12 ? 'AM' : 'PM',
      y: two(this.year % 100),
      A: days[this.weekday()]!,
      a: days[this.weekday()]!.slice(0, 3),
      B: months[this.month - 1]!,
      b: months[this.month - 1]!.slice(0, 3),
      '%': '%',
    };
    return form.replace(/%([a-zA-Z%])/g, (whole, letter: string) => parts[letter] ?? whole);
  }
  __str__(): string {
    return this.isoformat().replace('T', ' ');
  }
  __sub__(other: datetime | timedelta): datetime | timedelta {
    if (other instanceof timedelta) return datetime.of(new Date(this.value.getTime() - other.ms));
    return new timedelta(0, (this.value.getTime() - other.value.getTime()) / 1000);
  }
  __add__(other: timedelta): datetime {
    return datetime.of(new Date(this.value.getTime() + other.ms));
  }
  __lt__(other: datetime): boolean {
    return this.value < other.value;
  }
  __eq__(other: unknown): boolean {
    return other instanceof datetime && other.value.getTime() === this.value.getTime();
  }
  __format__(form: string): string {
    return form === '' ? this.__str__() : this.strftime(form);
  }
}

export { datetime as date };
