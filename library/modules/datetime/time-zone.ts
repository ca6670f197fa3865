/** `datetime.tzinfo` and `datetime.timezone`. */

import { nativeClass } from '../../builtins/native-class.ts';
import { TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { $hash } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { NotImplemented } from '../../values/objects/singletons.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { requireText } from '../../values/text/text-arguments.ts';
import { makeReadOnly } from './date-parts.ts';
import { offsetText } from './strftime.ts';
import { roundHalfEven, TimeDelta } from './timedelta.ts';

/** A `datetime`, as far as its zone has to know it. Clocks are in microseconds since year 1. */
export interface ZonedMoment {
  readonly tzinfo: TzInfo | null;
  utcoffset(): TimeDelta | null;
  dst(): TimeDelta | null;
  $wall(): bigint;
  /** The moment at which the clock of a zone shows this. */
  $at(wall: bigint, zone: TzInfo): ZonedMoment;
}

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

  /** Gives the time on the zone's clock at a time of UTC: standard time first, then with the summer time of that. */
  fromutc(moment: ZonedMoment): ZonedMoment {
    if (moment.tzinfo !== this) throw new ValueError('fromutc: dt.tzinfo is not self');
    const offset = moment.utcoffset()?.$micros ?? 0n;
    const standard = moment.$at(moment.$wall() + offset - (moment.dst()?.$micros ?? 0n), this);
    return moment.$at(standard.$wall() + (standard.dst()?.$micros ?? 0n), this);
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
    const seconds = this.$offset.$seconds;
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

/** @throws TypeError when it is neither None nor a zone */
export function requireZone(x: unknown): TzInfo | null {
  if (x === undefined || x === null) return null;
  if (typeof x === 'object' && typeof (x as any).utcoffset === 'function') return x as TzInfo;
  throw new TypeError(`tzinfo argument must be None or of a tzinfo subclass, not type '${typeName(x)}'`);
}

/** The zone of a fixed offset, in seconds. */
export function zoneOf(seconds: number): TimeZone {
  return seconds === 0 ? utc : new TimeZone(new TimeDelta(roundHalfEven(seconds * 1e6)));
}

makeReadOnly(TimeZone);
