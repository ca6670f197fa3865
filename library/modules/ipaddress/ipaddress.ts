/** Module `ipaddress`: addresses, networks, and addresses with their network. */

import { functions, type Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import type { GeneratorObject } from '../../values/calls/generators.ts';
import { toArray } from '../../values/containers/iteration.ts';
import { tuple } from '../../values/containers/tuple.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { asInt } from '../../values/numbers/numbers.ts';
import { TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { NotImplemented } from '../../values/objects/singletons.ts';
import {
  bitsOf,
  hostBits,
  IPv4Address,
  IPv6Address,
  IpAddress,
  type IpValue,
  makeAddress,
  packedOf,
  readAddress,
  requireSame,
  shown,
  type Version,
} from './address.ts';
import {
  generator,
  IPv4Network,
  IPv6Network,
  IpNetwork,
  makeNetwork,
  type Parts,
  readNetwork,
  readParts,
} from './network.ts';
import { AddressValueError, NetmaskValueError } from './text.ts';

/** An address with the network it is in. */
class IpInterface extends IpAddress {
  readonly version: Version;
  readonly network: IpNetwork;

  constructor(version: Version, { address, prefix }: Parts) {
    super(address.$value);
    this.version = version;
    this.network = makeNetwork(version, address.$value & ~hostBits(version, prefix), prefix);
  }

  override get $sort(): 'if' {
    return 'if';
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
