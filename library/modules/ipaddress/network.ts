/** Networks of `ipaddress`: an address and how many of its bits are theirs. */

import { GeneratorObject } from '../../values/calls/generators.ts';
import { toArray } from '../../values/containers/iteration.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { demote, type Num } from '../../values/numbers/numbers.ts';
import { IndexError, ValueError } from '../../values/objects/exceptions.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import {
  all,
  bitsOf,
  hostBits,
  IpAddress,
  IpValue,
  makeAddress,
  prefixOf,
  readAddress,
  requireSame,
  shown,
  type Version,
} from './address.ts';
import { AddressValueError } from './text.ts';

export interface Parts {
  readonly address: IpAddress;
  readonly prefix: number;
}

export function readParts(version: Version, given: unknown): Parts {
  if (given instanceof Tuple || Array.isArray(given)) {
    const [address, mask] = toArray(given);
    return { address: readAddress(version, address), prefix: prefixOf(version, mask ?? bitsOf(version)) };
  }
  const text = textOf(given);
  if (text === undefined) {
    if (given instanceof IpValue && given.$sort !== 'ip') return readParts(version, given.__str__());
    return { address: readAddress(version, given), prefix: bitsOf(version) };
  }
  const parts = text.split('/');
  if (parts.length > 2) throw new AddressValueError(`Only one '/' permitted in ${reprOf(text)}`);
  const address = readAddress(version, parts[0]);
  return { address, prefix: parts.length === 1 ? bitsOf(version) : prefixOf(version, parts[1]) };
}

export abstract class IpNetwork extends IpValue {
  readonly $network: bigint;
  readonly prefixlen: number;

  constructor(network: bigint, prefix: number) {
    super();
    this.$network = network;
    this.prefixlen = prefix;
  }

  get $sort(): 'net' {
    return 'net';
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

  /** Lists the addresses without the first and the last one; IPv6 has no broadcast address. */
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

export function generator(items: readonly unknown[]): GeneratorObject {
  return new GeneratorObject(items[Symbol.iterator]() as Generator<unknown>);
}

export class IPv4Network extends IpNetwork {
  readonly version = 4;
}

export class IPv6Network extends IpNetwork {
  readonly version = 6;
}

export function makeNetwork(version: Version, value: bigint, prefix: number): IpNetwork {
  return version === 4 ? new IPv4Network(value, prefix) : new IPv6Network(value, prefix);
}

export function readNetwork(version: Version, given: unknown, strict: unknown): IpNetwork {
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
