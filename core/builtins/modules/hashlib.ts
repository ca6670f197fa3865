/** Modules `hashlib`, `hmac`, `secrets`, `base64`. */

import { nodeCrypto } from '../../node-parts.ts';
import { AnyBytes, Bytes, bytesOf, fromLatin1, requireBytes } from '../../values/bytes.ts';
import { call } from '../../values/calls.ts';
import { IndexError, nameException, TypeError, ValueError } from '../../values/exceptions.ts';
import { requireIndex } from '../../values/index-value.ts';
import { len } from '../../values/length.ts';
import { callMethod } from '../../values/methods.ts';
import { demote } from '../../values/numbers.ts';
import { PySet } from '../../values/sets.ts';
import { getitem } from '../../values/subscripts.ts';
import { textOf } from '../../values/text-arguments.ts';
import { typeName } from '../../values/type-name.ts';
import { functions, type Members } from '../module.ts';
import { nativeClass } from '../native-class.ts';
import { blake2 } from './blake2.ts';
import { SystemRandom } from './random.ts';

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

/** What a digest of Node can do, and one of our own. */
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

const blakeLimits = {
  blake2b: { size: 64, extra: 16 },
  blake2s: { size: 32, extra: 8 },
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
  const limits = blakeLimits[name];
  const size = digestSize === undefined || digestSize === null ? limits.size : Number(requireIndex(digestSize));
  if (size < 1 || size > limits.size) throw new ValueError(`digest_size must be between 1 and ${limits.size} bytes`);
  const part = (given: unknown, label: string, most: number): Uint8Array => {
    const bytes = given === undefined ? new Uint8Array() : requireBytes(given);
    if (bytes.length > most) throw new ValueError(`maximum ${label} length is ${most} bytes`);
    return bytes;
  };
  const options = {
    digestSize: size,
    key: part(key, 'key', limits.size),
    salt: part(salt, 'salt', limits.extra),
    person: part(person, 'person', limits.extra),
  };
  const made = new Digest(name, algorithmOf(name), () => {
    const parts: Uint8Array[] = [];
    return {
      update: (bytes) => parts.push(bytes),
      digest: () => Buffer.from(blake2(name, Buffer.concat(parts), options)),
    };
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
          return new Bytes(
            new Uint8Array(
              nodeCrypto().pbkdf2Sync(
                requireBytes(password),
                requireBytes(salt),
                Number(requireIndex(iterations)),
                length,
                algorithm,
              ),
            ),
          );
        },
      ],
      scrypt: [
        'password, *, salt, n, r, p, maxmem=0, dklen=64',
        (password: unknown, salt: unknown, n: unknown, r: unknown, p: unknown, maxmem: unknown, size: unknown) =>
          new Bytes(
            new Uint8Array(
              nodeCrypto().scryptSync(
                requireBytes(password),
                requireBytes(salt),
                size === undefined ? 64 : Number(size),
                {
                  N: Number(n),
                  r: Number(r),
                  p: Number(p),
                  maxmem: Number(maxmem) || 1 << 27,
                },
              ),
            ),
          ),
      ],
      file_digest: [
        'fileobj, digest, /',
        (file: unknown, kind: unknown) =>
          digest(typeof kind === 'string' ? kind : (call(kind) as Digest).name, callMethod(file, 'read')),
      ],
    }),
  };
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

const tokenBytes = (n: unknown) =>
  nodeCrypto().randomBytes(n === undefined || n === null ? 32 : Number(requireIndex(n)));

function randbelow(limit: unknown): unknown {
  const n = requireIndex(limit);
  if (n <= 0) throw new ValueError('Upper bound must be positive.');
  if (n <= 0xffffffffffff) return nodeCrypto().randomInt(Number(n));
  const size = BigInt(n);
  const length = Math.ceil(size.toString(2).length / 8);
  for (;;) {
    const x =
      BigInt(`0x${nodeCrypto().randomBytes(length).toString('hex')}`) & ((1n << BigInt(size.toString(2).length)) - 1n);
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
          return getitem(seq, nodeCrypto().randomInt(len(seq)));
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

// ---------------------------------------------------------------- base64

export class BinasciiError extends ValueError {}
nameException(BinasciiError, 'Error', 'binascii');

/** Bytes, or ASCII text. */
function source(x: unknown): string {
  const text = textOf(x);
  if (text !== undefined) {
    if (!/^[\x00-\x7f]*$/.test(text)) throw new ValueError('string argument should contain only ASCII characters');
    return text;
  }
  if (x instanceof AnyBytes) return x.latin1;
  throw new TypeError(`argument should be a bytes-like object or ASCII string, not '${typeName(x)}'`);
}

const ascii = (text: string) => new Bytes(fromLatin1(text));

function encode64(data: unknown, altchars: unknown): Bytes {
  let text = Buffer.from(requireBytes(data)).toString('base64');
  if (altchars !== undefined && altchars !== null) {
    const [plus, slash] = source(altchars);
    text = text.replaceAll('+', plus!).replaceAll('/', slash!);
  }
  return ascii(text);
}

export function decode64(data: unknown, altchars: unknown, validate: unknown): Bytes {
  let text = source(data);
  if (altchars !== undefined && altchars !== null) {
    const [plus, slash] = source(altchars);
    text = text.replaceAll(plus!, '+').replaceAll(slash!, '/');
  }
  if (validate === true && !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new BinasciiError('Only base64 data is allowed');
  const bare = text.replace(/[^A-Za-z0-9+/=]/g, '');
  const digits = bare.replace(/=.*$/, '');
  if (digits.length % 4 === 1) {
    throw new BinasciiError(
      `Invalid base64-encoded string: number of data characters (${digits.length}) cannot be 1 more than a multiple of 4`,
    );
  }
  if (
    (digits.length + (bare.length - digits.length)) % 4 !== 0 &&
    bare.length - digits.length < (4 - (digits.length % 4)) % 4
  )
    throw new BinasciiError('Incorrect padding');
  return new Bytes(new Uint8Array(Buffer.from(digits, 'base64')));
}

const alphabet32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const alphabet32Hex = '0123456789ABCDEFGHIJKLMNOPQRSTUV';

function encode32(data: unknown, alphabet: string): Bytes {
  let [bits, value, out] = [0, 0, ''];
  for (const byte of requireBytes(data)) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      out += alphabet[(value >>> (bits - 5)) & 31];
      bits -= 5;
    }
    value &= (1 << bits) - 1;
  }
  if (bits > 0) out += alphabet[(value << (5 - bits)) & 31];
  return ascii(out.padEnd(Math.ceil(out.length / 8) * 8, '='));
}

function decode32(data: unknown, casefold: unknown, alphabet: string, one?: unknown): Bytes {
  let text = source(data);
  if (one !== undefined && one !== null) text = text.replaceAll('0', 'O').replaceAll('1', source(one));
  if (casefold === true) text = text.toUpperCase();
  if (text.length % 8 !== 0) throw new BinasciiError('Incorrect padding');
  const bytes: number[] = [];
  let [bits, value] = [0, 0];
  const digits = text.replace(/=+$/, '');
  if (![0, 1, 3, 4, 6].includes(text.length - digits.length)) throw new BinasciiError('Incorrect padding');
  for (const char of digits) {
    const digit = alphabet.indexOf(char);
    if (digit < 0) throw new BinasciiError('Non-base32 digit found');
    value = (value << 5) | digit;
    bits += 5;
    if (bits >= 8) {
      bytes.push((value >>> (bits - 8)) & 255);
      bits -= 8;
      value &= (1 << bits) - 1;
    }
  }
  return new Bytes(Uint8Array.from(bytes));
}

function decode16(data: unknown, casefold: unknown): Bytes {
  const text = casefold === true ? source(data).toUpperCase() : source(data);
  if (!/^(?:[0-9A-F]{2})*$/.test(text)) throw new BinasciiError('Non-base16 digit found');
  return new Bytes(new Uint8Array(Buffer.from(text, 'hex')));
}

const alphabet85 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const ascii85 = Array.from({ length: 85 }, (_, i) => String.fromCharCode(33 + i)).join('');

// Groups of four bytes as five digits; a short last group is padded with zeros and loses as many digits.
function digits85(given: Uint8Array, alphabet: string, zero: string | undefined, pads: unknown): string {
  const data = pads === true ? padded(given) : given;
  let out = '';
  for (let at = 0; at < data.length; at += 4) {
    const size = Math.min(4, data.length - at);
    let value = 0;
    for (let i = 0; i < 4; i += 1) value = value * 256 + (data[at + i] ?? 0);
    if (value === 0 && size === 4 && zero !== undefined) {
      out += zero;
      continue;
    }
    let group = '';
    for (let i = 0; i < 5; i += 1) {
      group = alphabet[value % 85]! + group;
      value = Math.floor(value / 85);
    }
    out += group.slice(0, size + 1);
  }
  return out;
}

function bytes85(text: string, alphabet: string, name: string): Bytes {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 5) {
    const group = text.slice(at, at + 5);
    let value = 0;
    for (let i = 0; i < 5; i += 1) {
      const digit = i < group.length ? alphabet.indexOf(group[i]!) : 84;
      if (digit < 0) throw new ValueError(`bad ${name} character at position ${at + i}`);
      value = value * 85 + digit;
    }
    if (value > 0xffffffff) throw new ValueError(`${name} overflow in hunk starting at byte ${at}`);
    for (let i = 0; i < group.length - 1; i += 1) bytes.push(Math.floor(value / 256 ** (3 - i)) % 256);
  }
  return new Bytes(Uint8Array.from(bytes));
}

function padded(data: Uint8Array): Uint8Array {
  const all = new Uint8Array(Math.ceil(data.length / 4) * 4);
  all.set(data);
  return all;
}

const encode85 = (data: unknown, pads: unknown) => ascii(digits85(requireBytes(data), alphabet85, undefined, pads));
const decode85 = (data: unknown) => bytes85(source(data), alphabet85, 'base85');

function encodeAscii85(data: unknown, _fold: unknown, wrap: unknown, pads: unknown, adobe: unknown): Bytes {
  let text = digits85(requireBytes(data), ascii85, 'z', pads);
  if (adobe === true) text = `<~${text}~>`;
  const width = wrap === undefined || wrap === null ? 0 : Number(wrap);
  return ascii(width > 0 ? (text.match(new RegExp(`[^]{1,${width}}`, 'g')) ?? []).join('\n') : text);
}

function decodeAscii85(data: unknown, _fold: unknown, adobe: unknown): Bytes {
  const given = source(data);
  if (adobe === true && !given.endsWith('~>'))
    throw new ValueError("Ascii85 encoded byte sequences must end with b'~>'");
  const text = adobe === true ? given.replace(/^<~|~>$/g, '') : given;
  const wrong = /[^!-uz\s]/.exec(text);
  if (wrong !== null) throw new ValueError(`Non-Ascii85 digit found: ${wrong[0]}`);
  return bytes85(text.replace(/\s/g, '').replaceAll('z', '!!!!!'), ascii85, 'Ascii85');
}

export function makeBase64(): Members {
  return functions('base64', {
    b64encode: ['s, altchars=None', encode64],
    b64decode: ['s, altchars=None, validate=False', decode64],
    standard_b64encode: ['s', (s: unknown) => encode64(s, undefined)],
    standard_b64decode: ['s', (s: unknown) => decode64(s, undefined, false)],
    urlsafe_b64encode: ['s', (s: unknown) => encode64(s, ascii('-_'))],
    urlsafe_b64decode: ['s', (s: unknown) => decode64(s, ascii('-_'), false)],
    b32encode: ['s', (s: unknown) => encode32(s, alphabet32)],
    b32decode: [
      's, casefold=False, map01=None',
      (s: unknown, casefold: unknown, one: unknown) => decode32(s, casefold, alphabet32, one),
    ],
    b32hexencode: ['s', (s: unknown) => encode32(s, alphabet32Hex)],
    b32hexdecode: ['s, casefold=False', (s: unknown, casefold: unknown) => decode32(s, casefold, alphabet32Hex)],
    b16encode: ['s', (s: unknown) => ascii(Buffer.from(requireBytes(s)).toString('hex').toUpperCase())],
    b16decode: ['s, casefold=False', decode16],
    b85encode: ['b, pad=False', encode85],
    b85decode: ['b', decode85],
    a85encode: ['b, *, foldspaces=False, wrapcol=0, pad=False, adobe=False', encodeAscii85],
    a85decode: ['b, *, foldspaces=False, adobe=False', decodeAscii85],
    encodebytes: [
      's',
      (s: unknown) =>
        ascii(
          (
            Buffer.from(requireBytes(s))
              .toString('base64')
              .match(/.{1,76}/g) ?? []
          )
            .map((line) => `${line}\n`)
            .join(''),
        ),
    ],
    decodebytes: ['s', (s: unknown) => decode64(s, undefined, false)],
  });
}
