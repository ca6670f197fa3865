/**
 * `docdb` in PostgreSQL: what MongoDB does (decisions/0765). Filters and updates are worked out here, by the evaluator of the embedded database;
 * what is written holds only while the documents are those that were read, else the call reads and works it out again.
 */
import { backOff } from '../../../base/back-off.ts';
import type { Documents, Find } from '../../../core/kvstore/databases.ts';
import { duplicateKey } from '../../../core/kvstore/errors.ts';
import type { Doc, Stored } from '../../../core/kvstore/stored.ts';
import { TimeoutError } from '../../../library/values/objects/exceptions.ts';
import { brokenUnique, isMismatch } from '../../stores/postgres/trouble.ts';
import { makeUpdate, seedOf } from '../embedded/apply-update.ts';
import { identical } from '../embedded/compare.ts';
import { wantedIds, withId } from '../embedded/index-keys.ts';
import { makeMatcher } from '../embedded/match.ts';
import { makeProjector, sortDocs } from '../embedded/shape.ts';
import {
  addIndex,
  type Change,
  type Collection,
  candidates,
  countRows,
  firstTaken,
  makeCollection,
  orderOf,
  type Row,
  readCollection,
  statementsOf,
} from './collection.ts';
import type { PostgresDatabase } from './database.ts';
import { told } from './trouble.ts';

interface Plan<T> {
  readonly changes: readonly Change[];
  readonly result: T;
}

/** Tries of a call whose documents others change all the time. */
const mostTries = 200;
const pauses = { firstMs: 1, mostMs: 50 };

export function postgresDocuments(db: PostgresDatabase, database: string): Documents {
  const known = new Map<string, Collection>();
  const turns = createTurns();

  const collectionOf = async (name: string): Promise<Collection | undefined> => {
    const collection = known.get(name) ?? (await readCollection(db, database, name));
    if (collection !== undefined) known.set(name, collection);
    return collection;
  };
  const ensure = async (name: string): Promise<Collection> => {
    const found = await collectionOf(name);
    if (found !== undefined) return found;
    await makeCollection(db, database, name);
    return (await collectionOf(name))!;
  };
  const reading = <T>(name: string, absent: T, work: (collection: Collection) => Promise<T>): Promise<T> =>
    told('docdb', db.place, async () => {
      const collection = await collectionOf(name);
      return collection === undefined ? absent : await work(collection);
    });

  /** Makes a plan and carries it out; plans again when something changed meanwhile. `upserts`: what was inserted meanwhile is found then. */
  const carryOut = async <T>(
    name: string,
    plan: (collection: Collection) => Promise<Plan<T>>,
    upserts: boolean,
  ): Promise<T> => {
    for (let attempt = 0; attempt < mostTries; attempt++) {
      const collection = await ensure(name);
      const { changes, result } = await plan(collection);
      if (changes.length === 0) return result;
      try {
        await db.write(orderOf(collection, changes[0]!), statementsOf(collection, changes));
        return result;
      } catch (error) {
        const isTaken = brokenUnique(error) !== undefined;
        if (!isTaken && !isMismatch(error)) throw error;
        const taken = isTaken && !(upserts && attempt < 3) ? await firstTaken(db, collection, changes) : undefined;
        if (taken !== undefined) throw duplicateKey(name, taken.index);
        known.delete(name);
      }
      await backOff(Math.min(attempt, 6), pauses);
    }
    throw new TimeoutError('others changed the same documents all the time');
  };
  /** Calls of this process for the same `_id`s follow one another: they would only be in each other's way. */
  const writing = <T>(
    name: string,
    filter: Doc | undefined,
    plan: (collection: Collection) => Promise<Plan<T>>,
    upserts = false,
  ): Promise<T> => {
    const ids = filter === undefined ? undefined : wantedIds(filter);
    return told('docdb', db.place, () =>
      turns(ids?.length === 1 ? `${name}\n${ids[0]}` : undefined, () => carryOut(name, plan, upserts)),
    );
  };

  return {
    find: (name, what) => reading<readonly Doc[]>(name, [], (collection) => findIn(db, collection, what)),
    count: (name, filter) =>
      reading(name, 0, async (collection) =>
        filter.size === 0
          ? await countRows(db, collection)
          : (await matching(db, collection, filter, undefined)).length,
      ),
    async insertOne(name, doc) {
      const made = withId(doc, Date.now());
      return await writing(name, undefined, async () => ({
        changes: [{ row: undefined, doc: made }],
        result: made.get('_id')!,
      }));
    },
    insertMany: (name, docs) => told('docdb', db.place, () => insertUpToFirst(name, docs)),
    replace: (name, doc) =>
      writing(
        name,
        new Map([['_id', doc.get('_id')!]]),
        async (collection) => {
          const [row] = await matching(db, collection, new Map([['_id', doc.get('_id')!]]), 1);
          return { changes: changesOf(row, withId(doc, Date.now())), result: undefined };
        },
        true,
      ),
    update: (name, filter, update, { many, upsert }) =>
      writing(
        name,
        filter,
        async (collection) => {
          const apply = makeUpdate(update, false, Date.now());
          const rows = await matching(db, collection, filter, many ? undefined : 1);
          const changes = rows.flatMap((row) => changesOf(row, apply(row.doc)));
          const result = { matched: rows.length, modified: changes.length };
          if (rows.length > 0 || !upsert) return { changes, result };
          const made = makeUpdate(update, true, Date.now())(seedOf(filter));
          return { changes: changesOf(undefined, withId(made, Date.now())), result };
        },
        upsert,
      ),
    delete: (name, filter, many) =>
      writing(name, filter, async (collection) => {
        const rows = await matching(db, collection, filter, many ? undefined : 1);
        return { changes: rows.map((row) => ({ row, doc: undefined })), result: rows.length };
      }),
    createIndex: (name, index) =>
      told('docdb', db.place, async () => {
        const collection = await ensure(name);
        try {
          await db.alone((line) => addIndex(line, collection, index));
        } finally {
          known.delete(name);
        }
      }),
  };

  async function insertUpToFirst(name: string, docs: readonly Doc[]): Promise<readonly Stored[]> {
    const made = docs.map((doc) => ({ row: undefined, doc: withId(doc, Date.now()) }));
    let isWhole = true;
    let failed: unknown;
    const ids = await carryOut<readonly Stored[]>(
      name,
      async (collection) => {
        // Most are free, so nobody asks before the first try.
        const taken = isWhole ? undefined : await firstTaken(db, collection, made);
        isWhole = false;
        failed = taken === undefined ? undefined : duplicateKey(name, taken.index);
        const changes = made.slice(0, taken?.at);
        return { changes, result: changes.map(({ doc }) => doc.get('_id')!) };
      },
      true,
    );
    if (failed !== undefined) throw failed;
    return ids;
  }
}

function changesOf(row: Row | undefined, doc: Doc): readonly Change[] {
  return row !== undefined && identical(row.doc, doc) ? [] : [{ row, doc } as Change];
}

async function matching(
  db: PostgresDatabase,
  collection: Collection,
  filter: Doc,
  limit: number | undefined,
): Promise<Row[]> {
  const matches = makeMatcher(filter);
  const found: Row[] = [];
  for await (const row of candidates(db, collection, filter)) {
    if (!matches(row.doc)) continue;
    found.push(row);
    if (found.length === limit) break;
  }
  return found;
}

async function findIn(db: PostgresDatabase, collection: Collection, what: Find): Promise<readonly Doc[]> {
  const { filter, sort, skip, limit } = what;
  const rows = await matching(db, collection, filter, sort.length === 0 ? skip + limit : undefined);
  const docs = rows.map(({ doc }) => doc);
  return sortDocs(docs, sort)
    .slice(skip, skip + limit)
    .map(makeProjector(what.projection));
}

/** Runs work of the same name one after the other; work without a name at once. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(name: string | undefined, work: () => Promise<T>): Promise<T> => {
    if (name === undefined) return await work();
    const before = last.get(name);
    const own = (async () => {
      await before?.catch(() => {});
      return await work();
    })();
    last.set(name, own);
    try {
      return await own;
    } finally {
      if (last.get(name) === own) last.delete(name);
    }
  };
}
