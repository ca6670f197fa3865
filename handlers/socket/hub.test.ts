/** Sockets behind the hub, with peers that only remember: time, caps, rooms, other processes (server.md 13). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EndedSession } from '../../core/accounts/desk.ts';
import { silentLog } from '../../core/log/create-log.ts';
import type { Log } from '../../core/log/log.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import { callOf } from '../../test/harness/call-of.ts';
import { fixtureApp } from '../../test/harness/fixture-app.ts';
import type { Caller } from '../caller.ts';
import type { Backplane } from './backplane.ts';
import type { SocketRules } from './desk.ts';
import type { FrameText } from './frames.ts';
import { createSocketHub, type SocketHub } from './hub.ts';
import type { Connection, SocketPeer } from './peer.ts';

class Peer implements SocketPeer {
  readonly frames: any[] = [];
  ended: readonly [number, string] | undefined = undefined;
  pings = 0;
  unsent = 0;
  sent = 0;
  connection: Connection | undefined = undefined;

  /** Sizes of the pieces of more than one frame that left together, in frames. */
  readonly pieces: number[] = [];
  private corkedAt = 0;
  cork(): void {
    this.corkedAt = this.frames.length;
  }
  uncork(): void {
    this.pieces.push(this.frames.length - this.corkedAt);
  }
  send({ text }: FrameText): void {
    this.frames.push(JSON.parse(text));
  }
  ping(): void {
    this.pings++;
  }
  close(code: number, reason: string): void {
    this.ended = [code, reason];
  }
  onDrain(listener: () => void): void {
    listener();
  }
  say(message: unknown): void {
    this.connection!.message(Buffer.from(JSON.stringify(message)), false);
  }
  /** Frames received, without heartbeats. */
  get answers(): any[] {
    return this.frames.filter(({ type }) => type !== 'ping');
  }
}

const user = (userId: string): Caller => ({
  kind: 'user',
  userId,
  rootId: (userId === 'ada' ? '1' : '2').repeat(32),
  role: 'user',
  ignoredToken: false,
});

const rules: SocketRules = {
  maxMessageBytes: 1024,
  maxMessagesPerSecond: 20,
  maxConnectionsPerTarget: 5000,
  maxConnectionsPerUser: 2,
  maxAnonymousConnections: 3,
  queueSize: 4,
  executionTimeoutSeconds: 30,
  heartbeatSeconds: 30,
  idleSeconds: 90,
  authTimeoutSeconds: 10,
  sendTimeoutSeconds: 5,
  sendBufferBytes: 1000,
  allowedOrigins: [],
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function make({ changes = {}, backplane }: { changes?: Partial<SocketRules>; backplane?: Backplane } = {}) {
  const ended: ((session: EndedSession) => void)[] = [];
  const live = new Set(['ada', 'bob']);
  const { app } = await fixtureApp({
    deps: {
      sockets: {
        identifyToken: (token) => (live.has(token) ? user(token) : 'revoked'),
        onSessionEnd(listener) {
          ended.push(listener);
          return () => ended.splice(ended.indexOf(listener), 1);
        },
      },
    },
  });
  const hub = createSocketHub({
    app: () => app.sockets!,
    rules: { ...rules, ...changes },
    maxJsonDepth: 32,
    log: silentLog,
    clock: Date,
    ...(backplane === undefined ? {} : { backplane }),
  });
  const logout = (userId: string) => {
    live.delete(userId);
    for (const listener of ended) listener({ userId, tokenId: null });
  };
  return { hub, app, logout, open: (path: string) => open(hub, path) };
}

async function open(hub: SocketHub, path: string): Promise<Peer> {
  const peer = new Peer();
  const call = callOf('GET', path);
  peer.connection = hub.open(await hub.admit(call), call, peer);
  return peer;
}

/** Runs are promises; they settle between turns of the event loop. */
async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

test('WSK-19: a heartbeat every 30 s; silence for 90 s closes, signs of life keep open', async () => {
  const { open } = await make();
  const silent = await open('/ws/EchoWs');
  const answering = await open('/ws/EchoWs');
  vi.advanceTimersByTime(30_000);
  expect(silent.frames).toMatchObject([{ type: 'ping', ts: Math.floor(Date.now() / 1000) }]);
  expect(silent.pings).toBe(1);
  answering.connection!.alive();
  vi.advanceTimersByTime(61_000);
  expect(silent.ended).toEqual([4408, 'idle']);
  answering.connection!.alive();
  for (let i = 0; i < 20; i++) {
    vi.advanceTimersByTime(30_000);
    answering.connection!.alive();
  }
  expect(answering.ended).toBeUndefined();
});

test('clients of bare reports get protocol pings only', async () => {
  const { hub } = await make();
  const peer = new Peer();
  const call = callOf('GET', '/ws/EchoWs', undefined, { headers: { 'sec-websocket-protocol': 'x, svc.reports.v1' } });
  const ticket = await hub.admit(call);
  expect(ticket.admission.subprotocol).toBe('svc.reports.v1');
  peer.connection = hub.open(ticket, call, peer);
  vi.advanceTimersByTime(30_000);
  expect([peer.frames, peer.pings]).toEqual([[], 1]);
});

test('who does not sign in within the time is refused; who does is counted as the user', async () => {
  const { open } = await make();
  const late = await open('/ws/PrivateRoom');
  vi.advanceTimersByTime(10_000);
  expect([late.frames.at(-1).error.reason, late.ended]).toEqual(['missing', [4401, 'missing']]);
  const peers = [await open('/ws/PrivateRoom'), await open('/ws/PrivateRoom'), await open('/ws/PrivateRoom')];
  expect((await open('/ws/PrivateRoom')).ended).toEqual([4403, 'CAPACITY']);
  for (const peer of peers) peer.say({ token: 'ada' });
  await settled();
  expect(peers.map(({ ended }) => ended?.[0])).toEqual([undefined, undefined, 4403]);
  expect((await open('/ws/PrivateRoom?token=ada')).ended?.[0]).toBe(4403);
  peers[0]!.connection!.closed();
  expect((await open('/ws/PrivateRoom?token=ada')).ended).toBeUndefined();
  expect((await open('/ws/PrivateRoom')).ended).toBeUndefined();
});

test('a broadcast reaches members only, never the one whose session ended', async () => {
  const { open, logout } = await make();
  const ada = await open('/ws/PrivateRoom?token=ada');
  const bob = await open('/ws/PrivateRoom?token=bob');
  const stranger = await open('/ws/PrivateRoom');
  ada.say({ message: 'one', $id: 'x' });
  await settled();
  expect(ada.answers).toMatchObject([{ ok: true, id: 'x', data: { reports: [{ message: 'one' }] } }]);
  expect(bob.answers).toMatchObject([{ ok: true, data: { reports: [{ message: 'one' }] } }]);
  expect(bob.answers[0].id).toBeUndefined();
  logout('bob');
  ada.say({ message: 'two' });
  await settled();
  expect(bob.answers.slice(1)).toMatchObject([{ error: { code: 'UNAUTHORIZED', reason: 'revoked' } }]);
  expect([bob.ended, stranger.frames]).toEqual([[4401, 'revoked'], []]);
});

test('a session that ended elsewhere is noticed at the next heartbeat', async () => {
  const { open, logout } = await make();
  const ada = await open('/ws/PrivateRoom?token=ada');
  logout('ada');
  vi.advanceTimersByTime(30_000);
  await settled();
  expect(ada.ended).toEqual([4401, 'revoked']);
});

test('a reader that takes nothing is cut: at once above the buffer, else after the time; others go on', async () => {
  const { open } = await make();
  const [sender, full, slow, brief] = [
    await open('/ws/PrivateRoom?token=ada'),
    await open('/ws/PrivateRoom?token=ada'),
    await open('/ws/PrivateRoom?token=bob'),
    await open('/ws/PrivateRoom?token=bob'),
  ];
  full.unsent = 1001;
  slow.unsent = brief.unsent = 500;
  sender.say({ message: 'x' });
  await settled();
  expect(full.ended).toEqual([4408, 'send_timeout']);
  brief.sent += 500;
  brief.unsent = 0;
  vi.advanceTimersByTime(5000);
  expect(slow.ended).toEqual([4408, 'send_timeout']);
  expect([brief.ended, sender.ended]).toEqual([undefined, undefined]);
});

test('messages above the rate are dropped in order; a hundred of them within a minute close', async () => {
  const { open } = await make({ changes: { maxMessagesPerSecond: 2, queueSize: 200 } });
  const peer = await open('/ws/EchoWs');
  for (let i = 0; i < 4; i++) peer.say({ message: `${i}` });
  await settled();
  expect(peer.answers.map(({ ok, error }) => (ok ? 'ran' : error.code))).toEqual([
    'ran',
    'ran',
    'RATE_LIMITED',
    'RATE_LIMITED',
  ]);
  vi.advanceTimersByTime(1000);
  peer.say({ message: 'again' });
  await settled();
  expect(peer.answers.at(-1).ok).toBe(true);
  for (let i = 0; i < 100; i++) peer.say({ message: 'x' });
  await settled();
  expect(peer.ended?.[0]).toBe(4429);
});

test('answers that need not wait leave when the messages of the turn have run, in order and in one piece', async () => {
  const { open } = await make();
  const peers = [await open('/ws/EchoWs'), await open('/ws/EchoWs')];
  for (const $id of [1, 2]) for (const peer of peers) peer.say({ type: 'ping', $id });
  peers[1]!.say('no object');
  await settled();
  expect(peers[0]!.frames.map(({ id }) => id)).toEqual([1, 2]);
  expect(peers[1]!.frames).toMatchObject([{ id: 1 }, { id: 2 }, { error: { code: 'INVALID_PAYLOAD' } }]);
  expect(peers.map(({ pieces }) => pieces)).toEqual([[2], [3]]);
});

test('a message whose fields do not fit gets a bounded list of what is wrong, and what may have been meant', async () => {
  const { open } = await make({ changes: { maxMessageBytes: 65_536 } });
  const peer = await open('/ws/EchoWs');
  const say = (text: string) => peer.connection!.message(Buffer.from(text), false);
  say('{"mesage":"x"}');
  say('{"message":"x","mesage":"y"}');
  say(`{"message":7,"n":[${Array(500).fill('12345678901234567890').join(',')}]}`);
  await settled();
  const unknown = ["unknown field 'mesage' (did you mean 'message'?)"];
  expect(peer.answers[0].error).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ loc: ['body', 'message'], type: 'missing' }],
    warnings: unknown,
  });
  expect(peer.answers[1].data.warnings).toEqual(unknown);
  expect(peer.answers[2].error).toMatchObject({ truncated: true, count: 501, warnings: ["unknown field 'n'"] });
  expect(peer.answers[2].error.details[99]).toMatchObject({ loc: ['body', 'n', 99], type: 'number_out_of_safe_range' });
});

test('what was answered before a connection is closed in the same turn leaves first', async () => {
  const { open } = await make();
  const peer = await open('/ws/EchoWs');
  peer.say({ type: 'ping' });
  peer.say({ type: 'refresh', token: 'nobody' });
  await settled();
  expect(peer.frames).toMatchObject([{ type: 'pong' }, { error: { code: 'UNAUTHORIZED' } }]);
  expect(peer.ended).toEqual([4401, 'revoked']);
});

test('broadcasts reach other processes, once, whatever their subprotocol', async () => {
  const buses = createBus();
  const [here, there] = [await make({ backplane: buses() }), await make({ backplane: buses() })];
  const [ada, bob] = [await here.open('/ws/PrivateRoom?token=ada'), await there.open('/ws/PrivateRoom?token=bob')];
  ada.say({ message: 'far', $id: 1 });
  await settled();
  expect([ada.answers.length, bob.answers]).toMatchObject([1, [{ data: { reports: [{ message: 'far' }] } }]]);
  expect(bob.answers[0].id).toBeUndefined();
  bob.say({ message: 'back' });
  await settled();
  expect([ada.answers.length, bob.answers.length]).toEqual([2, 2]);
});

test('a broadcast that other processes do not get is counted and logged, and reaches those who are here', async () => {
  const failures: unknown[] = [];
  const lines: unknown[] = [];
  const backplane: Backplane = {
    subscribe: async () => () => {},
    publish: () => Promise.reject(new Error('down')),
  };
  const { app } = await make();
  const log: Log = { ...silentLog, error: (message, fields) => void lines.push([message, fields]) };
  const meters = new Proxy({} as Meters, {
    get: (_target, name) => (name === 'sendFailed' ? (...args: unknown[]) => failures.push(args) : () => {}),
  });
  const hub = createSocketHub({
    app: () => app.sockets!,
    rules,
    maxJsonDepth: 32,
    log,
    meters,
    clock: Date,
    backplane,
  });
  const [ada, bob] = [await open(hub, '/ws/PrivateRoom?token=ada'), await open(hub, '/ws/PrivateRoom?token=bob')];
  for (const message of ['one', 'two']) ada.say({ message });
  await settled();
  expect([ada.answers.length, bob.answers.length]).toEqual([2, 2]);
  expect(failures).toEqual([
    ['walker:PrivateRoom', 'backplane'],
    ['walker:PrivateRoom', 'backplane'],
  ]);
  expect(lines).toEqual([
    ['broadcasts did not reach other processes', { target: 'walker:PrivateRoom', times: 1, error: 'down' }],
  ]);
});

test('without its backplane a room that broadcasts cannot be entered', async () => {
  const fault = new Error('down');
  const backplane: Backplane = { subscribe: () => Promise.reject(fault), publish: () => Promise.reject(fault) };
  const { open } = await make({ backplane });
  const peer = await open('/ws/PrivateRoom?token=ada');
  expect([peer.frames[0].error.code, peer.ended?.[0]]).toEqual(['SERVICE_UNAVAILABLE', 4503]);
  expect((await open('/ws/EchoWs')).ended).toBeUndefined();
});

test('a new version closes the connections of targets that changed or vanished, and keeps the others', async () => {
  const { app } = await make();
  let sockets = app.sockets!;
  const hub = createSocketHub({ app: () => sockets, rules, maxJsonDepth: 32, log: silentLog, clock: Date });
  const [echo, room, gone] = [
    await open(hub, '/ws/EchoWs'),
    await open(hub, '/ws/PrivateRoom?token=ada'),
    await open(hub, '/ws/TypedWs'),
  ];
  const before = sockets;
  sockets = {
    ...before,
    target(key) {
      const target = before.target(key)!;
      if (key === 'walker:TypedWs') return undefined;
      return key === 'walker:PrivateRoom' ? { ...target, shape: 'other' } : target;
    },
  };
  hub.programChanged();
  expect([echo.ended, room.ended?.[0], gone.ended?.[0]]).toEqual([undefined, 1012, 1012]);
  echo.say({ message: 'still here' });
  await settled();
  expect(echo.answers).toMatchObject([{ ok: true }]);
});

test('while the server drains nobody is let in; at the end everybody is told', async () => {
  const { hub, app, open } = await make();
  const peer = await open('/ws/EchoWs');
  app.lifecycle.drain();
  await expect(async () => hub.admit(callOf('GET', '/ws/EchoWs'))).rejects.toMatchObject({ status: 503 });
  hub.close(1001, 'bye');
  expect(peer.ended).toEqual([1001, 'bye']);
  expect(hub.counts().size).toBe(0);
});

/** Backplanes of processes that share channels; a process does not hear itself. */
function createBus(): () => Backplane {
  const listeners: { readonly owner: object; readonly channel: string; receive(message: string): void }[] = [];
  return () => {
    const owner = {};
    return {
      async subscribe(channel, receive) {
        const entry = { owner, channel, receive };
        listeners.push(entry);
        return () => void listeners.splice(listeners.indexOf(entry), 1);
      },
      async publish(channel, message) {
        for (const one of listeners) if (one.channel === channel && one.owner !== owner) one.receive(message);
      },
    };
  };
}
