import { isUtf8 } from 'node:buffer';
import type { Slices } from '../../../base/slices.ts';
import { Failure } from '../../../core/errors.ts';
import { type FieldProblem, type Problems, problemMessage, toldProblems } from '../../../core/problems.ts';
import { endOfString, isExact, JsonReader } from './json-reader.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

const empty: JsonObject = Object.freeze({});

/** Longer bodies are read, and bound, in slices: the built-in parser would hold everybody else up (decisions/0411). */
export const largeBytes = 131_072;

/** Integers that JavaScript cannot hold exactly stand somewhere in a JSON text (docs/server/requests.md#types). */
export class UnsafeIntegers extends Failure {
  /** The parsed text, its integers rounded: for finding what else is wrong. */
  readonly value: unknown;
  readonly problems: Readonly<Problems>;

  constructor({ value, unsafe, unsafeCount }: JsonReader) {
    const msg = problemMessage('number_out_of_safe_range');
    const listed = unsafe.map(
      (loc): FieldProblem => ({ loc: ['body', ...loc], type: 'number_out_of_safe_range', msg }),
    );
    const problems = { listed, count: unsafeCount };
    super('VALIDATION_ERROR', ...toldProblems(problems));
    this.value = value;
    this.problems = problems;
  }
}

/**
 * Parses a request body that must be one JSON object (docs/server/errors.md#failures, docs/server/requests.md#bodies):
 * strict UTF-8, no duplicate keys, bounded depth, no integer that would be rounded. An empty body is `{}`; a byte-order
 * mark is skipped. Keys such as `__proto__` become own properties.
 *
 * @throws Failure `INVALID_JSON` with `details.position` (a character index) where it is known; `UnsafeIntegers`
 */
export function parseJsonObject(bytes: Uint8Array, maxDepth: number): JsonObject {
  return parseJsonText(decodeUtf8(bytes), maxDepth);
}

/** The same of a text that was decoded. */
export function parseJsonText(text: string, maxDepth: number): JsonObject {
  if (text === '') return empty;
  const value = parseStrictJson(text, maxDepth);
  return value === undefined ? empty : requireObject(value);
}

/** Reads a long body in slices; `objectOf` gives what is in it. @throws Failure `INVALID_JSON` for bytes that are not UTF-8 */
export async function readLargeJson(bytes: Uint8Array, maxDepth: number, slices: Slices): Promise<JsonReader> {
  if (!isUtf8(bytes)) throw invalidUtf8();
  const reader = new JsonReader(decodeUtf8(bytes), maxDepth);
  await slices.run(reader);
  return reader;
}

/** The object that was read. @throws Failure `INVALID_JSON`; `UnsafeIntegers` */
export function objectOf(reader: JsonReader): JsonObject {
  const value = resultOf(reader);
  return value === undefined ? empty : requireObject(value);
}

/** @throws Failure `INVALID_JSON` */
export function requireObject(value: unknown): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new Failure('INVALID_JSON', 'The body must be a JSON object.');
}

/**
 * Parses any JSON text strictly; `undefined` for white space only.
 *
 * @throws Failure `INVALID_JSON`; `UnsafeIntegers`
 */
export function parseStrictJson(text: string, maxDepth: number): unknown {
  // One cheap pass finds the depth and the number of keys; the parser itself is the built-in one. Only when it refuses the text, or
  // the tree has fewer keys than the text (a duplicate) or a number beyond the exact ones does the slow reader look for the place.
  const keys = countKeys(text, maxDepth);
  if (keys < 0) return readSlowly(text, maxDepth);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return readSlowly(text, maxDepth);
  }
  const tree: Tree = { keys: 0, isExact: true };
  count(value, tree);
  return tree.keys === keys && tree.isExact ? value : readSlowly(text, maxDepth);
}

function readSlowly(text: string, maxDepth: number): unknown {
  const reader = new JsonReader(text, maxDepth);
  reader.advance();
  return resultOf(reader);
}

/**
 * Gives the value that a reader has read, undefined for white space only. @throws Failure `INVALID_JSON`;
 * `UnsafeIntegers`
 */
export function resultOf(reader: JsonReader): unknown {
  if (reader.fault !== undefined) {
    if (reader.isBlank) return undefined;
    const { message, position } = reader.fault;
    throw new Failure('INVALID_JSON', message, { details: { position } });
  }
  if (reader.unsafeCount > 0) throw new UnsafeIntegers(reader);
  return reader.value;
}

/** @throws Failure `INVALID_JSON` for bytes that are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  // A replacement character is the only sign of a decoding error, and may also be a legitimate character.
  if (text.includes('\ufffd') && !isUtf8(buffer)) throw invalidUtf8();
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function invalidUtf8(): Failure {
  return new Failure('INVALID_JSON', 'The body is not valid UTF-8.');
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

interface Tree {
  keys: number;
  /** True when no number is beyond the integers that are exact. */
  isExact: boolean;
}

function count(value: unknown, tree: Tree): void {
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'number' && !isExact(value)) tree.isExact = false;
    return;
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) countMember(value[i], tree);
    return;
  }
  for (const key in value) {
    tree.keys++;
    countMember((value as Record<string, unknown>)[key], tree);
  }
}

function countMember(member: unknown, tree: Tree): void {
  if (typeof member === 'number') {
    if (!isExact(member)) tree.isExact = false;
  } else if (typeof member === 'object' && member !== null) count(member, tree);
}
