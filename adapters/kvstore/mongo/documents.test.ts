import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { describeDocuments } from '../../../test/contracts/documents.ts';
import { isEmulated, openDocumentDatabase } from '../../../test/harness/mongo/document-database.ts';
import { startMongo } from '../../../test/harness/mongo/mongo-server.ts';
import { testDatabases } from '../../../test/harness/test-databases.ts';
import { openHelper } from '../../../test/harness/with-databases.ts';

describeDocuments(
  'MongoDB',
  async () => {
    const server = await openDocumentDatabase();
    const ends = [testDatabases({ docdbUri: server.uri }), testDatabases({ docdbUri: server.uri })] as const;
    return {
      ends,
      async [Symbol.asyncDispose]() {
        if (!isEmulated) await dropAll(server.uri);
        for (const end of ends) await end.close();
        await server[Symbol.asyncDispose]();
      },
    };
  },
  isEmulated ? 'like mingo' : 'exactly',
);

/** Drops the databases that the contract used, on a server that stays. */
async function dropAll(uri: string): Promise<void> {
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(uri);
  for (const name of ['shop', 'other']) await client.db(name).dropDatabase();
  await client.close();
}

const people = { db_name: `people${randomBytes(3).toString('hex')}` };

test('a server that is away is a ConnectionError, and the next call after it is back works', async () => {
  await using server = await startMongo();
  const databases = testDatabases({ docdbUri: server.uri, connectTimeoutMs: 2000, operationTimeoutMs: 2000 });
  const db = openHelper(databases, people);
  await db.set('k', 1);
  await server.kill();
  const away = { name: 'ConnectionError', message: `the docdb server at 127.0.0.1:${server.port} cannot be reached` };
  await expect(db.get('k')).rejects.toMatchObject(away);
  await server.start();
  expect(await db.get('k')).toBe(1);
  await databases.close();
});

test('a server that does not answer is a TimeoutError', async () => {
  await using server = await startMongo();
  const databases = testDatabases({ docdbUri: server.uri, connectTimeoutMs: 2000, operationTimeoutMs: 2000 });
  const db = openHelper(databases, people);
  await db.set('k', 1);
  server.pause();
  await expect(db.get('k')).rejects.toMatchObject({ name: expect.stringMatching(/^(TimeoutError|ConnectionError)$/) });
  server.resume();
  while ((await db.get('k').catch(() => undefined)) !== 1);
  await databases.close();
});

test.each([
  [{ code: 13, name: 'Unauthorized' }, 'PermissionError'],
  [{ code: 50, name: 'MaxTimeMSExpired' }, 'TimeoutError'],
  [{ code: 96, name: 'OperationFailed' }, 'OSError'],
] as const)('%j is a %s', async (how, name) => {
  await using server = await startMongo();
  const databases = testDatabases({ docdbUri: server.uri });
  const fault = server.fail({ command: 'find', how });
  await expect(openHelper(databases, people).get('k')).rejects.toMatchObject({ name });
  expect(fault.fired).toBe(1);
  await databases.close();
});

test('an answer that got lost is asked for again, and nothing is done twice', async () => {
  await using server = await startMongo();
  const databases = testDatabases({ docdbUri: server.uri });
  const db = openHelper(databases, people);
  await db.insert_one('c', { _id: 1, n: 0 });
  const fault = server.fail({ command: 'update', how: 'drop after' });
  await db.update_one('c', { _id: 1 }, { $inc: { n: 1 } }).catch(() => undefined);
  expect(fault.fired).toBe(1);
  expect((await db.find_by_id('c', 1)).get('n')).toBe(1);
  await databases.close();
});

test('an address that cannot be is told without its password', async () => {
  const databases = testDatabases({ docdbUri: 'mongodb://me:canary@host:notaport/' });
  const error = await openHelper(databases, people)
    .get('k')
    .catch((each: Error) => each);
  expect(error).toMatchObject({ name: 'ConnectionError' });
  expect(JSON.stringify([error.message, String(error)])).not.toContain('canary');
  await databases.close();
});

test('one round trip for each call, however many documents there are', async () => {
  await using server = await startMongo();
  const databases = testDatabases({ docdbUri: server.uri });
  const db = openHelper(databases, people);
  await db.insert_many(
    'c',
    Array.from({ length: 90 }, (_, i) => ({ _id: i })),
  );
  const trips = async (work: () => Promise<unknown>) => {
    server.forget();
    await work();
    return server.commands.filter((name) => name !== 'endSessions').length;
  };
  for (const work of [
    () => db.get('k'),
    () => db.set('k', 1),
    () => db.exists('k'),
    () => db.find('c', {}, null, null, 0, 50),
    () => db.insert_one('c', {}),
    () => db.insert_many('c', [{}, {}, {}]),
    () => db.update_many('c', {}, { $set: { a: 1 } }),
    () => db.delete_many('c', { a: 1 }),
    () => db.count_documents('c'),
  ])
    expect(await trips(work)).toBe(1);
  await databases.close();
});
