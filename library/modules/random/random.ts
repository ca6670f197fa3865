/** Module `random`. A seed gives the numbers that it gives in CPython. */

import type { Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { real } from '../../builtins/real.ts';
import { look } from '../../limits/look.ts';
import { nodeCrypto } from '../../node-parts.ts';
import { fromOutside } from '../../outside.ts';
import { native } from '../../values/calls/signature.ts';
import { Dict } from '../../values/containers/dict.ts';
import { itemsOf, requireRoom } from '../../values/containers/iteration.ts';
import { len } from '../../values/containers/length.ts';
import { Range } from '../../values/containers/range.ts';
import { AnySet } from '../../values/containers/sets.ts';
import { getitem, setitem } from '../../values/containers/subscripts.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { boxed } from '../../values/numbers/float-box.ts';
import { requireIndex } from '../../values/numbers/index-value.ts';
import { asNumber, demote, isInt, type Num } from '../../values/numbers/numbers.ts';
import { precisePower } from '../../values/numbers/precise.ts';
import { IndexError, NotImplementedError, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { strOf } from '../../values/objects/repr.ts';
import { Bytes, bytesOf } from '../../values/text/bytes.ts';
import { exp, log } from '../math/exponentials.ts';
import { acos, cos, sin } from '../math/trigonometry.ts';
import { MersenneTwister } from './mersenne-twister.ts';

/** Seeds with what CPython would: a number, or a text and its SHA-512; nothing: what the system gives. @throws TypeError */
function seedFrom(source: MersenneTwister, seed: unknown): void {
  if (seed === undefined || seed === null) {
    source.words.set(fromOutside('bytes', () => nodeCrypto().randomFillSync(new Uint32Array(source.words.length))));
    source.index = 624;
    return;
  }
  const number = asNumber(seed);
  if (number !== undefined) {
    source.seed(wordsOf(isInt(number) ? BigInt(number) : floatHash(number as number)));
    return;
  }
  const data = typeof seed === 'string' ? new TextEncoder().encode(seed) : bytesOf(seed);
  if (data === undefined)
    throw new TypeError('The only supported seed types are: None,\nint, float, str, bytes, and bytearray.');
  const digest = nodeCrypto().createHash('sha512').update(data).digest('hex');
  source.seed(wordsOf(BigInt(`0x${Buffer.from(data).toString('hex')}${digest}`)));
}

/** The hash that CPython gives a float, as 64 bits: its value modulo 2^61 - 1. */
function floatHash(x: number): bigint {
  if (!Number.isFinite(x)) return BigInt.asUintN(64, Number.isNaN(x) ? 0n : x > 0 ? 314159n : -314159n);
  let [mantissa, exponent] = [Math.abs(x), 0n];
  for (; !Number.isInteger(mantissa); mantissa *= 2) exponent += 60n; // 2^-1 is 2^60 here
  const prime = 2n ** 61n - 1n;
  const hash = (BigInt(mantissa) * 2n ** (exponent % 61n)) % prime;
  return BigInt.asUintN(64, x < 0 ? (hash === 1n ? -2n : -hash) : hash);
}

/** The 32-bit words of a number without its sign, the lowest first. */
function wordsOf(n: bigint): number[] {
  const words: number[] = [];
  for (let rest = n < 0n ? -n : n; rest > 0n; rest >>= 32n) words.push(Number(rest & 0xffffffffn));
  return words.length === 0 ? [0] : words;
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
function many<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, () => {
    if ($due) look();
    return make();
  });
}

export class Random {
  readonly $source: MersenneTwister;
  /** The second of two normal numbers that are made at once. */
  $gauss: number | null = null;

  constructor(seed?: unknown, source: MersenneTwister = new MersenneTwister()) {
    this.$source = source;
    this.seed(seed);
  }

  seed(a?: unknown, _version?: unknown): null {
    seedFrom(this.$source, a);
    this.$gauss = null;
    return null;
  }

  getstate(): Tuple {
    return new Tuple([3, new Tuple([...this.$source.words, this.$source.index]), this.$gauss]);
  }

  /** @throws ValueError, TypeError */
  setstate(state: unknown): null {
    const [version, words, gauss] = itemsOf(state);
    if (version !== 3)
      throw new ValueError(`state with version ${strOf(version)} passed to Random.setstate() of version 3`);
    const list = itemsOf(words) as number[];
    if (list.length !== 625) throw new ValueError('state vector is the wrong size');
    this.$source.words.set(list.slice(0, 624));
    this.$source.index = list[624]!;
    this.$gauss = gauss as number | null;
    return null;
  }

  random(): number {
    return this.$source.fraction();
  }

  /** 32 bits, of which there are no fewer than `bits`. */
  $bits(bits: number): number {
    return bits === 0 ? 0 : this.$source.next() >>> (32 - bits);
  }

  /** A whole number from 0 up to `limit`, excluded. */
  $below(limit: Num): Num {
    if (this.random !== Random.prototype.random && this.getrandbits === Random.prototype.getrandbits)
      return this.$belowByFractions(Number(limit));
    if (typeof limit === 'number' && limit <= 0xffffffff && this.getrandbits === Random.prototype.getrandbits) {
      const bits = 32 - Math.clz32(limit);
      for (;;) {
        const x = this.$bits(bits);
        if (x < limit) return x;
      }
    }
    const bits = limit.toString(2).length;
    for (;;) {
      const x = this.getrandbits(bits);
      if (x < limit) return x;
    }
  }

  /** Draws an integer below `limit` for classes of the program that bring fractions of their own. */
  $belowByFractions(limit: number): number {
    const steps = 2 ** 53;
    const bound = (steps - (steps % limit)) / steps;
    for (;;) {
      const x = this.random();
      if (x < bound) return Math.floor(x * steps) % limit;
    }
  }

  getrandbits(k: unknown): Num {
    const bits = Number(requireIndex(k));
    if (bits < 0) throw new ValueError('number of bits must be non-negative');
    if (bits <= 32) return this.$bits(bits);
    requireRoom(bits / 4);
    const words: string[] = [];
    for (let at = 0; at < bits; at += 32) {
      if ($due) look();
      words.push(
        this.$bits(Math.min(32, bits - at))
          .toString(16)
          .padStart(8, '0'),
      );
    }
    return demote(BigInt(`0x${words.reverse().join('')}`));
  }

  randbytes(n: unknown): Bytes {
    const size = Number(requireIndex(n));
    const hex = BigInt(this.getrandbits(size * 8))
      .toString(16)
      .padStart(size * 2, '0');
    return new Bytes(Uint8Array.from(Buffer.from(hex, 'hex').reverse()));
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
    requireRoom(count);
    if (weights === undefined || weights === null) {
      if (cumulative === undefined || cumulative === null)
        return many(count, () => getitem(population, Math.floor(this.random() * size)));
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
    return many(count, () => getitem(population, placeIn(sums, this.random() * total)));
  }

  sample(population: any, k: unknown, counts?: unknown): unknown[] {
    if (population instanceof Dict || population instanceof AnySet)
      throw new TypeError('Population must be a sequence.  For dicts or sets, use sorted(d).');
    const size = len(population);
    if (counts !== undefined && counts !== null) return this.$sampleOfMany(population, size, k, itemsOf(counts));
    const count = Number(requireIndex(k));
    if (count < 0 || count > size) throw new ValueError('Sample larger than population or is negative');
    // Few of many are drawn by place, and again when a place was taken; else from a copy. CPython's measure of few.
    const few = 21 + (count > 5 ? 4 ** Math.ceil(Math.log(count * 3) / Math.log(4)) : 0);
    if (size > few) return this.$places(size, count).map((at) => getitem(population, at));
    const pool = itemsOf(population).slice();
    return Array.from({ length: count }, (_, i) => {
      const at = this.$below(size - i) as number;
      const chosen = pool[at];
      pool[at] = pool[size - i - 1];
      return chosen;
    });
  }

  $places(size: number, count: number): Num[] {
    const taken = new Set<Num>();
    while (taken.size < count) {
      if ($due) look();
      let at = this.$below(size);
      while (taken.has(at)) at = this.$below(size);
      taken.add(at);
    }
    return [...taken];
  }

  $sampleOfMany(population: any, size: number, k: unknown, counts: readonly unknown[]): unknown[] {
    const sums = running(counts.map((count) => Number(requireIndex(count))));
    if (sums.length !== size) throw new ValueError('The number of counts does not match the population');
    const total = sums[sums.length - 1] ?? 0;
    if (total <= 0) throw new ValueError('Total of counts must be greater than zero');
    const places = this.sample(new Range(0, total, 1), k) as number[];
    return places.map((at) => getitem(population, placeIn(sums, at)));
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

  uniform(a: unknown, b: unknown): unknown {
    return boxed(real(a) + (real(b) - real(a)) * this.random());
  }

  triangular(low?: unknown, high?: unknown, mode?: unknown): unknown {
    const [from, to] = [low === undefined ? 0 : real(low), high === undefined ? 1 : real(high)];
    const u = this.random();
    if (from === to && mode !== undefined && mode !== null) return boxed(from);
    const c = mode === undefined || mode === null ? 0.5 : (real(mode) - from) / (to - from);
    return boxed(u > c ? to + (from - to) * Math.sqrt((1 - u) * (1 - c)) : from + (to - from) * Math.sqrt(u * c));
  }

  /** Kinderman and Monahan's ratio of uniform numbers. */
  normalvariate(mu?: unknown, sigma?: unknown): number {
    for (;;) {
      const u = this.random();
      const v = 1 - this.random();
      const z = (normalConstant * (u - 0.5)) / v;
      if ((z * z) / 4 <= -log(v))
        return (mu === undefined ? 0 : real(mu)) + z * (sigma === undefined ? 1 : real(sigma));
    }
  }

  /** Two at a time, by their direction and distance (Box and Muller). */
  gauss(mu?: unknown, sigma?: unknown): number {
    let z = this.$gauss;
    this.$gauss = null;
    if (z === null) {
      const angle = this.random() * 2 * Math.PI;
      const radius = Math.sqrt(-2 * log(1 - this.random()));
      z = cos(angle) * radius;
      this.$gauss = sin(angle) * radius;
    }
    return (mu === undefined ? 0 : real(mu)) + z * (sigma === undefined ? 1 : real(sigma));
  }

  lognormvariate(mu: unknown, sigma: unknown): number {
    return exp(this.normalvariate(mu, sigma));
  }

  expovariate(lambd?: unknown): number {
    return -log(1 - this.random()) / (lambd === undefined ? 1 : real(lambd));
  }

  gammavariate(alpha: unknown, beta: unknown): number {
    const [a, b] = [real(alpha), real(beta)];
    if (a <= 0 || b <= 0) throw new ValueError('gammavariate: alpha and beta must be > 0.0');
    if (a === 1) return -log(1 - this.random()) * b;
    return (a > 1 ? this.$gammaAboveOne(a) : this.$gammaBelowOne(a)) * b;
  }

  /** R. C. H. Cheng, 1977. */
  $gammaAboveOne(a: number): number {
    const spread = Math.sqrt(2 * a - 1);
    const [start, slope] = [a - log(4), a + spread];
    for (;;) {
      const u = this.random();
      if (!(u > 1e-7 && u < 0.9999999)) continue;
      const second = 1 - this.random();
      const v = log(u / (1 - u)) / spread;
      const x = a * exp(v);
      const z = u * u * second;
      const r = start + slope * v - x;
      if (r + gammaConstant - 4.5 * z >= 0 || r >= log(z)) return x;
    }
  }

  /** J. H. Ahrens and U. Dieter, 1974. */
  $gammaBelowOne(a: number): number {
    const b = (Math.E + a) / Math.E;
    for (;;) {
      const p = b * this.random();
      const x = p <= 1 ? precisePower(p, 1 / a) : -log((b - p) / a);
      const u = this.random();
      if (p > 1 ? u <= precisePower(x, a - 1) : u <= exp(-x)) return x;
    }
  }

  betavariate(alpha: unknown, beta: unknown): number {
    const y = this.gammavariate(alpha, 1);
    return y === 0 ? 0 : y / (y + this.gammavariate(beta, 1));
  }

  paretovariate(alpha: unknown): number {
    return precisePower(1 - this.random(), -1 / real(alpha));
  }

  weibullvariate(alpha: unknown, beta: unknown): number {
    return real(alpha) * precisePower(-log(1 - this.random()), 1 / real(beta));
  }

  vonmisesvariate(mu: unknown, kappa: unknown): number {
    const [m, k] = [real(mu), real(kappa)];
    if (k <= 1e-6) return 2 * Math.PI * this.random();
    const s = 0.5 / k;
    const r = s + Math.sqrt(1 + s * s);
    for (;;) {
      const z = cos(Math.PI * this.random());
      const d = z / (r + z);
      const u = this.random();
      if (!(u < 1 - d * d || u <= (1 - d) * exp(d))) continue;
      const q = 1 / r;
      const f = (q + z) / (1 + q * z);
      const angle = (this.random() > 0.5 ? m + acos(f) : m - acos(f)) % (2 * Math.PI);
      return angle < 0 ? angle + 2 * Math.PI : angle;
    }
  }
}

const normalConstant = (4 * Math.exp(-0.5)) / Math.SQRT2;
const gammaConstant = 1 + Math.log(4.5);

/** Numbers from the system, which no seed repeats. */
export class SystemRandom extends Random {
  override seed(): null {
    return null;
  }

  override random(): number {
    return (this.$bits(27) * 67108864 + this.$bits(26)) / 9007199254740992;
  }

  override $bits(bits: number): number {
    return bits === 0 ? 0 : fromOutside('bytes', () => nodeCrypto().randomBytes(4).readUInt32LE()) >>> (32 - bits);
  }

  override $below(limit: Num): Num {
    const bits = limit.toString(2).length;
    for (;;) {
      const x = this.getrandbits(bits);
      if (x < limit) return x;
    }
  }

  override getstate(): never {
    throw new NotImplementedError('System entropy source does not have state.');
  }

  override setstate(): never {
    throw new NotImplementedError('System entropy source does not have state.');
  }
}

/** Finds the place of a number in growing sums, at most the last one. */
function placeIn(sums: readonly number[], x: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x < sums[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}

function running(weights: readonly number[]): number[] {
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return sum;
  });
}

nativeClass(Random, { name: 'Random', module: 'random', params: 'x=None', methods: params });
nativeClass(SystemRandom, { name: 'SystemRandom', module: 'random', params: 'x=None' });

/** Generator that the functions of the module share: how far it is depends on other calls, so a replay gets its numbers from outside. */
class SharedSource extends MersenneTwister {
  override next(): number {
    return fromOutside('random', () => super.next());
  }
}

export function makeRandom(): Members {
  const shared: any = new Random(undefined, new SharedSource());
  // The second of two normal numbers may have been made in another call.
  let gauss: number | null = null;
  Object.defineProperty(shared, '$gauss', {
    get: () => fromOutside('random', () => gauss),
    set(value: number | null) {
      gauss = value;
    },
  });
  const members: Members = { Random, SystemRandom };
  for (const [name, text] of Object.entries(params))
    members[name] = native(`random.${name}`, text, (...args: unknown[]) => shared[name](...args));
  return members;
}
