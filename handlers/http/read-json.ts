import { isUtf8 } from 'node:buffer';
import { Failure } from '../../core/errors.ts';
import { findJsonFault } from './find-json-fault.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

const empty: JsonObject = Object.freeze({});

/**
 * Parses a request body that must be one JSON object (server.md 6.3, 6.9): strict UTF-8, no duplicate keys, bounded depth. An
 * empty body is `{}`; a byte-order mark is skipped. Keys such as `__proto__` become own properties.
 *
 * @throws Failure `INVALID_JSON` with `details.position` (a character index) where it is known.
 */
export function parseJsonObject(bytes: Uint8Array, maxDepth: number): JsonObject {
  if (bytes.length === 0) return empty;
  const text = decodeUtf8(bytes);
  const value = parseStrictJson(text, maxDepth);
  if (value === undefined) return empty;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Failure('INVALID_JSON', 'The body must be a JSON object.');
  }
  return value as JsonObject;
}

/**
 * Parses any JSON text strictly; `undefined` for white space only.
 *
 * @throws Failure `INVALID_JSON`
 */
export function parseStrictJson(text: string, maxDepth: number): unknown {
  // One cheap pass finds the depth and the number of keys; the parser itself is the built-in one. Only when it refuses the text or
  // the tree has fewer keys than the text (a duplicate) does the slow scanner look for the place.
  const keys = countKeys(text, maxDepth);
  if (keys < 0) throw fault(text, maxDepth);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (text.trim() === '') return undefined;
    throw fault(text, maxDepth);
  }
  if (keys > 0 && countTreeKeys(value) !== keys) throw fault(text, maxDepth);
  return value;
}

/** @throws Failure `INVALID_JSON` for bytes that are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  // A replacement character is the only sign of a decoding error, and may also be a legitimate character.
  if (text.includes('\ufffd') && !isUtf8(buffer)) throw new Failure('INVALID_JSON', 'The body is not valid UTF-8.');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Number of `:` outside strings, or -1 when nesting exceeds `maxDepth`. */
function countKeys(text: string, maxDepth: number): number {
  let keys = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) {
      const near = i + nearChars;
      for (i++; i < text.length; i++) {
        const d = text.charCodeAt(i);
        if (d === 0x22) break;
        if (d === 0x5c) i++;
        else if (i > near) {
          i = endOfString(text, i);
          break;
        }
      }
    } else if (c === 0x3a) keys++;
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > maxDepth) return -1;
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
  return keys;
}

/** A string longer than this is searched for its end instead of read through. */
const nearChars = 32;

/** Index of the `"` that ends a string, from some place in it on that is not escaped; the end of the text when there is none. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (end - escapes > from && text.charCodeAt(end - escapes - 1) === 0x5c) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

function countTreeKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) keys += countTreeKeys(value[i]);
    return keys;
  }
  for (const key in value) {
    keys++;
    const child = (value as Record<string, unknown>)[key];
    if (typeof child === 'object' && child !== null) keys += countTreeKeys(child);
  }
  return keys;
}

function fault(text: string, maxDepth: number): Failure {
  const found = findJsonFault(text, maxDepth);
  const details = found.position === undefined ? undefined : { position: found.position };
  return new Failure('INVALID_JSON', found.message, { details });
}
