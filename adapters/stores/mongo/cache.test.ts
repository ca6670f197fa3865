/**
 * L2 in a real Redis before the document database: what it saves, and that nothing it does makes an answer wrong
 * (docs/server/storage.md#tiers).
 */
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as $ from '../../../core/runtime.ts';
import { describeStore } from '../../../test/contracts/store.ts';
import { Entry, entries } from '../../../test/harness/entry-node.ts';
import { type DocumentDatabase, openDocumentDatabase } from '../../../test/harness/mongo/document-database.ts';
import { type RedisServer, startRedis } from '../../../test/harness/redis-server.ts';
import { openRedisCache } from '../../redis/payload-cache.ts';
import { type Opened, opened, openTested } from './fixture.ts';

let database: DocumentDatabase;
let redis: RedisServer;
let names = 0;
const run = Date.now().toString(36);
beforeEach(async () => {
  database = await openDocumentDatabase();
  redis = await startRedis();
});
afterEach(async () => {
  await redis[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

interface Process {
  readonly store: Opened;
  /** Gives the calls since the last look, in order: commands of the database, and `cache get`, `cache put`. */
  asked(): string[];
  readonly hits: number;
}

/** A process of the application, with a cache of its own connection; ready when the cache is. */
async function process(name = `svc_cache_${run}_${++names}`, url = redis.url): Promise<Process & AsyncDisposable> {
  let asked: string[] = [];
  let hits = 0;
  const at = Date.now();
  const cache = openRedisCache({
    url,
    prefix: 'svc:test:',
    ttlSeconds: 60,
    onCommand: (command) => asked.push(`cache ${command}`),
  });
  if (url === redis.url) await until(() => cache.ping());
  const options = { uri: database.uri, name, cache, nowMs: () => at };
  const store = await opened({ ...options, onCommand: (command) => asked.push(command) }, {}, (isHit) => {
    if (isHit) hits++;
  });
  return {
    store,
    asked() {
      const seen = asked;
      asked = [];
      return seen;
    },
    get hits() {
      return hits;
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

async function until(ask: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await ask();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

const total = async (store: Opened) => (await store.numbers()).reduce((sum, n) => sum + n, 0);

test('a hit replaces the query for the records: the same number of round trips, whatever the size of the graph', async () => {
  const costs = async (size: number) => {
    await using one = await process();
    for (let left = size; left > 0; left -= 250) await one.store.add(Math.min(left, 250));
    await settled();
    const redisClient = new Redis(redis.url);
    await redisClient.flushall();
    redisClient.disconnect();
    await one.store.numbers();
    await settled();
    one.asked();
    const before = one.hits;
    expect(await total(one.store)).toBeGreaterThan(0);
    const read = one.asked();
    expect(one.hits - before).toBe(size);
    await one.store.run(async () => {
      (await entries())[0]!.n += 1;
    });
    return { read, changed: one.asked() };
  };
  const small = await costs(10);
  expect(await costs(500)).toEqual(small);
  expect(small).toEqual({
    // The caller's root; edges with the versions of what they lead to; the records; whether all of it still holds.
    read: ['find', 'aggregate', 'cache get', 'find'],
    changed: ['find', 'aggregate', 'cache get', 'update', 'commitTransaction', 'cache put'],
  });
});

test('what another process changed is seen at once, and the copy is replaced', async () => {
  await using one = await process(`svc_cache_two_${run}`);
  await using two = await process(`svc_cache_two_${run}`);
  await one.store.add(3);
  expect(await total(two.store)).toBe(3);
  for (let n = 0; n < 10; n++) {
    await one.store.bump();
    expect(await total(two.store)).toBe(4 + n);
  }
  await two.store.run(async () => {
    await $.destroy((await entries())[0]);
  });
  expect(await one.store.numbers()).toEqual([1, 2]);
});

test('a process that cannot reach Redis does not make others read old copies', async () => {
  const name = `svc_cache_${run}_${++names}`;
  await using one = await process(name, 'redis://127.0.0.1:1');
  await using two = await process(name);
  await one.store.add(3);
  for (let n = 0; n < 5; n++) {
    expect(await two.store.numbers()).toEqual([n, 1, 2]);
    await settled();
    expect(await two.store.numbers()).toEqual([n, 1, 2]);
    await one.store.bump();
  }
  expect(two.hits).toBeGreaterThan(0);
});

test('old, foreign and damaged copies are not used', async () => {
  await using one = await process();
  await one.store.add(2);
  await settled();
  const client = new Redis(redis.url);
  const keys = await client.keys('svc:test:obj:*');
  const copies = new Map(await Promise.all(keys.map(async (key) => [key, await client.hgetall(key)] as const)));
  await one.store.bump();
  await settled();
  // The copies are set as a write that comes late would leave them.
  for (const [key, copy] of copies) await client.hset(key, copy);
  expect(await one.store.numbers()).toEqual([1, 1]);
  await settled();
  for (const key of keys) {
    const parts = JSON.parse((await client.hget(key, 'v')) ?? '[]');
    parts[1] = 'another database';
    parts[7] = '{"n":777}';
    await client.hset(key, 'v', JSON.stringify(parts));
  }
  expect(await one.store.numbers()).toEqual([1, 1]);
  for (const damaged of ['', 'null', '[]', '{', '[1,2,3,4,5,6,7,8,9]']) {
    for (const key of keys) await client.hset(key, 'v', damaged);
    expect(await one.store.numbers()).toEqual([1, 1]);
  }
  for (const key of keys) await client.set(key, 'not a hash');
  expect(await one.store.numbers()).toEqual([1, 1]);
  client.disconnect();
});

test('a late copy never replaces a newer one, and copies do not stay for ever', async () => {
  const cache = openRedisCache({ url: redis.url, prefix: 'svc:test:', ttlSeconds: 60 });
  await until(() => cache.ping());
  const copy = { id: 'a', home: 'h', module: 'm', type: 'T', schema: 's', owner: 'o', access: '', attic: '' };
  cache.put([{ ...copy, rev: 2, data: '{"n":2}' }]);
  cache.put([{ ...copy, rev: 1, data: '{"n":1}' }]);
  await until(() => cache.ping());
  expect(await cache.get(['a', 'b'])).toEqual([{ ...copy, rev: 2, data: '{"n":2}' }, undefined]);
  const client = new Redis(redis.url);
  expect(await client.ttl('svc:test:obj:a')).toBeGreaterThan(0);
  client.disconnect();
  await cache.close();
});

test('Redis killed, stopped, emptied and back while calls run: every answer is right', async () => {
  await using one = await process(`svc_cache_faults_${run}`);
  await using two = await process(`svc_cache_faults_${run}`);
  await one.store.add(5);
  const start = await total(one.store);
  let running = true;
  let acknowledged = 0;
  let reads = 0;
  const writer = async ({ store }: Process) => {
    while (running) {
      await store.bump();
      acknowledged++;
    }
  };
  const reader = async ({ store }: Process) => {
    while (running) {
      const least = start + acknowledged;
      expect(await total(store)).toBeGreaterThanOrEqual(least);
      reads++;
    }
  };
  const work = Promise.all([writer(one), writer(two), reader(one), reader(two)]);
  const during = async (what: () => unknown) => {
    await what();
    const [wrote, read] = [acknowledged, reads];
    while (acknowledged < wrote + 3 || reads < read + 3)
      await Promise.race([work, new Promise((resolve) => setTimeout(resolve, 10))]);
  };
  const client = new Redis(redis.url, { lazyConnect: true, retryStrategy: () => 20 });
  client.on('error', () => {});
  try {
    // In use: what is read is put into it beside the reading.
    while (one.hits + two.hits === 0) await during(() => {});
    for (let round = 0; round < 3; round++)
      await during(() =>
        client
          .connect()
          .catch(() => {})
          .then(() => client.flushall()),
      );
    await during(() => redis.pause());
    await during(() => redis.resume());
    await during(() => redis.kill());
    await during(() => redis.restart());
    const hitsAfter = one.hits + two.hits;
    await during(() => new Promise((resolve) => setTimeout(resolve, 1500)));
    // In use again.
    while (one.hits + two.hits === hitsAfter) await during(() => {});
  } finally {
    running = false;
    client.disconnect();
    await work;
  }
  expect(await total(one.store)).toBe(start + acknowledged);
});

test('without Redis at the start nothing is missing but the hits', async () => {
  await redis.kill();
  const cache = openRedisCache({ url: redis.url, prefix: 'svc:test:', ttlSeconds: 60 });
  await using store = await opened({ uri: database.uri, name: `svc_cache_${run}_${++names}`, cache });
  await store.add(2);
  await store.bump();
  expect(await store.numbers()).toEqual([1, 1]);
  await store.run(async () => {
    $.connect((await entries())[0], (Entry as any).$new(5), 'out');
  });
});

/** Lets what runs in the background arrive. */
async function settled(): Promise<void> {
  const client = new Redis(redis.url);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await client.ping();
  client.disconnect();
}

let contracts = 0;
describeStore('docdb with Redis', () =>
  openTested({
    uri: database.uri,
    name: `svc_cached_${run}_${++contracts}`,
    cache: openRedisCache({ url: redis.url, prefix: `svc:c${contracts}:`, ttlSeconds: 60 }),
  }),
);
