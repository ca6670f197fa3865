import { closeSync } from 'node:fs';
import { url as debuggerUrl } from 'node:inspector';
import type { Log } from '../../core/log/log.ts';
import type { StackReader } from '../../core/log/read-error.ts';
import { CallEnded } from '../../core/memory/call-ended.ts';
import { contextOrNone } from '../../core/memory/context.ts';
import { isInBounded } from '../../library/limits/bounded.ts';
import { askToLook, forgetToLook, looksTaken, whatRuns } from '../../library/limits/look.ts';
import { beginGrowth, clearGrowth, isTooMuch } from '../../library/limits/memory.ts';
import { MemoryError } from '../../library/values/objects/exceptions.ts';
import type { MainSide } from './watchdog-thread.ts';

export interface MainSideParts {
  readonly log: Log;
  readonly flush: () => void;
  /** Calls of the program in the stack of an error, innermost first. */
  readonly frames: StackReader['frames'];
  readonly limits: () => WatchdogLimits;
  /** The process is somebody else's: it is never ended, and what runs outside of calls is none of ours. */
  readonly isGuest?: boolean;
}

export interface WatchdogLimits {
  /** Longest time limit of any call; for what has none of its own, too. */
  readonly longestMs: number;
  /** Milliseconds that running calls get when the process is told to end. */
  readonly drainMs: number;
}

/** Milliseconds within which running code has to look at the clock after it was asked to. */
const graceMs = 700;
const exitCode = 1;

/** Answers the watching thread. `beat` is to be called each time round the event loop. */
export function createMainSide({ log, flush, frames, limits, isGuest = false }: MainSideParts) {
  let growth = beginGrowth();
  let asked: { readonly atMs: number; readonly looks: number } | undefined;
  let hasAborted = false;
  let hasGivenUp = false;

  function reasonToEnd(silentMs: number, signalledMs: number): 'time' | 'shutdown' | 'memory' | undefined {
    const call = contextOrNone()?.call;
    if (call === undefined && isGuest) return undefined;
    const endsAtMs = call?.endsAtMs;
    const { longestMs, drainMs } = limits();
    const overdueMs = endsAtMs === undefined ? silentMs - longestMs : performance.now() - endsAtMs;
    if (overdueMs >= 0 || call?.signal?.aborted === true) return 'time';
    if (endsAtMs === Number.POSITIVE_INFINITY) return undefined;
    if (signalledMs >= drainMs) return 'shutdown';
    return isTooMuch(growth) ? 'memory' : undefined;
  }

  const side: MainSide & { beat(): void; readonly hasAborted: boolean } = {
    get hasAborted() {
      return hasAborted;
    },
    beat() {
      asked = undefined;
      hasGivenUp = false;
      forgetToLook();
      clearGrowth();
      growth = beginGrowth();
    },
    check(silentMs, signalledMs) {
      // The call has begun since the question was asked.
      if (isInBounded()) return;
      const reason = reasonToEnd(silentMs, signalledMs);
      if (reason === undefined) return;
      const looks = looksTaken();
      if (asked !== undefined && asked.looks === looks && performance.now() - asked.atMs > graceMs) {
        // At a breakpoint nothing looks at clocks.
        if (debuggerUrl() === undefined) giveUp();
        return;
      }
      if (asked === undefined || asked.looks !== looks) asked = { atMs: performance.now(), looks };
      const ranMs = silentMs;
      if (reason === 'memory') askToLook(() => new MemoryError());
      else if (reason === 'shutdown') {
        hasAborted = true;
        askToLook(() => new CallEnded(ranMs, { isShutdown: true }));
      } else askToLook(() => new CallEnded(ranMs));
    },
    quit(exitCode) {
      flush();
      // Node would tell on standard error that a debugger is connected, which the watching thread is.
      closeSync(2);
      process.exit(exitCode);
    },
  };

  /**
   * Ends the process when the running code does not look at the clock: it was not generated, and there is no way to end
   * that alone.
   */
  function giveUp(): void {
    if (hasGivenUp) return;
    hasGivenUp = true;
    const running = new CallEnded(undefined);
    const [frame] = frames(running);
    const where = frame === undefined ? '' : `, at ${frame.file}:${frame.line}`;
    if (isGuest) {
      log.error(`${whatRuns()} cannot be ended${where}: the process does nothing else until it returns`, {
        error: running,
      });
      return;
    }
    log.fatal(`${whatRuns()} cannot be ended${where}: the process ends`, { error: running });
    side.quit(exitCode);
  }

  return side;
}
