/** Accounts, keys, revocations, counters and claims (docs/server/accounts.md, docs/server/api-keys.md, docs/server/stores.md#postgresql). */
import type {
  AccountRecord,
  AccountStore,
  ApiKeyRecord,
  IdempotencyRecord,
  IdentityRecord,
} from '../../../core/accounts/account-store.ts';
import { Failure } from '../../../core/errors.ts';
import { rootShape } from '../../../core/memory/root-type.ts';
import { accountFields, accountOf, apiKeyFields, apiKeyOf } from '../account-records.ts';
import type { Keys } from './keys.ts';
import { type Asked, type Cells, type Statement, statement, type Values } from './line.ts';
import type { Pool } from './pool.ts';
import * as sql from './statements.ts';
import { brokenUnique, isInTheWay, isMismatch, unavailable } from './trouble.ts';
import { typeNumber } from './types.ts';

export interface AccountDeps {
  readonly pool: Pool;
  readonly keys: Keys;
  readonly nowMs: () => number;
}

const userColumns = [
  ...[
    'user_id',
    'root_id',
    'role',
    'password_hash',
    'profile',
    'disabled',
    'session_version',
    'created_at',
    'updated_at',
  ],
  ...['last_login_at', 'password_changed_at'],
] as const;
const keyColumns = [
  ...[
    'id',
    'user_id',
    'name',
    'secret_hash',
    'signing_secret',
    'scopes',
    'allowed_walkers',
    'created_at',
    'expires_at',
  ],
  ...['revoked_at', 'last_used_at'],
] as const;
const places = (columns: readonly string[]) => columns.map((_, i) => `$${i + 1}`).join(', ');

/** A user with all identities in one row: the last column is a JSON list of them. */
const identitiesOf =
  "(SELECT coalesce(json_agg(json_build_array(i.type, i.value, i.email, i.verified, i.created_at) ORDER BY i.created_at, i.space, i.value), '[]') FROM svc_identities i WHERE i.user_id = u.user_id)";
const users = `SELECT ${userColumns.map((name) => `u.${name}`).join(', ')}, ${identitiesOf} FROM svc_users u`;
const userById = statement(`${users} WHERE u.user_id = $1`);
const userByIdentity = statement(
  `${users} WHERE u.user_id = (SELECT user_id FROM svc_identities WHERE space = $1 AND value = $2)`,
);
const userPage = statement(`${users} WHERE u.user_id > $1 ORDER BY u.user_id LIMIT 500`);
const addUser = statement(`INSERT INTO svc_users (${userColumns.join(', ')}) VALUES (${places(userColumns)})`);
const lockUser = statement(
  'SELECT 1 / (CASE WHEN count(*) = 1 THEN 1 ELSE 0 END) FROM (SELECT 1 FROM svc_users WHERE user_id = $1 AND updated_at = $2 FOR UPDATE) AS held',
);
const changeUser = statement(
  `UPDATE svc_users SET ${userColumns.map((name, i) => `${name} = $${i + 1}`).join(', ')} WHERE user_id = $1`,
);
const addIdentities = statement(
  'INSERT INTO svc_identities (space, value, type, user_id, email, verified, created_at) ' +
    'SELECT space, value, type, user_id, email, verified, created_at FROM json_to_recordset($1::json) AS t(space text, value text, type text, user_id text, email text, verified bool, created_at text)',
);
const dropIdentities = statement('DELETE FROM svc_identities WHERE user_id = $1');
const takenIdentities = statement(
  'SELECT i.space, i.value FROM json_to_recordset($1::json) AS t(space text, value text) JOIN svc_identities i ON i.space = t.space AND i.value = t.value WHERE i.user_id <> $2',
);

const live = '(SELECT count(*) FROM svc_api_keys WHERE user_id = $2 AND revoked_at IS NULL)';
// Two made at once go one after the other, so that both are counted.
const lockOwner = statement('SELECT 1 FROM svc_users WHERE user_id = $1 FOR UPDATE');
const addKey = statement(
  `INSERT INTO svc_api_keys (${keyColumns.join(', ')}) SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text, $11::text ` +
    `WHERE ${live} < $12::int8 RETURNING id`,
);
const revokeKey = statement('UPDATE svc_api_keys SET revoked_at = $2 WHERE id = $1');
const touchKey = statement(
  'UPDATE svc_api_keys SET last_used_at = $2, signing_secret = coalesce($3, signing_secret) WHERE id = $1',
);
const keyById = statement(`SELECT ${keyColumns.join(', ')} FROM svc_api_keys WHERE id = $1`);
const keysOf = statement(
  `SELECT ${keyColumns.join(', ')} FROM svc_api_keys WHERE user_id = $1 ORDER BY created_at, id`,
);

const revoke = statement(
  'INSERT INTO svc_revoked_tokens (jti, expires_at) VALUES ($1, $2::int8) ON CONFLICT (jti) DO UPDATE SET expires_at = excluded.expires_at',
);
const revoked = statement('SELECT 1 FROM svc_revoked_tokens WHERE jti = $1');

const count = statement(
  'INSERT INTO svc_counters AS c (key, count, expires_at) VALUES ($1, $2::int8, $3::int8) ON CONFLICT (key) DO UPDATE SET ' +
    'count = CASE WHEN c.expires_at > $4::int8 THEN c.count + excluded.count ELSE excluded.count END, ' +
    'expires_at = CASE WHEN c.expires_at > $4::int8 THEN c.expires_at ELSE excluded.expires_at END RETURNING count, expires_at',
);
const counted = statement('SELECT count, expires_at FROM svc_counters WHERE key = $1 AND expires_at > $2::int8');
const uncount = statement('DELETE FROM svc_counters WHERE key = $1');

const claimColumns = 'key, request_hash, state, status, body, expires_at';
/** Puts the claim in the place of nothing or of one that is over; a live one stays. */
const claim = statement(
  `INSERT INTO svc_idempotency AS i (${claimColumns}) VALUES ($1, $2, $3, $4::int8, $5, $6::int8) ON CONFLICT (key) DO UPDATE SET ` +
    'request_hash = excluded.request_hash, state = excluded.state, status = excluded.status, body = excluded.body, expires_at = excluded.expires_at ' +
    'WHERE i.expires_at <= $7::int8 RETURNING key',
);
const claimed = statement(`SELECT ${claimColumns} FROM svc_idempotency WHERE key = $1 AND expires_at > $2::int8`);
const unclaim = statement('DELETE FROM svc_idempotency WHERE key = $1');

const sweeps = [
  statement('DELETE FROM svc_revoked_tokens WHERE expires_at <= $1::int8'),
  statement('DELETE FROM svc_counters WHERE expires_at <= $1::int8'),
  statement('DELETE FROM svc_idempotency WHERE expires_at <= $1::int8'),
] as const;

/** Tries against others who change the same. */
const mostTries = 20;

export function createAccounts(deps: AccountDeps): AccountStore {
  const { pool, nowMs } = deps;
  const ask = (what: Statement, ...values: Values) => pool.ask(what, values);
  /** A statement that must not be done twice when its answer is lost. */
  const once = (what: Statement, ...values: Values) =>
    inTransaction(pool, [{ statement: what, values }]).then(([rows]) => rows!);
  const readIdempotency = async (key: string) => claimOf((await ask(claimed, key, nowMs()))[0]);
  return {
    createAccount: (record) => createAccount(deps, record),
    accountById: async (userId) => readAccount((await ask(userById, userId))[0]),
    async *allAccounts() {
      for (let last = ''; ; ) {
        const found = await ask(userPage, last);
        if (found.length === 0) return;
        for (const cells of found) yield readAccount(cells)!;
        last = found.at(-1)![0]!;
      }
    },
    accountByIdentity: async (space, value) => readAccount((await ask(userByIdentity, space, value))[0]),
    updateAccount: (record, expected) => updateAccount(deps, record, expected),
    async revokeToken(jti, expiresAtSeconds) {
      await ask(revoke, jti, expiresAtSeconds);
    },
    isRevoked: async (jti) => (await ask(revoked, jti)).length > 0,
    async addToCounter(key, amount, windowSeconds) {
      const now = nowMs();
      return counterOf((await once(count, key, amount, now + windowSeconds * 1000, now))[0])!;
    },
    readCounter: async (key) => counterOf((await ask(counted, key, nowMs()))[0]),
    async clearCounter(key) {
      await ask(uncount, key);
    },
    async createApiKey(record, limit) {
      const fields = { ...apiKeyFields(record), id: record.id, allowed_walkers: JSON.stringify(record.allowedWalkers) };
      const values = keyColumns.map((name) => fields[name]);
      const [, added] = await inTransaction(pool, [
        { statement: lockOwner, values: [record.userId] },
        { statement: addKey, values: [...values, limit] },
      ]);
      return added!.length > 0;
    },
    async revokeApiKey(id, revokedAt) {
      await ask(revokeKey, id, revokedAt);
    },
    async touchApiKey(id, { lastUsedAt, signingSecret }) {
      await ask(touchKey, id, lastUsedAt, signingSecret ?? null);
    },
    apiKeyById: async (id) => readApiKey((await ask(keyById, id))[0]),
    apiKeysOf: async (userId) => (await ask(keysOf, userId)).map((cells) => readApiKey(cells)!),
    async claimIdempotency(record) {
      for (let tries = 0; tries < mostTries; tries++) {
        if ((await once(claim, ...claimValues(record), nowMs())).length > 0) return undefined;
        const known = await readIdempotency(record.key);
        if (known !== undefined) return known;
      }
      throw busy();
    },
    readIdempotency,
    async releaseIdempotency(key) {
      await ask(unclaim, key);
    },
    async finishIdempotency(record) {
      const [key, request_hash, state, status, body, expires_at] = claimValues(record);
      await ask(sql.putAnswers, JSON.stringify([{ key, request_hash, state, status, body, expires_at }]));
    },
    async sweep(now) {
      await Promise.all([ask(sweeps[0], Math.floor(now / 1000)), ask(sweeps[1], now), ask(sweeps[2], now)]);
    },
  };
}

function busy(): Failure {
  return new Failure('SERVICE_UNAVAILABLE', 'the store is overloaded', { headers: { 'Retry-After': '1' } });
}

async function inTransaction(pool: Pool, asked: readonly Asked[]): Promise<readonly (readonly Cells[])[]> {
  for (let tries = 0; ; tries++) {
    try {
      return await pool.together(asked);
    } catch (error) {
      if (!isInTheWay(error) || brokenUnique(error) !== undefined || tries >= mostTries) throw unavailable(error);
    }
  }
}

// ---------------------------------------------------------------- accounts

function userValues(record: AccountRecord): Values {
  const fields = { ...accountFields(record), user_id: record.userId };
  return userColumns.map((name) => fields[name]);
}

function identityRecords({ userId, identities }: AccountRecord): string {
  return JSON.stringify(
    identities.map(({ type, value, email, verified, createdAt }) => ({
      ...{ space: spaceOf(type), value, type, user_id: userId, email, verified, created_at: createdAt },
    })),
  );
}

function spaceOf(type: IdentityRecord['type']): 'login' | 'sso' {
  return type === 'sso' ? 'sso' : 'login';
}

/** Account, identities and root in one transaction. */
async function createAccount({ pool, keys, nowMs }: AccountDeps, record: AccountRecord): Promise<void> {
  const wait = keys.enough(1);
  if (wait !== undefined) await wait;
  const root = keys.next();
  const type = typeNumber(rootShape()).id;
  const node = { id: root, uid: record.rootId, type, owner: root, topo: 0, access: '', data: '{}' };
  await orTaken(pool, record, [
    { statement: addUser, values: userValues(record) },
    { statement: addIdentities, values: [identityRecords(record)] },
    { statement: sql.addNodes, values: [JSON.stringify([node]), nowMs()] },
    { statement: sql.addRoots, values: [`{${root}}`] },
    { statement: sql.countRoots, values: [1] },
  ]);
}

async function updateAccount({ pool }: AccountDeps, record: AccountRecord, expected: string): Promise<boolean> {
  try {
    await orTaken(pool, record, [
      { statement: lockUser, values: [record.userId, expected] },
      { statement: changeUser, values: userValues(record) },
      { statement: dropIdentities, values: [record.userId] },
      { statement: addIdentities, values: [identityRecords(record)] },
    ]);
    return true;
  } catch (error) {
    if (error instanceof Failure && isMismatch(error.cause)) return false;
    throw error;
  }
}

/** @throws Failure `IDENTITY_TAKEN` when an identity belongs to somebody else */
async function orTaken(pool: Pool, record: AccountRecord, asked: readonly Asked[]): Promise<void> {
  try {
    await inTransaction(pool, asked);
  } catch (error) {
    if (brokenUnique((error as Failure).cause) !== 'svc_identities_pkey') throw error;
    const taken = (await pool.ask(takenIdentities, [identityRecords(record), record.userId])).map((cells) =>
      cells.join(':'),
    );
    const found = record.identities.find(({ type, value }) => taken.includes(`${spaceOf(type)}:${value}`));
    const { type } = found ?? record.identities[0]!;
    throw new Failure('IDENTITY_TAKEN', `this ${type} belongs to another account`, { details: { identity: type } });
  }
}

function readAccount(cells: Cells | undefined): AccountRecord | undefined {
  if (cells === undefined) return undefined;
  const fields = Object.fromEntries(userColumns.map((name, i) => [name, cells[i]]));
  const identities = (JSON.parse(cells[userColumns.length]!) as [never, string, string | null, boolean, string][]).map(
    ([type, value, email, verified, createdAt]) => ({ type, value, email, verified, createdAt }),
  );
  return accountOf({ ...fields, disabled: fields['disabled'] === 't' }, { userId: cells[0]!, identities });
}

function readApiKey(cells: Cells | undefined): ApiKeyRecord | undefined {
  if (cells === undefined) return undefined;
  const fields = Object.fromEntries(keyColumns.map((name, i) => [name, cells[i]]));
  return apiKeyOf(fields, { id: cells[0]!, allowedWalkers: JSON.parse(fields['allowed_walkers']!) as string[] });
}

function counterOf(cells: Cells | undefined): { count: number; expiresAt: number } | undefined {
  return cells === undefined ? undefined : { count: Number(cells[0]), expiresAt: Number(cells[1]) };
}

function claimValues({ key, requestHash, state, status, body, expiresAt }: IdempotencyRecord): Values {
  return [key, requestHash, state, status, body, expiresAt];
}

function claimOf(cells: Cells | undefined): IdempotencyRecord | undefined {
  if (cells === undefined) return undefined;
  const [key, requestHash, state, status, body, expiresAt] = cells;
  return {
    key: key!,
    requestHash: requestHash!,
    state: state === 'finished' ? 'finished' : 'claimed',
    status: status === null ? null : Number(status),
    body: body ?? null,
    expiresAt: Number(expiresAt),
  };
}
