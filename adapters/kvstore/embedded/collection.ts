/** One collection of the embedded document database: its rows, and the indexes over them. */
import { duplicateKey, indexDiffers } from '../../../core/kvstore/errors.ts';
import type { IndexSpec } from '../../../core/kvstore/query.ts';
import type { Doc, Stored } from '../../../core/kvstore/stored.ts';
import { identical, keyOf } from './compare.ts';
import type { EmbeddedDatabase } from './database.ts';
import { entryKeys, expiryOf, keyOfIndex, parseIndexes, short, wantedIds, withId } from './index-keys.ts';
import { readDoc, writeDoc } from './stored-json.ts';

export interface Row {
  readonly seq: number;
  readonly doc: Doc;
}

/** Collection of the embedded database, as read within one statement or transaction. */
export interface Collection {
  readonly id: number;
  readonly name: string;
  readonly indexes: readonly IndexSpec[];
}

const pageSize = 500;

/** Undefined when nothing was ever put into it. */
export function readCollection(db: EmbeddedDatabase, database: string, name: string): Collection | undefined {
  const row = db.prepare('SELECT id, indexes FROM collections WHERE db = ? AND name = ?').row(database, name);
  return row === undefined ? undefined : { id: row.id, name, indexes: parseIndexes(row.indexes) };
}

export function ensureCollection(db: EmbeddedDatabase, database: string, name: string): Collection {
  db.prepare("INSERT OR IGNORE INTO collections (db, name, indexes) VALUES (?, ?, '[]')").run(database, name);
  return readCollection(db, database, name)!;
}

/** Rows that may fit the filter, in order of insertion; the filter is still to be applied. */
export function* candidates(db: EmbeddedDatabase, { id, indexes }: Collection, filter: Doc): Iterable<Row> {
  const ids = wantedIds(filter);
  if (ids !== undefined) {
    const one = db.prepare('SELECT seq, doc FROM documents WHERE collection = ? AND id = ?');
    const rows = ids.map((key) => one.row(id, short(key))).filter((row) => row !== undefined);
    for (const { seq, doc } of rows.sort((a, b) => a.seq - b.seq)) yield { seq, doc: readDoc(doc) };
    return;
  }
  for (const index of indexes) {
    const key = keyOfIndex(index, filter);
    if (key === undefined) continue;
    const found = db
      .prepare(
        'SELECT d.seq AS seq, d.doc AS doc FROM entries e JOIN documents d ON d.seq = e.seq WHERE e.collection = ? AND e.name = ? AND e.key = ? ORDER BY d.seq',
      )
      .rows(id, index.name, short(key));
    for (const { seq, doc } of found) yield { seq, doc: readDoc(doc) };
    return;
  }
  const page = db.prepare('SELECT seq, doc FROM documents WHERE collection = ? AND seq > ? ORDER BY seq LIMIT ?');
  for (let after = 0; ; ) {
    const rows = page.rows(id, after, pageSize);
    for (const { seq, doc } of rows) yield { seq, doc: readDoc(doc) };
    if (rows.length < pageSize) return;
    after = rows.at(-1).seq;
  }
}

/** @throws ValueError when its `_id` or a unique index has the key already */
export function insertDoc(db: EmbeddedDatabase, collection: Collection, given: Doc): Stored {
  const doc = withId(given, db.nowMs());
  const id = doc.get('_id')!;
  const key = short(keyOf(id));
  const text = writeDoc(doc);
  const isTaken = db.prepare('SELECT 1 FROM documents WHERE collection = ? AND id = ?').value(collection.id, key);
  if (isTaken !== null) throw duplicateKey(collection.name, '_id_');
  const entries = requireFree(db, collection, doc, undefined);
  db.prepare('INSERT INTO documents (collection, id, doc) VALUES (?, ?, ?)').run(collection.id, key, text);
  const seq = db.prepare('SELECT last_insert_rowid()').value();
  putEntries(db, collection, seq, doc, entries);
  return id;
}

/**
 * Replaces a document and tells whether anything changed. @throws ValueError when a unique index has the key already
 */
export function replaceDoc(db: EmbeddedDatabase, collection: Collection, row: Row, doc: Doc): boolean {
  if (identical(row.doc, doc)) return false;
  const text = writeDoc(doc);
  const entries = requireFree(db, collection, doc, row.seq);
  db.prepare('UPDATE documents SET doc = ? WHERE seq = ?').run(text, row.seq);
  if (collection.indexes.length > 0) {
    dropEntries(db, row.seq);
    putEntries(db, collection, row.seq, doc, entries);
  }
  return true;
}

export function deleteDoc(db: EmbeddedDatabase, collection: Collection, seq: number): void {
  db.prepare('DELETE FROM documents WHERE seq = ?').run(seq);
  if (collection.indexes.length > 0) dropEntries(db, seq);
}

/** @throws ValueError when there is another one of this name, or documents have the same key of a unique one */
export function addIndex(db: EmbeddedDatabase, collection: Collection, index: IndexSpec): void {
  const known = collection.indexes.find(({ name }) => name === index.name);
  if (known !== undefined) {
    if (known.unique !== index.unique || known.expireSeconds !== index.expireSeconds) throw indexDiffers(index.name);
    return;
  }
  const only: Collection = { ...collection, indexes: [index] };
  for (const { seq, doc } of candidates(db, { ...collection, indexes: [] }, new Map()))
    putEntries(db, only, seq, doc, requireFree(db, only, doc, seq));
  const text = JSON.stringify([...collection.indexes, index]);
  db.prepare('UPDATE collections SET indexes = ? WHERE id = ?').run(text, collection.id);
}

type Entries = readonly (readonly [IndexSpec, readonly string[]])[];

/** Keys of the document in every index. @throws ValueError when another document has one that is unique */
function requireFree(db: EmbeddedDatabase, collection: Collection, doc: Doc, self: number | undefined): Entries {
  return collection.indexes.map((index) => {
    const keys = entryKeys(index, doc).map(short);
    if (index.unique)
      for (const key of keys) {
        const owner = db
          .prepare('SELECT seq FROM entries WHERE collection = ? AND name = ? AND key = ? AND seq <> ? LIMIT 1')
          .value(collection.id, index.name, key, self ?? 0);
        if (owner !== null) throw duplicateKey(collection.name, index.name);
      }
    return [index, keys] as const;
  });
}

function putEntries(db: EmbeddedDatabase, collection: Collection, seq: number, doc: Doc, entries: Entries): void {
  for (const [index, keys] of entries) {
    for (const key of keys)
      db.prepare('INSERT INTO entries (collection, name, key, seq) VALUES (?, ?, ?, ?)').run(
        collection.id,
        index.name,
        key,
        seq,
      );
    const at = expiryOf(index, doc);
    if (at === undefined) continue;
    db.prepare('INSERT INTO expiries (seq, name, at) VALUES (?, ?, ?)').run(seq, index.name, at);
  }
}

function dropEntries(db: EmbeddedDatabase, seq: number): void {
  db.prepare('DELETE FROM entries WHERE seq = ?').run(seq);
  db.prepare('DELETE FROM expiries WHERE seq = ?').run(seq);
}

/** Deletes what `expire_seconds` says is over; says whether there was anything. */
export function deleteExpired(db: EmbeddedDatabase): void {
  for (const { seq } of db.prepare('SELECT DISTINCT seq FROM expiries WHERE at <= ?').rows(db.nowMs())) {
    db.prepare('DELETE FROM documents WHERE seq = ?').run(seq);
    dropEntries(db, seq);
  }
}

export function hasExpired(db: EmbeddedDatabase): boolean {
  return db.prepare('SELECT 1 FROM expiries WHERE at <= ? LIMIT 1').value(db.nowMs()) !== null;
}
