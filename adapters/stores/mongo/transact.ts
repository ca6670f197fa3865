/**
 * Transactions (docs/server/stores.md#document-database): tried again when another was first, and their commit when
 * nobody knows whether it was done.
 */
import type { ClientSession, MongoClient, TransactionOptions } from 'mongodb';
import { isTransient, isUnknownCommit, pause } from './trouble.ts';

const options: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
};

/**
 * Runs `work` in a transaction, anew from the start as long as the database says that helps and the time lasts. What `work` throws takes
 * everything back.
 */
export async function transact<T>(
  client: MongoClient,
  forMs: number,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const until = Date.now() + forMs;
  for (let attempt = 0; ; attempt++) {
    const session = client.startSession();
    try {
      session.startTransaction(options);
      const result = await work(session);
      await commit(session, until);
      return result;
    } catch (error) {
      if (session.inTransaction()) await session.abortTransaction().catch(() => {});
      if (!isTransient(error) || Date.now() > until) throw error;
    } finally {
      await session.endSession();
    }
    await pause(attempt);
  }
}

async function commit(session: ClientSession, until: number): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (!isUnknownCommit(error) || isTransient(error) || Date.now() > until) throw error;
    }
    await pause(attempt);
  }
}
