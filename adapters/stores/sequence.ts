/** Order of creation as text: ULIDs (docs/server/storage.md#records), 26 characters, each after the one before it in this process. */
import { randomBytes } from 'node:crypto';

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeLength = 10;
const randomLength = 16;

export const sequenceLength = timeLength + randomLength;

export function createSequence(nowMs: () => number): () => string {
  let last = 0;
  let random: number[] = [];
  return () => {
    const now = Math.max(nowMs(), last);
    if (now === last) increment(random);
    else {
      last = now;
      // The first digit keeps room for the increments of one millisecond.
      random = [...randomBytes(randomLength)].map((byte, i) => (i === 0 ? byte % 16 : byte % 32));
    }
    let time = '';
    for (let rest = last, i = 0; i < timeLength; i++, rest = Math.floor(rest / 32)) time = digits[rest % 32] + time;
    return time + random.map((digit) => digits[digit]).join('');
  };
}

function increment(number: number[]): void {
  for (let i = number.length - 1; i >= 0; i--) {
    if (number[i]! < 31) {
      number[i]!++;
      return;
    }
    number[i] = 0;
  }
}
