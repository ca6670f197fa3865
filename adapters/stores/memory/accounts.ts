/** Accounts that end with the process. */
import type {
  AccountRecord,
  AccountStore,
  ApiKeyRecord,
  IdempotencyRecord,
  IdentityRecord,
} from '../../../core/accounts/account-store.ts';
import { Failure } from '../../../core/errors.ts';

export interface MemoryAccountDeps {
  /** Adds the root node of a new account. */
  readonly addRoot: (rootId: string) => void;
  readonly nowMs: () => number;
}

export interface MemoryAccounts extends AccountStore {
  /** Part of a unit's commit. */
  putIdempotency(record: IdempotencyRecord): void;
}

export function createMemoryAccounts(deps: MemoryAccountDeps): MemoryAccounts {
  const accounts = new Map<string, AccountRecord>();
  const identities = new Map<string, string>();
  const revoked = new Map<string, number>();
  const counters = new Map<string, { count: number; expiresAt: number }>();
  const apiKeys = new Map<string, ApiKeyRecord>();
  const claims = new Map<string, IdempotencyRecord>();
  const nameOf = (identity: IdentityRecord) => `${identity.type === 'sso' ? 'sso' : 'login'} ${identity.value}`;
  const requireFree = (record: AccountRecord) => {
    for (const identity of record.identities) {
      const owner = identities.get(nameOf(identity));
      if (owner === undefined || owner === record.userId) continue;
      throw new Failure('IDENTITY_TAKEN', `this ${identity.type} belongs to another account`, {
        details: { identity: identity.type },
      });
    }
  };
  const put = (record: AccountRecord) => {
    for (const identity of accounts.get(record.userId)?.identities ?? []) identities.delete(nameOf(identity));
    accounts.set(record.userId, structuredClone(record));
    for (const identity of record.identities) identities.set(nameOf(identity), record.userId);
  };
  const live = <T extends { readonly expiresAt: number }>(record: T | undefined): T | undefined =>
    record !== undefined && record.expiresAt > deps.nowMs() ? record : undefined;
  return {
    async createAccount(record) {
      requireFree(record);
      put(record);
      deps.addRoot(record.rootId);
    },
    accountById: (userId) => accounts.get(userId),
    async *allAccounts() {
      yield* accounts.values();
    },
    accountByIdentity: (space, value) => accounts.get(identities.get(`${space} ${value}`) ?? ''),
    async updateAccount(record, expectedUpdatedAt) {
      if (accounts.get(record.userId)?.updatedAt !== expectedUpdatedAt) return false;
      requireFree(record);
      put(record);
      return true;
    },
    async revokeToken(jti, expiresAtSeconds) {
      revoked.set(jti, expiresAtSeconds);
    },
    isRevoked: (jti) => revoked.has(jti),
    async addToCounter(key, amount, windowSeconds) {
      const known = live(counters.get(key));
      const next = {
        count: (known?.count ?? 0) + amount,
        expiresAt: known?.expiresAt ?? deps.nowMs() + windowSeconds * 1000,
      };
      counters.set(key, next);
      return next;
    },
    readCounter: (key) => live(counters.get(key)),
    async clearCounter(key) {
      counters.delete(key);
    },
    async createApiKey(key, limit) {
      const live = [...apiKeys.values()].filter(({ userId, revokedAt }) => userId === key.userId && revokedAt === null);
      if (live.length >= limit) return false;
      apiKeys.set(key.id, structuredClone(key));
      return true;
    },
    async revokeApiKey(id, revokedAt) {
      const key = apiKeys.get(id);
      if (key !== undefined) apiKeys.set(id, { ...key, revokedAt });
    },
    async touchApiKey(id, change) {
      const key = apiKeys.get(id);
      if (key !== undefined) apiKeys.set(id, { ...key, ...change });
    },
    apiKeyById: (id) => apiKeys.get(id),
    apiKeysOf: (userId) =>
      [...apiKeys.values()]
        .filter((key) => key.userId === userId)
        .sort((a, b) => (a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? -1 : 1)),
    async claimIdempotency(record) {
      const known = live(claims.get(record.key));
      if (known === undefined) claims.set(record.key, record);
      return known;
    },
    readIdempotency: async (key) => live(claims.get(key)),
    async releaseIdempotency(key) {
      claims.delete(key);
    },
    async finishIdempotency(record) {
      claims.set(record.key, record);
    },
    putIdempotency(record) {
      claims.set(record.key, record);
    },
    async sweep(nowMs) {
      for (const [jti, expiresAt] of revoked) if (expiresAt * 1000 < nowMs) revoked.delete(jti);
      for (const table of [counters, claims])
        for (const [key, record] of table) if (record.expiresAt <= nowMs) table.delete(key);
    },
  };
}
