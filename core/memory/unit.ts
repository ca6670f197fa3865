/**
 * A call as one unit of work (design.md 2, server.md 4.4, 15.4): runs it in a session of its own, commits, and runs it again from the start
 * when another unit got in between.
 */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { IdempotencyRecord } from '../accounts/account-store.ts';
import { type CallerKind, type ExecutionContext, runInContext } from '../context.ts';
import { Failure } from '../errors.ts';
import type { Trace } from '../trace/trace.ts';
import { $uncatchable } from '../values/protocol.ts';
import { chain } from './chain.ts';
import type { Key } from './rows.ts';
import type { Runtime, RuntimeSettings } from './runtime.ts';
import { Session } from './session.ts';
import { commitLast } from './session-commit.ts';
import { ConflictError } from './store.ts';

export interface Caller {
  readonly rootId: string;
  readonly userId: string | null;
  readonly kind: CallerKind;
}

export interface UnitOptions {
  /** Aborted: the unit is given up before its commit and `signal.reason` is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Calls `listener` when the call is given up while it runs; gives what stops that. */
  readonly onCancel?: (listener: () => void) => () => void;
  /** False once the call cannot be run again: a byte of its answer is out, its body was consumed. */
  readonly canReplay?: () => boolean;
  /** Id of the node the walker is spawned on. */
  readonly entryId?: string | undefined;
  /** What spans of the unit belong to. */
  readonly trace?: Trace | undefined;
  /** Told before each run, from 1. */
  readonly onAttempt?: (attempt: number) => void;
  /** Gets `data.warnings` of the run that counts. */
  readonly warnings?: string[];
  /**
   * Asked after `work`, before the commit: the finished answer of a call with an idempotency key. It is stored with the unit; a unit that
   * writes nothing does not store it (`AccountStore.finishIdempotency` does).
   */
  readonly answer?: () => IdempotencyRecord | undefined;
  /** Where `on_commit` functions that fail are told. */
  readonly onEffectFailure?: (error: unknown) => void;
}

/**
 * Runs `work` for a caller. What it gives is there when what it changed is durable: at once when nothing waited and nothing was written,
 * else as a promise. Everything is discarded when it fails. `work` may run several times, each time with nothing left of the time before.
 *
 * @throws Failure `WRITE_CONFLICT` when it kept losing against other units; what `work` throws.
 */
export function runUnit<T>(
  runtime: Runtime,
  caller: Caller,
  work: () => MaybePromise<T>,
  options: UnitOptions = {},
): MaybePromise<T> {
  const unit: Unit<T> = { runtime, caller, work, options };
  let first: MaybePromise<T>;
  try {
    first = runOnce(unit, newContext(runtime, caller, options, 1, undefined), undefined);
  } catch (error) {
    return replay(unit, error);
  }
  return first instanceof Promise ? first.catch((error) => replay(unit, error)) : first;
}

interface Unit<T> {
  readonly runtime: Runtime;
  readonly caller: Caller;
  readonly work: () => MaybePromise<T>;
  readonly options: UnitOptions;
}

/** One run from a fresh session to its commit. `turn` ends this unit's turn on contested records. */
function runOnce<T>(unit: Unit<T>, context: ExecutionContext, turn: (() => void) | undefined): MaybePromise<T> {
  const { session } = context;
  const close = (error: unknown): never => {
    session.close();
    throw failedIn(session, error);
  };
  try {
    const done = chain(unit.runtime.store.isSync ? undefined : session.open(), () =>
      chain(runInContext(context, unit.work), (result) => chain(finish(unit, context, turn), () => result)),
    );
    return done instanceof Promise ? done.catch(close) : done;
  } catch (error) {
    return close(error);
  }
}

/** Commits, then runs what waited for the commit. */
function finish<T>(
  { runtime, caller, options }: Unit<T>,
  context: ExecutionContext,
  turn: (() => void) | undefined,
): MaybePromise<void> {
  const { session } = context;
  if (options.signal?.aborted === true) throw options.signal.reason;
  session.onVisible = turn;
  session.answer = options.answer?.();
  // While a replayed unit has its turn on records this one touches, it waits; those that have a turn never do.
  const busy = turn === undefined ? runtime.turns.wait((key) => session.nodes.has(key)) : undefined;
  return chain(
    chain(busy, () => commitLast(session)),
    () => {
      session.close();
      options.warnings?.splice(0, options.warnings.length, ...context.warnings);
      return session.effects.length > 0 ? runEffects(runtime, caller, session, options) : undefined;
    },
  );
}

/** Again from the start, as long as it is a conflict that stands in the way. */
function replay<T>(unit: Unit<T>, error: unknown): MaybePromise<T> {
  if (!(error instanceof ConflictError)) throw error;
  return replayOn(unit, error);
}

async function replayOn<T>(unit: Unit<T>, error: ConflictError): Promise<T> {
  const { runtime, caller, options } = unit;
  const settings = runtime.settings();
  let conflict = error;
  let contested: readonly Key[] = [];
  for (let attempt = 2; ; attempt++) {
    refuseReplay(settings, attempt, options, conflict);
    contested = [...new Set([...contested, ...conflict.keys])];
    await backOff(settings, attempt, conflict);
    const turn = await runtime.turns.take(contested);
    try {
      if (options.signal?.aborted === true) throw options.signal.reason;
      runtime.meters?.replayed();
      return await runOnce(unit, newContext(runtime, caller, options, attempt, turn), turn);
    } catch (again) {
      if (!(again instanceof ConflictError)) throw again;
      conflict = again;
    } finally {
      turn();
    }
  }
}

function newContext(
  runtime: Runtime,
  caller: Caller,
  options: UnitOptions,
  attempt: number,
  turn: (() => void) | undefined,
): ExecutionContext {
  options.onAttempt?.(attempt);
  const warnings: string[] = [];
  const session = new Session(
    runtime,
    { rootId: caller.rootId, kind: caller.kind, pushesConditions: attempt < 3 },
    warnings,
  );
  session.trace = options.trace;
  return {
    runtime,
    session,
    rootId: caller.rootId,
    userId: caller.userId,
    callerKind: caller.kind,
    entryId: options.entryId,
    warnings,
    call: options,
    endTurn: turn,
  };
}

/** A conflict after `commit()` cannot be undone by running again. */
function failedIn(session: Session, error: unknown): unknown {
  if (!(error instanceof ConflictError) || !session.partlyCommitted) return error;
  return conflictFailure(error, { partially_committed: true });
}

function refuseReplay(settings: RuntimeSettings, attempt: number, options: UnitOptions, conflict: ConflictError): void {
  const mayRun =
    settings.onConflict === 'retry' && attempt <= settings.conflictMaxAttempts && options.canReplay?.() !== false;
  if (!mayRun) throw conflictFailure(conflict, undefined);
}

function conflictFailure(cause: ConflictError, details: unknown): Failure {
  const message = 'another call changed the same objects; nothing of this one was stored';
  const options = { headers: { 'Retry-After': '1' }, cause };
  return new Failure('WRITE_CONFLICT', message, details === undefined ? options : { ...options, details });
}

// Inside one process the turn decides who is next; waiting helps against other processes.
async function backOff(settings: RuntimeSettings, attempt: number, conflict: ConflictError): Promise<void> {
  if (!conflict.fromOutside) return;
  const most = Math.min(500, settings.conflictBackoffMs * 2 ** (attempt - 2));
  await new Promise((resolve) => setTimeout(resolve, Math.random() * most));
}

/** `on_commit` functions: after the commit, before the answer, in a unit of their own; a failing one changes nothing. */
async function runEffects(runtime: Runtime, caller: Caller, session: Session, options: UnitOptions): Promise<void> {
  for (const effect of session.effects) {
    try {
      await runUnit(runtime, caller, effect as () => unknown, {});
    } catch (error) {
      if (options.onEffectFailure !== undefined) options.onEffectFailure(error);
      else runtime.warn('a function given to on_commit failed', { error });
    }
  }
}

Object.defineProperty(ConflictError.prototype, $uncatchable, { value: true });
