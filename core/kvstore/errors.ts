/** Failures of databases as programs see them (docs/server/kvstore.md#construction): the same classes and texts for every backend. */
import {
  ConnectionError,
  OSError,
  PermissionError,
  TimeoutError,
  ValueError,
} from '../../library/values/objects/exceptions.ts';
import type { DatabaseKind } from './databases.ts';

/** @param place host and port, never the whole address: that may hold a password */
export function unreachable(kind: DatabaseKind, place: string, cause?: unknown): Error {
  return withCause(new ConnectionError(`the ${kind} server at ${place} cannot be reached`), cause);
}

export function timedOut(kind: DatabaseKind, place: string, cause?: unknown): Error {
  return withCause(new TimeoutError(`the ${kind} server at ${place} did not answer in time`), cause);
}

export function refusedBy(kind: DatabaseKind, place: string, cause?: unknown): Error {
  return withCause(new PermissionError(`the ${kind} server at ${place} refused the operation`), cause);
}

/** Makes the error for anything the server says that is none of the above. */
export function failedAt(kind: DatabaseKind, place: string, cause: unknown): Error {
  return withCause(new OSError(`the ${kind} server at ${place} failed: ${(cause as Error).message}`), cause);
}

export function duplicateKey(collection: string, index: string): Error {
  return new ValueError(`Duplicate key in '${collection}': ${index}`);
}

export function cannotUpdate(): Error {
  return new ValueError('The update does not fit the values it would change');
}

export function indexDiffers(name: string): Error {
  return new ValueError(`Index ${name} exists with other options`);
}

export function tooLarge(): Error {
  return new ValueError('The document is larger than 16 MB');
}

export function notAnInteger(): Error {
  return new ValueError('value is not an integer');
}

export function outOfRange(): Error {
  return new ValueError('the result has more than 8 bytes');
}

export function wrongKind(): Error {
  return new ValueError('the key holds a value of another kind');
}

function withCause(error: Error, cause: unknown): Error {
  if (cause !== undefined) Object.defineProperty(error, 'cause', { value: cause, configurable: true });
  return error;
}
