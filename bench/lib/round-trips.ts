/** Counts what calls over a document database ask of it, and of Redis before it. */
import { openRedisCache } from '../../adapters/redis/payload-cache.ts';
import { opened } from '../../adapters/stores/mongo/fixture.ts';
import * as $ from '../../core/runtime.ts';
import { Entry, entries } from '../../test/harness/entry-node.ts';
import { openDocumentDatabase } from '../../test/harness/mongo/document-database.ts';
import { startRedis } from '../../test/harness/redis-server.ts';

export interface Trips {
  readonly call: string;
  readonly database: number;
  readonly redis: number;
  /** Records that came from Redis. */
  readonly hits: number;
}

const calls: readonly (readonly [string, () => unknown])[] = [
  ['read the caller’s root', () => $.root()],
  ['list a page of ten', () => $.hops($.root(), 'node', [{ dir: 'out', nodeType: Entry, limit: 10 }])],
  ['read all neighbours', async () => (await entries()).map(({ n }) => n)],
  ['add a node', () => void $.connect($.root(), (Entry as any).$new(0), 'out')],
  [
    'find one and change it',
    async () => {
      (await entries())[0]!.n += 1;
    },
  ],
];

/** Over a node with so many neighbours. */
export async function countTrips(size: number, withRedis: boolean): Promise<readonly Trips[]> {
  await using database = await openDocumentDatabase();
  await using redis = withRedis ? await startRedis() : undefined;
  let [asked, cached, hits] = [0, 0, 0];
  const cache =
    redis === undefined
      ? undefined
      : openRedisCache({
          url: redis.url,
          prefix: 'svc:bench:',
          ttlSeconds: 300,
          onCommand: (name) => {
            if (name === 'get') cached++;
          },
        });
  // Time stands still: now and then a store looks for new types beside its calls.
  const at = Date.now();
  const options = {
    uri: database.uri,
    name: `svc_bench_${at.toString(36)}_${size}`,
    nowMs: () => at,
    onCommand: () => void asked++,
  };
  await using store = await opened(cache === undefined ? options : { ...options, cache }, {}, (isHit) => {
    if (isHit) hits++;
  });
  for (let left = size; left > 0; left -= 250) await store.add(Math.min(left, 250));
  // A write has reached Redis when Redis has answered the question after it.
  for (let tries = 0; cache !== undefined && tries < 100; tries++) {
    hits = 0;
    await store.numbers();
    if (hits === size) break;
  }
  const trips: Trips[] = [];
  for (const [call, work] of calls) {
    [asked, cached, hits] = [0, 0, 0];
    await store.run(work as () => void);
    trips.push({ call, database: asked, redis: cached, hits });
  }
  return trips;
}
