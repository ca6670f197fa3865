/** Modules `hashlib`, `hmac`, `secrets`. */

import { blake2b, blake2s } from '@noble/hashes/blake2.js';
import { functions, type Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { inThread } from '../../limits/in-thread.ts';
import { nodeCrypto } from '../../node-parts.ts';
import { fromOutside } from '../../outside.ts';
import { call } from '../../values/calls/calls.ts';
import { len } from '../../values/containers/length.ts';
import { PySet } from '../../values/containers/sets.ts';
import { getitem } from '../../values/containers/subscripts.ts';
import { requireIndex } from '../../values/numbers/index-value.ts';
import { demote } from '../../values/numbers/numbers.ts';
import { IndexError, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { Bytes, bytesOf, requireBytes } from '../../values/text/bytes.ts';
import { SystemRandom } from '../random/random.ts';

/** Bytes to hash; text must be encoded first. */
function hashable(x: unknown): Uint8Array {
  const data = bytesOf(x);
  if (data !== undefined) return data;
  if (typeof x === 'string') throw new TypeError('Strings must be encoded before hashing');
  throw new TypeError(`object supporting the buffer API required`);
}

const blockSizes: Readonly<Record<string, number>> = {
  sha384: 128,
  sha512: 128,
  'sha3-224': 144,
  'sha3-256': 136,
  'sha3-384': 104,
  'sha3-512': 72,
  blake2b512: 128,
};

/** Methods that a digest of Node and one of a package share. */
interface Running {
  update(bytes: Uint8Array): unknown;
  digest(): Buffer;
}

/** A running digest: `hashlib.sha256()`, `hmac.new(…)`. */
export class Digest {
  readonly name: string;
  readonly $algorithm: string;
  $inner: Running;
  readonly $copy: () => Running;
  readonly $parts: Uint8Array[] = [];

  constructor(name: string, algorithm: string, start: () => Running) {
    this.name = name;
    this.$algorithm = algorithm;
    this.$copy = start;
    this.$inner = start();
  }

  get digest_size(): number {
    return this.digest().length;
  }

  get block_size(): number {
    return blockSizes[this.$algorithm] ?? 64;
  }

  update(data: unknown): null {
    const bytes = hashable(data);
    this.$parts.push(bytes);
    this.$inner.update(bytes);
    return null;
  }

  digest(): Bytes {
    return new Bytes(new Uint8Array(this.$result()));
  }

  hexdigest(): string {
    return this.$result().toString('hex');
  }

  copy(): Digest {
    const made = new Digest(this.name, this.$algorithm, this.$copy);
    for (const part of this.$parts) made.update(new Bytes(part));
    return made;
  }

  // Node's digest can be asked once; more may be added afterwards.
  $result(): Buffer {
    const again = this.$copy();
    for (const part of this.$parts) again.update(part);
    return again.digest();
  }
}
nativeClass(Digest, { name: 'HASH', module: '_hashlib', methods: { update: 'data, /' } });

const algorithms: Readonly<Record<string, string>> = {
  md5: 'md5',
  sha1: 'sha1',
  sha224: 'sha224',
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
  sha3_224: 'sha3-224',
  sha3_256: 'sha3-256',
  sha3_384: 'sha3-384',
  sha3_512: 'sha3-512',
  blake2b: 'blake2b512',
  blake2s: 'blake2s256',
};

function algorithmOf(name: string): string {
  const known =
    algorithms[name.toLowerCase().replaceAll('-', '_')] ?? (nodeCrypto().getHashes().includes(name) ? name : undefined);
  if (known === undefined) throw new ValueError(`unsupported hash type ${name}`);
  return known;
}

function digest(name: string, data: unknown): Digest {
  const algorithm = algorithmOf(name);
  const made = new Digest(name.toLowerCase(), algorithm, () => nodeCrypto().createHash(algorithm));
  if (data !== undefined) made.update(data);
  return made;
}

/** Parameters that Node's digests do not take (RFC 7693; salt and person, `extra` bytes each, from the BLAKE2 paper). */
const blakes = {
  blake2b: { hash: blake2b, size: 64, extra: 16 },
  blake2s: { hash: blake2s, size: 32, extra: 8 },
};
const blakeParams = "data=b'', /, *, digest_size=None, key=b'', salt=b'', person=b'', usedforsecurity=True";

/** @throws ValueError for sizes the variant does not have */
function blakeDigest(
  name: 'blake2b' | 'blake2s',
  data: unknown,
  digestSize: unknown,
  key: unknown,
  salt: unknown,
  person: unknown,
): Digest {
  if ([digestSize, key, salt, person].every((option) => option === undefined || option === null))
    return digest(name, data);
  const limits = blakes[name];
  const size = digestSize === undefined || digestSize === null ? limits.size : Number(requireIndex(digestSize));
  if (size < 1 || size > limits.size) throw new ValueError(`digest_size must be between 1 and ${limits.size} bytes`);
  const part = (given: unknown, label: string, most: number): Uint8Array => {
    const bytes = given === undefined ? new Uint8Array() : requireBytes(given);
    if (bytes.length > most) throw new ValueError(`maximum ${label} length is ${most} bytes`);
    return bytes;
  };
  const filled = (bytes: Uint8Array): Uint8Array => {
    const all = new Uint8Array(limits.extra);
    all.set(bytes);
    return all;
  };
  const secret = part(key, 'key', limits.size);
  const options = {
    dkLen: size,
    ...(secret.length === 0 ? {} : { key: secret }),
    salt: filled(part(salt, 'salt', limits.extra)),
    personalization: filled(part(person, 'person', limits.extra)),
  };
  const made = new Digest(name, algorithmOf(name), () => {
    const running = limits.hash.create(options);
    return { update: (bytes) => running.update(bytes), digest: () => Buffer.from(running.digest()) };
  });
  if (data !== undefined) made.update(data);
  return made;
}

export function makeHashlib(): Members {
  const entries: Record<string, readonly [string, (...args: any[]) => unknown]> = {};
  for (const name of Object.keys(algorithms))
    entries[name] = ['string=b"", *, usedforsecurity=True', (data: unknown) => digest(name, data)];
  for (const name of ['blake2b', 'blake2s'] as const)
    entries[name] = [
      blakeParams,
      (data: unknown, size: unknown, key: unknown, salt: unknown, person: unknown) =>
        blakeDigest(name, data, size, key, salt, person),
    ];
  return {
    algorithms_available: new PySet(Object.keys(algorithms)),
    algorithms_guaranteed: new PySet(Object.keys(algorithms)),
    ...functions('hashlib', {
      ...entries,
      new: ['name, data=b"", **kwargs', (name: string, data: unknown) => digest(name, data)],
      pbkdf2_hmac: [
        'hash_name, password, salt, iterations, dklen=None',
        (name: string, password: unknown, salt: unknown, iterations: unknown, size: unknown) => {
          const algorithm = algorithmOf(name);
          const length =
            size === undefined || size === null
              ? nodeCrypto().createHash(algorithm).digest().length
              : Number(requireIndex(size));
          const rounds = Number(requireIndex(iterations));
          const args = [requireBytes(password), requireBytes(salt), rounds, length, algorithm] as const;
          return derived('pbkdf2Sync', args, (rounds * length) / 32, () => nodeCrypto().pbkdf2Sync(...args));
        },
      ],
      scrypt: [
        'password, *, salt, n, r, p, maxmem=0, dklen=64',
        (password: unknown, salt: unknown, n: unknown, r: unknown, p: unknown, maxmem: unknown, size: unknown) => {
          const options = { N: Number(n), r: Number(r), p: Number(p), maxmem: Number(maxmem) || 1 << 27 };
          const length = size === undefined ? 64 : Number(size);
          const args = [requireBytes(password), requireBytes(salt), length, options] as const;
          const rounds = options.N * options.r * options.p;
          return derived('scryptSync', args, rounds, () => nodeCrypto().scryptSync(...args));
        },
      ],
      file_digest: [
        'fileobj, digest, /',
        (file: unknown, kind: unknown) =>
          digest(typeof kind === 'string' ? kind : (call(kind) as Digest).name, callMethod(file, 'read')),
      ],
    }),
  };
}

/** Number of rounds of a key derivation that take about a second. */
const manyRounds = 2_000_000;

/** A key that takes `rounds` to derive. */
function derived(name: string, args: readonly unknown[], rounds: number, derive: () => Buffer): Bytes {
  return new Bytes(new Uint8Array(rounds > manyRounds ? inThread('node:crypto', name, args, derive) : derive()));
}

function hmac(key: unknown, message: unknown, kind: unknown): Digest {
  if (kind === undefined || kind === '') throw new TypeError("Missing required parameter 'digestmod'.");
  if (bytesOf(key) === undefined) throw new TypeError(`key: expected bytes or bytearray, but got '${typeName(key)}'`);
  const name = typeof kind === 'string' ? kind : (call(kind) as Digest).name;
  const algorithm = algorithmOf(name);
  const secret = requireBytes(key);
  const made = new Digest(`hmac-${name.toLowerCase()}`, algorithm, () => nodeCrypto().createHmac(algorithm, secret));
  if (message !== undefined && message !== null) made.update(message);
  return made;
}

/** Comparison in time that does not depend on where the values differ. */
function compareDigest(a: unknown, b: unknown): boolean {
  const [x, y] = [comparable(a), comparable(b)];
  return x.length === y.length && nodeCrypto().timingSafeEqual(x, y);
}

function comparable(x: unknown): Uint8Array {
  if (typeof x === 'string') {
    if (!/^[\x00-\x7f]*$/.test(x)) throw new TypeError('comparing strings with non-ASCII characters is not supported');
    return Buffer.from(x);
  }
  const data = bytesOf(x);
  if (data === undefined)
    throw new TypeError(`unsupported operand types(s) or combination of types: '${typeName(x)}' and '${typeName(x)}'`);
  return data;
}

export function makeHmac(): Members {
  return functions('hmac', {
    new: ['key, msg=None, digestmod=""', hmac],
    digest: ['key, msg, digest', (key: unknown, message: unknown, kind: unknown) => hmac(key, message, kind).digest()],
    compare_digest: ['a, b, /', compareDigest],
  });
}

const tokenBytes = (n: unknown) => systemBytes(n === undefined || n === null ? 32 : Number(requireIndex(n)));

/** Bytes of the system's generator. */
function systemBytes(count: number): Buffer {
  return fromOutside('bytes', () => nodeCrypto().randomBytes(count));
}

function systemBelow(limit: number): number {
  return fromOutside('bytes', () => nodeCrypto().randomInt(limit));
}

function randbelow(limit: unknown): unknown {
  const n = requireIndex(limit);
  if (n <= 0) throw new ValueError('Upper bound must be positive.');
  if (n <= 0xffffffffffff) return systemBelow(Number(n));
  const size = BigInt(n);
  const length = Math.ceil(size.toString(2).length / 8);
  for (;;) {
    const x = BigInt(`0x${systemBytes(length).toString('hex')}`) & ((1n << BigInt(size.toString(2).length)) - 1n);
    if (x < size) return demote(x);
  }
}

export function makeSecrets(): Members {
  return {
    SystemRandom,
    DEFAULT_ENTROPY: 32,
    ...functions('secrets', {
      choice: [
        'seq, /',
        (seq: any) => {
          if (len(seq) === 0) throw new IndexError('Cannot choose from an empty sequence');
          return getitem(seq, systemBelow(len(seq)));
        },
      ],
      compare_digest: ['a, b, /', compareDigest],
      randbelow: ['exclusive_upper_bound, /', randbelow],
      randbits: ['k, /', (k: unknown) => (k === 0 ? 0 : randbelow(demote(1n << BigInt(requireIndex(k)))))],
      token_bytes: ['nbytes=None', (n: unknown) => new Bytes(new Uint8Array(tokenBytes(n)))],
      token_hex: ['nbytes=None', (n: unknown) => tokenBytes(n).toString('hex')],
      token_urlsafe: ['nbytes=None', (n: unknown) => tokenBytes(n).toString('base64url')],
    }),
  };
}
