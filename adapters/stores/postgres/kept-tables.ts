/** Tables of what programs keep with `kvstore` (docs/server/kvstore.md#postgresql), made when a program first asks, or by a migration. */
import { type Asked, statement } from './line.ts';

export const hasKeptTables = statement("SELECT to_regclass('svc_kv_entry') IS NOT NULL");

/** Keys are compared by their bytes, whatever the language of the database. */
export const keptTables: readonly Asked[] = [
  "SELECT pg_advisory_xact_lock(hashtext('svc_kv'))",
  'CREATE TABLE IF NOT EXISTS svc_kv_pair (number int4 NOT NULL, key text COLLATE "C" NOT NULL, value text NOT NULL, expires float8, PRIMARY KEY (number, key))',
  'CREATE INDEX IF NOT EXISTS svc_kv_pair_expires ON svc_kv_pair (expires) WHERE expires IS NOT NULL',
  'CREATE SEQUENCE IF NOT EXISTS svc_kv_number',
  "CREATE TABLE IF NOT EXISTS svc_kv_collection (id int8 PRIMARY KEY DEFAULT nextval('svc_kv_number'), db text NOT NULL, name text NOT NULL, indexes text NOT NULL, rev int8 NOT NULL DEFAULT 1, UNIQUE (db, name))",
  `CREATE TABLE IF NOT EXISTS svc_kv_document (seq int8 NOT NULL UNIQUE DEFAULT nextval('svc_kv_number'), collection int8 NOT NULL, id text COLLATE "C" NOT NULL, doc text NOT NULL,
    rev int8 NOT NULL DEFAULT 1, expires float8, PRIMARY KEY (collection, id))`,
  'CREATE INDEX IF NOT EXISTS svc_kv_document_order ON svc_kv_document (collection, seq)',
  'CREATE INDEX IF NOT EXISTS svc_kv_document_expires ON svc_kv_document (collection, expires) WHERE expires IS NOT NULL',
  'CREATE TABLE IF NOT EXISTS svc_kv_entry (collection int8 NOT NULL, name text NOT NULL, key text COLLATE "C" NOT NULL, seq int8 NOT NULL, lone bool NOT NULL, PRIMARY KEY (collection, name, key, seq))',
  'CREATE UNIQUE INDEX IF NOT EXISTS svc_kv_entry_lone ON svc_kv_entry (collection, name, key) WHERE lone',
  'CREATE INDEX IF NOT EXISTS svc_kv_entry_document ON svc_kv_entry (seq)',
].map((text) => ({ statement: statement(text), values: [] }));
