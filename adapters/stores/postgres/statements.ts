/**
 * Statements of a commit (docs/server/stores.md#postgresql). What they work on comes as one JSON text each, so their
 * number does not grow with the unit. A condition that does not hold is a division by zero: it takes back the whole
 * transaction without another round trip.
 */
import { statement } from './line.ts';

const all = (count: string, rows: string) => `SELECT 1 / (CASE WHEN count(*) = ${count} THEN 1 ELSE 0 END) FROM (${rows}) AS held`;

const held = (table: string, strength: string, free: string) =>
  statement(
    all(
      '$2::int8',
      `SELECT n.id FROM json_to_recordset($1::json) AS t(id int8, rev int8, topo int8, held bool) JOIN ${table} n ON n.id = t.id ` +
        `WHERE (t.rev IS NULL OR n.rev = t.rev)${table === 'svc_node' ? ' AND (t.topo IS NULL OR n.topo = t.topo)' : ''}${free} ` +
        `ORDER BY n.id ${strength}`,
    ),
  );

const isFree = ' AND (t.held OR n.lease_until IS NULL OR n.lease_until <= $3::int8)';

/** Records are locked in the order of their numbers, so that two processes wait for each other and neither for ever. */
export const lockNodes = held('svc_node', 'FOR NO KEY UPDATE OF n', isFree);
export const lockEdges = held('svc_edge', 'FOR NO KEY UPDATE OF n', isFree);
/** What is only read may be read by others too; where somebody writes it, nobody waits. */
export const shareNodes = held('svc_node', 'FOR SHARE OF n NOWAIT', '');
export const shareEdges = held('svc_edge', 'FOR SHARE OF n NOWAIT', '');

export const lockRoots = statement(
  all(
    '1',
    "SELECT key FROM svc_meta WHERE key = 'roots' AND ($1::int8 IS NULL OR topo = $1::int8) AND ($2::bool OR lease_until IS NULL OR lease_until <= $3::int8) FOR NO KEY UPDATE",
  ),
);
export const countRoots = statement("UPDATE svc_meta SET topo = topo + $1::int8 WHERE key = 'roots'");
export const addRoots = statement('INSERT INTO svc_root (id) SELECT id FROM unnest($1::int8[]) WITH ORDINALITY AS t(id, n) ORDER BY n');

export const addNodes = statement(
  'INSERT INTO svc_node (id, uid, type, owner, rev, topo, created_at, updated_at, access, data, attic) ' +
    "SELECT id, uid, type, owner, 1, topo, $2::int8, $2::int8, access, data, '' " +
    'FROM json_to_recordset($1::json) AS t(id int8, uid text, type int8, owner int8, topo int8, access text, data text)',
);
export const changeNodes = statement(
  'UPDATE svc_node AS n SET type = t.type, rev = n.rev + 1, updated_at = $2::int8, access = t.access, data = t.data, attic = t.attic ' +
    'FROM json_to_recordset($1::json) AS t(id int8, type int8, access text, data text, attic text) WHERE n.id = t.id',
);
export const countEdges = statement(
  'UPDATE svc_node AS n SET topo = n.topo + t.bump FROM json_to_recordset($1::json) AS t(id int8, bump int8) WHERE n.id = t.id',
);

/** Numbers are given while the ends are locked: their order is that of the commits. */
export const addEdges = statement(
  'INSERT INTO svc_edge (id, uid, type, named, source, target, source_named, target_named, undirected, owner, rev, created_at, updated_at, access, data, attic) ' +
    "SELECT nextval('svc_edge_number'), uid, type, named, source, target, source_named, target_named, undirected, owner, rev, $2::int8, $2::int8, access, data, '' " +
    'FROM json_to_recordset($1::json) AS t(uid text, type int8, named int8, source int8, target int8, source_named int8, target_named int8, ' +
    'undirected bool, owner int8, rev int8, access text, data text) RETURNING id',
);
export const changeEdges = statement(
  'UPDATE svc_edge AS n SET type = t.type, rev = n.rev + 1, updated_at = $2::int8, access = t.access, data = t.data, attic = t.attic ' +
    'FROM json_to_recordset($1::json) AS t(id int8, type int8, access text, data text, attic text) WHERE n.id = t.id',
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
