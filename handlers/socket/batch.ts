/** Messages that arrive in one turn of the event loop, on whatever connection, are handled together (decisions/0010). */

export interface Worker {
  /** Handles what waits. */
  work(): void;
  /** Sends what was held. */
  flush(): void;
}

export interface Batch {
  /** Makes a connection work at the end of this turn. */
  schedule(worker: Worker): void;
  /** True while frames are held: they leave after the messages have run. */
  readonly isHolding: boolean;
  /** Makes a connection send the frames it holds. */
  hold(worker: Worker): void;
}

/** Frames wait at most about this long for the messages that run after theirs. */
const holdMs = 1;

export function createBatch(): Batch {
  let ready: Worker[] = [];
  let holding: Worker[] = [];
  let isHolding = false;

  function flushAll(): void {
    const workers = holding;
    holding = [];
    for (const worker of workers) worker.flush();
  }

  function workAll(): void {
    const workers = ready;
    ready = [];
    isHolding = true;
    try {
      let heldSince = performance.now();
      for (const worker of workers) {
        worker.work();
        const now = performance.now();
        if (now - heldSince < holdMs) continue;
        flushAll();
        heldSince = now;
      }
    } finally {
      isHolding = false;
      flushAll();
    }
  }

  return {
    schedule(worker) {
      if (ready.push(worker) === 1) setImmediate(workAll);
    },
    get isHolding() {
      return isHolding;
    },
    hold: (worker) => void holding.push(worker),
  };
}
