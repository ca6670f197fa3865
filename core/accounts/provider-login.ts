import { Failure } from '../errors.ts';
import { effectiveRole, laterStamp, newIdentity } from './account.ts';
import type { AccountRecord, IdentityRecord } from './account-store.ts';
import { audit, type Origin } from './audit.ts';
import { type AccountDesk, changeAccount, issueToken, type SignedIn } from './desk.ts';
import { identityProblem, readIdentity } from './identity.ts';
import { accountDisabled, forbidden, wrongCredentials } from './refusals.ts';

/** Whom an identity provider vouches for. */
export interface ProviderIdentity {
  readonly platform: string;
  readonly subject: string;
  readonly operation: 'login' | 'register';
  /** An address the provider has verified, asked only for a subject that was never seen before. */
  verifiedEmail(): Promise<string | undefined>;
}

export interface ProviderSignIn extends SignedIn {
  readonly token: NonNullable<SignedIn['token']>;
  readonly isNew: boolean;
}

/** Others may link or create the same at the same time; then what is there is looked at again. */
const maxAttempts = 3;

/**
 * Signs in whom a provider vouches for (docs/server/sign-on.md#callback): by the linked subject; else by an address that was verified
 * here as well, which links it; else as a new account. An address alone never opens an account that did not prove it.
 *
 * @throws Failure `EMAIL_MISSING`, `ACCOUNT_EXISTS`, `ACCOUNT_DISABLED`, `UNAUTHORIZED`, `FORBIDDEN`
 */
export async function providerLogin(desk: AccountDesk, who: ProviderIdentity, origin: Origin): Promise<ProviderSignIn> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await signIn(desk, who, origin);
    } catch (error) {
      const isRace = error instanceof Failure && error.code === 'IDENTITY_TAKEN' && attempt < maxAttempts;
      if (!isRace) throw error;
    }
  }
}

async function signIn(desk: AccountDesk, who: ProviderIdentity, origin: Origin): Promise<ProviderSignIn> {
  const value = `${who.platform}:${who.subject}`;
  const known = await desk.store.accountByIdentity('sso', value);
  if (known) return signedIn(desk, await noteLogin(desk, known), false, origin);

  const email = await requireEmail(who);
  const owner = await desk.store.accountByIdentity('login', email);
  const now = new Date(desk.now()).toISOString();
  const link: IdentityRecord = { type: 'sso', value, email, verified: true, createdAt: now };
  if (owner) return signedIn(desk, await linkAccount(desk, owner, email, link, origin), false, origin);

  requireNewcomers(desk, who.operation);
  const account = newAccount(
    desk,
    [{ ...newIdentity({ type: 'email', value: email }, now), verified: true }, link],
    now,
  );
  await desk.store.createAccount(account);
  desk.sessions.changed(account, desk.now());
  return signedIn(desk, account, true, origin);
}

/** The same answer whether or not the address is in use here: it comes before anything is looked up by it. */
async function requireEmail(who: ProviderIdentity): Promise<string> {
  const identity = readIdentity((await who.verifiedEmail()) ?? '');
  if (identity.type === 'email' && identityProblem(identity) === undefined) return identity.value;
  throw new Failure('EMAIL_MISSING', 'The provider gave no verified email address.');
}

async function linkAccount(
  desk: AccountDesk,
  owner: AccountRecord,
  email: string,
  link: IdentityRecord,
  origin: Origin,
): Promise<AccountRecord> {
  const account = await changeAccount(desk, owner.userId, (current) => {
    const isProved = current.identities.some(
      ({ type, value, verified }) => type === 'email' && value === email && verified,
    );
    if (!isProved) {
      throw new Failure('ACCOUNT_EXISTS', 'An account with this email address exists. Sign in with its password.');
    }
    if (current.disabled) throw accountDisabled();
    const now = laterStamp(desk.now(), current.updatedAt);
    return { ...current, identities: [...current.identities, link], lastLoginAt: now, updatedAt: now };
  });
  await desk.accountChanged(account.userId);
  audit(desk, 'identity_link', 'success', { userId: account.userId }, origin);
  return account;
}

/** Signing in opens accounts when `auto_register` says so; asking to register does unless registration is closed altogether. */
function requireNewcomers({ config }: AccountDesk, operation: ProviderIdentity['operation']): void {
  if (config.sso.autoRegister) return;
  if (operation === 'login') throw wrongCredentials();
  if (!config.auth.allowRegistration) throw forbidden('registration_closed', 'Registration is closed.');
}

/**
 * Notes a sign-in in the account. The note is dropped when somebody else changes the account at this moment: it must
 * keep nobody out.
 */
async function noteLogin(desk: AccountDesk, account: AccountRecord): Promise<AccountRecord> {
  if (account.disabled) throw accountDisabled();
  const nowMs = desk.now();
  const updatedAt = laterStamp(nowMs, account.updatedAt);
  const noted = { ...account, lastLoginAt: new Date(nowMs).toISOString(), updatedAt };
  if (!(await desk.store.updateAccount(noted, account.updatedAt))) return account;
  desk.sessions.changed(noted, nowMs);
  return noted;
}

function newAccount(desk: AccountDesk, identities: readonly IdentityRecord[], now: string): AccountRecord {
  const account: AccountRecord = {
    userId: desk.ids.userId(),
    rootId: desk.ids.rootId(),
    role: 'user',
    passwordHash: null,
    profile: {},
    disabled: false,
    sessionVersion: 0,
    identities,
    createdAt: now,
    updatedAt: now,
    lastLoginAt: now,
    passwordChangedAt: null,
  };
  return { ...account, role: effectiveRole(account, desk.admins) };
}

async function signedIn(
  desk: AccountDesk,
  account: AccountRecord,
  isNew: boolean,
  origin: Origin,
): Promise<ProviderSignIn> {
  audit(desk, 'sso', isNew ? 'created' : 'success', { userId: account.userId }, origin);
  const token = await issueToken(desk, account, Math.floor(desk.now() / 1000));
  return { account, role: effectiveRole(account, desk.admins), token, isNew };
}
