import type { ALBEvent, APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import type { App } from '../../../handlers/app.ts';
import type { Call, Reply } from '../../../handlers/call.ts';
import { fixtureApp } from '../../../test/harness/fixture-app.ts';
import { behindAnyGateway } from './any-gateway.ts';
import { createHttpHandler } from './http-handler.ts';
import { maxBalancerBytes } from './limits.ts';

const invocation = { getRemainingTimeInMillis: () => 29_000 };

/** Event of the documentation of REST APIs: all values beside the last ones. */
const rest = (more: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent => ({
  resource: '/{proxy+}',
  path: '/my/path',
  httpMethod: 'GET',
  headers: { Accept: 'b', Cookie: 'k=2' },
  multiValueHeaders: { Accept: ['a', 'b'], Cookie: ['s=1', 'k=2'] },
  queryStringParameters: { name: 'me' },
  multiValueQueryStringParameters: { name: ['x&y', 'me'] },
  pathParameters: null,
  stageVariables: null,
  requestContext: { stage: 'prod', path: '/prod/my/path', identity: { sourceIp: '203.0.113.7' } } as never,
  body: null,
  isBase64Encoded: false,
  ...more,
});

/** Event of the documentation of load balancers. */
const balancer = (more: Partial<ALBEvent> = {}): ALBEvent => ({
  requestContext: {
    elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/x/6d0ecf83' },
  },
  httpMethod: 'GET',
  path: '/a%20b',
  queryStringParameters: { name: 'x%26y' },
  headers: { accept: 'b', 'x-forwarded-for': '198.51.100.9, 203.0.113.7' },
  body: '',
  isBase64Encoded: false,
  ...more,
});

const plain: Reply = { status: 200, headers: ['Content-Type', 'text/plain'], body: 'here' };

/** Serves one event with `reply`; gives the call that the application saw, and the result. */
async function serve(event: APIGatewayProxyEvent | ALBEvent, reply: Reply | Promise<Reply> = plain) {
  const { app } = await fixtureApp();
  let seen: Call | undefined;
  const behind: App = { ...app, handle: (call) => ((seen = call), reply) };
  const result: any = await behindAnyGateway(behind, createHttpHandler(behind))(event, invocation);
  return { call: seen!, result };
}

test('all values of a header and of a query arrive, and the address that the gateway knows', async () => {
  const { call } = await serve(rest());
  expect([call.method, call.path, call.query]).toEqual(['GET', '/my/path', 'name=x%26y&name=me']);
  expect([call.header('accept'), call.header('cookie'), call.peer]).toEqual(['a, b', 's=1; k=2', '203.0.113.7']);
});

test('a load balancer leaves path and query as they were sent, and names the caller last', async () => {
  const { call } = await serve(balancer());
  expect([call.path, call.query, call.peer]).toEqual(['/a%20b', 'name=x%26y', '203.0.113.7']);
  const lists = { multiValueHeaders: { accept: ['a', 'b'] }, multiValueQueryStringParameters: { n: ['1', '2'] } };
  const { headers: _, queryStringParameters: __, ...others } = balancer();
  const { call: listed } = await serve({ ...others, ...lists });
  expect([listed.header('accept'), listed.query, listed.peer]).toEqual(['a, b', 'n=1&n=2', '']);
});

test('bytes of a body are those that were signed', async () => {
  const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
  for (const event of [rest, balancer]) {
    const given = { httpMethod: 'POST', body: bytes.toString('base64'), isBase64Encoded: true };
    const { call } = await serve(event(given as never));
    expect(Buffer.from(await call.body(100))).toEqual(bytes);
  }
});

test('answers have the form that each gateway reads', async () => {
  const reply: Reply = { ...plain, headers: [...plain.headers, 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'] };
  const answered = { statusCode: 200, body: 'here', isBase64Encoded: false };
  expect((await serve(rest(), reply)).result).toEqual({
    ...answered,
    headers: { 'Content-Type': 'text/plain' },
    multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
  });
  const { headers: _, ...listed } = balancer({ multiValueHeaders: {} });
  expect((await serve(listed, Promise.resolve(reply))).result).toEqual({
    ...answered,
    multiValueHeaders: { 'Content-Type': ['text/plain'], 'Set-Cookie': ['a=1', 'b=2'] },
  });
  expect((await serve(balancer(), reply)).result).toEqual({
    ...answered,
    headers: { 'Content-Type': 'text/plain', 'Set-Cookie': 'b=2' },
  });
  const image = { status: 200, headers: ['Content-Type', 'image/png'], body: new Uint8Array([1, 2]) };
  expect((await serve(rest(), image)).result).toMatchObject({ body: 'AQI=', isBase64Encoded: true });
});

test('an answer that a load balancer would drop says so', async () => {
  const large: Reply = { ...plain, body: 'x'.repeat(maxBalancerBytes) };
  const { result } = await serve(balancer(), large);
  expect([result.statusCode, JSON.parse(result.body).error.code]).toEqual([500, 'EXECUTION_ERROR']);
  expect((await serve(rest(), large)).result.statusCode).toBe(200);
});
