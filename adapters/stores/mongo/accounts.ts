/**
 * Accounts, keys, revocations, counters and claims (docs/server/accounts.md, docs/server/api-keys.md,
 * docs/server/stores.md#document-database).
 */
import type { ClientSession, Document } from 'mongodb';
import type {
  AccountRecord,
  AccountStore,
  ApiKeyRecord,
  IdentityRecord,
} from '../../../core/accounts/account-store.ts';
import { Failure } from '../../../core/errors.ts';
import { rootShape } from '../../../core/memory/root-type.ts';
import { accountFields, accountOf, apiKeyFields, apiKeyOf } from '../account-records.ts';
import type { StoredTypes } from '../stored-types.ts';
import { claimDocument, claimOf } from './claims.ts';
import type { Collections, Stored } from './collections.ts';
import { rootsId } from './commit.ts';
import { typeFields } from './rows.ts';
import { transact } from './transact.ts';
import { asked, isDuplicate, pause, unavailable } from './trouble.ts';

export interface AccountDeps {
  readonly collections: Collections;
  readonly types: StoredTypes;
  readonly sequence: () => string;
  readonly nowMs: () => number;
  readonly patienceMs: number;
}

/** Tries against others who change the same document. */
const mostTries = 20;

export function createAccounts(deps: AccountDeps): AccountStore {
  const { collections, nowMs } = deps;
  const { users, identities, apiKeys, revoked, counters, claims } = collections;
  const live = () => ({ $gt: new Date(nowMs()) });
  const readIdempotency = async (_id: string) => {
    const known = await asked(claims.findOne({ _id, expires_at: live() }));
    return known === null ? undefined : claimOf(known);
  };
  const accountById = async (_id: string) => readAccount(await asked(users.findOne({ _id })));
  return {
    createAccount: (record) => createAccount(deps, record),
    accountById,
    async *allAccounts() {
      for (const found of await asked(users.find({}).toArray())) {
        const record = readAccount(found);
        if (record !== undefined) yield record;
      }
    },
    async accountByIdentity(space, value) {
      const identity = await asked(identities.findOne({ _id: `${space}:${value}` }));
      return identity === null ? undefined : await accountById(String(identity['user_id']));
    },
    updateAccount: (record, expectedUpdatedAt) => updateAccount(deps, record, expectedUpdatedAt),
    async revokeToken(_id, expiresAtSeconds) {
      const expires_at = new Date(expiresAtSeconds * 1000);
      await asked(revoked.updateOne({ _id }, { $set: { expires_at } }, { upsert: true }));
    },
    isRevoked: async (_id) => (await asked(revoked.findOne({ _id }))) !== null,
    addToCounter: (key, amount, windowSeconds) => addToCounter(deps, key, amount, windowSeconds),
    async readCounter(_id) {
      const counter = await asked(counters.findOne({ _id, expires_at: live() }));
      return counter === null ? undefined : counterOf(counter);
    },
    async clearCounter(_id) {
      await asked(counters.deleteOne({ _id }));
    },
    createApiKey: (record, limit) => createApiKey(deps, record, limit),
    async revokeApiKey(_id, revokedAt) {
      await asked(apiKeys.updateOne({ _id }, { $set: { revoked_at: revokedAt } }));
    },
    async touchApiKey(_id, { lastUsedAt, signingSecret }) {
      const secret = signingSecret === undefined ? {} : { signing_secret: signingSecret };
      await asked(apiKeys.updateOne({ _id }, { $set: { last_used_at: lastUsedAt, ...secret } }));
    },
    apiKeyById: async (_id) => readApiKey(await asked(apiKeys.findOne({ _id }))),
    async apiKeysOf(userId) {
      const found = await asked(apiKeys.find({ user_id: userId }).sort({ created_at: 1, _id: 1 }).toArray());
      return found.flatMap((record) => readApiKey(record) ?? []);
    },
    async claimIdempotency(record) {
      const { _id, ...rest } = claimDocument(record);
      for (let attempt = 0; attempt < mostTries; attempt++) {
        // Puts the claim in the place of nothing or of one that is over; a live one is in its way.
        const free = { _id, expires_at: { $lte: new Date(nowMs()) } };
        if (await inserted(claims.replaceOne(free, rest, { upsert: true }))) return undefined;
        const known = await readIdempotency(_id);
        if (known !== undefined) return known;
        await pause(attempt);
      }
      throw busy();
    },
    readIdempotency,
    async releaseIdempotency(_id) {
      await asked(claims.deleteOne({ _id }));
    },
    async finishIdempotency(record) {
      const { _id, ...rest } = claimDocument(record);
      await asked(claims.replaceOne({ _id }, rest, { upsert: true }));
    },
    // The server does it too, up to a minute later.
    async sweep(now) {
      const over = { expires_at: { $lte: new Date(now) } };
      await asked(Promise.all([revoked, counters, claims].map((collection) => collection.deleteMany(over))));
    },
  };
}

/** False when the place was taken. */
async function inserted(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw unavailable(error);
  }
}

function busy(): Failure {
  return new Failure('SERVICE_UNAVAILABLE', 'the store is overloaded', { headers: { 'Retry-After': '1' } });
}

// ---------------------------------------------------------------- accounts

/** An identity in the way ends the transaction; which one it was is read from the key. */
class Taken extends Error {
  readonly identity: IdentityRecord;
  constructor(identity: IdentityRecord) {
    super('taken');
    this.identity = identity;
  }
}

async function inTransaction<T>(deps: AccountDeps, work: (session: ClientSession) => Promise<T>): Promise<T> {
  try {
    return await transact(deps.collections.client, deps.patienceMs, work);
  } catch (error) {
    if (!(error instanceof Taken)) throw unavailable(error);
    const { type } = error.identity;
    throw new Failure('IDENTITY_TAKEN', `this ${type} belongs to another account`, { details: { identity: type } });
  }
}

/** Account, identities and root in one transaction. */
async function createAccount(deps: AccountDeps, record: AccountRecord): Promise<void> {
  const { collections, types, sequence } = deps;
  const { _id, ...account } = accountDocument(record);
  const type = await types.intern(rootShape());
  const at = { created_at: record.createdAt, updated_at: record.createdAt };
  const root = { ...typeFields(type), owner: record.rootId, data: {}, rev: 1, topo: 0, seq: sequence(), ...at };
  await inTransaction(deps, async (session) => {
    for (const identity of record.identities) await addIdentity(collections, session, record.userId, identity);
    await collections.users.insertOne({ _id, ...account }, { session });
    await collections.nodes.insertOne({ _id: record.rootId, ...root }, { session });
    await collections.meta.updateOne({ _id: rootsId }, { $inc: { topo: 1 } }, { session });
  });
}

/** @throws Taken when it belongs to somebody else */
async function addIdentity(
  { identities }: Collections,
  session: ClientSession,
  userId: string,
  identity: IdentityRecord,
): Promise<void> {
  const { type, value, email, verified, createdAt } = identity;
  const _id = identityId(identity);
  const fields = { type, value, email, verified, created_at: createdAt };
  const known = await identities.findOne({ _id }, { session });
  if (known !== null && known['user_id'] !== userId) throw new Taken(identity);
  try {
    await identities.updateOne({ _id }, { $set: { ...fields, user_id: userId } }, { upsert: true, session });
  } catch (error) {
    if (isDuplicate(error)) throw new Taken(identity);
    throw error;
  }
}

function identityId({ type, value }: IdentityRecord): string {
  return `${type === 'sso' ? 'sso' : 'login'}:${value}`;
}

async function updateAccount(deps: AccountDeps, record: AccountRecord, expected: string): Promise<boolean> {
  const { collections } = deps;
  const { users, identities } = collections;
  const { _id, ...account } = accountDocument(record);
  return await inTransaction(deps, async (session) => {
    const known = await users.findOneAndReplace({ _id, updated_at: expected }, account, { session });
    if (known === null) return false;
    const before = (known['identities'] as IdentityRecord[]).map(identityId);
    const kept = new Set(record.identities.map(identityId));
    const gone = before.filter((id) => !kept.has(id));
    if (gone.length > 0) await identities.deleteMany({ _id: { $in: gone }, user_id: record.userId }, { session });
    for (const identity of record.identities) await addIdentity(collections, session, record.userId, identity);
    return true;
  });
}

function accountDocument(record: AccountRecord): Stored {
  const identities = record.identities.map((identity) => ({ ...identity }));
  return { _id: record.userId, ...accountFields(record), identities };
}

function readAccount(record: Stored | null): AccountRecord | undefined {
  if (record === null) return undefined;
  return accountOf(record, { userId: record._id, identities: record['identities'] as IdentityRecord[] });
}

// ---------------------------------------------------------------- counters

function counterOf(record: Document): { count: number; expiresAt: number } {
  return { count: Number(record['count']), expiresAt: (record['expires_at'] as Date).getTime() };
}

async function addToCounter(
  { collections: { counters }, nowMs }: AccountDeps,
  _id: string,
  amount: number,
  windowSeconds: number,
): Promise<{ count: number; expiresAt: number }> {
  for (let attempt = 0; attempt < mostTries; attempt++) {
    const now = new Date(nowMs());
    const running = { _id, expires_at: { $gt: now } };
    const counted = await asked(
      counters.findOneAndUpdate(running, { $inc: { count: amount } }, { returnDocument: 'after' }),
    );
    if (counted !== null) return counterOf(counted);
    const fresh = { count: amount, expires_at: new Date(now.getTime() + windowSeconds * 1000) };
    if (await inserted(counters.replaceOne({ _id, expires_at: { $lte: now } }, fresh, { upsert: true })))
      return counterOf(fresh);
    await pause(attempt);
  }
  throw busy();
}

// ---------------------------------------------------------------- API keys

/** Two made at once both write to the account, so that both are counted. */
async function createApiKey(deps: AccountDeps, record: ApiKeyRecord, limit: number): Promise<boolean> {
  const { apiKeys, users } = deps.collections;
  const { _id, ...key } = apiKeyDocument(record);
  return await inTransaction(deps, async (session) => {
    await users.updateOne({ _id: record.userId }, { $inc: { seen: 1 } }, { session });
    const found = await apiKeys.find({ user_id: record.userId, revoked_at: null }, { session }).toArray();
    if (found.length >= limit) return false;
    await apiKeys.insertOne({ _id, ...key }, { session });
    return true;
  });
}

function apiKeyDocument(record: ApiKeyRecord): Stored {
  return { _id: record.id, ...apiKeyFields(record), allowed_walkers: [...record.allowedWalkers] };
}

function readApiKey(record: Stored | null): ApiKeyRecord | undefined {
  if (record === null) return undefined;
  return apiKeyOf(record, { id: record._id, allowedWalkers: record['allowed_walkers'] as string[] });
}
