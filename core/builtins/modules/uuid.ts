/** Module `uuid`. */

import { nodeCrypto } from '../../node-parts.ts';
import { Bytes, bytesOf } from '../../values/bytes.ts';
import { TypeError, ValueError } from '../../values/exceptions.ts';
import { demote, type Num } from '../../values/numbers.ts';
import { $hash } from '../../values/protocol.ts';
import { NotImplemented } from '../../values/singletons.ts';
import { requireText } from '../../values/text-arguments.ts';
import { functions, type Members } from '../module.ts';
import { nativeClass } from '../native-class.ts';

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
    return this.variant === 'specified in RFC 4122' ? Number.parseInt(this.$hex[12]!, 16) : null;
  }

  get variant(): string {
    const bits = Number.parseInt(this.$hex[16]!, 16);
    return bits < 8
      ? 'reserved for NCS compatibility'
      : bits < 12
        ? 'specified in RFC 4122'
        : bits < 14
          ? 'reserved for Microsoft compatibility'
          : 'reserved for future definition';
  }

  get node(): Num {
    return Number.parseInt(this.$hex.slice(20), 16);
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

/** A UUID from text in any usual form. @throws ValueError badly formed hexadecimal UUID string */
export function parseUuid(text: string): UUID {
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
  _le: unknown,
  _fields: unknown,
  int: unknown,
  version: unknown,
): UUID {
  const given = [hex, bytes, int].filter((x) => x !== undefined && x !== null);
  if (given.length !== 1)
    throw new TypeError('one of the hex, bytes, bytes_le, fields, or int arguments must be given');
  let made: UUID;
  if (hex !== undefined && hex !== null) made = parseUuid(requireText(hex));
  else if (int !== undefined && int !== null) {
    const n = BigInt(int as Num);
    if (n < 0n || n >= 1n << 128n) throw new ValueError('int is out of range (need a 128-bit value)');
    made = new UUID(n.toString(16).padStart(32, '0'));
  } else {
    const data = bytesOf(bytes);
    if (data === undefined || data.length !== 16) throw new ValueError('bytes is not a 16-char string');
    made = new UUID(Buffer.from(data).toString('hex'));
  }
  return version === undefined || version === null ? made : versioned(made.$hex, Number(version));
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
    NAMESPACE_DNS: parseUuid('6ba7b810-9dad-11d1-80b4-00c04fd430c8'),
    NAMESPACE_URL: parseUuid('6ba7b811-9dad-11d1-80b4-00c04fd430c8'),
    NAMESPACE_OID: parseUuid('6ba7b812-9dad-11d1-80b4-00c04fd430c8'),
    NAMESPACE_X500: parseUuid('6ba7b814-9dad-11d1-80b4-00c04fd430c8'),
    ...functions('uuid', {
      uuid1: ['node=None, clock_seq=None', uuid1],
      uuid3: ['namespace, name', named('md5', 3)],
      uuid4: ['', () => new UUID(nodeCrypto().randomUUID().replaceAll('-', ''))],
      uuid5: ['namespace, name', named('sha1', 5)],
      getnode: ['', () => uuid1().node],
    }),
  };
}
