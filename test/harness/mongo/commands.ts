/** The commands this server knows; any other one is refused with 59. */
import { Long } from 'bson';
import { type Clock, Collection, Held, type Index } from './collection.ts';
import { Refusal } from './failure.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { aggregate, type FindSpec, find, insert, type Place, remove, type UpdateSpec, update } from './statements.ts';
import type { Doc } from './wire.ts';

export interface Engine {
  readonly sessions: Sessions;
  run(command: Doc): Promise<Doc>;
  /** Drops open transactions and cursors, as a restart does. */
  interrupt(): void;
  closeCursors(): void;
  clear(): void;
}

interface Cursor {
  readonly place: string;
  rest: Doc[];
}

const firstBatch = 101;

export function createEngine(settings: { readonly isReplicaSet: boolean; transactionLifeMs: number }): Engine {
  const clock: Clock = { now: 0 };
  const databases = new Map<string, Map<string, Collection>>();
  const sessions = createSessions(clock, () => settings.transactionLifeMs);
  const cursors = new Map<string, Cursor>();
  let lastCursor = 0;
  let writes = 0;

  const collectionOf = (database: string, name: string): Collection => {
    let collections = databases.get(database);
    if (collections === undefined) databases.set(database, (collections = new Map()));
    let collection = collections.get(name);
    if (collection === undefined) collections.set(name, (collection = new Collection(`${database}.${name}`, clock)));
    return collection;
  };
  const existing = (database: string, name: string) => databases.get(database)?.get(name);
  const placeOf = (command: Doc, name: unknown): Place => {
    const transaction = sessions.of(command);
    const collection = collectionOf(command['$db'], String(name));
    return {
      collection,
      transaction,
      note(entry) {
        if (transaction !== undefined) sessions.note(transaction, entry, collection);
        if (++writes % 500 === 0)
          for (const all of databases.values()) for (const each of all.values()) each.prune(sessions.oldest());
      },
    };
  };
  const opened = (place: string, docs: readonly Doc[], batch: number, isSingle = false): Doc => {
    const rest = docs.slice(batch);
    const isOver = rest.length === 0 || isSingle;
    const id = isOver ? 0 : ++lastCursor;
    if (!isOver) cursors.set(String(id), { place, rest });
    return { cursor: { id: Long.fromNumber(id), ns: place, firstBatch: docs.slice(0, batch) }, ok: 1 };
  };
  /** Each on its own; the first that fails ends an ordered list. In a transaction any failure ends everything. */
  const each = async (place: Place, list: readonly Doc[], ordered: boolean, work: (one: Doc, at: number) => void) => {
    const writeErrors: Doc[] = [];
    for (const [index, one] of list.entries()) {
      try {
        await patiently(() => work(one, index));
      } catch (error) {
        const isWhole = !(error instanceof Refusal) || error.code === 112 || place.transaction !== undefined;
        if (isWhole && !(error instanceof Refusal && error.code === 11000)) throw error;
        const { code, message, extra } = error as Refusal;
        writeErrors.push({ index, code, errmsg: message, ...extra });
        if (ordered || place.transaction !== undefined) break;
      }
    }
    return writeErrors.length === 0 ? {} : { writeErrors };
  };

  const commands: Record<string, (command: Doc) => Doc | Promise<Doc>> = {
    ping: () => ({ ok: 1 }),
    buildInfo: () => ({
      version: '7.0.0',
      versionArray: [7, 0, 0, 0],
      gitVersion: 'emulation',
      maxBsonObjectSize: 16_777_216,
      ok: 1,
    }),
    endSessions(command) {
      sessions.end(command['endSessions']);
      return { ok: 1 };
    },
    async find(command) {
      const place = placeOf(command, command['find']);
      const docs = find(place, command as FindSpec);
      return opened(place.collection.place, docs, command['batchSize'] ?? firstBatch, command['singleBatch'] === true);
    },
    getMore(command) {
      const id = String(command['getMore']);
      const cursor = cursors.get(id);
      if (cursor === undefined) throw new Refusal(43, 'CursorNotFound', `cursor id ${id} not found`);
      const batch = command['batchSize'] === undefined ? cursor.rest.length : Number(command['batchSize']);
      const nextBatch = cursor.rest.slice(0, batch);
      cursor.rest = cursor.rest.slice(batch);
      const isOver = cursor.rest.length === 0;
      if (isOver) cursors.delete(id);
      return { cursor: { id: Long.fromString(isOver ? '0' : id), ns: cursor.place, nextBatch }, ok: 1 };
    },
    killCursors(command) {
      const ids = (command['cursors'] as unknown[]).map(String);
      for (const id of ids) cursors.delete(id);
      return { cursorsKilled: command['cursors'], cursorsNotFound: [], cursorsAlive: [], cursorsUnknown: [], ok: 1 };
    },
    async insert(command) {
      const place = placeOf(command, command['insert']);
      let n = 0;
      const failed = await each(place, command['documents'], command['ordered'] !== false, (doc) => {
        insert(place, doc);
        n++;
      });
      return { n, ...failed, ok: 1 };
    },
    async update(command) {
      const place = placeOf(command, command['update']);
      let [n, nModified] = [0, 0];
      const upserted: Doc[] = [];
      const failed = await each(place, command['updates'], command['ordered'] !== false, (one, index) => {
        const done = update(place, one as UpdateSpec);
        n += done.matched;
        nModified += done.modified;
        if (done.upserted !== undefined) upserted.push({ index, _id: done.upserted });
      });
      return { n: n + upserted.length, nModified, ...(upserted.length === 0 ? {} : { upserted }), ...failed, ok: 1 };
    },
    async delete(command) {
      const place = placeOf(command, command['delete']);
      let n = 0;
      const failed = await each(place, command['deletes'], command['ordered'] !== false, ({ q, limit }) => {
        n += remove(place, q, Number(limit)).length;
      });
      return { n, ...failed, ok: 1 };
    },
    async findAndModify(command) {
      const { query = {}, sort, fields, upsert = false, arrayFilters } = command;
      const place = placeOf(command, command['findAndModify']);
      const shown = (doc: Doc | undefined) => {
        if (doc === undefined || fields === undefined) return doc ?? null;
        const alone = new Collection('', { now: 0 });
        alone.insert(doc, undefined);
        return find({ collection: alone, transaction: undefined, note() {} }, { projection: fields })[0] ?? null;
      };
      return await patiently(() => {
        if (command['remove'] === true) {
          const [gone] = remove(place, query, 1, sort);
          return { value: shown(gone?.doc), lastErrorObject: { n: gone === undefined ? 0 : 1 }, ok: 1 };
        }
        const done = update(place, { q: query, u: command['update'], upsert, arrayFilters }, sort);
        const isNew = done.upserted !== undefined;
        return {
          value: shown(command['new'] === true ? done.after : done.before),
          lastErrorObject: {
            n: done.matched + (isNew ? 1 : 0),
            updatedExisting: done.matched > 0,
            ...(isNew ? { upserted: done.upserted } : {}),
          },
          ok: 1,
        };
      });
    },
    async aggregate(command) {
      const place = placeOf(command, command['aggregate']);
      const placeNamed = (name: string) => ({ ...place, collection: collectionOf(command['$db'], name) });
      const docs = aggregate(place, command['pipeline'], placeNamed);
      return opened(place.collection.place, docs, command['cursor']?.batchSize ?? firstBatch);
    },
    async count(command) {
      const place = placeOf(command, command['count']);
      const { query, skip, limit } = command;
      return { n: find(place, { filter: query ?? {}, skip: skip ?? 0, limit: limit ?? 0 }).length, ok: 1 };
    },
    async distinct(command) {
      const place = placeOf(command, command['distinct']);
      const groups = aggregate(
        place,
        [
          { $match: command['query'] ?? {} },
          { $unwind: `$${command['key']}` },
          { $group: { _id: `$${command['key']}` } },
        ],
        () => place,
      );
      return { values: groups.map(({ _id }) => _id), ok: 1 };
    },
    create(command) {
      if (existing(command['$db'], command['create']) !== undefined)
        throw new Refusal(48, 'NamespaceExists', `a collection '${command['create']}' already exists`);
      collectionOf(command['$db'], command['create']);
      return { ok: 1 };
    },
    createIndexes(command) {
      const collection = collectionOf(command['$db'], command['createIndexes']);
      const numIndexesBefore = collection.indexes.size + 1;
      for (const { key, name, unique = false, sparse = false, expireAfterSeconds } of command['indexes'] as Doc[]) {
        const known = collection.indexes.get(name);
        if (known !== undefined && (JSON.stringify(known.key) !== JSON.stringify(key) || known.unique !== unique))
          throw new Refusal(86, 'IndexKeySpecsConflict', `an index named ${name} exists with other options`);
        const made: Omit<Index, 'places'> = {
          name,
          key,
          unique,
          sparse,
          ...(expireAfterSeconds === undefined ? {} : { expireAfterSeconds }),
        };
        collection.addIndex(made);
      }
      return { numIndexesBefore, numIndexesAfter: collection.indexes.size + 1, ok: 1 };
    },
    listIndexes(command) {
      const collection = existing(command['$db'], command['listIndexes']);
      if (collection === undefined) throw new Refusal(26, 'NamespaceNotFound', 'ns does not exist');
      const listed = [...collection.indexes.values()].map(({ places: _, unique, sparse, ...index }) => ({
        v: 2,
        ...index,
        ...(unique ? { unique } : {}),
        ...(sparse ? { sparse } : {}),
      }));
      return opened(collection.place, [{ v: 2, key: { _id: 1 }, name: '_id_' }, ...listed], firstBatch);
    },
    dropIndexes(command) {
      const collection = existing(command['$db'], command['dropIndexes']);
      if (collection === undefined) throw new Refusal(26, 'NamespaceNotFound', 'ns not found');
      const nIndexesWas = collection.indexes.size + 1;
      if (command['index'] === '*') collection.indexes.clear();
      else if (!collection.indexes.delete(command['index']))
        throw new Refusal(27, 'IndexNotFound', `index not found with name [${command['index']}]`);
      return { nIndexesWas, ok: 1 };
    },
    listCollections(command) {
      const names = [...(databases.get(command['$db'])?.keys() ?? [])];
      const alone = new Collection('', { now: 0 });
      for (const name of names)
        alone.insert({ _id: name, name, type: 'collection', options: {}, info: { readOnly: false } }, undefined);
      const found = find({ collection: alone, transaction: undefined, note() {} }, { filter: command['filter'] ?? {} });
      return opened(
        `${command['$db']}.$cmd.listCollections`,
        found.map(({ _id: _, ...info }) => info),
        firstBatch,
      );
    },
    drop(command) {
      if (databases.get(command['$db'])?.delete(command['drop']) !== true)
        throw new Refusal(26, 'NamespaceNotFound', 'ns not found');
      return { ok: 1 };
    },
    dropDatabase(command) {
      databases.delete(command['$db']);
      return { ok: 1 };
    },
    commitTransaction(command) {
      sessions.commit(command);
      return { ok: 1 };
    },
    abortTransaction(command) {
      sessions.abort(command);
      return { ok: 1 };
    },
  };

  const execute = async (command: Doc): Promise<Doc> => {
    const name = Object.keys(command)[0]!;
    const work = commands[name];
    if (work === undefined) throw new Refusal(59, 'CommandNotFound', `no such command: '${name}'`);
    if (command['txnNumber'] !== undefined && !settings.isReplicaSet)
      throw new Refusal(
        20,
        'IllegalOperation',
        'Transaction numbers are only allowed on a replica set member or mongos',
      );
    const known = sessions.answered(command);
    if (known !== undefined) return known;
    try {
      const reply = sessions.dated(command, await work(command));
      sessions.remember(command, reply);
      if (reply['writeErrors'] !== undefined) endTransaction(command);
      return reply;
    } catch (error) {
      endTransaction(command);
      throw error;
    }
  };
  // A statement that fails ends its transaction.
  const endTransaction = (command: Doc) => {
    const isControl = 'commitTransaction' in command || 'abortTransaction' in command;
    if (command['autocommit'] !== false || isControl) return;
    try {
      sessions.abort(command);
    } catch {
      // there is none any more
    }
  };
  return {
    sessions,
    run: execute,
    interrupt() {
      sessions.abortAll();
      cursors.clear();
    },
    closeCursors: () => cursors.clear(),
    clear() {
      sessions.abortAll();
      databases.clear();
      cursors.clear();
    },
  };
}

/** Outside a transaction a statement waits for the one that is in its way. */
async function patiently<T>(work: () => T): Promise<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Held)) throw error;
      await error.by.ended;
    }
  }
}
