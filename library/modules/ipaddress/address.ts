/** Addresses of `ipaddress`: what they are read from, which blocks they lie in, their order. */

import { tuple } from '../../values/containers/tuple.ts';
import { asInt, demote, type Num } from '../../values/numbers/numbers.ts';
import { TypeError } from '../../values/objects/exceptions.ts';
import { $hash } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { NotImplemented } from '../../values/objects/singletons.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { Bytes } from '../../values/text/bytes.ts';
import { format } from '../../values/text/format.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { AddressValueError, NetmaskValueError, parse4, parse6, show4, show6, showLong6 } from './text.ts';

export type Version = 4 | 6;

export const bitsOf = (version: Version) => (version === 4 ? 32 : 128);
const parsed = (version: Version, text: string) => (version === 4 ? parse4(text) : parse6(text));
export const shown = (version: Version, value: bigint) => (version === 4 ? show4(value) : show6(value));
export const all = (version: Version) => (1n << BigInt(bitsOf(version))) - 1n;
export const hostBits = (version: Version, prefix: number) => all(version) >> BigInt(prefix);

interface Range {
  readonly first: bigint;
  readonly last: bigint;
}

function ranges(version: Version, text: string): readonly Range[] {
  return text.split(' ').map((one) => {
    const [address, prefix] = one.split('/') as [string, string];
    const first = parsed(version, address);
    return { first, last: first | hostBits(version, Number(prefix)) };
  });
}

/** Blocks with a meaning (the registries of IANA). */
const blocks = {
  4: {
    multicast: ranges(4, '224.0.0.0/4'),
    private: ranges(
      4,
      '0.0.0.0/8 10.0.0.0/8 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/29 192.0.0.170/31 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 255.255.255.255/32',
    ),
    shared: ranges(4, '100.64.0.0/10'),
    reserved: ranges(4, '240.0.0.0/4'),
    loopback: ranges(4, '127.0.0.0/8'),
    linkLocal: ranges(4, '169.254.0.0/16'),
    siteLocal: [],
  },
  6: {
    multicast: ranges(6, 'ff00::/8'),
    private: ranges(
      6,
      '::1/128 ::/128 ::ffff:0:0/96 100::/64 2001::/23 2001:2::/48 2001:db8::/32 2001:10::/28 fc00::/7 fe80::/10',
    ),
    shared: [],
    reserved: ranges(
      6,
      '::/8 100::/8 200::/7 400::/6 800::/5 1000::/4 4000::/3 6000::/3 8000::/3 a000::/3 c000::/3 e000::/4 f000::/5 f800::/6 fe00::/9',
    ),
    loopback: ranges(6, '::1/128'),
    linkLocal: ranges(6, 'fe80::/10'),
    siteLocal: ranges(6, 'fec0::/10'),
  },
} as const;

type Kind = keyof (typeof blocks)[4];

/** Base of addresses and networks: they lie in blocks, and they have an order within a version. */
export abstract class IpValue {
  abstract readonly version: Version;
  abstract get $first(): bigint;
  abstract get $last(): bigint;
  /** Numbers by which equality and order go. */
  abstract get $order(): readonly bigint[];
  abstract get $sort(): 'ip' | 'net' | 'if';
  abstract __str__(): string;

  get max_prefixlen(): number {
    return bitsOf(this.version);
  }

  get compressed(): string {
    return this.__str__();
  }

  $isIn(kind: Kind): boolean {
    return blocks[this.version][kind].some((range) => range.first <= this.$first && this.$last <= range.last);
  }

  get is_multicast(): boolean {
    return this.$isIn('multicast');
  }

  get is_private(): boolean {
    return this.$isIn('private');
  }

  get is_global(): boolean {
    return !this.$isIn('shared') && !this.is_private;
  }

  get is_reserved(): boolean {
    return this.$isIn('reserved');
  }

  get is_loopback(): boolean {
    return this.$isIn('loopback');
  }

  get is_link_local(): boolean {
    return this.$isIn('linkLocal');
  }

  get is_site_local(): boolean {
    return this.$isIn('siteLocal');
  }

  get is_unspecified(): boolean {
    return this.$last === 0n;
  }

  $compare(other: unknown): number | undefined {
    if (!(other instanceof IpValue) || (other.$sort === 'net') !== (this.$sort === 'net')) return undefined;
    requireSame(this, other);
    for (let i = 0; i < this.$order.length; i += 1) {
      const [a, b] = [this.$order[i]!, other.$order[i] ?? 0n];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  }

  __eq__(other: unknown): unknown {
    if (!(other instanceof IpValue)) return NotImplemented;
    return this[$hash]() === other[$hash]();
  }

  __lt__(other: unknown): unknown {
    const order = this.$compare(other);
    return order === undefined ? NotImplemented : order < 0;
  }

  __le__(other: unknown): unknown {
    const order = this.$compare(other);
    return order === undefined ? NotImplemented : order <= 0;
  }

  __gt__(other: unknown): unknown {
    const order = this.$compare(other);
    return order === undefined ? NotImplemented : order > 0;
  }

  __ge__(other: unknown): unknown {
    const order = this.$compare(other);
    return order === undefined ? NotImplemented : order >= 0;
  }

  [$hash](): string {
    return `${this.$sort}${this.version}:${this.$order.join('/')}`;
  }

  __repr__(): string {
    return `${typeName(this)}('${this.__str__()}')`;
  }
}

export function requireSame(a: IpValue, b: IpValue): void {
  if (a.version !== b.version) throw new TypeError(`${a.__str__()} and ${b.__str__()} are not of the same version`);
}

export abstract class IpAddress extends IpValue {
  readonly $value: bigint;

  constructor(value: bigint) {
    super();
    this.$value = value;
  }

  get $sort(): 'ip' | 'if' {
    return 'ip';
  }

  get $first(): bigint {
    return this.$value;
  }

  get $last(): bigint {
    return this.$value;
  }

  get $order(): readonly bigint[] {
    return [this.$value];
  }

  get packed(): Bytes {
    return packedOf(this.version, this.$value);
  }

  get exploded(): string {
    return this.version === 4 ? show4(this.$value) : showLong6(this.$value);
  }

  get reverse_pointer(): string {
    if (this.version === 4) return `${show4(this.$value).split('.').reverse().join('.')}.in-addr.arpa`;
    return `${[...showLong6(this.$value).replaceAll(':', '')].reverse().join('.')}.ip6.arpa`;
  }

  /** Address of version 4 in an IPv6 address; None for any other. */
  get ipv4_mapped(): unknown {
    return this.$value >> 32n === 0xffffn ? makeAddress(4, this.$value & all(4)) : null;
  }

  get sixtofour(): unknown {
    return this.$value >> 112n === 0x2002n ? makeAddress(4, (this.$value >> 80n) & all(4)) : null;
  }

  get teredo(): unknown {
    if (this.$value >> 96n !== 0x20010000n) return null;
    return tuple(makeAddress(4, (this.$value >> 64n) & all(4)), makeAddress(4, ~this.$value & all(4)));
  }

  get scope_id(): string | null {
    return null;
  }

  __int__(): Num {
    return demote(this.$value);
  }

  __add__(other: unknown): unknown {
    const n = asInt(other);
    return n === undefined ? NotImplemented : checkedAddress(this.version, this.$value + BigInt(n));
  }

  __sub__(other: unknown): unknown {
    const n = asInt(other);
    return n === undefined ? NotImplemented : checkedAddress(this.version, this.$value - BigInt(n));
  }

  __str__(): string {
    return shown(this.version, this.$value);
  }

  __format__(spec: string): string {
    const found = /^(#?_?#?)([bBxXn])$/.exec(spec);
    if (spec === '' || spec.endsWith('s')) return format(this.__str__(), spec);
    if (found === null) throw new TypeError(`unsupported format string passed to ${typeName(this)}.__format__`);
    const kind = found[2] === 'n' ? (this.version === 4 ? 'b' : 'x') : found[2]!;
    const prefix = found[1]!.includes('#') ? 2 : 0;
    const digits = bitsOf(this.version) / (/[bB]/.test(kind) ? 1 : 4);
    const grouped = found[1]!.includes('_') ? digits / 4 - 1 : 0;
    return format(
      this.__int__(),
      `${prefix > 0 ? '#' : ''}0${digits + prefix + grouped}${grouped > 0 ? '_' : ''}${kind.toLowerCase() === 'b' ? 'b' : kind}`,
    );
  }
}

export function packedOf(version: Version, value: bigint): Bytes {
  const size = bitsOf(version) / 8;
  return new Bytes(Uint8Array.from({ length: size }, (_, i) => Number((value >> BigInt(8 * (size - 1 - i))) & 255n)));
}

export class IPv4Address extends IpAddress {
  readonly version = 4;
}

export class IPv6Address extends IpAddress {
  readonly version = 6;
  $scope: string | null = null;

  override get scope_id(): string | null {
    return this.$scope;
  }

  override [$hash](): string {
    return super[$hash]() + (this.$scope ?? '');
  }

  override __str__(): string {
    return super.__str__() + (this.$scope === null ? '' : `%${this.$scope}`);
  }
}

export function makeAddress(version: Version, value: bigint): IpAddress {
  return version === 4 ? new IPv4Address(value) : new IPv6Address(value);
}

function checkedAddress(version: Version, value: bigint): IpAddress {
  if (value < 0n) throw new AddressValueError(`${value} (< 0) is not permitted as an IPv${version} address`);
  if (value > all(version))
    throw new AddressValueError(`${value} (>= 2**${bitsOf(version)}) is not permitted as an IPv${version} address`);
  return makeAddress(version, value);
}

/** Reads an address from a text, a number, packed bytes or another address. @throws AddressValueError */
export function readAddress(version: Version, given: unknown): IpAddress {
  if (given instanceof IpAddress && given.version === version) return makeAddress(version, given.$value);
  const n = asInt(given);
  if (n !== undefined) return checkedAddress(version, BigInt(n));
  if (given instanceof Bytes) {
    const size = bitsOf(version) / 8;
    if (given.length !== size)
      throw new AddressValueError(
        `${reprOf(given)} (len ${given.length} != ${size}) is not permitted as an IPv${version} address`,
      );
    return makeAddress(
      version,
      [...given.data].reduce((sum, byte) => sum * 256n + BigInt(byte), 0n),
    );
  }
  const text = textOf(given) ?? reprOf(given);
  if (text.includes('/')) throw new AddressValueError(`Unexpected '/' in ${reprOf(text)}`);
  if (version === 4) return new IPv4Address(parse4(text));
  const percent = text.indexOf('%');
  const made = new IPv6Address(parse6(percent < 0 ? text : text.slice(0, percent)));
  if (percent >= 0) {
    made.$scope = text.slice(percent + 1);
    if (made.$scope === '' || made.$scope.includes('%'))
      throw new AddressValueError(`Invalid IPv6 address: ${reprOf(text)}`);
  }
  return made;
}

/** Number of leading ones of a mask in any spelling. @throws NetmaskValueError */
export function prefixOf(version: Version, given: unknown): number {
  const wrong = () =>
    new NetmaskValueError(`${reprOf(typeof given === 'number' ? String(given) : given)} is not a valid netmask`);
  const text = String(given);
  if (/^\d+$/.test(text)) {
    if (Number(text) > bitsOf(version))
      throw typeof given === 'number' ? new NetmaskValueError(`${text} is not a valid netmask`) : wrong();
    return Number(text);
  }
  if (version === 6) throw wrong();
  let mask: bigint;
  try {
    mask = parse4(text);
  } catch {
    throw wrong();
  }
  for (const bits of [mask, mask ^ all(4)]) {
    const prefix = bits.toString(2).padStart(32, '0').replace(/0+$/, '');
    if (!prefix.includes('0')) return prefix.length;
  }
  throw wrong();
}
