/** Looks for changes that nobody told of: by commands on this machine, and by processes without a way to each other. */
import { throwOutside } from '../../base/throw-outside.ts';
import type { GraphStore } from '../memory/store.ts';
import { asReadSet } from './live-reads.ts';
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
  let known: number | undefined;
  let heard = 0;

  async function look(): Promise<void> {
    if (!(await mayHaveChanged())) return;
    let looked = 0;
    for (const { reads, rerun } of [...runs.readers()]) {
      const asked = asReadSet(reads);
      if (asked === undefined || (await store.validate(asked)).length > 0) rerun();
      if (++looked % perTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async function mayHaveChanged(): Promise<boolean> {
    if (!store.isSync) return !isTold;
    const seen = await store.foreignChanges();
    const isNew = known !== undefined && seen !== known;
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
      known = undefined;
      return;
    }
    if (isLooking) return;
    isLooking = true;
    look()
      .catch(() => {}) // the store does not answer: the next look will tell
      .finally(() => {
        isLooking = false;
      })
      .catch(throwOutside);
  }

  return {
    begin() {
      timer ??= setInterval(tick, lookMs).unref();
    },
    close: () => clearInterval(timer),
  };
}
