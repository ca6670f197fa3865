import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in a time that tells nothing, not even about lengths. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
