import { expect, test } from 'vitest';
import { accessDenied } from '../../core/access/check.ts';
import { Failure } from '../../core/errors.ts';
import { silentLog } from '../../core/log/create-log.ts';
import type { Log, LogFields } from '../../core/log/log.ts';
import { HTTPError } from '../../core/modules/http-members.ts';
import { caught } from '../../library/values/calls/raise.ts';
import { ValueError } from '../../library/values/objects/exceptions.ts';
import { createFailureOf } from './failure-of.ts';

const exchange = { requestId: 'r'.repeat(32), traceId: 't'.repeat(32) };
const running = { kind: 'walker', name: 'Fails' } as const;

function make(showsErrors: boolean) {
  const logged: [string, LogFields][] = [];
  const log: Log = { ...silentLog, error: (message, fields = {}) => void logged.push([message, fields]) };
  const traces = { frames: () => [{ file: 'main.svc', line: 7 }] };
  return { failureOf: createFailureOf({ log, traces, showsErrors }), logged };
}

test('failures pass, also when application code caught and raised them again', () => {
  const { failureOf, logged } = make(true);
  const failure = new Failure('NOT_FOUND', 'no');
  expect(failureOf(failure, exchange, running)).toBe(failure);
  expect(failureOf(caught(failure), exchange, running)).toBe(failure);
  const denied = accessDenied({ object: 'x', type: 'Task', operation: 'write', required: 2, effective: 0 });
  expect(failureOf(denied, exchange, running)).toMatchObject({
    code: 'PERMISSION_DENIED',
    status: 403,
    details: { required: 'WRITE', effective: 'READ' },
  });
  expect(logged).toEqual([]);
});

test('HTTPError is answered as it says, when it keeps to the rules', () => {
  const { failureOf } = make(true);
  expect(failureOf(new HTTPError(418, 'TEAPOT', 'short'), exchange, running)).toMatchObject({
    status: 418,
    code: 'TEAPOT',
    message: 'short',
    details: undefined,
  });
  for (const bad of [
    new HTTPError(200, 'OK', 'x'),
    new HTTPError(404, 'lower', 'x'),
    new HTTPError('418', 'TEAPOT', 'x'),
    new HTTPError(),
  ]) {
    expect(failureOf(bad, exchange, running).code).toBe('EXECUTION_ERROR');
  }
});

test('exceptions of application code: shown in development, hidden in production, logged in both', () => {
  const shown = make(true);
  const error = new ValueError('boom');
  expect(shown.failureOf(error, exchange, running)).toMatchObject({
    code: 'EXECUTION_ERROR',
    status: 500,
    message: 'ValueError: boom',
    details: { file: 'main.svc', line: 7, walker: 'Fails' },
  });
  const hidden = make(false);
  const failure = hidden.failureOf(error, exchange, running);
  expect([failure.message, failure.details]).toEqual(['The request could not be completed.', undefined]);
  for (const { logged } of [shown, hidden]) {
    const [[message, fields]] = logged as [[string, LogFields]];
    expect(message).toBe('walker Fails failed: ValueError: boom');
    expect(fields).toMatchObject({ request_id: exchange.requestId });
    expect(fields['error']).toBe(error);
  }
});

test('errors of JavaScript have their name in the language; faults of the server are internal', () => {
  const { failureOf } = make(true);
  expect(failureOf(new globalThis.RangeError('Maximum call stack size exceeded'), exchange, running).message).toMatch(
    /^RecursionError/,
  );
  expect(failureOf('text', exchange, running).message).toBe('Exception: text');
  expect(failureOf(new Error('bug'), exchange)).toMatchObject({ code: 'INTERNAL_ERROR', message: 'Error: bug' });
  expect(make(false).failureOf(new Error('bug'), exchange).message).toBe('The request could not be completed.');
});

test('an exception that repeats a whole request is cut, in the answer and in the line of the log', () => {
  for (const error of [new ValueError('x'.repeat(1_000_000)), new Error('x'.repeat(1_000_000))]) {
    const { failureOf, logged } = make(true);
    const { message } = failureOf(error, exchange, running);
    expect(message).toMatch(/^\w+: x{3000,4000}…$/);
    expect(logged[0]![0].length).toBeLessThan(5_000);
  }
});
