/** `kvstore(…)` of `svc_scale.lib` (docs/server/kvstore.md): checks everything, then asks the backend behind the address. */

import { dumps, loads } from '../../library/modules/json/json.ts';
import { allFromOutside } from '../../library/outside.ts';
import { asInt } from '../../library/values/numbers/numbers.ts';
import {
  NotImplementedError,
  PermissionError,
  TypeError,
  ValueError,
} from '../../library/values/objects/exceptions.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import { truth } from '../../library/values/objects/truth.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { contextOrNone, currentContext } from '../memory/context.ts';
import { requireWritable } from '../memory/read-only.ts';
import { checkDatabase, checkKind, checkUri, resolveUri } from './address.ts';
import { type DatabaseKind, type Databases, type Documents, type Find, type KeyValues, localUri } from './databases.ts';
import * as docs from './documents.ts';
import { decode, encode, encodeDocument } from './encode.ts';
import { checkFilter, listOf } from './filter.ts';
import { checkCollection, checkIndex, checkOrder, checkProjection, isWhole } from './query.ts';
import { isDoc, type Stored } from './stored.ts';
import { checkUpdate } from './update.ts';

export interface KvStoreOptions {
  readonly name: string;
  readonly kind: DatabaseKind;
  readonly uri: string | undefined;
}

/** Redis reckons with milliseconds in 8 bytes. */
const longestTtl = 9_000_000_000_000;

/**
 * Helper of programs for documents and for key-value data. Nothing is connected before the first call, and a call finds
 * its backend through the runtime it belongs to, so one helper may stand in a module and serve every version of the
 * program.
 */
export class KvStore {
  readonly $kind: DatabaseKind;
  readonly $name: string;
  readonly $uri: string | undefined;
  readonly $prefix: string;

  /** @throws ValueError for a name or address that cannot be, or when there is no address at all */
  constructor({ name, kind, uri }: KvStoreOptions) {
    this.$kind = checkKind(kind);
    this.$name = kind === 'docdb' ? checkDatabase(name) : name;
    this.$uri = uri === undefined ? undefined : checkUri(kind, uri);
    this.$prefix = kind === 'docdb' || isNumbered(name) ? '' : `${name}:`;
    const context = contextOrNone();
    if (context !== undefined) resolveUri(kind, this.$uri, context.runtime.databases);
  }

  // ---------------------------------------------------------------- both kinds

  async get(key: unknown, collection: unknown): Promise<unknown> {
    const name = this.$key(key);
    if (this.$kind === 'kvcache') return readJson(await (await this.$readingKey(name)).get(name));
    const { documents, col } = await this.$reading(collection ?? 'kv');
    const [doc] = await documents.find(col, one(docs.idFilterOf(name)));
    return doc === undefined ? null : decode(docs.valueOf(doc));
  }

  async set(key: unknown, value: unknown, collection: unknown): Promise<boolean> {
    const name = this.$key(key);
    if (this.$kind === 'kvcache') return await this.$write(name, value, undefined, false);
    const doc = docs.documentOf(name, encode(value));
    await this.$writing(collection ?? 'kv', (documents, col) => documents.replace(col, doc));
    return true;
  }

  async delete(key: unknown, collection: unknown): Promise<number> {
    const name = this.$key(key);
    if (this.$kind === 'kvcache') return await this.$writingKey(name, (store) => store.delete(name));
    return await this.$writing(collection ?? 'kv', (documents, col) =>
      documents.delete(col, docs.idFilterOf(name), false),
    );
  }

  async exists(key: unknown, collection: unknown): Promise<boolean> {
    const name = this.$key(key);
    if (this.$kind === 'kvcache') return await (await this.$readingKey(name)).exists(name);
    const { documents, col } = await this.$reading(collection ?? 'kv');
    return (await documents.count(col, docs.idFilterOf(name))) > 0;
  }

  // ---------------------------------------------------------------- docdb

  async find_one(collection: unknown, filter: unknown, projection?: unknown): Promise<unknown> {
    this.$require('docdb', 'find_one');
    const [doc] = await this.$find(collection, { ...query(filter, projection), limit: 1 });
    return doc ?? null;
  }

  async find(
    collection: unknown,
    filter: unknown,
    projection: unknown,
    sort: unknown,
    skip: unknown,
    limit: unknown,
  ): Promise<unknown[]> {
    this.$require('docdb', 'find');
    return await this.$find(collection, {
      ...query(filter, projection),
      sort: checkOrder(sort, 'sort'),
      skip: requireCount(skip ?? 0, 'skip'),
      limit: requireCount(limit ?? 0, 'limit'),
    });
  }

  async insert_one(collection: unknown, doc: unknown): Promise<unknown> {
    this.$require('docdb', 'insert_one');
    const encoded = encodeDocument(doc);
    return decode(await this.$writing(collection, (documents, col) => documents.insertOne(col, encoded)));
  }

  async insert_many(collection: unknown, docs: unknown): Promise<unknown[]> {
    this.$require('docdb', 'insert_many');
    const encoded = listOf(docs, 'insert_many').map(encodeDocument);
    if (encoded.length === 0) throw new ValueError('insert_many needs at least one document');
    return (await this.$writing(collection, (documents, col) => documents.insertMany(col, encoded))).map(decode);
  }

  async update_one(collection: unknown, filter: unknown, update: unknown, upsert?: unknown): Promise<number> {
    this.$require('docdb', 'update_one');
    return await this.$update(collection, filter, update, { many: false, upsert: truth(upsert) });
  }

  async update_many(collection: unknown, filter: unknown, update: unknown, upsert?: unknown): Promise<number> {
    this.$require('docdb', 'update_many');
    return await this.$update(collection, filter, update, { many: true, upsert: truth(upsert) });
  }

  async delete_one(collection: unknown, filter: unknown): Promise<number> {
    this.$require('docdb', 'delete_one');
    return await this.$delete(collection, filter, false);
  }

  async delete_many(collection: unknown, filter: unknown, confirm?: unknown): Promise<number> {
    this.$require('docdb', 'delete_many');
    const checked = checkFilter(filter);
    if (checked.size === 0 && !truth(confirm))
      throw new ValueError('delete_many with {} deletes everything: give confirm=True');
    return await this.$delete(collection, filter, true);
  }

  async find_by_id(collection: unknown, id: unknown): Promise<unknown> {
    this.$require('docdb', 'find_by_id');
    const filter = docs.idFilter(requireId(id));
    const { documents, col } = await this.$reading(collection);
    const [doc] = await documents.find(col, one(filter));
    return doc === undefined ? null : decode(doc);
  }

  async update_by_id(collection: unknown, id: unknown, update: unknown, upsert?: unknown): Promise<number> {
    this.$require('docdb', 'update_by_id');
    const filter = new Map([['_id', requireId(id)]]);
    return await this.$update(collection, filter, update, { many: false, upsert: truth(upsert) });
  }

  async delete_by_id(collection: unknown, id: unknown): Promise<number> {
    this.$require('docdb', 'delete_by_id');
    return await this.$delete(collection, new Map([['_id', requireId(id)]]), false);
  }

  async count_documents(collection: unknown, filter?: unknown): Promise<number> {
    this.$require('docdb', 'count_documents');
    const checked = docs.wideFilter(checkFilter(filter ?? new Map()));
    const { documents, col } = await this.$reading(collection);
    return await documents.count(col, checked);
  }

  async create_index(collection: unknown, keys: unknown, unique?: unknown, expireSeconds?: unknown): Promise<string> {
    this.$require('docdb', 'create_index');
    const index = checkIndex(keys, truth(unique), expireSeconds);
    await this.$writing(collection, (documents, col) => documents.createIndex(col, index));
    return index.name;
  }

  // ---------------------------------------------------------------- kvcache

  async set_with_ttl(key: unknown, value: unknown, ttl: unknown): Promise<boolean> {
    this.$require('kvcache', 'set_with_ttl');
    return await this.$write(this.$key(key), value, requireSeconds(ttl, 'ttl'), false);
  }

  async set_nx_with_ttl(key: unknown, value: unknown, ttl: unknown): Promise<boolean> {
    this.$require('kvcache', 'set_nx_with_ttl');
    return await this.$write(this.$key(key), value, requireSeconds(ttl, 'ttl'), true);
  }

  async delete_if_equals(key: unknown, value: unknown): Promise<boolean> {
    this.$require('kvcache', 'delete_if_equals');
    const name = this.$key(key);
    const text = writeJson(value);
    return await this.$writingKey(name, (store) => store.deleteIfEquals(name, text));
  }

  async expire(key: unknown, seconds: unknown): Promise<boolean> {
    this.$require('kvcache', 'expire');
    const name = this.$key(key);
    const ttl = requireSeconds(seconds, 'seconds');
    return await this.$writingKey(name, (store) => store.expire(name, ttl));
  }

  async incr(key: unknown, amount?: unknown): Promise<unknown> {
    this.$require('kvcache', 'incr');
    const name = this.$key(key);
    const step = asInt(amount ?? 1);
    if (step === undefined || !Number.isInteger(Number(step)))
      throw new TypeError(`amount must be int, not '${typeName(amount)}'`);
    const by = BigInt(step);
    if (BigInt.asIntN(64, by) !== by) throw new ValueError('amount has more than 8 bytes');
    const result = await this.$writingKey(name, (store) => store.incr(name, by));
    return Number.isSafeInteger(Number(result)) ? Number(result) : result;
  }

  async scan_keys(pattern: unknown, count?: unknown): Promise<string[]> {
    this.$require('kvcache', 'scan_keys');
    const glob = pattern ?? '*';
    if (typeof glob !== 'string') throw new TypeError(`pattern must be str, not '${typeName(pattern)}'`);
    const most = count === null || count === undefined ? undefined : requireCount(count, 'count');
    const { $prefix } = this;
    const keyValues = await this.$readingKey('');
    if (most === 0) return [];
    const accepts = (key: string) => !isReserved(key) && !isReserved(key.slice($prefix.length));
    const found = await keyValues.scan(escapeGlob($prefix) + glob, most, accepts);
    return found.map((key) => key.slice($prefix.length));
  }

  // ---------------------------------------------------------------- shared steps

  /** @throws NotImplementedError before anything is connected */
  $require(kind: DatabaseKind, method: string): void {
    if (this.$kind !== kind) throw new NotImplementedError(`${method} is not supported by ${this.$kind}`);
  }

  /** Names of keys: text, or numbers as text. @throws TypeError, ValueError, PermissionError */
  $key(key: unknown): string {
    const name = typeof key === 'number' || typeof key === 'bigint' ? strOf(key) : key;
    if (typeof name !== 'string') throw new TypeError(`a key must be str, not '${typeName(key)}'`);
    const size = Buffer.byteLength(name);
    if (size < 1 || size > 512) throw new ValueError('a key has 1 to 512 bytes');
    encode(name);
    if (this.$kind === 'docdb') return name;
    if (isReserved(name) || isReserved(this.$prefix + name))
      throw new PermissionError("keys under 'svc:' belong to the server");
    return this.$prefix + name;
  }

  async $write(key: string, value: unknown, ttl: number | undefined, onlyNew: boolean): Promise<boolean> {
    const text = writeJson(value);
    return await this.$writingKey(key, (store) => store.set(key, text, ttl, onlyNew));
  }

  async $find(collection: unknown, what: Find): Promise<unknown[]> {
    const { documents, col } = await this.$reading(collection);
    const found = await docs.findAll(documents, col, what);
    return found.map(decode);
  }

  async $update(
    collection: unknown,
    filter: unknown,
    update: unknown,
    options: { many: boolean; upsert: boolean },
  ): Promise<number> {
    const [checked, change] = [checkFilter(filter), checkUpdate(update)];
    const updated = await this.$writing(collection, (documents, col) =>
      docs.update(documents, col, checked, change, options),
    );
    return updated.modified;
  }

  async $delete(collection: unknown, filter: unknown, many: boolean): Promise<number> {
    const checked = docs.wideFilter(checkFilter(filter));
    return await this.$writing(collection, (documents, col) => documents.delete(col, checked, many));
  }

  async $reading(collection: unknown): Promise<{ documents: Documents; col: string }> {
    const found = await this.$documents(collection, docs.requireReadable);
    noteKeptRead(() => this.$keptName(found.col));
    return found;
  }

  /** Tells live runs that read the collection, also when only a part was written (core/live). */
  async $writing<T>(collection: unknown, write: (documents: Documents, col: string) => Promise<T>): Promise<T> {
    const { session } = currentContext();
    requireWritable(session, wroteKept);
    const { documents, col } = await this.$documents(collection, docs.requireWritable);
    try {
      return await write(documents, col);
    } finally {
      session.runtime.store.log.follower?.kept([this.$keptName(col)]);
    }
  }

  async $documents(collection: unknown, require: (collection: string) => void) {
    const col = checkCollection(collection);
    const [databases, uri] = this.$resolve();
    const isOwn = uri.startsWith(localUri) || uri === databases.addressOf('docdb');
    if (isOwn && this.$name === databases.ownDatabase) require(col);
    const documents = await databases.documents({ uri, name: this.$name });
    return { documents: allFromOutside('kvstore', documents), col };
  }

  /** `key` empty: all of them. */
  async $readingKey(key: string): Promise<KeyValues> {
    noteKeptRead(() => this.$keptName(key));
    return await this.$keyValues();
  }

  async $writingKey<T>(key: string, write: (store: KeyValues) => Promise<T>): Promise<T> {
    const { session } = currentContext();
    requireWritable(session, wroteKept);
    const store = await this.$keyValues();
    try {
      return await write(store);
    } finally {
      session.runtime.store.log.follower?.kept([this.$keptName(key), this.$keptName('')]);
    }
  }

  /** Name of a key or collection among all databases, without what an address says in confidence. */
  $keptName(part: string): string {
    const [, uri] = this.$resolve();
    return [this.$kind, uri.replace(/\/\/[^/@]*@/, '//'), this.$prefix === '' ? this.$name : '', part].join('\n');
  }

  async $keyValues(): Promise<KeyValues> {
    const [databases, uri] = this.$resolve();
    const keyValues = await databases.keyValues({ uri, name: this.$prefix === '' ? this.$name : '' });
    return allFromOutside('kvstore', keyValues);
  }

  $resolve(): [Databases, string] {
    const { databases } = currentContext().runtime;
    const uri = resolveUri(this.$kind, this.$uri, databases);
    return [databases!, uri];
  }
}

const wroteKept = 'wrote with kvstore';

function noteKeptRead(name: () => string): void {
  const { session } = currentContext();
  if (session.isReadOnly) (session.kept ??= new Set()).add(name());
}

function one(filter: Find['filter']): Find {
  return { filter, projection: undefined, sort: [], skip: 0, limit: 1 };
}

function query(filter: unknown, projection: unknown): Find {
  return {
    filter: checkFilter(filter ?? new Map()),
    projection: checkProjection(projection),
    sort: [],
    skip: 0,
    limit: 0,
  };
}

function requireId(id: unknown): Stored {
  const encoded = encode(id);
  if (encoded === null || Array.isArray(encoded) || isDoc(encoded)) throw new TypeError(`not an id: '${typeName(id)}'`);
  return encoded;
}

function requireCount(value: unknown, what: string): number {
  if (!isWhole(value, 0) || value > 2_147_483_647) throw new ValueError(`${what} must be a whole number of at least 0`);
  return value;
}

function requireSeconds(value: unknown, what: string): number {
  if (!isWhole(value, 1) || value > longestTtl) throw new ValueError(`${what} must be whole seconds, at least 1`);
  return value;
}

function isNumbered(name: string): boolean {
  return /^([0-9]|1[0-5])$/.test(name);
}

function isReserved(key: string): boolean {
  return key.startsWith('svc:');
}

function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]^]/g, '\\$&');
}

/** @throws TypeError when it is no JSON */
function writeJson(value: unknown): string {
  return dumps(value, false, false);
}

function readJson(text: string | undefined): unknown {
  if (text === undefined) return null;
  try {
    return loads(text);
  } catch (error) {
    if (error instanceof ValueError) return text;
    throw error;
  }
}
