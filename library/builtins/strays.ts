/**
 * Work of a program that nothing waits for: callbacks, timers, threads, tasks, finalizers. What it fails with is told and ends nothing, as in Python
 * (docs/server/commands.md#uncaught-errors).
 */
import { callScope } from '../call-scope.ts';
import { exceptionReport, writeTo } from '../modules/traceback.ts';
import { toException } from '../values/calls/raise.ts';
import { output } from './output.ts';
import { type Stray, strayTeller } from './stray-teller.ts';

/** Writes what CPython writes to standard error. */
function writeStray({ what, detail, error }: Stray): void {
  writeTo(undefined, `${what}${detail === undefined ? '' : `\n${detail}`}\n${exceptionReport(error).join('')}`);
}

/** Tells what unwatched work failed with. Never throws. */
export function tellStray(what: string, error: unknown, detail?: string): void {
  try {
    const tell = strayTeller() ?? writeStray;
    tell({ what, detail, error: toException(error) });
  } catch {
    // The program's own stream, or the text of its exception, may fail as well.
    output().err(`${what}\n`);
  }
}

/** Runs work that nothing waits for, also what of it comes later. Never throws. */
export function runUnwatched(what: () => string, work: () => unknown): void {
  try {
    const result = work();
    if (result instanceof Promise) result.catch((error) => tellStray(what(), error));
  } catch (error) {
    tellStray(what(), error);
  }
}

/** Milliseconds between two looks whether the call that may still ask for a failure has ended. */
const lookMs = 500;

/** Failure of a task that nobody has asked for yet. Whoever asks for it sets `asked.is`. */
export interface Unasked {
  readonly what: string;
  readonly detail?: string;
  readonly error: unknown;
  readonly asked: { is: boolean };
}

/** Tells a failure once, unless somebody has asked for it. */
export function tellUnasked({ what, detail, error, asked }: Unasked): void {
  if (asked.is) return;
  asked.is = true;
  tellStray(what, error, detail);
}

/** Tells a failure when nobody has asked for it by the end of the call it happened in; outside of calls, after a moment. */
export function tellWhenCallEnds(unasked: Unasked): void {
  const unit = callScope.unit();
  const look = () => {
    if (unasked.asked.is) return;
    if (unit?.closed === false) wait();
    else tellUnasked(unasked);
  };
  const wait = () => void setTimeout(look, lookMs).unref();
  wait();
}
