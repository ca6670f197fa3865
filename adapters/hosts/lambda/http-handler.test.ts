import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import type { App } from '../../../handlers/app.ts';
import type { Call, Reply } from '../../../handlers/call.ts';
import { fixtureApp } from '../../../test/harness/fixture-app.ts';
import { eventsOf } from '../../../test/harness/function-events.ts';
import { createHttpHandler, createWebhookHandler } from './http-handler.ts';

/**
 * The values are those of the documentation of HTTP APIs: "Working with AWS Lambda proxy integrations", payload format
 * 2.0.
 */
const eventOf = eventsOf({ apiId: 'api-id', host: 'execute-api', routeKey: 'ANY /{proxy+}' });

const long = { getRemainingTimeInMillis: () => 29_000 };

/** An application that answers with what it was asked. */
function appOf(handle: (call: Call) => Reply | Promise<Reply>, base: App): App {
  return { ...base, handle };
}

describe('an event becomes a call', () => {
  const seen = async (event: APIGatewayProxyEventV2): Promise<Call> => {
    let got: Call | undefined;
    const { app } = await fixtureApp();
    const reply: Reply = { status: 204, headers: [], body: undefined };
    await createHttpHandler(appOf((call) => ((got = call), reply), app))(event, long);
    return got!;
  };

  test('path, query, headers, cookies and the address of the client', async () => {
    const call = await seen(
      eventOf('GET', '/walker/a%20b?x=1&x=2', {
        headers: { 'x-many': 'one,two' },
        cookies: ['a=1', 'b=2'],
      }),
    );
    expect([call.method, call.path, call.query]).toEqual(['GET', '/walker/a%20b', 'x=1&x=2']);
    expect([call.header('x-many'), call.header('cookie'), call.header('none')]).toEqual([
      'one,two',
      'a=1; b=2',
      undefined,
    ]);
    expect(call.peer).toBe('192.0.2.1');
    expect(await call.body(10)).toHaveLength(0);
  });

  test('text and base64 bodies are the bytes that were sent, and too long ones are refused', async () => {
    const text = await seen(eventOf('POST', '/x', { body: '{"a": "é"}' }));
    expect(Buffer.from(await text.body(100)).toString()).toBe('{"a": "é"}');
    const bytes = Buffer.from([0, 255, 128, 10, 13]);
    const binary = await seen(eventOf('POST', '/x', { body: bytes.toString('base64'), isBase64Encoded: true }));
    expect(Buffer.from(await binary.body(100))).toEqual(bytes);
    // osls offline says null where the service leaves the member out
    const none = await seen(eventOf('POST', '/x', { body: null as unknown as string }));
    expect(await none.body(10)).toHaveLength(0);
    expect(() => binary.body(4)).toThrow(expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }));
  });

  test('a stage that is part of the path is taken off', async () => {
    const event = eventOf('GET', '/prod/walker/x');
    event.requestContext.stage = 'prod';
    expect((await seen(event)).path).toBe('/walker/x');
    event.rawPath = '/production';
    expect((await seen(event)).path).toBe('/production');
  });
});

describe('a reply becomes a result', () => {
  const resultOf = async (reply: Reply) => {
    const { app } = await fixtureApp();
    return createHttpHandler(appOf(() => reply, app))(eventOf('GET', '/'), long);
  };

  test('text as text, bytes in base64, cookies in their list, repeated headers joined', async () => {
    const headers = ['Content-Type', 'text/plain', 'Vary', 'A', 'Vary', 'B', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'];
    expect(await resultOf({ status: 201, headers, body: 'hé' })).toEqual({
      statusCode: 201,
      headers: { 'Content-Type': 'text/plain', Vary: 'A, B' },
      cookies: ['a=1', 'b=2'],
      body: 'hé',
    });
    const image = Buffer.from([137, 80, 78, 71, 0, 255]);
    expect(await resultOf({ status: 200, headers: ['Content-Type', 'image/png'], body: image })).toMatchObject({
      body: image.toString('base64'),
      isBase64Encoded: true,
    });
    const script = Buffer.from('let a = "é";');
    expect(await resultOf({ status: 200, headers: ['Content-Type', 'text/javascript'], body: script })).toMatchObject({
      body: 'let a = "é";',
    });
  });

  test('a stream is one answer at its end', async () => {
    async function* body() {
      yield 'data: 1\n\n';
      await new Promise((resolve) => setImmediate(resolve));
      yield Buffer.from('data: é\n\n');
    }
    const headers = ['Content-Type', 'text/event-stream'];
    expect(await resultOf({ status: 200, headers, body: body() })).toMatchObject({ body: 'data: 1\n\ndata: é\n\n' });
  });

  test('an answer above 6 MB, as it would be sent, is refused', async () => {
    const headers = ['Content-Type', 'application/json'];
    const fits = 'x'.repeat(6_000_000);
    expect(await resultOf({ status: 200, headers, body: fits })).toMatchObject({ statusCode: 200 });
    const quotes = '"'.repeat(3_200_000); // two bytes each in the result
    const refused = await resultOf({ status: 200, headers, body: quotes });
    expect(refused.statusCode).toBe(500);
    expect(JSON.parse(refused.body!).error.code).toBe('EXECUTION_ERROR');
  });
});

test('a call that does not end is answered one second before the function is ended, and given up', async () => {
  const { app } = await fixtureApp();
  let isGone = false;
  const hanging = appOf((call) => {
    call.onGone(() => (isGone = true));
    return new Promise<Reply>(() => {});
  }, app);
  const result = await createHttpHandler(hanging)(eventOf('POST', '/walker/x'), {
    getRemainingTimeInMillis: () => 1050,
  });
  expect(result.statusCode).toBe(504);
  expect(JSON.parse(result.body!).error.code).toBe('EXECUTION_TIMEOUT');
  expect(isGone).toBe(true);
});

test('calls of a program go through', async () => {
  const { app } = await fixtureApp();
  const handle = createHttpHandler(app);
  const health = await handle(eventOf('GET', '/healthz/live'), long);
  expect(health.statusCode).toBe(200);
  const missing = await handle(eventOf('POST', '/walker/Nope', { body: '{}' }), long);
  expect(JSON.parse(missing.body!).error.code).toBe('NOT_FOUND');
  const elsewhere = await createWebhookHandler(app)(eventOf('GET', '/healthz/live'), long);
  expect(elsewhere.statusCode).toBe(404);
});
