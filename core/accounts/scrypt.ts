import { scrypt } from 'node:crypto';
import type { KeyDerivation } from './key-derivation.ts';

/** scrypt with N = 2^15, r = 8, p = 3 (docs/server/accounts.md#passwords). Part of Node, so it always works. */
export const scryptDerivation: KeyDerivation = {
  id: 'scrypt',
  version: undefined,
  params: { ln: 15, r: 8, p: 3 },

  accepts({ ln, r, p }) {
    return inRange(ln, 1, 20) && inRange(r, 1, 32) && inRange(p, 1, 16);
  },

  isWeaker({ ln = 0, r = 0, p = 0 }) {
    return ln < 15 || r < 8 || p < 3;
  },

  derive(password, salt, { ln = 15, r = 8, p = 3 }, length) {
    const cost = 2 ** ln;
    const maxmem = 256 * cost * r + 1024 * 1024; // Node's own default, 32 MiB, is just too small for ln=15
    return new Promise((resolve, reject) => {
      scrypt(password, salt, length, { cost, blockSize: r, parallelization: p, maxmem }, (error, key) => {
        if (error) reject(error);
        else resolve(key);
      });
    });
  },
};

function inRange(value: number | undefined, low: number, high: number): boolean {
  return value !== undefined && value >= low && value <= high;
}
