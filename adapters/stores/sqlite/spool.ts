/** The place on the disk for an export that is under way (adapters/archive/spool.ts): a database that nobody else opens, and that need not last. */
import type { AccountRecord } from '../../../core/accounts/account-store.ts';
import type { Key } from '../../../core/memory/rows.ts';
import type { JoinedEdge, OwnedNode, Spool, SpooledEdge, SpooledNode } from '../../archive/spool.ts';
import type { SqliteDriver } from './driver.ts';
import { openScratch } from './scratch.ts';

const rowsPerPage = 1000;

// A key is what the store has: a number or a text. Columns without a type take it as it is.
const tables = `
CREATE TABLE root (pos INTEGER PRIMARY KEY, key UNIQUE);
CREATE TABLE account (pos INTEGER PRIMARY KEY, root TEXT, record TEXT);
CREATE TABLE wanted (pos INTEGER PRIMARY KEY, key UNIQUE);
CREATE TABLE met (key PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE node (pos INTEGER PRIMARY KEY, key UNIQUE, uid TEXT, type INTEGER, owner, rev INTEGER, topo INTEGER, access TEXT, data TEXT, attic TEXT);
CREATE TABLE edge (key PRIMARY KEY, uid TEXT, type INTEGER, source, target, undirected INTEGER, rev INTEGER, owner, access TEXT, data TEXT, attic TEXT) WITHOUT ROWID;
CREATE INDEX edge_source ON edge (source);
`;

const nodeColumns = ['key', 'uid', 'type', 'owner', 'rev', 'topo', 'access', 'data', 'attic']
  .map((name) => `n.${name}`)
  .join();

/** Nodes that belong to a root that is there, roots among them. */
const isThere = (node: string) =>
  `EXISTS (SELECT 1 FROM root r JOIN node o ON o.key = r.key WHERE r.key = ${node}.owner)`;

/** `file`: absolute, and there is none. */
export function openSpool(file: string, prefer?: SqliteDriver['package']): Spool {
  const { db, sql, close } = openScratch(file, tables, prefer);
  let size = 0;

  function* paged<T>(
    first: string,
    next: string,
    keyOf: (row: any) => Key,
    make: (row: any) => T,
  ): Generator<readonly T[]> {
    let rows = sql(first).rows(rowsPerPage);
    while (rows.length > 0) {
      yield rows.map(make);
      if (rows.length < rowsPerPage) return;
      rows = sql(next).rows(keyOf(rows.at(-1)), rowsPerPage);
    }
  }
  function* each<T>(pages: Iterable<readonly T[]>): Generator<T> {
    for (const page of pages) yield* page;
  }
  const pos = ({ pos: at }: { pos: number }) => at;
  const key = ({ key: at }: { key: Key }) => at;
  const byKey = <T>(select: string, make: (row: any) => T) =>
    paged(`${select} ORDER BY e.key LIMIT ?`, `${select} AND e.key > ? ORDER BY e.key LIMIT ?`, key, make);
  const byPos = <T>(select: string, of: string, make: (row: any) => T) =>
    paged(`${select} ORDER BY ${of}.pos LIMIT ?`, `${select} AND ${of}.pos > ? ORDER BY ${of}.pos LIMIT ?`, pos, make);

  return {
    get size() {
      return size;
    },
    putRoots(keys) {
      sql('DELETE FROM root').run();
      const put = sql('INSERT INTO root (key) VALUES (?)');
      for (const one of keys) put.run(one);
    },
    dropAccounts: () => void sql('DELETE FROM account').run(),
    putAccount: (account) =>
      void sql('INSERT INTO account (root, record) VALUES (?, ?)').run(account.rootId, JSON.stringify(account)),
    want(keys, onlyNew) {
      const meet = sql('INSERT OR IGNORE INTO met (key) VALUES (?)');
      const mark = sql('INSERT OR IGNORE INTO wanted (key) VALUES (?)');
      let count = 0;
      for (const one of keys) if (meet.run(one) === 1 || !onlyNew) count += mark.run(one);
      return count;
    },
    takeWanted(most) {
      const rows = sql('SELECT pos, key FROM wanted ORDER BY pos LIMIT ?').rows(most);
      if (rows.length === 0) return [];
      sql('DELETE FROM wanted WHERE pos <= ?').run(rows.at(-1).pos);
      for (const row of rows) {
        size -= sql('DELETE FROM node WHERE key = ?').run(row.key);
        sql('DELETE FROM edge WHERE source = ?').run(row.key);
      }
      return rows.map(key);
    },
    putNodes(nodes) {
      const put = sql(
        'INSERT INTO node (key, uid, type, owner, rev, topo, access, data, attic) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      );
      for (const n of nodes) put.run(n.key, n.uid, n.type, n.owner, n.rev, n.topo, n.access, n.data, n.attic);
      size += nodes.length;
    },
    putEdges(edges) {
      const put = sql(
        'INSERT OR REPLACE INTO edge (key, uid, type, source, target, undirected, rev, owner, access, data, attic) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      );
      for (const { key: at, uid, type, source, target, undirected, record } of edges) {
        const { rev = null, owner = null, access = null, data = null, attic = null } = record ?? {};
        put.run(at, uid, type, source, target, undirected ? 1 : 0, rev, owner, access, data, attic);
      }
    },
    sourceOf: (edge) => sql('SELECT source FROM edge WHERE key = ?').value(edge) ?? undefined,
    nodeVersions: () => byPos('SELECT n.pos, n.key, n.rev, n.topo FROM node n WHERE true', 'n', (row) => row),
    edgeVersions: () => byKey('SELECT e.key, e.rev FROM edge e WHERE e.rev IS NOT NULL', (row) => row),
    roots: () =>
      each(byPos(`SELECT r.pos, ${nodeColumns} FROM root r JOIN node n ON n.key = r.key WHERE true`, 'r', nodeOf)),
    owned: () =>
      each(
        byPos(
          'SELECT n.*, o.uid AS ownerUid FROM node n JOIN root r ON r.key = n.owner JOIN node o ON o.key = r.key WHERE n.key NOT IN (SELECT key FROM root)',
          'n',
          (row): OwnedNode => ({ ...nodeOf(row), ownerUid: row.ownerUid }),
        ),
      ),
    edges: () =>
      each(
        byKey(
          `SELECT e.*, s.uid AS sourceUid, t.uid AS targetUid, w.uid AS ownerUid FROM edge e JOIN node s ON s.key = e.source JOIN node t ON t.key = e.target
           LEFT JOIN node w ON w.key = e.owner WHERE ${isThere('s')} AND ${isThere('t')} AND (e.owner IS NULL OR w.key IS NOT NULL)`,
          joinedEdge,
        ),
      ),
    accounts() {
      db.exec('CREATE TABLE IF NOT EXISTS rooted (uid TEXT PRIMARY KEY) WITHOUT ROWID');
      db.exec('INSERT OR IGNORE INTO rooted SELECT n.uid FROM root r JOIN node n ON n.key = r.key');
      const select = 'SELECT a.pos, a.record FROM account a JOIN rooted o ON o.uid = a.root WHERE true';
      return each(byPos(select, 'a', ({ record }) => JSON.parse(record) as AccountRecord));
    },
    close,
  };
}

function nodeOf(row: any): SpooledNode {
  const { key, uid, type, owner, rev, topo, access, data, attic } = row;
  return { key, uid, type, owner, rev, topo, access, data, attic };
}

function joinedEdge(row: any): JoinedEdge {
  const { key, uid, type, source, target, rev, access, data, attic, sourceUid, targetUid } = row;
  const record = rev === null ? undefined : { rev, owner: row.owner ?? undefined, access, data, attic };
  const ends = { source, target, sourceUid, targetUid, ownerUid: row.ownerUid ?? undefined };
  return { key, uid, type, undirected: row.undirected === 1, record, ...ends } satisfies SpooledEdge & JoinedEdge;
}
