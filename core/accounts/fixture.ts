import { Failure } from '../errors.ts';
import type { Log, LogFields } from '../log/log.ts';
import type { AccountConfig } from './account-config.ts';
import type { AccountRecord, AccountStore, ApiKeyRecord } from './account-store.ts';
import type { Passwords } from './passwords.ts';

/** Fixtures for the tests of this folder: an account store in a Map, a clock that is set, a log that is read. */
export interface FixtureStore extends AccountStore {
  readonly accounts: Map<string, AccountRecord>;
  /** Makes reads answer with promises, as a remote store does. */
  isRemote: boolean;
  reads: number;
}

type StoredPart = Pick<
  AccountStore,
  | 'createAccount'
  | 'accountById'
  | 'accountByIdentity'
  | 'updateAccount'
  | 'revokeToken'
  | 'isRevoked'
  | 'addToCounter'
  | 'readCounter'
  | 'clearCounter'
  | 'createApiKey'
  | 'revokeApiKey'
  | 'touchApiKey'
  | 'apiKeyById'
  | 'apiKeysOf'
>;

export function fixtureStore(now: () => number): FixtureStore {
  const accounts = new Map<string, AccountRecord>();
  const revoked = new Map<string, number>();
  const apiKeys = new Map<string, ApiKeyRecord>();
  const counters = new Map<string, { count: number; expiresAt: number }>();
  const answer = <T>(value: T): T | Promise<T> => {
    store.reads += 1;
    return store.isRemote ? Promise.resolve(value) : value;
  };
  const owner = (space: 'login' | 'sso', value: string) =>
    [...accounts.values()].find(({ identities }) =>
      identities.some((identity) => (identity.type === 'sso') === (space === 'sso') && identity.value === value),
    );
  const refuseTaken = (account: AccountRecord) => {
    for (const { type, value } of account.identities) {
      const other = owner(type === 'sso' ? 'sso' : 'login', value);
      if (other && other.userId !== account.userId) {
        throw new Failure('IDENTITY_TAKEN', 'Taken.', { details: { identity: type } });
      }
    }
  };
  const part: StoredPart = {
    async createAccount(account) {
      refuseTaken(account);
      accounts.set(account.userId, account);
    },
    accountById: (userId) => answer(accounts.get(userId)),
    accountByIdentity: (space, value) => answer(owner(space, value)),
    async updateAccount(account, expected) {
      refuseTaken(account);
      if (accounts.get(account.userId)?.updatedAt !== expected) return false;
      accounts.set(account.userId, account);
      return true;
    },
    async revokeToken(tokenId, expiresAtSeconds) {
      revoked.set(tokenId, expiresAtSeconds);
    },
    isRevoked: (tokenId) => answer((revoked.get(tokenId) ?? 0) * 1000 > now()),
    async addToCounter(key, amount, windowSeconds) {
      const live = counters.get(key);
      const counter =
        live && live.expiresAt > now()
          ? { ...live, count: live.count + amount }
          : { count: amount, expiresAt: now() + windowSeconds * 1000 };
      counters.set(key, counter);
      return counter;
    },
    readCounter: (key) => answer(counters.get(key)),
    async clearCounter(key) {
      counters.delete(key);
    },
    async createApiKey(key, limit) {
      const live = [...apiKeys.values()].filter(({ userId, revokedAt }) => userId === key.userId && revokedAt === null);
      if (live.length >= limit) return false;
      apiKeys.set(key.id, key);
      return true;
    },
    async revokeApiKey(id, revokedAt) {
      apiKeys.set(id, { ...apiKeys.get(id)!, revokedAt });
    },
    async touchApiKey(id, change) {
      apiKeys.set(id, { ...apiKeys.get(id)!, ...change });
    },
    apiKeyById: (id) => answer(apiKeys.get(id)),
    apiKeysOf: (userId) => answer([...apiKeys.values()].filter((key) => key.userId === userId)),
  };
  const store = Object.assign(part, { accounts, isRemote: false, reads: 0 }) as unknown as FixtureStore;
  return store;
}

export interface FixtureClock {
  ms: number;
  now(): number;
  advance(seconds: number): void;
}

export function fixtureClock(start = '2026-01-01T00:00:00.000Z'): FixtureClock {
  const clock: FixtureClock = {
    ms: Date.parse(start),
    now: () => clock.ms,
    advance(seconds) {
      clock.ms += seconds * 1000;
    },
  };
  return clock;
}

export interface FixtureLog extends Log {
  readonly records: { readonly message: string; readonly fields: LogFields }[];
}

export function fixtureLog(): FixtureLog {
  const records: { message: string; fields: LogFields }[] = [];
  const write = (message: string, fields: LogFields = {}) => {
    records.push({ message, fields });
  };
  const log: FixtureLog = {
    records,
    debug: write,
    info: write,
    warn: write,
    error: write,
    fatal: write,
    child: () => log,
    access: () => {},
    enabled: () => true,
  };
  return log;
}

/** Hashing that costs nothing and counts what it was asked. */
export function fixturePasswords(): Passwords & { readonly calls: string[] } {
  const calls: string[] = [];
  return {
    calls,
    async hash(password) {
      calls.push('hash');
      return `plain:${password}`;
    },
    async verify(password, stored) {
      calls.push('verify');
      return stored === `plain:${password}` || stored === `weak:${password}`;
    },
    async verifyNothing() {
      calls.push('verifyNothing');
      return false;
    },
    isWeaker: async (stored) => stored.startsWith('weak:'),
  };
}

export function fixtureConfig(
  changes: {
    readonly mode?: AccountConfig['mode'];
    readonly projectDir?: string;
    readonly jwt?: Partial<AccountConfig['scale']['jwt']>;
    readonly auth?: Partial<AccountConfig['scale']['auth']>;
    readonly sso?: Partial<AccountConfig['scale']['sso']>;
  } = {},
): AccountConfig {
  return {
    mode: changes.mode ?? 'test',
    projectDir: changes.projectDir ?? '/nowhere',
    scale: {
      jwt: {
        secret: 'svc-insecure-development-secret!',
        algorithm: 'HS256',
        expDeltaDays: 7,
        previousSecrets: [],
        privateKeyFile: '',
        publicKeyFile: '',
        issuer: 'svc',
        leewaySeconds: 30,
        refreshMaxAgeDays: 30,
        refreshRevokesOld: false,
        ...changes.jwt,
      },
      auth: {
        allowRegistration: true,
        autoLoginOnRegister: true,
        passwordMinLength: 8,
        passwordMaxLength: 128,
        passwordHash: 'argon2id',
        loginMaxFailures: 5,
        loginWindowSeconds: 900,
        loginMaxFailuresPerAddress: 100,
        sessionCacheSeconds: 30,
        admins: [],
        ...changes.auth,
      },
      sso: { autoRegister: true, ...changes.sso },
      webhook: { maxKeysPerUser: 3 },
    },
  };
}
