/** Changes of accounts, told to all processes that share a backplane (docs/server/accounts.md#news). */
import type { AccountNews } from '../../core/accounts/account-news.ts';
import type { Log } from '../../core/log/log.ts';
import type { Backplane } from '../../handlers/socket/backplane.ts';

const channel = 'accounts';
const retryMs = 1000;

/** While the backplane is away, others learn of a change when they read the account again. */
export function shareNewsBy(backplane: Backplane, log: Log): AccountNews {
  const listeners = new Set<(userId: string) => void>();
  const receive = (userId: string) => {
    for (const listener of listeners) listener(userId);
  };
  const subscribe = () => {
    backplane.subscribe(channel, receive).catch(() => setTimeout(subscribe, retryMs).unref());
  };
  subscribe();
  return {
    tell: (userId) =>
      backplane.publish(channel, userId).catch((error: Error) => {
        log.warn('a change of an account was not told to other processes', { error: error.message });
      }),
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
