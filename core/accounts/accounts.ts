import { createHash } from 'node:crypto';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Failure } from '../errors.ts';
import type { Log } from '../log/log.ts';
import type { Meters } from '../metrics/meters.ts';
import { effectiveRole, type Role } from './account.ts';
import type { AccountConfig } from './account-config.ts';
import type { AccountNews } from './account-news.ts';
import type { AccountRecord, AccountStore } from './account-store.ts';
import { type ApiKeys, createApiKeys } from './api-keys.ts';
import type { Origin } from './audit.ts';
import type { PasswordChange } from './change-password.ts';
import { type CheckedToken, checkToken, recheckToken } from './check-token.ts';
import { type DataKey, openDataKey } from './data-key.ts';
import type { AccountDesk, EndedSession, SignedIn } from './desk.ts';
import { type LoginIdentity, normaliseIdentity } from './identity.ts';
import { type AccountIds, randomIds } from './ids.ts';
import type { Lockout } from './lockout.ts';
import { requireOpenRegistration } from './open-registration.ts';
import { type PasswordRules, passwordRulesOf } from './password-rules.ts';
import type { Passwords } from './passwords.ts';
import type { Profile } from './profile.ts';
import type { ProviderIdentity, ProviderSignIn } from './provider-login.ts';
import { providerRefused } from './provider-refused.ts';
import type { TokenRefusal } from './refusals.ts';
import type { Registration } from './register.ts';
import { createSessions } from './sessions.ts';
import { loadTokenKeys } from './token-keys.ts';
import { type Claims, createTokens } from './tokens.ts';

/** Accounts, passwords and tokens of one application (docs/server/accounts.md): the front door of this folder. */
export interface Accounts {
  readonly passwordRules: PasswordRules;
  requireOpenRegistration(): void;
  register(request: Registration, origin: Origin): Promise<SignedIn>;
  login(name: string, password: string, origin: Origin): Promise<SignedIn>;
  refresh(token: string, origin: Origin): Promise<SignedIn>;
  providerLogin(who: ProviderIdentity, origin: Origin): Promise<ProviderSignIn>;
  /** Leaves a record of a sign-in with a provider that failed, and a warning when the provider is to blame. */
  providerRefused(failure: Failure, platform: string, origin: Origin): void;
  /** Uses up the state of a sign-in, in all processes; false when that was done before. */
  spendState(state: string, ttlSeconds: number): Promise<boolean>;
  /** The account as it is in the store now. */
  current(claims: Claims): Promise<SignedIn>;
  logout(claims: Claims, isForAll: boolean, origin: Origin): Promise<void>;
  changeProfile(claims: Claims, change: Profile, origin: Origin): Promise<SignedIn>;
  changeLogin(
    claims: Claims,
    change: { readonly current: string | undefined; readonly identity: LoginIdentity },
    origin: Origin,
  ): Promise<SignedIn>;
  changePassword(claims: Claims, change: PasswordChange, origin: Origin): Promise<SignedIn>;
  /** Checks a token by all rules of docs/server/accounts.md#tokens. At once when the store answers at once. */
  checkToken(token: string): MaybePromise<CheckedToken | TokenRefusal>;
  /** The part of the check that changes with time, for claims of a token that was checked before. */
  recheck(claims: Claims): MaybePromise<CheckedToken | TokenRefusal>;
  /** Role of an account now: `admin` is what the configuration lists. */
  roleOf(account: AccountRecord): Role;
  readonly apiKeys: ApiKeys;
  /** Seals what others keep for the server. */
  readonly dataKey: DataKey;
  /** Follows sessions that end; gives a function that stops following. */
  onSessionEnd(listener: (ended: EndedSession) => void): () => void;
  /** Stops following other processes. */
  close(): void;
}

export interface AccountDeps {
  readonly accounts: AccountStore;
  readonly config: AccountConfig;
  readonly log: Log;
  readonly meters?: Meters | undefined;
  /** Default: the system's clock. */
  readonly clock?: { now(): number };
  /** Default: random ones. */
  readonly ids?: AccountIds;
  /** Default: as configured. */
  readonly passwords?: Passwords;
  /** The other processes of the application; absent: there are none. */
  readonly news?: AccountNews | undefined;
}

/** Reads the token keys (`jwt.secret = "auto"` and key files), so it may throw when they are missing. */
export function openAccounts(deps: AccountDeps): Accounts {
  const { jwt, auth } = deps.config.scale;
  const now = () => (deps.clock ? deps.clock.now() : Date.now());
  const listeners = new Set<(ended: EndedSession) => void>();
  const tellListeners = (ended: EndedSession) => {
    for (const listener of listeners) listener(ended);
  };
  const desk: AccountDesk = {
    store: deps.accounts,
    config: deps.config.scale,
    passwords: deps.passwords ?? configuredPasswords(deps),
    tokens: createTokens(loadTokenKeys(deps.config), {
      issuer: jwt.issuer,
      lifetimeSeconds: jwt.expDeltaDays * 86_400,
      leewaySeconds: jwt.leewaySeconds,
    }),
    sessions: createSessions(deps.accounts, auth.sessionCacheSeconds * 1000),
    lockout: configuredLockout(deps, now),
    ids: deps.ids ?? randomIds,
    log: deps.log,
    meters: deps.meters,
    admins: new Set(auth.admins.map(normaliseIdentity)),
    now,
    async sessionEnded(ended) {
      tellListeners(ended);
      await desk.accountChanged(ended.userId);
    },
    accountChanged: (userId) => deps.news?.tell(userId) ?? Promise.resolve(),
  };
  const unfollow = deps.news?.follow((userId) => {
    desk.sessions.forget(userId);
    tellListeners({ userId, tokenId: null });
  });

  const dataKey = openDataKey(deps.config);

  return {
    passwordRules: passwordRulesOf(deps.config),
    requireOpenRegistration: () => requireOpenRegistration(desk),
    // Checking tokens is all that most calls need: the rest is read when it is asked for (decisions/0180).
    register: async (request, origin) => (await import('./register.ts')).register(desk, request, origin),
    login: async (name, password, origin) => (await import('./login.ts')).login(desk, name, password, origin),
    refresh: async (token, origin) => (await import('./refresh.ts')).refresh(desk, token, origin),
    providerLogin: async (who, origin) => (await import('./provider-login.ts')).providerLogin(desk, who, origin),
    providerRefused: (failure, platform, origin) => providerRefused(desk, failure, platform, origin),
    async spendState(state, ttlSeconds) {
      const key = `sso:state:${createHash('sha256').update(state).digest('hex')}`;
      return (await desk.store.addToCounter(key, 1, Math.max(1, ttlSeconds))).count === 1;
    },
    current: async (claims) => (await changes()).readAccount(desk, claims),
    logout: async (claims, isForAll, origin) => (await import('./logout.ts')).logout(desk, claims, isForAll, origin),
    changeProfile: async (claims, change, origin) => (await changes()).changeProfile(desk, claims, change, origin),
    changeLogin: async (claims, change, origin) => (await changes()).changeLogin(desk, claims, change, origin),
    changePassword: async (claims, change, origin) =>
      (await import('./change-password.ts')).changePassword(desk, claims, change, origin),
    checkToken: (token) => checkToken(desk, token),
    recheck: (claims) => recheckToken(desk, claims),
    roleOf: (account) => effectiveRole(account, desk.admins),
    apiKeys: createApiKeys(desk, dataKey, {
      maxKeysPerUser: deps.config.scale.webhook.maxKeysPerUser,
      rememberMs: auth.sessionCacheSeconds * 1000,
    }),
    dataKey,
    onSessionEnd(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => unfollow?.(),
  };
}

const changes = () => import('./change-account.ts');

function configuredLockout({ accounts, config, meters }: AccountDeps, now: () => number): Lockout {
  const { loginMaxFailures, loginMaxFailuresPerAddress, loginWindowSeconds } = config.scale.auth;
  const rules = {
    maxFailures: loginMaxFailures,
    maxFailuresPerAddress: loginMaxFailuresPerAddress,
    windowSeconds: loginWindowSeconds,
  };
  let opened: Promise<Lockout> | undefined;
  const open = () =>
    (opened ??= import('./lockout.ts').then(({ createLockout }) =>
      createLockout(accounts, rules, now, () => meters?.rateLimited('login')),
    ));
  return {
    guard: async (...args) => (await open()).guard(...args),
    guardAddress: async (...args) => (await open()).guardAddress(...args),
  };
}

function configuredPasswords({ config, log }: AccountDeps): Passwords {
  const onFallback = () => log.warn('argon2id cannot be loaded on this system: passwords are hashed with scrypt');
  let opened: Promise<Passwords> | undefined;
  const open = () =>
    (opened ??= import('./passwords.ts').then(({ createPasswords }) =>
      createPasswords({ preferred: config.scale.auth.passwordHash, onFallback }),
    ));
  return {
    hash: async (password) => (await open()).hash(password),
    verify: async (...args) => (await open()).verify(...args),
    verifyNothing: async (password) => (await open()).verifyNothing(password),
    isWeaker: async (stored) => (await open()).isWeaker(stored),
  };
}
