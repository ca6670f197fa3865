/**
 * Operations that whoever runs an application performs on its accounts: `svc user`. Nobody is asked for a password;
 * everything is durable when it resolves.
 */
import { effectiveRole, laterStamp, type Role } from './account.ts';
import type { AccountConfig } from './account-config.ts';
import type { AccountRecord, AccountStore } from './account-store.ts';
import { type AccountDesk, changeAccount } from './desk.ts';
import { findByName } from './find-by-name.ts';
import { type LoginIdentity, normaliseIdentity } from './identity.ts';
import { randomIds } from './ids.ts';
import type { Passwords } from './passwords.ts';
import { newAccount } from './register.ts';
import { createSessions } from './sessions.ts';

export interface AdministrationDeps {
  readonly store: AccountStore;
  readonly config: AccountConfig;
  readonly passwords: Passwords;
  /** Tells running servers to look at an account again. */
  readonly tell: (userId: string) => Promise<void>;
}

export interface Administration {
  /** Finds an account by one of its names; undefined for the built-in accounts too. */
  find(name: string): Promise<AccountRecord | undefined>;
  /** All but the built-in ones, in no order. */
  all(): AsyncIterable<AccountRecord>;
  roleOf(account: AccountRecord): Role;
  /** @throws Failure `IDENTITY_TAKEN` */
  add(identity: LoginIdentity, password: string): Promise<AccountRecord>;
  /** A disabled account keeps its data; its sessions and API keys are no longer accepted. */
  setDisabled(account: AccountRecord, disabled: boolean): Promise<AccountRecord>;
  /** Ends its sessions too. */
  setPassword(account: AccountRecord, password: string): Promise<AccountRecord>;
  endSessions(account: AccountRecord): Promise<AccountRecord>;
}

export function administer({ store, config, passwords, tell }: AdministrationDeps): Administration {
  const desk: Pick<AccountDesk, 'store' | 'sessions' | 'now' | 'ids' | 'admins'> = {
    store,
    sessions: createSessions(store, 0),
    ids: randomIds,
    admins: new Set(config.scale.auth.admins.map(normaliseIdentity)),
    now: Date.now,
  };

  async function change(
    { userId }: AccountRecord,
    changes: (account: AccountRecord) => Partial<AccountRecord> | undefined,
  ): Promise<AccountRecord> {
    const account = await changeAccount(desk, userId, (current) => {
      const changed = changes(current);
      return changed && { ...current, ...changed, updatedAt: laterStamp(desk.now(), current.updatedAt) };
    });
    await tell(userId);
    return account;
  }

  const nextSession = ({ sessionVersion }: AccountRecord) => ({ sessionVersion: sessionVersion + 1 });

  return {
    find: (name) => findByName(store, name),
    async *all() {
      for await (const account of store.allAccounts()) if (account.role !== 'system') yield account;
    },
    roleOf: (account) => effectiveRole(account, desk.admins),
    async add(identity, password) {
      const account = newAccount(desk, [identity], await passwords.hash(password), {});
      await store.createAccount(account);
      return account;
    },
    setDisabled: (account, disabled) =>
      change(account, (current) =>
        current.disabled === disabled ? undefined : { disabled, ...(disabled ? nextSession(current) : {}) },
      ),
    async setPassword(account, password) {
      const passwordHash = await passwords.hash(password);
      return await change(account, (current) => ({
        passwordHash,
        passwordChangedAt: laterStamp(desk.now(), current.updatedAt),
        ...nextSession(current),
      }));
    },
    endSessions: (account) => change(account, nextSession),
  };
}
