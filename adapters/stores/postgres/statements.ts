/**
 * Statements of a commit (docs/server/stores.md#postgresql). What they work on comes as one JSON text each, or as lists of numbers, so their
 * number does not grow with the unit. A condition that does not hold is a division by zero: it takes back the whole
 * transaction without another round trip.
 */
import { statement } from './line.ts';

const all = (count: string, rows: string) =>
  `SELECT 1 / (CASE WHEN count(*) = ${count} THEN 1 ELSE 0 END) FROM (${rows}) AS held`;

const versions = '(t.rev IS NULL OR n.rev = t.rev)';
const topo = ' AND (t.topo IS NULL OR n.topo = t.topo)';
const isFree = ' AND (t.held OR n.lease_until IS NULL OR n.lease_until <= $3::int8)';

/**
 * Locks records in the order of their numbers, so that two processes wait for each other and neither for ever, and
 * changes those that change.
 */
const touch = (table: string, more: string, also: string, counts: string) =>
  statement(
    `WITH l AS MATERIALIZED (SELECT n.id, t.type, t.access, t.data, t.attic${more} FROM json_to_recordset($1::json) AS t(id int8, rev int8, topo int8, held bool, bump int8, type int8, access text, data text, attic text) ` +
      `JOIN ${table} n ON n.id = t.id WHERE ${versions}${also}${isFree} ORDER BY n.id FOR NO KEY UPDATE OF n), ` +
      `changed AS (UPDATE ${table} AS n SET ${counts}rev = n.rev + (CASE WHEN l.type IS NULL THEN 0 ELSE 1 END), ` +
      'updated_at = CASE WHEN l.type IS NULL THEN n.updated_at ELSE $3::int8 END, type = coalesce(l.type, n.type), ' +
      'access = coalesce(l.access, n.access), data = coalesce(l.data, n.data), attic = coalesce(l.attic, n.attic) ' +
      `FROM l WHERE n.id = l.id AND (l.type IS NOT NULL${more === '' ? '' : ' OR l.bump <> 0'})) ` +
      'SELECT 1 / (CASE WHEN count(*) = $2::int8 THEN 1 ELSE 0 END) FROM l',
  );
export const touchNodes = touch('svc_node', ', t.bump', topo, 'topo = n.topo + l.bump, ');
export const touchEdges = touch('svc_edge', '', '', '');

/** Locks records that were only read: others may read them too; where somebody writes one, the statement fails instead of waiting. */
const share = (table: string, also: string) =>
  statement(
    all(
      '$4::int8',
      `SELECT n.id FROM unnest($1::int8[], $2::int8[], $3::int8[]) AS t(id, rev, topo) JOIN ${table} n ON n.id = t.id ` +
        `WHERE ${versions}${also} ORDER BY n.id FOR SHARE OF n NOWAIT`,
    ),
  );
export const shareNodes = share('svc_node', topo);
export const shareEdges = share('svc_edge', '');

export const lockRoots = statement(
  all(
    '1',
    "SELECT key FROM svc_meta WHERE key = 'roots' AND ($1::int8 IS NULL OR topo = $1::int8) AND ($2::bool OR lease_until IS NULL OR lease_until <= $3::int8) FOR NO KEY UPDATE",
  ),
);
export const countRoots = statement("UPDATE svc_meta SET topo = topo + $1::int8 WHERE key = 'roots'");
export const addRoots = statement(
  'INSERT INTO svc_root (id) SELECT id FROM unnest($1::int8[]) WITH ORDINALITY AS t(id, n) ORDER BY n',
);

export const addNodes = statement(
  'INSERT INTO svc_node (id, uid, type, owner, rev, topo, created_at, updated_at, access, data, attic) ' +
    "SELECT id, uid, type, owner, 1, topo, $2::int8, $2::int8, access, data, '' " +
    'FROM json_to_recordset($1::json) AS t(id int8, uid text, type int8, owner int8, topo int8, access text, data text)',
);

/** Numbers are given while the ends are locked: their order is that of the commits. */
export const addEdges = statement(
  'INSERT INTO svc_edge (id, uid, type, named, source, target, source_named, target_named, undirected, owner, rev, created_at, updated_at, access, data, attic) ' +
    "SELECT nextval('svc_edge_number'), uid, type, named, source, target, source_named, target_named, undirected, owner, rev, $2::int8, $2::int8, access, data, '' " +
    'FROM json_to_recordset($1::json) AS t(uid text, type int8, named int8, source int8, target int8, source_named int8, target_named int8, ' +
    'undirected bool, owner int8, rev int8, access text, data text) RETURNING id',
);
export const removeEdges = statement('DELETE FROM svc_edge WHERE id = ANY($1::int8[])');

const attached =
  'SELECT id FROM svc_edge WHERE source = ANY($1::int8[]) UNION SELECT id FROM svc_edge WHERE target = ANY($1::int8[])';
export const lockNeighbours = statement(
  'SELECT n.id FROM svc_node n WHERE n.id IN (SELECT target FROM svc_edge WHERE source = ANY($1::int8[]) UNION SELECT source FROM svc_edge WHERE target = ANY($1::int8[])) ' +
    'ORDER BY n.id FOR NO KEY UPDATE',
);
/** A node goes with all its edges; their other ends learn of it. */
export const loosen = statement(
  `WITH gone AS (DELETE FROM svc_edge WHERE id IN (${attached}) RETURNING id, source, target), ` +
    'lost AS (SELECT far, count(*) AS bump FROM (SELECT target AS far FROM gone WHERE source = ANY($1::int8[]) AND source <> target ' +
    'UNION ALL SELECT source FROM gone WHERE target = ANY($1::int8[]) AND source <> target) AS f GROUP BY far), ' +
    'counted AS (UPDATE svc_node AS n SET topo = n.topo + lost.bump FROM lost WHERE n.id = lost.far AND NOT n.id = ANY($1::int8[])) ' +
    'SELECT id, source, target FROM gone',
);
export const removeNodes = statement('DELETE FROM svc_node WHERE id = ANY($1::int8[])');

export const putAnswers = statement(
  'INSERT INTO svc_idempotency (key, request_hash, state, status, body, expires_at) ' +
    'SELECT key, request_hash, state, status, body, expires_at FROM json_to_recordset($1::json) AS t(key text, request_hash text, state text, status int8, body text, expires_at int8) ' +
    'ON CONFLICT (key) DO UPDATE SET request_hash = excluded.request_hash, state = excluded.state, status = excluded.status, body = excluded.body, expires_at = excluded.expires_at',
);
