/** Frames of errors of `/live`, and the failures that its connections tell (docs/server/live.md#frames). */
import { Failure } from '../../core/errors.ts';
import { type CloseReason, errorText, frameError } from '../socket/frames.ts';
import type { LiveApp } from './live-app.ts';

const noHeaders = { header: () => undefined, path: '/live', method: 'LIVE' };

/** `id`: JSON text of the subscription's; `isFinal` undefined: an error of the connection. */
export function liveErrorText(
  app: Pick<LiveApp, 'failureOf' | 'hintFor'>,
  id: string | undefined,
  error: unknown,
  isFinal?: boolean,
): string {
  const failure = error instanceof Failure ? error : app.failureOf(error);
  const told = errorText(frameError(failure, app.hintFor?.(failure, noHeaders)));
  const idMember = id === undefined ? '' : `"id":${id},`;
  const finalMember = isFinal === undefined || id === undefined ? '' : `,"final":${isFinal}`;
  return `{"type":"error",${idMember}"error":${told}${finalMember}}`;
}

export function noId(): Failure {
  return new Failure('VALIDATION_ERROR', 'id must be a number or a text of at most 128 characters.');
}

export function idInUse(): Failure {
  return new Failure('VALIDATION_ERROR', 'This id is in use.');
}

export function badToken(reason: CloseReason): Failure {
  const message = reason === 'missing' ? 'Authentication is required.' : 'Invalid or expired token';
  return new Failure('UNAUTHORIZED', message, { details: { reason } });
}

export function noTarget(kind: string, name: string): Failure {
  return new Failure('NOT_FOUND', `There is no ${kind} ${name}.`);
}

export function tooManySubscriptions(limit: number): Failure {
  return new Failure('LIMIT_REACHED', `There may be ${limit} live subscriptions.`, { details: { limit } });
}
