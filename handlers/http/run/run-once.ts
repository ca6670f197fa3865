import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { AccountStore, IdempotencyRecord } from '../../../core/accounts/account-store.ts';
import { Failure } from '../../../core/errors.ts';
import type { Reply } from '../../call.ts';
import type { Exchange } from '../exchange.ts';
import { addHeader } from '../exchange.ts';
import type { Replies } from '../replies.ts';

export interface IdempotencyKey {
  readonly key: string;
  readonly owner: string;
  readonly target: string;
  /** Hash of the request: method, path, query and body. Another hash under the same key is another request. */
  readonly fingerprint: string;
  /** False: an answer that is a failure is not kept, so that the same request may succeed later. */
  readonly keepsFailures?: boolean;
}

/** The claim of a call that runs. */
export interface Claim {
  /** The texts of a successful envelope, known before the unit commits. */
  keep(data: string, mirrored: string): void;
  /** The body of a successful answer without envelope. */
  keepRaw(contentType: string, body: string | Uint8Array): void;
  /** The finished record, for the unit to store with what it writes; undefined when there is nothing to keep. */
  record(): IdempotencyRecord | undefined;
  /** True when the unit has something to write; if not, the record is stored by itself. */
  isCarried: boolean;
}

export interface IdempotencyOptions {
  readonly store: Pick<AccountStore, 'claimIdempotency' | 'releaseIdempotency' | 'finishIdempotency'>;
  readonly replies: Replies;
  readonly now: () => number;
  readonly ttlSeconds: number;
  readonly executionSeconds: number;
  readonly toText: (value: unknown) => string;
}

const maxStoredBytes = 256 * 1024;
const separator = '\u001e'; // cannot occur in JSON text
const claimGraceSeconds = 5;

/** Runs a call under a key: replays the stored answer, or stores the one `run` gives. */
export async function runOnce(
  options: IdempotencyOptions,
  exchange: Exchange,
  { key, owner, target, fingerprint, keepsFailures = true }: IdempotencyKey,
  run: (claim: Claim) => MaybePromise<Reply>,
): Promise<Reply> {
  const { store, now } = options;
  const claimMs = (options.executionSeconds + claimGraceSeconds) * 1000;
  const record: IdempotencyRecord = {
    key: `${owner}/${target}/${key}`,
    requestHash: fingerprint,
    state: 'claimed',
    status: null,
    body: null,
    expiresAt: now() + claimMs,
  };
  const existing = await store.claimIdempotency(record);
  if (existing !== undefined) return replay(options.replies, exchange, existing, fingerprint);
  const finished = (status: number, body: string): IdempotencyRecord => {
    const expiresAt = now() + options.ttlSeconds * 1000;
    return { ...record, state: 'finished', status, body, expiresAt };
  };
  let kept: string | undefined;
  const claim: Claim = {
    isCarried: false,
    keep(data, mirrored) {
      kept = stored('ok', data, mirrored);
    },
    keepRaw(contentType, body) {
      kept =
        typeof body === 'string'
          ? stored('raw', contentType, body)
          : stored('bytes', contentType, Buffer.from(body).toString('base64'));
    },
    record: () => (kept === undefined ? undefined : finished(200, kept)),
  };
  try {
    const reply = await run(claim);
    const answered = claim.record();
    // Streams and raw bodies are not kept: the key is given back.
    if (answered === undefined) await store.releaseIdempotency(record.key);
    else if (!claim.isCarried) await store.finishIdempotency(answered);
    return reply;
  } catch (error) {
    if (keepsFailures && error instanceof Failure && isFinal(error.status)) {
      await store.finishIdempotency(finished(error.status, failureText(error, options.toText)));
    } else await store.releaseIdempotency(record.key);
    throw error;
  }
}

function replay(replies: Replies, exchange: Exchange, record: IdempotencyRecord, fingerprint: string): Reply {
  if (record.requestHash !== fingerprint) {
    throw new Failure('IDEMPOTENCY_KEY_REUSED', 'The idempotency key was used for another request.');
  }
  if (record.state === 'claimed') {
    throw new Failure('IDEMPOTENCY_IN_PROGRESS', 'The same request is still running.', {
      headers: { 'Retry-After': '1' },
    });
  }
  addHeader(exchange, 'Idempotent-Replayed', 'true');
  const [kind, first = 'null', ...rest] = (record.body ?? '').split(separator);
  const [second = '', third = '', count = '', chosen = ''] = rest;
  if (kind === 'ok') return replies.success(exchange, first, second);
  if (kind === 'raw' || kind === 'bytes') {
    const body = kind === 'raw' ? rest.join(separator) : Buffer.from(second, 'base64');
    const raw = first === '' ? undefined : { contentType: first, body };
    return replies.raw(exchange, { status: 200, raw, headers: [] });
  }
  if (kind === 'long') return replies.success(exchange, '{"truncated":true}', '');
  throw new Failure(first, second, {
    status: record.status ?? 500,
    ...(third === '' ? {} : { details: JSON.parse(third) as unknown }),
    ...(count === '' ? {} : { count: Number(count) }),
    ...(chosen === '' ? {} : { hint: null }),
  });
}

function stored(kind: string, ...parts: string[]): string {
  const text = [kind, ...parts].join(separator);
  return text.length > maxStoredBytes || Buffer.byteLength(text) > maxStoredBytes ? 'long' : text;
}

function failureText(failure: Failure, toText: (value: unknown) => string): string {
  const message = failure.message.replaceAll(separator, ' ').slice(0, 4096);
  const details = failure.details === undefined ? '' : toText(failure.details);
  const count = failure.count === undefined ? '' : String(failure.count);
  const text = stored('error', failure.code, message, details, count, failure.hint === null ? 'chosen' : '');
  return text === 'long' ? stored('error', failure.code, message, '') : text;
}

/** Answers that would be the same if the request came again. */
function isFinal(status: number): boolean {
  return status < 500 && status !== 409 && status !== 429;
}
