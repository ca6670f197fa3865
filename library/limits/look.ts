/**
 * Ends code that neither waits nor returns, and lets other calls run (docs/server/errors.md#endless-calls,
 * decisions/0405). Generated loops and functions that may call themselves, and loops of the runtime that go through
 * what a program gives, ask the global variable `$due` each time round:
 * `if ($due) $.look();`. As long as nobody sets it, optimised code holds no trace of the question. Code that can wait asks `isLong` instead.
 */
import { callScope, type ScopeCall } from '../call-scope.ts';
import { MemoryError } from '../values/objects/exceptions.ts';
import { beginGrowth, type Growth, isTooMuch } from './memory.ts';

declare global {
  /** 1: whoever runs should look at the clock. A variable of the process: that is what makes the question free. */
  var $due: 0 | 1;
}

if (typeof $due === 'undefined') Object.defineProperty(globalThis, '$due', { value: 0, writable: true });

/** After this long of computing other calls get a turn. */
const turnMs = 8;
/** The clock is read every so many times round. */
const stepsPerLook = 64;
/** Number of times that an ended call may go on in `finally` for as long as nobody sets `$due` again. */
const mostReprieves = 2;

interface Demand {
  readonly call: ScopeCall | undefined;
  readonly ending: () => unknown;
}

let isServing = false;
/** Calls that have begun and not ended. */
let open = 0;
let onBegin: (() => void) | undefined;
let steps = 0;
let turnStartMs = 0;
let givenUp = 0;
let demanded: Demand | undefined;
const growths = new WeakMap<ScopeCall, Growth>();
let looks = 0;

/** A call begins: from now on code that waits gives others their turn. */
export function beginCall(nowMs: number): void {
  isServing = true;
  turnStartMs = nowMs;
  open++;
  if (onBegin !== undefined) wake();
}

export function endCall(): void {
  open--;
}

export function callsOpen(): number {
  return open;
}

/** Calls `listener` when the next call begins. */
export function atNextCall(listener: (() => void) | undefined): void {
  onBegin = listener;
}

function wake(): void {
  const listener = onBegin;
  onBegin = undefined;
  listener?.();
}

/** Says how many more calls (or fewer) were given up and have not ended yet. */
export function countGivenUp(change: 1 | -1): void {
  givenUp += change;
}

/**
 * Makes the running code look at the clock the next time round; `ending` gives the error that ends it whatever the
 * clock says.
 */
export function askToLook(ending: () => unknown): void {
  demanded = { call: callScope.call(), ending };
  globalThis.$due = 1;
}

/** `walker Spin`, for the log. */
export function whatRuns(): string {
  return callScope.call()?.title ?? 'code outside of calls';
}

/** Withdraws the demand when nothing runs any more that should look. */
export function forgetToLook(): void {
  demanded = undefined;
  if ($due !== 0) globalThis.$due = 0;
}

/** Gives the number of looks at the clock so far. */
export function looksTaken(): number {
  return looks;
}

/** Looks at the clock. @throws CallEnded when the call's time is up; why it was given up; what was demanded */
export function look(): void {
  looks++;
  globalThis.$due = 0;
  const call = callScope.call();
  const demand = demanded;
  demanded = undefined;
  const ending = callScope.ending() ?? (demand?.call === call ? demand?.ending() : undefined);
  if (ending === undefined) return;
  if (call !== undefined && isSpent(call)) globalThis.$due = 1;
  // Waiters for the running code are told now, whatever a `finally` on the way does.
  callScope.tellEnding(ending);
  throw ending;
}

/** Should code that can wait `rest`? */
export function isLong(): boolean {
  steps = (steps + 1) & (stepsPerLook - 1);
  if (steps !== 0 && $due === 0) return false;
  return isServing && ($due !== 0 || givenUp > 0 || performance.now() - turnStartMs > turnMs);
}

/** Lets others run, then goes on. Rejects like `look` throws. */
export async function rest(): Promise<void> {
  look();
  if (performance.now() - turnStartMs <= turnMs) return;
  const call = callScope.call();
  if (call !== undefined) {
    refuseGrowth(call);
    call.resting = true;
  }
  await new Promise((resolve) => setImmediate(resolve));
  if (call !== undefined) call.resting = false;
  turnStartMs = performance.now();
  look();
}

/** @throws MemoryError when the call has taken too much since it rested for the first time */
function refuseGrowth(call: ScopeCall): void {
  let growth = growths.get(call);
  if (growth === undefined) growths.set(call, (growth = beginGrowth()));
  if (isTooMuch(growth)) throw new MemoryError();
}

/** Gives the milliseconds that the running call has left, at least 1; undefined where there is no limit. */
export function remainingMs(): number | undefined {
  const endsAtMs = callScope.call()?.endsAtMs;
  return endsAtMs === undefined || endsAtMs === Number.POSITIVE_INFINITY
    ? undefined
    : Math.max(1, Math.ceil(endsAtMs - performance.now()));
}

const reprieves = new WeakMap<ScopeCall, number>();

/** A `finally` that computes without end is ended too, and from the third time on everything after it at once. */
function isSpent(call: ScopeCall): boolean {
  const count = (reprieves.get(call) ?? 0) + 1;
  reprieves.set(call, count);
  return count > mostReprieves;
}
