/** Subscriptions of a page over a socket whose other end says what a test wants it to say. */
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket as Socket, WebSocketServer } from 'ws';
import { type LiveListener, type LiveSocket, openLiveSocket } from './live-socket.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Frames of clients, and what is said to the connection that is open now. */
async function serve() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const frames: any[] = [];
  const state = { connections: 0, current: undefined as Socket | undefined, isDeaf: false };
  let wake = () => {};
  server.on('connection', (socket) => {
    state.connections++;
    if (state.isDeaf) return void socket.terminate();
    state.current = socket;
    socket.on('message', (data) => {
      frames.push(JSON.parse(String(data)));
      wake();
    });
  });
  ends.push(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  await new Promise((resolve) => server.on('listening', resolve));
  return {
    state,
    frames,
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/live`,
    say: (...all: object[]) => {
      for (const frame of all) state.current!.send(JSON.stringify(frame));
    },
    /** Resolves when so many frames have come. */
    async heard(count: number): Promise<any[]> {
      while (frames.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return frames;
    },
  };
}

function open(url: string, signedIn: { token: string | null } = { token: null }): LiveSocket {
  const live = openLiveSocket({
    ...{ url: () => url, token: () => signedIn.token, refused: () => {} },
    WebSocket: Socket as unknown as typeof WebSocket,
  });
  ends.push(live.close);
  return live;
}

function follow(live: LiveSocket, name: string) {
  const values: any[] = [];
  const wakes: (() => void)[] = [];
  const take = (value: any) => {
    values.push(value);
    for (const wake of wakes.splice(0)) wake();
  };
  const listener: LiveListener = { value: take, reset: () => take('reset') };
  const leave = live.subscribe({ walker: name, fields: {} }, listener);
  const until = async (wanted: unknown) => {
    while (JSON.stringify(values.at(-1)) !== JSON.stringify(wanted))
      await new Promise<void>((resolve) => wakes.push(resolve));
  };
  return { values, until, leave };
}

const result = (id: string, version: number, reports: unknown[]) => ({
  ...{ type: 'result', id, version, digest: `d${version}`, data: { reports } },
});
const adds = (id: string, base: number, value: unknown) => ({
  ...{ type: 'patch', id, base, version: base + 1, digest: `d${base + 1}` },
  ops: [{ op: 'add', path: '/reports/-', value }],
});
const tokenOf = (sub: string, n = 0) => `h.${btoa(JSON.stringify({ sub, n }))}.s`;

test('a patch of what is not here is asked for once, under another id: frames that are on their way change nothing', async () => {
  const server = await serve();
  const { values, until } = follow(open(server.url), 'Notes');
  const [first] = await server.heard(1);
  const id = first.all[0].id;
  server.say(result(id, 1, [1]), adds(id, 2, 'lost'), adds(id, 3, 'late'), result(id, 9, ['late']));
  const [, leave, again] = await server.heard(3);
  expect(leave).toEqual({ type: 'unsubscribe', id });
  const { id: next, have } = again.all[0];
  expect([again.type, next === id, have]).toEqual(['subscribe', false, undefined]);
  server.say(adds(id, 9, 'late'), result(next, 1, [1, 2, 3]), adds(next, 1, 4));
  await until({ reports: [1, 2, 3, 4] });
  expect(values.map(({ reports }) => reports)).toEqual([[1], [1, 2, 3], [1, 2, 3, 4]]);
  expect(server.frames).toHaveLength(3);
});

test('a subscription that the server could not begin goes on when it can; another failure ends it', async () => {
  const server = await serve();
  const live = open(server.url);
  const told: unknown[] = [];
  const listener: LiveListener = { value: () => {}, failed: ({ code }, isFinal) => told.push([code, isFinal]) };
  live.subscribe({ walker: 'Notes', fields: {} }, listener);
  const { id } = (await server.heard(1))[0].all[0];
  const fails = (at: string, code: string) => ({ type: 'error', id: at, error: { code, message: '' } });
  server.say(result(id, 1, [1]), fails(id, 'SERVICE_UNAVAILABLE'));
  const [, leave, again] = await server.heard(3);
  expect(leave).toEqual({ type: 'unsubscribe', id });
  const [{ id: next, have }] = again.all;
  expect([next === id, have]).toEqual([false, { version: 1, digest: 'd1' }]);
  server.say(fails(next, 'NODE_NOT_FOUND'));
  await expect
    .poll(() => told)
    .toEqual([
      ['SERVICE_UNAVAILABLE', false],
      ['NODE_NOT_FOUND', true],
    ]);
});

test('frames that come twice, or after a newer one, are seen once', async () => {
  const server = await serve();
  const { values, until } = follow(open(server.url), 'Notes');
  const { id } = (await server.heard(1))[0].all[0];
  server.say(result(id, 1, []), adds(id, 1, 'a'), adds(id, 1, 'a'), result(id, 1, []), adds(id, 2, 'b'));
  await until({ reports: ['a', 'b'] });
  expect(values).toHaveLength(3);
  expect(server.frames).toHaveLength(1);
});

test('every frame that subscribes says who it is for, and all are repeated when the connection breaks between them', async () => {
  const server = await serve();
  const live = open(server.url, { token: tokenOf('ada') });
  const long = 'x'.repeat(9000);
  const followed = [follow(live, `A${long}`), follow(live, `B${long}`), follow(live, 'C')];
  const [sign, one, two] = await server.heard(3);
  expect(sign).toEqual({ type: 'token', token: tokenOf('ada') });
  expect([one.token, two.token]).toEqual([tokenOf('ada'), tokenOf('ada')]);
  server.say(result(one.all[0].id, 4, ['here']));
  await followed[0]!.until({ reports: ['here'] });
  server.state.current!.terminate();
  const asked = (await server.heard(6)).slice(4).flatMap(({ all }) => all);
  expect(asked.map(({ walker, have }) => [walker[0], have])).toEqual([
    ['A', { version: 4, digest: 'd4' }],
    ['B', undefined],
    ['C', undefined],
  ]);
});

test('who signs in while there is no connection sees nothing of the one before; a newer token keeps what is shown', async () => {
  const server = await serve();
  const signedIn = { token: tokenOf('ada') };
  const live = open(server.url, signedIn);
  const { values, until } = follow(live, 'Notes');
  const { id } = (await server.heard(2))[1].all[0];
  server.say(result(id, 7, ['of Ada']));
  await until({ reports: ['of Ada'] });
  server.state.isDeaf = true;
  server.state.current!.terminate();
  while (server.state.connections < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  signedIn.token = tokenOf('ada', 2);
  live.tokenChanged();
  expect(values).toHaveLength(1);
  signedIn.token = tokenOf('bob');
  live.tokenChanged();
  expect(values.at(-1)).toBe('reset');
  server.state.isDeaf = false;
  const again = (await server.heard(4))[3];
  expect([again.token, again.all[0].have]).toEqual([tokenOf('bob'), undefined]);
});

test('a guest who signs in is sent what is the same for the user, too', async () => {
  const server = await serve();
  const signedIn: { token: string | null } = { token: null };
  const live = open(server.url, signedIn);
  const { values, until } = follow(live, 'Notes');
  const { id } = (await server.heard(1))[0].all[0];
  server.say(result(id, 1, ['of all']));
  await until({ reports: ['of all'] });
  signedIn.token = tokenOf('ada');
  follow(live, 'Names');
  live.tokenChanged();
  expect(values.at(-1)).toBe('reset');
  const [, , , signs, asks] = await server.heard(5);
  expect(signs).toEqual({ type: 'token', token: tokenOf('ada') });
  expect(asks.all.map(({ walker, have }: any) => [walker, have])).toEqual([
    ['Notes', undefined],
    ['Names', undefined],
  ]);
  server.say(result(asks.all[0].id, 1, ['of all']));
  await until({ reports: ['of all'] });
});

test('a gateway that tells of a failed function is asked again over another connection', async () => {
  const server = await serve();
  const { values, until } = follow(open(server.url), 'Notes');
  const { id } = (await server.heard(1))[0].all[0];
  server.say(result(id, 1, ['a']), { message: 'Internal server error', connectionId: 'c=', requestId: 'r=' });
  const again = (await server.heard(2))[1].all[0];
  expect(again.have).toEqual({ version: 1, digest: 'd1' });
  server.say(result(again.id, 2, ['a', 'b']));
  await until({ reports: ['a', 'b'] });
  expect([values.length, server.state.connections]).toEqual([2, 2]);
});
