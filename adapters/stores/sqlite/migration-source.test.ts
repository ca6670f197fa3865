/**
 * Triggers of a file that moves (decisions/0735): every table is followed, with the key of each row that changes, and shut at the end, or is named
 * here as one of which nothing moves.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { MigrationSource } from '../../../core/migration/ports.ts';
import { migrationTables } from '../../../core/migration/tables.ts';
import { openEmbedded } from '../../kvstore/embedded/database.ts';
import type { SqliteDriver } from './driver.ts';
import { openMigrationSource } from './migration-source.ts';
import { MOVING } from './moving.ts';
import { openDriver } from './open-driver.ts';
import { openSqliteStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-moving-'));
let number = 0;
afterAll(() => rmSync(folder, { recursive: true }));

/** Table of a file, the table of the migration in which its changes are noted, and the columns of the key there. */
const followed: readonly (readonly [file: 'file' | 'kept', table: string, as: string, key: readonly string[]])[] = [
  ...migrationTables
    .filter(({ isKept, name }) => isKept !== true && name !== 'edge')
    .map(({ name, key, columns }) => ['file', name, name, Object.keys(columns).slice(0, key)] as const),
  ['file', 'edge', 'edge', ['source', 'id']],
  ['file', 'adj', 'edge', ['src', 'eid']],
  ['kept', 'collections', 'kv_collection', ['id']],
  ['kept', 'documents', 'kv_document', ['seq']],
  ['kept', 'expiries', 'kv_document', ['seq']],
  ['kept', 'entries', 'kv_entry', ['collection', 'name', 'key', 'seq']],
  ['kept', 'pairs', 'kv_pair', ['number', 'key']],
];
/** The other direction of `adj`, which is written with it. */
const shutOnly = [['file', 'radj']] as const;
const staying = ['meta', 'migration_change', 'migration_state', 'sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'];

interface Column {
  readonly name: string;
  readonly type: string;
}

const columnsOf = (db: SqliteDriver, table: string) =>
  db.prepare(`SELECT name, upper(type) AS type FROM pragma_table_info('${table}')`).rows() as Column[];

/** A value for a column; bits of a link are none. */
const valueOf = ({ name, type }: Column, n: number) => (type.includes('INT') ? (name === 'x' ? 0 : n) : `v${n}`);

async function open(): Promise<{ source: MigrationSource } & Record<'file' | 'kept', SqliteDriver>> {
  const files = { file: join(folder, `svc${++number}.db`), kept: join(folder, `kvstore${number}.db`) };
  const { graph } = await openSqliteStore({ file: files.file, durability: 'normal' });
  await graph.close();
  openEmbedded({ file: files.kept, durability: 'normal', busyTimeoutMs: 5000 }).close();
  const source = openMigrationSource(files, Date.now);
  source.follow();
  const [file, kept] = [openDriver(files.file), openDriver(files.kept)];
  // Rows of this test are what no program writes.
  for (const db of [file, kept]) db.exec('PRAGMA ignore_check_constraints=ON; PRAGMA foreign_keys=OFF');
  return { source, file, kept };
}

test('rows that are added, changed, renamed and removed are noted by their keys, whoever does it', async () => {
  const opened = await open();
  const { source } = opened;
  const noted = (as: string, since: string) => {
    const moment = source.moment();
    const table = migrationTables.find(({ name }) => name === as)!;
    const keys = moment.changed(table, since);
    const { position } = moment;
    moment.end();
    return { keys: keys.map((key) => JSON.stringify(key)).sort(), position };
  };
  for (const [file, table, as, key] of followed) {
    const db = opened[file];
    const columns = columnsOf(db, table);
    const keyOf = (n: number) =>
      JSON.stringify(key.map((name) => valueOf(columns.find((column) => column.name === name)!, n)));
    const literal = (column: Column, n: number) => JSON.stringify(valueOf(column, n)).replaceAll('"', "'");
    const where = (n: number) => key.map((name) => `${name} = ${literal(columns.find((c) => c.name === name)!, n)}`);
    let { position } = noted(as, '0/0');
    const expectNoted = (what: string, statement: string, numbers: readonly number[]) => {
      db.exec(statement);
      const after = noted(as, position);
      expect(after.keys, `${table}: ${what}`).toEqual(numbers.map(keyOf).sort());
      position = after.position;
    };
    const names = columns.map(({ name }) => `"${name}"`).join();
    const values = columns.map((column) => literal(column, 7000)).join();
    expectNoted('added', `INSERT INTO ${table} (${names}) VALUES (${values})`, [7000]);
    const changed = columns.findLast(({ name }) => !key.includes(name) && name !== 'x') ?? columns.at(-1)!;
    expectNoted(
      'changed',
      `UPDATE ${table} SET "${changed.name}" = "${changed.name}" WHERE ${where(7000).join(' AND ')}`,
      [7000],
    );
    const moves = key.map((name) => `"${name}" = ${literal(columns.find((c) => c.name === name)!, 7001)}`).join();
    expectNoted('renamed', `UPDATE ${table} SET ${moves} WHERE ${where(7000).join(' AND ')}`, [7000, 7001]);
    expectNoted('removed', `DELETE FROM ${table} WHERE ${where(7001).join(' AND ')}`, [7001]);
  }
  source.unfollow();
  for (const file of [opened.file, opened.kept]) {
    expect(file.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").rows()).toEqual([]);
    file.close();
  }
  source.close();
});

test('edges of a node whose type changes are noted', async () => {
  const { source, file, kept } = await open();
  const insert = (table: string, values: Record<string, number>) => {
    const columns = columnsOf(file, table);
    const all = columns.map((column) =>
      JSON.stringify(values[column.name] ?? valueOf(column, Object.values(values)[0]!)).replaceAll('"', "'"),
    );
    file.exec(`INSERT INTO ${table} (${columns.map(({ name }) => `"${name}"`).join()}) VALUES (${all.join()})`);
  };
  for (const id of [8001, 8002]) insert('node', { id, type: 1 });
  insert('adj', { src: 8001, eid: 8003, far: 8002 });
  insert('radj', { src: 8002, eid: 8003, far: 8001 });
  const edges = migrationTables.find(({ name }) => name === 'edge')!;
  for (const id of [8001, 8002]) {
    const before = source.moment();
    file.exec(`UPDATE node SET type = type + 1 WHERE id = ${id}`);
    const after = source.moment();
    expect(after.changed(edges, before.position)).toEqual([[8001, 8003]]);
    for (const moment of [before, after]) moment.end();
  }
  for (const one of [file, kept, source]) one.close();
});

test('while it is frozen nobody writes into any table; then they do again', async () => {
  const opened = await open();
  const { source } = opened;
  source.freeze(60_000);
  const tables = [...followed.map(([file, table]) => [file, table] as const), ...shutOnly];
  const all = (['file', 'kept'] as const).flatMap((file) =>
    opened[file]
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .rows()
      .map(({ name }) => `${file} ${name}`),
  );
  const known = tables.map(([file, table]) => `${file} ${table}`);
  expect(all.filter((name) => !known.includes(name) && !staying.includes(name.split(' ')[1]!))).toEqual([]);
  const statements = tables.flatMap(([file, table]) => {
    const columns = columnsOf(opened[file], table);
    const values = columns.map((column) => JSON.stringify(valueOf(column, 9000)).replaceAll('"', "'")).join();
    const insert = `INSERT INTO ${table} (${columns.map(({ name }) => `"${name}"`).join()}) VALUES (${values})`;
    return [[file, table, insert] as const];
  });
  for (const [file, table, insert] of statements) expect(() => opened[file].exec(insert), table).toThrow(MOVING);
  source.thaw();
  for (const [file, , insert] of statements) opened[file].exec(insert);
  source.freeze(60_000);
  for (const [file, table] of statements) {
    const [column] = columnsOf(opened[file], table);
    expect(() => opened[file].exec(`UPDATE ${table} SET "${column!.name}" = "${column!.name}"`), table).toThrow(MOVING);
    expect(() => opened[file].exec(`DELETE FROM ${table}`), table).toThrow(MOVING);
  }
  source.thaw();
  for (const one of [opened.file, opened.kept, source]) one.close();
});
