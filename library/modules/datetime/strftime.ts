/** `strftime` and `strptime` in the C locale, for `time` and `datetime`. */
import { ValueError } from '../../values/objects/exceptions.ts';
import { reprOf } from '../../values/objects/repr.ts';

export interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
  /** Monday is 0. */
  readonly weekday: number;
  /** Numbers of the day in the week and in the year, from 1. */
  readonly yearday: number;
  /** Seconds east of UTC; undefined for naive times. */
  readonly offset: number | undefined;
  readonly zone: string;
}

export const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const monthNames = [
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

const pad = (x: number, width = 2, fill = '0') => String(x).padStart(width, fill);

/** Offset as `+HHMM[SS[.ffffff]]`, with `colon` between the parts. */
export function offsetText(offset: number, colon: string): string {
  const size = Math.abs(offset);
  const seconds = Math.floor(size % 60);
  const micros = Math.round((size % 1) * 1e6);
  const tail =
    seconds === 0 && micros === 0 ? '' : `${colon}${pad(seconds)}${micros === 0 ? '' : `.${pad(micros, 6)}`}`;
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(size / 3600))}${colon}${pad(Math.floor((size % 3600) / 60))}${tail}`;
}

export function formatTime(m: Moment, format: string): string {
  return format.replace(/%([-_0^#]?)(:?)([a-zA-Z%])/g, (all, flag: string, colon: string, code: string) => {
    const text = directive(m, code, colon);
    if (text === undefined) return all;
    if (flag === '-') return text.replace(/^[0 ]+(?=.)/, '');
    if (flag === '_') return text.replace(/^0+(?=.)/, (zeros) => ' '.repeat(zeros.length));
    return flag === '^' ? text.toUpperCase() : text;
  });
}

function directive(m: Moment, code: string, colon: string): string | undefined {
  const hour12 = m.hour % 12 === 0 ? 12 : m.hour % 12;
  switch (code) {
    case 'a':
      return dayNames[m.weekday]!.slice(0, 3);
    case 'A':
      return dayNames[m.weekday]!;
    case 'b':
    case 'h':
      return monthNames[m.month - 1]!.slice(0, 3);
    case 'B':
      return monthNames[m.month - 1]!;
    case 'c':
      return formatTime(m, '%a %b %e %H:%M:%S %Y');
    case 'C':
      return pad(Math.floor(m.year / 100));
    case 'd':
      return pad(m.day);
    case 'D':
    case 'x':
      return formatTime(m, '%m/%d/%y');
    case 'e':
      return pad(m.day, 2, ' ');
    case 'f':
      return pad(m.microsecond, 6);
    case 'F':
      return formatTime(m, '%Y-%m-%d');
    case 'g':
      return pad(isoWeek(m).year % 100);
    case 'G':
      return pad(isoWeek(m).year, 4);
    case 'H':
      return pad(m.hour);
    case 'I':
      return pad(hour12);
    case 'j':
      return pad(m.yearday, 3);
    case 'k':
      return pad(m.hour, 2, ' ');
    case 'l':
      return pad(hour12, 2, ' ');
    case 'm':
      return pad(m.month);
    case 'M':
      return pad(m.minute);
    case 'n':
      return '\n';
    case 'p':
      return m.hour < 12 ? 'AM' : 'PM';
    case 'P':
      return m.hour < 12 ? 'am' : 'pm';
    case 'r':
      return formatTime(m, '%I:%M:%S %p');
    case 'R':
      return formatTime(m, '%H:%M');
    case 's':
      return String(
        Math.floor(Date.UTC(m.year, m.month - 1, m.day, m.hour, m.minute, m.second) / 1000) -
          (m.offset ?? localOffset(m)),
      );
    case 'S':
      return pad(m.second);
    case 't':
      return '\t';
    case 'T':
    case 'X':
      return formatTime(m, '%H:%M:%S');
    case 'u':
      return String(m.weekday + 1);
    case 'U':
      return pad(Math.floor((m.yearday + 6 - ((m.weekday + 1) % 7)) / 7));
    case 'V':
      return pad(isoWeek(m).week);
    case 'w':
      return String((m.weekday + 1) % 7);
    case 'W':
      return pad(Math.floor((m.yearday + 6 - m.weekday) / 7));
    case 'y':
      return pad(m.year % 100);
    case 'Y':
      return m.year < 1000 ? String(m.year) : String(m.year);
    case 'z':
      return m.offset === undefined ? '' : offsetText(m.offset, colon === ':' ? ':' : '');
    case 'Z':
      return m.zone;
    case '%':
      return '%';
    default:
      return undefined;
  }
}

function localOffset(m: Moment): number {
  return -new Date(m.year, m.month - 1, m.day, m.hour, m.minute, m.second).getTimezoneOffset() * 60;
}

/** ISO 8601 year and week. */
export function isoWeek(m: { year: number; weekday: number; yearday: number }): { year: number; week: number } {
  const week = Math.floor((m.yearday - 1 - m.weekday + 10) / 7);
  if (week < 1) return { year: m.year - 1, week: weeksIn(m.year - 1) };
  if (week > weeksIn(m.year)) return { year: m.year + 1, week: 1 };
  return { year: m.year, week };
}

export function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function weeksIn(year: number): number {
  const dayOfDec31 = (y: number) => (y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)) % 7;
  return dayOfDec31(year) === 4 || dayOfDec31(year - 1) === 3 ? 53 : 52;
}

/** Parts of a moment that `strptime` has read. */
export interface Parsed {
  year: number | undefined;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  microsecond: number;
  yearday: number | undefined;
  weekday: number | undefined;
  offset: number | undefined;
  zone: string | undefined;
}

const patterns: Readonly<Record<string, string>> = {
  a: dayNames.map((name) => name.slice(0, 3)).join('|'),
  A: dayNames.join('|'),
  b: monthNames.map((name) => name.slice(0, 3)).join('|'),
  B: monthNames.join('|'),
  d: '3[01]|[12]\\d|0[1-9]|[1-9]| [1-9]',
  f: '\\d{1,6}',
  H: '2[0-3]|[01]\\d|\\d',
  I: '1[0-2]|0[1-9]|[1-9]| [1-9]',
  j: '36[0-6]|3[0-5]\\d|[12]\\d\\d|0[1-9]\\d|00[1-9]|[1-9]\\d|0[1-9]|[1-9]',
  m: '1[0-2]|0[1-9]|[1-9]',
  M: '[0-5]\\d|\\d',
  p: 'am|pm',
  S: '6[01]|[0-5]\\d|\\d',
  G: '\\d\\d\\d\\d',
  V: '5[0-3]|0[1-9]|[1-4]\\d|\\d',
  U: '5[0-3]|[0-4]\\d|\\d',
  W: '5[0-3]|[0-4]\\d|\\d',
  w: '[0-6]',
  u: '[1-7]',
  y: '\\d\\d',
  Y: '\\d\\d\\d\\d',
  z: '[+-]\\d\\d:?[0-5]\\d(?::?[0-5]\\d(?:\\.\\d{1,6})?)?|Z',
  Z: 'utc|gmt|[a-z]{3,5}',
};
const combined: Readonly<Record<string, string>> = {
  c: '%a %b %d %H:%M:%S %Y',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  D: '%m/%d/%y',
  T: '%H:%M:%S',
  R: '%H:%M',
  F: '%Y-%m-%d',
};

/** @throws ValueError time data '…' does not match format '…' */
export function parseTime(text: string, format: string): Parsed {
  const codes: string[] = [];
  const whole = format.replace(/%([cxXDTRF])/g, (_all, code: string) => combined[code]!);
  let source = '';
  for (let at = 0; at < whole.length; at += 1) {
    const char = whole[at]!;
    if (char !== '%') {
      source += /\s/.test(char) ? '\\s+' : char.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      continue;
    }
    at += 1;
    const code = whole[at];
    if (code === undefined) throw new ValueError(`stray % in format ${reprOf(format)}`);
    if (code === '%') source += '%';
    else {
      if (patterns[code] === undefined)
        throw new ValueError(`${reprOf(code)} is a bad directive in format ${reprOf(format)}`);
      codes.push(code);
      source += `(${patterns[code]})`;
    }
  }
  const found = new RegExp(`^${source.replaceAll('\\s+\\s+', '\\s+')}`, 'i').exec(text);
  if (found === null) throw new ValueError(`time data ${reprOf(text)} does not match format ${reprOf(format)}`);
  if (found[0].length < text.length) throw new ValueError(`unconverted data remains: ${text.slice(found[0].length)}`);
  return collect(codes, found.slice(1));
}

function collect(codes: readonly string[], values: readonly string[]): Parsed {
  const out: Parsed = {
    year: undefined,
    month: 1,
    day: 1,
    hour: 0,
    minute: 0,
    second: 0,
    microsecond: 0,
    yearday: undefined,
    weekday: undefined,
    offset: undefined,
    zone: undefined,
  };
  let afternoon: boolean | undefined;
  let half = false;
  let isoYear: number | undefined;
  let week: { code: 'U' | 'W' | 'V'; number: number } | undefined;
  codes.forEach((code, i) => {
    const text = values[i]!.trim();
    const n = Number(text);
    const lower = text.toLowerCase();
    switch (code) {
      case 'a':
      case 'A':
        out.weekday = dayNames.findIndex((name) => name.toLowerCase().startsWith(lower));
        break;
      case 'b':
      case 'B':
        out.month = monthNames.findIndex((name) => name.toLowerCase().startsWith(lower)) + 1;
        break;
      case 'd':
        out.day = n;
        break;
      case 'f':
        out.microsecond = Number(text.padEnd(6, '0'));
        break;
      case 'H':
        out.hour = n;
        break;
      case 'I':
        out.hour = n;
        half = true;
        break;
      case 'j':
        out.yearday = n;
        break;
      case 'm':
        out.month = n;
        break;
      case 'M':
        out.minute = n;
        break;
      case 'p':
        afternoon = lower === 'pm';
        break;
      case 'S':
        out.second = n;
        break;
      case 'w':
        out.weekday = (n + 6) % 7;
        break;
      case 'u':
        out.weekday = n - 1;
        break;
      case 'y':
        out.year = n < 69 ? 2000 + n : 1900 + n;
        break;
      case 'Y':
        out.year = n;
        break;
      case 'G':
        isoYear = n;
        break;
      case 'U':
      case 'W':
      case 'V':
        week = { code, number: n };
        break;
      case 'z':
        out.offset = offsetOf(text);
        break;
      case 'Z':
        out.zone = text;
        if (lower === 'utc' || lower === 'gmt') out.offset ??= undefined;
        break;
    }
  });
  if (out.weekday !== undefined) {
    if (isoYear !== undefined && week?.code === 'V') setIsoDay(out, isoYear, week.number, out.weekday);
    else if (week !== undefined && week.code !== 'V' && out.year !== undefined)
      out.yearday = dayOfWeek(out.year, week.number, out.weekday, week.code === 'W');
  }
  if (half) out.hour = (out.hour % 12) + (afternoon === true ? 12 : 0);
  return out;
}

const dayMs = 86_400_000;

// Day of the year for `%W` (weeks begin on Monday) and `%U` (on Sunday); `weekday` 0 is Monday.
function dayOfWeek(year: number, week: number, weekday: number, fromMonday: boolean): number {
  const firstDay = (new Date(Date.UTC(year, 0, 1)).getUTCDay() + 6) % 7;
  const first = fromMonday ? firstDay : (firstDay + 1) % 7;
  const day = fromMonday ? weekday : (weekday + 1) % 7;
  if (week === 0) return 1 + day - first;
  return 1 + ((7 - first) % 7) + 7 * (week - 1) + day;
}

function setIsoDay(out: Parsed, year: number, week: number, weekday: number): void {
  const fourth = Date.UTC(year, 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs;
  const at = new Date(monday + ((week - 1) * 7 + weekday) * dayMs);
  Object.assign(out, { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() });
}

/** Seconds of `Z`, `+05:30`, `-0800`. */
export function offsetOf(text: string): number {
  if (text === 'Z' || text === 'z') return 0;
  const digits = text.slice(1).replaceAll(':', '');
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2, 4)) * 60 + Number(digits.slice(4) || 0);
  return text[0] === '-' ? -seconds : seconds;
}

/** The abbreviation of the local time zone, as far as the platform tells. */
export function zoneName(date: Date): string {
  const part = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
    .formatToParts(date)
    .find((one) => one.type === 'timeZoneName');
  return part?.value ?? 'UTC';
}
