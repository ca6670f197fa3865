/** The function behind a WebSocket API, given the events such an API sends. The gateway only remembers what is posted. */
import { expect, test } from 'vitest';
import { silentLog } from '../../../core/log/create-log.ts';
import type { TokenCaller } from '../../../handlers/auth/identify.ts';
import type { PostToConnection } from '../../../handlers/socket/post-to-connection.ts';
import { createTableSockets } from '../../../handlers/socket/table-sockets.ts';
import { fixtureApp } from '../../../test/harness/fixture-app.ts';
import { openMemoryConnections } from '../../stores/memory/connections.ts';
import { createSocketHandler, type SocketEvent } from './socket-handler.ts';

const rules = {
  maxMessageBytes: 1024,
  maxMessagesPerSecond: 20,
  maxConnectionsPerTarget: 200,
  maxConnectionsPerUser: 120,
  maxAnonymousConnections: 3,
  queueSize: 16,
  executionTimeoutSeconds: 28,
  heartbeatSeconds: 30,
  idleSeconds: 90,
  authTimeoutSeconds: 10,
  sendTimeoutSeconds: 5,
  sendBufferBytes: 1000,
  allowedOrigins: [],
};

const claims = { issuedAt: 1, authTime: 1, expiresAt: 4_000_000_000, sessionVersion: 0 };
const userOf = (name: string): TokenCaller => ({
  kind: 'user',
  userId: name,
  rootId: (name === 'ada' ? '1' : '2').repeat(32),
  role: 'user',
  ignoredToken: false,
  claims: { ...claims, userId: name, tokenId: `jti-${name}` },
});

async function make(changes: Partial<typeof rules> = {}, gatewayChanges: Partial<PostToConnection> = {}) {
  const live = new Set(['ada', 'bob']);
  let nowMs = 1_700_000_000_000;
  let ids = 0;
  const posted = new Map<string, any[]>();
  const cut: string[] = [];
  const counts = new Map<string, { count: number; expiresAt: number }>();
  const auth = {
    identifyToken: (token: string) => (live.has(token) ? userOf(token) : ('invalid' as const)),
    identifyClaims: ({ userId }: { userId: string }) => (live.has(userId) ? userOf(userId) : ('revoked' as const)),
  };
  const config = { scale: { websocket: { allowedOrigins: ['https://app.example'] } } };
  const { app } = await fixtureApp({ config, deps: { sockets: { ...auth, onSessionEnd: () => () => {} } } });
  const connections = openMemoryConnections(() => nowMs);
  const gateway: PostToConnection = {
    async post(cid, text) {
      posted.set(cid, [...(posted.get(cid) ?? []), JSON.parse(text)]);
      return true;
    },
    async cut(cid) {
      cut.push(cid);
    },
    ...gatewayChanges,
  };
  const sockets = createTableSockets({
    app: () => app.sockets!,
    auth,
    connections,
    counters: {
      async addToCounter(key, amount, windowSeconds) {
        const known = counts.get(key);
        const open =
          known !== undefined && known.expiresAt > nowMs
            ? known
            : { count: 0, expiresAt: nowMs + windowSeconds * 1000 };
        const next = { ...open, count: open.count + amount };
        counts.set(key, next);
        return next;
      },
    },
    gateway,
    rules: { ...rules, ...changes },
    maxJsonDepth: 32,
    maxFrameBytes: 131_072,
    log: silentLog,
    clock: { now: () => nowMs },
    nextId: () => String(++ids),
  });
  const handle = createSocketHandler(app, sockets, silentLog);
  const invocation = { getRemainingTimeInMillis: () => 30_000 };
  return {
    connections,
    posted,
    cut,
    sockets,
    logOut: (name: string) => live.delete(name),
    pass: (ms: number) => (nowMs += ms),
    connect: (cid: string, query: Record<string, string>, headers: Record<string, string> = {}) =>
      handle(handshake(cid, query, headers), invocation),
    /** `agoMs`: how long the event took from the gateway to the function. */
    say(cid: string, message: unknown, agoMs = 0) {
      const body = typeof message === 'string' ? message : JSON.stringify(message);
      const { requestContext, ...event } = eventOf(cid, '$default', { body });
      return handle({ ...event, requestContext: { ...requestContext, requestTimeEpoch: nowMs - agoMs } }, invocation);
    },
    sendBytes: (cid: string, bytes: Uint8Array) =>
      handle(eventOf(cid, '$default', { body: bytes as unknown as string }), invocation),
    leave: (cid: string) => handle(eventOf(cid, '$disconnect'), invocation),
  };
}

/** The fields of https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-mapping-template-reference.html */
function eventOf(connectionId: string, routeKey: string, given: Partial<SocketEvent> = {}): SocketEvent {
  return {
    requestContext: {
      routeKey,
      messageId: 'id=',
      eventType: routeKey === '$connect' ? 'CONNECT' : routeKey === '$default' ? 'MESSAGE' : 'DISCONNECT',
      extendedRequestId: 'id=',
      requestTime: '09/Feb/2024:18:11:43 +0000',
      messageDirection: 'IN',
      stage: 'prod',
      connectedAt: 1707502303419,
      requestTimeEpoch: 1707502303420,
      identity: { sourceIp: '192.0.2.7' },
      requestId: 'id=',
      domainName: 'id.execute-api.eu-west-1.amazonaws.com',
      connectionId,
      apiId: 'id',
    } as SocketEvent['requestContext'],
    isBase64Encoded: false,
    ...given,
  };
}

function handshake(cid: string, query: Record<string, string>, headers: Record<string, string>): SocketEvent {
  const multi = (given: Record<string, string>) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, [value]]));
  const all = { Host: 'id.execute-api.eu-west-1.amazonaws.com', 'Sec-WebSocket-Version': '13', ...headers };
  return eventOf(cid, '$connect', {
    headers: all,
    multiValueHeaders: multi(all),
    queryStringParameters: query,
    multiValueQueryStringParameters: multi(query),
  });
}

test('a connection runs messages, and its row lives as long as it does', async () => {
  const api = await make();
  expect(await api.connect('a', { walker: 'EchoWs' })).toEqual({ statusCode: 200 });
  expect(await api.connections.find('a')).toMatchObject({ target: 'walker:EchoWs', userId: null, authenticated: true });
  expect(await api.say('a', { message: 'hi', $id: 7 })).toEqual({ statusCode: 200 });
  expect(api.posted.get('a')).toMatchObject([{ ok: true, id: 7, data: { reports: [{ message: 'hi' }] } }]);
  await api.say('a', { type: 'ping' });
  expect(api.posted.get('a')!.at(-1)).toEqual({ type: 'pong', ts: 1_700_000_000 });
  await api.leave('a');
  expect(await api.connections.find('a')).toBeUndefined();
});

test('a handshake that is refused says why with its status', async () => {
  const api = await make();
  const codeOf = async (query: Record<string, string>, headers?: Record<string, string>) => {
    const { statusCode, body } = await api.connect('x', query, headers);
    return [statusCode, JSON.parse(body!).error.code];
  };
  expect(await codeOf({ walker: 'Nope' })).toEqual([404, 'NOT_FOUND']);
  expect(await codeOf({})).toEqual([404, 'NOT_FOUND']);
  expect(await codeOf({ walker: 'EchoWs', token: 'bad' })).toEqual([401, 'UNAUTHORIZED']);
  expect(await codeOf({ walker: 'EchoWs' }, { Origin: 'https://elsewhere.example' })).toEqual([403, 'FORBIDDEN']);
  for (const cid of ['a', 'b', 'c']) await api.connect(cid, { walker: 'EchoWs' });
  expect(await codeOf({ walker: 'EchoWs' })).toEqual([503, 'CAPACITY']);
  expect(await api.connections.find('x')).toBeUndefined();
});

test('the subprotocol is selected, and decides the form of frames', async () => {
  const api = await make();
  const headers = { 'Sec-WebSocket-Protocol': 'svc.reports.v1, svc.bearer.ada' };
  expect(await api.connect('a', { walker: 'PrivateRoom' }, headers)).toEqual({
    statusCode: 200,
    headers: { 'Sec-WebSocket-Protocol': 'svc.reports.v1' },
  });
  await api.say('a', { message: 'bare' });
  await api.say('a', {});
  expect(api.posted.get('a')).toMatchObject([{ message: 'bare' }, { ok: false, error: { code: 'VALIDATION_ERROR' } }]);
});

test('a first message signs in, in time and once', async () => {
  const api = await make();
  await api.connect('a', { walker: 'PrivateRoom' });
  await api.say('a', { token: 'ada', message: 'both at once' });
  expect(api.posted.get('a')).toMatchObject([{ ok: true, data: { reports: [{ message: 'both at once' }] } }]);
  await api.say('a', { type: 'refresh', token: 'bob' });
  expect(api.posted.get('a')!.at(-1)).toMatchObject({ error: { code: 'UNAUTHORIZED', reason: 'identity_mismatch' } });
  expect(api.cut).toEqual(['a']);
  await api.connect('late', { walker: 'PrivateRoom' });
  api.pass(10_001);
  await api.say('late', { token: 'ada' });
  expect(api.posted.get('late')).toMatchObject([{ error: { reason: 'missing' } }]);
  await api.connect('never', { walker: 'PrivateRoom' });
  await api.sockets.sweep();
  expect(await api.connections.find('never')).toBeDefined();
  api.pass(10_001);
  await api.sockets.sweep();
  expect(api.cut).toEqual(['a', 'late', 'never']);
});

test('a broadcast reaches every signed-in member once, and whose session is over is cut', async () => {
  const api = await make();
  await api.connect('a', { walker: 'PrivateRoom', token: 'ada' });
  await api.connect('b', { walker: 'PrivateRoom', token: 'bob' });
  await api.connect('owing', { walker: 'PrivateRoom' });
  await api.say('a', { message: 'one', $id: 'x' });
  expect(api.posted.get('a')).toMatchObject([{ id: 'x', data: { reports: [{ message: 'one' }] } }]);
  expect(api.posted.get('b')).toHaveLength(1);
  expect(api.posted.get('b')![0].id).toBeUndefined();
  expect(api.posted.has('owing')).toBe(false);
  api.logOut('bob');
  await api.say('a', { message: 'two' });
  expect(api.posted.get('b')!.at(-1)).toMatchObject({ error: { reason: 'revoked' } });
  expect(api.posted.get('a')).toHaveLength(2);
  expect(api.cut).toEqual(['b']);
});

test('a broadcast posts to at most 50 at a time, removes who is gone, and is over before the next message runs', async () => {
  let open = 0;
  let most = 0;
  const order: string[] = [];
  const api = await make(
    {},
    {
      async post(cid, text) {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 2));
        open--;
        order.push(JSON.parse(text).data.reports[0].message);
        return cid !== 'm7';
      },
    },
  );
  for (let i = 0; i < 120; i++) await api.connect(`m${i}`, { walker: 'PrivateRoom', token: 'ada' });
  // Right after its handshake a connection is called gone as well, so only old rows are removed.
  await api.say('m0', { message: 'early' });
  expect(await api.connections.find('m7')).toBeDefined();
  api.pass(60_000);
  order.length = 0;
  await Promise.all([api.say('m0', { message: 'first' }), api.say('m0', { message: 'second' })]);
  expect(most).toBe(50);
  expect(order).toEqual([...Array(120).fill('first'), ...Array(119).fill('second')]);
  expect(await api.connections.find('m7')).toBeUndefined();
});

test('messages that are too long or too many', async () => {
  const api = await make({ maxMessagesPerSecond: 2 });
  await api.connect('a', { walker: 'EchoWs' });
  for (let i = 0; i < 3; i++) await api.say('a', { message: 'fast' });
  expect(api.posted.get('a')!.map(({ error }) => error?.code)).toEqual([undefined, undefined, 'RATE_LIMITED']);
  await api.say('a', { message: 'x'.repeat(1100) });
  expect(api.posted.get('a')!.at(-1).error.code).toBe('MESSAGE_TOO_LARGE');
  expect(api.cut).toEqual(['a']);
  expect(await api.connections.find('a')).toBeUndefined();
});

test('the rate counts when messages came to the gateway, not when a function got to them', async () => {
  const api = await make({ maxMessagesPerSecond: 2 });
  const outcomes = () => api.posted.get('a')!.map(({ error }) => error?.code ?? 'ok');
  await api.connect('a', { walker: 'EchoWs' });
  for (const agoMs of [0, 2000, 4000]) {
    api.pass(2000);
    await api.say('a', { message: 'at once, each held up longer' }, agoMs + 2000);
  }
  expect(outcomes()).toEqual(['ok', 'ok', 'RATE_LIMITED']);
  api.pass(1000);
  await api.say('a', { message: 'later' });
  expect(outcomes().at(-1)).toBe('ok');
});

test('bytes end a connection', async () => {
  const api = await make();
  await api.connect('a', { walker: 'EchoWs' });
  expect(await api.sendBytes('a', Buffer.from([0, 1]))).toEqual({ statusCode: 200 });
  expect(api.cut).toEqual(['a']);
  expect(await api.connections.find('a')).toBeUndefined();
});

test('another process that holds the lock keeps a message waiting', async () => {
  const api = await make();
  await api.connect('a', { walker: 'EchoWs' });
  await api.connections.lock('a', 'elsewhere');
  let isDone = false;
  const said = api.say('a', { message: 'hi' }).then(() => (isDone = true));
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(isDone).toBe(false);
  await api.connections.unlock('a', 'elsewhere');
  await said;
  expect(api.posted.get('a')).toHaveLength(1);
  await api.say('gone', { message: 'hi' });
  expect(api.cut).toEqual(['gone']);
});
