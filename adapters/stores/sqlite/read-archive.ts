/** An archive as a new store: all of it or nothing (decisions/0087). */
import { rmSync } from 'node:fs';
import {
  ARCHIVE_FORMAT,
  ArchiveError,
  type ArchiveLine,
  type EdgeLine,
  type EndLine,
  type Loaded,
  type NodeLine,
} from '../../../core/archive/archive.ts';
import { parseLine, requireCounts } from '../../../core/archive/check-lines.ts';
import { createKeptCounts, isKept } from '../../../core/archive/kept-lines.ts';
import { FOREIGN, RECORD, UNDIRECTED } from '../../../core/memory/store.ts';
import { createNodeIds } from '../node-ids.ts';
import { type AddedRows, createAddedRows } from './added-rows.ts';
import type { SqliteDriver, SqlValue } from './driver.ts';
import { createEdgeIds } from './edge-ids.ts';
import { openFile } from './open-file.ts';
import { SHARED_ROOT_KEY, SYSTEM_ROOT_KEY } from './schema.ts';
import { createSqlCache, type Sql } from './sql-cache.ts';
import { insertLinks } from './write-edges.ts';

/**
 * Fills a new file, with all but what programs keep with `kvstore`, which is only counted. Nothing of it is left when the archive is not good to its
 * end. @throws ArchiveError
 */
export async function loadArchive(lines: AsyncIterable<string>, file: string, nowMs: () => number): Promise<Loaded> {
  const db = openFile({ file, nowMs });
  try {
    db.exec('PRAGMA synchronous=FULL; BEGIN IMMEDIATE');
    const load = new Load(db);
    let number = 0;
    for await (const text of lines) {
      number++;
      if (text.trim() === '') continue;
      try {
        load.take(parseLine(text));
      } catch (cause) {
        throw cause instanceof ArchiveError ? cause : new ArchiveError(number, (cause as Error).message);
      }
    }
    const counts = load.finish(number);
    db.exec('COMMIT');
    db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').row();
    db.close();
    return counts;
  } catch (error) {
    db.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    throw error;
  }
}

class Load {
  private readonly sql: Sql;
  private readonly added: AddedRows;
  private readonly types = new Map<string, number>();
  private readonly counts = { nodes: 0, edges: 0, accounts: 0 };
  private readonly kept = createKeptCounts();
  private nodeIds: ReturnType<typeof createNodeIds> | undefined;
  private edgeIds: ReturnType<typeof createEdgeIds> | undefined;
  private end: EndLine | undefined;
  private last = 0;

  constructor(db: SqliteDriver) {
    this.sql = createSqlCache(db);
    this.added = createAddedRows(db);
    for (const { id, kind, module, name, schema } of this.sql('SELECT * FROM type').rows())
      this.types.set(JSON.stringify([kind, module, name, schema]), id);
  }

  take(line: ArchiveLine): void {
    if (this.end !== undefined) throw new Error('there is something behind the end');
    if (line.kind === 'svc-graph') {
      this.begin(line.format, line.id_keys);
      return;
    }
    if (this.nodeIds === undefined) throw new Error('it does not begin with the header of an export');
    if (line.kind === 'node') this.addNode(line);
    else if (line.kind === 'edge') this.addEdge(line);
    else if (line.kind === 'account') {
      this.insert('users', line.user);
      for (const identity of line.identities) this.insert('identities', identity);
      this.counts.accounts++;
    } else if (isKept(line)) this.kept.take(line);
    else if (line.kind === 'end') this.end = line;
    else throw new Error(`unknown kind of line: ${JSON.stringify((line as { kind?: unknown }).kind)}`);
  }

  finish(lines: number): Loaded {
    const { sql, end } = this;
    const counts: Loaded = { ...this.counts, ...this.kept.found() };
    const wrong = (message: string) => new ArchiveError(lines, message);
    if (end === undefined) throw wrong('it is cut off: the line that ends it is missing');
    try {
      requireCounts(end, counts);
    } catch (cause) {
      throw wrong((cause as Error).message);
    }
    const stray = sql(
      'SELECT a.eid AS v FROM adj a LEFT JOIN node n ON n.id = a.far WHERE n.id IS NULL LIMIT 1',
    ).value();
    if (stray !== null) throw wrong('an edge leads to a node that is not there');
    const homeless = sql(
      'SELECT n.id AS v FROM node n LEFT JOIN root r ON r.id = n.owner WHERE r.id IS NULL LIMIT 1',
    ).value();
    if (homeless !== null) throw wrong('a node belongs to a root that is not there');
    const rootless = sql(
      'SELECT u.user_id AS v FROM users u LEFT JOIN node n ON n.uid = u.root_id LEFT JOIN root r ON r.id = n.id WHERE r.id IS NULL LIMIT 1',
    ).value();
    if (rootless !== null) throw wrong(`the account ${rootless} has no root`);
    sql(
      'UPDATE node SET topo = (SELECT count(*) FROM adj WHERE src = node.id) + (SELECT count(*) FROM radj WHERE src = node.id)',
    ).run();
    sql("UPDATE meta SET value = ? WHERE key = 'next_key'").run(String(this.last + 1));
    sql("UPDATE meta SET value = '1' WHERE key = 'roots_topo'").run();
    return counts;
  }

  private begin(format: number, keys: { readonly node: string; readonly edge: string }): void {
    if (this.nodeIds !== undefined) throw new Error('a second header');
    if (format !== ARCHIVE_FORMAT) throw new Error(`format ${format}, this version knows ${ARCHIVE_FORMAT}`);
    for (const key of [keys?.node, keys?.edge]) {
      if (typeof key !== 'string' || !/^[0-9a-f]{64}$/.test(key)) throw new Error('id_keys are not those of an export');
    }
    const put = this.sql('UPDATE meta SET value = ? WHERE key = ?');
    put.run(keys.node, 'node_secret');
    put.run(keys.edge, 'edge_secret');
    this.nodeIds = createNodeIds(keys.node);
    this.edgeIds = createEdgeIds(keys.edge);
  }

  private addNode(line: NodeLine): void {
    const key = this.keyFor(line.seq);
    const isBuiltIn = key === SYSTEM_ROOT_KEY || key === SHARED_ROOT_KEY;
    const isRoot = line.owner === line.id;
    const uid = this.nodeIds!.uidOf(key) === requireId(line.id) ? null : line.id;
    if (isRoot && !isBuiltIn) this.sql('INSERT INTO root (id) VALUES (?)').run(key);
    this.sql(
      'INSERT OR REPLACE INTO node (id, uid, type, owner, rev, topo, created_at, updated_at, access, data, attic) VALUES (?, ?, ?, ?, 1, 0, ?, ?, ?, ?, ?)',
    ).run(
      key,
      uid,
      this.typeOf('node', line),
      isRoot ? key : this.nodeKey(line.owner),
      Number(line.created_at),
      Number(line.updated_at),
      textOf(line.access),
      textOf(line.data) ?? '{}',
      textOf(line.attic),
    );
    this.counts.nodes++;
  }

  private addEdge(line: EdgeLine): void {
    const edge = this.keyFor(line.seq);
    const [source, target] = [this.nodeKey(line.source), this.nodeKey(line.target)];
    const uid = this.edgeIds!.uidOf({ edge, source }) === requireId(line.id) ? null : line.id;
    const [access, data, attic] = [textOf(line.access), textOf(line.data) ?? '', textOf(line.attic)];
    const hasRecord = uid !== null || access !== null || data !== '' || attic !== null || line.owner !== null;
    const type = this.typeOf('edge', line);
    if (hasRecord) {
      this.sql(
        'INSERT INTO edge (id, uid, type, source, target, undirected, owner, rev, created_at, updated_at, access, data, attic) VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)',
      ).run(
        edge,
        uid,
        type,
        source,
        target,
        line.undirected ? 1 : 0,
        line.owner === null ? null : this.nodeKey(line.owner),
        Number(line.created_at),
        Number(line.updated_at),
        access,
        data,
        attic,
      );
    }
    const isForeign = line.owner !== null || access !== null;
    const flags = (line.undirected ? UNDIRECTED : 0) | (hasRecord ? RECORD : 0) | (isForeign ? FOREIGN : 0);
    const typeAt = this.sql('SELECT type AS v FROM node WHERE id = ?');
    const [stype, ttype] = [typeAt.value(source), typeAt.value(target)];
    if (stype === null || ttype === null) throw new Error(`an end of the edge ${line.id} is not there`);
    insertLinks(this.added, { edge, source, target, etype: type, stype, ttype }, flags);
    this.added.flush(); // what is wrong with a line is said of that line
    this.counts.edges++;
  }

  private keyFor(seq: unknown): number {
    if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 1) throw new Error('seq must be a whole number');
    this.last = Math.max(this.last, seq);
    return seq;
  }

  private nodeKey(id: string): number {
    const stored = this.sql('SELECT id AS v FROM node WHERE uid = ?').value(requireId(id)) as number | null;
    const key = stored ?? this.nodeIds!.keyOf(id);
    if (key === undefined) throw new Error(`there is no node ${id}`);
    return key;
  }

  private typeOf(kind: 'node' | 'edge', { module, type, schema }: NodeLine | EdgeLine): number {
    const name = JSON.stringify([kind, module, type, schema]);
    let id = this.types.get(name);
    if (id === undefined) {
      id = this.sql('INSERT INTO type (kind, module, name, schema) VALUES (?, ?, ?, ?) RETURNING id AS v').value(
        kind,
        String(module),
        String(type),
        String(schema),
      ) as number;
      this.types.set(name, id);
    }
    return id;
  }

  private insert(table: 'users' | 'identities', row: Readonly<Record<string, SqlValue>>): void {
    const known = new Set(
      this.sql(`SELECT name FROM pragma_table_info('${table}')`)
        .rows()
        .map((column) => column.name),
    );
    const names = Object.keys(row);
    const odd = names.find((name) => !known.has(name));
    if (odd !== undefined) throw new Error(`unknown member of an account: ${JSON.stringify(odd)}`);
    this.sql(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(
      ...names.map((name) => row[name]!),
    );
  }
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

function requireId(id: unknown): string {
  if (typeof id === 'string' && /^[0-9a-f]{32}$/.test(id)) return id;
  throw new Error(`not an id: ${JSON.stringify(id)}`);
}
