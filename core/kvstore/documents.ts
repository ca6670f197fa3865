/** The methods of `docdb` over any backend (docs/server/kvstore.md#common, docs/server/kvstore.md#documents), in stored values. */
import { PermissionError, ValueError } from '../../library/values/objects/exceptions.ts';
import type { Documents, Find, Updated } from './databases.ts';
import { withObjectIds } from './filter.ts';
import { type Doc, isHexId, ObjectId, type Stored } from './stored.ts';

/** Greatest number of documents that a `find` without an explicit limit gives. */
const mostFound = 10_000;

/** Collections that even reading would betray. */
const secret = new Set(['svc_users', 'svc_api_keys', 'svc_identities', 'svc_revoked_tokens']);

/** Collections of the server in its own database. @throws PermissionError */
export function requireReadable(collection: string): void {
  if (secret.has(collection)) throw new PermissionError(`Collection '${collection}' belongs to the server`);
}

/** @throws PermissionError */
export function requireWritable(collection: string): void {
  if (collection.startsWith('svc_')) throw new PermissionError(`Collection '${collection}' is read-only`);
}

/** @throws ValueError when there is more than fits without an explicit limit */
export async function findAll(documents: Documents, collection: string, what: Find): Promise<readonly Doc[]> {
  const filter = withObjectIds(what.filter);
  if (what.limit > 0) return await documents.find(collection, { ...what, filter });
  const found = await documents.find(collection, { ...what, filter, limit: mostFound + 1 });
  if (found.length > mostFound) throw new ValueError(`More than ${mostFound} documents: give a limit`);
  return found;
}

/** A filter as backends get it: texts of ids count for both forms. */
export const wideFilter = withObjectIds;

/** The document of a key. */
export function idFilterOf(key: string): Doc {
  return new Map([['_id', key]]);
}

/** The text of an id also means the id a database gave. */
export function idFilter(id: Stored): Doc {
  return new Map([['_id', isHexId(id) ? new Map([['$in', [id, new ObjectId(id)]]]) : id]]);
}

export async function update(
  documents: Documents,
  collection: string,
  filter: Doc,
  change: Doc,
  options: { many: boolean; upsert: boolean },
): Promise<Updated> {
  const wide = withObjectIds(filter);
  if (!options.upsert || wide === filter) return await documents.update(collection, wide, change, options);
  // An upsert adds the document with its id as it was given, so the search goes over both forms of the id first.
  const updated = await documents.update(collection, wide, change, { ...options, upsert: false });
  return updated.matched > 0 ? updated : await documents.update(collection, filter, change, options);
}

/** The document that `set` stores: a dict as it is, anything else as member `value`. */
export function documentOf(key: string, value: Stored): Doc {
  const doc: Doc = new Map([['_id', key]]);
  if (!(value instanceof Map)) return doc.set('value', value);
  if (value.has('_id') && value.get('_id') !== key) throw new ValueError(`_id of the value is not the key '${key}'`);
  for (const [name, member] of value) doc.set(name, member);
  return doc;
}

/**
 * Gives the value that `get` returns for a document. A dict whose only member is `value` counts as written with a
 * non-dict, unless that member is a dict.
 */
export function valueOf(doc: Doc): Stored {
  const value = doc.get('value');
  if (doc.size === 2 && value !== undefined && !(value instanceof Map)) return value;
  const rest = new Map(doc);
  rest.delete('_id');
  return rest;
}
