import type { AccountRecord, AccountStore } from './account-store.ts';
import { normaliseIdentity } from './identity.ts';

/** The account with this email address, username or id; undefined for the built-in accounts too. */
export async function findByName(
  accounts: Pick<AccountStore, 'accountByIdentity' | 'accountById'>,
  name: string,
): Promise<AccountRecord | undefined> {
  const found =
    (await accounts.accountByIdentity('login', normaliseIdentity(name))) ?? (await accounts.accountById(name.trim()));
  return found?.role === 'system' ? undefined : found;
}
