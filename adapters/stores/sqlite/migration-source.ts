/**
 * The embedded store as what a migration leaves (core/migration). Triggers of the file note every change, and keep
 * writers out at the end: so it holds for each process that has the file open, and those that come.
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { MigrationSource, Position, SourceMoment } from '../../../core/migration/ports.ts';
import { type Cell, type MigrationTable, migrationTables, type Row } from '../../../core/migration/tables.ts';
import { UnusableStore } from '../unusable-store.ts';
import { atOnce } from './at-once.ts';
import type { SqliteDriver, SqliteStatement } from './driver.ts';
import { createEdgeIds } from './edge-ids.ts';
import { MOVING } from './moving.ts';
import { openDriver } from './open-driver.ts';
import { openFile } from './open-file.ts';
import { readMeta } from './schema.ts';
import { openSnapshot } from './snapshot.ts';

/** Tables whose rows are no rows of their own in a migration, but part of an edge. */
const links = ['adj', 'radj'];
/** Tables of the databases of `kvstore`, which are the attached file `kept`. */
const keptTables = ['collections', 'documents', 'entries', 'expiries', 'pairs'];
/** Names of the two files within one connection. */
const files = ['main', 'kept'] as const;
/** Seconds that have to be left when the store is given up. */
const spareSeconds = 2;

export interface SourceFiles {
  /** The store. */
  readonly file: string;
  /** The databases of `kvstore`, which are there. */
  readonly kept: string;
}

/** @throws UnusableStore when another process migrates it; Failure `SERVICE_UNAVAILABLE` when the file cannot be used */
export function openMigrationSource({ file, kept }: SourceFiles, nowMs: () => number): MigrationSource {
  const lock = lockFor(file);
  const db = openFile({ file, nowMs });
  attach(db, kept);
  db.exec('PRAGMA synchronous=FULL; PRAGMA kept.synchronous=FULL');
  const meta = (key: string) => readMeta(db, key);
  const put = (key: string, value: string) =>
    db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value);
  const hasState = () =>
    db.prepare("SELECT count(*) AS v FROM kept.sqlite_master WHERE name = 'migration_state'").value() === 1;
  const putKept = (key: string, value: string) =>
    db.prepare('INSERT OR REPLACE INTO kept.migration_state (key, value) VALUES (?, ?)').run(key, value);
  // An earlier command may have ended between the two files.
  if (meta('moved') !== undefined && hasState()) putKept('moved', meta('moved')!);
  const nowSeconds = () => db.prepare("SELECT CAST(strftime('%s', 'now') AS INTEGER) AS v").value() as number;
  return {
    id: createHash('sha256')
      .update(`svc migrate ${meta('node_secret')}`)
      .digest('hex'),
    movedTo: () => meta('moved'),
    follow: () =>
      atOnce(db, () => {
        const isThere = "SELECT count(*) AS v FROM sqlite_master WHERE name = 'migration_change'";
        if (db.prepare(isThere).value() === 1 && hasState()) return false;
        db.exec('CREATE TABLE IF NOT EXISTS kept.migration_state (key TEXT PRIMARY KEY, value TEXT NOT NULL)');
        for (const one of files)
          db.exec(
            `CREATE TABLE IF NOT EXISTS ${one}.migration_change (n INTEGER PRIMARY KEY AUTOINCREMENT, tab TEXT NOT NULL, key TEXT NOT NULL)`,
          );
        for (const text of followers()) db.exec(text);
        return true;
      }),
    moment: () => openMoment(openBoth(file, kept, db.package), meta('edge_secret')!),
    freeze(forMs) {
      atOnce(db, () => {
        for (const text of fences()) db.exec(text);
        const until = String(nowSeconds() + Math.ceil(forMs / 1000));
        put('frozen_until', until);
        putKept('frozen_until', until);
      });
    },
    thaw() {
      atOnce(db, () => {
        db.exec("DELETE FROM meta WHERE key = 'frozen_until'");
        if (hasState()) db.exec('DELETE FROM kept.migration_state');
        for (const name of triggersNamed(db, 'frozen_')) db.exec(`DROP TRIGGER ${name}`);
      });
    },
    give(to, position) {
      atOnce(db, () => {
        if (lastChange(db) !== position) throw new UnusableStore('something was written while nobody should have');
        if (Number(meta('frozen_until') ?? 0) < nowSeconds() + spareSeconds)
          throw new UnusableStore('the last step took too long: writes are taken again');
        put('moved', to);
      });
      // The store's own word counts; until this is written its time keeps writers out.
      putKept('moved', to);
    },
    unfollow() {
      atOnce(db, () => {
        for (const name of triggersNamed(db, 'followed_')) db.exec(`DROP TRIGGER ${name}`);
        for (const one of files) db.exec(`DROP TABLE IF EXISTS ${one}.migration_change`);
        db.exec('DROP TABLE IF EXISTS kept.migration_state');
      });
    },
    settings: () => ({ nodeSecret: meta('node_secret')!, nextKey: Number(meta('next_key')) }),
    close() {
      db.close();
      lock.close();
      for (const suffix of ['', '-journal']) rmSync(`${file}.migration${suffix}`, { force: true });
    },
  };
}

/** A file whose lock goes with the process. */
function lockFor(file: string): SqliteDriver {
  const lock = openDriver(`${file}.migration`);
  try {
    lock.exec('PRAGMA busy_timeout=0; BEGIN EXCLUSIVE');
    return lock;
  } catch {
    lock.close();
    throw new UnusableStore('another svc migrate works on this store');
  }
}

function attach(db: SqliteDriver, kept: string): void {
  db.prepare('ATTACH DATABASE ? AS kept').run(kept);
}

/** Both files as they are now. */
function openBoth(file: string, kept: string, driver: SqliteDriver['package']): SqliteDriver {
  const db = openSnapshot(file, driver, (opened) => attach(opened, kept));
  db.prepare('SELECT count(*) AS v FROM (SELECT 1 FROM kept.collections LIMIT 1)').value();
  return db;
}

function lastChange(db: SqliteDriver): Position {
  const last = (one: string) => db.prepare(`SELECT coalesce(max(n), 0) AS v FROM ${one}.migration_change`).value();
  return files.map(last).join('/');
}

/** Names with those of their files. */
function triggersNamed(db: SqliteDriver, prefix: string): string[] {
  return files.flatMap((one) =>
    db
      .prepare(`SELECT name FROM ${one}.sqlite_master WHERE type = 'trigger' AND substr(name, 1, ?) = ?`)
      .rows(prefix.length, prefix)
      .map(({ name }) => `${one}.${name}`),
  );
}

// ---------------------------------------------------------------- triggers

const events = ['INSERT', 'UPDATE', 'DELETE'] as const;

/** Statements that have each change noted. */
function followers(): string[] {
  const note = (table: string, key: (row: string) => string, where = '', of = table, one = 'main'): string[] =>
    events.map((event) => {
      const [before, after] = [`json_array(${key('OLD')})`, `json_array(${key('NEW')})`];
      const put = (text: string) => `INSERT INTO migration_change (tab, key) VALUES ('${of}', ${text});`;
      const moved = `INSERT INTO migration_change (tab, key) SELECT '${of}', ${before} WHERE ${before} <> ${after};`;
      const notes = { INSERT: put(after), DELETE: put(before), UPDATE: `${put(after)} ${moved}` }[event];
      const when = where === '' ? '' : ` WHEN ${where.replaceAll('ROW', event === 'DELETE' ? 'OLD' : 'NEW')}`;
      return `CREATE TRIGGER IF NOT EXISTS ${one}.followed_${table}_${event} AFTER ${event} ON ${table}${when} BEGIN ${notes} END`;
    });
  const ends = (source: string, table: string) =>
    `INSERT INTO migration_change (tab, key) SELECT 'edge', json_array(${source}, eid) FROM ${table} WHERE src = NEW.id AND (x & 8) = 0;`;
  return [
    ...migrationTables
      .filter(({ name, isKept }) => name !== 'edge' && isKept !== true)
      .flatMap(({ name, key, columns }) => {
        const names = Object.keys(columns).slice(0, key);
        return note(name, (row) => names.map((column) => `${row}.${column}`).join(', '));
      }),
    ...note('edge', (row) => `${row}.source, ${row}.id`),
    // An undirected edge is listed from its other end as well.
    ...note('adj', (row) => `${row}.src, ${row}.eid`, '(ROW.x & 8) = 0', 'edge'),
    // Edges are filed by the types of their ends.
    ...note('collections', (row) => `${row}.id`, '', 'kv_collection', 'kept'),
    ...['documents', 'expiries'].flatMap((table) => note(table, (row) => `${row}.seq`, '', 'kv_document', 'kept')),
    ...note('entries', (row) => `${row}.collection, ${row}.name, ${row}.key, ${row}.seq`, '', 'kv_entry', 'kept'),
    ...note('pairs', (row) => `${row}.number, ${row}.key`, '', 'kv_pair', 'kept'),
    `CREATE TRIGGER IF NOT EXISTS followed_node_type AFTER UPDATE OF type ON node WHEN OLD.type <> NEW.type BEGIN ${ends('src', 'adj')} ${ends('far', 'radj')} END`,
  ];
}

/** Statements that let nobody write while the store is frozen, or when it has moved. */
function fences(): string[] {
  const isFrozen = (state: string) =>
    `(SELECT count(*) FROM ${state} WHERE key = 'moved' OR (key = 'frozen_until' AND CAST(value AS INTEGER) > CAST(strftime('%s', 'now') AS INTEGER))) > 0`;
  const shut = (one: string, tables: readonly string[], state: string) =>
    tables.flatMap((table) =>
      events.map(
        (event) =>
          `CREATE TRIGGER IF NOT EXISTS ${one}.frozen_${table}_${event} BEFORE ${event} ON ${table} WHEN ${isFrozen(state)} BEGIN SELECT RAISE(ABORT, '${MOVING}'); END`,
      ),
    );
  const own = migrationTables.filter(({ isKept }) => isKept !== true).map(({ name }) => name);
  return [...shut('main', [...own, ...links], 'meta'), ...shut('kept', keptTables, 'migration_state')];
}

// ---------------------------------------------------------------- rows

function openMoment(db: SqliteDriver, edgeSecret: string): SourceMoment {
  const types = new Map<number, { readonly type: string; readonly name: string; readonly isEdge: boolean }>();
  for (const { id, kind, module, name, schema } of db.prepare('SELECT * FROM type').rows())
    types.set(id, {
      type: JSON.stringify([module, name, schema]),
      name: JSON.stringify([module, name]),
      isEdge: kind === 'edge',
    });
  const edgeIds = createEdgeIds(edgeSecret);
  const idsOf = (isEdge: boolean) => [...types].flatMap(([id, type]) => (type.isEdge === isEdge ? [id] : [])).join();
  const statements = new Map<string, SqliteStatement>();
  const prepare = (text: string) => {
    let statement = statements.get(text);
    if (statement === undefined) statements.set(text, (statement = db.prepare(text)));
    return statement;
  };
  const rowOf = (table: MigrationTable, found: Record<string, Cell>): Row => {
    const cells = Object.entries(table.columns).map(([name, kind]) => {
      const value = found[name]!;
      if (kind === 'type') return types.get(value as number)!.type;
      return kind === 'name' ? types.get(value as number)!.name : value;
    });
    if (table.name !== 'edge') return cells;
    const [edge, source] = [found['id'] as number, found['source'] as number];
    return cells.with(2, found['uid'] ?? edgeIds.uidOf({ edge, source }));
  };
  return {
    position: lastChange(db),
    count: (table) => prepare(countOf(table)).value(),
    page(table, after, limit) {
      const { from, order, behind } = partsOf(table);
      const text = `${from} ${after === undefined ? '' : `AND ${behind}`} ORDER BY ${order} LIMIT ?`;
      const values = after === undefined ? [] : table.name === 'edge' ? [after[0]!, ...after] : after;
      return prepare(text)
        .rows(...values, limit)
        .map((found) => rowOf(table, found));
    },
    changed: (table, since) =>
      prepare(`SELECT DISTINCT key FROM ${fileOf(table)}.migration_change WHERE n > ? AND tab = ?`)
        .rows(Number(since.split('/')[table.isKept === true ? 1 : 0]), table.name)
        .map(({ key }) => JSON.parse(key) as Row)
        .filter(([first]) => table.except === undefined || !String(first).startsWith(table.except)),
    rows(table, keys) {
      const { from, same } = partsOf(table);
      // An index has the types of an edge before its number.
      const seek = table.name === 'edge' ? ` AND a.etype IN (${idsOf(true)}) AND a.ntype IN (${idsOf(false)})` : '';
      const find = prepare(`${from} AND ${same}${seek}`);
      return keys.flatMap((key) => {
        const found = find.row(...key);
        return found === undefined ? [] : [rowOf(table, found)];
      });
    },
    end: () => db.close(),
  };
}

const edgeColumns =
  "a.src AS source, a.eid AS id, e.uid, coalesce(e.type, a.etype) AS type, a.far AS target, a.x & 1 AS undirected, e.owner, coalesce(e.rev, 1) AS rev, coalesce(e.created_at, 0) AS created_at, coalesce(e.updated_at, 0) AS updated_at, coalesce(e.access, '') AS access, coalesce(e.data, '') AS data, coalesce(e.attic, '') AS attic, s.type AS source_type, t.type AS target_type";

interface Parts {
  /** `SELECT … FROM … WHERE …` of all rows. */
  readonly from: string;
  readonly order: string;
  /** Conditions on the key. */
  readonly behind: string;
  readonly same: string;
}

function partsOf(table: MigrationTable): Parts {
  if (table.name === 'edge')
    return {
      from: `SELECT ${edgeColumns} FROM adj a LEFT JOIN edge e ON e.id = a.eid JOIN node s ON s.id = a.src JOIN node t ON t.id = a.far WHERE (a.x & 8) = 0`,
      order: 'a.src, a.eid',
      behind: 'a.src >= ? AND (a.src > ? OR a.eid > ?)',
      same: 'a.src = ? AND a.eid = ?',
    };
  const names = Object.keys(table.columns);
  const key = names.slice(0, table.key);
  const parts = {
    order: key.join(', '),
    behind: `(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`,
    same: key.map((name) => `${name} = ?`).join(' AND '),
  };
  if (table.isKept === true) return { ...parts, from: `SELECT * FROM (${kept[table.name]}) WHERE true` };
  const columns = names.map((name) =>
    table.name === 'node' && ['access', 'attic'].includes(name) ? `coalesce(${name}, '') AS ${name}` : name,
  );
  return {
    ...parts,
    from: `SELECT ${columns.join(', ')} FROM ${table.name} WHERE ${exceptOf(table)}`,
  };
}

/** Rows of the databases of `kvstore` as those of a migration. */
const kept: Readonly<Record<string, string>> = {
  kv_collection: 'SELECT id, db, name, indexes FROM kept.collections',
  kv_document:
    'SELECT seq, collection, id, doc, (SELECT min(at) FROM kept.expiries AS e WHERE e.seq = d.seq) AS expires FROM kept.documents AS d',
  kv_entry:
    "SELECT collection, name, key, seq, (SELECT count(*) FROM kept.collections AS c, json_each(c.indexes) AS i WHERE c.id = e.collection AND json_extract(i.value, '$.name') = e.name AND json_extract(i.value, '$.unique')) AS lone FROM kept.entries AS e",
  kv_pair: 'SELECT number, key, value, expires FROM kept.pairs',
};

function fileOf({ isKept }: MigrationTable): (typeof files)[number] {
  return isKept === true ? 'kept' : 'main';
}

function exceptOf({ except, columns }: MigrationTable): string {
  const [key] = Object.keys(columns);
  return except === undefined ? 'true' : `substr(${key}, 1, ${except.length}) <> '${except}'`;
}

function countOf(table: MigrationTable): string {
  if (table.name === 'edge') return 'SELECT count(*) AS v FROM adj WHERE (x & 8) = 0';
  if (table.isKept === true) return `SELECT count(*) AS v FROM (${kept[table.name]})`;
  return `SELECT count(*) AS v FROM ${table.name} WHERE ${exceptOf(table)}`;
}
