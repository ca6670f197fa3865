/**
 * Tables (docs/server/storage.md#records is the logical schema), made and brought up to date by the first process that
 * comes (docs/server/stores.md#postgresql). As in the embedded store records have numbers, and an edge lies in one
 * index for each of its directions, so a node with a hundred thousand neighbours is as cheap to connect to as one with
 * ten. Types are named by numbers made of their names, which every process works out alike (decisions/0696).
 */
import { randomBytes } from 'node:crypto';
import { SHARED_ROOT_ID, SYSTEM_ROOT_ID } from '../../../core/graph/ids.ts';
import { rootShape } from '../../../core/memory/root-type.ts';
import { UnusableStore } from '../unusable-store.ts';
import { type Asked, type Line, statement } from './line.ts';
import { typeNumber } from './types.ts';

/** Version of the tables; a newer one is refused, an older one is brought up to date. */
export const FORMAT = 1;

export const SYSTEM_ROOT_KEY = 1;
export const SHARED_ROOT_KEY = 2;

/** Numbers of nodes are given out to processes in blocks of so many. */
export const KEY_BLOCK = 4096;

const tables = [
  `CREATE TABLE IF NOT EXISTS svc_meta (key text PRIMARY KEY, value text NOT NULL DEFAULT '', topo int8 NOT NULL DEFAULT 0, lease_by text, lease_until int8)`,
  `CREATE TABLE IF NOT EXISTS svc_type (id int8 PRIMARY KEY, kind text NOT NULL, module text NOT NULL, name text NOT NULL, schema text NOT NULL, named int8 NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS svc_node (id int8 PRIMARY KEY, uid text, type int8 NOT NULL, owner int8 NOT NULL, rev int8 NOT NULL, topo int8 NOT NULL,
    created_at int8 NOT NULL, updated_at int8 NOT NULL, access text NOT NULL, data text NOT NULL, attic text NOT NULL, lease_by text, lease_until int8)`,
  `CREATE UNIQUE INDEX IF NOT EXISTS svc_node_uid ON svc_node (uid) WHERE uid IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS svc_node_owner ON svc_node (owner, id)`,
  `CREATE SEQUENCE IF NOT EXISTS svc_node_block INCREMENT BY ${KEY_BLOCK} MINVALUE 16 START WITH 16`,
  `CREATE SEQUENCE IF NOT EXISTS svc_edge_number`,
  `CREATE SEQUENCE IF NOT EXISTS svc_root_number`,
  `CREATE TABLE IF NOT EXISTS svc_root (seq int8 PRIMARY KEY DEFAULT nextval('svc_root_number'), id int8 NOT NULL UNIQUE)`,
  `CREATE TABLE IF NOT EXISTS svc_edge (id int8 PRIMARY KEY, uid text, type int8 NOT NULL, named int8 NOT NULL, source int8 NOT NULL, target int8 NOT NULL,
    source_named int8 NOT NULL, target_named int8 NOT NULL, undirected bool NOT NULL, owner int8, rev int8 NOT NULL,
    created_at int8 NOT NULL, updated_at int8 NOT NULL, access text NOT NULL, data text NOT NULL, attic text NOT NULL, lease_by text, lease_until int8)`,
  `CREATE UNIQUE INDEX IF NOT EXISTS svc_edge_uid ON svc_edge (uid) WHERE uid IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS svc_edge_out ON svc_edge (source, named, target_named, id)`,
  `CREATE INDEX IF NOT EXISTS svc_edge_in ON svc_edge (target, named, source_named, id)`,
  `CREATE INDEX IF NOT EXISTS svc_edge_both_out ON svc_edge (source, id) WHERE undirected`,
  `CREATE INDEX IF NOT EXISTS svc_edge_both_in ON svc_edge (target, id) WHERE undirected`,
  `CREATE TABLE IF NOT EXISTS svc_users (user_id text PRIMARY KEY, root_id text NOT NULL UNIQUE, role text NOT NULL, password_hash text, profile text NOT NULL,
    disabled bool NOT NULL, session_version int8 NOT NULL, created_at text NOT NULL, updated_at text NOT NULL, last_login_at text, password_changed_at text)`,
  `CREATE TABLE IF NOT EXISTS svc_identities (space text NOT NULL, value text NOT NULL, type text NOT NULL, user_id text NOT NULL, email text,
    verified bool NOT NULL, created_at text NOT NULL, PRIMARY KEY (space, value))`,
  `CREATE INDEX IF NOT EXISTS svc_identities_user ON svc_identities (user_id)`,
  `CREATE TABLE IF NOT EXISTS svc_api_keys (id text PRIMARY KEY, user_id text NOT NULL, name text NOT NULL, secret_hash text NOT NULL, signing_secret text NOT NULL,
    scopes text NOT NULL, allowed_walkers text NOT NULL, created_at text NOT NULL, expires_at text, revoked_at text, last_used_at text)`,
  `CREATE INDEX IF NOT EXISTS svc_api_keys_user ON svc_api_keys (user_id, created_at)`,
  `CREATE TABLE IF NOT EXISTS svc_revoked_tokens (jti text PRIMARY KEY, expires_at int8 NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS svc_counters (key text PRIMARY KEY, count int8 NOT NULL, expires_at int8 NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS svc_idempotency (key text PRIMARY KEY, request_hash text NOT NULL, state text NOT NULL, status int8, body text, expires_at int8 NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS svc_topic (topic text PRIMARY KEY, epoch text NOT NULL, last int8 NOT NULL, last_expulsion int8 NOT NULL, at int8 NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS svc_topic_message (topic text NOT NULL, epoch text NOT NULL, seq int8 NOT NULL, data text NOT NULL, at int8 NOT NULL, PRIMARY KEY (topic, epoch, seq))`,
  `CREATE TABLE IF NOT EXISTS svc_topic_expulsion (topic text NOT NULL, epoch text NOT NULL, number int8 NOT NULL, root_id text NOT NULL, PRIMARY KEY (topic, epoch, number))`,
  `CREATE TABLE IF NOT EXISTS svc_quarantine (id text PRIMARY KEY, reason text NOT NULL, record text NOT NULL, at text NOT NULL)`,
];

/** Keys of the advisory lock under which tables are made: any two numbers that nobody else uses. */
const lockNumber = 7_318_349_394_477_056;

const isThere = statement(
  "SELECT count(*) FROM information_schema.tables WHERE table_name = 'svc_meta' AND table_schema = ANY(current_schemas(false))",
);
const readMeta = statement('SELECT key, value FROM svc_meta');

export interface Meta {
  readonly nodeSecret: string;
  readonly edgeSecret: string;
}

/** @throws UnusableStore when a newer version made the tables */
export async function prepareTables(line: Line, nowMs: number): Promise<Meta> {
  const [[count]] = (await line.ask(isThere, [])) as [[string]];
  if (count === '0' || (await formatOf(line)) === undefined) await makeTables(line, nowMs);
  const meta = new Map((await line.ask(readMeta, [])) as readonly (readonly [string, string])[]);
  if (Number(meta.get('format')) > FORMAT)
    throw new UnusableStore('the tables of the database were made by a newer version of svc');
  return { nodeSecret: meta.get('node_secret')!, edgeSecret: meta.get('edge_secret')! };
}

async function formatOf(line: Line): Promise<number | undefined> {
  const found = (await line.ask(readMeta, [])).find(([key]) => key === 'format');
  return found === undefined ? undefined : Number(found[1]);
}

/** Makes the tables that are missing; those that another process made meanwhile stay as they are. */
async function makeTables(line: Line, nowMs: number): Promise<void> {
  const root = rootShape();
  const type = typeNumber(root);
  const all = (texts: readonly string[]): Asked[] => texts.map((text) => ({ statement: statement(text), values: [] }));
  const put = (text: string, ...values: (string | number)[]): Asked => ({ statement: statement(text), values });
  const meta = 'INSERT INTO svc_meta (key, value) VALUES ($1, $2) ON CONFLICT DO NOTHING';
  const node =
    "INSERT INTO svc_node (id, uid, type, owner, rev, topo, created_at, updated_at, access, data, attic) VALUES ($1, $2, $3, $1, 1, 0, $4, $4, '', '{}', '') ON CONFLICT DO NOTHING";
  const rooted = 'INSERT INTO svc_root (seq, id) VALUES ($1, $1) ON CONFLICT DO NOTHING';
  await line.together([
    put('SELECT pg_advisory_xact_lock($1::int8)', lockNumber),
    ...all(tables),
    put(
      'INSERT INTO svc_type (id, kind, module, name, schema, named) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING',
      ...[type.id, root.kind, root.module, root.name, root.schema, type.named],
    ),
    put(meta, 'node_secret', randomBytes(32).toString('hex')),
    put(meta, 'edge_secret', randomBytes(32).toString('hex')),
    put(meta, 'roots', ''),
    put(node, SYSTEM_ROOT_KEY, SYSTEM_ROOT_ID, type.id, nowMs),
    put(node, SHARED_ROOT_KEY, SHARED_ROOT_ID, type.id, nowMs),
    put(rooted, SYSTEM_ROOT_KEY),
    put(rooted, SHARED_ROOT_KEY),
    put("SELECT setval('svc_root_number', 16)"),
    put(meta, 'format', String(FORMAT)),
  ]);
}
