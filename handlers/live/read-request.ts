/** Frames of clients to `/live` (docs/server/live.md#frames). */
import { Failure } from '../../core/errors.ts';
import { hexId } from '../http/bind/scalars.ts';
import { type JsonObject, parseJsonObject, UnsafeIntegers } from '../http/body/read-json.ts';
import type { QueryValues } from '../http/body/read-query.ts';
import { readSince } from '../topics/read-since.ts';
import type { Have, Wishes } from './subscription.ts';

export type LiveRequest =
  | { readonly type: 'subscribe'; readonly all: readonly JsonObject[]; readonly token: unknown }
  | { readonly type: 'unsubscribe'; readonly idText: string | undefined }
  | { readonly type: 'token'; readonly token: unknown }
  | { readonly type: 'ping' | 'pong' };

/** Fields of a frame, or of a query. */
export type FieldSource = { readonly body: JsonObject } | { readonly query: QueryValues };

/** A walker or function with the fields it is to be run with. */
export interface Subscribed {
  readonly kind: 'walker' | 'function';
  readonly name: string;
  readonly source: FieldSource;
  /** Undefined: the root of the caller. */
  readonly nodeId: string | undefined;
  readonly everyMs: number | undefined;
}

/** One subscription that is asked for, checked but for its target and fields. */
export interface Wanted extends Subscribed, Wishes {}

const longestId = 128;
const longestDigest = 64;
/** A timer's greatest number of seconds. */
const longestEvery = 2_147_483;

/** @throws Failure `INVALID_PAYLOAD`; `UnsafeIntegers` */
export function readRequest(bytes: Uint8Array, maxJsonDepth: number): LiveRequest {
  const object = parse(bytes, maxJsonDepth);
  const { type } = object;
  switch (type) {
    case 'subscribe':
      return { type, all: listOf(object), token: object['token'] };
    case 'unsubscribe':
      return { type, idText: idText(object['id']) };
    case 'token':
      return { type, token: object['token'] };
    case 'ping':
    case 'pong':
      return { type };
    default:
      throw invalid('A frame has a type: subscribe, unsubscribe or token.');
  }
}

function parse(bytes: Uint8Array, maxJsonDepth: number): JsonObject {
  try {
    return parseJsonObject(bytes, maxJsonDepth);
  } catch (error) {
    if (error instanceof UnsafeIntegers || !(error instanceof Failure)) throw error;
    throw invalid('A message must be one JSON object.');
  }
}

function listOf(object: JsonObject): readonly JsonObject[] {
  const { all } = object;
  if (all === undefined) return [object];
  if (!Array.isArray(all) || !all.every(isObject)) throw invalid('all must be a list of objects.');
  return all;
}

/** The client's id as JSON text; undefined where it is none. */
export function idText(id: unknown): string | undefined {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id.length <= longestId ? JSON.stringify(id) : undefined;
}

/** @throws Failure `VALIDATION_ERROR`, `INVALID_PAYLOAD` */
export function readWanted(object: JsonObject): Wanted {
  const { walker, function: fn, fields = {}, node, every, patch, have, since } = object;
  if ((typeof walker === 'string') === (typeof fn === 'string')) throw wrong('Name either a walker or a function.');
  if (!isObject(fields)) throw wrong('fields must be an object.');
  if (patch !== undefined && typeof patch !== 'boolean') throw wrong('patch must be true or false.');
  return {
    kind: typeof walker === 'string' ? 'walker' : 'function',
    name: (typeof walker === 'string' ? walker : fn) as string,
    source: { body: fields },
    nodeId: nodeOf(node),
    everyMs: everyMsOf(every),
    wantsPatch: patch === true,
    have: haveOf(have),
    since: readSince(since),
  };
}

/** Milliseconds of a number of seconds. @throws Failure `VALIDATION_ERROR` */
export function everyMsOf(every: unknown): number | undefined {
  if (every === undefined) return undefined;
  if (!Number.isInteger(every) || (every as number) < 1 || (every as number) > longestEvery)
    throw wrong(`every must be whole seconds from 1 to ${longestEvery}.`);
  return (every as number) * 1000;
}

/** Undefined: the root. @throws Failure `VALIDATION_ERROR` */
export function nodeOf(node: unknown): string | undefined {
  if (node === undefined || node === null || node === 'root') return undefined;
  const id = typeof node === 'string' ? hexId(node) : undefined;
  if (id === undefined) throw wrong('node must be the id of a node.');
  return id;
}

function haveOf(have: unknown): Have | undefined {
  if (have === undefined || have === null) return undefined;
  if (!isObject(have)) throw wrong('have must be an object of version and digest.');
  const { version, digest } = have;
  if (!Number.isSafeInteger(version) || (version as number) < 0) throw wrong('have.version must be a whole number.');
  if (typeof digest !== 'string' || digest.length > longestDigest)
    throw wrong('have.digest must be a text that was sent.');
  return { version: version as number, digest };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(message: string): Failure {
  return new Failure('INVALID_PAYLOAD', message);
}

function wrong(message: string): Failure {
  return new Failure('VALIDATION_ERROR', message);
}
