import type { Session } from '../../../core/memory/session.ts';
import type { Replayed, Replayer } from '../protocol.ts';
import type { Call } from './calls.ts';

/**
 * A recorded call that runs again under the debugger. A replay does the same each time, so walking back to a statement is running it again as far
 * as that statement: a run that is left behind goes on to its end, and nothing stops in it.
 */
export interface Replays {
  readonly isOn: boolean;
  /** A run is left behind, or has not arrived yet. */
  readonly isPassing: boolean;
  /** Begins the replay of a call; false when there is no such call. */
  begin(id: string): boolean;
  /** Ends the present run where it is and goes back, to the statement before or to the first. False: there is no replay. */
  back(to: 'before' | 'first'): boolean;
  /** Sees each statement: `pass` where nothing may stop, `arrived` at the statement that somebody went back to. */
  see(call: Call): 'pass' | 'arrived' | undefined;
  end(): void;
}

interface Run {
  readonly again: () => Promise<Replayed>;
  /** Number of the statement that runs, from 1. */
  count: number;
  /** Number of the statement to arrive at. */
  goal: number | undefined;
  /** This run is left behind. */
  isLeft: boolean;
}

export function createReplays(replayer: Replayer | undefined, tell: (replayed: Replayed) => void): Replays {
  let run: Run | undefined;

  function start(begun: Run): void {
    run = begun;
    // The debugger waits for an answer first.
    setImmediate(() => {
      begun.again().then(
        (replayed) => over(begun, replayed),
        (error) => over(begun, { same: false, text: `${error instanceof Error ? error.message : String(error)}\n` }),
      );
    });
  }

  function over(ended: Run, replayed: Replayed): void {
    if (run !== ended) return;
    if (ended.isLeft) start({ again: ended.again, count: 0, goal: ended.goal, isLeft: false });
    else {
      run = undefined;
      tell(replayed);
    }
  }

  return {
    get isOn() {
      return run !== undefined;
    },
    get isPassing() {
      return run !== undefined && (run.isLeft || run.goal !== undefined);
    },
    begin(id) {
      const again = replayer?.(id);
      if (again === undefined) return false;
      start({ again, count: 0, goal: 1, isLeft: false });
      return true;
    },
    back(to) {
      if (run === undefined) return false;
      run.goal = to === 'first' ? 1 : Math.max(1, run.count - 1);
      run.isLeft = true;
      return true;
    },
    see(call) {
      if (run === undefined || !isOfReplay(call))
        return run?.isLeft === true || run?.goal !== undefined ? 'pass' : undefined;
      if (run.isLeft) return 'pass';
      run.count += 1;
      if (run.goal === undefined) return undefined;
      if (run.count < run.goal) return 'pass';
      run.goal = undefined;
      return 'arrived';
    },
    end() {
      run = undefined;
    },
  };
}

function isOfReplay({ unit }: Call): boolean {
  return (unit as { session?: Session } | undefined)?.session?.trace?.story?.isReplay === true;
}
