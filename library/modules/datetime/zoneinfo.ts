/** Module `zoneinfo`: time zones by name. The data is what JavaScript's own calendar has. */

import { functions, type Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { set } from '../../values/containers/sets.ts';
import { KeyError, nameException, TypeError } from '../../values/objects/exceptions.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { DateTimeValue, epochMicros } from './datetime.ts';
import { TzInfo } from './time-zone.ts';
import { TimeDelta } from './timedelta.ts';

class ZoneInfoNotFoundError extends KeyError {}
nameException(ZoneInfoNotFoundError, 'ZoneInfoNotFoundError');

const hour = 3_600_000;

class ZoneInfo extends TzInfo {
  readonly key: string;
  readonly $clock: Intl.DateTimeFormat;
  readonly $names: Intl.DateTimeFormat;
  /** Offsets by hour of UTC: a zone changes its own on an hour or its half. */
  readonly $offsets = new Map<number, number>();

  constructor(name: string, zone: string) {
    super();
    this.key = name;
    this.$clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    this.$names = new Intl.DateTimeFormat(localeOf(name), { timeZone: zone, timeZoneName: 'short' });
  }

  /** Milliseconds that the clock is ahead of UTC at a moment. */
  $offsetAt(moment: number): number {
    const half = Math.floor(moment / (hour / 2));
    let offset = this.$offsets.get(half);
    if (offset === undefined) {
      offset = this.$readOffset(half * (hour / 2));
      if (this.$offsets.size > 10_000) this.$offsets.clear();
      this.$offsets.set(half, offset);
    }
    return offset;
  }

  $readOffset(moment: number): number {
    const parts: Record<string, string> = {};
    for (const { type, value } of this.$clock.formatToParts(moment)) parts[type] = value;
    const n = (name: string) => Number(parts[name]);
    const wall = new Date(0);
    wall.setUTCFullYear(parts['era']?.startsWith('B') ? 1 - n('year') : n('year'), n('month') - 1, n('day'));
    return wall.setUTCHours(n('hour'), n('minute'), n('second')) - moment;
  }

  /** The moment a clock of the zone shows `wall`; of two, the one that `fold` names. In a gap the offset before or after it holds. */
  $offsetOfWall(wall: number, fold: number): number {
    const [before, after] = [this.$offsetAt(wall - 24 * hour), this.$offsetAt(wall + 24 * hour)];
    if (before === after) return this.$offsetAt(wall - before);
    const possible = [before, after].filter((offset) => this.$offsetAt(wall - offset) === offset);
    if (possible.length === 1) return possible[0]!;
    return fold === 0 ? before : after;
  }

  $offset(moment: unknown): number | undefined {
    if (moment === null || moment === undefined) return undefined;
    if (!(moment instanceof DateTimeValue)) throw new TypeError(`expected datetime, got ${typeName(moment)}`);
    return this.$offsetOfWall(Number((moment.$wall() - epochMicros) / 1000n), moment.fold);
  }

  /**
   * Gives, for `astimezone`, the microseconds the zone's clock is ahead at a moment of UTC, and whether the clock shows
   * that time a second time.
   */
  $atInstant(instant: bigint): { micros: bigint; fold: number } {
    const moment = Number((instant - epochMicros) / 1000n);
    const offset = this.$offsetAt(moment);
    const isSecond = this.$offsetOfWall(moment + offset, 0) !== offset;
    return { micros: BigInt(offset) * 1000n, fold: isSecond ? 1 : 0 };
  }

  override utcoffset(moment: unknown): TimeDelta | null {
    const offset = this.$offset(moment);
    if (offset !== undefined) return new TimeDelta(BigInt(offset) * 1000n);
    const [winter, summer] = this.$yearly();
    return winter === summer && isFixed(this.key) ? new TimeDelta(BigInt(winter) * 1000n) : null;
  }

  override dst(moment: unknown): TimeDelta | null {
    const offset = this.$offset(moment);
    if (offset === undefined) return null;
    const year = (moment as DateTimeValue).year;
    const standard = Math.min(...this.$yearly(year));
    return new TimeDelta(BigInt(offset - standard) * 1000n);
  }

  override tzname(moment: unknown): string | null {
    const offset = this.$offset(moment);
    if (offset === undefined) return isFixed(this.key) ? this.key.replace(/^.*\//, '') : null;
    const at = Number(((moment as DateTimeValue).$wall() - epochMicros) / 1000n) - offset;
    const name = this.$names.formatToParts(at).find((part) => part.type === 'timeZoneName')!.value;
    return shortName(name, offset, offset > Math.min(...this.$yearly((moment as DateTimeValue).year)), this.key);
  }

  $yearly(year = 2024): readonly [number, number] {
    return [this.$offsetAt(Date.UTC(year, 0, 1)), this.$offsetAt(Date.UTC(year, 6, 1))];
  }

  __str__(): string {
    return this.key;
  }

  __repr__(): string {
    return `zoneinfo.ZoneInfo(key='${this.key}')`;
  }
}

const isFixed = (name: string) => /^(?:Etc\/.*|UTC|GMT|Zulu|UCT|Universal|Greenwich)$/.test(name);

// Short names of zones are only known in the language of the place.
function localeOf(name: string): string {
  if (name.startsWith('Australia/')) return 'en-AU';
  if (name.startsWith('Europe/') || name.startsWith('Africa/') || name === 'Asia/Kolkata') return 'en-GB';
  return 'en-US';
}

const eastern: Readonly<Record<string, readonly [string, string?]>> = {
  'Asia/Tokyo': ['JST'],
  'Asia/Seoul': ['KST'],
  'Asia/Shanghai': ['CST'],
  'Asia/Hong_Kong': ['HKT'],
  'Asia/Taipei': ['CST'],
  'Asia/Manila': ['PST'],
  'Asia/Jakarta': ['WIB'],
  'Asia/Kolkata': ['IST'],
  'Asia/Calcutta': ['IST'],
  'Asia/Karachi': ['PKT'],
  'Asia/Jerusalem': ['IST', 'IDT'],
  'Europe/London': ['GMT', 'BST'],
  'Europe/Dublin': ['GMT', 'IST'],
  'Europe/Lisbon': ['WET', 'WEST'],
  'Europe/Moscow': ['MSK'],
  'Africa/Johannesburg': ['SAST'],
  'Africa/Nairobi': ['EAT'],
  'Africa/Lagos': ['WAT'],
  'Pacific/Auckland': ['NZST', 'NZDT'],
};

/** The abbreviation; where JavaScript has only `GMT+3`, the one of the region or the offset in digits. */
function shortName(name: string, offset: number, isSummer: boolean, zone: string): string {
  const [standard, summer] = eastern[zone] ?? [];
  if (standard !== undefined) return isSummer ? (summer ?? standard) : standard;
  if (!/^(?:GMT|UTC)[+-]/.test(name)) return name;
  if (zone.startsWith('Europe/')) {
    const [winter, high] = [
      ['GMT', 'BST'],
      ['CET', 'CEST'],
      ['EET', 'EEST'],
    ][offset / hour - (isSummer ? 1 : 0)] ?? [undefined, undefined];
    if (winter !== undefined) return isSummer ? high! : winter;
  }
  const minutes = Math.abs(offset) / 60_000;
  const text = `${String(Math.floor(minutes / 60)).padStart(2, '0')}${minutes % 60 === 0 ? '' : String(minutes % 60).padStart(2, '0')}`;
  return `${offset < 0 ? '-' : '+'}${text}`;
}

const known = new Map<string, ZoneInfo>();

/** One object a name. */
function zoneOf(given: unknown): ZoneInfo {
  const name = textOf(given);
  if (name === undefined) throw new TypeError(`expected str, bytes or os.PathLike object, not ${typeName(given)}`);
  let zone = known.get(name);
  if (zone === undefined) {
    zone = makeZone(name);
    known.set(name, zone);
  }
  return zone;
}

function makeZone(name: string): ZoneInfo {
  try {
    if (/^[+-]/.test(name)) throw new RangeError();
    return new ZoneInfo(name, name);
  } catch (e) {
    if (!(e instanceof RangeError)) throw e;
    throw new ZoneInfoNotFoundError(`No time zone found with key ${name}`);
  }
}

nativeClass(ZoneInfo, {
  name: 'ZoneInfo',
  module: 'zoneinfo',
  params: 'key',
  make: (_cls, name) => zoneOf(name),
  methods: { utcoffset: 'dt, /', tzname: 'dt, /', dst: 'dt, /' },
  statics: {
    clear_cache: [
      '*, only_keys=None',
      () => {
        known.clear();
        return null;
      },
    ],
    no_cache: ['key', (name: unknown) => makeZone(String(name))],
  },
});

export function makeZoneinfo(): Members {
  return {
    TZPATH: [],
    ZoneInfo,
    ZoneInfoNotFoundError,
    ...functions('zoneinfo', {
      available_timezones: ['', () => set(['UTC', ...Intl.supportedValuesOf('timeZone')])],
      reset_tzpath: ['to=None', () => null],
    }),
  };
}
