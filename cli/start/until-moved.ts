import type { Stores } from '../../adapters/stores/stores.ts';
import type { Log } from '../../core/log/log.ts';

/**
 * Resolves when everything has gone to another store: whoever serves ends as after SIGTERM, and is started again on the
 * new store by whatever looks after it (docs/server/storage.md#migration).
 */
export async function untilMoved({ moved }: Pick<Stores, 'moved'>, log: Log): Promise<void> {
  const to = await (moved ?? new Promise<never>(() => {}));
  log.warn('the store has moved, and this process ends', { to });
}
