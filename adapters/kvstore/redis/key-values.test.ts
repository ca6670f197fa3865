import fc from 'fast-check';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { describeKeyValues } from '../../../test/contracts/key-values.ts';
import { startRedis } from '../../../test/harness/redis-server.ts';
import { testDatabases } from '../../../test/harness/test-databases.ts';
import { openHelper } from '../../../test/harness/with-databases.ts';
import { literalHead, makeGlob } from '../embedded/glob.ts';

describeKeyValues(process.env['KVCACHE_URL'] ?? 'redis-server', async () => {
  const server = process.env['KVCACHE_URL'] === undefined ? await startRedis() : undefined;
  const kvcacheUrl = server?.url ?? process.env['KVCACHE_URL']!;
  const own = new Redis(kvcacheUrl);
  await own.flushall();
  const ends = [testDatabases({ kvcacheUrl }), testDatabases({ kvcacheUrl })] as const;
  return {
    ends,
    putText: async (key, text) => void (await own.set(key, text)),
    async [Symbol.asyncDispose]() {
      own.disconnect();
      for (const end of ends) await end.close();
      await server?.[Symbol.asyncDispose]();
    },
  };
});

const kvcache = { db_name: 'shop', db_type: 'kvcache' };

test('a server that is away is a ConnectionError, and the next call after it is back works', async () => {
  await using server = await startRedis();
  const databases = testDatabases({ kvcacheUrl: server.url });
  const kv = openHelper(databases, kvcache);
  await kv.set('k', 1);
  await server.kill();
  const away = {
    name: 'ConnectionError',
    message: `the kvcache server at ${new URL(server.url).host} cannot be reached`,
  };
  await expect(kv.get('k')).rejects.toMatchObject(away);
  await expect(Promise.all([kv.get('k'), kv.incr('n')])).rejects.toMatchObject(away);
  await server.restart();
  expect(await kv.set('k', 2)).toBe(true);
  expect(await kv.get('k')).toBe(2);
  await databases.close();
});

test('a server that does not answer is a TimeoutError', async () => {
  await using server = await startRedis();
  const databases = testDatabases({ kvcacheUrl: server.url, operationTimeoutMs: 1000, connectTimeoutMs: 1000 });
  const kv = openHelper(databases, kvcache);
  await kv.set('k', 1);
  server.pause();
  await expect(kv.get('k')).rejects.toMatchObject({ name: 'TimeoutError' });
  // A connection that is new never comes about.
  const fresh = testDatabases({ kvcacheUrl: server.url, operationTimeoutMs: 1000, connectTimeoutMs: 1000 });
  await expect(openHelper(fresh, kvcache).get('k')).rejects.toMatchObject({ name: 'ConnectionError' });
  server.resume();
  while ((await kv.get('k').catch(() => undefined)) !== 1);
  expect(await openHelper(fresh, kvcache).get('k')).toBe(1);
  await databases.close();
  await fresh.close();
});

test('a password that is wrong is a PermissionError that does not tell it', async () => {
  await using server = await startRedis();
  const own = new Redis(server.url);
  await own.config('SET', 'requirepass', 'right');
  const at = (password: string) => testDatabases({ kvcacheUrl: server.url.replace('//', `//:${password}@`) });
  const [wrong, right] = [at('wrong-canary'), at('right')];
  const error = await openHelper(wrong, kvcache)
    .get('k')
    .catch((each: Error) => each);
  expect(error).toMatchObject({ name: 'PermissionError' });
  expect(String(error.message)).not.toContain('canary');
  expect(await openHelper(right, kvcache).set('k', 1)).toBe(true);
  own.disconnect();
  await wrong.close();
  await right.close();
});

test('an address that cannot be is told without its password', async () => {
  const databases = testDatabases({ kvcacheUrl: 'redis://me:canary@host:notaport' });
  const error = await openHelper(databases, kvcache)
    .get('k')
    .catch((each: Error) => each);
  expect(error).toMatchObject({ name: 'ConnectionError' });
  expect(String(error.message)).not.toContain('canary');
  await databases.close();
});

test('a key of another kind is a ValueError; what others wrote with the text of a number counts', async () => {
  await using server = await startRedis();
  const own = new Redis(server.url);
  await own.rpush('shop:list', 'a');
  await own.set('shop:n', '41');
  const databases = testDatabases({ kvcacheUrl: server.url });
  const kv = openHelper(databases, kvcache);
  await expect(kv.get('list')).rejects.toMatchObject({ name: 'ValueError' });
  expect(await kv.incr('n')).toBe(42);
  own.disconnect();
  await databases.close();
});

test('nothing is connected before the first call, nor by a method of the other kind', async () => {
  const databases = testDatabases({ kvcacheUrl: 'redis://127.0.0.1:1', connectTimeoutMs: 500 });
  const kv = openHelper(databases, kvcache);
  await expect(kv.find('c', {})).rejects.toMatchObject({ name: 'NotImplementedError' });
  await expect(kv.set_with_ttl('k', 1, 0)).rejects.toMatchObject({ name: 'ValueError' });
  await expect(kv.get('k')).rejects.toMatchObject({ name: 'ConnectionError' });
  await databases.close();
});

test('patterns mean what they mean to Redis, tried with generated ones', async () => {
  await using server = await startRedis();
  const own = new Redis(server.url);
  const of = (...units: string[]) => fc.string({ unit: fc.constantFrom(...units), minLength: 1, maxLength: 6 });
  const units = ['a', 'b', '*', '?', '[', ']', '^', '-', '\\'];
  // Ranges with bytes above 127 mean something else on each kind of processor.
  const [key, glob] = [of(...units, 'ä'), of(...units)];
  let matched = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(key, { minLength: 1, maxLength: 12 }),
      fc.array(glob, { minLength: 1, maxLength: 12 }),
      async (keys, patterns) => {
        await own.pipeline([['flushall'], ...keys.map((key) => ['set', key, '1'])]).exec();
        const answers = await own.pipeline(patterns.map((pattern) => ['keys', pattern])).exec();
        patterns.forEach((pattern, i) => {
          const found = keys.filter(makeGlob(pattern)).sort();
          expect([pattern, found]).toEqual([pattern, [...(answers![i]![1] as string[])].sort()]);
          for (const key of found) expect(key.startsWith(literalHead(pattern))).toBe(true);
          matched += found.length;
        });
      },
    ),
    { numRuns: Number(process.env['FUZZ'] ?? 150) },
  );
  expect(matched).toBeGreaterThan(50);
  own.disconnect();
});
