/**
 * The database as what a migration fills (core/migration): rows by their numbers in the old store, which it goes on with.
 * Until it is over the database says of itself what an unfinished import says, so that nobody starts on it.
 */
import { migrationNote, noteDays, noteKey } from '../../../core/archive/import-note.ts';
import type { MigrationTarget, Progress } from '../../../core/migration/ports.ts';
import {
  type Cell,
  type CellKind,
  type MigrationTable,
  migrationTables,
  type Row,
} from '../../../core/migration/tables.ts';
import { readAddress } from './address.ts';
import { keptTables } from './kept-tables.ts';
import { type Cells, createLines, type Line, statement } from './line.ts';
import { prepareTables } from './schema.ts';
import { unavailable } from './trouble.ts';
import { typeNumber } from './types.ts';

export interface TargetOptions {
  readonly url: string;
  readonly connectTimeoutMs: number;
  readonly operationTimeoutMs: number;
  readonly nowMs: () => number;
}

const pageLength = 1000;
/** Characters of one statement's rows. */
const pieceLength = 4 * 1024 * 1024;

const countAll = statement(
  'SELECT (SELECT count(*) FROM (SELECT 1 FROM svc_node WHERE id > 2 LIMIT 1) AS n) + (SELECT count(*) FROM (SELECT 1 FROM svc_users LIMIT 1) AS u)',
);
const readNote = statement('SELECT request_hash FROM svc_idempotency WHERE key = $1');
const putNote = statement(
  "INSERT INTO svc_idempotency (key, request_hash, state, status, body, expires_at) VALUES ($1, $2, 'claimed', NULL, $3, $4)",
);
const dropNote = statement('DELETE FROM svc_idempotency WHERE key = $1');
const readMeta = statement('SELECT value FROM svc_meta WHERE key = $1');
const putMeta = statement(
  'INSERT INTO svc_meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
);
const dropMeta = statement('DELETE FROM svc_meta WHERE key = $1');
const readTypes = statement('SELECT id, named, module, name, schema FROM svc_type');
const startAt = statement('SELECT setval($1::text::regclass, $2::int8, false)');
const startKeptAt = statement(
  "SELECT setval('svc_kv_number', (SELECT max(n) FROM (SELECT 1 AS n UNION ALL SELECT seq FROM svc_kv_document UNION ALL SELECT id FROM svc_kv_collection) AS taken))",
);
const countRoots = statement("UPDATE svc_meta SET topo = topo + 1 WHERE key = 'roots'");
const begin = statement('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
// A look at everything takes the time it takes, and is no matter of indexes.
const patience = ['SET LOCAL statement_timeout = 0', 'SET LOCAL enable_seqscan = on'].map(statement);
const fetch = statement(`FETCH ${pageLength} FROM migration`);
const commit = statement('COMMIT');

/** @throws Failure `SERVICE_UNAVAILABLE` when nobody answers; UnusableStore when a newer version made the tables */
export async function openMigrationTarget(options: TargetOptions): Promise<MigrationTarget> {
  const { connectTimeoutMs, operationTimeoutMs, nowMs } = options;
  try {
    const lines = await createLines({ address: readAddress(options.url), connectTimeoutMs, operationTimeoutMs });
    const line = await lines.open();
    await prepareTables(line, nowMs());
    await line.together(keptTables);
    return targetOn(line, nowMs);
  } catch (error) {
    throw unavailable(error);
  }
}

function targetOn(line: Line, nowMs: () => number): MigrationTarget {
  const types = createNumbers(line);
  const meta = async (key: string) => (await line.ask(readMeta, [key]))[0]?.[0] ?? undefined;
  const noted = (progress: Progress) => ({ statement: putMeta, values: ['migration', JSON.stringify(progress)] });
  return guarded({
    async begin(sourceId, { nodeSecret }) {
      if ((await meta('migrated_from')) === sourceId) return 'done';
      const note = (await line.ask(readNote, [noteKey]))[0]?.[0] ?? undefined;
      if (note === sourceId) return 'goes on';
      if (note !== undefined) return 'another';
      if ((await line.ask(countAll, []))[0]?.[0] !== '0') return 'full';
      const until = nowMs() + noteDays * 86_400_000;
      await line.together([
        { statement: putNote, values: [noteKey, sourceId, migrationNote, until] },
        // Ids of nodes that are computed from their numbers stay the same.
        { statement: putMeta, values: ['node_secret', nodeSecret] },
      ]);
      return 'begins';
    },
    async progress() {
      const text = await meta('migration');
      return text === undefined ? undefined : (JSON.parse(text) as Progress);
    },
    async put(table, rows, progress) {
      const asked = piecesOf(await types.toNumbers(table, rows)).map((text) => ({
        statement: putsOf(table),
        values: [text],
      }));
      await line.together(progress === undefined ? asked : [...asked, noted(progress)]);
      if (table.name === 'type') types.forget();
    },
    note: async (progress) => void (await line.together([noted(progress)])),
    async remove(table, keys) {
      await line.ask(removesOf(table), [JSON.stringify(keys)]);
    },
    count: async (table) => Number((await line.ask(countsOf(table), []))[0]![0]),
    async rows(table, keys) {
      const found = await line.ask(findsOf(table), [JSON.stringify(keys)]);
      return await types.toRows(table, found);
    },
    async *scan(table) {
      await line.ask(begin, []);
      try {
        for (const setting of patience) await line.ask(setting, []);
        const order = keyNames(table).map(([name, kind]) => (kind === 'text' ? `${name} COLLATE "C"` : name));
        const cursor = `DECLARE migration NO SCROLL CURSOR FOR ${selectOf(table)} ORDER BY ${order.join(', ')}`;
        await line.ask(statement(cursor), []);
        for (;;) {
          const found = await line.ask(fetch, []);
          if (found.length === 0) break;
          yield await types.toRows(table, found);
        }
      } finally {
        if (line.isOpen) await line.ask(commit, []);
      }
    },
    async finish({ nextKey }) {
      const source = (await line.ask(readNote, [noteKey]))[0]?.[0] ?? undefined;
      if (source === undefined) return;
      await line.together([
        ...['svc_node_block', 'svc_edge_number', 'svc_root_number'].map((name) => ({
          statement: startAt,
          values: [name, nextKey],
        })),
        { statement: startKeptAt, values: [] },
        { statement: countRoots, values: [] },
        { statement: putMeta, values: ['migrated_from', source] },
        { statement: dropMeta, values: ['migration'] },
        { statement: dropNote, values: [noteKey] },
      ]);
    },
    close: () => line.end(),
  });
}

function guarded(target: MigrationTarget): MigrationTarget {
  const guard =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      try {
        return await work(...args);
      } catch (error) {
        throw unavailable(error);
      }
    };
  const { begin, progress, put, note, remove, count, rows, finish } = target;
  return {
    ...target,
    ...{ begin: guard(begin), progress: guard(progress), put: guard(put), note: guard(note), remove: guard(remove) },
    ...{ count: guard(count), rows: guard(rows), finish: guard(finish) },
  };
}

// ---------------------------------------------------------------- types

interface Names {
  /** Cells by number, as the database writes it: of versions of types, and of what they share. */
  readonly types: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
}

/** Numbers in place of types, and back. */
function createNumbers(line: Line) {
  let known: Names | undefined;
  const load = async (): Promise<Names> => {
    const found = await line.ask(readTypes, []);
    return {
      types: new Map(found.map(([id, , module, name, schema]) => [id!, JSON.stringify([module, name, schema])])),
      names: new Map(found.map(([, named, module, name]) => [named!, JSON.stringify([module, name])])),
    };
  };
  const numbers = new Map<string, { readonly id: number; readonly named: number }>();
  const numberOf = (kind: 'node' | 'edge', text: Cell) => {
    const key = `${kind}${text}`;
    let number = numbers.get(key);
    if (number === undefined) {
      const [module, name, schema = ''] = JSON.parse(text as string) as [string, string, string?];
      numbers.set(key, (number = typeNumber({ kind, module, name, schema })));
    }
    return number;
  };
  return {
    forget() {
      known = undefined;
    },
    /** Records as columns of the database: what it needs beyond the row is worked out. */
    async toNumbers(table: MigrationTable, rows: readonly Row[]): Promise<readonly object[]> {
      const columns = Object.entries(table.columns);
      return rows.map((row) => {
        const record: Record<string, unknown> = {};
        for (const [i, [name, kind]] of columns.entries()) {
          const cell = row[i]!;
          if (kind === 'bool') record[name] = cell === 1;
          else if (kind === 'type') {
            const number = numberOf(table.name as 'node' | 'edge', cell);
            record[name] = number.id;
            record['named'] = number.named;
          } else if (kind === 'name') record[columnOf(name, kind)] = numberOf('node', cell).named;
          else record[name] = cell;
        }
        if (table.name === 'type') {
          const [kind, module, name, schema] = row as ['node' | 'edge', string, string, string];
          Object.assign(record, typeNumber({ kind, module, name, schema }));
        }
        return record;
      });
    },
    async toRows(table: MigrationTable, found: readonly Cells[]): Promise<readonly Row[]> {
      const kinds = Object.values(table.columns);
      const { types, names } = kinds.includes('type') ? (known ??= await load()) : { types: none, names: none };
      return found.map((cells) =>
        cells.map((cell, i): Cell => {
          if (cell === null) return null;
          switch (kinds[i]!) {
            case 'int':
              return Number(cell);
            case 'bool':
              return cell === 't' ? 1 : 0;
            case 'type':
              return types.get(cell) ?? null;
            case 'name':
              return names.get(cell) ?? null;
            default:
              return cell;
          }
        }),
      );
    },
  };
}

const none: ReadonlyMap<string, string> = new Map();

// ---------------------------------------------------------------- statements

const columnTypes: Readonly<Record<CellKind, string>> = {
  ...{ text: 'text', int: 'int8', bool: 'bool', type: 'int8', name: 'int8' },
};

function columnOf(name: string, kind: CellKind): string {
  return kind === 'name' ? name.replace('_type', '_named') : name;
}

function keyNames(table: MigrationTable): readonly (readonly [string, CellKind])[] {
  return Object.entries(table.columns).slice(0, table.key);
}

/** Statements of each table, made once. */
function ofTable(make: (table: MigrationTable) => string): (table: MigrationTable) => ReturnType<typeof statement> {
  const made = new Map(migrationTables.map((table) => [table, statement(make(table))]));
  return (table) => made.get(table)!;
}

function selectOf(table: MigrationTable, more = ''): string {
  const columns = Object.entries(table.columns).map(([name, kind]) => `t.${columnOf(name, kind)}`);
  const [[first] = ['']] = keyNames(table);
  const isOurs =
    table.except === undefined ? '' : ` WHERE left(t.${first}, ${table.except.length}) <> '${table.except}'`;
  return `SELECT ${columns.join(', ')} FROM svc_${table.name} AS t${more}${isOurs}`;
}

/** Keys come as a JSON list of lists. */
function keysOf(table: MigrationTable): string {
  const cells = keyNames(table).map(([name, kind], i) => `(k.v ->> ${i})::${columnTypes[kind]} AS ${name}`);
  return `(SELECT ${cells.join(', ')} FROM json_array_elements($1::json) AS k(v)) AS k`;
}

const findsOf = ofTable((table) => {
  const same = keyNames(table).map(([name]) => `t.${name} = k.${name}`);
  return selectOf(table, ` JOIN ${keysOf(table)} ON ${same.join(' AND ')}`);
});

const removesOf = ofTable((table) => {
  const same = keyNames(table).map(([name]) => `t.${name} = k.${name}`);
  return `DELETE FROM svc_${table.name} AS t USING ${keysOf(table)} WHERE ${same.join(' AND ')}`;
});

const countsOf = ofTable((table) => `SELECT count(*) FROM (${selectOf(table)}) AS counted`);

const putsOf = ofTable((table) => {
  const columns = new Map(
    Object.entries(table.columns).map(([name, kind]) => [columnOf(name, kind), columnTypes[kind]] as const),
  );
  if (table.name === 'type') columns.set('id', 'int8').set('named', 'int8');
  if (table.name === 'edge') columns.set('named', 'int8');
  const names = [...columns.keys()];
  const list = [...columns].map(([name, type]) => `${name} ${type}`).join(', ');
  // Roots are listed in the order of their numbers.
  const [seq, seqOf] = table.name === 'root' ? ['seq, ', 'id, '] : ['', ''];
  const key = ['type', 'edge', 'root'].includes(table.name) ? ['id'] : keyNames(table).map(([name]) => name);
  const sets = names.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`);
  const otherwise = sets.length === 0 ? 'NOTHING' : `UPDATE SET ${sets.join(', ')}`;
  return (
    `INSERT INTO svc_${table.name} (${seq}${names.join(', ')}) SELECT ${seqOf}${names.join(', ')} ` +
    `FROM json_to_recordset($1::json) AS t(${list}) ON CONFLICT (${key.join(', ')}) DO ${otherwise}`
  );
});

/** Rows as JSON texts, each of a length that one statement takes well. */
function piecesOf(rows: readonly object[]): string[] {
  const pieces: string[] = [];
  let piece: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    piece.push(text);
    length += text.length;
    if (length < pieceLength) continue;
    pieces.push(`[${piece.join()}]`);
    [piece, length] = [[], 0];
  }
  if (piece.length > 0) pieces.push(`[${piece.join()}]`);
  return pieces;
}
