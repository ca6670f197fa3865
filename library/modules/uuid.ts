/** Module `uuid`. */

import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { nodeCrypto } from '../node-parts.ts';
import { fromOutside } from '../outside.ts';
import { toArray } from '../values/containers/iteration.ts';
import { type Tuple, tuple } from '../values/containers/tuple.ts';
import { requireIndex } from '../values/numbers/index-value.ts';
import { demote, type Num } from '../values/numbers/numbers.ts';
import { TypeError, ValueError } from '../values/objects/exceptions.ts';
import { $hash } from '../values/objects/protocol.ts';
import { NotImplemented } from '../values/objects/singletons.ts';
import { Bytes, bytesOf } from '../values/text/bytes.ts';
import { requireText } from '../values/text/text-arguments.ts';

const variants = [
  'reserved for NCS compatibility',
  'specified in RFC 4122',
  'reserved for Microsoft compatibility',
  'reserved for future definition',
] as const;

export class UUID {
  readonly $hex: string;

  constructor(hex: string) {
    this.$hex = hex;
  }

  get hex(): string {
    return this.$hex;
  }

  get int(): Num {
    return demote(BigInt(`0x${this.$hex}`));
  }

  get bytes(): Bytes {
    return new Bytes(new Uint8Array(Buffer.from(this.$hex, 'hex')));
  }

  get urn(): string {
    return `urn:uuid:${this.__str__()}`;
  }

  get version(): number | null {
    return this.variant === variants[1] ? Number.parseInt(this.$hex[12]!, 16) : null;
  }

  get variant(): string {
    const bits = Number.parseInt(this.$hex[16]!, 16);
    return variants[bits < 8 ? 0 : bits < 12 ? 1 : bits < 14 ? 2 : 3];
  }

  get node(): Num {
    return Number.parseInt(this.$hex.slice(20), 16);
  }

  /** The digits of a part, as a number. */
  $part(start: number, end: number): number {
    return Number.parseInt(this.$hex.slice(start, end), 16);
  }

  get fields(): Tuple {
    const { time_low, time_mid, time_hi_version, clock_seq_hi_variant, clock_seq_low, node } = this;
    return tuple(time_low, time_mid, time_hi_version, clock_seq_hi_variant, clock_seq_low, node);
  }

  get time_low(): number {
    return this.$part(0, 8);
  }

  get time_mid(): number {
    return this.$part(8, 12);
  }

  get time_hi_version(): number {
    return this.$part(12, 16);
  }

  get clock_seq_hi_variant(): number {
    return this.$part(16, 18);
  }

  get clock_seq_low(): number {
    return this.$part(18, 20);
  }

  get clock_seq(): number {
    return this.$part(16, 20) & 0x3fff;
  }

  get time(): Num {
    return demote(BigInt(`0x${this.$hex.slice(13, 16)}${this.$hex.slice(8, 12)}${this.$hex.slice(0, 8)}`));
  }

  get bytes_le(): Bytes {
    return new Bytes(swapped(this.bytes.data));
  }

  __str__(): string {
    const h = this.$hex;
    return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`;
  }

  __repr__(): string {
    return `UUID('${this.__str__()}')`;
  }

  __int__(): Num {
    return this.int;
  }

  __eq__(other: unknown): unknown {
    return other instanceof UUID ? this.$hex === other.$hex : NotImplemented;
  }

  __lt__(other: unknown): unknown {
    return other instanceof UUID ? this.$hex < other.$hex : NotImplemented;
  }

  __le__(other: unknown): unknown {
    return other instanceof UUID ? this.$hex <= other.$hex : NotImplemented;
  }

  __gt__(other: unknown): unknown {
    return other instanceof UUID ? this.$hex > other.$hex : NotImplemented;
  }

  __ge__(other: unknown): unknown {
    return other instanceof UUID ? this.$hex >= other.$hex : NotImplemented;
  }

  __hash__(): number {
    return Number.parseInt(this.$hex.slice(0, 12), 16);
  }

  [$hash](): string {
    return `uuid${this.$hex}`;
  }

  toJSON(): string {
    return this.__str__();
  }
}

/** The first three parts the other way round, as some systems store them. */
function swapped(data: Uint8Array): Uint8Array {
  const at = [3, 2, 1, 0, 5, 4, 7, 6];
  return Uint8Array.from(data, (byte, i) => (i < 8 ? data[at[i]!]! : byte));
}

const widths = [8, 4, 4, 2, 2, 12];

function hexOfFields(given: unknown): string {
  const parts = toArray(given).map((part) => BigInt(requireIndex(part)));
  if (parts.length !== 6) throw new ValueError('fields is not a 6-tuple');
  const wrong = parts.findIndex((part, i) => part < 0n || part >= 1n << BigInt(4 * widths[i]!));
  if (wrong >= 0)
    throw new ValueError(
      `field ${wrong + 1} out of range (need a${widths[wrong] === 2 ? 'n' : ''} ${4 * widths[wrong]!}-bit value)`,
    );
  return parts.map((part, i) => part.toString(16).padStart(widths[i]!, '0')).join('');
}

function hexOfBytes(given: unknown, name: string): string {
  const data = bytesOf(given);
  if (data === undefined || data.length !== 16) throw new ValueError(`${name} is not a 16-char string`);
  return Buffer.from(name === 'bytes' ? data : swapped(data)).toString('hex');
}

/** A UUID from text in any usual form. @throws ValueError badly formed hexadecimal UUID string */
function parseUuid(text: string): UUID {
  const hex = text
    .replace('urn:', '')
    .replace('uuid:', '')
    .replace(/^[{}]+|[{}]+$/g, '')
    .replaceAll('-', '')
    .toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(hex)) throw new ValueError('badly formed hexadecimal UUID string');
  return new UUID(hex);
}

function make(
  _cls: unknown,
  hex: unknown,
  bytes: unknown,
  le: unknown,
  fields: unknown,
  int: unknown,
  version: unknown,
): UUID {
  const isGiven = (x: unknown) => x !== undefined && x !== null;
  if ([hex, bytes, le, fields, int].filter(isGiven).length !== 1)
    throw new TypeError('one of the hex, bytes, bytes_le, fields, or int arguments must be given');
  let made: UUID;
  if (isGiven(hex)) made = parseUuid(requireText(hex));
  else if (isGiven(bytes)) made = new UUID(hexOfBytes(bytes, 'bytes'));
  else if (isGiven(le)) made = new UUID(hexOfBytes(le, 'bytes_le'));
  else if (isGiven(fields)) made = new UUID(hexOfFields(fields));
  else {
    const n = BigInt(int as Num);
    if (n < 0n || n >= 1n << 128n) throw new ValueError('int is out of range (need a 128-bit value)');
    made = new UUID(n.toString(16).padStart(32, '0'));
  }
  if (!isGiven(version)) return made;
  const number = Number(version);
  if (!(number >= 1 && number <= 5)) throw new ValueError('illegal version number');
  return versioned(made.$hex, number);
}

nativeClass(UUID, {
  name: 'UUID',
  module: 'uuid',
  params: 'hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None',
  make,
});

function versioned(hex: string, version: number): UUID {
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return new UUID(`${hex.slice(0, 12)}${version}${hex.slice(13, 16)}${variant}${hex.slice(17)}`);
}

function named(algorithm: 'md5' | 'sha1', version: number): (namespace: UUID, name: unknown) => UUID {
  return (namespace, name) => {
    const data = bytesOf(name) ?? Buffer.from(requireText(name), 'utf8');
    return versioned(
      nodeCrypto().createHash(algorithm).update(namespace.bytes.data).update(data).digest('hex').slice(0, 32),
      version,
    );
  };
}

let node: Buffer | undefined;
let lastTicks = 0n;

function uuid1(): UUID {
  return fromOutside('bytes', nextOfTime);
}

function nextOfTime(): UUID {
  node ??= Buffer.from(nodeCrypto().randomBytes(8));
  node[2]! |= 1;
  let ticks = BigInt(Date.now()) * 10_000n + 0x01b21dd213814000n;
  if (ticks <= lastTicks) ticks = lastTicks + 1n;
  lastTicks = ticks;
  const time = ticks.toString(16).padStart(15, '0');
  return versioned(
    `${time.slice(7)}${time.slice(3, 7)}1${time.slice(0, 3)}${node.subarray(0, 2).toString('hex')}${node.subarray(2).toString('hex')}`,
    1,
  );
}

export function makeUuid(): Members {
  return {
    UUID,
    RESERVED_NCS: variants[0],
    RFC_4122: variants[1],
    RESERVED_MICROSOFT: variants[2],
    RESERVED_FUTURE: variants[3],
    NAMESPACE_DNS: parseUuid('6ba7b810-9dad-11d1-80b4-00c04fd430c8'),
    NAMESPACE_URL: parseUuid('6ba7b811-9dad-11d1-80b4-00c04fd430c8'),
    NAMESPACE_OID: parseUuid('6ba7b812-9dad-11d1-80b4-00c04fd430c8'),
    NAMESPACE_X500: parseUuid('6ba7b814-9dad-11d1-80b4-00c04fd430c8'),
    ...functions('uuid', {
      uuid1: ['node=None, clock_seq=None', uuid1],
      uuid3: ['namespace, name', named('md5', 3)],
      uuid4: ['', () => new UUID(fromOutside('bytes', () => nodeCrypto().randomUUID().replaceAll('-', '')))],
      uuid5: ['namespace, name', named('sha1', 5)],
      getnode: ['', () => uuid1().node],
    }),
  };
}
