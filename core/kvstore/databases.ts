/** Ports of the database helper, which its backends fill (docs/server/kvstore.md). */
import type { IndexSpec, Order, Projection } from './query.ts';
import type { Doc, Stored } from './stored.ts';

export type DatabaseKind = 'docdb' | 'kvcache';

/** Address that stands for the embedded backend. */
export const localUri = 'local:';

/** Address that stands for the database of the graph, where that can keep documents and keys: the same for all processes, however each reaches it. */
export const graphUri = 'graph:';

/** Found through the runtime of the call. Connections are made on first use and shared by all that name the same address. */
export interface Databases {
  /** Gives the address in the configuration; undefined: none, and `embedded` decides. */
  addressOf(kind: DatabaseKind): string | undefined;
  /** True when programs without an address may keep data here. Not where nothing durable is at hand. */
  readonly hasEmbedded: boolean;
  /** Name of the server's own document database. */
  readonly ownDatabase: string;
  documents(at: DatabaseAddress): Promise<Documents>;
  keyValues(at: DatabaseAddress): Promise<KeyValues>;
}

export interface DatabaseAddress {
  /** `mongodb://…`, `redis://…`; `local:` means the embedded backend, `graph:` the database of the graph. */
  readonly uri: string;
  /** `docdb`: name of the database. `kvcache`: number of the database. */
  readonly name: string;
}

/** Options of one search for documents. */
export interface Find {
  readonly filter: Doc;
  readonly projection: Projection | undefined;
  readonly sort: Order;
  readonly skip: number;
  readonly limit: number;
}

export interface Updated {
  readonly matched: number;
  readonly modified: number;
}

/**
 * One document database. Arguments are checked (filter.ts, update.ts, query.ts); results are as MongoDB gives them. What fails comes out
 * as an exception of errors.ts.
 */
export interface Documents {
  find(collection: string, what: Find): Promise<readonly Doc[]>;
  /** The `_id`, which is made when there is none. */
  insertOne(collection: string, doc: Doc): Promise<Stored>;
  /** Inserts documents in order, up to the first that fails. */
  insertMany(collection: string, docs: readonly Doc[]): Promise<readonly Stored[]>;
  /** Puts the document in place of the one with its `_id`, or adds it. */
  replace(collection: string, doc: Doc): Promise<void>;
  update(collection: string, filter: Doc, update: Doc, options: { many: boolean; upsert: boolean }): Promise<Updated>;
  delete(collection: string, filter: Doc, many: boolean): Promise<number>;
  count(collection: string, filter: Doc): Promise<number>;
  createIndex(collection: string, index: IndexSpec): Promise<void>;
}

/** One numbered database of a key-value store. Values are text. */
export interface KeyValues {
  get(key: string): Promise<string | undefined>;
  /** `ttlSeconds` undefined: it stays. `onlyNew`: nothing happens when there is one. Says whether it was written. */
  set(key: string, value: string, ttlSeconds: number | undefined, onlyNew: boolean): Promise<boolean>;
  delete(key: string): Promise<number>;
  exists(key: string): Promise<boolean>;
  expire(key: string, seconds: number): Promise<boolean>;
  incr(key: string, amount: bigint): Promise<bigint>;
  deleteIfEquals(key: string, value: string): Promise<boolean>;
  /** Keys that match a glob pattern, each once, at most `count`. */
  scan(pattern: string, count: number | undefined, accepts: (key: string) => boolean): Promise<readonly string[]>;
}
