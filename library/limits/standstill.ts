/**
 * Standstill of a program between calls, as on platforms that give an instance the processor only while calls last: work that a call has left
 * behind goes on, at its next `await`, when another call comes.
 */
import { callScope } from '../call-scope.ts';
import { setGate } from '../values/calls/awaitable.ts';

export interface Standstill {
  /** Tells how many calls the instance has. */
  busy(calls: number): void;
  /** Ends it for good: an instance that is to end has the processor again. */
  end(): void;
}

/** Begins it, for the whole process. `onStill`: called each time work is held. */
export function beginStandstill(onStill: () => void): Standstill {
  let isStill = true;
  let waiting: (() => void)[] = [];
  const moving = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  const go = () => {
    isStill = false;
    const released = waiting;
    waiting = [];
    for (const one of released) one();
  };
  const hold = async () => {
    if (!isStill) return;
    onStill();
    // Another call may have come and gone before this one is its turn.
    while (isStill) await moving();
  };
  setGate(async (waited) => {
    try {
      return await waited;
    } finally {
      if (isStill && isLeftBehind()) await hold();
    }
  });
  return {
    busy(calls) {
      if (calls === 0) isStill = true;
      else if (isStill) go();
    },
    end() {
      setGate(undefined);
      go();
    },
  };
}

/** True outside of calls, and in what a call that has ended began. */
function isLeftBehind(): boolean {
  return callScope.unit()?.closed !== false;
}
