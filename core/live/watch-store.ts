/** Looks for changes that nobody told of: by commands on this machine, and by processes without a way to each other. */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { throwOutside } from '../../base/throw-outside.ts';
import type { GraphStore } from '../memory/store.ts';
import { asReadSet, type LiveReads } from './live-reads.ts';
import type { LiveRuns } from './live-runs.ts';

const lookMs = 1000;

export interface StoreWatch {
  /** There are runs. */
  begin(): void;
  close(): void;
}

/** Runs whose reads are looked at in one turn. */
const perTurn = 50;

/**
 * `isTold`: other processes tell their commits, so that only a store that counts foreign changes is looked at, and only while nothing was
 * told. The store is asked once a second whether what each run read is as it was.
 */
export function watchStore(store: GraphStore, runs: LiveRuns, isTold: boolean): StoreWatch {
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  /** Count of foreign changes that all runs have seen, or will: it is read before they begin. */
  let known: MaybePromise<number> | undefined;
  let heard = 0;

  async function look(): Promise<void> {
    if (!(await mayHaveChanged())) return;
    let looked = 0;
    for (const { reads, rerun } of [...runs.readers()]) {
      if (await mayBeOld(reads)) rerun();
      if (++looked % perTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Tells whether reads are not as they were. A run under way counts as old where the store counts changes: it would not say it again. */
  async function mayBeOld(reads: LiveReads | undefined): Promise<boolean> {
    if (reads === undefined) return store.isSync;
    const asked = asReadSet(reads);
    return asked === undefined || (await store.validate(asked)).length > 0;
  }

  async function mayHaveChanged(): Promise<boolean> {
    if (!store.isSync) return !isTold;
    const before = await known;
    known = undefined; // until it is known again, a store that does not answer may have changed
    const seen = await store.foreignChanges();
    const isNew = seen !== before;
    const { heardCount } = runs;
    const wasTold = heardCount !== heard;
    known = seen;
    heard = heardCount;
    return isNew && !wasTold;
  }

  function tick(): void {
    if (runs.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    if (isLooking) return;
    isLooking = true;
    look()
      .catch(() => {
        known = undefined; // the store does not answer: the next look will tell
      })
      .finally(() => {
        isLooking = false;
      })
      .catch(throwOutside);
  }

  return {
    begin() {
      if (timer !== undefined) return;
      timer = setInterval(tick, lookMs).unref();
      try {
        if (store.isSync) known = store.foreignChanges();
      } catch {
        known = undefined; // the store does not answer: the first look will tell
      }
    },
    close: () => clearInterval(timer),
  };
}
