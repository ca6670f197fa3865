/** The function behind an address that streams, driven with the events of that address and what the service's runtime gives it. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, test } from 'vitest';
import type { App } from '../../../handlers/app.ts';
import type { Call, Reply } from '../../../handlers/call.ts';
import { fixtureApp } from '../../../test/harness/fixture-app.ts';
import { eventsOf } from '../../../test/harness/function-events.ts';
import { openAnswer, readOutput } from '../../../test/harness/stream-runtime.ts';
import { createStreamHandler } from './stream-handler.ts';

/**
 * The values are those of the documentation of function URLs: "Invoking Lambda function URLs", request payload format.
 */
const eventOf = eventsOf({ apiId: 'id', host: 'lambda-url', routeKey: '$default' });

const long = { getRemainingTimeInMillis: () => 29_000 };
const short = { getRemainingTimeInMillis: () => 1030 };

async function start(event: APIGatewayProxyEventV2, { handle, invocation = long, highWaterMark }: Start = {}) {
  const { app } = await fixtureApp();
  const reader = readOutput(highWaterMark);
  const served = handle === undefined ? app : { ...app, handle };
  const done = createStreamHandler(served, openAnswer)(event, reader.output, invocation);
  return { ...reader, done, app };
}

interface Start {
  readonly handle?: App['handle'];
  readonly invocation?: typeof long;
  readonly highWaterMark?: number;
}

async function answerTo(event: APIGatewayProxyEventV2, options?: Start) {
  const { whole, done } = await start(event, options);
  const answer = await whole();
  await done;
  return answer;
}

const sse = (body: AsyncIterable<string>): Reply => ({
  status: 200,
  headers: ['Content-Type', 'text/event-stream; charset=utf-8'],
  body,
});

test('what does not stream comes with its head, cookies and all its bytes', async () => {
  const headers = ['Content-Type', 'text/plain', 'Vary', 'A', 'Vary', 'B', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'];
  const head = { statusCode: 201, headers: { 'Content-Type': 'text/plain', Vary: 'A, B' }, cookies: ['a=1', 'b=2'] };
  const handle = () => ({ status: 201, headers, body: 'hé' });
  expect(await answerTo(eventOf('GET', '/'), { handle })).toEqual({ head, body: 'hé' });
  const empty = () => ({ status: 204, headers: ['X-A', '1'], body: undefined });
  expect(await answerTo(eventOf('DELETE', '/'), { handle: empty })).toEqual({
    head: { statusCode: 204, headers: { 'X-A': '1' } },
    body: '',
  });
});

test('a walker that streams is answered value by value, up to the event that says it is stored', async () => {
  const { head, body } = await answerTo(eventOf('POST', '/walker/Stream', { body: '{"n": 2}' }));
  expect(head).toMatchObject({ statusCode: 200, headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } });
  expect(body).toBe('data: {"n":0}\n\ndata: {"n":1}\n\nevent: end\ndata: {}\n\n');
  const failed = await answerTo(eventOf('POST', '/walker/StreamFail', { body: '{}' }));
  expect(failed.body).toMatch(/^data: \{"n":0\}\n\nevent: error\ndata: \{"error_type":"EXECUTION_ERROR",.*\}\n\n$/);
});

test('a value leaves before the next one is made', async () => {
  let make = (_text: string) => {};
  const made = async function* () {
    yield 'data: 1\n\n';
    yield await new Promise<string>((resolve) => (make = resolve));
  };
  const { next, whole, done } = await start(eventOf('GET', '/'), { handle: () => sse(made()) });
  expect((await next()).body).toBe('data: 1\n\n');
  make('data: 2\n\n');
  expect((await whole()).body).toBe('data: 1\n\ndata: 2\n\n');
  await done;
});

test('authentication, limits and errors are those of the http function', async () => {
  const codeOf = async (event: APIGatewayProxyEventV2) => {
    const { head, body } = await answerTo(event);
    return [head.statusCode, JSON.parse(body).error.code];
  };
  expect(await codeOf(eventOf('POST', '/walker/StreamWrite', { body: '{}' }))).toEqual([401, 'UNAUTHORIZED']);
  expect(await codeOf(eventOf('POST', '/walker/Nope', { body: '{}' }))).toEqual([404, 'NOT_FOUND']);
  expect(await codeOf(eventOf('PUT', '/walker/Stream'))).toEqual([405, 'METHOD_NOT_ALLOWED']);
  expect(await codeOf(eventOf('POST', '/walker/Stream', { body: '{"n": "x"}' }))).toEqual([422, 'VALIDATION_ERROR']);
  const large = JSON.stringify({ n: 1, pad: 'x'.repeat(5_000_000) });
  expect(await codeOf(eventOf('POST', '/walker/Stream', { body: large }))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  const headers = { ...eventOf('POST', '/').headers, authorization: 'Bearer ada' };
  const { body } = await answerTo(eventOf('POST', '/walker/StreamWrite', { body: '{}', headers }));
  expect(body).toBe('data: 0\n\ndata: 1\n\ndata: 2\n\nevent: end\ndata: {}\n\n');
});

test('a client that goes away ends its call, also before the first byte', async () => {
  const { output, next, done, app } = await start(eventOf('POST', '/walker/Stream', { body: '{"n": 1000000000}' }));
  await next();
  expect(app.lifecycle.running).toBe(1);
  output.destroy();
  await done;
  await expect.poll(() => app.lifecycle.running).toBe(0);

  let isGone = false;
  const waiting = (call: Call) => {
    call.onGone(() => (isGone = true));
    return new Promise<Reply>(() => {});
  };
  const early = await start(eventOf('GET', '/'), { handle: waiting });
  early.output.destroy();
  await early.done;
  expect(isGone).toBe(true);
});

test('a program is not asked for values that its client does not take', async () => {
  let asked = 0;
  const made = async function* () {
    for (; asked < 100; asked++) yield 'x'.repeat(1000);
  };
  const { whole, done } = await start(eventOf('GET', '/'), { handle: () => sse(made()), highWaterMark: 4000 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(asked).toBeLessThan(20);
  expect((await whole()).body).toHaveLength(100_000);
  await done;
});

test('one second before the function is ended: 504, or an error event when the head is out', async () => {
  let gone = 0;
  const hanging = (call: Call) => {
    call.onGone(() => gone++);
    return new Promise<Reply>(() => {});
  };
  const late = await answerTo(eventOf('GET', '/'), { handle: hanging, invocation: short });
  expect([late.head.statusCode, JSON.parse(late.body).error.code]).toEqual([504, 'EXECUTION_TIMEOUT']);
  const stuck = async function* () {
    yield 'data: 1\n\n';
    await new Promise(() => {});
  };
  const begun = (call: Call) => {
    call.onGone(() => gone++);
    return sse(stuck());
  };
  const { head, body } = await answerTo(eventOf('GET', '/'), { handle: begun, invocation: short });
  expect(head.statusCode).toBe(200);
  expect(body).toMatch(/^data: 1\n\nevent: error\ndata: \{"error_type":"EXECUTION_TIMEOUT",.*\}\n\n$/);
  expect(gone).toBe(2);
});

test('an answer that breaks off is not ended as if it were whole', async () => {
  const broken = async function* () {
    yield 'data: 1\n\n';
    throw new Error('boom');
  };
  const { output, done } = await start(eventOf('GET', '/'), { handle: () => sse(broken()) });
  await done;
  expect([output.destroyed, output.readableEnded]).toEqual([true, false]);
});
