/**
 * The JSON texts of records as subdocuments, and back (docs/server/stores.md#document-database). Keys that begin with
 * `$` or contain `.` are written with the full-width forms of these signs. What a document cannot hold exactly is kept
 * as text (decisions/0115).
 */
import type { Document } from 'mongodb';

const dollar = '\uff04';
const dot = '\uff0e';
/** The only key of a subdocument that is kept as text. */
const asText = `${dollar}json`;
/** A server takes a hundred levels, the record's own among them. */
const mostLevels = 80;

/** Texts that need more care than a look at their keys: NUL and single surrogates, the full-width signs, -0, names that are not plain keys. */
const special = /\\u(?:0000|d[89a-f])|\uff04|\uff0e|-0\.0|"__proto__"/i;

/** Undefined for ''. */
export function toSubdocument(text: string): Document | undefined {
  if (text === '') return undefined;
  if (special.test(text)) return { [asText]: text };
  const made = escape(JSON.parse(text), 1);
  return made === undefined ? { [asText]: text } : (made as Document);
}

/** Undefined when it is too deep. */
function escape(value: unknown, level: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (level > mostLevels) return undefined;
  if (Array.isArray(value)) {
    const items: unknown[] = new Array(value.length);
    for (let i = 0; i < value.length; i++) if ((items[i] = escape(value[i], level + 1)) === undefined) return undefined;
    return items;
  }
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const inner = escape((value as Record<string, unknown>)[key], level + 1);
    if (inner === undefined) return undefined;
    made[escapeKey(key)] = inner;
  }
  return made;
}

function escapeKey(key: string): string {
  const named = key.startsWith('$') ? dollar + key.slice(1) : key;
  return named.includes('.') ? named.replaceAll('.', dot) : named;
}

export function toText(subdocument: Document | undefined | null): string {
  if (subdocument === undefined || subdocument === null) return '';
  const text = subdocument[asText];
  return typeof text === 'string' ? text : JSON.stringify(unescape(subdocument));
}

function unescape(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unescape);
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(value)) made[unescapeKey(key)] = unescape((value as Record<string, unknown>)[key]);
  return made;
}

function unescapeKey(key: string): string {
  const named = key.startsWith(dollar) ? `$${key.slice(1)}` : key;
  return named.includes(dot) ? named.replaceAll(dot, '.') : named;
}
