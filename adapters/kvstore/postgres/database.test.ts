/** `kvstore` in PostgreSQL beyond its contract: a server that dies, indexes made while others write, poolers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBouncer } from '../../../test/harness/pgbouncer.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../test/harness/postgres-server.ts';
import { testDatabases } from '../../../test/harness/test-databases.ts';
import { openHelper, plain } from '../../../test/harness/with-databases.ts';

let server: PostgresServer;
let made = 0;
beforeAll(async () => {
  if (hasPostgres()) server = await startPostgres();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const kvcache = { db_name: 'shop', db_type: 'kvcache' };
const inDatabase = async () =>
  testDatabases({ databaseUrl: await server.urlOf(`own${made++}`), connectTimeoutMs: 1500 });

describe.skipIf(!hasPostgres())('kvstore in PostgreSQL', () => {
  test('a server that is away is a ConnectionError, and the next call after it is back works', async () => {
    const databases = await inDatabase();
    const [keys, documents] = [openHelper(databases, kvcache), openHelper(databases)];
    await keys.set('k', 1);
    await documents.insert_one('c', { _id: 1 });
    await server.kill();
    const away = (kind: string) => ({
      name: 'ConnectionError',
      message: `the ${kind} server at 127.0.0.1:${server.port} cannot be reached`,
    });
    await expect(keys.get('k')).rejects.toMatchObject(away('kvcache'));
    await expect(documents.find_one('c', {})).rejects.toMatchObject(away('docdb'));
    await expect(documents.insert_one('c', { _id: 2 })).rejects.toMatchObject(away('docdb'));
    await server.start();
    expect([await keys.get('k'), await keys.incr('k')]).toEqual([1, 2]);
    expect(await documents.count_documents('c')).toBe(1);
    await databases.close();
  });

  test('counts that were acknowledged are there after kills of the server', async () => {
    const databases = await inDatabase();
    const [keys, documents] = [openHelper(databases, kvcache), openHelper(databases)];
    await documents.insert_one('c', { _id: 'n', n: 0 });
    let [asked, done, failed] = [0, 0, 0];
    let isOver = false;
    const count = async () => {
      while (!isOver) {
        asked++;
        try {
          await Promise.all([keys.incr('n'), documents.update_one('c', { _id: 'n' }, { $inc: { n: 1 } })]);
          done++;
        } catch (error) {
          expect((error as Error).name).toBe('ConnectionError');
          failed++;
          await sleep(10);
        }
      }
    };
    const counting = Promise.all(Array.from({ length: 4 }, count));
    for (let round = 0; round < 5; round++) {
      const enough = done + 20;
      while (done < enough) await sleep(5);
      await server.kill();
      await server.start();
    }
    isOver = true;
    await counting;
    expect(failed).toBeGreaterThan(0);
    for (const n of [await keys.get('n'), plain(await documents.find_one('c', {})).n]) {
      expect(n).toBeGreaterThanOrEqual(done);
      expect(n).toBeLessThanOrEqual(asked);
    }
    await databases.close();
  });

  test('an index that is made while two processes write has every document, and a unique key one owner', async () => {
    const databaseUrl = await server.urlOf(`own${made++}`);
    const ends = [testDatabases({ databaseUrl }), testDatabases({ databaseUrl })];
    const [one, two] = ends.map((end) => openHelper(end)) as [any, any];
    await one.insert_one('c', { key: 'first' });
    await two.count_documents('c');
    let [isOver, written, refused] = [false, 0, 0];
    const writing = [one, two].map(async (db, i) => {
      for (let n = 0; !isOver || n < 20; n++) {
        await db.insert_one('c', { key: `${i} ${n}`, by: i });
        const isTaken = await db.insert_one('c', { key: `both ${n}` }).then(
          () => false,
          (error: Error) => error.message === "Duplicate key in 'c': key_1",
        );
        if (isTaken) refused++;
        written++;
      }
    });
    while (written < 10) await sleep(1);
    await two.create_index('c', 'by');
    // Documents that both have written by now stand in the way of this one.
    await expect(two.create_index('c', 'key', true)).rejects.toThrow("Duplicate key in 'c': key_1");
    await two.delete_many('c', { key: { $regex: '^both' } });
    while (
      !(await two.create_index('c', 'key', true).then(
        () => true,
        () => false,
      ))
    )
      await two.delete_many('c', { key: { $regex: '^both' } });
    const [enough, before] = [written + 40, refused];
    // The one that is behind has to come to where the other was first.
    while (written < enough || refused === before) await sleep(1);
    isOver = true;
    await Promise.all(writing);
    for (const i of [0, 1])
      expect(await one.count_documents('c', { by: i })).toBe(
        (await two.find('c', { key: { $regex: `^${i} ` } }, null, null, 0, 100_000)).length,
      );
    const keys = (await one.find('c', {}, null, null, 0, 100_000)).map((doc: any) => doc.get('key'));
    expect(new Set(keys).size).toBe(keys.length);
    expect(refused).toBeGreaterThan(before);
    for (const end of ends) await end.close();
  });

  test('values that are longer than an index takes are found, and are unique', async () => {
    const databases = await inDatabase();
    const db = openHelper(databases);
    const long = (last: string) => Array.from({ length: 5000 }, (_, i) => i.toString(36)).join('') + last;
    await db.create_index('c', 'text', true);
    await db.insert_many('c', [
      { _id: long('a'), text: long('x') },
      { _id: long('b'), text: long('y') },
    ]);
    expect(await db.count_documents('c', { text: long('x') })).toBe(1);
    expect((await db.find_by_id('c', long('b'))).get('text')).toBe(long('y'));
    await expect(db.insert_one('c', { text: long('x') })).rejects.toThrow("Duplicate key in 'c': text_1");
    await expect(db.insert_one('c', { _id: long('a') })).rejects.toThrow("Duplicate key in 'c': _id_");
    await databases.close();
  });

  test('a pooler that lends each transaction another connection is no matter', async () => {
    using bouncer = await startBouncer(server);
    const databases = testDatabases({ databaseUrl: bouncer.url });
    const [keys, db] = [openHelper(databases, kvcache), openHelper(databases)];
    await db.create_index('c', 'n', true);
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        await db.insert_one('c', { n, times: 0 });
        await keys.incr('n');
        await db.update_one('c', { n: n % 5 }, { $inc: { times: 1 } });
      }),
    );
    await expect(db.insert_one('c', { n: 3 })).rejects.toThrow("Duplicate key in 'c': n_1");
    expect([await keys.get('n'), await db.count_documents('c')]).toEqual([20, 20]);
    await databases.close();
  });
});
