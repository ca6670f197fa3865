/** Module `random`. Sequences for a seed are stable here but are not CPython's. */

import { nodeCrypto } from '../../node-parts.ts';
import { Bytes, bytesOf } from '../../values/bytes.ts';
import { Dict } from '../../values/dict.ts';
import { IndexError, TypeError, ValueError } from '../../values/exceptions.ts';
import { hashOf } from '../../values/hashing.ts';
import { requireIndex } from '../../values/index-value.ts';
import { itemsOf } from '../../values/iteration.ts';
import { len } from '../../values/length.ts';
import { demote, type Num } from '../../values/numbers.ts';
import { AnySet } from '../../values/sets.ts';
import { native } from '../../values/signature.ts';
import { getitem, setitem } from '../../values/subscripts.ts';
import { Tuple } from '../../values/tuple.ts';
import type { Members } from '../module.ts';
import { nativeClass } from '../native-class.ts';
import { real } from '../real.ts';

/** xoshiro128**: four 32-bit words of state. */
type State = Uint32Array;

function next32(s: State): number {
  const t = Math.imul(s[1]!, 5);
  const result = Math.imul((t << 7) | (t >>> 25), 9) >>> 0;
  const u = s[1]! << 9;
  s[2]! ^= s[0]!;
  s[3]! ^= s[1]!;
  s[1]! ^= s[2]!;
  s[0]! ^= s[3]!;
  s[2]! ^= u;
  s[3] = (s[3]! << 11) | (s[3]! >>> 21);
  return result;
}

function seedState(state: State, seed: unknown): void {
  if (seed === undefined || seed === null) {
    nodeCrypto().randomFillSync(state);
    return;
  }
  const data = bytesOf(seed);
  const text = data === undefined ? hashOf(seed) : `b${new Bytes(data).latin1}`;
  let h = 0x9e3779b9;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x85ebca6b) ^ (h >>> 13);
  for (let i = 0; i < 4; i += 1) {
    h = (h + 0x9e3779b9) | 0;
    let z = h;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    state[i] = (z ^ (z >>> 15)) >>> 0;
  }
  for (let i = 0; i < 20; i += 1) next32(state);
}

const params = {
  betavariate: 'alpha, beta',
  choice: 'seq',
  choices: 'population, weights=None, *, cum_weights=None, k=1',
  expovariate: 'lambd=1.0',
  gammavariate: 'alpha, beta',
  gauss: 'mu=0.0, sigma=1.0',
  getrandbits: 'k, /',
  getstate: '',
  lognormvariate: 'mu, sigma',
  normalvariate: 'mu=0.0, sigma=1.0',
  paretovariate: 'alpha',
  randbytes: 'n',
  randint: 'a, b',
  random: '',
  randrange: 'start, stop=None, step=1',
  sample: 'population, k, *, counts=None',
  seed: 'a=None, version=2',
  setstate: 'state',
  shuffle: 'x',
  triangular: 'low=0.0, high=1.0, mode=None',
  uniform: 'a, b',
  vonmisesvariate: 'mu, kappa',
  weibullvariate: 'alpha, beta',
} as const;

/** A generator of its own; the functions of the module share one. */
export class Random {
  readonly $state: State = new Uint32Array(4);

  constructor(seed?: unknown) {
    seedState(this.$state, seed);
  }

  seed(a?: unknown, _version?: unknown): null {
    seedState(this.$state, a);
    return null;
  }

  getstate(): Tuple {
    return new Tuple([...this.$state]);
  }

  setstate(state: unknown): null {
    this.$state.set(itemsOf(state) as number[]);
    return null;
  }

  random(): number {
    return (next32(this.$state) >>> 5) / 134217728 + (next32(this.$state) >>> 6) / 9007199254740992;
  }

  /** A whole number from 0 up to `limit`, excluded. */
  $below(limit: Num): Num {
    if (typeof limit === 'number' && limit <= 0x100000000) {
      const bound = 0x100000000 - (0x100000000 % limit);
      for (;;) {
        const x = next32(this.$state);
        if (x < bound) return x % limit;
      }
    }
    const size = BigInt(limit);
    const bits = size.toString(2).length;
    for (;;) {
      const x = BigInt(this.getrandbits(bits));
      if (x < size) return demote(x);
    }
  }

  getrandbits(k: unknown): Num {
    const bits = Number(requireIndex(k));
    if (bits < 0) throw new ValueError('number of bits must be non-negative');
    let value = 0n;
    for (let left = bits; left > 0; left -= 32) {
      const take = Math.min(32, left);
      value = (value << BigInt(take)) | BigInt(take === 32 ? next32(this.$state) : next32(this.$state) >>> (32 - take));
    }
    return demote(value);
  }

  randbytes(n: unknown): Bytes {
    return new Bytes(Uint8Array.from({ length: Number(requireIndex(n)) }, () => next32(this.$state) & 255));
  }

  randrange(start: unknown, stop?: unknown, step?: unknown): Num {
    const [low, high] =
      stop === undefined || stop === null
        ? [0n, BigInt(requireIndex(start))]
        : [BigInt(requireIndex(start)), BigInt(requireIndex(stop))];
    const by = step === undefined ? 1n : BigInt(requireIndex(step));
    if (by === 0n) throw new ValueError('zero step for randrange()');
    const span = high - low;
    const count = by > 0n ? (span + by - 1n) / by : (span + by + 1n) / by;
    if (count <= 0n) {
      throw new ValueError(
        stop === undefined || stop === null
          ? 'empty range for randrange()'
          : `empty range in randrange(${low}, ${high}${by === 1n ? '' : `, ${by}`})`,
      );
    }
    return demote(low + by * BigInt(this.$below(demote(count))));
  }

  randint(a: unknown, b: unknown): Num {
    if (
      typeof a === 'number' &&
      typeof b === 'number' &&
      Number.isSafeInteger(a) &&
      Number.isSafeInteger(b) &&
      b >= a &&
      b - a < 0xffffffff
    ) {
      return a + (this.$below(b - a + 1) as number);
    }
    const high = BigInt(requireIndex(b)) + 1n;
    const low = requireIndex(a);
    if (BigInt(low) >= high) throw new ValueError(`empty range in randrange(${low}, ${high})`);
    return this.randrange(low, demote(high));
  }

  choice(seq: any): unknown {
    const size = len(seq);
    if (size === 0) throw new IndexError('Cannot choose from an empty sequence');
    return getitem(seq, this.$below(size));
  }

  choices(population: any, weights?: unknown, cumulative?: unknown, k?: unknown): unknown[] {
    const size = len(population);
    const count = k === undefined ? 1 : Number(requireIndex(k));
    if (weights === undefined || weights === null) {
      if (cumulative === undefined || cumulative === null)
        return Array.from({ length: count }, () => getitem(population, Math.floor(this.random() * size)));
    } else if (cumulative !== undefined && cumulative !== null)
      throw new TypeError('Cannot specify both weights and cumulative weights');
    const sums =
      cumulative === undefined || cumulative === null
        ? running(itemsOf(weights).map(real))
        : itemsOf(cumulative).map(real);
    if (sums.length !== size) throw new ValueError('The number of weights does not match the population');
    const total = sums[sums.length - 1] ?? 0;
    if (total <= 0) throw new ValueError('Total of weights must be greater than zero');
    if (!Number.isFinite(total)) throw new ValueError('Total of weights must be finite');
    return Array.from({ length: count }, () => {
      const x = this.random() * total;
      const at = sums.findIndex((sum) => x < sum);
      return getitem(population, at < 0 ? size - 1 : at);
    });
  }

  sample(population: any, k: unknown, counts?: unknown): unknown[] {
    if (population instanceof Dict || population instanceof AnySet)
      throw new TypeError('Population must be a sequence.  For dicts or sets, use sorted(d).');
    let items = itemsOf(population).slice();
    if (counts !== undefined && counts !== null && itemsOf(counts).length !== items.length)
      throw new ValueError('The number of counts does not match the population');
    if (counts !== undefined && counts !== null)
      items = itemsOf(counts).flatMap((count, i) => new Array(Number(requireIndex(count))).fill(items[i]));
    const count = Number(requireIndex(k));
    if (count < 0 || count > items.length) throw new ValueError('Sample larger than population or is negative');
    for (let i = 0; i < count; i += 1) {
      const j = i + (this.$below(items.length - i) as number);
      [items[i], items[j]] = [items[j], items[i]];
    }
    return items.slice(0, count);
  }

  shuffle(x: any): null {
    for (let i = len(x) - 1; i > 0; i -= 1) {
      const j = this.$below(i + 1);
      const kept = getitem(x, i);
      setitem(x, i, getitem(x, j));
      setitem(x, j, kept);
    }
    return null;
  }

  uniform(a: unknown, b: unknown): number {
    return real(a) + (real(b) - real(a)) * this.random();
  }

  triangular(low?: unknown, high?: unknown, mode?: unknown): number {
    const [from, to] = [low === undefined ? 0 : real(low), high === undefined ? 1 : real(high)];
    if (from === to) return from;
    const u = this.random();
    const c = mode === undefined || mode === null ? 0.5 : (real(mode) - from) / (to - from);
    return u > c ? to + (from - to) * Math.sqrt((1 - u) * (1 - c)) : from + (to - from) * Math.sqrt(u * c);
  }

  normalvariate(mu?: unknown, sigma?: unknown): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.random()));
    return (
      (mu === undefined ? 0 : real(mu)) +
      radius * Math.cos(2 * Math.PI * this.random()) * (sigma === undefined ? 1 : real(sigma))
    );
  }

  gauss(mu?: unknown, sigma?: unknown): number {
    return this.normalvariate(mu, sigma);
  }

  lognormvariate(mu: unknown, sigma: unknown): number {
    return Math.exp(this.normalvariate(mu, sigma));
  }

  expovariate(lambd?: unknown): number {
    return -Math.log(1 - this.random()) / (lambd === undefined ? 1 : real(lambd));
  }

  gammavariate(alpha: unknown, beta: unknown): number {
    const [a, b] = [real(alpha), real(beta)];
    if (a <= 0 || b <= 0) throw new ValueError('gammavariate: alpha and beta must be > 0.0');
    // Marsaglia and Tsang; below one, boosted by a power of a uniform number.
    if (a < 1) return this.gammavariate(a + 1, b) * (1 - this.random()) ** (1 / a);
    const d = a - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = this.normalvariate();
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(1 - this.random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v * b;
    }
  }

  betavariate(alpha: unknown, beta: unknown): number {
    const y = this.gammavariate(alpha, 1);
    return y === 0 ? 0 : y / (y + this.gammavariate(beta, 1));
  }

  paretovariate(alpha: unknown): number {
    return (1 - this.random()) ** (-1 / real(alpha));
  }

  weibullvariate(alpha: unknown, beta: unknown): number {
    return real(alpha) * (-Math.log(1 - this.random())) ** (1 / real(beta));
  }

  vonmisesvariate(mu: unknown, kappa: unknown): number {
    const [m, k] = [real(mu), real(kappa)];
    if (k <= 1e-6) return 2 * Math.PI * this.random();
    const s = 0.5 / k;
    const r = s + Math.sqrt(1 + s * s);
    for (;;) {
      const z = Math.cos(Math.PI * this.random());
      const d = z / (r + z);
      const u = this.random();
      if (u < 1 - d * d || u <= (1 - d) * Math.exp(d)) {
        const q = 1 / r;
        const f = (q + z) / (1 + q * z);
        const angle = this.random() > 0.5 ? m + Math.acos(f) : m - Math.acos(f);
        return ((angle % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
      }
    }
  }
}

function running(weights: readonly number[]): number[] {
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return sum;
  });
}

nativeClass(Random, { name: 'Random', module: 'random', params: 'x=None', methods: params });

export function makeRandom(): Members {
  const shared: any = new Random();
  const members: Members = { Random, SystemRandom: Random };
  for (const [name, text] of Object.entries(params))
    members[name] = native(`random.${name}`, text, (...args: unknown[]) => shared[name](...args));
  return members;
}
