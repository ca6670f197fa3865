/** Errors that nothing caught, in a process that serves: told and counted, and the process goes on unless it cannot be trusted (decisions/0401). */
import { BrokenState } from '../../core/broken-state.ts';
import { contextOrNone } from '../../core/memory/context.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import { exitCodes } from '../exit-codes.ts';
import { titleOf } from '../uncaught.ts';
import type { ProcessLog } from './open-log.ts';

/** Milliseconds that a process may take to end after its calls were aborted. */
export const endingMs = 5000;

export interface Guard {
  /** Tells and counts what work of the program failed with that nothing waits for. `what`: `Exception in thread Thread-1`. */
  tellProgram(what: string, error: unknown): void;
  /**
   * Makes the process serve from now on, and outlive faults. Before, one of ours ends it, as nobody could tell what is
   * missing.
   */
  serves(meters: Meters | undefined): void;
  /** True once the process has to end; false when `stopped` comes first. It ends within `withinMs` from then on, whatever hangs. */
  isLostBefore(stopped: Promise<unknown>, withinMs: number): Promise<boolean>;
}

/** Takes what nothing else catches, from now to the end of the process. */
export function guardProcess({ log, traces, flush }: ProcessLog): Guard {
  let isServing = false;
  let isLost = false;
  let meters: Meters | undefined;
  let lose = () => {};
  const lost = new Promise<void>((resolve) => {
    lose = resolve;
  });

  const tellProgram = (what: string, error: unknown) => {
    log.error(`${what}: ${titleOf(error, traces)}`, { error });
    meters?.uncaughtError('program', 'nothing_ended');
  };

  function take(error: unknown): void {
    const isOfProgram = traces.frames(error).length > 0;
    const reason = distrust(error);
    // The call may wait for something that will not come now. The call tells the error, with its own ids.
    const isEnded = (reason !== undefined || !isOfProgram) && contextOrNone()?.call?.breakOff?.(error) === true;
    if (reason !== undefined || !(isServing || isOfProgram)) {
      log.fatal(reason ?? 'the server failed while it was starting', { error });
      meters?.uncaughtError('server', 'process_ended');
      flush();
      if (!isServing || isLost) process.exit(exitCodes.failure);
      isLost = true;
      lose();
    } else if (isOfProgram) tellProgram('an error that nothing caught', error);
    else {
      if (!isEnded) log.error('the server failed outside of a call', { error });
      meters?.uncaughtError('server', isEnded ? 'call_ended' : 'nothing_ended');
    }
  }

  process.on('uncaughtException', (error: unknown) => {
    try {
      take(error);
    } catch {
      // Anything can be thrown, also what fails when it is looked at.
      log.error('an error that cannot be shown was not caught');
    }
  });
  return {
    tellProgram,
    serves(given) {
      isServing = true;
      meters = given;
    },
    async isLostBefore(stopped, withinMs) {
      const isOver = await Promise.race([stopped.then(() => false), lost.then(() => true)]);
      if (isOver) setTimeout(() => process.exit(exitCodes.failure), withinMs).unref();
      return isOver;
    },
  };
}

/** Gives the reason why the process cannot be trusted after an error; undefined when it can. */
function distrust(error: unknown): string | undefined {
  if (error instanceof BrokenState) return error.message;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (code === 'ERR_INTERNAL_ASSERTION') return 'Node.js found its own state broken';
  if (code === 'ENOMEM' || code === 'ERR_MEMORY_ALLOCATION_FAILED') return 'there is no memory left';
  if (error instanceof RangeError && message === 'Array buffer allocation failed') return 'there is no memory left';
  return undefined;
}
