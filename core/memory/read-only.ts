import { $uncatchable } from '../../library/values/objects/protocol.ts';
import { Failure } from '../errors.ts';
import type { Session } from './session.ts';

/** Failure of a unit that may only read and wrote (docs/server/live.md#writes). */
class NotReadOnly extends Failure {
  constructor(what: string) {
    super('NOT_READ_ONLY', `A live run may only read, and this one ${what}.`);
  }
}

Object.defineProperty(NotReadOnly.prototype, $uncatchable, { value: true });

export function notReadOnly(what: string): Failure {
  return new NotReadOnly(what);
}

/** @throws Failure `NOT_READ_ONLY` in a read-only unit, which fails with it even where the program catches it. `what`: past tense */
export function requireWritable(session: Session, what: string): void {
  if (!session.isReadOnly) return;
  session.refused ??= notReadOnly(what);
  throw session.refused;
}
