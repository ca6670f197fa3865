/** The document database of the tests through the official driver: what stores and helpers rest on. */
import { Binary, MongoClient, type MongoClientOptions, ObjectId } from 'mongodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type MongoServer, startMongo } from './mongo-server.ts';

let server: MongoServer;
const clients: MongoClient[] = [];
beforeEach(async () => {
  server = await startMongo();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await server[Symbol.asyncDispose]();
});

async function connect(options: MongoClientOptions = {}): Promise<MongoClient> {
  const client = new MongoClient(server.uri, { serverSelectionTimeoutMS: 2000, ...options });
  clients.push(client);
  return await client.connect();
}

interface Note {
  _id: number;
  [name: string]: any;
}

async function notes(options?: MongoClientOptions) {
  return (await connect(options)).db('d').collection<Note>('notes');
}

test('values of every type come back, also after an update', async () => {
  const c = (await connect()).db('d').collection('things');
  const id = new ObjectId();
  const doc = {
    _id: id,
    text: 'ü\u0000',
    n: 1.5,
    big: 2 ** 40,
    no: null,
    at: new Date(5),
    bytes: new Binary(Buffer.from([1, 2])),
    deep: { list: [1, [2]] },
  };
  await c.insertOne(doc);
  await c.updateOne({ _id: id }, { $set: { 'deep.more': true } });
  expect(await c.findOne({ _id: id })).toEqual({ ...doc, deep: { list: [1, [2]], more: true } });
  expect(await c.findOne({ _id: new ObjectId() })).toBe(null);
});

test('queries: operators, nested paths, sort, skip, limit, projection, cursors', async () => {
  const c = await notes();
  await c.insertMany(
    Array.from({ length: 250 }, (_, n) => ({ _id: n, n, tag: n % 2 === 0 ? 'even' : 'odd', a: { b: n } })),
  );
  const ids = async (filter: object, more = {}) => (await c.find(filter, more).toArray()).map(({ _id }) => _id);
  expect(await ids({ $or: [{ _id: { $in: [3, 1] } }, { n: { $gte: 248 } }] })).toEqual([1, 3, 248, 249]);
  expect(await ids({ 'a.b': { $lt: 3 }, tag: { $ne: 'odd' } })).toEqual([0, 2]);
  expect(await ids({ tag: 'odd' }, { sort: { n: -1 }, skip: 1, limit: 2 })).toEqual([247, 245]);
  expect(await c.find({ _id: 7 }, { projection: { n: 1, _id: 0 } }).toArray()).toEqual([{ n: 7 }]);
  expect(await c.find({}, { batchSize: 40 }).toArray()).toHaveLength(250);
  expect(await c.countDocuments({ tag: 'odd' })).toBe(125);
  expect((await c.distinct('tag')).sort()).toEqual(['even', 'odd']);
  expect(
    await c
      .aggregate([
        { $match: { n: { $lt: 4 } } },
        { $group: { _id: '$tag', sum: { $sum: '$n' } } },
        { $sort: { _id: 1 } },
      ])
      .toArray(),
  ).toEqual([
    { _id: 'even', sum: 2 },
    { _id: 'odd', sum: 4 },
  ]);
});

test('changes: operators, upserts, replacement, findOneAndUpdate, bulk', async () => {
  const c = await notes();
  expect(
    (await c.updateOne({ _id: 1, kind: 'x' }, { $set: { n: 1 }, $setOnInsert: { made: true } }, { upsert: true }))
      .upsertedId,
  ).toBe(1);
  await c.updateOne({ _id: 1 }, { $inc: { n: 2 }, $push: { list: 'a' } as never, $setOnInsert: { made: false } });
  await c.updateOne({ _id: 1 }, { $addToSet: { list: { $each: ['a', 'b'] } } as never, $unset: { kind: '' } });
  expect(await c.findOne({ _id: 1 })).toEqual({ _id: 1, n: 3, made: true, list: ['a', 'b'] });
  expect(await c.replaceOne({ _id: 1 }, { only: 1 })).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
  expect(await c.findOneAndUpdate({ _id: 1 }, { $inc: { only: 1 } }, { returnDocument: 'after' })).toEqual({
    _id: 1,
    only: 2,
  });
  expect(await c.findOneAndUpdate({ _id: 2 }, { $set: { n: 1 } }, { upsert: true, returnDocument: 'before' })).toBe(
    null,
  );
  const done = await c.bulkWrite([
    { insertOne: { document: { _id: 3 } } },
    { updateOne: { filter: { _id: 3 }, update: { $set: { n: 3 } } } },
    { deleteOne: { filter: { _id: 2 } } },
  ]);
  expect([done.insertedCount, done.modifiedCount, done.deletedCount]).toEqual([1, 1, 1]);
  await expect(c.updateOne({ _id: 1 }, { $frob: { n: 1 } } as never)).rejects.toThrow('$frob');
  await expect(c.find({ n: { $frob: 1 } } as never).toArray()).rejects.toThrow('$frob');
  expect((await c.deleteMany({})).deletedCount).toBe(2);
});

test('unique and sparse indexes are enforced, and listed', async () => {
  const c = await notes();
  await c.createIndex({ email: 1 }, { unique: true, sparse: true });
  await c.insertMany([{ _id: 1, email: 'a@b' }, { _id: 2 }, { _id: 3 }]);
  await expect(c.insertOne({ _id: 4, email: 'a@b' })).rejects.toMatchObject({
    code: 11000,
    keyValue: { email: 'a@b' },
  });
  await expect(c.updateOne({ _id: 2 }, { $set: { email: 'a@b' } })).rejects.toMatchObject({ code: 11000 });
  await expect(c.insertOne({ _id: 1 })).rejects.toMatchObject({ code: 11000 });
  expect((await c.indexes()).map(({ name }) => name)).toEqual(['_id_', 'email_1']);
  await c.dropIndex('email_1');
  await c.insertOne({ _id: 5, email: 'a@b' });
});

test('an unknown command is refused, never answered with ok', async () => {
  const client = await connect();
  await expect(client.db('d').command({ frobnicate: 1 })).rejects.toMatchObject({ code: 59 });
});

test('a transaction reads what was there when it began, and is seen when it is over', async () => {
  const client = await connect();
  const c = client.db('d').collection<Note>('notes');
  await c.insertOne({ _id: 1, n: 1 });
  const session = client.startSession();
  session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', j: true } });
  expect(await c.findOne({ _id: 1 }, { session })).toEqual({ _id: 1, n: 1 });
  await c.updateOne({ _id: 1 }, { $set: { n: 2 } });
  await c.insertOne({ _id: 2 });
  expect(await c.find({}, { session }).toArray()).toEqual([{ _id: 1, n: 1 }]);
  await c.insertOne({ _id: 3 }, { session });
  expect(await c.findOne({ _id: 3 }, { session })).toEqual({ _id: 3 });
  expect(await c.findOne({ _id: 3 })).toBe(null);
  await session.commitTransaction();
  expect(await c.countDocuments()).toBe(3);
  session.startTransaction();
  await c.deleteMany({}, { session });
  await session.abortTransaction();
  expect(await c.countDocuments()).toBe(3);
  await session.endSession();
});

test('a session may hold the moment of its first read, however long others write', async () => {
  const client = await connect();
  const [c, other] = [client.db('d').collection<Note>('notes'), client.db('d').collection<Note>('others')];
  await c.insertOne({ _id: 1, n: 1 });
  await other.insertOne({ _id: 1, n: 1 });
  const session = client.startSession({ snapshot: true });
  expect(await c.findOne({ _id: 1 }, { session })).toEqual({ _id: 1, n: 1 });
  for (let n = 0; n < 600; n++) await other.updateOne({ _id: 1 }, { $inc: { n: 1 } });
  await other.insertOne({ _id: 2 });
  expect(await other.find({}, { session }).toArray()).toEqual([{ _id: 1, n: 1 }]);
  const all = other.aggregate([{ $match: {} }], { session }).toArray();
  expect(await all).toEqual([{ _id: 1, n: 1 }]);
  expect(await other.findOne({ _id: 1 })).toEqual({ _id: 1, n: 601 });
  await session.endSession();
});

test('the later of two transactions over one document loses, and may try again', async () => {
  const client = await connect();
  const c = client.db('d').collection<Note>('notes');
  await c.insertOne({ _id: 1, n: 0 });
  const [one, two] = [client.startSession(), client.startSession()];
  one.startTransaction();
  two.startTransaction();
  await c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: one });
  const lost = await c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: two }).catch((error) => error);
  expect([lost.code, lost.hasErrorLabel('TransientTransactionError')]).toEqual([112, true]);
  await one.commitTransaction();
  await two.abortTransaction();
  // Written by another one since the transaction began.
  two.startTransaction();
  await c.findOne({ _id: 1 }, { session: two });
  await c.updateOne({ _id: 1 }, { $inc: { n: 1 } });
  expect((await c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: two }).catch((error) => error)).code).toBe(112);
  await two.abortTransaction();
  const bump = () =>
    client.withSession((session) =>
      session.withTransaction(async () => {
        const doc = await c.findOne({ _id: 1 }, { session });
        await c.updateOne({ _id: 1 }, { $set: { n: doc!['n'] + 1 } }, { session });
      }),
    );
  await Promise.all(Array.from({ length: 20 }, bump));
  expect(await c.findOne({ _id: 1 })).toEqual({ _id: 1, n: 22 });
  for (const session of [one, two]) await session.endSession();
});

test('a write outside a transaction waits for the one that holds the document', async () => {
  const client = await connect();
  const c = client.db('d').collection<Note>('notes');
  await c.insertOne({ _id: 1, n: 0 });
  const session = client.startSession();
  session.startTransaction();
  await c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
  let isDone = false;
  const waiting = c.updateOne({ _id: 1 }, { $inc: { n: 1 } }).then(() => (isDone = true));
  await c.findOne({ _id: 1 });
  expect(isDone).toBe(false);
  await session.commitTransaction();
  await waiting;
  expect(await c.findOne({ _id: 1 })).toEqual({ _id: 1, n: 2 });
  await session.endSession();
});

test('unique indexes hold between transactions', async () => {
  const client = await connect();
  const c = client.db('d').collection<Note>('notes');
  await c.createIndex({ email: 1 }, { unique: true });
  const add = (id: number) =>
    client.withSession((session) => session.withTransaction(() => c.insertOne({ _id: id, email: 'a@b' }, { session })));
  const results = await Promise.allSettled([1, 2, 3, 4].map(add));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))).toEqual([
    11000, 11000, 11000,
  ]);
});

test('a write whose answer got lost is repeated by the driver and done once', async () => {
  const c = await notes();
  await c.insertOne({ _id: 1, n: 0 });
  const lost = server.fail({ command: 'update', how: 'drop after' });
  await c.updateOne({ _id: 1 }, { $inc: { n: 1 } });
  expect(await c.findOne({ _id: 1 })).toEqual({ _id: 1, n: 1 });
  expect(lost.fired).toBe(1);
});

test('faults: refused, labelled, late, dropped, cursors closed', async () => {
  const client = await connect({ socketTimeoutMS: 300, retryReads: false, retryWrites: false });
  const c = client.db('d').collection<Note>('notes');
  await c.insertMany(Array.from({ length: 10 }, (_, n) => ({ _id: n })));
  const refused = server.fail({
    command: 'find',
    how: { code: 13, name: 'Unauthorized', labels: ['TransientTransactionError'] },
  });
  const error = await c.findOne({ _id: 1 }).catch((e) => e);
  expect([error.code, error.hasErrorLabel('TransientTransactionError'), refused.fired]).toEqual([13, true, 1]);
  server.fail({ command: 'find', how: { delayMs: 600 } });
  await expect(c.findOne({ _id: 1 })).rejects.toThrow(/timed out/);
  server.fail({ command: 'insert', how: 'drop before' });
  await expect(c.insertOne({ _id: 11 })).rejects.toThrow();
  server.fail({ command: 'insert', how: 'drop after' });
  await expect(c.insertOne({ _id: 12 })).rejects.toThrow();
  expect((await c.find({ _id: { $gt: 9 } }).toArray()).map(({ _id }) => _id)).toEqual([12]);
  const cursor = c.find({}, { batchSize: 2 });
  await cursor.next();
  server.closeCursors();
  await expect(cursor.toArray()).rejects.toMatchObject({ code: 43 });
});

test('killed and started again it has what was committed, and no open transactions; paused it answers later', async () => {
  const client = await connect();
  const c = client.db('d').collection<Note>('notes');
  await c.insertOne({ _id: 1 });
  const session = client.startSession();
  session.startTransaction();
  await c.insertOne({ _id: 2 }, { session });
  expect(server.transactions).toBe(1);
  await server.kill();
  expect(server.transactions).toBe(0);
  await server.start();
  // The driver learns of broken sockets in its next turn.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await c.find().toArray()).map(({ _id }) => _id)).toEqual([1]);
  await expect(session.commitTransaction()).rejects.toMatchObject({ code: 251 });
  await session.endSession();
  server.pause();
  const later = c.findOne({ _id: 1 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  server.resume();
  expect(await later).toEqual({ _id: 1 });
});

test('a transaction nobody ends is given up after its time', async () => {
  await using short = await startMongo({ transactionLifeMs: 50 });
  await using client = await new MongoClient(short.uri).connect();
  const c = client.db('d').collection<Note>('notes');
  await c.insertOne({ _id: 1, n: 0 });
  const session = client.startSession();
  session.startTransaction();
  await c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
  await c.updateOne({ _id: 1 }, { $inc: { n: 5 } });
  expect(await c.findOne({ _id: 1 })).toEqual({ _id: 1, n: 5 });
  await session.endSession();
});

test('a standalone server says so, and knows no transactions', async () => {
  await using alone = await startMongo({ standalone: true });
  await using client = await new MongoClient(alone.uri).connect();
  const hello = await client.db('admin').command({ hello: 1 });
  expect(hello['setName']).toBe(undefined);
  const session = client.startSession();
  session.startTransaction();
  const c = client.db('d').collection<Note>('notes');
  await expect(c.insertOne({ _id: 1 }, { session })).rejects.toThrow('does not support');
  await session.endSession();
});
