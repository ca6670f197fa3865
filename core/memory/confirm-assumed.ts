import type { MaybePromise } from '../../base/maybe-promise.ts';
import { chain } from './chain.ts';
import { readSetOf } from './read-set.ts';
import type { Session } from './session.ts';
import { ConflictError } from './store.ts';

/** Before something of a unit goes out that no commit comes before. @throws ConflictError when what it saw is no longer so (`remembered.ts`) */
export function confirmAssumed(session: Session): MaybePromise<void> {
  if (session.assumed?.isSure !== false) return undefined;
  return chain(session.runtime.store.validate(readSetOf(session)), (changed) => {
    if (changed.length > 0) throw new ConflictError(changed, false, true);
  });
}
