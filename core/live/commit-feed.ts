/** Commits of this process as notices, those of one turn of the event loop together. Follows the log only while somebody listens. */
import type { Draft } from '../memory/session-draft.ts';
import type { CommitLog } from '../memory/store.ts';
import { type Notice, noticeOf, noticeOfKept } from './notice.ts';
import { touchedTypes } from './touched-types.ts';

/** Gets the notices of a turn and when the first was noticed (`performance.now()`); undefined when some were lost. */
export type FeedListener = (notices: readonly Notice[] | undefined, sinceMs: number) => void;

export interface CommitFeed {
  /** Gives what ends it. */
  listen(listener: FeedListener): () => void;
  /** Tells now what was committed since the last look. Not to be called inside a transaction. */
  look(): void;
}

/** `countsLinks`: see `noticeOf`. */
export function createCommitFeed(log: CommitLog, countsLinks: boolean): CommitFeed {
  const listeners = new Set<FeedListener>();
  let isWoken = false;
  let sinceMs = 0;
  let position = 0;
  let kept: string[] = [];

  // An entry is told inside the transaction, which may still be undone: it is read when the turn is over.
  function wake(): void {
    if (isWoken) return;
    isWoken = true;
    sinceMs = performance.now();
    setImmediate(look);
  }

  function look(): void {
    if (!isWoken) return;
    isWoken = false;
    const entries = log.after(position);
    position = log.position;
    const notices = entries?.map((entry) => noticeOf(entry, countsLinks));
    if (kept.length > 0) notices?.push(noticeOfKept(kept));
    kept = [];
    if (notices?.length === 0) return;
    for (const listener of listeners) listener(notices, sinceMs);
  }

  return {
    look,
    listen(listener) {
      if (listeners.size === 0) {
        position = log.position;
        log.follower = {
          appended: wake,
          touched: (draft, topos) => touchedTypes(draft as Draft, topos),
          kept(names) {
            kept.push(...names);
            wake();
          },
        };
      }
      listeners.add(listener);
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        log.follower = undefined;
        kept = [];
      };
    },
  };
}
