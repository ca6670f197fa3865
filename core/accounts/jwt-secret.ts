import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { AccountConfig } from './account-config.ts';

/** Value that stands for a random secret kept in `.svc/secrets/jwt` (docs/server/configuration.md#default-secrets). */
export const autoSecret = 'auto';

const shortest = 32;

/** The secret to sign with; `auto` reads the kept one, and creates it the first time. */
export function readJwtSecret(config: AccountConfig): string {
  const { secret } = config.scale.jwt;
  return secret === autoSecret ? readOrCreateSecret(join(config.projectDir, '.svc', 'secrets'), 'jwt') : secret;
}

/** Path of a key file as configured: relative ones count from the project. */
export function keyFilePath(config: AccountConfig, path: string): string {
  return isAbsolute(path) ? path : join(config.projectDir, path);
}

/** 32 random bytes in hexadecimal, readable by the owner only. Processes that start at the same time agree on one. */
function readOrCreateSecret(directory: string, name: string): string {
  const path = join(directory, name);
  const stored = readIfThere(path);
  if (stored !== undefined) return requireWhole(stored, path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path); // unlike a rename, leaves a file alone that somebody else put there meanwhile
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return requireWhole(readFileSync(path, 'utf8'), path);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function requireWhole(text: string, path: string): string {
  const secret = text.trim();
  if (secret.length >= shortest) return secret;
  throw new Error(`${path}: not a secret of at least ${shortest} characters; delete it to have a new one made`);
}
