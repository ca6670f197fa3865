/** Meanings of the service's errors for a caller. */
import { backOff } from '../../../base/back-off.ts';
import { Failure } from '../../../core/errors.ts';

export function nameOfError(error: unknown): string {
  return typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';
}

export function isConditionFailed(error: unknown): boolean {
  return nameOfError(error) === 'ConditionalCheckFailedException';
}

/** The service asks to slow down. */
export function isThrottling(name: string): boolean {
  return /Throttl|ProvisionedThroughputExceeded|RequestLimitExceeded|TransactionInProgress/.test(name);
}

const sentences: Readonly<Record<string, string>> = {
  ResourceNotFoundException: 'a table of the store does not exist',
  AccessDeniedException: 'the store refuses these credentials',
  UnrecognizedClientException: 'the store refuses these credentials',
  InvalidSignatureException: 'the store refuses these credentials',
  ExpiredTokenException: 'the credentials for the store have expired',
  CredentialsProviderError: 'no AWS credentials found',
};

/** The failure a caller gets for an error of the client or the service. */
export function unavailable(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const name = nameOfError(error);
  const message = String((error as Error)?.message ?? '');
  if (name === 'ValidationException' && /size/i.test(message)) return tooLarge(error);
  const sentence = sentences[name] ?? (isThrottling(name) ? 'the store is overloaded' : 'the store is not available');
  return new Failure('SERVICE_UNAVAILABLE', sentence, { cause: error, headers: { 'Retry-After': '1' } });
}

export function tooLarge(cause?: unknown): Failure {
  return new Failure('COMMIT_TOO_LARGE', 'an object is larger than the store can keep (350 KB)', { cause });
}

/** @param attempt from 0 */
export function pause(attempt: number): Promise<void> {
  return backOff(attempt, { firstMs: 10, mostMs: 2000 });
}
