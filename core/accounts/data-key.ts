import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AccountConfig } from './account-config.ts';
import { keyFilePath, readJwtSecret } from './jwt-secret.ts';

/** Encrypts small secrets that have to be stored in a readable form (docs/server/api-keys.md#keys): AES-256-GCM. */
export interface DataKey {
  /** `context` names what the secret belongs to; it opens nowhere else. */
  seal(secret: string, context: string): string;
  /** The secret and whether it was sealed with a former key; undefined when no known key fits. */
  open(sealed: string, context: string): { readonly secret: string; readonly isOld: boolean } | undefined;
}

const info = 'svc-data-v1';
const cipherName = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Derives the keys from what signs tokens (HKDF-SHA256, RFC 5869) when they are first needed: the first seals, all open. */
export function openDataKey(config: AccountConfig): DataKey {
  let derived: readonly Buffer[] | undefined;
  const keys = () =>
    (derived ??= keyMaterial(config).map((material) => Buffer.from(hkdfSync('sha256', material, '', info, 32))));

  return {
    seal(secret, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(cipherName, keys()[0]!, iv).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64url');
      for (const [i, key] of keys().entries()) {
        const secret = openWith(key, bytes, context);
        if (secret !== undefined) return { secret, isOld: i > 0 };
      }
      return undefined;
    },
  };
}

function openWith(key: Buffer, bytes: Buffer, context: string): string | undefined {
  if (bytes.length < ivBytes + tagBytes) return undefined;
  const decipher = createDecipheriv(cipherName, key, bytes.subarray(0, ivBytes)).setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined; // another key's, or tampered with
  }
}

/** Former secrets of asymmetric algorithms are public keys, from which nothing secret can be derived. */
function keyMaterial(config: AccountConfig): readonly string[] {
  const { algorithm, previousSecrets, privateKeyFile } = config.scale.jwt;
  if (algorithm.startsWith('HS')) return [readJwtSecret(config), ...previousSecrets.filter((old) => old !== '')];
  const isPem = privateKeyFile.includes('-----BEGIN');
  return [isPem ? privateKeyFile : readFileSync(keyFilePath(config, privateKeyFile), 'utf8')];
}
