/** Meanings of the server's and the driver's errors for a caller. */
import { Failure } from '../../../core/errors.ts';

interface DriverError {
  readonly code?: string;
  readonly message?: string;
  readonly constraint?: string;
}

function codeOf(error: unknown): string {
  return String((error as DriverError | undefined)?.code ?? '');
}

/** Another transaction was first or is in the way: the same may go through the next time. */
export function isInTheWay(error: unknown): boolean {
  return ['40001', '40P01', '55P03', '23505'].includes(codeOf(error));
}

/** A condition of a commit did not hold (`statements.ts`). */
export function isMismatch(error: unknown): boolean {
  return codeOf(error) === '22012';
}

/** Name of the constraint that a record broke. */
export function brokenUnique(error: unknown): string | undefined {
  return codeOf(error) === '23505' ? ((error as DriverError).constraint ?? '') : undefined;
}

/** The connection is of no use any more: it broke, its server ends, or is no longer the one that can be written. */
export function isGone(error: unknown): boolean {
  const code = codeOf(error);
  if (/^(E[A-Z]+|08...|57P0[123]|25006)$/.test(code)) return true;
  return (
    code === '' &&
    /terminated|not queryable|closed|timeout|socket|getaddrinfo/i.test(String((error as DriverError)?.message))
  );
}

/** PgBouncer refuses parameters it does not know; statements with names are not for it either. */
export function isBouncer(error: unknown): boolean {
  return /unsupported startup parameter/.test(String((error as DriverError)?.message));
}

export function hasNoTls(error: unknown): boolean {
  return /does not support SSL/.test(String((error as DriverError)?.message));
}

const sentences: Readonly<Record<string, string>> = {
  '28000': 'the database refuses these credentials',
  '28P01': 'the database refuses these credentials',
  '3D000': 'the database does not exist',
  '42501': 'the database refuses this operation to its user',
  '53100': 'the disk of the database is full',
  '53300': 'the database takes no more connections',
  '57014': 'the database took longer than operation_timeout_ms',
};

/** The failure a caller gets for an error of the driver or the server. */
export function unavailable(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const message = sentences[codeOf(error)] ?? 'the store is not available';
  return new Failure('SERVICE_UNAVAILABLE', message, { cause: error, headers: { 'Retry-After': '1' } });
}

/** The driver's errors become failures. */
export async function asked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw unavailable(error);
  }
}
