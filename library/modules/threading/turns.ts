/** Waiting in line: what locks, conditions and queues are made of. Nothing here holds up the event loop. */
import { real } from '../../builtins/real.ts';

export interface Line {
  readonly length: number;
  /** Waits for `wakeOne` (true) or until the time is over (false). */
  wait(timeoutMs: number | undefined): Promise<boolean>;
  /** Lets the first one go on; false when nobody waits. */
  wakeOne(): boolean;
}

export function makeLine(): Line {
  const waiting: ((woken: boolean) => void)[] = [];
  return {
    get length() {
      return waiting.length;
    },
    wait: (timeoutMs) =>
      new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        const go = (woken: boolean) => {
          clearTimeout(timer);
          resolve(woken);
        };
        waiting.push(go);
        if (timeoutMs === undefined) return;
        timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(go), 1);
          go(false);
        }, timeoutMs);
      }),
    wakeOne: () => {
      const go = waiting.shift();
      go?.(true);
      return go !== undefined;
    },
  };
}

/** A timeout argument in milliseconds; None, absent and −1 wait without end. */
export function timeoutMsOf(timeout: unknown): number | undefined {
  if (timeout === undefined || timeout === null) return undefined;
  const seconds = real(timeout);
  return seconds < 0 ? undefined : Math.min(seconds * 1000, 2_147_483_647);
}
