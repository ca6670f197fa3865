/** Random choices that a seed repeats exactly (mulberry32). */
export interface Random {
  /** From 0 up to, without, 1. */
  unit(): number;
  /** From 0 up to, without, `limit`. */
  below(limit: number): number;
  /** True once in `times`. */
  oneIn(times: number): boolean;
  pick<T>(list: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(unit() * limit);
  return { unit, below, oneIn: (times) => below(times) === 0, pick: (list) => list[below(list.length)]! };
}
