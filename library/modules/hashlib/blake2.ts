/** BLAKE2b and BLAKE2s with their parameters (RFC 7693; salt and person from the BLAKE2 paper), which Node's digests do not take. */

export interface Blake2Options {
  /** Bytes of the result. */
  readonly digestSize: number;
  readonly key: Uint8Array;
  readonly salt: Uint8Array;
  readonly person: Uint8Array;
}

/** Constants in which the two variants differ. */
interface Variant {
  readonly wordBits: bigint;
  readonly rounds: number;
  /** Distances of the four rotations of the mixing function. */
  readonly rotations: readonly [bigint, bigint, bigint, bigint];
  readonly start: readonly bigint[];
}

const big: Variant = {
  wordBits: 64n,
  rounds: 12,
  rotations: [32n, 24n, 16n, 63n],
  start: [
    0x6a09e667f3bcc908n,
    0xbb67ae8584caa73bn,
    0x3c6ef372fe94f82bn,
    0xa54ff53a5f1d36f1n,
    0x510e527fade682d1n,
    0x9b05688c2b3e6c1fn,
    0x1f83d9abfb41bd6bn,
    0x5be0cd19137e2179n,
  ],
};
const small: Variant = {
  wordBits: 32n,
  rounds: 10,
  rotations: [16n, 12n, 8n, 7n],
  start: big.start.map((word) => word >> 32n),
};

const orders = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
// Columns, then diagonals.
const quarters = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];

/** The digest of `data`. Sizes of the options are within the limits of the variant. */
export function blake2(name: 'blake2b' | 'blake2s', data: Uint8Array, options: Blake2Options): Uint8Array {
  const variant = name === 'blake2b' ? big : small;
  const wordBytes = Number(variant.wordBits / 8n);
  const blockBytes = 16 * wordBytes;
  const state = wordsOf(parameterBlock(options, wordBytes), wordBytes).map((word, i) => word ^ variant.start[i]!);
  const keyBytes = options.key.length === 0 ? 0 : blockBytes;
  const input = new Uint8Array(keyBytes + data.length);
  input.set(options.key);
  input.set(data, keyBytes);
  const blocks = Math.max(1, Math.ceil(input.length / blockBytes));
  for (let i = 0; i < blocks; i++) {
    const block = new Uint8Array(blockBytes);
    block.set(input.subarray(i * blockBytes, (i + 1) * blockBytes));
    const isLast = i === blocks - 1;
    const counted = BigInt(isLast ? input.length : (i + 1) * blockBytes);
    compress(variant, state, wordsOf(block, wordBytes), counted, isLast);
  }
  const out = new Uint8Array(8 * wordBytes);
  state.forEach((word, i) => {
    for (let at = 0; at < wordBytes; at++) out[i * wordBytes + at] = Number((word >> BigInt(8 * at)) & 0xffn);
  });
  return out.subarray(0, options.digestSize);
}

function parameterBlock({ digestSize, key, salt, person }: Blake2Options, wordBytes: number): Uint8Array {
  const block = new Uint8Array(8 * wordBytes);
  block.set([digestSize, key.length, 1, 1]);
  block.set(salt, 4 * wordBytes);
  block.set(person, 6 * wordBytes);
  return block;
}

function wordsOf(bytes: Uint8Array, wordBytes: number): bigint[] {
  return Array.from({ length: bytes.length / wordBytes }, (_, i) => {
    let word = 0n;
    for (let at = wordBytes - 1; at >= 0; at--) word = (word << 8n) | BigInt(bytes[i * wordBytes + at]!);
    return word;
  });
}

function compress(variant: Variant, state: bigint[], block: readonly bigint[], counted: bigint, isLast: boolean): void {
  const { wordBits: bits, rotations } = variant;
  const mask = (1n << bits) - 1n;
  const v = [...state, ...variant.start];
  v[12]! ^= counted & mask;
  v[13]! ^= counted >> bits;
  if (isLast) v[14]! ^= mask;
  const turn = (word: bigint, by: bigint) => (word >> by) | ((word << (bits - by)) & mask);
  for (let round = 0; round < variant.rounds; round++) {
    const order = orders[round % 10]!;
    quarters.forEach(([a, b, c, d], i) => {
      for (const half of [0, 1]) {
        v[a!] = (v[a!]! + v[b!]! + block[order[2 * i + half]!]!) & mask;
        v[d!] = turn(v[d!]! ^ v[a!]!, rotations[2 * half]!);
        v[c!] = (v[c!]! + v[d!]!) & mask;
        v[b!] = turn(v[b!]! ^ v[c!]!, rotations[2 * half + 1]!);
      }
    });
  }
  for (let i = 0; i < 8; i++) state[i]! ^= v[i]! ^ v[i + 8]!;
}
