/** Changes of accounts, told to all workers through the primary process (docs/server/accounts.md#news). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountNews } from '../../core/accounts/account-news.ts';
import type { Channel } from './channel.ts';

/** A worker that does not confirm in time is not waited for: it is stopped or far too busy, and reads the account when its time is up. */
const longestWaitMs = 1000;

/** The primary's part: answers when the other workers have taken note. */
export function answerNews(worker: Channel, others: () => readonly Channel[]): void {
  worker.on('account-changed', async (userId: string) => {
    const told = others()
      .filter((other) => other !== worker)
      .map((other) => other.ask('account-changed', userId).catch(() => {}));
    await Promise.race([Promise.all(told), sleep(longestWaitMs, undefined, { ref: false })]);
  });
}

/** A worker's part. */
export function shareNews(primary: Channel): AccountNews {
  const listeners = new Set<(userId: string) => void>();
  primary.on('account-changed', (userId: string) => {
    for (const listener of listeners) listener(userId);
  });
  return {
    tell: (userId) => primary.ask<void>('account-changed', userId).catch(() => {}),
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
