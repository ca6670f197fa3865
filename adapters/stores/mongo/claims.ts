/** Answers kept for idempotency keys (docs/server/requests.md#idempotency). */
import type { IdempotencyRecord } from '../../../core/accounts/account-store.ts';
import type { Stored } from './collections.ts';

export function claimDocument(record: IdempotencyRecord): Stored {
  return {
    _id: record.key,
    request_hash: record.requestHash,
    state: record.state,
    status: record.status,
    body: record.body,
    expires_at: new Date(record.expiresAt),
  };
}

export function claimOf(record: Stored): IdempotencyRecord {
  return {
    key: record._id,
    requestHash: String(record['request_hash']),
    state: record['state'] === 'finished' ? 'finished' : 'claimed',
    status: record['status'] === null ? null : Number(record['status']),
    body: record['body'] === null ? null : String(record['body']),
    expiresAt: (record['expires_at'] as Date).getTime(),
  };
}
