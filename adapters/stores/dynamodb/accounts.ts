/**
 * Accounts, keys, revocations, counters and claims in the table of the graph (docs/server/accounts.md,
 * docs/server/api-keys.md, docs/server/stores.md#dynamodb).
 */
import type {
  AccountRecord,
  AccountStore,
  ApiKeyRecord,
  IdempotencyRecord,
  IdentityRecord,
} from '../../../core/accounts/account-store.ts';
import { Failure } from '../../../core/errors.ts';
import { newId } from '../../../core/graph/ids.ts';
import { rootShape } from '../../../core/memory/root-type.ts';
import { accountFields, accountOf, apiKeyFields, apiKeyOf } from '../account-records.ts';
import type { StoredTypes } from '../stored-types.ts';
import { claimItem, claimOf } from './claims.ts';
import type { Test } from './expression.ts';
import type { Intents } from './intents.ts';
import { type Item, nameOf } from './item.ts';
import {
  apiKeyKey,
  claimKey,
  counterKey,
  identityKey,
  nodeKey,
  revocationKey,
  rootKey,
  rootsCounter,
  userKey,
} from './keys.ts';
import { typeItem } from './rows.ts';
import type { Table, Write } from './table.ts';
import { pause } from './trouble.ts';

export interface AccountDeps {
  readonly table: Table;
  readonly intents: Intents;
  readonly types: StoredTypes;
  readonly sequence: () => string;
  readonly nowMs: () => number;
}

/** Tries against others who change the same item. */
const mostTries = 20;

export function createAccounts(deps: AccountDeps): AccountStore {
  const { table, nowMs } = deps;
  const expiring = createExpiring();
  const accountById = async (userId: string) => readAccount(await table.get(userKey(userId)));
  return {
    createAccount: (record) => createAccount(deps, record),
    accountById,
    async *allAccounts() {
      const filter = 'begins_with(pk, :u) AND sk = :a';
      for await (const page of table.scan(filter, {}, { ':u': 'U#', ':a': 'A' })) {
        for (const item of page) {
          const record = readAccount(item);
          if (record !== undefined) yield record;
        }
      }
    },
    async accountByIdentity(space, value) {
      const identity = await table.get(identityKey(space, value));
      return identity === undefined ? undefined : accountById(String(identity['user_id']));
    },
    updateAccount: (record, expectedUpdatedAt) => updateAccount(deps, record, expectedUpdatedAt),
    async revokeToken(jti, expiresAtSeconds) {
      await table.write({ key: revocationKey(jti), put: { ttl: expiresAtSeconds }, when: [] });
    },
    isRevoked: async (jti) => (await table.get(revocationKey(jti))) !== undefined,
    addToCounter: (key, amount, windowSeconds) => addToCounter(deps, key, amount, windowSeconds),
    async readCounter(key) {
      const item = await table.get(counterKey(key));
      const counter = item === undefined ? undefined : counterOf(item);
      return counter === undefined || counter.expiresAt <= nowMs() ? undefined : counter;
    },
    async clearCounter(key) {
      await table.write({ key: counterKey(key), isDelete: true, when: [] });
    },
    createApiKey: (record, limit) => createApiKey(deps, record, limit),
    async revokeApiKey(id, revokedAt) {
      await table.write({ key: apiKeyKey(id), change: { set: { revoked_at: revokedAt } }, when: [['present', 'pk']] });
    },
    async touchApiKey(id, { lastUsedAt, signingSecret }) {
      const set = {
        last_used_at: lastUsedAt,
        ...(signingSecret === undefined ? {} : { signing_secret: signingSecret }),
      };
      await table.write({ key: apiKeyKey(id), change: { set }, when: [['present', 'pk']] });
    },
    apiKeyById: async (id) => readApiKey(await table.get(apiKeyKey(id))),
    apiKeysOf: (userId) => apiKeysOf(table, userId),
    async claimIdempotency(record) {
      const key = claimKey(record.key);
      expiring.note(record);
      for (let attempt = 0; ; attempt++) {
        const known = await table.get(key);
        if (known !== undefined && Number(known['expires_at']) > nowMs()) return claimOf(record.key, known);
        const when: Test[] = known === undefined ? [['absent', 'pk']] : [['=', 'expires_at', known['expires_at']]];
        if (await table.write({ key, put: claimItem(record), when })) return undefined;
        if (attempt >= mostTries) throw busy();
        await pause(attempt);
      }
    },
    async readIdempotency(key) {
      const known = await table.get(claimKey(key));
      return known !== undefined && Number(known['expires_at']) > nowMs() ? claimOf(key, known) : undefined;
    },
    async releaseIdempotency(key) {
      await table.write({ key: claimKey(key), isDelete: true, when: [] });
    },
    async finishIdempotency(record) {
      expiring.note(record);
      await table.write({ key: claimKey(record.key), put: claimItem(record), when: [] });
    },
    // The service itself deletes what has expired (`ttl`); an emulator may not.
    async sweep(now) {
      await Promise.all(
        expiring
          .until(now)
          .map((key) => table.write({ key: claimKey(key), isDelete: true, when: [['<=', 'expires_at', now]] })),
      );
      await deps.intents.recover();
    },
  };
}

function absentOr(test: Test): Test {
  return ['any', [['absent', 'pk'], test]];
}

function busy(): Failure {
  return new Failure('SERVICE_UNAVAILABLE', 'the store is overloaded', { headers: { 'Retry-After': '1' } });
}

/** Claims this process made, so that it can delete them in time. */
function createExpiring() {
  const claims = new Map<string, number>();
  return {
    note({ key, expiresAt }: IdempotencyRecord) {
      if (claims.size < 100_000) claims.set(key, expiresAt);
    },
    until(now: number): string[] {
      const over = [...claims].filter(([, expiresAt]) => expiresAt <= now).map(([key]) => key);
      for (const key of over) claims.delete(key);
      return over;
    },
  };
}

// ---------------------------------------------------------------- accounts

function keyOfIdentity({ type, value }: IdentityRecord) {
  return identityKey(type === 'sso' ? 'sso' : 'login', value);
}

/** Account, identities and root in one transaction. */
async function createAccount(deps: AccountDeps, record: AccountRecord): Promise<void> {
  const { types, sequence } = deps;
  const { rootId, identities } = record;
  const root = { ...typeItem(await types.intern(rootShape())), owner: rootId, access: '', data: '{}', attic: '' };
  const isNew: readonly Test[] = [['absent', 'pk']];
  const at = { created_at: record.createdAt, updated_at: record.createdAt };
  const writes: Write[] = [
    ...identities.map((identity) => ({ key: keyOfIdentity(identity), put: { user_id: record.userId }, when: isNew })),
    { key: userKey(record.userId), put: accountItem(record), when: isNew },
    { key: nodeKey(rootId), put: { ...root, rev: 1, topo: 0, ...at }, when: isNew },
    { key: rootKey(rootId), put: { seq: sequence(), ...at }, when: isNew },
    { key: rootsCounter, change: { add: { topo: 1 } }, when: [['absent', 'intent']] },
  ];
  const refused = await transactPatiently(deps, writes);
  const taken = refused === undefined ? undefined : identities[refused[0]!];
  if (taken !== undefined) throw identityTaken(taken);
  if (refused !== undefined) throw new Error(`the account ${record.userId} exists already`);
}

/** Items that a large commit holds for the moment are waited for. */
async function transactPatiently(deps: AccountDeps, writes: readonly Write[]): Promise<readonly number[] | undefined> {
  for (let attempt = 0; ; attempt++) {
    const refused = await deps.table.transact(writes, newId());
    const held = refused?.find((place) => nameOf(writes[place]!.key) === nameOf(rootsCounter));
    if (held === undefined || attempt >= mostTries) return refused;
    const item = await deps.table.get(rootsCounter);
    if (item !== undefined) await deps.intents.settle(item);
    await pause(attempt);
  }
}

function identityTaken({ type }: IdentityRecord): Failure {
  return new Failure('IDENTITY_TAKEN', `this ${type} belongs to another account`, { details: { identity: type } });
}

async function updateAccount(deps: AccountDeps, record: AccountRecord, expected: string): Promise<boolean> {
  const { table } = deps;
  const key = userKey(record.userId);
  const known = readAccount(await table.get(key));
  if (known === undefined || known.updatedAt !== expected) return false;
  const before = new Set(known.identities.map((identity) => nameOf(keyOfIdentity(identity))));
  const after = new Set(record.identities.map((identity) => nameOf(keyOfIdentity(identity))));
  const added = record.identities.filter((identity) => !before.has(nameOf(keyOfIdentity(identity))));
  const gone = known.identities.filter((identity) => !after.has(nameOf(keyOfIdentity(identity))));
  const refused = await table.transact(
    [
      { key, put: accountItem(record), when: [['=', 'updated_at', expected]] },
      ...added.map(
        (identity): Write => ({
          key: keyOfIdentity(identity),
          put: { user_id: record.userId },
          when: [absentOr(['=', 'user_id', record.userId])],
        }),
      ),
      ...gone.map(
        (identity): Write => ({
          key: keyOfIdentity(identity),
          isDelete: true,
          when: [['=', 'user_id', record.userId]],
        }),
      ),
    ],
    newId(),
  );
  if (refused === undefined) return true;
  const taken = refused.includes(0) ? undefined : added[refused[0]! - 1];
  if (taken !== undefined) throw identityTaken(taken);
  return false;
}

function accountItem(record: AccountRecord): Item {
  return { ...accountFields(record), identities: JSON.stringify(record.identities) };
}

function readAccount(item: Item | undefined): AccountRecord | undefined {
  if (item === undefined) return undefined;
  const identities = JSON.parse(String(item['identities'])) as IdentityRecord[];
  return accountOf(item, { userId: idOf(item), identities });
}

/** Gives the id in the key of an item: the text behind the sign of its kind. */
function idOf(item: Item): string {
  return String(item['pk']).slice(2);
}

// ---------------------------------------------------------------- counters

function counterOf(item: Item): { count: number; expiresAt: number } {
  return { count: Number(item['count']), expiresAt: Number(item['expires_at']) };
}

async function addToCounter(
  { table, nowMs }: AccountDeps,
  name: string,
  amount: number,
  windowSeconds: number,
): Promise<{ count: number; expiresAt: number }> {
  const key = counterKey(name);
  for (let attempt = 0; ; attempt++) {
    const now = nowMs();
    const counted = await table.update({ key, change: { add: { count: amount } }, when: [['>', 'expires_at', now]] });
    if (counted !== undefined) return counterOf(counted);
    const expiresAt = now + windowSeconds * 1000;
    const put = { count: amount, expires_at: expiresAt, ttl: Math.ceil(expiresAt / 1000) };
    if (await table.write({ key, put, when: [absentOr(['<=', 'expires_at', now])] }))
      return { count: amount, expiresAt };
    if (attempt >= mostTries) throw busy();
    await pause(attempt);
  }
}

// ---------------------------------------------------------------- API keys

const keysPrefix = 'K#';

/** Changes with every new key of an account, so that two made at once are both counted. */
function keysCounter(userId: string) {
  return { pk: userKey(userId).pk, sk: 'K' };
}

async function createApiKey({ table }: AccountDeps, record: ApiKeyRecord, limit: number): Promise<boolean> {
  const counter = keysCounter(record.userId);
  for (let attempt = 0; ; attempt++) {
    const seen = await table.get(counter);
    const keys = await apiKeysOf(table, record.userId);
    if (keys.filter(({ revokedAt }) => revokedAt === null).length >= limit) return false;
    const count = Number(seen?.['count'] ?? 0);
    const refused = await table.transact(
      [
        {
          key: counter,
          put: { count: count + 1 },
          when: seen === undefined ? [['absent', 'pk']] : [['=', 'count', count]],
        },
        { key: apiKeyKey(record.id), put: apiKeyItem(record), when: [['absent', 'pk']] },
        {
          key: { pk: counter.pk, sk: `${keysPrefix}${record.createdAt}#${record.id}` },
          put: { key: record.id },
          when: [],
        },
      ],
      newId(),
    );
    if (refused === undefined) return true;
    if (!refused.includes(0) || attempt >= mostTries) throw new Error(`the API key ${record.id} cannot be stored`);
    await pause(attempt);
  }
}

async function apiKeysOf(table: Table, userId: string): Promise<ApiKeyRecord[]> {
  const listed = await table.query({ pk: userKey(userId).pk, prefix: keysPrefix });
  const items = await table.getMany(listed.map((item) => apiKeyKey(String(item['key']))));
  return items.flatMap((item) => readApiKey(item) ?? []);
}

function apiKeyItem(record: ApiKeyRecord): Item {
  return { ...apiKeyFields(record), allowed_walkers: JSON.stringify(record.allowedWalkers) };
}

function readApiKey(item: Item | undefined): ApiKeyRecord | undefined {
  if (item === undefined) return undefined;
  const allowedWalkers = JSON.parse(String(item['allowed_walkers'])) as string[];
  return apiKeyOf(item, { id: idOf(item), allowedWalkers });
}
