/** Module `calendar`: months as weeks, as text and as HTML. Names are English. */

import { functions, type Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { output } from '../../builtins/output.ts';
import { PyIterator, toArray } from '../../values/containers/iteration.ts';
import { type Tuple, tuple } from '../../values/containers/tuple.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { nameException, ValueError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { $str } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { strM } from '../../values/text/str-methods.ts';
import { daysIn, toOrdinal } from './calendar-days.ts';
import { DateValue } from './date.ts';
import { dayNames, isLeap, monthNames } from './strftime.ts';

class IllegalMonthError extends ValueError {
  override [$str](): string {
    return `bad month number ${reprOf(this.args.items[0])}; must be 1-12`;
  }
}
class IllegalWeekdayError extends ValueError {
  override [$str](): string {
    return `bad weekday number ${reprOf(this.args.items[0])}; must be 0 (Monday) to 6 (Sunday)`;
  }
}
nameException(IllegalMonthError, 'IllegalMonthError');
nameException(IllegalWeekdayError, 'IllegalWeekdayError');

// A year outside of what dates hold has the calendar of one 400 years off.
function weekday(year: number, month: number, day: number): number {
  const near = year >= 1 && year <= 9999 ? year : 2000 + (((year % 400) + 400) % 400);
  return new DateValue(near, month, day).weekday();
}

/** Weekday of the first day, and the number of days. */
function monthRange(year: number, month: number): readonly [number, number] {
  if (!(month >= 1 && month <= 12)) throw new IllegalMonthError(month);
  return [weekday(year, month, 1), daysIn(year, month)];
}

const center = (text: string, width: number): string => strM['center']!(text, width, undefined) as string;
const trimEnd = (text: string) => text.replace(/\s+$/, '');

function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
}

class Calendar {
  declare $first: number;

  constructor(first?: unknown) {
    this.init(first);
  }

  init(first?: unknown): void {
    this.$first = first === undefined || first === null ? 0 : requireSize(first);
  }

  get firstweekday(): number {
    return ((this.$first % 7) + 7) % 7;
  }

  set firstweekday(first: unknown) {
    this.$first = requireSize(first);
  }

  getfirstweekday(): number {
    return this.firstweekday;
  }

  setfirstweekday(first: unknown): null {
    this.firstweekday = first;
    return null;
  }

  /** Days of whole weeks around a month. */
  $days(year: unknown, month: unknown): Day[] {
    const [y, m] = [requireSize(year), requireSize(month)];
    const [first, count] = monthRange(y, m);
    const before = (first - this.firstweekday + 7) % 7;
    const after = (7 - ((before + count) % 7)) % 7;
    const [last, next] = [
      m === 1 ? ([y - 1, 12] as const) : ([y, m - 1] as const),
      m === 12 ? ([y + 1, 1] as const) : ([y, m + 1] as const),
    ];
    return Array.from({ length: before + count + after }, (_, i) => {
      const day = i - before + 1;
      const at = { weekday: (this.firstweekday + i) % 7 };
      if (day < 1) return { ...at, year: last[0], month: last[1], day: daysIn(...last) + day };
      return day > count
        ? { ...at, year: next[0], month: next[1], day: day - count }
        : { ...at, year: y, month: m, day };
    });
  }

  /** The same with days of other months as 0. */
  $ownDays(year: unknown, month: unknown): Day[] {
    return this.$days(year, month).map((one) => (one.month === Number(month) ? one : { ...one, day: 0 }));
  }

  iterweekdays(): unknown {
    return iterate(this.$weekdays());
  }

  $weekdays(): number[] {
    return Array.from({ length: 7 }, (_, i) => (this.firstweekday + i) % 7);
  }

  itermonthdates(year: unknown, month: unknown): unknown {
    return iterate(this.$days(year, month).map((one) => new DateValue(one.year, one.month, one.day)));
  }

  itermonthdays(year: unknown, month: unknown): unknown {
    return iterate(this.$ownDays(year, month).map((one) => one.day));
  }

  itermonthdays2(year: unknown, month: unknown): unknown {
    return iterate(this.$ownDays(year, month).map((one) => tuple(one.day, one.weekday)));
  }

  itermonthdays3(year: unknown, month: unknown): unknown {
    return iterate(this.$days(year, month).map((one) => tuple(one.year, one.month, one.day)));
  }

  itermonthdays4(year: unknown, month: unknown): unknown {
    return iterate(this.$days(year, month).map((one) => tuple(one.year, one.month, one.day, one.weekday)));
  }

  monthdatescalendar(year: unknown, month: unknown): unknown[][] {
    return chunk(toArray(this.itermonthdates(year, month)), 7);
  }

  monthdayscalendar(year: unknown, month: unknown): unknown[][] {
    return chunk(toArray(this.itermonthdays(year, month)), 7);
  }

  monthdays2calendar(year: unknown, month: unknown): unknown[][] {
    return chunk(toArray(this.itermonthdays2(year, month)), 7);
  }

  yeardatescalendar(year: unknown, width?: unknown): unknown[] {
    return yearRows(width, (month) => this.monthdatescalendar(year, month));
  }

  yeardayscalendar(year: unknown, width?: unknown): unknown[] {
    return yearRows(width, (month) => this.monthdayscalendar(year, month));
  }

  yeardays2calendar(year: unknown, width?: unknown): unknown[] {
    return yearRows(width, (month) => this.monthdays2calendar(year, month));
  }
}

function iterate(items: readonly unknown[]): PyIterator {
  return new PyIterator(items[Symbol.iterator](), 'generator');
}

function yearRows<T>(width: unknown, make: (month: number) => T): T[][] {
  return chunk(
    Array.from({ length: 12 }, (_, i) => make(i + 1)),
    width === undefined ? 3 : requireSize(width),
  );
}

nativeClass(Calendar, {
  name: 'Calendar',
  module: 'calendar',
  params: 'firstweekday=0',
  methods: {
    init: 'firstweekday=0',
    yeardatescalendar: 'year, width=3',
    yeardayscalendar: 'year, width=3',
    yeardays2calendar: 'year, width=3',
    monthdatescalendar: 'year, month',
    monthdayscalendar: 'year, month',
    monthdays2calendar: 'year, month',
    itermonthdates: 'year, month',
    itermonthdays: 'year, month',
    itermonthdays2: 'year, month',
    itermonthdays3: 'year, month',
    itermonthdays4: 'year, month',
    setfirstweekday: 'firstweekday',
  },
});

/** Months side by side, as they are printed. What a derived class overrides is used. */
class TextCalendar extends Calendar {
  formatday(day: number, _weekday: unknown, width: unknown): string {
    return center(day === 0 ? '' : String(day).padStart(2), requireSize(width));
  }

  formatweek(week: unknown, width: unknown): string {
    const days = toArray(week).map((one: any) => toArray(one));
    return days.map(([day, at]) => callMethod(this, 'formatday', day, at, width)).join(' ');
  }

  formatweekday(day: number, width: unknown): string {
    const size = requireSize(width);
    return center(size >= 9 ? dayNames[day]! : dayNames[day]!.slice(0, Math.min(3, size)), size);
  }

  formatweekheader(width: unknown): string {
    return this.$weekdays()
      .map((day) => callMethod(this, 'formatweekday', day, width))
      .join(' ');
  }

  formatmonthname(year: unknown, month: number, width: unknown, withYear?: unknown): string {
    const name = monthNames[month - 1]!;
    return center(withYear === undefined || truth(withYear) ? `${name} ${year}` : name, requireSize(width));
  }

  formatmonth(year: number, month: number, w?: unknown, l?: unknown): string {
    const [width, lines] = [Math.max(2, requireSize(w ?? 0)), '\n'.repeat(Math.max(1, requireSize(l ?? 0)))];
    const weeks = this.monthdays2calendar(year, month).map((week) => callMethod(this, 'formatweek', week, width));
    const head = callMethod(this, 'formatmonthname', year, month, 7 * (width + 1) - 1);
    const all = [head, callMethod(this, 'formatweekheader', width), ...weeks];
    return all.map((line) => trimEnd(line) + lines).join('');
  }

  formatyear(year: number, w?: unknown, l?: unknown, c?: unknown, m?: unknown): string {
    const width = Math.max(2, requireSize(w ?? 2));
    const end = '\n'.repeat(Math.max(1, requireSize(l ?? 1)));
    const gap = ' '.repeat(Math.max(2, requireSize(c ?? 6)));
    const columns = requireSize(m ?? 3);
    const column = (width + 1) * 7 - 1;
    const row = (cells: readonly string[]) => cells.map((cell) => center(cell, column)).join(gap);
    const header = callMethod(this, 'formatweekheader', width);
    let out = trimEnd(center(String(year), column * columns + gap.length * (columns - 1))) + end;
    const months = Array.from({ length: 12 }, (_, i) => i + 1);
    for (const some of chunk(months, columns)) {
      out +=
        end + trimEnd(row(some.map((month) => callMethod(this, 'formatmonthname', year, month, column, false)))) + end;
      out += trimEnd(row(some.map(() => header))) + end;
      const weeks = some.map((month) => this.monthdays2calendar(year, month));
      for (let i = 0; i < Math.max(...weeks.map((one) => one.length)); i += 1) {
        const cells = weeks.map((one) => (one[i] === undefined ? '' : callMethod(this, 'formatweek', one[i], width)));
        out += trimEnd(row(cells)) + end;
      }
    }
    return out;
  }

  prweek(week: unknown, width: unknown): null {
    return print(callMethod(this, 'formatweek', week, width));
  }

  prmonth(year: number, month: number, w?: unknown, l?: unknown): null {
    return print(callMethod(this, 'formatmonth', year, month, w ?? 0, l ?? 0));
  }

  pryear(year: number, w?: unknown, l?: unknown, c?: unknown, m?: unknown): null {
    return print(callMethod(this, 'formatyear', year, w ?? 0, l ?? 0, c ?? 6, m ?? 3));
  }
}
const monthParams = 'theyear, themonth, w=0, l=0';
const yearParams = 'theyear, w=2, l=1, c=6, m=3';
nativeClass(TextCalendar, {
  name: 'TextCalendar',
  module: 'calendar',
  params: 'firstweekday=0',
  methods: {
    formatday: 'day, weekday, width',
    formatweek: 'theweek, width',
    formatweekday: 'day, width',
    formatweekheader: 'width',
    formatmonthname: 'theyear, themonth, width, withyear=True',
    formatmonth: monthParams,
    formatyear: yearParams,
    prweek: 'theweek, width',
    prmonth: monthParams,
    pryear: 'theyear, w=0, l=0, c=6, m=3',
  },
});

function print(text: string): null {
  output().out(text);
  return null;
}

const classes = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Months as tables. The classes of cells are attributes a derived class may replace. */
class HTMLCalendar extends Calendar {
  declare cssclasses: string[];
  declare cssclasses_weekday_head: string[];
  declare cssclass_noday: string;
  declare cssclass_month: string;
  declare cssclass_month_head: string;
  declare cssclass_year: string;
  declare cssclass_year_head: string;

  formatday(day: number, at: number): string {
    if (day === 0) return `<td class="${this.cssclass_noday}">&nbsp;</td>`;
    return `<td class="${this.cssclasses[at]}">${day}</td>`;
  }

  formatweek(week: unknown): string {
    const days = toArray(week).map((one: any) => toArray(one));
    return `<tr>${days.map(([day, at]) => callMethod(this, 'formatday', day, at)).join('')}</tr>`;
  }

  formatweekday(day: number): string {
    return `<th class="${this.cssclasses_weekday_head[day]}">${dayNames[day]!.slice(0, 3)}</th>`;
  }

  formatweekheader(): string {
    return `<tr>${this.$weekdays()
      .map((day) => callMethod(this, 'formatweekday', day))
      .join('')}</tr>`;
  }

  formatmonthname(year: unknown, month: number, withYear?: unknown): string {
    const name = monthNames[month - 1]!;
    const shown = withYear === undefined || truth(withYear) ? `${name} ${year}` : name;
    return `<tr><th colspan="7" class="${this.cssclass_month_head}">${shown}</th></tr>`;
  }

  formatmonth(year: number, month: number, withYear?: unknown): string {
    const lines = [
      `<table border="0" cellpadding="0" cellspacing="0" class="${this.cssclass_month}">`,
      callMethod(this, 'formatmonthname', year, month, withYear ?? true),
      callMethod(this, 'formatweekheader'),
      ...this.monthdays2calendar(year, month).map((week) => callMethod(this, 'formatweek', week)),
      '</table>',
    ];
    return `${lines.join('\n')}\n`;
  }

  formatyear(year: number, width?: unknown): string {
    const columns = Math.max(1, requireSize(width ?? 3));
    const rows = chunk(
      Array.from({ length: 12 }, (_, i) => i + 1),
      columns,
    ).map(
      (months) =>
        `<tr>${months.map((month) => `<td>${callMethod(this, 'formatmonth', year, month, false)}</td>`).join('')}</tr>`,
    );
    const head = `<tr><th colspan="${columns}" class="${this.cssclass_year_head}">${year}</th></tr>`;
    return `<table border="0" cellpadding="0" cellspacing="0" class="${this.cssclass_year}">\n${head}${rows.join('')}</table>`;
  }
}
Object.assign(HTMLCalendar.prototype, {
  cssclasses: classes,
  cssclasses_weekday_head: classes,
  cssclass_noday: 'noday',
  cssclass_month: 'month',
  cssclass_month_head: 'month',
  cssclass_year: 'year',
  cssclass_year_head: 'year',
});
nativeClass(HTMLCalendar, {
  name: 'HTMLCalendar',
  module: 'calendar',
  params: 'firstweekday=0',
  methods: {
    formatday: 'day, weekday',
    formatweek: 'theweek',
    formatweekday: 'day',
    formatweekheader: '',
    formatmonthname: 'theyear, themonth, withyear=True',
    formatmonth: 'theyear, themonth, withyear=True',
    formatyear: 'theyear, width=3',
  },
});

function timegm(moment: unknown): number {
  const [year, month, day, hour, minute, second] = toArray(moment).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const days = toOrdinal(year, month, 1) + day - 1 - toOrdinal(1970, 1, 1);
  return ((days * 24 + hour) * 60 + minute) * 60 + second;
}

export function makeCalendar(): Members {
  const shared = new TextCalendar();
  const setFirst = (first: unknown): null => {
    const day = requireSize(first);
    if (day < 0 || day > 6) throw new IllegalWeekdayError(first);
    return shared.setfirstweekday(first);
  };
  return {
    Calendar,
    HTMLCalendar,
    IllegalMonthError,
    IllegalWeekdayError,
    TextCalendar,
    error: ValueError,
    ...Object.fromEntries(dayNames.map((name, i) => [name.toUpperCase(), i])),
    January: 1,
    February: 2,
    EPOCH: 1970,
    mdays: [0, ...monthNames.map((_, i) => daysIn(2001, i + 1))],
    day_name: dayNames,
    day_abbr: dayNames.map((name) => name.slice(0, 3)),
    month_name: ['', ...monthNames],
    month_abbr: ['', ...monthNames.map((name) => name.slice(0, 3))],
    ...functions('calendar', {
      calendar: [yearParams, (...args: [number]) => shared.formatyear(...args)],
      firstweekday: ['', () => shared.firstweekday],
      isleap: ['year', (year: unknown) => isLeap(requireSize(year))],
      leapdays: ['y1, y2', leapDays],
      month: [monthParams, (...args: [number, number]) => shared.formatmonth(...args)],
      monthcalendar: ['year, month', (year: unknown, month: unknown) => shared.monthdayscalendar(year, month)],
      monthrange: [
        'year, month',
        (year: unknown, month: unknown): Tuple => tuple(...monthRange(requireSize(year), requireSize(month))),
      ],
      prcal: ['theyear, w=0, l=0, c=6, m=3', (...args: [number]) => shared.pryear(...args)],
      prmonth: [monthParams, (...args: [number, number]) => shared.prmonth(...args)],
      setfirstweekday: ['firstweekday', setFirst],
      timegm: ['tuple', timegm],
      weekday: [
        'year, month, day',
        (year: unknown, month: unknown, day: unknown) =>
          weekday(requireSize(year), requireSize(month), requireSize(day)),
      ],
      weekheader: ['width', (width: unknown) => shared.formatweekheader(width)],
    }),
  };
}

/** Leap years from one year up to another. */
function leapDays(from: unknown, to: unknown): number {
  const before = (year: number) => Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  return before(requireSize(to) - 1) - before(requireSize(from) - 1);
}
