/**
 * Records of a store as rows that both sides of a migration read and write alike (decisions/0735). A row begins with
 * the cells that tell it from the others of its table; rows are in the order of those.
 */

/**
 * Kinds of columns. `type`: a stored type as the JSON text of module, name and fingerprint, so that no side needs the
 * other's numbers; `name`: the same without the fingerprint.
 */
export type CellKind = 'text' | 'int' | 'bool' | 'type' | 'name';

export type Cell = string | number | null;
export type Row = readonly Cell[];

export interface MigrationTable {
  readonly name: string;
  /** Word for messages. */
  readonly shown: string;
  /** Number of leading columns that are the key. */
  readonly key: number;
  readonly columns: Readonly<Record<string, CellKind>>;
  /** Rows whose key begins so stay: they are about the place, not about the data. */
  readonly except?: string;
  /** True for what programs keep with `kvstore`, which has a file of its own. */
  readonly isKept?: boolean;
}

const record = {
  rev: 'int',
  created_at: 'int',
  updated_at: 'int',
  access: 'text',
  data: 'text',
  attic: 'text',
} as const;

/** In an order in which each one needs only those before it. */
export const migrationTables: readonly MigrationTable[] = [
  { name: 'type', shown: 'types', key: 4, columns: { kind: 'text', module: 'text', name: 'text', schema: 'text' } },
  {
    name: 'node',
    shown: 'nodes',
    key: 1,
    columns: { id: 'int', uid: 'text', type: 'type', owner: 'int', topo: 'int', ...record },
  },
  { name: 'root', shown: 'roots', key: 1, columns: { id: 'int' } },
  {
    name: 'edge',
    shown: 'edges',
    key: 2,
    columns: {
      ...{ source: 'int', id: 'int', uid: 'text', type: 'type', target: 'int', undirected: 'bool', owner: 'int' },
      ...record,
      // Types of both ends: edges are found by them.
      ...{ source_type: 'name', target_type: 'name' },
    },
  },
  {
    name: 'users',
    shown: 'accounts',
    key: 1,
    columns: {
      ...{ user_id: 'text', root_id: 'text', role: 'text', password_hash: 'text', profile: 'text', disabled: 'bool' },
      ...{ session_version: 'int', created_at: 'text', updated_at: 'text' },
      ...{ last_login_at: 'text', password_changed_at: 'text' },
    },
  },
  {
    name: 'identities',
    shown: 'identities',
    key: 2,
    columns: {
      ...{ space: 'text', value: 'text', type: 'text', user_id: 'text', email: 'text', verified: 'bool' },
      ...{ created_at: 'text' },
    },
  },
  {
    name: 'api_keys',
    shown: 'API keys',
    key: 1,
    columns: {
      ...{ id: 'text', user_id: 'text', name: 'text', secret_hash: 'text', signing_secret: 'text', scopes: 'text' },
      ...{ allowed_walkers: 'text', created_at: 'text', expires_at: 'text', revoked_at: 'text', last_used_at: 'text' },
    },
  },
  { name: 'revoked_tokens', shown: 'revoked tokens', key: 1, columns: { jti: 'text', expires_at: 'int' } },
  {
    name: 'counters',
    shown: 'counters',
    key: 1,
    columns: { key: 'text', count: 'int', expires_at: 'int' },
    except: 'lease:',
  },
  {
    name: 'idempotency',
    shown: 'idempotency keys',
    key: 1,
    columns: { key: 'text', request_hash: 'text', state: 'text', status: 'int', body: 'text', expires_at: 'int' },
    except: 'svc:',
  },
  {
    name: 'quarantine',
    shown: 'records in quarantine',
    key: 1,
    columns: { id: 'text', reason: 'text', record: 'text', at: 'text' },
  },
  {
    name: 'kv_collection',
    shown: 'collections of kvstore',
    key: 1,
    columns: { id: 'int', db: 'text', name: 'text', indexes: 'text' },
    isKept: true,
  },
  {
    name: 'kv_document',
    shown: 'documents of kvstore',
    key: 1,
    columns: { seq: 'int', collection: 'int', id: 'text', doc: 'text', expires: 'int' },
    isKept: true,
  },
  {
    name: 'kv_entry',
    shown: 'index entries of kvstore',
    key: 4,
    columns: { collection: 'int', name: 'text', key: 'text', seq: 'int', lone: 'bool' },
    isKept: true,
  },
  {
    name: 'kv_pair',
    shown: 'keys of kvstore',
    key: 2,
    columns: { number: 'int', key: 'text', value: 'text', expires: 'int' },
    isKept: true,
  },
];

export function keyOf(table: MigrationTable, row: Row): Row {
  return row.slice(0, table.key);
}

/** Compares two keys as both sides order them: numbers by size, texts by their bytes. */
export function compareKeys(a: Row, b: Row): number {
  for (const [i, one] of a.entries()) {
    const other = b[i]!;
    if (one === other) continue;
    if (typeof one === 'number') return one - (other as number);
    return Buffer.compare(Buffer.from(one as string), Buffer.from(other as string));
  }
  return 0;
}
