/** `docdb` without a server: what MongoDB does, in the embedded database (decisions/0125). */
import type { Documents, Find } from '../../../core/kvstore/databases.ts';
import type { Doc, Stored } from '../../../core/kvstore/stored.ts';
import { makeUpdate, seedOf } from './apply-update.ts';
import {
  addIndex,
  type Collection,
  candidates,
  deleteDoc,
  deleteExpired,
  ensureCollection,
  hasExpired,
  insertDoc,
  type Row,
  readCollection,
  replaceDoc,
} from './collection.ts';
import type { EmbeddedDatabase } from './database.ts';
import { makeMatcher } from './match.ts';
import { makeProjector, sortDocs } from './shape.ts';

export function embeddedDocuments(db: EmbeddedDatabase, database: string): Documents {
  /** With a collection that has `expire_seconds` what is over is deleted first. */
  const reading = async <T>(name: string, absent: T, work: (collection: Collection) => T): Promise<T> => {
    const collection = db.read(() => readCollection(db, database, name));
    if (collection === undefined) return absent;
    if (expires(collection) && db.read(() => hasExpired(db))) await db.write(() => deleteExpired(db));
    return db.read(() => work(collection));
  };
  const writing = <T>(name: string, work: (collection: Collection) => T): Promise<T> =>
    db.write(() => {
      const collection = ensureCollection(db, database, name);
      if (expires(collection)) deleteExpired(db);
      return work(collection);
    });

  return {
    find: (name, what) => reading<readonly Doc[]>(name, [], (collection) => findIn(db, collection, what)),
    count: (name, filter) => reading(name, 0, (collection) => countIn(db, collection, filter)),
    insertOne: (name, doc) => writing(name, (collection) => insertDoc(db, collection, doc)),
    insertMany: async (name, docs) => {
      const { ids, error } = await writing(name, (collection) => insertUpToFirstError(db, collection, docs));
      if (error !== undefined) throw error;
      return ids;
    },
    replace: (name, doc) =>
      writing(name, (collection) => {
        const [row] = candidates(db, collection, new Map([['_id', doc.get('_id')!]]));
        if (row === undefined) insertDoc(db, collection, doc);
        else replaceDoc(db, collection, row, doc);
      }),
    update: (name, filter, update, { many, upsert }) =>
      writing(name, (collection) => {
        const apply = makeUpdate(update, false, db.nowMs());
        const rows = matching(db, collection, filter, many ? undefined : 1);
        let modified = 0;
        for (const row of rows) if (replaceDoc(db, collection, row, apply(row.doc))) modified += 1;
        if (rows.length === 0 && upsert)
          insertDoc(db, collection, makeUpdate(update, true, db.nowMs())(seedOf(filter)));
        return { matched: rows.length, modified };
      }),
    delete: (name, filter, many) =>
      writing(name, (collection) => {
        const rows = matching(db, collection, filter, many ? undefined : 1);
        for (const { seq } of rows) deleteDoc(db, collection, seq);
        return rows.length;
      }),
    createIndex: (name, index) => writing(name, (collection) => addIndex(db, collection, index)),
  };
}

function expires(collection: Collection): boolean {
  return collection.indexes.some((index) => index.expireSeconds !== undefined);
}

function matching(db: EmbeddedDatabase, collection: Collection, filter: Doc, limit: number | undefined): Row[] {
  const matches = makeMatcher(filter);
  const found: Row[] = [];
  for (const row of candidates(db, collection, filter)) {
    if (!matches(row.doc)) continue;
    found.push(row);
    if (found.length === limit) break;
  }
  return found;
}

function findIn(db: EmbeddedDatabase, collection: Collection, what: Find): readonly Doc[] {
  const { filter, sort, skip, limit } = what;
  const rows = matching(db, collection, filter, sort.length === 0 ? skip + limit : undefined);
  const docs = rows.map(({ doc }) => doc);
  return sortDocs(docs, sort)
    .slice(skip, skip + limit)
    .map(makeProjector(what.projection));
}

function countIn(db: EmbeddedDatabase, collection: Collection, filter: Doc): number {
  if (filter.size === 0) return db.prepare('SELECT count(*) FROM documents WHERE collection = ?').value(collection.id);
  return matching(db, collection, filter, undefined).length;
}

function insertUpToFirstError(
  db: EmbeddedDatabase,
  collection: Collection,
  docs: readonly Doc[],
): { ids: Stored[]; error: unknown } {
  const ids: Stored[] = [];
  for (const doc of docs) {
    try {
      ids.push(insertDoc(db, collection, doc));
    } catch (error) {
      return { ids, error };
    }
  }
  return { ids, error: undefined };
}
