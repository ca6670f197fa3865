/** Checks of what a unit assumed (`remembered.ts`). */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Node } from '../graph/objects.ts';
import { chain } from './chain.ts';
import { readSetOf } from './read-set.ts';
import type { LinkList } from './rows.ts';
import type { Session } from './session.ts';
import { ConflictError } from './store.ts';

/** Takes what the hop found of its origins for what was assumed of them. @throws ConflictError when one has changed */
export function confirmOrigins(session: Session, stored: readonly Node[], lists: readonly LinkList[]): void {
  for (let i = 0; i < stored.length; i++) {
    const { key } = stored[i]!.$row;
    const assumed = session.assumed.get(key);
    if (assumed !== undefined && !session.remembered!.confirm(session, assumed, stored[i]!, lists[i]!.origin))
      throw new ConflictError([key], true, true);
  }
}

/** Before something of a unit goes out that no commit comes before. @throws ConflictError when what it saw is no longer so */
export function confirmAssumed(session: Session): MaybePromise<void> {
  if (session.unsure === 0) return undefined;
  return chain(session.runtime.store.validate(readSetOf(session)), (changed) => {
    if (changed.length > 0) throw new ConflictError(changed, false, true);
  });
}
