/** Exceptions of programs for errors of the driver and the server. */
import type { DatabaseKind } from '../../../core/kvstore/databases.ts';
import { failedAt, refusedBy, timedOut, unreachable } from '../../../core/kvstore/errors.ts';
import { BaseException } from '../../../library/values/objects/exceptions.ts';
import { isGone } from '../../stores/postgres/trouble.ts';

/** Refused for who asks; for a server that can only be read; for a full disk there is `failedAt`. */
const refused = /^(28...|42501|25006)$/;

export function asProgramsSeeIt(kind: DatabaseKind, place: string, error: unknown): unknown {
  if (error instanceof BaseException) return error;
  const { cause = error } = error as { cause?: unknown };
  const code = String((cause as { code?: string } | undefined)?.code ?? '');
  if (code === '57014') return timedOut(kind, place, cause);
  if (refused.test(code)) return refusedBy(kind, place, cause);
  return isGone(cause) || code === '53300' ? unreachable(kind, place, cause) : failedAt(kind, place, cause);
}

/** Runs `work`, whose errors become those of the language. */
export async function told<T>(kind: DatabaseKind, place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asProgramsSeeIt(kind, place, error);
  }
}
