import { $uncatchable } from '../../library/values/objects/protocol.ts';
import { Failure } from '../errors.ts';

/** Failure of a unit that may only read and wrote (docs/server/live.md#writes). */
class NotReadOnly extends Failure {
  constructor(what: string) {
    super('NOT_READ_ONLY', `A live run may only read, and this one ${what}.`);
  }
}

Object.defineProperty(NotReadOnly.prototype, $uncatchable, { value: true });

/** A unit of work as far as it may write. `Session` is one. */
export interface Writable {
  isReadOnly: boolean;
  refused: Failure | undefined;
}

/** Runs `work` while the unit may only read. @throws Failure `NOT_READ_ONLY` where it wrote; the unit itself goes on as before */
export function onlyReading<T>(unit: Writable, work: () => T): T {
  const { isReadOnly, refused } = unit;
  unit.isReadOnly = true;
  unit.refused = undefined;
  try {
    const found = work();
    if (unit.refused !== undefined) throw unit.refused;
    return found;
  } finally {
    unit.isReadOnly = isReadOnly;
    unit.refused = refused;
  }
}

/** Did a unit refuse to write with this error? */
export function isWriteRefused(error: unknown): boolean {
  return error instanceof NotReadOnly;
}

export function notReadOnly(what: string): Failure {
  return new NotReadOnly(what);
}

/** @throws Failure `NOT_READ_ONLY` in a read-only unit, which fails with it even where the program catches it. `what`: past tense */
export function requireWritable(unit: Writable, what: string): void {
  if (!unit.isReadOnly) return;
  unit.refused ??= notReadOnly(what);
  throw unit.refused;
}
