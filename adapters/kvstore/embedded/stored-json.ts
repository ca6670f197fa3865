/**
 * Documents as text of the embedded database: JSON, with `{"$…": …}` for what JSON has not. No member of a stored document begins
 * with `$`.
 */
import { tooLarge } from '../../../core/kvstore/errors.ts';
import { type Doc, ObjectId, type Stored, StoredDecimal } from '../../../core/kvstore/stored.ts';

/** MongoDB takes no larger documents. */
const mostBytes = 16 * 1024 * 1024;

/** @throws ValueError when it is larger than a document may be */
export function writeDoc(doc: Doc): string {
  const text = JSON.stringify(toJson(doc));
  if (text.length > mostBytes / 3 && Buffer.byteLength(text) > mostBytes) throw tooLarge();
  return text;
}

export function readDoc(text: string): Doc {
  return fromJson(JSON.parse(text)) as Doc;
}

function toJson(value: Stored): unknown {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { $float: Object.is(value, -0) ? '-0' : String(value) };
    case 'bigint':
      return { $int: String(value) };
    case 'boolean':
    case 'string':
      return value;
  }
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Map) return docToJson(value);
  if (value instanceof Date) return { $date: value.getTime() };
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
  if (value instanceof StoredDecimal) return { $decimal: value.text };
  return { $id: (value as ObjectId).hex };
}

// JavaScript would put names that are numbers first, and `__proto__` is no name to it.
function docToJson(doc: Doc): unknown {
  const isPlain = ![...doc.keys()].some((name) => /^(\d+$|\$|__proto__$)/.test(name));
  if (!isPlain) return { $doc: [...doc].map(([name, value]) => [name, toJson(value)]) };
  const made: Record<string, unknown> = {};
  for (const [name, value] of doc) made[name] = toJson(value);
  return made;
}

function fromJson(value: any): Stored {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(fromJson);
  const names = Object.keys(value);
  if (names.length === 1 && names[0]!.startsWith('$')) return special(names[0]!, value[names[0]!]);
  const doc: Doc = new Map();
  for (const name of names) doc.set(name, fromJson(value[name]));
  return doc;
}

function special(tag: string, value: any): Stored {
  switch (tag) {
    case '$float':
      return Number(value);
    case '$int':
      return BigInt(value);
    case '$date':
      return new Date(value);
    case '$bytes':
      return new Uint8Array(Buffer.from(value, 'base64'));
    case '$decimal':
      return new StoredDecimal(value);
    case '$id':
      return new ObjectId(value);
    default:
      return new Map((value as [string, unknown][]).map(([name, item]) => [name, fromJson(item)]));
  }
}
