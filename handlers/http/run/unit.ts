/**
 * Third step of a call: the unit of work it runs in, its time limit, its replays, and the stream it may turn into.
 * Called by `answer.ts` and, for messages of sockets, by `handlers/socket/run-message.ts`. Next, in each attempt: `Work.run`, which ends
 * in `call.ts`; then `Work.reply` of the caller, once the unit is committed.
 */

import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { timed } from '../../../base/timed.ts';
import type { IdempotencyRecord } from '../../../core/accounts/account-store.ts';
import { Failure } from '../../../core/errors.ts';
import type { GraphObject } from '../../../core/graph/objects.ts';
import { CallEnded } from '../../../core/memory/call-ended.ts';
import { currentContext } from '../../../core/memory/context.ts';
import type { Session } from '../../../core/memory/session.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import type { UnitOptions } from '../../../core/memory/unit-options.ts';
import type { IncomingRequest } from '../../../core/program/request-message.ts';
import type { Membership } from '../../../core/topics/topics.ts';
import { inSpan, type Trace } from '../../../core/trace/trace.ts';
import { beginCall, countGivenUp, endCall } from '../../../library/limits/look.ts';
import type { Deadline } from './deadlines.ts';
import { createEventStream, type EventStream, PeerGone, type ValueSink } from './event-stream.ts';
import type { RunRequest, UnitControl, UnitParts, Work } from './types.ts';

/** Runs a call to its reply. Throws or rejects with the failure to answer with. */
export function runInUnit<T, R, E>(request: RunRequest, work: Work<T, R, E>, parts: UnitParts): MaybePromise<R> {
  parts.stories?.open(request, parts);
  const call = new CallInUnit(request, work, parts);
  let outcome: MaybePromise<T | undefined>;
  try {
    outcome = runUnit(parts.runtime, request.exchange.caller!, () => call.attemptOnce(), call);
  } catch (error) {
    call.over();
    throw call.failure(error);
  }
  if (outcome instanceof Promise) return call.wait(outcome);
  call.over();
  return work.reply(request, outcome as T, call.warnings);
}

/** State of one call while it runs: what core's unit asks (`UnitOptions`) and what the run asks (`UnitControl`). */
class CallInUnit<T, R, E> implements UnitOptions, UnitControl {
  attempt = 0;
  readonly warnings: string[] = [];
  readonly startedMs = performance.now();
  resting = false;
  private isOver = false;
  private progressMs = this.startedMs;
  private readonly request: RunRequest;
  private readonly work: Work<T, R, E>;
  private readonly parts: UnitParts;
  private session: Session | undefined = undefined;
  private stream: EventStream<E> | undefined = undefined;
  private isSent = false;
  private deadline: Deadline | undefined = undefined;
  private settle: { resolve(reply: R): void; reject(error: unknown): void } | undefined = undefined;
  private cancelled: { readonly reason: unknown } | undefined = undefined;
  private cancelListeners: Set<() => void> | undefined = undefined;

  constructor(request: RunRequest, work: Work<T, R, E>, parts: UnitParts) {
    this.request = request;
    this.work = work;
    this.parts = parts;
    beginCall(this.startedMs);
  }

  // ---- what the unit asks

  attemptOnce(): MaybePromise<T | undefined> {
    if (this.request.claim !== undefined) this.session = currentContext().session;
    const { exchange, target } = this.request;
    if (exchange.trace?.isExported !== true) return this.runMeasured();
    const attributes = { 'svc.target': target.name, 'svc.attempt': this.attempt };
    return inSpan(exchange.trace, [`${target.kind} ${target.name}`, 'internal'], attributes, () => this.runMeasured());
  }

  private runMeasured(): MaybePromise<T | undefined> {
    const { meters } = this.parts;
    const { target } = this.request;
    if (meters?.walkerRan === undefined || target.kind !== 'walker') return this.work.run(this.request, this);
    return timed(
      () => this.work.run(this.request, this),
      (isSuccess, seconds) => meters.walkerRan!(target.name, isSuccess, seconds),
    );
  }

  /** Work that the call started and left behind has no time limit of its own. */
  over(): void {
    this.isOver = true;
    endCall();
  }

  get title(): string {
    const { exchange, target } = this.request;
    return `${target.kind} ${target.name} (request ${exchange.requestId})`;
  }

  get endsAtMs(): number | undefined {
    return this.isOver ? undefined : this.progressMs + this.parts.deadlines.timeoutMs;
  }

  end(ending: CallEnded): void {
    this.cancel(ending);
  }

  get trace(): Trace | undefined {
    return this.request.exchange.trace;
  }

  get membership(): Membership | undefined {
    const { call } = this.request.exchange;
    return call.membership === undefined ? this.parts.openTopics?.(this.request) : call.membership();
  }

  get incoming(): IncomingRequest {
    const { call, body } = this.request.exchange;
    const { method, path, query } = call;
    return { method, path, query, headers: () => call.headers(), body };
  }

  get isReadOnly(): boolean | undefined {
    return this.request.isReadOnly;
  }

  get notes(): readonly string[] | undefined {
    return this.request.notes;
  }

  onAttempt(attempt: number): void {
    this.attempt = attempt;
    this.request.exchange.attempts = attempt;
    this.request.exchange.answerStatus = undefined;
  }

  get answerStatus(): number | undefined {
    return this.request.exchange.answerStatus;
  }

  set answerStatus(status: number | undefined) {
    this.request.exchange.answerStatus = status;
  }

  canReplay(): boolean {
    return !this.isSent && this.cancelled === undefined;
  }

  answer(): IdempotencyRecord | undefined {
    const { claim } = this.request;
    if (claim === undefined) return undefined;
    const { created, joined, dirty, removedNodes, removedEdges } = this.session!;
    claim.isCarried = created.length + joined.length + dirty.length + removedNodes.length + removedEdges.length > 0;
    return claim.record();
  }

  onRulesChanged(objects: ReadonlySet<GraphObject>): void {
    this.parts.rulesChanged?.(this.request.exchange, objects);
  }

  onEffectFailure(error: unknown): void {
    const { exchange, target } = this.request;
    this.parts.warn('a function given to on_commit failed', {
      request_id: exchange.requestId,
      target: target.name,
      error,
    });
  }

  breakOff(error: unknown): boolean {
    if (this.settle === undefined || this.isOver || this.cancelled !== undefined) return false;
    this.cancel(this.parts.failureOf(error, this.request.exchange));
    return true;
  }

  /** Signal of the call: an object in place of an AbortSignal, which costs more to make than many calls take. */
  get signal(): AbortSignal | undefined {
    const { cancelled } = this;
    return cancelled === undefined ? undefined : ({ aborted: true, reason: cancelled.reason } as AbortSignal);
  }

  onCancel(listener: () => void): () => void {
    this.cancelListeners ??= new Set();
    this.cancelListeners.add(listener);
    return () => this.cancelListeners!.delete(listener);
  }

  // ---- what the run asks

  openStream(): ValueSink {
    this.stream ??= createEventStream({
      onFirst: () => {
        this.isSent = true;
        this.settle?.resolve(this.streamReply());
      },
      onCancel: () => this.cancel(new PeerGone()),
      events: this.work.events,
    });
    return this.stream;
  }

  progress(): void {
    this.progressMs = performance.now();
    this.deadline?.touch();
  }

  // ---- a call that did not end at once

  wait(outcome: Promise<T | undefined>): Promise<R> {
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      if (this.isSent) resolve(this.streamReply());
      const { lifecycle, deadlines } = this.parts;
      this.deadline = deadlines.open(() => this.expire());
      const leave = lifecycle.onAbort(() => this.cancel(shuttingDown()));
      const forget = this.request.exchange.call.onGone((why) => this.cancel(why ?? new PeerGone()));
      const close = () => {
        this.over();
        if (this.cancelled !== undefined) countGivenUp(-1);
        this.deadline?.close();
        leave();
        forget();
      };
      outcome.then(
        (value) => {
          close();
          this.finish(value);
        },
        (error) => {
          close();
          if (this.cancelled === undefined || !(error instanceof CallEnded)) this.fail(error);
        },
      );
      if (this.cancelled !== undefined) this.giveUp(this.cancelled.reason);
    });
  }

  /** The failure an error stands for. */
  failure(error: unknown): Failure {
    if (error instanceof PeerGone) return new Failure('BAD_REQUEST', 'The client went away.');
    return this.parts.failureOf(error, this.request.exchange, this.request.target);
  }

  private finish(value: T | undefined): void {
    if (this.stream !== undefined) {
      this.stream.end(this.work.events.end);
      return;
    }
    if (this.cancelled !== undefined) return;
    try {
      this.settle!.resolve(this.work.reply(this.request, value as T, this.warnings));
    } catch (error) {
      this.settle!.reject(error);
    }
  }

  private fail(error: unknown): void {
    const failure = this.failure(error);
    if (this.isSent) this.stream!.end(this.work.events.failed(failure));
    else this.settle!.reject(failure);
  }

  /** Code that lets others run looks at the clock itself when it goes on, and can tell where it is. */
  private expire(): void {
    if (!this.resting) this.cancel(new CallEnded(performance.now() - this.startedMs, { waited: true }));
  }

  /** Gives the call up: its answer is sent now, and whatever it still does is discarded. */
  private cancel(reason: unknown): void {
    if (this.cancelled !== undefined) return;
    this.cancelled = { reason };
    // Before it waits for the first time, what it throws in the end is its answer.
    if (this.settle !== undefined) this.giveUp(reason);
  }

  private giveUp(reason: unknown): void {
    countGivenUp(1);
    this.fail(reason);
    for (const listener of this.cancelListeners ?? []) listener();
  }

  private streamReply(): R {
    return this.work.streamed(this.request, this.stream!.body);
  }
}

function shuttingDown(): Failure {
  return new Failure('SERVICE_UNAVAILABLE', 'The server is shutting down.');
}
