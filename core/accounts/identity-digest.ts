import { createHash } from 'node:crypto';

/** Identities that may not exist are kept and logged as digests only: people type passwords into the wrong field. */
export function identityDigest(identity: string): string {
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}
