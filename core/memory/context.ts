/**
 * The execution context of a call: whose graph it works on and which walk is running (docs/language/walkers.md#spawn,
 * docs/server/storage.md#tiers).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { fillCallScope } from '../../library/call-scope.ts';
import type { Walk } from '../walkers/walk.ts';
import { CallEnded, timeUp, whyToEnd } from './call-ended.ts';
import { fillCompatibility } from './compatibility.ts';
import type { Runtime } from './runtime.ts';
import type { Session } from './session.ts';
import type { UnitOptions } from './unit-options.ts';

export type CallerKind = 'user' | 'guest' | 'system';

export interface ExecutionContext {
  readonly runtime: Runtime;
  /** The unit of work of the call. */
  readonly session: Session;
  readonly rootId: string;
  readonly userId: string | null;
  readonly callerKind: CallerKind;
  /** `data.warnings` of the answer. */
  readonly warnings: string[];
  /** The call behind the unit: the same object through all its runs. Absent outside of calls. */
  readonly call?: UnitOptions;
  /** Values that a function reported outside of every walk: an answer's `data.reports`. Absent before the first. */
  reports?: unknown[] | undefined;
  /** HTTP status that a program set for its answer outside of calls. */
  answerStatus?: number | undefined;
  /** Lets other units go first again, in a replayed unit that is about to wait for long. */
  endTurn?: (() => void) | undefined;
}

/** Value that the asynchronous context carries: the call, and the walk that runs in this branch of it. */
export interface Frame {
  readonly context: ExecutionContext;
  walk: Walk | undefined;
}

const storage = new AsyncLocalStorage<Frame>();
let fallback: (() => Frame) | undefined;
let standing: Frame | undefined;

/** Runs `work` inside a call. */
export function runInContext<T>(context: ExecutionContext, work: () => T): T {
  return storage.run({ context, walk: undefined }, work);
}

/** Runs `work` in the same call with `walk` as the current walk. */
export function runInWalk<T>(context: ExecutionContext, walk: Walk, work: (walk: Walk) => T): T {
  return storage.run({ context, walk }, work, walk);
}

/**
 * The context of code that runs outside every call: a script without `svc`, timers left behind. `make` is asked once, on first use.
 */
export function setStandingContext(make: () => ExecutionContext): void {
  standing = undefined;
  fallback = () => ({ context: make(), walk: undefined });
}

export function currentFrame(): Frame {
  const frame = storage.getStore();
  if (frame !== undefined) return frame;
  if (standing === undefined) {
    if (fallback === undefined) throw new Error('no execution context');
    standing = fallback();
  }
  return standing;
}

export function currentContext(): ExecutionContext {
  return currentFrame().context;
}

export function contextOrNone(): ExecutionContext | undefined {
  return storage.getStore()?.context ?? standing?.context;
}

fillCallScope({
  owner: contextOrNone,
  call: () => contextOrNone()?.call,
  ending: () => whyToEnd(contextOrNone()?.call),
  timeUp: () => timeUp(contextOrNone()?.call),
  tellEnding: (ending) => {
    if (ending instanceof CallEnded) contextOrNone()?.call?.end?.(ending);
  },
  unit() {
    const context = contextOrNone();
    return context?.call === undefined ? undefined : context.session;
  },
  walk: () => currentFrame().walk,
  trace: () => contextOrNone()?.session.trace,
  logged(level, record) {
    const story = contextOrNone()?.session.trace?.story;
    if (story !== undefined) story.log(level.toLowerCase(), record.getMessage());
  },
});

fillCompatibility(() => currentContext().runtime.compatibility);
