import type { Failure } from '../../core/errors.ts';
import { passedOn, type Trace, type Tracer } from '../../core/trace/trace.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { isRequestId, traceIdOf } from '../identifiers.ts';
import type { TopicAnswer } from '../topics/topic-answer.ts';
import type { JsonReader } from './body/json-reader.ts';

/** One request on its way through the steps of docs/server/endpoints.md#order. */
export interface Exchange {
  readonly call: Call;
  readonly requestId: string;
  readonly traceId: string;
  /** Undefined when the caller sent no trace, none is exported and the call is not recorded. */
  trace: Trace | undefined;
  readonly origin: string | undefined;
  /** Time at which it began, in milliseconds on the monotonic clock; 0 when nobody measures. */
  readonly startedMs: number;
  /** Topics that the answer may be a stream of; undefined before one is asked for. */
  topics: TopicAnswer | undefined;
  /** Template of the matched route, e.g. `/walker/Ping`; undefined when nothing matched. */
  template: string | undefined;
  /** Walker or function that runs. */
  target: string | undefined;
  /** True for calls that are not logged, limited or measured (health checks). */
  isQuiet: boolean;
  params: readonly string[];
  /** Undefined until identified. */
  caller: Caller | undefined;
  /** Times the unit ran. */
  attempts: number;
  /** HTTP status that the program set for its answer (docs/server/programs.md#status); undefined: none. */
  answerStatus: number | undefined;
  /** The answer goes on until somebody goes away: the call behind it has ended. */
  isEndless?: boolean;
  /** Headers beside the usual ones: flat list. */
  headers: string[] | undefined;
  bytesIn: number;
  /** Failure to answer with when there is no page either. */
  pageMiss: Failure | undefined;
  /** The decoded body, kept for fingerprints of the request. */
  body: Uint8Array | undefined;
  /** Text of a body that is short JSON; undefined for others. */
  text: string | undefined;
  /** Reader of a body so long that its fields are bound in steps too; undefined for shorter ones. */
  large: JsonReader | undefined;
}

/** Opens the record of a request: its ids are adopted from the headers when they fit (docs/server/answers.md#headers). */
export function openExchange(call: Call, nextId: () => string, startedMs: number, tracer?: Tracer): Exchange {
  const givenId = call.header('x-request-id');
  const parent = call.header('traceparent');
  const adopted = parent === undefined ? undefined : traceIdOf(parent);
  const traceId = adopted ?? nextId();
  return {
    call,
    requestId: givenId !== undefined && isRequestId(givenId) ? givenId : nextId(),
    traceId,
    trace: adopted === undefined ? tracer?.begin(traceId, undefined) : continued(call, adopted, tracer),
    origin: call.header('origin'),
    startedMs,
    topics: undefined,
    template: undefined,
    target: undefined,
    isQuiet: false,
    params: noParams,
    caller: undefined,
    attempts: 1,
    answerStatus: undefined,
    headers: undefined,
    bytesIn: 0,
    pageMiss: undefined,
    body: undefined,
    text: undefined,
    large: undefined,
  };
}

const maxStateLength = 512;

function continued(call: Call, traceId: string, tracer: Tracer | undefined): Trace {
  const state = call.header('tracestate');
  const tracestate = state === undefined || state.length > maxStateLength ? undefined : state;
  const context = { traceparent: call.header('traceparent')!, tracestate };
  return tracer === undefined ? passedOn(context) : tracer.begin(traceId, context);
}

/** Adds a header to the answer. */
export function addHeader(exchange: Exchange, name: string, value: string): void {
  if (exchange.headers === undefined) exchange.headers = [name, value];
  else exchange.headers.push(name, value);
}

const noParams: readonly string[] = [];
