/**
 * Tables of `svc.db` (docs/server/storage.md#records is the logical schema). Physically: numbers in place of ids inside
 * the file, and the adjacency as two clustered tables, one per direction, so that a hop reads one range of one B-tree
 * and a node with 100,000 edges costs no more to connect to than one with ten (docs/server/stores.md#sqlite). An edge
 * has a record of its own only when it has something to record. Public ids are stored only where they were given from
 * outside (roots) or before the number was known; the others follow from it.
 */
import { randomBytes } from 'node:crypto';
import { SHARED_ROOT_ID, SYSTEM_ROOT_ID } from '../../../core/graph/ids.ts';
import { rootShape } from '../../../core/memory/root-type.ts';
import { atOnce } from './at-once.ts';
import type { SqliteDriver } from './driver.ts';

/** Version of the tables; a newer file is refused, an older one is brought up to date. */
export const FORMAT = 1;

const tables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE type (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, module TEXT NOT NULL, name TEXT NOT NULL, schema TEXT NOT NULL,
  UNIQUE (kind, module, name, schema));
CREATE TABLE node (id INTEGER PRIMARY KEY, uid TEXT, type INTEGER NOT NULL, owner INTEGER NOT NULL, rev INTEGER NOT NULL,
  topo INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, access TEXT, data TEXT NOT NULL, attic TEXT);
CREATE UNIQUE INDEX node_uid ON node (uid) WHERE uid IS NOT NULL;
CREATE TABLE root (id INTEGER PRIMARY KEY);
CREATE TABLE edge (id INTEGER PRIMARY KEY, uid TEXT, type INTEGER NOT NULL, source INTEGER NOT NULL, target INTEGER NOT NULL,
  undirected INTEGER NOT NULL, owner INTEGER, rev INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  access TEXT, data TEXT NOT NULL, attic TEXT);
CREATE UNIQUE INDEX edge_uid ON edge (uid) WHERE uid IS NOT NULL;
CREATE TABLE adj (src INTEGER NOT NULL, etype INTEGER NOT NULL, ntype INTEGER NOT NULL, eid INTEGER NOT NULL, far INTEGER NOT NULL,
  x INTEGER NOT NULL, PRIMARY KEY (src, etype, ntype, eid)) WITHOUT ROWID;
CREATE TABLE radj (src INTEGER NOT NULL, etype INTEGER NOT NULL, ntype INTEGER NOT NULL, eid INTEGER NOT NULL, far INTEGER NOT NULL,
  x INTEGER NOT NULL, PRIMARY KEY (src, etype, ntype, eid)) WITHOUT ROWID;
CREATE TABLE users (
  user_id TEXT PRIMARY KEY, root_id TEXT NOT NULL UNIQUE, role TEXT NOT NULL DEFAULT 'user',
  password_hash TEXT, profile TEXT NOT NULL DEFAULT '{}', disabled INTEGER NOT NULL DEFAULT 0,
  session_version INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  last_login_at TEXT, password_changed_at TEXT) WITHOUT ROWID;
CREATE TABLE identities (
  space TEXT NOT NULL CHECK (space IN ('login', 'sso')), value TEXT NOT NULL, type TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (user_id), email TEXT, verified INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL, PRIMARY KEY (space, value)) WITHOUT ROWID;
CREATE INDEX identities_user ON identities (user_id);
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (user_id), name TEXT NOT NULL,
  secret_hash TEXT NOT NULL, signing_secret TEXT NOT NULL, allowed_walkers TEXT NOT NULL DEFAULT '[]',
  scopes TEXT NOT NULL DEFAULT '["webhook"]',
  created_at TEXT NOT NULL, expires_at TEXT, revoked_at TEXT, last_used_at TEXT) WITHOUT ROWID;
CREATE INDEX api_keys_user ON api_keys (user_id, created_at);
CREATE TABLE revoked_tokens (jti TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE counters (key TEXT PRIMARY KEY, count INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE idempotency (
  key TEXT PRIMARY KEY, request_hash TEXT NOT NULL, state TEXT NOT NULL, status INTEGER,
  body TEXT, expires_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE quarantine (id TEXT PRIMARY KEY, reason TEXT NOT NULL, record TEXT NOT NULL, at TEXT NOT NULL) WITHOUT ROWID;
`;

/** First number of a record made by a unit; those below belong to the built-in ones. */
const FIRST_KEY = 16;
export const SYSTEM_ROOT_KEY = 1;
export const SHARED_ROOT_KEY = 2;

/** Creates the tables and the two built-in roots in an empty file, in one transaction. */
export function createTables(db: SqliteDriver, nowMs: number): void {
  const root = rootShape();
  atOnce(db, () => {
    db.exec(tables);
    const put = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
    put.run('format', String(FORMAT));
    put.run('roots_topo', '0');
    put.run('next_key', String(FIRST_KEY));
    put.run('edge_secret', randomBytes(32).toString('hex'));
    put.run('node_secret', randomBytes(32).toString('hex'));
    db.prepare('INSERT INTO type (id, kind, module, name, schema) VALUES (1, ?, ?, ?, ?)').run(
      root.kind,
      root.module,
      root.name,
      root.schema,
    );
    const node = db.prepare(
      'INSERT INTO node (id, uid, type, owner, rev, topo, created_at, updated_at, data) VALUES (?, ?, 1, ?, 1, 0, ?, ?, ?)',
    );
    node.run(SYSTEM_ROOT_KEY, SYSTEM_ROOT_ID, SYSTEM_ROOT_KEY, nowMs, nowMs, '{}');
    node.run(SHARED_ROOT_KEY, SHARED_ROOT_ID, SHARED_ROOT_KEY, nowMs, nowMs, '{}');
    db.exec(`INSERT INTO root (id) VALUES (${SYSTEM_ROOT_KEY}), (${SHARED_ROOT_KEY})`);
  });
}

/** Columns that came later. Each has a default, so that an earlier version goes on with the file. */
export function addColumns(db: SqliteDriver): void {
  const has = () => db.prepare("SELECT count(*) AS v FROM pragma_table_info('api_keys') WHERE name = 'scopes'").value();
  if (has() === 1) return;
  try {
    db.exec(`ALTER TABLE api_keys ADD COLUMN scopes TEXT NOT NULL DEFAULT '["webhook"]'`);
  } catch (error) {
    if (has() === 0) throw error; // else another process was faster
  }
}

export function readMeta(db: SqliteDriver, key: string): string | undefined {
  return db.prepare('SELECT value AS v FROM meta WHERE key = ?').value(key) ?? undefined;
}
