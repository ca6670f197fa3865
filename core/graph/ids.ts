/** Identities of graph objects: 32 hex digits in the layout of a version 4 UUID (docs/server/storage.md#records). */
import { randomFillSync } from 'node:crypto';

/** Root of system calls: entry code, `svc run`, scripts and tests. */
export const SYSTEM_ROOT_ID = '0'.repeat(32);
/** Root of calls without an account. */
export const SHARED_ROOT_ID = '00000000000000000000000000000001';

const idBytes = 16;
const pool = Buffer.alloc(idBytes * 256);
let used = pool.length;

export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  pool[used + 6] = (pool[used + 6]! & 0x0f) | 0x40;
  pool[used + 8] = (pool[used + 8]! & 0x3f) | 0x80;
  const id = pool.toString('hex', used, used + idBytes);
  used += idBytes;
  return id;
}

const wellFormed = /^[0-9a-f]{32}$/;

/** The id in its canonical form, from one with dashes or upper-case digits too; undefined when it is none. */
export function canonicalId(text: string): string | undefined {
  if (wellFormed.test(text)) return text;
  const bare = text.replaceAll('-', '').toLowerCase();
  return wellFormed.test(bare) ? bare : undefined;
}

/** The canonical id that a text or a `UUID` says; undefined when it says none. */
export function idOf(x: unknown): string | undefined {
  if (typeof x === 'string') return canonicalId(x);
  return isUuid(x) ? x.$hex : undefined;
}

/** Tells a UUID by its shape: the module `uuid` is loaded by the programs that use it. */
export function isUuid(x: unknown): x is { readonly $hex: string } {
  return typeof (x as { $hex?: unknown } | null | undefined)?.$hex === 'string';
}
