import { randomBytes, timingSafeEqual } from 'node:crypto';
import { nodeOs } from '../../library/node-parts.ts';
import { Failure } from '../errors.ts';
import { loadArgon2 } from './argon2.ts';
import { createHashGate, type HashGate } from './hash-gate.ts';
import type { KeyDerivation } from './key-derivation.ts';
import { formatPhc, parsePhc } from './phc.ts';
import { scryptDerivation } from './scrypt.ts';

/** Hashing and checking of passwords (docs/server/accounts.md#passwords). Every method waits its turn: one hash per core, 64 may wait. */
export interface Passwords {
  /** A PHC string. */
  hash(password: string): Promise<string>;
  /**
   * @throws Failure `SERVICE_UNAVAILABLE` when too many wait, or when the stored hash needs a driver that cannot be loaded here.
   */
  verify(password: string, stored: string): Promise<boolean>;
  /** Does the work of `verify` for an account that does not exist, so that timing does not tell. Always false. */
  verifyNothing(password: string): Promise<false>;
  /** Tells whether the hash of a password that was just verified should be made anew. */
  isWeaker(stored: string): Promise<boolean>;
}

export interface PasswordOptions {
  readonly preferred: 'argon2id' | 'scrypt';
  /** Called once, when argon2id is wanted and cannot be had. */
  readonly onFallback?: () => void;
  readonly concurrent?: number;
  readonly queue?: number;
  readonly loadArgon2?: () => Promise<KeyDerivation | undefined>;
}

const keyLength = 32;
const saltLength = 16;

/** Creates the hashing of passwords; nothing is loaded before the first hash. */
export function createPasswords(options: PasswordOptions): Passwords {
  let opened: HashGate | undefined;
  const gate = () =>
    (opened ??= createHashGate({
      concurrent: options.concurrent ?? nodeOs().availableParallelism(),
      queue: options.queue ?? 64,
    }));
  let argon2: Promise<KeyDerivation | undefined> | undefined;
  const findArgon2 = () => (argon2 ??= (options.loadArgon2 ?? loadArgon2)());
  let preferred: Promise<KeyDerivation> | undefined;
  const findPreferred = () => (preferred ??= choosePreferred());

  async function choosePreferred(): Promise<KeyDerivation> {
    if (options.preferred === 'scrypt') return scryptDerivation;
    const found = await findArgon2();
    if (!found) options.onFallback?.();
    return found ?? scryptDerivation;
  }

  async function derivationOf(id: string): Promise<KeyDerivation | undefined> {
    if (id === 'scrypt') return scryptDerivation;
    return id === 'argon2id' ? await findArgon2() : undefined;
  }

  async function hash(password: string): Promise<string> {
    const derivation = await findPreferred();
    const { id, version, params } = derivation;
    const salt = randomBytes(saltLength);
    const key = await gate().run(() => derivation.derive(passwordBytes(password), salt, params, keyLength));
    return formatPhc({ id, version, params, salt, key });
  }

  async function verify(password: string, stored: string): Promise<boolean> {
    const phc = parsePhc(stored);
    const derivation = phc && (await derivationOf(phc.id));
    if (!phc || !derivation?.accepts(phc.params) || phc.key.length < 16) {
      throw new Failure('SERVICE_UNAVAILABLE', 'This account cannot be signed in to on this server at the moment.', {
        cause: new Error(`no driver for a stored password hash of kind ${phc?.id ?? 'unknown'}`),
      });
    }
    const key = await gate().run(() =>
      derivation.derive(passwordBytes(password), phc.salt, phc.params, phc.key.length),
    );
    return timingSafeEqual(key, phc.key);
  }

  async function verifyNothing(password: string): Promise<false> {
    const derivation = await findPreferred();
    const nothing = randomBytes(keyLength);
    const key = await gate().run(() =>
      derivation.derive(passwordBytes(password), randomBytes(saltLength), derivation.params, keyLength),
    );
    timingSafeEqual(key, nothing);
    return false;
  }

  async function isWeaker(stored: string): Promise<boolean> {
    const phc = parsePhc(stored);
    const wanted = await findPreferred();
    if (!phc) return true;
    if (phc.id !== wanted.id) return wanted.id === 'argon2id'; // argon2id is never taken back to scrypt
    return wanted.isWeaker(phc.params) || phc.key.length < keyLength || phc.salt.length < saltLength;
  }

  return { hash, verify, verifyNothing, isWeaker };
}

/** One password typed on two systems may arrive composed differently: NFKC makes it one. */
function passwordBytes(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'), 'utf8');
}
