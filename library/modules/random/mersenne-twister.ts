/** The generator MT19937 (M. Matsumoto, T. Nishimura, 1998) as CPython seeds and reads it: the same seed gives the same numbers. */
const size = 624;
const shift = 397;

export class MersenneTwister {
  readonly words = new Uint32Array(size);
  /** Words given away since they were last made anew. */
  index = size;

  /** Seeds the generator with the 32-bit words of a number, the lowest first. */
  seed(key: readonly number[]): void {
    const { words } = this;
    words[0] = 19650218;
    for (let i = 1; i < size; i += 1) words[i] = Math.imul(1812433253, mixed(words, i)) + i;
    let i = 1;
    let j = 0;
    for (let left = Math.max(size, key.length); left > 0; left -= 1) {
      words[i] = (words[i]! ^ Math.imul(mixed(words, i), 1664525)) + key[j]! + j;
      i = this.following(i);
      j = (j + 1) % key.length;
    }
    for (let left = size - 1; left > 0; left -= 1) {
      words[i] = (words[i]! ^ Math.imul(mixed(words, i), 1566083941)) - i;
      i = this.following(i);
    }
    words[0] = 0x80000000;
    this.index = size;
  }

  private following(i: number): number {
    if (i + 1 < size) return i + 1;
    this.words[0] = this.words[size - 1]!;
    return 1;
  }

  /** 32 bits. */
  next(): number {
    if (this.index >= size) this.renew();
    let y = this.words[this.index]!;
    this.index += 1;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  /** A float from 0 up to 1, excluded: a multiple of 2^-53. */
  fraction(): number {
    const high = this.next() >>> 5;
    return (high * 67108864 + (this.next() >>> 6)) / 9007199254740992;
  }

  private renew(): void {
    const { words } = this;
    for (let i = 0; i < size; i += 1) {
      const y = (words[i]! & 0x80000000) | (words[(i + 1) % size]! & 0x7fffffff);
      words[i] = words[(i + shift) % size]! ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.index = 0;
  }
}

function mixed(words: Uint32Array, i: number): number {
  const before = words[i - 1]!;
  return before ^ (before >>> 30);
}
