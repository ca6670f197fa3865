/** Failures that a program raises, and those it may want to catch. */

import * as exceptions from '../../library/values/objects/exceptions.ts';
import * as http from '../modules/http-members.ts';

/** Ends the call without keeping anything and answers with this status, code and message (docs/server/errors.md#application-errors). */
export interface HTTPError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;
}

export const HTTPError = http.HTTPError as unknown as new (
  status: number,
  code: string,
  message: string,
  details?: unknown,
) => HTTPError;

type ErrorClass = new (message?: string) => Error;

/** The caller may not do this to that object. */
export const PermissionError = exceptions.PermissionError as unknown as ErrorClass;
export const ValueError = exceptions.ValueError as unknown as ErrorClass;
/** A server cannot be reached. */
export const ConnectionError = exceptions.ConnectionError as unknown as ErrorClass;
/** A server did not answer in time. */
export const TimeoutError = exceptions.TimeoutError as unknown as ErrorClass;
export const KeyError = exceptions.KeyError as unknown as ErrorClass;
