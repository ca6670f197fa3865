import type { AccountNews } from '../../core/accounts/account-news.ts';
import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/log/log.ts';
import type { Backplane } from '../../handlers/socket/backplane.ts';

/** What the processes of an application reach each other by. */
export interface Shared extends AsyncDisposable {
  readonly backplane: Backplane | undefined;
  readonly news: AccountNews | undefined;
}

/** The key-value store when one is configured, else what is there without one (server.md 13.7). */
export async function openShared(
  config: Config,
  log: Log,
  without: () => Pick<Shared, 'backplane' | 'news'>,
): Promise<Shared> {
  const { kvcacheUrl } = config.scale.database;
  if (kvcacheUrl === '') return { ...without(), [Symbol.asyncDispose]: async () => {} };
  const { openRedisBackplane } = await import('../../adapters/backplane/redis.ts');
  const { shareNewsBy } = await import('../../adapters/backplane/news.ts');
  const backplane = await openRedisBackplane({ url: kvcacheUrl, prefix: `svc:${config.project.name}:`, log });
  return { backplane, news: shareNewsBy(backplane, log), [Symbol.asyncDispose]: () => backplane.close() };
}
