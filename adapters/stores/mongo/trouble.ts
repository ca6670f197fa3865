/** Meanings of the driver's and the server's errors for a caller. */
import { backOff } from '../../../base/back-off.ts';
import { Failure } from '../../../core/errors.ts';

interface DriverError {
  readonly name?: string;
  readonly code?: number | string;
  hasErrorLabel?(label: string): boolean;
}

function hasLabel(error: unknown, label: string): boolean {
  return (error as DriverError)?.hasErrorLabel?.(label) === true;
}

/** The whole transaction may be tried again: somebody else was first, or the server changed. */
export function isTransient(error: unknown): boolean {
  return hasLabel(error, 'TransientTransactionError');
}

/** Nobody knows whether the commit was done: it may be asked for again. */
export function isUnknownCommit(error: unknown): boolean {
  return hasLabel(error, 'UnknownTransactionCommitResult');
}

export function isWriteConflict(error: unknown): boolean {
  return (error as DriverError)?.code === 112;
}

export function isDuplicate(error: unknown): boolean {
  return (error as DriverError)?.code === 11000;
}

const sentences: Readonly<Record<number, string>> = {
  13: 'the document database refuses this operation to its user',
  18: 'the document database refuses these credentials',
  8000: 'the document database refuses these credentials',
};

/** The failure a caller gets for an error of the driver or the server. */
export function unavailable(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { code } = (error ?? {}) as DriverError;
  if (code === 10334 || code === 17419) return tooLarge(error);
  const sentence = (typeof code === 'number' ? sentences[code] : undefined) ?? 'the store is not available';
  return new Failure('SERVICE_UNAVAILABLE', sentence, { cause: error, headers: { 'Retry-After': '1' } });
}

function tooLarge(cause: unknown): Failure {
  return new Failure('COMMIT_TOO_LARGE', 'an object is larger than the store can keep (16 MB)', { cause });
}

/** The driver's errors become failures. */
export async function asked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw unavailable(error);
  }
}

/** @param attempt from 0 */
export function pause(attempt: number): Promise<void> {
  return backOff(attempt, { firstMs: 5, mostMs: 250 });
}
