/** Accounts as lines of an archive and back. */
import type { AccountRecord, IdentityRecord } from '../accounts/account-store.ts';
import type { AccountLine } from './archive.ts';

export function accountLine(record: AccountRecord, withCredentials: boolean): AccountLine {
  const { userId, rootId, role, sessionVersion, createdAt, updatedAt } = record;
  const base = { user_id: userId, root_id: rootId, role };
  const times = { session_version: sessionVersion, created_at: createdAt, updated_at: updatedAt };
  if (!withCredentials) {
    const nobody = { password_hash: null, profile: '{}', disabled: 1 };
    const user = { ...base, ...nobody, ...times, last_login_at: null, password_changed_at: null };
    return { kind: 'account', user, identities: [] };
  }
  return {
    kind: 'account',
    user: {
      ...base,
      password_hash: record.passwordHash,
      profile: JSON.stringify(record.profile),
      disabled: record.disabled ? 1 : 0,
      ...times,
      last_login_at: record.lastLoginAt,
      password_changed_at: record.passwordChangedAt,
    },
    identities: record.identities.map(({ type, value, email, verified, createdAt: at }) => ({
      space: type === 'sso' ? 'sso' : 'login',
      value,
      type,
      user_id: userId,
      email,
      verified: verified ? 1 : 0,
      created_at: at,
    })),
  };
}

/** @throws Error saying which member is not as it should be */
export function accountOf({ user, identities }: AccountLine): AccountRecord {
  const text = (row: Readonly<Record<string, unknown>>, name: string): string => {
    if (typeof row[name] !== 'string') throw new Error(`the ${name} of an account is not a text`);
    return row[name];
  };
  const textOrNull = (row: Readonly<Record<string, unknown>>, name: string) =>
    row[name] === null || row[name] === undefined ? null : text(row, name);
  return {
    userId: text(user, 'user_id'),
    rootId: text(user, 'root_id'),
    role: text(user, 'role') as AccountRecord['role'],
    passwordHash: textOrNull(user, 'password_hash'),
    profile: JSON.parse(text(user, 'profile')),
    disabled: user['disabled'] === 1,
    sessionVersion: Number(user['session_version']),
    identities: identities.map((row) => ({
      type: text(row, 'type') as IdentityRecord['type'],
      value: text(row, 'value'),
      email: textOrNull(row, 'email'),
      verified: row['verified'] === 1,
      createdAt: text(row, 'created_at'),
    })),
    createdAt: text(user, 'created_at'),
    updatedAt: text(user, 'updated_at'),
    lastLoginAt: textOrNull(user, 'last_login_at'),
    passwordChangedAt: textOrNull(user, 'password_changed_at'),
  };
}
