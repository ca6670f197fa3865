/**
 * Live side of one version of a program: judges handshakes and runs walkers and functions that only read (docs/server/live.md). No
 * connection lives here.
 */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Config } from '../../core/config/config.ts';
import { Failure } from '../../core/errors.ts';
import { type LiveReads, liveReadsOf, nothingRead } from '../../core/live/live-reads.ts';
import type { LiveOutcome } from '../../core/live/live-runs.ts';
import { LiveValue } from '../../core/live/live-value.ts';
import { currentContext } from '../../core/memory/context.ts';
import { notReadOnly } from '../../core/memory/read-only.ts';
import type { Session } from '../../core/memory/session.ts';
import type { Membership, MembershipChange } from '../../core/topics/topics.ts';
import { type Credential, createRecheck, type Recheck } from '../auth/credential.ts';
import { guest } from '../auth/identify.ts';
import type { KeyGate } from '../auth/key-gate.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { makeBinder, noSources } from '../http/bind/binder.ts';
import { createOriginCheck } from '../http/cors.ts';
import { openExchange } from '../http/exchange.ts';
import type { FailureOf } from '../http/failure-of.ts';
import type { HintFor } from '../http/hints.ts';
import type { Lifecycle } from '../http/lifecycle.ts';
import { callTarget } from '../http/run/call.ts';
import { createDeadlines } from '../http/run/deadlines.ts';
import type { CallParts, RunRequest, UnitParts, Work } from '../http/run/types.ts';
import { runInUnit } from '../http/run/unit.ts';
import { makeScratch } from '../http/serialize/scratch.ts';
import { noCall } from '../no-call.ts';
import { bindField, mayReferTo, type ServedTarget } from '../served-targets.ts';
import { judgeHandshake, requireOrigin } from '../socket/handshake.ts';
import type { SocketAuth } from '../socket/socket-app.ts';
import type { SocketTarget } from '../socket/socket-target.ts';
import { type LiveOutcomeText, writeLiveOutcome } from './live-outcome.ts';
import type { FieldSource } from './read-request.ts';

/** A walker or function as live subscriptions name it. */
export interface LiveTarget {
  readonly served: ServedTarget;
  /** Bound values of a subscription. @throws Failure `VALIDATION_ERROR` */
  bind(from: FieldSource): unknown[];
  declares(field: string): boolean;
  readonly mayRefer: boolean;
}

export interface LiveAdmission {
  /** The guest where no token was given. */
  readonly caller: Caller;
  /** Undefined for guests. */
  readonly credential: Credential | undefined;
  readonly subprotocol: string | undefined;
}

export interface LiveApp {
  /** @throws Failure `FORBIDDEN`, `UNAUTHORIZED`, `SERVICE_UNAVAILABLE`: answered instead of the upgrade */
  admit(call: Call): MaybePromise<LiveAdmission>;
  /** The same of a request for the events of one walker or function, which may come from any origin. */
  identify(call: Call, name: string): MaybePromise<LiveAdmission>;
  readonly again: Recheck;
  target(kind: 'walker' | 'function', name: string): LiveTarget | undefined;
  /** Runs it once as this caller. Never rejects. `bind` gives the values anew for each attempt. */
  run(target: LiveTarget, caller: Caller, bind: () => unknown[], nodeId: string | undefined): Promise<LiveOutcome>;
  /** The failure to tell a client of, for whatever was thrown. */
  failureOf(error: unknown): Failure;
  readonly hintFor: HintFor | undefined;
  readonly auth: SocketAuth;
}

export interface LiveAppParts extends Omit<UnitParts, 'deadlines'> {
  readonly config: Config;
  readonly auth: SocketAuth;
  /** Undefined: there are no API keys. */
  readonly keys: KeyGate | undefined;
  readonly lifecycle: Lifecycle;
  readonly failureOf: FailureOf;
  readonly nextId: () => string;
  readonly withPrivate: boolean;
  readonly hintFor: HintFor | undefined;
}

export type CreateLiveApps = typeof createLiveApps;

/** Prepares what all versions of a program share; the function it gives makes that of one version. */
export function createLiveApps(parts: LiveAppParts): (targets: readonly ServedTarget[]) => LiveApp {
  const { config, lifecycle, auth, keys, failureOf, nextId } = parts;
  const { allowedOrigins } = config.scale.websocket;
  const { maxResultBytes } = config.scale.live;
  const isAllowed = createOriginCheck(allowedOrigins.length > 0 ? allowedOrigins : config.scale.cors.allowOrigins);
  const unitParts: UnitParts = {
    runtime: parts.runtime,
    lifecycle,
    failureOf,
    warn: parts.warn,
    deadlines: createDeadlines(config.scale.live.runTimeoutSeconds * 1000),
  };
  const callParts: CallParts<LiveOutcomeText> = {
    scratch: makeScratch(),
    write: writeLiveOutcome,
    withPrivate: parts.withPrivate,
    warn: parts.warn,
    tellsIdle: false,
  };

  /** `name` undefined: of a connection, whose subscriptions name what they follow. */
  async function judge(call: Call, name: string | undefined): Promise<LiveAdmission> {
    const identifyKey =
      keys && (() => keys.identify({ call, requestId: call.header('x-request-id') ?? '', target: name }, 'bearer'));
    const { identifyToken } = auth;
    const { caller, credential, subprotocol } = await judgeHandshake(call, anybody, { identifyToken, identifyKey });
    return { caller: caller ?? guest, credential, subprotocol };
  }

  /** Steps of one run. The session is kept, because a run that fails has read something too. */
  function workOf(keep: (session: Session) => void): Work<LiveOutcomeText, string, never> {
    return {
      run(request, { attempt, progress }) {
        keep(currentContext().session);
        const openStream = () => {
          throw notReadOnly('reported a generator');
        };
        return callTarget(request, { attempt, progress, openStream }, callParts);
      },
      reply(_request, { text, bytes }) {
        if (bytes > maxResultBytes) throw tooLarge(bytes, maxResultBytes);
        return text;
      },
      streamed: () => '',
      events: { value: noEvent, end: undefined as never, failed: noEvent, keepAlive: undefined },
    };
  }

  async function run(
    target: LiveTarget,
    caller: Caller,
    bind: () => unknown[],
    nodeId: string | undefined,
  ): Promise<LiveOutcome> {
    const leave = lifecycle.enter();
    const call = new LiveCall(config.scale.live.maxTopicsPerConnection);
    const exchange = openExchange(call, nextId, 0);
    exchange.caller = caller;
    exchange.template = '/live';
    exchange.target = target.served.name;
    let session: Session | undefined;
    const reads = (): LiveReads => (session === undefined ? nothingRead : liveReadsOf(session));
    try {
      if (!target.served.isPublic && caller.userId === null)
        throw new Failure('UNAUTHORIZED', 'Authentication is required.', { details: { reason: 'missing' } });
      const request: RunRequest = {
        exchange,
        target: target.served,
        args: bind(),
        bind,
        nodeId,
        mayRefer: target.mayRefer,
        claim: undefined,
        isReadOnly: true,
      };
      const work = workOf((opened) => {
        session = opened;
      });
      const text = await runInUnit(request, work, unitParts);
      return { value: new LiveValue(text), reads: reads(), topics: call.topics };
    } catch (error) {
      const failure = failureOf(error, exchange);
      return {
        failure,
        isFinal: isOneOf(finalCodes, failure),
        isPassing: isOneOf(passingCodes, failure),
        reads: reads(),
      };
    } finally {
      leave();
    }
  }

  return (served) => {
    const targets = new Map<string, LiveTarget>();
    for (const target of served) {
      if (target.rest.protocol !== 'WEBHOOK')
        targets.set(`${target.kind}:${target.name}`, makeTarget(target, config.serve.maxJsonDepth));
    }
    return {
      async admit(call) {
        if (lifecycle.state !== 'ready') throw new Failure('SERVICE_UNAVAILABLE', 'The server is shutting down.');
        requireOrigin(call, isAllowed);
        return judge(call, undefined);
      },
      identify: judge,
      again: createRecheck(auth, keys),
      target: (kind, name) => targets.get(`${kind}:${name}`),
      run,
      failureOf: (error) => failureOf(error, openExchange(noCall, nextId, 0)),
      hintFor: parts.hintFor,
      auth,
    };
  };
}

/**
 * Request that programs see in a live run: the same for all who share it, so nothing of any client is in it. Takes down what the run
 * subscribes to. A class, because it is made for each run.
 */
class LiveCall implements Call, Membership {
  readonly method = 'LIVE';
  readonly path = '/live';
  readonly query = noCall.query;
  readonly contentLength = undefined;
  readonly peer = noCall.peer;
  private readonly mostTopics: number;
  private joined: Set<string> | undefined = undefined;

  constructor(mostTopics: number) {
    this.mostTopics = mostTopics;
  }

  header(_name: string): undefined {
    return undefined;
  }

  headers(): ReturnType<Call['headers']> {
    return noCall.headers();
  }

  body(limit: number): ReturnType<Call['body']> {
    return noCall.body(limit);
  }

  stream(): ReturnType<Call['stream']> {
    return noCall.stream();
  }

  get signal(): AbortSignal {
    return noCall.signal;
  }

  onGone(listener: Parameters<Call['onGone']>[0]): () => void {
    return noCall.onGone(listener);
  }

  membership(): Membership {
    return this;
  }

  get topics(): readonly string[] {
    return this.joined === undefined ? noTopics : [...this.joined];
  }

  has(topic: string): boolean {
    return this.joined?.has(topic) === true;
  }

  get free(): number {
    return this.mostTopics - (this.joined?.size ?? 0);
  }

  apply(changes: readonly MembershipChange[]): void {
    this.joined ??= new Set();
    for (const { topic, joins } of changes) {
      if (joins) this.joined.add(topic);
      else this.joined.delete(topic);
    }
  }
}

const noTopics: readonly string[] = [];

function makeTarget(served: ServedTarget, maxJsonDepth: number): LiveTarget {
  const { fields } = served;
  const binder = makeBinder(fields.map(bindField), 'body', maxJsonDepth);
  const shown = fields.filter(({ isHidden }) => !isHidden);
  return {
    served,
    bind: (from) => ('body' in from ? binder.bindBody(from.body) : binder.bind({ ...noSources, query: from.query })),
    declares: (name) => shown.some((field) => field.name === name),
    mayRefer: shown.some(({ type }) => mayReferTo(type)),
  };
}

function noEvent(): never {
  throw new Error('a live run has no stream');
}

/** A handshake is judged as that of a public target: guests may come, a bad token may not. */
const anybody = { served: { isPublic: true } } as unknown as SocketTarget;

/** Codes of the server, not of an `HTTPError` of the program, after which a subscription makes no sense any more. */
const finalCodes = new Set(['NOT_READ_ONLY', 'NODE_NOT_FOUND', 'UNAUTHORIZED', 'NOT_FOUND', 'VALIDATION_ERROR']);

/** The store was away, or did not answer in time. */
const passingCodes = new Set(['SERVICE_UNAVAILABLE', 'EXECUTION_TIMEOUT']);

function isOneOf(codes: ReadonlySet<string>, { code, hint }: Failure): boolean {
  return hint !== null && codes.has(code);
}

function tooLarge(bytes: number, limit: number): Failure {
  return new Failure('LIMIT_REACHED', `A live result may have ${limit} bytes, this one has ${bytes}.`, {
    details: { limit },
  });
}
