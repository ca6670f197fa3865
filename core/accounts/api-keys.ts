/**
 * API keys (docs/server/api-keys.md#keys, docs/server/api-keys.md#scopes): they act for the user who made them, on
 * webhook endpoints or, where made for it, on walkers and functions.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { Failure } from '../errors.ts';
import { effectiveRole, type Role } from './account.ts';
import { secondsPerDay } from './account-config.ts';
import type { ApiKeyRecord, ApiKeyScope } from './account-store.ts';
import { audit, type Origin } from './audit.ts';
import type { DataKey } from './data-key.ts';
import type { AccountDesk } from './desk.ts';
import type { Session } from './sessions.ts';
import { createClockCache } from './token-cache.ts';

export interface NewApiKey {
  readonly name: string;
  /** 0: permanent. */
  readonly expiryDays: number;
  readonly scopes: readonly ApiKeyScope[];
  /** Names of webhooks, walkers and functions. Empty: all of its scopes. */
  readonly allowedWalkers: readonly string[];
}

/** A key as it is shown once, to its owner. */
export interface CreatedApiKey {
  readonly text: string;
  readonly signingSecret: string;
  readonly record: ApiKeyRecord;
}

/** A key that was presented and is good. */
export interface ApiKey {
  readonly id: string;
  readonly userId: string;
  readonly rootId: string;
  readonly role: Role;
  readonly scopes: readonly ApiKeyScope[];
  readonly allowedWalkers: readonly string[];
  /** The key itself, as presented. */
  readonly text: string;
  /** `whsec_` and base64 of 32 bytes; undefined when it was sealed with a key this server no longer has. */
  signingSecret(): string | undefined;
}

export interface ListedApiKey {
  readonly record: ApiKeyRecord;
  /** True until the key expires. */
  readonly isActive: boolean;
}

export interface ApiKeys {
  /** @throws Failure `LIMIT_REACHED` */
  create(userId: string, wanted: NewApiKey, origin: Origin): Promise<CreatedApiKey>;
  /** The user's keys that are not revoked, newest first. */
  list(userId: string): MaybePromise<readonly ListedApiKey[]>;
  /** Again is fine for the owner. @throws Failure `NOT_FOUND`, the same for unknown keys and those of others */
  revoke(userId: string, id: string, origin: Origin): Promise<void>;
  /** Undefined for malformed, unknown, revoked and expired keys and those of accounts that are gone or switched off. */
  check(text: string): MaybePromise<ApiKey | undefined>;
  /** The same for a key that was presented before, by its id: its text is not kept. */
  recheck(id: string): MaybePromise<ApiKey | undefined>;
}

export interface ApiKeyRules {
  readonly maxKeysPerUser: number;
  /**
   * Milliseconds for which a verified key counts as good without another look at the store: changes by other processes
   * show after that.
   */
  readonly rememberMs: number;
}

const pattern = /^svck_([0-9a-f]{32})_([A-Za-z0-9_-]{43})$/;
const usedNoteMs = 60_000;
const maxRemembered = 10_000;

interface RememberedKey {
  readonly key: PresentedKey;
  readonly session: Session;
  readonly epoch: number;
  readonly untilMs: number;
  readonly revocations: number;
  isHit: boolean;
}

export function createApiKeys(desk: AccountDesk, dataKey: DataKey, rules: ApiKeyRules): ApiKeys {
  const remembered = createClockCache<RememberedKey>(maxRemembered);
  // Keys by id, which is no secret: the key that a caller presents is never looked up by it.
  const rechecked = createClockCache<RememberedKey>(maxRemembered);
  let revocations = 0;

  function check(text: string): MaybePromise<ApiKey | undefined> {
    const nowMs = desk.now();
    const known = remembered.get(text);
    if (known !== undefined && holds(known, nowMs)) return used(known.key, nowMs);
    const [, id, secret] = pattern.exec(text) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    return find(
      id,
      text,
      nowMs,
      (record) => isSecretOf(record, secret),
      (found) => remembered.set(text, found),
    );
  }

  function recheck(id: string): MaybePromise<ApiKey | undefined> {
    const nowMs = desk.now();
    const known = rechecked.get(id);
    if (known !== undefined && holds(known, nowMs)) return used(known.key, nowMs);
    return find(
      id,
      '',
      nowMs,
      () => true,
      (found) => rechecked.set(id, found),
    );
  }

  function find(
    id: string,
    text: string,
    nowMs: number,
    isGenuine: (record: ApiKeyRecord) => boolean,
    remember: (found: RememberedKey) => void,
  ): MaybePromise<ApiKey | undefined> {
    return after(desk.store.apiKeyById(id), (record) => {
      if (record === undefined || !isGenuine(record) || !isLive(record, nowMs)) return undefined;
      return after(desk.sessions.load(record.userId, nowMs), (session) => {
        if (session === undefined || session.account.disabled) return undefined;
        const key = new PresentedKey(text, record, session, effectiveRole(session.account, desk.admins), dataKey);
        const expiresMs = record.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(record.expiresAt);
        const untilMs = Math.min(nowMs + rules.rememberMs, expiresMs);
        remember({ key, session, epoch: session.epoch, untilMs, revocations, isHit: false });
        return used(key, nowMs);
      });
    });
  }

  function holds({ session, epoch, untilMs, revocations: seen }: RememberedKey, nowMs: number): boolean {
    return nowMs < untilMs && session.epoch === epoch && seen === revocations;
  }

  /** Notes the use, at most once a minute; nobody waits for it. */
  function used(key: PresentedKey, nowMs: number): ApiKey {
    if (nowMs - key.notedMs < usedNoteMs) return key;
    key.notedMs = nowMs;
    const opened = key.opened();
    const resealed = opened?.isOld === true ? { signingSecret: dataKey.seal(opened.secret, key.id) } : {};
    desk.store.touchApiKey(key.id, { lastUsedAt: new Date(nowMs).toISOString(), ...resealed }).catch((error) => {
      desk.log.warn('the last use of an API key could not be noted', { api_key_id: key.id, error });
    });
    return key;
  }

  return {
    check,
    recheck,

    async create(userId, { name, expiryDays, scopes, allowedWalkers }, origin) {
      const id = randomBytes(16).toString('hex');
      const secret = randomBytes(32).toString('base64url');
      const signingSecret = `whsec_${randomBytes(32).toString('base64')}`;
      const nowMs = desk.now();
      const record: ApiKeyRecord = {
        id,
        userId,
        name,
        secretHash: hashOf(secret),
        signingSecret: dataKey.seal(signingSecret, id),
        scopes,
        allowedWalkers,
        createdAt: new Date(nowMs).toISOString(),
        expiresAt: expiryDays === 0 ? null : new Date(nowMs + expiryDays * secondsPerDay * 1000).toISOString(),
        revokedAt: null,
        lastUsedAt: null,
      };
      if (!(await desk.store.createApiKey(record, rules.maxKeysPerUser))) {
        throw new Failure('LIMIT_REACHED', `An account can have ${rules.maxKeysPerUser} API keys; revoke one first.`, {
          details: { limit: rules.maxKeysPerUser },
        });
      }
      audit(desk, 'api_key_create', 'created', { userId }, origin);
      return { text: `svck_${id}_${secret}`, signingSecret, record };
    },

    list: (userId) =>
      after(desk.store.apiKeysOf(userId), (records) =>
        records
          .filter(({ revokedAt }) => revokedAt === null)
          .map((record) => ({ record, isActive: isLive(record, desk.now()) }))
          .reverse(),
      ),

    async revoke(userId, id, origin) {
      const record = await desk.store.apiKeyById(id);
      if (record === undefined || record.userId !== userId) throw new Failure('NOT_FOUND', 'There is no such API key.');
      if (record.revokedAt === null) {
        await desk.store.revokeApiKey(id, new Date(desk.now()).toISOString());
        audit(desk, 'api_key_revoke', 'revoked', { userId }, origin);
      }
      revocations += 1; // whatever is remembered has to be looked at again
      await desk.accountChanged(userId);
    },
  };
}

class PresentedKey implements ApiKey {
  readonly text: string;
  readonly id: string;
  readonly userId: string;
  readonly rootId: string;
  readonly role: Role;
  readonly scopes: readonly ApiKeyScope[];
  readonly allowedWalkers: readonly string[];
  /** Unix milliseconds of the last use that was stored. */
  notedMs: number;
  private readonly record: ApiKeyRecord;
  private readonly dataKey: DataKey;
  private secret: ReturnType<DataKey['open']> | null = null;

  constructor(text: string, record: ApiKeyRecord, { account }: Session, role: Role, dataKey: DataKey) {
    this.text = text;
    this.id = record.id;
    this.userId = record.userId;
    this.rootId = account.rootId;
    this.role = role;
    this.scopes = record.scopes;
    this.allowedWalkers = record.allowedWalkers;
    this.notedMs = record.lastUsedAt === null ? 0 : Date.parse(record.lastUsedAt);
    this.record = record;
    this.dataKey = dataKey;
  }

  opened(): ReturnType<DataKey['open']> {
    if (this.secret === null) this.secret = this.dataKey.open(this.record.signingSecret, this.id);
    return this.secret;
  }

  signingSecret(): string | undefined {
    return this.opened()?.secret;
  }
}

function isSecretOf(record: ApiKeyRecord, secret: string): boolean {
  return timingSafeEqual(Buffer.from(record.secretHash, 'hex'), Buffer.from(hashOf(secret), 'hex'));
}

function isLive({ revokedAt, expiresAt }: ApiKeyRecord, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || nowMs < Date.parse(expiresAt));
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
