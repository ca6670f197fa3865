import { parseAddress } from '../base/parse-address.ts';
import type { Call } from './call.ts';

/** Finds out who the client is when proxies stand in front (docs/server/endpoints.md#proxies). */
export interface ClientAddresses {
  /** The client's address: the right-most entry that no trusted proxy owns. */
  address(call: Call): string;
  /** Scheme and authority the client used, e.g. `https://api.example.com`. */
  origin(call: Call): string;
}

/** `trustedProxies` are addresses or CIDR blocks; `X-Forwarded-*` and `Forwarded` count only when the peer is one of them. */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const blocks = trustedProxies.map(parseBlock).filter((block) => block !== undefined);
  const trusted = (address: string) => {
    const bytes = parseAddress(address);
    return bytes !== undefined && blocks.some((block) => contains(block, bytes));
  };
  if (blocks.length === 0) {
    return { address: (call) => plain(call.peer), origin: (call) => `http://${call.header('host') ?? 'localhost'}` };
  }
  return {
    address(call) {
      let client = plain(call.peer);
      if (!trusted(client)) return client;
      for (const entry of forwardedFor(call).reverse()) {
        const address = withoutPort(entry);
        if (parseAddress(address) === undefined) return client;
        client = plain(address);
        if (!trusted(client)) return client;
      }
      return client;
    },
    origin(call) {
      const believed = trusted(plain(call.peer));
      const scheme = believed
        ? (lastOf(call.header('x-forwarded-proto')) ?? forwarded(call, 'proto').at(-1))
        : undefined;
      const host = believed ? (lastOf(call.header('x-forwarded-host')) ?? forwarded(call, 'host').at(-1)) : undefined;
      return `${scheme === 'https' ? 'https' : 'http'}://${host ?? call.header('host') ?? 'localhost'}`;
    },
  };
}

/** Gives the name under which rate limits count a client: the address itself, or its /64 network for IPv6. */
export function limitKey(address: string): string {
  if (!address.includes(':')) return address;
  const bytes = parseAddress(address);
  return bytes === undefined ? address : `${Buffer.from(bytes.subarray(0, 8)).toString('hex')}/64`;
}

interface Block {
  readonly bytes: Uint8Array;
  readonly bits: number;
}

function parseBlock(text: string): Block | undefined {
  const [address, length] = text.trim().split('/');
  const bytes = parseAddress(address ?? '');
  if (bytes === undefined) return undefined;
  const offset = address!.includes(':') ? 0 : 96;
  const bits = length === undefined ? 128 : offset + Number(length);
  return Number.isInteger(bits) && bits >= 0 && bits <= 128 ? { bytes, bits } : undefined;
}

function contains(block: Block, address: Uint8Array): boolean {
  const whole = block.bits >> 3;
  for (let i = 0; i < whole; i++) if (block.bytes[i] !== address[i]) return false;
  const mask = 0xff00 >> (block.bits & 7);
  return whole === 16 || ((block.bytes[whole]! ^ address[whole]!) & mask & 0xff) === 0;
}

/** Mapped IPv4 addresses in their plain form. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function forwardedFor(call: Call): string[] {
  const header = call.header('x-forwarded-for');
  return header === undefined ? forwarded(call, 'for') : header.split(',').map((entry) => entry.trim());
}

/** Values of one parameter of the `Forwarded` header (RFC 7239), in order. */
function forwarded(call: Call, name: string): string[] {
  const header = call.header('forwarded') ?? '';
  const found = header.matchAll(/(?:^|[;,])\s*([a-z]+)=("[^"]*"|[^;,\s]*)/gi);
  return [...found].filter((match) => match[1]!.toLowerCase() === name).map((match) => match[2]!.replaceAll('"', ''));
}

function withoutPort(entry: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(entry);
  if (bracketed !== null) return bracketed[1]!;
  return /^[\d.]+:\d+$/.test(entry) ? entry.slice(0, entry.indexOf(':')) : entry;
}

function lastOf(header: string | undefined): string | undefined {
  return header?.split(',').at(-1)?.trim();
}
