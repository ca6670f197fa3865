/** Records that the steps of a call hand to one another: `route.ts` -> `answer.ts` -> `unit.ts` -> `call.ts`. */
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { GraphObject } from '../../../core/graph/objects.ts';
import type { Runtime } from '../../../core/memory/runtime.ts';
import type { Meters } from '../../../core/metrics/meters.ts';
import type { Membership } from '../../../core/topics/topics.ts';
import type { Reply } from '../../call.ts';
import type { ServedTarget } from '../../served-targets.ts';
import type { Exchange } from '../exchange.ts';
import type { FailureOf } from '../failure-of.ts';
import type { Lifecycle } from '../lifecycle.ts';
import type { Scratch } from '../serialize/scratch.ts';
import type { Writer } from '../serialize/writer.ts';
import type { Deadlines } from './deadlines.ts';
import type { StreamEvents, ValueSink } from './event-stream.ts';
import type { Claim } from './run-once.ts';

/** Tools of a unit of work: one set for all calls of a protocol. */
export interface UnitParts {
  readonly runtime: Runtime;
  readonly lifecycle: Lifecycle;
  readonly deadlines: Deadlines;
  readonly failureOf: FailureOf;
  readonly warn: (message: string, fields: Record<string, unknown>) => void;
  readonly meters?: Meters | undefined;
  /** Begins the records of calls; undefined where that is off. */
  readonly stories?: Stories | undefined;
  /** Topics that the answer of a call will be a stream of; undefined where its client did not ask for one. */
  readonly openTopics?: ((request: RunRequest) => Membership | undefined) | undefined;
  /** Called with the objects whose access rules a call changed. */
  readonly rulesChanged?: (exchange: Exchange, objects: ReadonlySet<GraphObject>) => void;
}

/** Place where the records of calls begin. */
export interface Stories {
  open(request: RunRequest, parts: UnitParts): void;
}

/** A call that is ready to run. */
export interface RunRequest {
  readonly exchange: Exchange;
  readonly target: ServedTarget;
  /** Bound values of the first run. */
  readonly args: unknown[];
  /** Binds anew, for further runs: nothing of the first may be left. */
  readonly bind: () => unknown[];
  /** Binds the same fields of the bytes of the body, where nothing else is needed: who keeps a call need not keep what was parsed. */
  readonly bindBytes?: ((body: Uint8Array) => unknown[]) | undefined;
  /** Node to spawn on; undefined: the caller's root. */
  readonly nodeId: string | undefined;
  /** Arguments may name objects that are made or loaded inside the unit. */
  readonly mayRefer: boolean;
  readonly claim: Claim | undefined;
  /** Any write fails the call. */
  readonly isReadOnly?: boolean;
  /** The first of `data.warnings`. */
  readonly notes?: readonly string[] | undefined;
}

/**
 * Steps by which a kind of call runs and answers. One for all calls of the kind; what belongs to a call is in the
 * request. `R` is what the protocol answers with.
 */
export interface Work<T, R, E> {
  /** Runs once per attempt, inside the unit. Undefined when everything went into the stream. */
  run(request: RunRequest, control: UnitControl): MaybePromise<T | undefined>;
  /** The reply to an outcome, once it is committed. */
  reply(request: RunRequest, outcome: T, warnings: readonly string[]): R;
  /** The reply that is a stream of `events`. */
  streamed(request: RunRequest, body: AsyncIterable<E>): R;
  readonly events: StreamEvents<E>;
}

/** Actions of a run besides returning its outcome. */
export interface UnitControl {
  /** 1 for the first run; higher when the call is replayed. */
  readonly attempt: number;
  /** Turns the answer into a stream: the reply goes out with its first event. */
  openStream(): ValueSink;
  /** The call is getting on: its time limit begins anew. */
  progress(): void;
}

/** Parts by which a protocol writes the result of a call. */
export interface CallParts<T extends Written> {
  write(result: unknown, reports: readonly unknown[], writer: Writer): T;
  /** Answers are written one at a time, so all share one. */
  readonly scratch: Scratch;
  readonly withPrivate: boolean;
  readonly warn: (message: string, fields: Record<string, unknown>) => void;
  /** Walks that run nothing are told of (development). */
  readonly tellsIdle: boolean;
}

/** The least that every protocol keeps of an answer it has written. */
export interface Written {
  /** Type names of values that have no JSON form. */
  readonly odd: readonly string[] | undefined;
}

/** Runs a call whose fields are bound. Throws or rejects with the failure to answer with. */
export type RunTarget = (request: RunRequest) => MaybePromise<Reply>;
