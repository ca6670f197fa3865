import type { MaybePromise } from '../../base/maybe-promise.ts';
import { Failure } from '../../core/errors.ts';

/** Runs a call whose failure, when it is about fields, names the unknown ones too: a misspelt field is missing under its right name. */
export function tellUnknown<T>(unknown: readonly string[], run: () => MaybePromise<T>): MaybePromise<T> {
  const telling = (error: unknown): never => {
    throw withUnknown(error, unknown);
  };
  try {
    const result = run();
    return result instanceof Promise ? result.catch(telling) : result;
  } catch (error) {
    return telling(error);
  }
}

function withUnknown(error: unknown, unknown: readonly string[]): unknown {
  if (!(error instanceof Failure) || error.code !== 'VALIDATION_ERROR' || error.hint === null) return error;
  const { code, message, details, status, cause } = error;
  const count = error.count === undefined ? {} : { count: error.count };
  return new Failure(code, message, { details, status, cause, ...count, warnings: unknown });
}
