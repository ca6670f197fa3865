/** Module `ipaddress`: addresses, networks, and addresses with their network. */
import { Bytes } from '../../values/bytes.ts';
import { IndexError, TypeError, ValueError } from '../../values/exceptions.ts';
import { format } from '../../values/format.ts';
import { GeneratorObject } from '../../values/generators.ts';
import { requireSize } from '../../values/index-value.ts';
import { toArray } from '../../values/iteration.ts';
import { asInt, demote, type Num } from '../../values/numbers.ts';
import { $hash } from '../../values/protocol.ts';
import { reprOf } from '../../values/repr.ts';
import { NotImplemented } from '../../values/singletons.ts';
import { textOf } from '../../values/text-arguments.ts';
import { truth } from '../../values/truth.ts';
import { Tuple, tuple } from '../../values/tuple.ts';
import { typeName } from '../../values/type-name.ts';
import { functions, type Members } from '../module.ts';
import { nativeClass } from '../native-class.ts';
import { AddressValueError, NetmaskValueError, parse4, parse6, show4, show6, showLong6 } from './ip-text.ts';

type Version = 4 | 6;

const bitsOf = (version: Version) => (version === 4 ? 32 : 128);
const parsed = (version: Version, text: string) => (version === 4 ? parse4(text) : parse6(text));
const shown = (version: Version, value: bigint) => (version === 4 ? show4(value) : show6(value));
const all = (version: Version) => (1n << BigInt(bitsOf(version))) - 1n;
const hostBits = (version: Version, prefix: number) => all(version) >> BigInt(prefix);

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

/** What addresses and networks share: they lie in blocks, and they have an order within a version. */
abstract class IpValue {
  abstract readonly version: Version;
  abstract get $first(): bigint;
  abstract get $last(): bigint;
  /** What equality and order go by. */
  abstract get $order(): readonly bigint[];
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
    if (!(other instanceof IpValue) || other instanceof IpNetwork !== this instanceof IpNetwork) return undefined;
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
    return `${this instanceof IpNetwork ? 'net' : this instanceof IpInterface ? 'if' : 'ip'}${this.version}:${this.$order.join('/')}`;
  }

  __repr__(): string {
    return `${typeName(this)}('${this.__str__()}')`;
  }
}

function requireSame(a: IpValue, b: IpValue): void {
  if (a.version !== b.version) throw new TypeError(`${a.__str__()} and ${b.__str__()} are not of the same version`);
}

abstract class IpAddress extends IpValue {
  readonly $value: bigint;

  constructor(value: bigint) {
    super();
    this.$value = value;
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

  /** Of IPv6 only. */
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

function packedOf(version: Version, value: bigint): Bytes {
  const size = bitsOf(version) / 8;
  return new Bytes(Uint8Array.from({ length: size }, (_, i) => Number((value >> BigInt(8 * (size - 1 - i))) & 255n)));
}

class IPv4Address extends IpAddress {
  readonly version = 4;
}

class IPv6Address extends IpAddress {
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

function makeAddress(version: Version, value: bigint): IpAddress {
  return version === 4 ? new IPv4Address(value) : new IPv6Address(value);
}

function checkedAddress(version: Version, value: bigint): IpAddress {
  if (value < 0n) throw new AddressValueError(`${value} (< 0) is not permitted as an IPv${version} address`);
  if (value > all(version))
    throw new AddressValueError(`${value} (>= 2**${bitsOf(version)}) is not permitted as an IPv${version} address`);
  return makeAddress(version, value);
}

/** From a text, a number, packed bytes or another address. @throws AddressValueError */
function readAddress(version: Version, given: unknown): IpAddress {
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
function prefixOf(version: Version, given: unknown): number {
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

interface Parts {
  readonly address: IpAddress;
  readonly prefix: number;
}

function readParts(version: Version, given: unknown): Parts {
  if (given instanceof Tuple || Array.isArray(given)) {
    const [address, mask] = toArray(given);
    return { address: readAddress(version, address), prefix: prefixOf(version, mask ?? bitsOf(version)) };
  }
  const text = textOf(given);
  if (text === undefined) {
    if (given instanceof IpNetwork || given instanceof IpInterface) return readParts(version, given.__str__());
    return { address: readAddress(version, given), prefix: bitsOf(version) };
  }
  const parts = text.split('/');
  if (parts.length > 2) throw new AddressValueError(`Only one '/' permitted in ${reprOf(text)}`);
  const address = readAddress(version, parts[0]);
  return { address, prefix: parts.length === 1 ? bitsOf(version) : prefixOf(version, parts[1]) };
}

abstract class IpNetwork extends IpValue {
  readonly $network: bigint;
  readonly prefixlen: number;

  constructor(network: bigint, prefix: number) {
    super();
    this.$network = network;
    this.prefixlen = prefix;
  }

  get $first(): bigint {
    return this.$network;
  }

  get $last(): bigint {
    return this.$network | hostBits(this.version, this.prefixlen);
  }

  get $order(): readonly bigint[] {
    return [this.$network, all(this.version) ^ hostBits(this.version, this.prefixlen)];
  }

  get network_address(): IpAddress {
    return makeAddress(this.version, this.$first);
  }

  get broadcast_address(): IpAddress {
    return makeAddress(this.version, this.$last);
  }

  get hostmask(): IpAddress {
    return makeAddress(this.version, hostBits(this.version, this.prefixlen));
  }

  get netmask(): IpAddress {
    return makeAddress(this.version, this.$order[1]!);
  }

  get num_addresses(): Num {
    return demote(this.$last - this.$first + 1n);
  }

  get with_prefixlen(): string {
    return this.__str__();
  }

  get with_netmask(): string {
    return `${this.network_address.__str__()}/${this.netmask.__str__()}`;
  }

  get with_hostmask(): string {
    return `${this.network_address.__str__()}/${this.hostmask.__str__()}`;
  }

  get exploded(): string {
    return `${this.network_address.exploded}/${this.prefixlen}`;
  }

  $addresses(from: bigint, to: bigint): GeneratorObject {
    const { version } = this;
    return new GeneratorObject(
      (function* () {
        for (let value = from; value <= to; value += 1n) yield makeAddress(version, value);
      })() as Generator<unknown>,
    );
  }

  /** Without the first and the last address; IPv6 has no broadcast address. */
  hosts(): unknown {
    if (this.max_prefixlen - this.prefixlen <= 1) return toArray(this.$addresses(this.$first, this.$last));
    return this.$addresses(this.$first + 1n, this.version === 4 ? this.$last - 1n : this.$last);
  }

  __iter__(): unknown {
    return this.$addresses(this.$first, this.$last);
  }

  __getitem__(i: unknown): IpAddress {
    const n = BigInt(requireSize(i));
    const value = n < 0n ? this.$last + 1n + n : this.$first + n;
    if (value < this.$first || value > this.$last) throw new IndexError('address out of range');
    return makeAddress(this.version, value);
  }

  __contains__(other: unknown): boolean {
    if (!(other instanceof IpAddress) || other.version !== this.version) return false;
    return this.$first <= other.$value && other.$value <= this.$last;
  }

  overlaps(other: IpNetwork): boolean {
    return this.$first <= other.$last && other.$first <= this.$last;
  }

  subnet_of(other: IpNetwork): boolean {
    requireSame(this, other);
    return other.$first <= this.$first && this.$last <= other.$last;
  }

  supernet_of(other: IpNetwork): boolean {
    requireSame(this, other);
    return this.$first <= other.$first && other.$last <= this.$last;
  }

  compare_networks(other: IpNetwork): number {
    return this.$compare(other)!;
  }

  subnets(by?: unknown, to?: unknown): unknown {
    if (this.prefixlen === this.max_prefixlen) return toArray([this]);
    let prefix = this.prefixlen + requireSize(by ?? 1);
    if (to !== undefined && to !== null) {
      prefix = requireSize(to);
      if (prefix < this.prefixlen) throw new ValueError('new prefix must be longer');
      if (by !== undefined && by !== 1) throw new ValueError('cannot set prefixlen_diff and new_prefix');
    }
    if (prefix < this.prefixlen) throw new ValueError('prefix length diff must be > 0');
    if (prefix > this.max_prefixlen)
      throw new ValueError(`prefix length diff ${prefix} is invalid for netblock ${this.__str__()}`);
    const { version, $first, $last } = this;
    const step = hostBits(version, prefix) + 1n;
    return new GeneratorObject(
      (function* () {
        for (let value = $first; value <= $last; value += step) yield makeNetwork(version, value, prefix);
      })() as Generator<unknown>,
    );
  }

  supernet(by?: unknown, to?: unknown): IpNetwork {
    if (this.prefixlen === 0) return this;
    let prefix = this.prefixlen - requireSize(by ?? 1);
    if (to !== undefined && to !== null) {
      prefix = requireSize(to);
      if (prefix > this.prefixlen) throw new ValueError('new prefix must be shorter');
      if (by !== undefined && by !== 1) throw new ValueError('cannot set prefixlen_diff and new_prefix');
    }
    if (prefix < 0)
      throw new ValueError(
        `current prefixlen is ${this.prefixlen}, cannot have a prefixlen_diff of ${this.prefixlen - prefix}`,
      );
    return makeNetwork(this.version, this.$network & ~hostBits(this.version, prefix), prefix);
  }

  address_exclude(other: IpNetwork): GeneratorObject {
    requireSame(this, other);
    if (!other.subnet_of(this)) throw new ValueError(`${other.__str__()} not contained in ${this.__str__()}`);
    const left: IpNetwork[] = [];
    for (let whole: IpNetwork = this; whole.prefixlen < other.prefixlen; ) {
      const halves = toArray(whole.subnets()) as [IpNetwork, IpNetwork];
      const holder = other.subnet_of(halves[0]) ? 0 : 1;
      left.push(halves[1 - holder]!);
      whole = halves[holder]!;
    }
    return generator(left);
  }

  __str__(): string {
    return `${shown(this.version, this.$network)}/${this.prefixlen}`;
  }
}

function generator(items: readonly unknown[]): GeneratorObject {
  return new GeneratorObject(items[Symbol.iterator]() as Generator<unknown>);
}

class IPv4Network extends IpNetwork {
  readonly version = 4;
}

class IPv6Network extends IpNetwork {
  readonly version = 6;
}

function makeNetwork(version: Version, value: bigint, prefix: number): IpNetwork {
  return version === 4 ? new IPv4Network(value, prefix) : new IPv6Network(value, prefix);
}

function readNetwork(version: Version, given: unknown, strict: unknown): IpNetwork {
  const { address, prefix } = readParts(version, given);
  const host = address.$value & hostBits(version, prefix);
  if (host !== 0n && (strict === undefined || truth(strict))) {
    const text =
      textOf(given) ??
      (Array.isArray(given) || given instanceof Tuple ? reprOf(given) : `${address.__str__()}/${prefix}`);
    throw new ValueError(`${text} has host bits set`);
  }
  return makeNetwork(version, address.$value - host, prefix);
}

/** An address with the network it is in. */
class IpInterface extends IpAddress {
  readonly version: Version;
  readonly network: IpNetwork;

  constructor(version: Version, { address, prefix }: Parts) {
    super(address.$value);
    this.version = version;
    this.network = makeNetwork(version, address.$value & ~hostBits(version, prefix), prefix);
  }

  override get $order(): readonly bigint[] {
    return [...this.network.$order, this.$value];
  }

  get ip(): IpAddress {
    return makeAddress(this.version, this.$value);
  }

  get netmask(): IpAddress {
    return this.network.netmask;
  }

  get hostmask(): IpAddress {
    return this.network.hostmask;
  }

  get with_prefixlen(): string {
    return this.__str__();
  }

  get with_netmask(): string {
    return `${this.ip.__str__()}/${this.netmask.__str__()}`;
  }

  get with_hostmask(): string {
    return `${this.ip.__str__()}/${this.hostmask.__str__()}`;
  }

  override __str__(): string {
    return `${shown(this.version, this.$value)}/${this.network.prefixlen}`;
  }
}

class IPv4Interface extends IpInterface {}
class IPv6Interface extends IpInterface {}

function readInterface(version: Version, given: unknown): IpInterface {
  const parts = readParts(version, given);
  return version === 4 ? new IPv4Interface(4, parts) : new IPv6Interface(6, parts);
}

const networkMethods = {
  address_exclude: 'other',
  compare_networks: 'other',
  hosts: '',
  overlaps: 'other',
  subnet_of: 'other',
  subnets: 'prefixlen_diff=1, new_prefix=None',
  supernet: 'prefixlen_diff=1, new_prefix=None',
  supernet_of: 'other',
};
const module = 'ipaddress';
nativeClass(IPv4Address, { name: 'IPv4Address', module, params: 'address', make: (_cls, x) => readAddress(4, x) });
nativeClass(IPv6Address, { name: 'IPv6Address', module, params: 'address', make: (_cls, x) => readAddress(6, x) });
nativeClass(IPv4Network, {
  name: 'IPv4Network',
  module,
  params: 'address, strict=True',
  make: (_cls, x, strict) => readNetwork(4, x, strict),
  methods: networkMethods,
});
nativeClass(IPv6Network, {
  name: 'IPv6Network',
  module,
  params: 'address, strict=True',
  make: (_cls, x, strict) => readNetwork(6, x, strict),
  methods: networkMethods,
});
nativeClass(IPv4Interface, {
  name: 'IPv4Interface',
  module,
  params: 'address',
  make: (_cls, x) => readInterface(4, x),
});
nativeClass(IPv6Interface, {
  name: 'IPv6Interface',
  module,
  params: 'address',
  make: (_cls, x) => readInterface(6, x),
});

function ofEither<T>(given: unknown, what: string, read: (version: Version) => T): T {
  for (const version of [4, 6] as const) {
    try {
      return read(version);
    } catch (e) {
      if (!(e instanceof AddressValueError || e instanceof NetmaskValueError)) throw e;
    }
  }
  throw new ValueError(`${reprOf(given)} does not appear to be an IPv4 or IPv6 ${what}`);
}

/** Networks that hold just the addresses from one to another. */
function* between(version: Version, first: bigint, last: bigint): Generator<IpNetwork> {
  while (first <= last) {
    let prefix = bitsOf(version);
    while (prefix > 0) {
      const bits = hostBits(version, prefix - 1);
      if ((first & bits) !== 0n || first + bits > last) break;
      prefix -= 1;
    }
    yield makeNetwork(version, first, prefix);
    first += hostBits(version, prefix) + 1n;
  }
}

function summarize(first: unknown, last: unknown): GeneratorObject {
  if (!(first instanceof IpAddress && last instanceof IpAddress))
    throw new TypeError('first and last must be IP addresses, not networks');
  requireSame(first, last);
  if (first.$value > last.$value) throw new ValueError('last IP address must be greater than first');
  return generator([...between(first.version, first.$value, last.$value)]);
}

function collapse(given: unknown): GeneratorObject {
  const items = toArray(given) as IpValue[];
  const version = items[0]?.version ?? 4;
  for (const item of items) requireSame(items[0]!, item);
  const sorted = items.sort((a, b) => (a.$first < b.$first ? -1 : a.$first > b.$first ? 1 : 0));
  const joined: { first: bigint; last: bigint }[] = [];
  for (const { $first: first, $last: last } of sorted) {
    const before = joined.at(-1);
    if (before === undefined || first > before.last + 1n) joined.push({ first, last });
    else if (last > before.last) before.last = last;
  }
  return generator(joined.flatMap(({ first, last }) => [...between(version, first, last)]));
}

export function makeIpaddress(): Members {
  return {
    AddressValueError,
    IPV4LENGTH: 32,
    IPV6LENGTH: 128,
    IPv4Address,
    IPv4Interface,
    IPv4Network,
    IPv6Address,
    IPv6Interface,
    IPv6Network,
    NetmaskValueError,
    ...functions('ipaddress', {
      collapse_addresses: ['addresses', collapse],
      get_mixed_type_key: [
        'obj',
        (x: unknown) =>
          x instanceof IpNetwork
            ? tuple(x.version, x.network_address, x.netmask)
            : x instanceof IpAddress
              ? tuple(x.version, x)
              : NotImplemented,
      ],
      ip_address: ['address', (x: unknown) => ofEither(x, 'address', (version) => readAddress(version, x))],
      ip_interface: ['address', (x: unknown) => ofEither(x, 'interface', (version) => readInterface(version, x))],
      ip_network: [
        'address, strict=True',
        (x: unknown, strict: unknown) => ofEither(x, 'network', (version) => readNetwork(version, x, strict)),
      ],
      summarize_address_range: ['first, last', summarize],
      v4_int_to_packed: ['address', (x: unknown) => packedOf(4, BigInt(requireSize(x)))],
      v6_int_to_packed: ['address', (x: unknown) => packedOf(6, BigInt(asInt(x) ?? 0))],
    }),
  };
}
