/**
 * `kvstore` for programs in TypeScript: plain objects in and out, and methods in its own spelling
 * (docs/server/kvstore.md, docs/databases.md).
 */

import { Dict } from '../../library/values/containers/dict.ts';
import { checkDatabase, checkKind, checkUri } from '../kvstore/address.ts';
import { literal as literalOf, trusted as trust } from '../kvstore/marks.ts';
import type { kvstore as Helper } from '../modules/svc-scale.ts';

/**
 * One document of a database: its fields by name. Dates come back as `DateTime` in UTC, bytes as `Bytes`, ids made by
 * the database as text.
 */
export type Document = Record<string, any>;
export type Filter = Readonly<Record<string, unknown>>;
export type SortBy = string | readonly (readonly [field: string, direction: 1 | -1])[];
export type Projection = readonly string[] | Readonly<Record<string, 0 | 1 | boolean>>;
export type DocumentId = string | number;

export interface KvStoreOptions {
  /** Name of the database, or prefix of keys; by default `svc_db`. */
  readonly name?: string;
  /** Instead of the configured address. */
  readonly uri?: string;
}

export interface FindOptions {
  readonly projection?: Projection;
  readonly sort?: SortBy;
  readonly skip?: number;
  /** Greatest number of documents; without it there may be at most 10 000. */
  readonly limit?: number;
}

export interface UpsertOptions {
  /** Adds a document where none fits. */
  readonly upsert?: boolean;
}

/** `kvstore('docdb')` */
export interface DocumentStore {
  get(key: DocumentId, collection?: string): Promise<any>;
  set(key: DocumentId, value: unknown, collection?: string): Promise<true>;
  delete(key: DocumentId, collection?: string): Promise<number>;
  exists(key: DocumentId, collection?: string): Promise<boolean>;
  findOne(collection: string, filter: Filter, projection?: Projection): Promise<Document | null>;
  find(collection: string, filter?: Filter, options?: FindOptions): Promise<Document[]>;
  insertOne(collection: string, document: Document): Promise<DocumentId>;
  insertMany(collection: string, documents: readonly Document[]): Promise<DocumentId[]>;
  updateOne(collection: string, filter: Filter, update: Document, options?: UpsertOptions): Promise<number>;
  updateMany(collection: string, filter: Filter, update: Document, options?: UpsertOptions): Promise<number>;
  deleteOne(collection: string, filter: Filter): Promise<number>;
  deleteMany(collection: string, filter: Filter, options?: { readonly confirm?: boolean }): Promise<number>;
  findById(collection: string, id: DocumentId): Promise<Document | null>;
  updateById(collection: string, id: DocumentId, update: Document, options?: UpsertOptions): Promise<number>;
  deleteById(collection: string, id: DocumentId): Promise<number>;
  countDocuments(collection: string, filter?: Filter): Promise<number>;
  createIndex(
    collection: string,
    keys: SortBy,
    options?: { readonly unique?: boolean; readonly expireSeconds?: number },
  ): Promise<string>;
}

/** `kvstore('kvcache')` */
export interface KeyValueStore {
  get(key: DocumentId): Promise<any>;
  set(key: DocumentId, value: unknown): Promise<true>;
  delete(key: DocumentId): Promise<number>;
  exists(key: DocumentId): Promise<boolean>;
  setWithTtl(key: DocumentId, value: unknown, ttlSeconds: number): Promise<true>;
  expire(key: DocumentId, seconds: number): Promise<boolean>;
  incr(key: DocumentId, amount?: number | bigint): Promise<number | bigint>;
  scanKeys(pattern?: string, count?: number): Promise<string[]>;
  /** Sets a value only when there is none yet: with `deleteIfEquals`, a lock. */
  setNxWithTtl(key: DocumentId, value: unknown, ttlSeconds: number): Promise<boolean>;
  deleteIfEquals(key: DocumentId, value: unknown): Promise<boolean>;
}

/**
 * A document database or a key-value store: the given address, else the configured one, else data of this application's own.
 *
 * @throws ValueError for a name or address that cannot be
 */
export function kvstore(kind: 'docdb', options?: KvStoreOptions): DocumentStore;
export function kvstore(kind: 'kvcache', options?: KvStoreOptions): KeyValueStore;
export function kvstore(kind: 'docdb' | 'kvcache', { name = 'svc_db', uri }: KvStoreOptions = {}) {
  checkKind(kind);
  if (kind === 'docdb') checkDatabase(name);
  if (uri !== undefined) checkUri(kind, uri);
  // Programs that only import it do not pay for it.
  let helper: Promise<InstanceType<typeof Helper>> | undefined;
  const open = async () => new (await import('../modules/svc-scale.ts')).kvstore({ name, kind, uri });
  const on: Opened = () => {
    helper ??= open().catch((error) => {
      helper = undefined;
      throw error;
    });
    return helper;
  };
  return kind === 'docdb' ? documentStore(on) : keyValueStore(on);
}

/** A condition that compares with the value, whatever is in it. */
export function literal(value: unknown): Filter {
  return plain(literalOf(value)) as Filter;
}

/** Lets a dict that came with a request be a filter or update, operators included. */
export function trusted<T>(value: T): T {
  return trust(value) as T;
}

type Opened = () => Promise<InstanceType<typeof Helper>>;

function documentStore(on: Opened): DocumentStore {
  return {
    get: async (key, collection) => plain(await (await on()).get(key, collection)),
    set: async (key, value, collection) => (await (await on()).set(key, value, collection)) as true,
    delete: async (key, collection) => (await on()).delete(key, collection),
    exists: async (key, collection) => (await on()).exists(key, collection),
    findOne: async (collection, filter, projection) =>
      plain(await (await on()).find_one(collection, filter, projection)) as any,
    async find(collection, filter, { projection, sort, skip, limit } = {}) {
      return [...(await (await on()).find(collection, filter, projection, sort, skip, limit))].map(plain) as Document[];
    },
    insertOne: async (collection, document) => (await (await on()).insert_one(collection, document)) as DocumentId,
    insertMany: async (collection, documents) =>
      (await (await on()).insert_many(collection, documents)) as DocumentId[],
    updateOne: async (collection, filter, update, options) =>
      (await on()).update_one(collection, filter, update, options?.upsert === true),
    updateMany: async (collection, filter, update, options) =>
      (await on()).update_many(collection, filter, update, options?.upsert === true),
    deleteOne: async (collection, filter) => (await on()).delete_one(collection, filter),
    deleteMany: async (collection, filter, options) =>
      (await on()).delete_many(collection, filter, options?.confirm === true),
    findById: async (collection, id) => plain(await (await on()).find_by_id(collection, id)) as any,
    updateById: async (collection, id, update, options) =>
      (await on()).update_by_id(collection, id, update, options?.upsert === true),
    deleteById: async (collection, id) => (await on()).delete_by_id(collection, id),
    countDocuments: async (collection, filter) => (await on()).count_documents(collection, filter),
    createIndex: async (collection, keys, options) =>
      (await on()).create_index(collection, keys, options?.unique === true, options?.expireSeconds),
  };
}

function keyValueStore(on: Opened): KeyValueStore {
  return {
    get: async (key) => plain(await (await on()).get(key, undefined)),
    set: async (key, value) => (await (await on()).set(key, ofLanguage(value), undefined)) as true,
    delete: async (key) => (await on()).delete(key, undefined),
    exists: async (key) => (await on()).exists(key, undefined),
    setWithTtl: async (key, value, ttl) => (await (await on()).set_with_ttl(key, ofLanguage(value), ttl)) as true,
    expire: async (key, seconds) => (await on()).expire(key, seconds),
    incr: async (key, amount) => (await (await on()).incr(key, amount)) as number | bigint,
    scanKeys: async (pattern, count) => (await on()).scan_keys(pattern, count),
    setNxWithTtl: async (key, value, ttl) => (await on()).set_nx_with_ttl(key, ofLanguage(value), ttl),
    deleteIfEquals: async (key, value) => (await on()).delete_if_equals(key, ofLanguage(value)),
  };
}

/** Dicts as plain objects; everything else as it is. */
function plain(value: unknown): unknown {
  if (value instanceof Dict)
    return Object.fromEntries([...value.entries()].map(([name, item]) => [name as string, plain(item)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

/** Plain objects as dicts, as JSON is written of them. */
function ofLanguage(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ofLanguage);
  if (typeof value !== 'object' || value === null) return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null && !(value instanceof Map)) return value;
  const entries: Iterable<readonly [string, unknown]> = value instanceof Map ? value : Object.entries(value);
  return Dict.from([...entries].map(([name, item]) => [name, ofLanguage(item)] as const));
}
