/**
 * The databases of `kvstore` beside a graph in PostgreSQL (docs/server/kvstore.md#postgresql): connections of their own, opened when a program
 * first asks, and the tables. What is written in one turn of the event loop, and while a transaction is on its way, is one transaction.
 */
import { backOff } from '../../../base/back-off.ts';
import type { DatabaseKind } from '../../../core/kvstore/databases.ts';
import { readAddress } from '../../stores/postgres/address.ts';
import { hasKeptTables, keptTables } from '../../stores/postgres/kept-tables.ts';
import { type Asked, type Cells, createLines, type Line, statement } from '../../stores/postgres/line.ts';
import { createPool, type Source } from '../../stores/postgres/pool.ts';
import { isGone, isInTheWay } from '../../stores/postgres/trouble.ts';
import { asProgramsSeeIt } from './trouble.ts';

export interface PostgresDatabaseOptions {
  /** Kind of data that is asked for first. */
  readonly kind: DatabaseKind;
  readonly url: string;
  readonly connectTimeoutMs: number;
  readonly operationTimeoutMs: number;
}

/** Errors are the driver's: `trouble.ts` says what they are for programs. */
export interface PostgresDatabase extends Source {
  /** Host and port of all servers that the address names. */
  readonly place: string;
  /**
   * Runs statements as one transaction, perhaps together with those of others. `order`: writes are put in the order of these texts, so that
   * processes lock the same things in the same order.
   */
  write(order: string, asked: readonly Asked[]): Promise<readonly (readonly Cells[])[]>;
  /** Runs `work` as one transaction on a connection that nobody else has meanwhile. */
  alone<T>(work: (line: Line) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The present time in milliseconds on the clock that all processes have in common. */
export const now = '(extract(epoch FROM clock_timestamp()) * 1000)::float8';

const begin = statement('BEGIN ISOLATION LEVEL READ COMMITTED');
const commit = statement('COMMIT');
const rollback = statement('ROLLBACK');

/** One connection asks, two commit, one is for work alone. */
const connections = 3;
const mostFlights = 2;
/** Statements of one transaction, about. */
const mostTogether = 500;
/** Tries of a transaction that others are in the way of. */
const mostTries = 20;
const pauses = { firstMs: 2, mostMs: 200 };

interface Write {
  readonly order: string;
  readonly asked: readonly Asked[];
  done(answers: readonly (readonly Cells[])[]): void;
  failed(error: unknown): void;
}

/** Connects, and makes the tables when they are not there. */
export async function openPostgresDatabase(options: PostgresDatabaseOptions): Promise<PostgresDatabase> {
  const { connectTimeoutMs, operationTimeoutMs } = options;
  const address = readAddress(options.url);
  const lines = await createLines({ address, connectTimeoutMs, operationTimeoutMs });
  const pool = createPool({ lines, size: connections, patienceMs: connectTimeoutMs });
  const place = address.places.map(({ host, port }) => `${host}:${port}`).join();
  let queue: Write[] = [];
  let flights = 0;

  /** Runs a transaction of its own, again while others are in the way. */
  const single = async ({ asked, done, failed }: Write): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        done(await pool.together(asked));
        return;
      } catch (error) {
        // A key that is taken stays taken.
        if (!isInTheWay(error) || (error as { code?: string }).code === '23505' || attempt === mostTries) {
          failed(error);
          return;
        }
      }
      await backOff(attempt, pauses);
    }
  };
  const fly = async (batch: readonly Write[]): Promise<void> => {
    if (batch.length === 1) {
      await single(batch[0]!);
      return;
    }
    try {
      const answers = await pool.together(batch.flatMap(({ asked }) => asked));
      let at = 0;
      for (const { asked, done } of batch) done(answers.slice(at, (at += asked.length)));
    } catch (error) {
      // When the answer is lost nobody knows whether it was done: it is not done again.
      if (isGone(error)) for (const { failed } of batch) failed(error);
      else for (const one of batch) await single(one);
    }
  };
  const flush = (): void => {
    while (flights < mostFlights && queue.length > 0) {
      let statements = 0;
      const most = queue.findIndex(({ asked }) => (statements += asked.length) > mostTogether);
      const batch = queue.splice(0, most === -1 ? queue.length : Math.max(1, most));
      batch.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
      flights += 1;
      const landed = (): void => {
        flights -= 1;
        flush();
      };
      fly(batch).then(landed, landed);
    }
  };

  try {
    const [[made]] = (await pool.ask(hasKeptTables, [])) as [[string]];
    if (made !== 't') await pool.together(keptTables);
  } catch (error) {
    await pool.close();
    throw asProgramsSeeIt(options.kind, place, error);
  }
  return {
    place,
    ask: pool.ask,
    write: (order, asked) =>
      new Promise((done, failed) => {
        if (queue.push({ order, asked, done, failed }) === 1) setImmediate(flush);
      }),
    async alone(work) {
      const line = await pool.hold();
      try {
        await line.ask(begin, []);
        const result = await work(line);
        await line.ask(commit, []);
        return result;
      } catch (error) {
        await line.ask(rollback, []).catch(() => line.end());
        throw error;
      } finally {
        pool.release(line);
      }
    },
    async close() {
      const unsent = queue;
      queue = [];
      for (const { failed } of unsent) failed(new Error('the connection is closed'));
      await pool.close();
    },
  };
}
