/** Reading a store, which others may be using, into an archive: everything as it was at one commit. */

import { ARCHIVE_FORMAT, type ArchiveLine, type EndLine } from '../../../core/archive/archive.ts';
import { REVERSED, UNDIRECTED } from '../../../core/memory/store.ts';
import { createNodeIds } from '../node-ids.ts';
import type { SqliteDriver } from './driver.ts';
import { createEdgeIds } from './edge-ids.ts';
import { openFile } from './open-file.ts';
import { readMeta } from './schema.ts';

const rowsPerPage = 500;

/** Lines in order, the last one with the counts. @throws Failure `SERVICE_UNAVAILABLE` when the file cannot be used */
export function* archiveLines(file: string, withCredentials: boolean, nowMs: () => number): Generator<ArchiveLine> {
  const db = openFile({ file, nowMs });
  try {
    // A read transaction sees one state, whatever is committed meanwhile.
    db.exec('BEGIN');
    const keys = { node: readMeta(db, 'node_secret')!, edge: readMeta(db, 'edge_secret')! };
    yield {
      kind: 'svc-graph',
      format: ARCHIVE_FORMAT,
      made_at: new Date(nowMs()).toISOString(),
      of_one_moment: true,
      id_keys: keys,
    };
    const counts = { nodes: 0, edges: 0, accounts: 0 };
    const nodeIds = createNodeIds(keys.node);
    const stored = db.prepare('SELECT uid AS v FROM node WHERE id = ?');
    const idOf = (key: number): string => stored.value(key) ?? nodeIds.uidOf(key);
    for (const line of nodeLines(db, idOf)) {
      counts.nodes++;
      yield line;
    }
    for (const line of edgeLines(db, idOf, keys.edge)) {
      counts.edges++;
      yield line;
    }
    for (const line of accountLines(db, withCredentials)) {
      counts.accounts++;
      yield line;
    }
    yield { kind: 'end', ...counts } satisfies EndLine;
  } finally {
    db.exec('ROLLBACK');
    db.close();
  }
}

function* nodeLines(db: SqliteDriver, idOf: (key: number) => string): Generator<ArchiveLine> {
  const page = db.prepare(
    'SELECT n.id, n.owner, n.access, n.data, n.attic, n.created_at, n.updated_at, t.module, t.name, t.schema FROM node n JOIN type t ON t.id = n.type WHERE n.id > ? ORDER BY n.id LIMIT ?',
  );
  for (let last = 0; ; ) {
    const rows = page.rows(last, rowsPerPage);
    for (const row of rows) yield { kind: 'node', ...recordOf(row, row.id, idOf(row.id)), owner: idOf(row.owner) };
    if (rows.length < rowsPerPage) return;
    last = rows.at(-1).id;
  }
}

/** In order of creation, as every store gives them: a node lists those that come to it from several others in that order. */
function* edgeLines(db: SqliteDriver, idOf: (key: number) => string, secret: string): Generator<ArchiveLine> {
  const edgeIds = createEdgeIds(secret);
  // The file keeps links beside their source; the order is about 25 bytes of memory for each.
  db.exec(
    `CREATE TEMP TABLE made (eid INTEGER PRIMARY KEY, src INTEGER, etype INTEGER, ntype INTEGER);
     INSERT INTO made SELECT eid, src, etype, ntype FROM adj WHERE (x & ${REVERSED}) = 0 ORDER BY eid`,
  );
  const page = db.prepare(
    `SELECT a.src, a.eid, a.far, a.x, t.module, t.name, t.schema, e.uid, e.owner, e.access, e.data, e.attic, e.created_at, e.updated_at
     FROM (SELECT * FROM made WHERE eid > ? ORDER BY eid LIMIT ?) m CROSS JOIN adj a USING (src, etype, ntype, eid)
     JOIN type t ON t.id = a.etype LEFT JOIN edge e ON e.id = a.eid
     WHERE (a.x & ${REVERSED}) = 0 ORDER BY m.eid`,
  );
  for (let last = 0; ; ) {
    const rows = page.rows(last, rowsPerPage);
    for (const row of rows) {
      const id = row.uid ?? edgeIds.uidOf({ edge: row.eid, source: row.src });
      yield {
        kind: 'edge',
        ...recordOf(row, row.eid, id),
        owner: row.owner === null ? null : idOf(row.owner),
        source: idOf(row.src),
        target: idOf(row.far),
        undirected: (row.x & UNDIRECTED) !== 0,
      };
    }
    if (rows.length < rowsPerPage) return;
    last = rows.at(-1).eid;
  }
}

function recordOf(row: any, seq: number, id: string) {
  const json = (text: string | null) => (text === null || text === '' ? null : JSON.parse(text));
  return {
    id,
    seq,
    module: row.module,
    type: row.name,
    schema: row.schema,
    access: json(row.access),
    attic: json(row.attic),
    created_at: row.created_at ?? 0,
    updated_at: row.updated_at ?? 0,
    data: json(row.data),
  };
}

/** API keys stay behind: their secrets are encrypted for the place they were made in. */
function* accountLines(db: SqliteDriver, withCredentials: boolean): Generator<ArchiveLine> {
  const columns = withCredentials
    ? '*'
    : "user_id, root_id, role, NULL AS password_hash, '{}' AS profile, 1 AS disabled, session_version, created_at, updated_at, NULL AS last_login_at, NULL AS password_changed_at";
  const identities = db.prepare('SELECT * FROM identities WHERE user_id = ? ORDER BY space, value');
  for (const user of db.prepare(`SELECT ${columns} FROM users ORDER BY user_id`).rows()) {
    yield { kind: 'account', user: { ...user }, identities: withCredentials ? identities.rows(user.user_id) : [] };
  }
}
