import { createLine } from '../../base/line.ts';

/** State of an application: whether it takes calls, and which are still running (docs/server/commands.md#shutdown). */
export interface Lifecycle {
  /** `draining`: readiness says no, calls are still served. `stopped`: new calls are refused. */
  readonly state: 'ready' | 'draining' | 'stopped';
  /** Calls whose answer is not complete. */
  readonly running: number;
  drain(): void;
  stop(): void;
  /** True when nothing runs any more, false when something still does after `timeoutMs`. */
  settled(timeoutMs: number): Promise<boolean>;
  /** Aborts what is running; resolves when it has ended. */
  abort(): Promise<void>;
  /** Takes note of a call that did not end at once; gives what to call when it has. */
  enter(): () => void;
  /** Calls `cancel` when running calls are aborted; gives what to call when there is nothing to cancel any more. */
  onAbort(cancel: () => void): () => void;
}

const abortGraceMs = 1000;

export function createLifecycle(): Lifecycle {
  let state: Lifecycle['state'] = 'ready';
  let running = 0;
  const cancels = createLine<() => void>();
  let whenIdle: (() => void)[] = [];

  const settled = (timeoutMs: number) => {
    if (running === 0) return Promise.resolve(true);
    return new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), timeoutMs);
      whenIdle.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  };

  return {
    get state() {
      return state;
    },
    get running() {
      return running;
    },
    drain() {
      if (state === 'ready') state = 'draining';
    },
    stop() {
      state = 'stopped';
    },
    settled,
    async abort() {
      for (const cancel of cancels.values()) cancel();
      await settled(abortGraceMs);
    },
    enter() {
      running++;
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        if (--running > 0) return;
        for (const done of whenIdle) done();
        whenIdle = [];
      };
    },
    onAbort(cancel) {
      const place = cancels.add(cancel);
      return () => cancels.remove(place);
    },
  };
}
