/** Module `time`. */

import { functions, type Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { real } from '../../builtins/real.ts';
import { fromOutside } from '../../outside.ts';
import { itemsOf } from '../../values/containers/iteration.ts';
import { type Tuple, tuple } from '../../values/containers/tuple.ts';
import { boxed } from '../../values/numbers/float-box.ts';
import { demote } from '../../values/numbers/numbers.ts';
import { TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { $repr } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { requireText } from '../../values/text/text-arguments.ts';
import { formatTime, isLeap, type Moment, parseTime, zoneName } from './strftime.ts';
import { StructTime } from './struct-time.ts';

const milliseconds = () => fromOutside('clock', Date.now);

function now(): number {
  return fromOutside('clock', () => Date.now() / 1000 + (performance.now() % 1) / 1000);
}

function yearday(year: number, month: number, day: number): number {
  return (
    Math.round((Date.UTC(2000, month - 1, day) - Date.UTC(2000, 0, 1)) / 86_400_000) +
    1 -
    (month > 2 && !isLeap(year) ? 1 : 0)
  );
}

function gmtime(seconds: unknown): Tuple {
  const d = new Date(
    Math.floor(seconds === undefined || seconds === null ? milliseconds() / 1000 : real(seconds)) * 1000,
  );
  return structOf(
    [d.getUTCFullYear(), d.getUTCMonth() + 1, d.getUTCDate(), d.getUTCHours(), d.getUTCMinutes(), d.getUTCSeconds()],
    d.getUTCDay(),
    0,
  );
}

function localtime(seconds: unknown): Tuple {
  const d = new Date(
    Math.floor(seconds === undefined || seconds === null ? milliseconds() / 1000 : real(seconds)) * 1000,
  );
  const winter = Math.max(
    new Date(d.getFullYear(), 0, 1).getTimezoneOffset(),
    new Date(d.getFullYear(), 6, 1).getTimezoneOffset(),
  );
  return structOf(
    [d.getFullYear(), d.getMonth() + 1, d.getDate(), d.getHours(), d.getMinutes(), d.getSeconds()],
    d.getDay(),
    d.getTimezoneOffset() < winter ? 1 : 0,
  );
}

function structOf(parts: readonly number[], sunday0: number, isDst: number): Tuple {
  const [year, month, day] = parts as [number, number, number];
  return new StructTime([...parts, (sunday0 + 6) % 7, yearday(year, month, day), isDst]);
}

function numbers(t: unknown): number[] {
  const items = itemsOf(t);
  if (items.length !== 9) throw new TypeError(`function takes exactly 9 arguments (${items.length} given)`);
  return items.map(Number);
}

function momentOf(t: unknown): Moment {
  const [year, month, day, hour, minute, second, weekday, dayOfYear] = numbers(t) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 0 || month > 12) throw new ValueError('month out of range');
  if (day < 0 || day > 31) throw new ValueError('day of month out of range');
  const date = new Date(year, month - 1, day, hour, minute, second);
  return {
    year,
    month: Math.max(1, month),
    day: Math.max(1, day),
    hour,
    minute,
    second,
    microsecond: 0,
    weekday,
    yearday: Math.max(1, dayOfYear),
    offset: -date.getTimezoneOffset() * 60,
    zone: zoneName(date),
  };
}

function strftime(format: unknown, t: unknown): string {
  return formatTime(momentOf(t ?? localtime(undefined)), requireText(format, 'strftime() argument 1'));
}

function strptime(text: unknown, format: unknown): Tuple {
  const parsed = parseTime(requireText(text), format === undefined ? '%a %b %d %H:%M:%S %Y' : requireText(format));
  const year = parsed.year ?? 1900;
  const d = new Date(Date.UTC(2000, 0, 1));
  d.setUTCFullYear(year, parsed.month - 1, parsed.day);
  return structOf([year, parsed.month, parsed.day, parsed.hour, parsed.minute, parsed.second], d.getUTCDay(), -1);
}

function mktime(t: unknown): number {
  const [year, month, day, hour, minute, second] = numbers(t) as [number, number, number, number, number, number];
  return Math.floor(new Date(year, month - 1, day, hour, minute, second).getTime() / 1000);
}

function sleep(seconds: unknown): Promise<null> {
  const duration = real(seconds);
  if (duration < 0) throw new ValueError('sleep length must be non-negative');
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), duration * 1000);
  });
}

const clocks: Readonly<Record<string, readonly [resolution: number, adjustable: boolean, source: string]>> = {
  time: [1e-9, true, 'clock_gettime(CLOCK_REALTIME)'],
  monotonic: [1e-9, false, 'clock_gettime(CLOCK_MONOTONIC)'],
  perf_counter: [1e-9, false, 'clock_gettime(CLOCK_MONOTONIC)'],
  process_time: [1e-9, false, 'clock_gettime(CLOCK_PROCESS_CPUTIME_ID)'],
  thread_time: [1e-9, false, 'clock_gettime(CLOCK_THREAD_CPUTIME_ID)'],
};

class ClockInfo {
  readonly adjustable: boolean;
  readonly implementation: string;
  readonly monotonic: boolean;
  readonly resolution: number;

  constructor([resolution, adjustable, source]: readonly [number, boolean, string]) {
    this.adjustable = adjustable;
    this.implementation = source;
    this.monotonic = !adjustable;
    this.resolution = resolution;
  }

  [$repr](): string {
    return `namespace(implementation=${reprOf(this.implementation)}, monotonic=${reprOf(this.monotonic)}, adjustable=${reprOf(this.adjustable)}, resolution=${reprOf(this.resolution)})`;
  }
}
nativeClass(ClockInfo, { name: 'SimpleNamespace', module: 'types' });

function clockInfo(name: unknown): ClockInfo {
  const clock = Object.hasOwn(clocks, String(name)) ? clocks[String(name)] : undefined;
  if (clock === undefined) throw new ValueError('unknown clock');
  return new ClockInfo(clock);
}

const nanos = () => fromOutside('clock', () => demote(process.hrtime.bigint()));

function usedMicros(): number {
  return fromOutside('clock', () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  });
}

export function makeTime(): Members {
  const offset = -new Date(new Date().getFullYear(), 0, 1).getTimezoneOffset() * 60;
  return {
    struct_time: StructTime,
    timezone: -offset,
    altzone: new Date(new Date().getFullYear(), 6, 1).getTimezoneOffset() * 60,
    daylight:
      new Date(new Date().getFullYear(), 0, 1).getTimezoneOffset() ===
      new Date(new Date().getFullYear(), 6, 1).getTimezoneOffset()
        ? 0
        : 1,
    tzname: tuple(zoneName(new Date(2024, 0, 1)), zoneName(new Date(2024, 6, 1))),
    ...functions('time', {
      asctime: ['t=None, /', (t: unknown) => strftime('%a %b %e %H:%M:%S %Y', t)],
      ctime: ['secs=None, /', (seconds: unknown) => strftime('%a %b %e %H:%M:%S %Y', localtime(seconds))],
      get_clock_info: ['name, /', clockInfo],
      gmtime: ['secs=None, /', gmtime],
      localtime: ['secs=None, /', localtime],
      mktime: ['t, /', (t: unknown) => boxed(mktime(t))],
      monotonic: ['', () => fromOutside('clock', () => Number(process.hrtime.bigint()) / 1e9)],
      monotonic_ns: ['', nanos],
      perf_counter: ['', () => fromOutside('clock', () => performance.now() / 1000)],
      perf_counter_ns: ['', nanos],
      process_time: ['', () => usedMicros() / 1e6],
      process_time_ns: ['', () => usedMicros() * 1000],
      sleep: ['secs, /', sleep],
      strftime: ['format, t=None, /', strftime],
      strptime: ['string, format=None, /', strptime],
      thread_time: ['', () => fromOutside('clock', () => process.cpuUsage().user / 1e6)],
      time: ['', now],
      time_ns: ['', () => demote(BigInt(milliseconds()) * 1_000_000n)],
    }),
  };
}
