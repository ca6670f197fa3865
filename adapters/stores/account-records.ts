/**
 * Fields of accounts and API keys (docs/server/storage.md#records, docs/server/stores.md#document-database) as records
 * of stores that have no columns. Lists in them each store keeps in its own way.
 */
import type { AccountRecord, ApiKeyRecord } from '../../core/accounts/account-store.ts';

export type Fields = { readonly [name: string]: unknown };

/** All but the identities and the id. */
export function accountFields(record: AccountRecord) {
  return {
    root_id: record.rootId,
    role: record.role,
    password_hash: record.passwordHash,
    profile: JSON.stringify(record.profile),
    disabled: record.disabled,
    session_version: record.sessionVersion,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    last_login_at: record.lastLoginAt,
    password_changed_at: record.passwordChangedAt,
  };
}

export function accountOf(
  fields: Fields,
  { userId, identities }: Pick<AccountRecord, 'userId' | 'identities'>,
): AccountRecord {
  return {
    userId,
    rootId: textOf(fields['root_id']),
    role: fields['role'] as AccountRecord['role'],
    passwordHash: textOrNull(fields['password_hash']),
    profile: JSON.parse(textOf(fields['profile'])) as Record<string, unknown>,
    disabled: fields['disabled'] === true,
    sessionVersion: Number(fields['session_version']),
    identities,
    createdAt: textOf(fields['created_at']),
    updatedAt: textOf(fields['updated_at']),
    lastLoginAt: textOrNull(fields['last_login_at']),
    passwordChangedAt: textOrNull(fields['password_changed_at']),
  };
}

/** All but the walkers it is for and the id. Scopes are one text. */
export function apiKeyFields(record: ApiKeyRecord) {
  return {
    user_id: record.userId,
    name: record.name,
    secret_hash: record.secretHash,
    signing_secret: record.signingSecret,
    scopes: record.scopes.join(' '),
    created_at: record.createdAt,
    expires_at: record.expiresAt,
    revoked_at: record.revokedAt,
    last_used_at: record.lastUsedAt,
  };
}

export function apiKeyOf(
  fields: Fields,
  { id, allowedWalkers }: Pick<ApiKeyRecord, 'id' | 'allowedWalkers'>,
): ApiKeyRecord {
  return {
    id,
    userId: textOf(fields['user_id']),
    name: textOf(fields['name']),
    secretHash: textOf(fields['secret_hash']),
    signingSecret: textOf(fields['signing_secret']),
    // Keys of earlier versions have none.
    scopes: (textOf(fields['scopes']) || 'webhook').split(' ') as ApiKeyRecord['scopes'],
    allowedWalkers,
    createdAt: textOf(fields['created_at']),
    expiresAt: textOrNull(fields['expires_at']),
    revokedAt: textOrNull(fields['revoked_at']),
    lastUsedAt: textOrNull(fields['last_used_at']),
  };
}

/** An empty text may be kept as nothing. */
function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
