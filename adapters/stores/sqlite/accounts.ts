/**
 * Accounts in the same file as the graph: an account and its root are written in one transaction
 * (docs/server/accounts.md, docs/server/storage.md#guarantees).
 */
import type {
  AccountRecord,
  AccountStore,
  ApiKeyRecord,
  IdempotencyRecord,
  IdentityRecord,
} from '../../../core/accounts/account-store.ts';
import { Failure } from '../../../core/errors.ts';
import type { StoredType } from '../../../core/memory/rows.ts';
import type { Job } from './group-commit.ts';
import type { Sql } from './sql-cache.ts';

export interface AccountDeps {
  readonly sql: Sql;
  readonly submit: (job: Job) => Promise<void>;
  readonly nextKey: () => number;
  readonly addRoot: (key: number) => void;
  readonly rootType: StoredType;
  readonly nowMs: () => number;
  /** Turns a driver's error into a Failure. */
  readonly guard: <T>(work: () => T) => T;
}

export function createAccounts(deps: AccountDeps): AccountStore {
  const { sql, guard } = deps;
  const write = async <T>(work: () => T, check?: () => void): Promise<T> => {
    let result!: T;
    const job: Job = {
      run: () => {
        result = work();
      },
      applied: () => {},
    };
    await deps.submit(check === undefined ? job : { ...job, check });
    return result;
  };
  const account = (userId: string): AccountRecord | undefined => {
    const row = sql('SELECT * FROM users WHERE user_id = ?').row(userId);
    if (row === undefined) return undefined;
    return accountOf(
      row,
      sql('SELECT * FROM identities WHERE user_id = ? ORDER BY created_at, space, value').rows(userId),
    );
  };
  return {
    createAccount: (record) =>
      write(
        () => insertAccount(deps, record),
        () => requireFree(sql, record),
      ),
    accountById: (userId) => guard(() => account(userId)),
    async *allAccounts() {
      for (const { user_id } of guard(() => sql('SELECT user_id FROM users').rows())) {
        const record = guard(() => account(user_id));
        if (record !== undefined) yield record;
      }
    },
    accountByIdentity: (space, value) =>
      guard(() => {
        const userId = sql('SELECT user_id AS v FROM identities WHERE space = ? AND value = ?').value(space, value) as
          | string
          | null;
        return userId === null ? undefined : account(userId);
      }),
    updateAccount: (record, expectedUpdatedAt) =>
      write(
        () => {
          if (sql('SELECT updated_at AS v FROM users WHERE user_id = ?').value(record.userId) !== expectedUpdatedAt)
            return false;
          updateAccount(sql, record);
          return true;
        },
        () => {
          if (sql('SELECT updated_at AS v FROM users WHERE user_id = ?').value(record.userId) === expectedUpdatedAt)
            requireFree(sql, record);
        },
      ),
    revokeToken: (jti, expiresAtSeconds) =>
      write(
        () =>
          void sql('INSERT OR REPLACE INTO revoked_tokens (jti, expires_at) VALUES (?, ?)').run(jti, expiresAtSeconds),
      ),
    isRevoked: (jti) => guard(() => sql('SELECT 1 AS v FROM revoked_tokens WHERE jti = ?').value(jti) !== null),
    addToCounter: (key, amount, windowSeconds) => write(() => addToCounter(deps, key, amount, windowSeconds)),
    readCounter: (key) =>
      guard(() => {
        const row = sql('SELECT count, expires_at FROM counters WHERE key = ?').row(key);
        return row === undefined || row.expires_at <= deps.nowMs()
          ? undefined
          : { count: row.count, expiresAt: row.expires_at };
      }),
    clearCounter: (key) => write(() => void sql('DELETE FROM counters WHERE key = ?').run(key)),
    createApiKey: (record, limit) =>
      write(() => {
        const live = sql('SELECT count(*) AS v FROM api_keys WHERE user_id = ? AND revoked_at IS NULL').value(
          record.userId,
        );
        if ((live as number) >= limit) return false;
        insertApiKey(sql, record);
        return true;
      }),
    revokeApiKey: (id, revokedAt) =>
      write(() => void sql('UPDATE api_keys SET revoked_at = ? WHERE id = ?').run(revokedAt, id)),
    touchApiKey: (id, { lastUsedAt, signingSecret }) =>
      write(
        () =>
          void sql(
            'UPDATE api_keys SET last_used_at = ?, signing_secret = coalesce(?, signing_secret) WHERE id = ?',
          ).run(lastUsedAt, signingSecret ?? null, id),
      ),
    apiKeyById: (id) => guard(() => apiKeyOf(sql('SELECT * FROM api_keys WHERE id = ?').row(id))),
    apiKeysOf: (userId) =>
      guard(() =>
        sql('SELECT * FROM api_keys WHERE user_id = ? ORDER BY created_at, id')
          .rows(userId)
          .map((row) => apiKeyOf(row)!),
      ),
    claimIdempotency: (record) => write(() => claim(deps, record)),
    readIdempotency: async (key) => guard(() => liveClaim(deps, key)),
    releaseIdempotency: (key) => write(() => void sql('DELETE FROM idempotency WHERE key = ?').run(key)),
    finishIdempotency: (record) => write(() => putIdempotency(sql, record)),
    sweep: (nowMs) =>
      write(() => {
        sql('DELETE FROM revoked_tokens WHERE expires_at < ?').run(Math.floor(nowMs / 1000));
        sql('DELETE FROM counters WHERE expires_at <= ?').run(nowMs);
        sql('DELETE FROM idempotency WHERE expires_at <= ?').run(nowMs);
      }),
  };
}

// ---------------------------------------------------------------- accounts

function spaceOf(identity: IdentityRecord): 'login' | 'sso' {
  return identity.type === 'sso' ? 'sso' : 'login';
}

/** @throws Failure `IDENTITY_TAKEN` when an identity belongs to another account */
function requireFree(sql: Sql, record: AccountRecord): void {
  for (const identity of record.identities) {
    const owner = sql('SELECT user_id AS v FROM identities WHERE space = ? AND value = ?').value(
      spaceOf(identity),
      identity.value,
    ) as string | null;
    if (owner === null || owner === record.userId) continue;
    throw new Failure('IDENTITY_TAKEN', `this ${identity.type} belongs to another account`, {
      details: { identity: identity.type },
    });
  }
}

function insertAccount(deps: AccountDeps, record: AccountRecord): void {
  const { sql } = deps;
  sql(
    'INSERT INTO users (user_id, root_id, role, password_hash, profile, disabled, session_version, created_at, updated_at, last_login_at, password_changed_at) ' +
      'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(
    record.userId,
    record.rootId,
    record.role,
    record.passwordHash,
    JSON.stringify(record.profile),
    record.disabled ? 1 : 0,
    record.sessionVersion,
    record.createdAt,
    record.updatedAt,
    record.lastLoginAt,
    record.passwordChangedAt,
  );
  insertIdentities(sql, record);
  const key = deps.nextKey();
  const now = deps.nowMs();
  sql(
    'INSERT INTO node (id, uid, type, owner, rev, topo, created_at, updated_at, data) VALUES (?, ?, ?, ?, 1, 0, ?, ?, ?)',
  ).run(key, record.rootId, deps.rootType.id, key, now, now, '{}');
  deps.addRoot(key);
}

function insertIdentities(sql: Sql, record: AccountRecord): void {
  const insert = sql(
    'INSERT INTO identities (space, value, type, user_id, email, verified, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  for (const identity of record.identities) {
    insert.run(
      spaceOf(identity),
      identity.value,
      identity.type,
      record.userId,
      identity.email,
      identity.verified ? 1 : 0,
      identity.createdAt,
    );
  }
}

function updateAccount(sql: Sql, record: AccountRecord): void {
  sql(
    'UPDATE users SET role = ?, password_hash = ?, profile = ?, disabled = ?, session_version = ?, updated_at = ?, last_login_at = ?, password_changed_at = ? WHERE user_id = ?',
  ).run(
    record.role,
    record.passwordHash,
    JSON.stringify(record.profile),
    record.disabled ? 1 : 0,
    record.sessionVersion,
    record.updatedAt,
    record.lastLoginAt,
    record.passwordChangedAt,
    record.userId,
  );
  sql('DELETE FROM identities WHERE user_id = ?').run(record.userId);
  insertIdentities(sql, record);
}

function accountOf(row: any, identities: readonly any[]): AccountRecord {
  return {
    userId: row.user_id,
    rootId: row.root_id,
    role: row.role,
    passwordHash: row.password_hash,
    profile: JSON.parse(row.profile),
    disabled: row.disabled === 1,
    sessionVersion: row.session_version,
    identities: identities.map(identityOf),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastLoginAt: row.last_login_at,
    passwordChangedAt: row.password_changed_at,
  };
}

function identityOf(row: any): IdentityRecord {
  return {
    type: row.type,
    value: row.value,
    email: row.email,
    verified: row.verified === 1,
    createdAt: row.created_at,
  };
}

// ---------------------------------------------------------------- counters, keys, claims

function addToCounter(
  deps: AccountDeps,
  key: string,
  amount: number,
  windowSeconds: number,
): { count: number; expiresAt: number } {
  const now = deps.nowMs();
  const known = deps.sql('SELECT count, expires_at FROM counters WHERE key = ?').row(key);
  const live = known !== undefined && known.expires_at > now;
  const next = {
    count: (live ? known.count : 0) + amount,
    expiresAt: live ? known.expires_at : now + windowSeconds * 1000,
  };
  deps
    .sql('INSERT OR REPLACE INTO counters (key, count, expires_at) VALUES (?, ?, ?)')
    .run(key, next.count, next.expiresAt);
  return next;
}

function insertApiKey(sql: Sql, key: ApiKeyRecord): void {
  sql(
    'INSERT INTO api_keys (id, user_id, name, secret_hash, signing_secret, scopes, allowed_walkers, created_at, expires_at, revoked_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(
    key.id,
    key.userId,
    key.name,
    key.secretHash,
    key.signingSecret,
    JSON.stringify(key.scopes),
    JSON.stringify(key.allowedWalkers),
    key.createdAt,
    key.expiresAt,
    key.revokedAt,
    key.lastUsedAt,
  );
}

function apiKeyOf(row: any): ApiKeyRecord | undefined {
  if (row === undefined) return undefined;
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    secretHash: row.secret_hash,
    signingSecret: row.signing_secret,
    scopes: JSON.parse(row.scopes),
    allowedWalkers: JSON.parse(row.allowed_walkers),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}

/** The live claim of somebody else, or undefined when the key is ours now. */
function claim(deps: AccountDeps, record: IdempotencyRecord): IdempotencyRecord | undefined {
  const known = liveClaim(deps, record.key);
  if (known === undefined) putIdempotency(deps.sql, record);
  return known;
}

function liveClaim({ sql, nowMs }: AccountDeps, key: string): IdempotencyRecord | undefined {
  const known = sql('SELECT * FROM idempotency WHERE key = ?').row(key);
  return known !== undefined && known.expires_at > nowMs() ? idempotencyOf(known) : undefined;
}

/** Inside a write transaction. */
export function putIdempotency(sql: Sql, record: IdempotencyRecord): void {
  sql(
    'INSERT OR REPLACE INTO idempotency (key, request_hash, state, status, body, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(record.key, record.requestHash, record.state, record.status, record.body, record.expiresAt);
}

function idempotencyOf(row: any): IdempotencyRecord {
  return {
    key: row.key,
    requestHash: row.request_hash,
    state: row.state,
    status: row.status,
    body: row.body,
    expiresAt: row.expires_at,
  };
}
