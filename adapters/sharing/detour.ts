/**
 * Detour around a store of counts that does not answer (docs/server/stores.md#key-value-store): the process counts for
 * itself and says so once a minute.
 */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { createSeldom } from '../../base/seldom.ts';
import type { Log } from '../../core/log/log.ts';

/** Gives what the store says, else what this process says. */
export type Detour = <T>(shared: () => Promise<T>, own: () => MaybePromise<T>) => MaybePromise<T>;

/** A store that hangs is not waited for by every call. */
const pauseMs = 5000;

export function createDetour(
  link: { onBack(listener: () => void): void },
  log: Log,
  what: string,
  store = 'the key-value store',
): Detour {
  const tell = createSeldom(60_000, () => performance.now());
  let asksAgainAt = 0;
  link.onBack(() => {
    asksAgainAt = 0;
  });
  return (shared, own) => {
    if (performance.now() < asksAgainAt) return own();
    return shared().catch((error: Error) => {
      asksAgainAt = performance.now() + pauseMs;
      tell((times) => {
        log.warn(`${store} does not answer: ${what} are counted by each process`, {
          error: error.message,
          times,
        });
      });
      return own();
    });
  };
}
