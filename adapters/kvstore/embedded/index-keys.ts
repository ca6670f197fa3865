/** Keys of documents in indexes, of any collection that keeps its documents as text (`collection.ts`, `../postgres`). */
import { createHash, randomBytes } from 'node:crypto';
import { isOperators } from '../../../core/kvstore/filter.ts';
import type { IndexSpec } from '../../../core/kvstore/query.ts';
import { type Doc, isDoc, ObjectId, type Stored } from '../../../core/kvstore/stored.ts';
import { keyOf } from './compare.ts';
import { keysAt } from './shape.ts';

export function parseIndexes(text: string): readonly IndexSpec[] {
  if (text === '[]') return [];
  return JSON.parse(text).map((index: any) => ({ ...index, expireSeconds: index.expireSeconds ?? undefined }));
}

/** Keys of the only `_id`s that a filter leaves, or undefined when there may be others. */
export function wantedIds(filter: Doc): readonly string[] | undefined {
  return wantedKeys(filter.get('_id'), filter.has('_id'), true);
}

/** The only key that a filter leaves of an index, or undefined when there may be others. */
export function keyOfIndex(index: IndexSpec, filter: Doc): string | undefined {
  const keys = index.keys.map(([path]) => wantedKeys(filter.get(path), filter.has(path), false));
  return keys.every((each) => each?.length === 1) ? keys.map((each) => each![0]!).join() : undefined;
}

/** Keys of the only values a condition leaves, or undefined when there may be others. */
function wantedKeys(condition: Stored | undefined, isThere: boolean, isId: boolean): readonly string[] | undefined {
  if (!isThere || condition === undefined) return undefined;
  const values = wantedValues(condition);
  // A list is looked for as a whole and item by item, None also where there is nothing.
  const isSimple = (value: Stored) => isId || (value !== null && !Array.isArray(value));
  return values?.every(isSimple) === true ? [...new Set(values.map(keyOf))] : undefined;
}

function wantedValues(condition: Stored): readonly Stored[] | undefined {
  if (!isDoc(condition) || !isOperators(condition)) return [condition];
  if (condition.has('$eq')) return [condition.get('$eq')!];
  return condition.get('$in') as readonly Stored[] | undefined;
}

/** The document with its `_id` in front; one is made when there is none. */
export function withId(doc: Doc, nowMs: number): Doc {
  return doc.has('_id') ? idFirst(doc) : new Map<string, Stored>([['_id', newId(nowMs)], ...doc]);
}

/** Ids begin with the time, as those of MongoDB. */
function newId(nowMs: number): ObjectId {
  const seconds = Math.floor(nowMs / 1000) >>> 0;
  return new ObjectId(seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex'));
}

function idFirst(doc: Doc): Doc {
  for (const name of doc.keys())
    if (name === '_id') return doc;
    else break;
  return new Map([['_id', doc.get('_id')!], ...doc]);
}

/** A list gives a key for each item. */
export function entryKeys(index: IndexSpec, doc: Doc): readonly string[] {
  let made: readonly string[] = [''];
  index.keys.forEach(([path], i) => {
    const keys = [...new Set(keysAt(doc, path.split('.')).map((key) => (key === undefined ? 'u' : keyOf(key))))];
    made = made.flatMap((head) => keys.map((key) => (i === 0 ? key : `${head},${key}`)));
  });
  return made;
}

/** Milliseconds at which an index with `expire_seconds` ends a document; undefined: never. */
export function expiryOf({ keys, expireSeconds }: IndexSpec, doc: Doc): number | undefined {
  if (expireSeconds === undefined) return undefined;
  const dates = keysAt(doc, keys[0]![0].split('.')).filter((key) => key instanceof Date);
  return dates.length === 0 ? undefined : Math.min(...dates.map(Number)) + expireSeconds * 1000;
}

/** A key as indexes have it: it is only compared for equality, and an index of PostgreSQL takes no more than about 2,700 bytes. */
export function short(key: string): string {
  return key.length <= longest ? key : `#${createHash('sha256').update(key).digest('hex')}`;
}

/** Characters of a key that is kept as it is. */
export const longest = 600;
