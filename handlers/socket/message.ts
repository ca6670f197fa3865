import { Failure } from '../../core/errors.ts';
import type { Problems } from '../../core/problems.ts';
import { type NotedBody, unsafeBody } from '../http/bind-long.ts';
import { type JsonObject, parseJsonObject, UnsafeIntegers } from '../http/body/read-json.ts';
import { readSince, type Since } from '../topics/read-since.ts';
import type { SocketTarget } from './socket-target.ts';

/** One frame of a client, taken apart (docs/server/sockets.md#authentication, docs/server/sockets.md#frames). */
export interface Message {
  readonly control: 'ping' | 'pong' | 'auth' | 'refresh' | undefined;
  /** Member `token` or `$token`, whatever its type. */
  readonly token: unknown;
  /** `$id` as JSON text. */
  readonly id: string | undefined;
  /** Member `$since`: what the client has heard of topics. */
  readonly since: Since | undefined;
  /** Fields of a run: the message without its control members. */
  readonly fields: JsonObject;
  /** Integers in it that are not exact. */
  readonly noted: Readonly<Problems> | undefined;
}

const controls = new Set(['ping', 'pong', 'auth', 'refresh']);
const maxIdLength = 128;

/** @throws Failure `INVALID_PAYLOAD` */
export function readMessage(bytes: Uint8Array, target: SocketTarget, maxJsonDepth: number): Message {
  const { body: object, noted } = parse(bytes, maxJsonDepth);
  const own = (name: string) => (Object.hasOwn(object, name) ? object[name] : undefined);
  const kind = own('$type') ?? (target.declares('type') ? undefined : own('type'));
  return {
    control: typeof kind === 'string' && controls.has(kind) ? (kind as Message['control']) : undefined,
    token: own('$token') ?? own('token'),
    id: idText(own('$id')),
    since: readSince(own('$since')),
    fields: fieldsOf(object, target),
    noted,
  };
}

/**
 * Gives the fields of a message without the members that are for the server. Most messages have none, and are their
 * fields as they are.
 */
function fieldsOf(object: JsonObject, target: SocketTarget): JsonObject {
  const isOurs = (name: string) =>
    name.charCodeAt(0) === 0x24 || ((name === 'token' || name === 'type') && !target.declares(name));
  const names = Object.keys(object);
  if (!names.some(isOurs)) return object;
  const fields: Record<string, unknown> = Object.create(null);
  for (const name of names) if (!isOurs(name)) fields[name] = object[name];
  return fields;
}

function parse(bytes: Uint8Array, maxJsonDepth: number): NotedBody {
  try {
    return { body: parseJsonObject(bytes, maxJsonDepth), noted: undefined };
  } catch (error) {
    if (error instanceof UnsafeIntegers && isObject(error.value)) return unsafeBody(error);
    if (!(error instanceof Failure)) throw error;
    throw new Failure('INVALID_PAYLOAD', 'A message must be one JSON object.');
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function idText(id: unknown): string | undefined {
  if (typeof id === 'number' || typeof id === 'bigint') return String(id);
  if (typeof id === 'string' && id.length <= maxIdLength) return JSON.stringify(id);
  return undefined;
}
