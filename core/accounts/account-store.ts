/**
 * Records and port of the account layer in the persistent store (docs/server/accounts.md, docs/server/webhooks.md,
 * docs/server/stores.md#sqlite). Filled by each store adapter beside GraphStore.
 */
export interface AccountRecord {
  readonly userId: string; // UUID v4, dashed
  readonly rootId: string; // 32 hex
  readonly role: 'user' | 'admin' | 'system';
  readonly passwordHash: string | null; // PHC string
  readonly profile: Readonly<Record<string, unknown>>;
  readonly disabled: boolean;
  readonly sessionVersion: number;
  readonly identities: readonly IdentityRecord[];
  readonly createdAt: string; // ISO 8601 UTC, milliseconds
  readonly updatedAt: string;
  readonly lastLoginAt: string | null;
  readonly passwordChangedAt: string | null;
}
export interface IdentityRecord {
  readonly type: 'email' | 'username' | 'sso';
  /** Normalised; for sso `<provider>:<subject>`. Unique over email and username together, and over sso. */
  readonly value: string;
  readonly email: string | null; // kept beside an sso subject
  readonly verified: boolean;
  readonly createdAt: string;
}

/**
 * Scope of an API key: `webhook` opens webhook endpoints, `call` runs walkers and functions as the key's owner does
 * (docs/server/api-keys.md#scopes).
 */
export type ApiKeyScope = 'webhook' | 'call';

export interface ApiKeyRecord {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly secretHash: string;
  readonly signingSecret: string; // encrypted
  readonly scopes: readonly ApiKeyScope[];
  readonly allowedWalkers: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

export interface ApiKeyTouch {
  readonly lastUsedAt: string;
  /** Encrypted anew; absent: as it was. */
  readonly signingSecret?: string;
}

export interface IdempotencyRecord {
  readonly key: string;
  readonly requestHash: string;
  readonly state: 'claimed' | 'finished';
  readonly status: number | null;
  readonly body: string | null;
  readonly expiresAt: number; // Unix milliseconds
}

/**
 * All writes are durable when they resolve. Reads may answer synchronously. A driver's own error comes out as
 * Failure `SERVICE_UNAVAILABLE` with it as cause.
 */
export interface AccountStore {
  /**
   * Account, identities and root node in one commit. Rejects with Failure `IDENTITY_TAKEN` (details `{ identity: type }`) when any
   * identity exists; uniqueness is enforced by the store, not by a look-up before.
   */
  createAccount(account: AccountRecord): Promise<void>;
  accountById(userId: string): AccountRecord | undefined | Promise<AccountRecord | undefined>;
  /** All of them, in no order. */
  allAccounts(): AsyncIterable<AccountRecord>;
  accountByIdentity(
    space: 'login' | 'sso',
    value: string,
  ): AccountRecord | undefined | Promise<AccountRecord | undefined>;
  /**
   * Replaces the record when `updatedAt` still equals `expected`; false when it changed meanwhile. Rejects with `IDENTITY_TAKEN`
   * when a new identity belongs to another account.
   */
  updateAccount(account: AccountRecord, expectedUpdatedAt: string): Promise<boolean>;

  revokeToken(jti: string, expiresAtSeconds: number): Promise<void>;
  isRevoked(jti: string): boolean | Promise<boolean>;

  /** Adds to a counter with a window; returns the new count and when the window ends (Unix ms). */
  addToCounter(key: string, amount: number, windowSeconds: number): Promise<{ count: number; expiresAt: number }>;
  readCounter(
    key: string,
  ): { count: number; expiresAt: number } | undefined | Promise<{ count: number; expiresAt: number } | undefined>;
  clearCounter(key: string): Promise<void>;

  /** False, and nothing is stored, when the owner has `limit` keys that are not revoked. */
  createApiKey(key: ApiKeyRecord, limit: number): Promise<boolean>;
  revokeApiKey(id: string, revokedAt: string): Promise<void>;
  /** Changes nothing else, so that it cannot undo a revocation. */
  touchApiKey(id: string, change: ApiKeyTouch): Promise<void>;
  apiKeyById(id: string): ApiKeyRecord | undefined | Promise<ApiKeyRecord | undefined>;
  /** Lists the keys of an account in order of creation. */
  apiKeysOf(userId: string): readonly ApiKeyRecord[] | Promise<readonly ApiKeyRecord[]>;

  /** Claims a key: the existing live record, or undefined when the claim was made. */
  claimIdempotency(record: IdempotencyRecord): Promise<IdempotencyRecord | undefined>;
  /** The live record. */
  readIdempotency(key: string): Promise<IdempotencyRecord | undefined>;
  releaseIdempotency(key: string): Promise<void>;
  /**
   * Replaces a claim by the finished record. For answers that no commit carries: of units that changed nothing, and failures; a unit
   * that writes stores its answer in its own commit (docs/server/requests.md#idempotency).
   */
  finishIdempotency(record: IdempotencyRecord): Promise<void>;
  /** Deletes what has expired. */
  sweep(nowMs: number): Promise<void>;
}
