/**
 * Faults between a commit and its database: nothing acknowledged is lost, nothing is done twice
 * (docs/server/stores.md#document-database, docs/server/storage.md#guarantees).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type MongoServer, startMongo } from '../../../test/harness/mongo/mongo-server.ts';
import { type Opened, opened } from './fixture.ts';

let server: MongoServer;
let store: Opened;
beforeEach(async () => {
  server = await startMongo();
  console.info('document database: emulation (OP_MSG server of the tests), told to fail');
  store = await opened({ uri: server.uri, name: 'svc', connectTimeoutMs: 1000 });
  await store.add(1);
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const transient = { code: 246, name: 'SnapshotUnavailable', labels: ['TransientTransactionError'] };
const conflict = { code: 112, name: 'WriteConflict', labels: ['TransientTransactionError'] };
const unknown = { code: 50, name: 'MaxTimeMSExpired', labels: ['UnknownTransactionCommitResult'] };

test.each([
  ['update', transient],
  ['update', conflict],
  ['insert', transient],
  ['insert', 'drop before'],
  ['insert', 'drop after'],
  ['update', 'drop after'],
  ['commitTransaction', transient],
  ['commitTransaction', unknown],
  ['commitTransaction', 'drop before'],
  ['commitTransaction', 'drop after'],
] as const)('%s fails in the middle of a commit (%o): it is done once', async (command, how) => {
  const fault = server.fail({ command, how, when: ({ autocommit }) => autocommit === false });
  await store.run(async () => {
    await store.add(1);
  });
  await store.bump();
  expect(fault.fired).toBe(1);
  expect(await store.numbers()).toEqual([1, 0]);
  expect(server.transactions).toBe(0);
});

test('a commit that never goes through is refused and leaves nothing', async () => {
  await using brief = await impatient();
  const fault = server.fail({ command: 'insert', how: transient, times: 1000 });
  await expect(brief.add(1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  expect(fault.fired).toBeGreaterThan(1);
  expect(await store.numbers()).toEqual([0]);
});

test('a user without rights is told so', async () => {
  server.fail({ command: 'find', how: { code: 13, name: 'Unauthorized' } });
  await expect(store.numbers()).rejects.toMatchObject({
    status: 503,
    message: 'the document database refuses this operation to its user',
  });
});

test('a database that is killed is answered 503, and used again when it is back', async () => {
  await server.kill();
  await expect(store.numbers()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  await expect(store.add(1)).rejects.toMatchObject({ status: 503 });
  await server.start();
  expect(await recovered(() => store.numbers())).toEqual([0]);
  await store.bump();
  expect(await store.numbers()).toEqual([1]);
});

test('a database that is killed in the middle of a commit takes all of it or nothing', async () => {
  const fault = server.fail({
    command: 'insert',
    how: {
      async run() {
        await server.kill();
        setTimeout(() => void server.start(), 100);
      },
    },
  });
  const outcome = await store.add(3).then(
    () => 'done',
    () => 'refused',
  );
  expect(fault.fired).toBe(1);
  expect(await recovered(() => store.numbers())).toEqual(outcome === 'done' ? [0, 0, 1, 2] : [0]);
});

test('a database that no longer answers is answered 503 in time, and used again when it goes on', async () => {
  await using brief = await impatient();
  server.pause();
  await expect(brief.numbers()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  server.resume();
  expect(await recovered(() => brief.numbers())).toEqual([0]);
});

test('what a process that died holds is free again when the database gives it up', async () => {
  await using brief = await startMongo({ transactionLifeMs: 2000 });
  await using own = await opened({ uri: brief.uri, name: 'svc' });
  await own.add(1);
  const fault = brief.fail({ command: 'commitTransaction', how: { code: 13, name: 'Unauthorized' } });
  brief.fail({ command: 'abortTransaction', how: { code: 13, name: 'Unauthorized' }, times: 5 });
  await expect(own.bump()).rejects.toMatchObject({ status: 503 });
  expect([fault.fired, brief.transactions]).toEqual([1, 1]);
  await own.bump();
  expect(await own.numbers()).toEqual([1]);
});

test('a server of its own is refused, nobody at all too', async () => {
  await using alone = await startMongo({ standalone: true });
  const options = { name: 'svc', connectTimeoutMs: 2000 };
  await expect(opened({ ...options, uri: alone.uri })).rejects.toThrow(
    'the document database must be a replica set (a single member is enough)',
  );
  await expect(opened({ ...options, uri: 'mongodb://127.0.0.1:1/' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  await expect(opened({ ...options, uri: 'mongodb://ada:secret@:bad:/' })).rejects.toThrow(
    'the address of the document database cannot be read',
  );
});

/** Opens another process over the same database, which gives up soon. */
function impatient(): Promise<Opened> {
  return opened({ uri: server.uri, name: 'svc', operationTimeoutMs: 1000 });
}

async function recovered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      expect(error).toMatchObject({ status: 503 });
    }
  }
}
