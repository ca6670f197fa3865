/**
 * Content of the databases of `kvstore` as lines of an archive: of the file, or of those beside a graph in PostgreSQL, as it was at one moment
 * (decisions/0800). Databases with an address of their own are left out.
 */
import { existsSync } from 'node:fs';
import type { KeptLine } from '../../core/archive/archive.ts';
import type { DatabaseKind } from '../../core/kvstore/databases.ts';
import { readAddress } from '../stores/postgres/address.ts';
import { hasKeptTables } from '../stores/postgres/kept-tables.ts';
import { createLines, statement, type Values } from '../stores/postgres/line.ts';
import { unavailable } from '../stores/postgres/trouble.ts';
import { type EmbeddedDatabase, openEmbedded } from './embedded/database.ts';
import { parseIndexes } from './embedded/index-keys.ts';
import type { DatabasesOptions } from './options.ts';

/** Asks one of the two databases, in a transaction that sees one moment. */
type Ask = (question: keyof typeof questions, ...values: Values) => Promise<readonly any[]> | readonly any[];

const rowsPerPage = 500;

/** `file`: the embedded database, absolute; it is not made when it is not there. */
export async function* keptLines(
  options: DatabasesOptions,
  file: string,
  nowMs: () => number,
): AsyncGenerator<KeptLine> {
  const { databaseUrl } = options;
  const addressOf = { docdb: options.docdbUri, kvcache: options.kvcacheUrl };
  const kinds = (['docdb', 'kvcache'] as const).filter((kind) => addressOf[kind] === '');
  if (databaseUrl === undefined) yield* keptInFile(options, file, kinds, nowMs());
  else if (kinds.length > 0) yield* keptInPostgres(databaseUrl, options, kinds, nowMs());
}

/** Gives the lines of some kinds of data in the file; none where there is no file. */
export async function* keptInFile(
  { durability, operationTimeoutMs }: Pick<DatabasesOptions, 'durability' | 'operationTimeoutMs'>,
  file: string,
  kinds: readonly DatabaseKind[],
  now: number,
): AsyncGenerator<KeptLine> {
  if (kinds.length === 0 || !existsSync(file)) return;
  const db = openEmbedded({ file, durability, busyTimeoutMs: operationTimeoutMs });
  try {
    db.prepare('BEGIN').run();
    yield* linesBy((question, ...values) => rowsOf(db, questions[question].file, values), kinds, now);
  } finally {
    db.close();
  }
}

function rowsOf(db: EmbeddedDatabase, text: string, values: Values): readonly any[] {
  return db.read(() => db.prepare(text).rows(...(values as (string | number)[])));
}

async function* keptInPostgres(
  url: string,
  { connectTimeoutMs, operationTimeoutMs }: DatabasesOptions,
  kinds: readonly DatabaseKind[],
  now: number,
): AsyncGenerator<KeptLine> {
  const lines = await createLines({ address: readAddress(url), connectTimeoutMs, operationTimeoutMs });
  const line = await lines.open().catch((error) => {
    throw unavailable(error);
  });
  try {
    const ask: Ask = async (question, ...values) => {
      const { names, table } = questions[question];
      const rows = await line.ask(table, values).catch((error) => {
        throw unavailable(error);
      });
      return rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [names[i], cell])));
    };
    const [[isThere]] = (await line.ask(hasKeptTables, [])) as [[string]];
    if (isThere !== 't') return;
    await line.ask(begin, []);
    yield* linesBy(ask, kinds, now);
  } finally {
    await line.end();
  }
}

const begin = statement('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');

/** A question in the words of both: `?` and tables of the file, `$1` and tables of PostgreSQL. */
function question(names: readonly string[], file: string, types: readonly string[]) {
  let at = 0;
  const text = file
    .replace(/\?/g, () => `$${++at}::${types[at - 1]}`)
    .replace(/FROM (collection|document|pair)s/, 'FROM svc_kv_$1');
  return { names, file, table: statement(text) };
}

const questions = {
  collections: question(
    ['id', 'db', 'name', 'indexes'],
    'SELECT id, db, name, indexes FROM collections WHERE id > ? ORDER BY id LIMIT ?',
    ['int8', 'int4'],
  ),
  documents: question(
    ['seq', 'doc'],
    'SELECT seq, doc FROM documents WHERE collection = ? AND seq > ? ORDER BY seq LIMIT ?',
    ['int8', 'int8', 'int4'],
  ),
  pairs: question(
    ['number', 'key', 'value', 'expires'],
    'SELECT number, key, value, expires FROM pairs WHERE (number, key) > (?, ?) ORDER BY number, key LIMIT ?',
    ['int4', 'text', 'int4'],
  ),
};

async function* linesBy(ask: Ask, kinds: readonly DatabaseKind[], now: number): AsyncGenerator<KeptLine> {
  if (kinds.includes('docdb'))
    for (let last = 0; ; ) {
      const found = await ask('collections', last, rowsPerPage);
      for (const { id, db, name, indexes } of found) {
        yield { kind: 'collection', db, name, indexes: parseIndexes(indexes) };
        yield* documentLines(ask, id, { db, collection: name });
      }
      if (found.length < rowsPerPage) break;
      last = Number(found.at(-1).id);
    }
  if (!kinds.includes('kvcache')) return;
  for (let [number, key] = [-1, '']; ; ) {
    const found = await ask('pairs', number, key, rowsPerPage);
    for (const pair of found) {
      const expires = pair.expires === null ? null : Number(pair.expires);
      if (expires !== null && expires <= now) continue;
      const { value } = pair;
      yield { kind: 'key', number: Number(pair.number), key: JSON.parse(pair.key), value, expires_at: expires };
    }
    if (found.length < rowsPerPage) return;
    [number, key] = [Number(found.at(-1).number), found.at(-1).key];
  }
}

/** Also documents whose time is over and which nobody has removed: whoever takes them removes them. */
async function* documentLines(
  ask: Ask,
  id: number,
  place: { readonly db: string; readonly collection: string },
): AsyncGenerator<KeptLine> {
  for (let last = 0; ; ) {
    const found = await ask('documents', Number(id), last, rowsPerPage);
    for (const { doc } of found) yield { kind: 'document', ...place, doc: JSON.parse(doc) };
    if (found.length < rowsPerPage) return;
    last = Number(found.at(-1).seq);
  }
}
