/**
 * Start-up code of an application that many short-lived processes serve takes effect once
 * (docs/server/cloud.md#start-up-code, decisions/0060).
 */
import type { AccountStore, IdempotencyRecord } from '../accounts/account-store.ts';
import { Failure } from '../errors.ts';

export interface StartOnce {
  readonly claims: Pick<AccountStore, 'claimIdempotency' | 'releaseIdempotency' | 'finishIdempotency'>;
  /** Id of the deployment: another one starts anew. */
  readonly deployment: string;
  readonly nowMs: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

/** Instructions for the unit that runs the start-up code. */
export interface StartRun {
  /** Somebody has started the deployment before: nothing it changes is stored. */
  readonly discards: boolean;
  /** Stored with what it changes. */
  readonly answer: () => IdempotencyRecord | undefined;
}

/** Longer than a function may take to start, so one that died in the middle is not waited for much longer than that. */
const claimMs = 30_000;
const tenYearsMs = 10 * 365 * 86_400_000;
const pollMs = 100;

/**
 * Runs start-up code as the first process of the deployment, or as a later one when that has ended well. Processes that come meanwhile wait
 * for it, so that they find what it made.
 *
 * @throws what `run` throws; the next process then tries again. Failure `SERVICE_UNAVAILABLE` when others keep claiming and failing
 */
export async function startOnce<T>(start: StartOnce, run: (how: StartRun) => T | Promise<T>): Promise<T> {
  const { claims, deployment, nowMs, wait } = start;
  const plain = { key: `start:${deployment}`, requestHash: deployment, status: null, body: null };
  const giveUpAt = nowMs() + 2 * claimMs;
  for (;;) {
    const claim = { ...plain, state: 'claimed' as const, expiresAt: nowMs() + claimMs };
    const known = await claims.claimIdempotency(claim);
    if (known === undefined) break;
    if (known.state === 'finished') return await run({ discards: true, answer: () => undefined });
    if (nowMs() > giveUpAt) {
      throw new Failure(
        'SERVICE_UNAVAILABLE',
        'the start-up code of the deployment does not end well in other instances',
      );
    }
    await wait(pollMs);
  }
  const finished = { ...plain, state: 'finished' as const, expiresAt: nowMs() + tenYearsMs };
  try {
    const result = await run({ discards: false, answer: () => finished });
    await claims.finishIdempotency(finished); // a unit that wrote nothing has not stored it
    return result;
  } catch (error) {
    await claims.releaseIdempotency(plain.key);
    throw error;
  }
}
