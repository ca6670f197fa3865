/**
 * Public ids of nodes, worked out from their number with a secret of the file. A random id needs an index of its own, and inserting into it
 * costs as much as all the rest of creating a node, because each insert touches another page of it. Here the number is encrypted
 * (64 bits) and authenticated (58 bits) with the small block cipher Speck64/128, in the layout of a random UUID: ids look
 * random, cannot be guessed, stay the same for the life of the node, and lead back to the number without a look-up.
 */
export interface NodeIds {
  uidOf(key: number): string;
  /** The number an id stands for; undefined for ids not made here. */
  keyOf(uid: string): number | undefined;
}

/** `secret`: 64 hex digits. */
export function createNodeIds(secret: string): NodeIds {
  const body = expand(secret.slice(0, 32));
  const check = expand(secret.slice(32, 64));
  return {
    uidOf(key) {
      encrypt(body, Math.floor(key / 2 ** 32), key >>> 0);
      const [high, low] = [left, right];
      encrypt(check, high, low);
      return layOut(high, low, left, right);
    },
    keyOf(uid) {
      if (uid.length !== 32 || uid[12] !== '4') return undefined;
      const high = Number.parseInt(uid.slice(0, 8), 16);
      const low =
        (Number.parseInt(uid.slice(8, 12), 16) * 2 ** 16 + Number.parseInt(uid.slice(13, 16) + uid[31], 16)) >>> 0;
      encrypt(check, high, low);
      if (layOut(high, low, left, right) !== uid) return undefined;
      decrypt(body, high, low);
      return (left >>> 0) * 2 ** 32 + (right >>> 0);
    },
  };
}

/** 64 bits of body and 58 of the check, around the version digit and the two variant bits. */
function layOut(high: number, low: number, one: number, other: number): string {
  const middle = hex(low);
  const variant = ((one >>> 24) & 0x3f) | 0x80;
  return `${hex(high)}${middle.slice(0, 4)}4${middle.slice(4, 7)}${bytes[variant]}${hex(one).slice(2)}${hex(other).slice(0, 7)}${middle[7]}`;
}

const bytes = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));

function hex(word: number): string {
  return bytes[word >>> 24]! + bytes[(word >>> 16) & 0xff]! + bytes[(word >>> 8) & 0xff]! + bytes[word & 0xff]!;
}

// ---------------------------------------------------------------- Speck64/128

const rounds = 27;
// The result of the last operation: two words, without an object for them.
let left = 0;
let right = 0;

function rotateRight(x: number, n: number): number {
  return (x >>> n) | (x << (32 - n));
}

/** Round keys of a 128-bit key given as 32 hex digits. */
function expand(key: string): Int32Array {
  const words = [0, 8, 16, 24].map((at) => Number.parseInt(key.slice(at, at + 8), 16) | 0).reverse();
  const schedule = new Int32Array(rounds);
  const l = words.slice(1);
  let k = words[0]!;
  for (let i = 0; i < rounds; i++) {
    schedule[i] = k;
    const mixed = ((rotateRight(l[i]!, 8) + k) | 0) ^ i;
    l.push(mixed);
    k = rotateRight(k, 29) ^ mixed;
  }
  return schedule;
}

function encrypt(schedule: Int32Array, x: number, y: number): void {
  x |= 0;
  y |= 0;
  for (let i = 0; i < rounds; i++) {
    x = ((rotateRight(x, 8) + y) | 0) ^ schedule[i]!;
    y = rotateRight(y, 29) ^ x;
  }
  left = x;
  right = y;
}

function decrypt(schedule: Int32Array, x: number, y: number): void {
  x |= 0;
  y |= 0;
  for (let i = rounds - 1; i >= 0; i--) {
    y = rotateRight(y ^ x, 3);
    x = rotateRight(((x ^ schedule[i]!) - y) | 0, 24);
  }
  left = x;
  right = y;
}
