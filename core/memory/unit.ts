/**
 * A call as one unit of work (docs/architecture.md#unit-of-work, docs/server/programs.md#a-call,
 * docs/server/storage.md#replay): runs it in a session of its own, commits, and runs it again from the start when
 * another unit got in between.
 */
import { backOff } from '../../base/back-off.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { $uncatchable } from '../../library/values/objects/protocol.ts';
import { Failure } from '../errors.ts';
import type { Place } from '../story/teller.ts';
import { chain } from './chain.ts';
import { confirmAssumed } from './confirm-assumed.ts';
import { type CallerKind, type ExecutionContext, runInContext } from './context.ts';
import { LiveSession } from './live-session.ts';
import { createRowCache } from './row-cache.ts';
import type { Key } from './rows.ts';
import type { Runtime, RuntimeSettings } from './runtime.ts';
import type { Session } from './session.ts';
import { commitLast } from './session-commit.ts';
import { openRoot } from './session-rows.ts';
import { ConflictError, type GraphStore } from './store.ts';
import type { UnitOptions } from './unit-options.ts';

export interface Caller {
  readonly rootId: string;
  readonly userId: string | null;
  readonly kind: CallerKind;
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
  const context = newContext(unit, 1, undefined);
  let first: MaybePromise<T>;
  try {
    first = runOnce(unit, context, undefined);
  } catch (error) {
    return replay(unit, error, context.session);
  }
  return first instanceof Promise ? first.catch((error) => replay(unit, error, context.session)) : first;
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
  const close = (error: unknown): MaybePromise<never> =>
    chain(error instanceof ConflictError ? undefined : confirmAssumed(session), () => {
      session.close();
      throw failedIn(session, error);
    });
  try {
    const done = chain(unit.runtime.store.isSync ? undefined : openRoot(session), () =>
      chain(runInContext(context, unit.work), (result) => chain(finish(unit, context, turn), () => result)),
    );
    return done instanceof Promise ? done.catch(close) : done;
  } catch (error) {
    return close(error);
  }
}

/** Commits, then runs what waited for the commit. */
function finish<T>(
  { runtime, options }: Unit<T>,
  context: ExecutionContext,
  turn: (() => void) | undefined,
): MaybePromise<void> {
  const { session } = context;
  if (options.signal?.aborted === true) throw options.signal.reason;
  session.onVisible = turn;
  session.answer = options.answer?.();
  return chain(commitInTurn(runtime, session, turn), () => {
    session.close();
    if (session.discards) return undefined;
    options.warnings?.splice(0, options.warnings.length, ...context.warnings);
    return session.effects.length > 0 ? runEffects(context) : undefined;
  });
}

/** A unit that writes what others are in line for gets in line too, for its commit; those that have a turn never wait. */
function commitInTurn(runtime: Runtime, session: Session, turn: (() => void) | undefined): MaybePromise<void> {
  const place = turn === undefined && session.mayWrite ? runtime.turns.follow((key) => session.holds(key)) : undefined;
  if (place === undefined) return commitLast(session);
  return place.then(async (leave) => {
    session.onVisible = leave;
    try {
      await commitLast(session);
    } finally {
      leave();
    }
  });
}

/** Again from the start, as long as it is a conflict that stands in the way. */
function replay<T>(unit: Unit<T>, error: unknown, before: Session): MaybePromise<T> {
  if (!(error instanceof ConflictError)) throw error;
  return replayOn(unit, error, before);
}

/**
 * Number of the run from which a unit queues for everything it read the time before, not only for the records that got
 * in its way so far.
 */
const greedyAttempt = 4;

/** Number of records on which a lease is taken; above that only on those it lost about. */
const mostLeased = 32;

async function replayOn<T>(unit: Unit<T>, error: ConflictError, before: Session): Promise<T> {
  const { runtime, options } = unit;
  const settings = runtime.settings();
  let conflict = error;
  let last = before;
  let lost: readonly Key[] = [];
  let contested: readonly Key[] = [];
  for (let attempt = 2; ; attempt++) {
    options.trace?.story?.lost(conflict.keys.map((key) => placeBehind(last, key)));
    refuseReplay(settings, attempt, options, conflict);
    if (conflict.fromOutside || conflict.onlyRead) runtime.store.remembered?.drop(conflict.keys);
    const read = attempt >= greedyAttempt ? last.allKeys : [];
    lost = [...new Set([...lost, ...conflict.keys])];
    contested = [...new Set([...contested, ...lost, ...read])];
    await makeWay(settings, attempt, conflict);
    const turn = await runtime.turns.take(contested);
    const held = attempt === settings.conflictMaxAttempts ? runtime.store.snapshot?.() : undefined;
    let endLeases: (() => Promise<void>) | undefined;
    try {
      const leased = contested.length <= mostLeased ? contested : lost;
      endLeases = await runtime.leases?.take(leased, {
        attempt,
        isLeased: conflict.isLeased,
        leaseMs: settings.conflictLeaseMs,
        signal: options.signal,
      });
      if (options.signal?.aborted === true) throw options.signal.reason;
      runtime.meters?.replayed();
      const context = newContext(unit, attempt, turn, held?.store);
      last = context.session;
      return await runOnce(unit, context, turn);
    } catch (again) {
      if (!(again instanceof ConflictError)) throw again;
      conflict = again;
    } finally {
      held?.end();
      turn();
      await endLeases?.();
    }
  }
}

/** A contested record as the story of a call names it. */
function placeBehind(session: Session, key: Key): Place {
  return session.nodes.get(key)?.$row ?? { uid: String(key), type: { name: '' } };
}

/** `store`: read from here instead, and remember nothing of it for others. */
function newContext<T>(
  { runtime, caller, options }: Unit<T>,
  attempt: number,
  turn: (() => void) | undefined,
  store?: GraphStore,
): ExecutionContext {
  options.onAttempt?.(attempt);
  options.trace?.story?.begin(runtime.store.types.size);
  const warnings: string[] = options.notes === undefined ? [] : [...options.notes];
  const reading = store === undefined ? runtime : { ...runtime, store, rows: createRowCache(), catchUp: () => {} };
  const session = new LiveSession(
    reading,
    {
      rootId: caller.rootId,
      kind: caller.kind,
      pushesConditions: attempt < 3,
      discards: options.discards === true,
      isReadOnly: options.isReadOnly === true,
    },
    warnings,
  );
  session.trace = options.trace;
  session.attempt = attempt;
  session.call = options;
  if (attempt === 1) session.assumed = runtime.store.remembered?.begin(session);
  session.rulesFollower = options;
  return {
    runtime: reading,
    session,
    rootId: caller.rootId,
    userId: caller.userId,
    callerKind: caller.kind,
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
    (settings.onConflict === 'retry' || conflict.onlyRead) &&
    attempt <= settings.conflictMaxAttempts &&
    options.canReplay?.() !== false;
  if (!mayRun) throw conflictFailure(conflict, undefined);
}

function conflictFailure(cause: ConflictError, details: unknown): Failure {
  const message = 'another call changed the same objects; nothing of this one was stored';
  const options = { headers: { 'Retry-After': '1' }, cause };
  return new Failure('WRITE_CONFLICT', message, details === undefined ? options : { ...options, details });
}

// Inside one process the turn decides who is next; waiting helps against other processes.
async function makeWay(settings: RuntimeSettings, attempt: number, conflict: ConflictError): Promise<void> {
  if (conflict.fromOutside) await backOff(attempt - 2, { firstMs: settings.conflictBackoffMs, mostMs: 500 });
}

/**
 * `on_commit` functions of what was committed: in order, in units of their own, before the answer; a failing one changes nothing
 * (docs/server/storage.md#commit-points). A replay runs none: they are what a call does to others.
 */
export async function runEffects({
  runtime,
  session,
  rootId,
  userId,
  callerKind,
  call,
}: ExecutionContext): Promise<void> {
  const effects = session.effects;
  session.effects = [];
  if (session.trace?.story?.isReplay) return;
  for (const effect of effects) {
    try {
      const limits = { startedMs: call?.startedMs, endsAtMs: call?.endsAtMs };
      await runUnit(runtime, { rootId, userId, kind: callerKind }, effect as () => unknown, limits);
    } catch (error) {
      if (call?.onEffectFailure !== undefined) call.onEffectFailure(error);
      else runtime.warn('a function given to on_commit failed', { error });
    }
  }
}

Object.defineProperty(ConflictError.prototype, $uncatchable, { value: true });
