import { Failure } from '../errors.ts';
import { effectiveRole, newIdentity } from './account.ts';
import type { AccountRecord } from './account-store.ts';
import { audit, type Origin } from './audit.ts';
import { type AccountDesk, issueToken, type SignedIn } from './desk.ts';
import type { LoginIdentity } from './identity.ts';
import type { Profile } from './profile.ts';

/** Already validated: see `identityProblem`, `passwordProblems`, `profileProblems`. */
export interface Registration {
  readonly identities: readonly LoginIdentity[];
  readonly password: string;
  readonly profile: Profile;
}

/**
 * Creates an account with its root (docs/server/accounts.md#register). Uniqueness is the store's: of two simultaneous
 * registrations one wins.
 *
 * @throws Failure `IDENTITY_TAKEN`, `RATE_LIMITED`
 */
export async function register(desk: AccountDesk, request: Registration, origin: Origin): Promise<SignedIn> {
  // Registering tells whether an identity exists, so asking that way is limited like guessing.
  return desk.lockout.guardAddress(origin.clientKey, () => create(desk, request, origin), isTaken);
}

async function create(desk: AccountDesk, request: Registration, origin: Origin): Promise<SignedIn> {
  const { identities, password, profile } = request;
  try {
    await refuseTaken(desk, identities); // spares the work of hashing; the store decides
    const passwordHash = await desk.passwords.hash(password);
    const account = newAccount(desk, identities, passwordHash, profile);
    await desk.store.createAccount(account);
    desk.sessions.changed(account, desk.now());
    audit(desk, 'register', 'created', { userId: account.userId }, origin);
    const isSignedIn = desk.config.auth.autoLoginOnRegister;
    const token = isSignedIn ? await issueToken(desk, account, Math.floor(desk.now() / 1000)) : undefined;
    return { account, role: effectiveRole(account, desk.admins), token };
  } catch (error) {
    if (isTaken(error)) audit(desk, 'register', 'identity_taken', { identity: identities[0]?.value }, origin);
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Failure && error.code === 'IDENTITY_TAKEN';
}

async function refuseTaken(desk: AccountDesk, identities: readonly LoginIdentity[]): Promise<void> {
  for (const { type, value } of identities) {
    if (await desk.store.accountByIdentity('login', value)) {
      throw new Failure('IDENTITY_TAKEN', `This ${type} is taken.`, { details: { identity: type } });
    }
  }
}

/** A record with a root of its own, not stored yet. */
export function newAccount(
  desk: Pick<AccountDesk, 'ids' | 'now' | 'admins'>,
  identities: readonly LoginIdentity[],
  passwordHash: string,
  profile: Profile,
): AccountRecord {
  const now = new Date(desk.now()).toISOString();
  const account: AccountRecord = {
    userId: desk.ids.userId(),
    rootId: desk.ids.rootId(),
    role: 'user',
    passwordHash,
    profile,
    disabled: false,
    sessionVersion: 0,
    identities: identities.map((identity) => newIdentity(identity, now)),
    createdAt: now,
    updatedAt: now,
    lastLoginAt: null,
    passwordChangedAt: now,
  };
  return { ...account, role: effectiveRole(account, desk.admins) };
}
