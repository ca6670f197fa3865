/** API keys that call walkers, functions and sockets as their owner (docs/server/api-keys.md#scopes). */
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { post, type RunningServer, register, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const app = `node Item { has text: str; }
walker Add { has text: str; can go with Root entry { here ++> Item(text=self.text); report len([here -->[?:Item]]); } }
walker :pub Mine { can go with Root entry { report len([here -->[?:Item]]); } }
def :priv double(n: int) -> int { return n * 2; }

@restspec(protocol=APIProtocol.WEBSOCKET)
async walker Live { has n: int = 0; can go with Root entry { report [self.n, len([here -->[?:Item]])]; } }
@restspec(protocol=APIProtocol.WEBSOCKET)
async walker :pub LivePub { has n: int = 0; can go with Root entry { report len([here -->[?:Item]]); } }
`;

const settings = `[plugins.scale.websocket]
heartbeat_seconds = 1
[plugins.scale.auth]
session_cache_seconds = 1
`;

async function makeKey(base: string, token: string, wanted: object): Promise<any> {
  return await post(base, '/api-key/create', { name: 'k', ...wanted }, token);
}

function calls(base: string, key: string) {
  return async (path: string, body: object = {}, method = 'POST') => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const answer = await fetch(base + path, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, ...((await answer.json()) as any) };
  };
}

/** A socket opened with a key: its frames, and what ended it. */
function open(base: string, path: string, key: string) {
  const socket = new WebSocket(base.replace('http', 'ws') + path, { headers: { 'x-api-key': key } });
  const ready = new Promise<number | 'open'>((resolve) => {
    socket.on('open', () => resolve('open'));
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode!));
    socket.on('error', () => {});
  });
  const frames: any[] = [];
  let wake = () => {};
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    if (frame.type !== 'ping') frames.push(frame);
    wake();
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  const next = async () => {
    while (frames.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return frames.shift();
  };
  return { ready, next, closed, say: (message: object) => socket.send(JSON.stringify(message)), socket };
}

test.each([
  ['a server', [], (name: string) => `/ws/${name}`],
  ['workers', ['--workers', '2'], (name: string) => `/ws/${name}`],
  ['functions', ['--emulate'], (name: string) => `/?walker=${name}`],
] as const)('a key with the scope call: %s', async (kind, args, place) => {
  using folder = folderWith({ 'main.svc': app, 'svc.toml': settings });
  await using server: RunningServer = await startServer({ folder: folder.path, args });
  const { base } = server;
  const { token } = await register(base, 'ada');
  const made = await makeKey(base, token, { scopes: ['call'] });
  expect([made.status, made.data.scopes]).toEqual([201, ['call']]);
  const call = calls(base, made.data.api_key);
  expect((await call('/walker/Add', { text: 'a' })).reports).toEqual([1]);
  expect((await call('/walker/Mine')).reports, 'a public walker runs as the owner').toEqual([1]);
  expect((await call('/function/double', { n: 21 })).result).toBe(42);
  expect((await post(base, '/walker/Add', { text: 'b' }, token)).reports).toEqual([2]);

  // Nothing about accounts, keys or the graph as a whole.
  for (const [path, method] of [
    ['/user/me', 'GET'],
    ['/user/password', 'PUT'],
    ['/api-key/list', 'GET'],
    ['/api-key/create', 'POST'],
    ['/traverse', 'POST'],
  ] as const)
    expect((await call(path, {}, method)).status, path).toBe(401);

  const live = open(base, place('Live'), made.data.api_key);
  expect(await live.ready).toBe('open');
  live.say({ n: 7 });
  expect((await live.next()).data.reports).toEqual([[7, 2]]);
  const pub = open(base, place('LivePub'), made.data.api_key);
  expect(await pub.ready).toBe('open');
  pub.say({ n: 1 });
  expect((await pub.next()).data.reports).toEqual([2]);

  const limited = await makeKey(base, token, { scopes: 'call', allowed_walkers: ['double', 'Mine'] });
  const narrow = calls(base, limited.data.api_key);
  expect((await narrow('/function/double', { n: 1 })).result).toBe(2);
  expect((await narrow('/walker/Add', { text: 'c' })).error.details.reason).toBe('walker_not_allowed');
  expect(await open(base, place('Live'), limited.data.api_key).ready).toBe(403);
  expect(await open(base, place('LivePub'), 'svck_unknown').ready).toBe(401);
  const foreign = open(base, place('LivePub'), 'key of a gateway');
  expect(await foreign.ready).toBe('open');
  foreign.say({ n: 1 });
  expect((await foreign.next()).data.reports, 'a guest').toEqual([0]);

  // A changed password ends sessions, not keys; revoking ends calls and sockets.
  const changed = await post(
    base,
    '/user/password',
    { current_password: 'correct horse 1', new_password: 'correct horse 2' },
    token,
    'PUT',
  );
  expect((await call('/walker/Mine')).reports).toEqual([2]);
  live.say({ n: 8 });
  expect((await live.next()).data.reports).toEqual([[8, 2]]);
  await post(base, `/api-key/${made.data.api_key_id}`, {}, changed.data.access_token, 'DELETE');
  while ((await call('/function/double', { n: 1 })).status !== 401); // other processes hear of it within the cache's time
  if (kind === 'functions') {
    // Nothing looks after connections by itself there: the next message ends it.
    for (let isOver = false; !isOver; ) {
      live.say({ n: 9 });
      isOver = (await live.next()).error?.reason === 'revoked';
    }
  }
  expect(await live.closed).toBe(kind === 'functions' ? 1000 : 4401);
  for (const { socket } of [pub, foreign]) socket.terminate();
});

test('what is asked of a key is checked, and listed', async () => {
  using folder = folderWith({ 'main.svc': app });
  await using server = await startServer({ folder: folder.path });
  const { token } = await register(server.base, 'ada');
  const problem = async (wanted: object) => {
    const { error } = await makeKey(server.base, token, wanted);
    return error.details.map(({ loc, msg }: any) => `${loc.join('.')} ${msg}`);
  };
  expect(await problem({ scopes: 'admin' })).toEqual([
    'body.scopes there is no scope "admin": "webhook" is for webhooks, "call" for walkers and functions',
  ]);
  expect(await problem({ scopes: [] })).toEqual(['body.scopes must name at least one scope']);
  expect(await problem({ scopes: 7 })).toEqual(['body.scopes must be a name or a list of names']);
  expect(await problem({ allowed_walkers: 'Add' })).toEqual(['body.allowed_walkers there is no webhook walker "Add"']);
  expect(await problem({ scopes: ['call'], allowed_walkers: ['doubel'] })).toEqual([
    'body.allowed_walkers there is no walker or function "doubel" (did you mean "double"?)',
  ]);
  await makeKey(server.base, token, { scopes: ['call', 'webhook', 'call'], allowed_walkers: ['Add', 'Live'] });
  const { data } = await post(server.base, '/api-key/list', undefined, token, 'GET');
  expect(data.api_keys).toMatchObject([{ scopes: ['call', 'webhook'], allowed_walkers: ['Add', 'Live'] }]);
});
