/** Damage to what is sent, and to the connection it is sent on. */
import { createRandom, type Random } from '../harness/random.ts';
import type { Attack, Move } from './attack.ts';

export { createRandom, type Random };

export type MakeAttack = (random: Random) => Attack;

/** Most often a reset: it is what comes at any moment. */
const ends = ['reset', 'reset', 'reset', 'reset', 'close', 'close', 'half'] as const;

export function randomEnd(random: Random): Attack['end'] {
  return random.pick(ends);
}

/** Up to three milliseconds, or none. */
export function randomPause(random: Random): Move[] {
  return random.oneIn(3) ? [] : [{ pauseMs: random.below(4) }];
}

/** The same bytes in up to four pieces, with pauses between them. */
export function inPieces(random: Random, bytes: Buffer): Move[] {
  const moves: Move[] = [];
  let at = 0;
  for (let left = random.below(4); left > 0 && at < bytes.length; left--) {
    const end = at + random.below(bytes.length - at + 1);
    moves.push({ send: bytes.subarray(at, end) }, ...randomPause(random));
    at = end;
  }
  return [...moves, { send: bytes.subarray(at) }];
}

/** The beginning of the bytes, up to all of them. */
export function cut(random: Random, bytes: Buffer): Buffer {
  return bytes.subarray(0, random.below(bytes.length + 1));
}

/** Up to eight bytes changed, left out, doubled or put in. */
export function garble(random: Random, bytes: Buffer): Buffer {
  let garbled: Buffer = Buffer.from(bytes);
  for (let times = 1 + random.below(8); times > 0; times--) {
    const at = random.below(garbled.length + 1);
    const rest = garbled.subarray(at);
    const strange = Buffer.from([random.pick([0, 10, 13, 32, 34, 58, 127, 128, 255, random.below(256)])]);
    const parts = random.pick([
      [strange, rest.subarray(1)],
      [rest.subarray(1 + random.below(4))],
      [rest.subarray(0, random.below(40)), rest],
      [strange, rest],
    ]);
    garbled = Buffer.concat([garbled.subarray(0, at), ...parts]);
  }
  return garbled;
}

/** An exchange that is cut off, garbled, or both, and a connection that ends in some way. */
export function damaged(name: string, bytes: Buffer | string): MakeAttack {
  const whole = Buffer.from(bytes as string);
  return (random) => {
    const isGarbled = random.oneIn(2);
    const sent = isGarbled ? garble(random, whole) : whole;
    const kept = isGarbled && random.oneIn(2) ? sent : cut(random, sent);
    const moves = [...inPieces(random, kept), ...randomPause(random)];
    return { name: `${name}, ${isGarbled ? 'garbled' : 'cut off'}`, moves, end: randomEnd(random) };
  };
}

/** An exchange as it should be, on a connection that ends when it has come so far. */
export function abandoned(name: string, ...steps: readonly Move[]): MakeAttack {
  return (random) => ({
    name,
    moves: [...steps, ...randomPause(random)],
    end: random.pick(['reset', 'reset', 'close']),
  });
}
