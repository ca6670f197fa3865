/** One collection in PostgreSQL: its rows, the indexes over them, and the statements that change them. */
import { duplicateKey, indexDiffers } from '../../../core/kvstore/errors.ts';
import type { IndexSpec } from '../../../core/kvstore/query.ts';
import type { Doc } from '../../../core/kvstore/stored.ts';
import { type Asked, type Cells, type Line, statement, type Values } from '../../stores/postgres/line.ts';
import { brokenUnique } from '../../stores/postgres/trouble.ts';
import { keyOf } from '../embedded/compare.ts';
import { entryKeys, expiryOf, keyOfIndex, parseIndexes, short, wantedIds } from '../embedded/index-keys.ts';
import { readDoc, writeDoc } from '../embedded/stored-json.ts';
import { now, type PostgresDatabase } from './database.ts';

export interface Collection {
  readonly id: string;
  readonly name: string;
  readonly indexes: readonly IndexSpec[];
  /** Raised with each change of the indexes. */
  readonly rev: string;
}

/** Document as it was read; a change of it holds only while its `rev` is that. */
export interface Row {
  readonly seq: string;
  readonly rev: string;
  readonly doc: Doc;
}

export type Change =
  | { readonly row: undefined; readonly doc: Doc }
  | { readonly row: Row; readonly doc: Doc | undefined };

const pageSize = 500;
const isLive = `(expires IS NULL OR expires > ${now})`;

const find = statement('SELECT id, indexes, rev FROM svc_kv_collection WHERE db = $1 AND name = $2');
const make = statement(
  "INSERT INTO svc_kv_collection (db, name, indexes, rev) VALUES ($1, $2, '[]', 1) ON CONFLICT DO NOTHING",
);
const byIds = statement(
  `SELECT seq, rev, doc FROM svc_kv_document WHERE collection = $1::int8 AND id IN (SELECT json_array_elements_text($2::json)) AND ${isLive} ORDER BY seq`,
);
const byKey = statement(
  `SELECT d.seq, d.rev, d.doc FROM svc_kv_entry e JOIN svc_kv_document d ON d.seq = e.seq WHERE e.collection = $1::int8 AND e.name = $2 AND e.key = $3 AND (d.expires IS NULL OR d.expires > ${now}) ORDER BY d.seq`,
);
const inOrder = statement(
  `SELECT seq, rev, doc FROM svc_kv_document WHERE collection = $1::int8 AND seq > $2::int8 AND ${isLive} ORDER BY seq LIMIT $3::int4`,
);
const countAll = statement(`SELECT count(*) FROM svc_kv_document WHERE collection = $1::int8 AND ${isLive}`);

// A condition that does not hold is a division by zero, which takes the whole transaction back without another round trip.
const sameIndexes = statement(
  'SELECT 1 / count(*) FROM (SELECT 1 FROM svc_kv_collection WHERE id = $1::int8 AND rev = $2::int8 FOR SHARE) AS held',
);
const insert = statement(
  'WITH d AS (INSERT INTO svc_kv_document (collection, id, doc, rev, expires) VALUES ($1::int8, $2, $3, 1, $4::float8) RETURNING seq) ' +
    'INSERT INTO svc_kv_entry (collection, name, key, seq, lone) SELECT $1::int8, e.name, e.key, d.seq, e.lone FROM d, json_to_recordset($5::json) AS e(name text, key text, lone bool)',
);
const replace = statement(
  'WITH d AS (UPDATE svc_kv_document SET doc = $3, rev = rev + 1, expires = $4::float8 WHERE seq = $1::int8 AND rev = $2::int8 RETURNING 1) SELECT 1 / count(*) FROM d',
);
const remove = statement(
  'WITH d AS (DELETE FROM svc_kv_document WHERE seq = $1::int8 AND rev = $2::int8 RETURNING 1) SELECT 1 / count(*) FROM d',
);
const dropEntries = statement('DELETE FROM svc_kv_entry WHERE seq = $1::int8');
const putEntries = statement(
  'INSERT INTO svc_kv_entry (collection, name, key, seq, lone) SELECT $1::int8, e.name, e.key, e.seq, e.lone FROM json_to_recordset($2::json) AS e(name text, key text, seq int8, lone bool)',
);
const sweep = statement(
  `WITH gone AS (DELETE FROM svc_kv_document WHERE collection = $1::int8 AND expires <= ${now} RETURNING seq) DELETE FROM svc_kv_entry AS e USING gone WHERE e.seq = gone.seq`,
);
const owners = statement(
  'SELECT e.name, e.key, e.seq FROM json_to_recordset($2::json) AS k(name text, key text) JOIN svc_kv_entry e ON e.collection = $1::int8 AND e.name = k.name AND e.key = k.key AND e.lone ' +
    'UNION ALL SELECT NULL, d.id, d.seq FROM json_to_recordset($2::json) AS k(name text, key text) JOIN svc_kv_document d ON d.collection = $1::int8 AND k.name IS NULL AND d.id = k.key',
);

const holdIndexes = statement(
  'UPDATE svc_kv_collection SET rev = rev + 1 WHERE id = $1::int8 RETURNING id, indexes, rev',
);
const putIndexes = statement('UPDATE svc_kv_collection SET indexes = $2 WHERE id = $1::int8');
const putExpiries = statement(
  'UPDATE svc_kv_document AS d SET expires = least(d.expires, e.at) FROM json_to_recordset($1::json) AS e(seq int8, at float8) WHERE d.seq = e.seq',
);

/** Undefined when nothing was ever put into it. */
export async function readCollection(
  db: PostgresDatabase,
  database: string,
  name: string,
): Promise<Collection | undefined> {
  const [row] = await db.ask(find, [database, name]);
  return row === undefined ? undefined : collectionOf(name, row);
}

function collectionOf(name: string, [id, indexes, rev]: Cells): Collection {
  return { id: id!, name, indexes: parseIndexes(indexes!), rev: rev! };
}

export async function makeCollection(db: PostgresDatabase, database: string, name: string): Promise<void> {
  await db.write(`c ${database} ${name}`, [{ statement: make, values: [database, name] }]);
}

/** Rows that may fit the filter, in order of insertion; the filter is still to be applied. */
export async function* candidates(
  { ask }: Pick<PostgresDatabase, 'ask'>,
  { id, indexes }: Collection,
  filter: Doc,
): AsyncIterable<Row> {
  const ids = wantedIds(filter);
  if (ids !== undefined) {
    yield* rowsOf(await ask(byIds, [id, JSON.stringify(ids.map(short))]));
    return;
  }
  for (const index of indexes) {
    const key = keyOfIndex(index, filter);
    if (key === undefined) continue;
    yield* rowsOf(await ask(byKey, [id, index.name, short(key)]));
    return;
  }
  for (let after = '0'; ; ) {
    const rows = rowsOf(await ask(inOrder, [id, after, pageSize]));
    yield* rows;
    if (rows.length < pageSize) return;
    after = rows.at(-1)!.seq;
  }
}

const rowsOf = (found: readonly Cells[]): readonly Row[] =>
  found.map(([seq, rev, doc]) => ({ seq: seq!, rev: rev!, doc: readDoc(doc!) }));

export async function countRows(db: PostgresDatabase, { id }: Collection): Promise<number> {
  return Number((await db.ask(countAll, [id]))[0]![0]);
}

/** Place of a change among those of others. */
export const orderOf = ({ id }: Collection, { row, doc }: Change): string => `d ${id} ${idOf((row?.doc ?? doc)!)}`;

/**
 * Statements that make the changes, as long as indexes and rows are those that were read.
 *
 * @throws ValueError when a document is too large
 */
export function statementsOf(collection: Collection, changes: readonly Change[]): readonly Asked[] {
  const { id, indexes, rev } = collection;
  const made: Asked[] = [];
  const put = (what: Asked['statement'], ...values: Values) => made.push({ statement: what, values });
  put(sameIndexes, id, rev);
  // A document that is over still has its id and its keys.
  if (indexes.some(({ expireSeconds }) => expireSeconds !== undefined)) put(sweep, id);
  for (const { row, doc } of changes) {
    if (row !== undefined && doc === undefined) {
      put(remove, row.seq, row.rev);
      if (indexes.length > 0) put(dropEntries, row.seq);
      continue;
    }
    if (doc === undefined) continue;
    const entries = entriesOf(indexes, doc);
    if (row === undefined) {
      put(insert, id, idOf(doc), writeDoc(doc), endOf(indexes, doc), JSON.stringify(entries));
      continue;
    }
    put(replace, row.seq, row.rev, writeDoc(doc), endOf(indexes, doc));
    if (indexes.length === 0) continue;
    put(dropEntries, row.seq);
    put(putEntries, id, JSON.stringify(entries.map((entry) => ({ ...entry, seq: row.seq }))));
  }
  return made;
}

/** The first change that would give a document an `_id` or a unique key of another one, and the name of that index. */
export async function firstTaken(
  db: PostgresDatabase,
  { id, indexes }: Collection,
  changes: readonly Change[],
): Promise<{ readonly at: number; readonly index: string } | undefined> {
  const keysOf = (doc: Doc | undefined, isNew: boolean) =>
    doc === undefined
      ? []
      : [
          ...(isNew ? [{ name: null, key: idOf(doc) }] : []),
          ...entriesOf(indexes, doc)
            .filter(({ lone }) => lone)
            .map(({ name, key }) => ({ name, key })),
        ];
  const wanted = changes.map(({ row, doc }) => keysOf(doc, row === undefined));
  const found = await db.ask(owners, [id, JSON.stringify(wanted.flat())]);
  const nameOf = (name: string | null, key: string) => JSON.stringify([name, key]);
  const taken = new Map(found.map(([name, key, seq]) => [nameOf(name!, key!), seq!]));
  for (const [at, { row }] of changes.entries()) {
    for (const { name, key } of keysOf(row?.doc, row !== undefined))
      if (taken.get(nameOf(name, key)) === row?.seq) taken.delete(nameOf(name, key));
    for (const { name, key } of wanted[at]!) {
      if (taken.has(nameOf(name, key))) return { at, index: name ?? '_id_' };
      taken.set(nameOf(name, key), row?.seq ?? `new ${at}`);
    }
  }
  return undefined;
}

/**
 * Adds an index while nobody writes into the collection.
 *
 * @throws ValueError when there is another one of this name, or documents have the same key of a unique one
 */
export async function addIndex(line: Line, { id, name }: Collection, index: IndexSpec): Promise<void> {
  const collection = collectionOf(name, (await line.ask(holdIndexes, [id]))[0]!);
  const known = collection.indexes.find((one) => one.name === index.name);
  if (known !== undefined) {
    if (known.unique !== index.unique || known.expireSeconds !== index.expireSeconds) throw indexDiffers(index.name);
    return;
  }
  await line.ask(sweep, [id]);
  for (let after = '0'; ; ) {
    const rows = rowsOf(await line.ask(inOrder, [id, after, pageSize]));
    const entries = rows.flatMap(({ seq, doc }) => entriesOf([index], doc).map((entry) => ({ ...entry, seq })));
    try {
      await line.ask(putEntries, [id, JSON.stringify(entries)]);
    } catch (error) {
      throw brokenUnique(error) === undefined ? error : duplicateKey(name, index.name);
    }
    const ends = rows.map(({ seq, doc }) => ({ seq, at: endOf([index], doc) })).filter(({ at }) => at !== null);
    if (ends.length > 0) await line.ask(putExpiries, [JSON.stringify(ends)]);
    if (rows.length < pageSize) break;
    after = rows.at(-1)!.seq;
  }
  await line.ask(putIndexes, [id, JSON.stringify([...collection.indexes, index])]);
}

function entriesOf(indexes: readonly IndexSpec[], doc: Doc) {
  return indexes.flatMap((index) =>
    entryKeys(index, doc).map((key) => ({ name: index.name, key: short(key), lone: index.unique })),
  );
}

function endOf(indexes: readonly IndexSpec[], doc: Doc): number | null {
  const ends = indexes.map((index) => expiryOf(index, doc)).filter((at) => at !== undefined);
  return ends.length === 0 ? null : Math.min(...ends);
}

function idOf(doc: Doc): string {
  return short(keyOf(doc.get('_id')!));
}
