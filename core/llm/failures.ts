/**
 * Names by which programs of earlier runtimes catch what goes wrong with a model (docs/models.md#agents). What is raised stays what it was
 * (RuntimeError, ConnectionError, ValueError); these classes take those that are marked for them.
 */
import { Exception, nameException } from '../../library/values/objects/exceptions.ts';

export type FailureKind = 'answer' | 'key' | 'rate' | 'model' | 'setting';

const kinds = new WeakMap<object, FailureKind>();

/** Marks a failure for the class of its kind. */
export function ofKind<E extends Error>(kind: FailureKind, error: E): E {
  kinds.set(error, kind);
  return error;
}

/** The kind of a refusal with that HTTP status. */
export function kindOfStatus(status: number): FailureKind | undefined {
  if (status === 401 || status === 403) return 'key';
  if (status === 429) return 'rate';
  return status === 404 ? 'model' : undefined;
}

export class ByLLMError extends Exception {
  static override [Symbol.hasInstance](e: unknown): boolean {
    return isOf(ByLLMError, e) || (typeof e === 'object' && e !== null && kinds.has(e));
  }
}

function isOf(cls: abstract new () => unknown, e: unknown): boolean {
  return Function.prototype[Symbol.hasInstance].call(cls, e);
}

function named(name: string, kind: FailureKind | undefined): typeof ByLLMError {
  const cls = class extends ByLLMError {
    static override [Symbol.hasInstance](e: unknown): boolean {
      return isOf(cls, e) || (kind !== undefined && typeof e === 'object' && e !== null && kinds.get(e) === kind);
    }
  };
  nameException(cls, name, 'byllm.exceptions');
  return cls;
}
nameException(ByLLMError, 'ByLLMError', 'byllm.exceptions');

export const failureClasses: Readonly<Record<string, typeof ByLLMError>> = {
  ByLLMError,
  OutputConversionError: named('OutputConversionError', 'answer'),
  AuthenticationError: named('AuthenticationError', 'key'),
  RateLimitError: named('RateLimitError', 'rate'),
  ModelNotFoundError: named('ModelNotFoundError', 'model'),
  ConfigurationError: named('ConfigurationError', 'setting'),
  UnknownToolError: named('UnknownToolError', undefined),
  FinishToolError: named('FinishToolError', undefined),
};
