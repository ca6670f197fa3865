import { throwOutside } from '../../../base/throw-outside.ts';
import { Failure } from '../../../core/errors.ts';
import type { App } from '../../../handlers/app.ts';
import type { Reply } from '../../../handlers/call.ts';
import { connectionFailure } from './connection-failure.ts';
import type { LocalCall, LocalRequest } from './local-call.ts';
import type { ServeLimits } from './serve-limits.ts';
import { writeReply } from './write-reply.ts';

/** Answers that are ready wait at most about this long for the calls that run after theirs. */
const holdMs = 1;

/**
 * Takes calls in. Those that arrive in one turn of the event loop run together at its end, and then their answers are written together: the
 * same code runs many times in a row instead of taking turns with the parser and the system calls, which nearly halves what a small call costs
 * under load (decisions/0010). By then a small body has been parsed as well, so that most calls run from first to last byte without
 * waiting.
 */
export function createCallBatches(app: App, limits: ServeLimits): (call: LocalCall) => void {
  let arrived: LocalCall[] = [];

  /** The answer, unless the call waits: then it is written when it is there. */
  const run = (call: LocalCall): Reply | undefined => {
    try {
      const fault = outOfBounds(call.request, limits);
      const reply = fault === undefined ? app.handle(call) : app.refuse(fault);
      if (!(reply instanceof Promise)) return reply;
      reply.then((ready) => answer(call, ready)).catch((error) => broke(call, error));
    } catch (error) {
      broke(call, error);
    }
    return undefined;
  };
  const answer = (call: LocalCall, reply: Reply): void => {
    try {
      writeReply(call, reply);
    } catch (error) {
      broke(call, error);
    }
  };
  /** A fault of ours: it ends this call and no other one. */
  const broke = (call: LocalCall, error: unknown): void => {
    throwOutside(error);
    if (call.response.headersSent) call.response.destroy();
    else writeReply(call, app.refuse(new Failure('INTERNAL_ERROR', 'The request could not be completed.')));
  };
  const runAll = () => {
    const calls = arrived;
    arrived = [];
    const ready: { readonly call: LocalCall; readonly reply: Reply }[] = [];
    const writeReady = () => {
      for (const { call, reply } of ready) answer(call, reply);
      ready.length = 0;
    };
    let heldSince = performance.now();
    for (const call of calls) {
      const reply = run(call);
      if (reply !== undefined) ready.push({ call, reply });
      const now = performance.now();
      if (now - heldSince < holdMs) continue;
      writeReady();
      heldSince = now;
    }
    writeReady();
  };
  return (call) => {
    if (arrived.push(call) === 1) setImmediate(runAll);
  };
}

const maxHeaderFields = 100;

/** Faults of the request line and the headers that the parser lets through. */
export function outOfBounds(request: LocalRequest, limits: ServeLimits): Failure | undefined {
  if (request.url!.length > limits.maxUrlBytes) return connectionFailure('URI_TOO_LONG');
  const { rawHeaders } = request;
  let bytes = 0;
  for (let i = 0; i < rawHeaders.length; i++) bytes += rawHeaders[i]!.length + 2;
  if (bytes > limits.maxHeaderBytes || rawHeaders.length > 2 * maxHeaderFields)
    return connectionFailure('HEADERS_TOO_LARGE');
  const host = request.headers.host;
  if (host === undefined ? request.httpVersionMinor >= 1 : host.includes(',')) {
    return new Failure('BAD_REQUEST', 'Exactly one Host header is needed.');
  }
  return undefined;
}
