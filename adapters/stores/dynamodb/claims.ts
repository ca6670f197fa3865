/** Answers kept for idempotency keys (docs/server/requests.md#idempotency). */
import type { IdempotencyRecord } from '../../../core/accounts/account-store.ts';
import { type Item, textOf } from './item.ts';

export function claimItem(record: IdempotencyRecord): Item {
  return {
    request_hash: record.requestHash,
    state: record.state,
    status: record.status,
    body: record.body,
    expires_at: record.expiresAt,
    ttl: Math.ceil(record.expiresAt / 1000),
  };
}

export function claimOf(key: string, item: Item): IdempotencyRecord {
  return {
    key,
    requestHash: textOf(item['request_hash']),
    state: item['state'] === 'finished' ? 'finished' : 'claimed',
    status: item['status'] === null ? null : Number(item['status']),
    // A body is never empty: it is an envelope.
    body: item['body'] === null || item['body'] === undefined ? null : String(item['body']),
    expiresAt: Number(item['expires_at']),
  };
}
