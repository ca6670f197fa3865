/**
 * Rights of users on an object, by every way it can come to a caller (docs/server/permissions.md#operations): the same
 * table for each way, on two workers, while the owner changes the level in between. What is refused changes nothing,
 * what is allowed is there for the owner.
 */
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openDocumentDatabase } from '../harness/mongo/document-database.ts';
import { startRedis } from '../harness/redis-server.ts';
import { copyApp, type RunningServer, register, removeFolder, startServer } from '../harness/server.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) removeFolder(folder);
});

const [none, denied, read, connect, write] = [undefined, -1, 0, 1, 2] as const;
type Level = typeof none | typeof denied | typeof read | typeof connect | typeof write;

/** Level that each operation needs, and its name in a refusal. */
const operations = {
  read: { needs: read, called: '' },
  write: { needs: write, called: 'write' },
  append: { needs: write, called: 'write' },
  save: { needs: write, called: 'write' },
  to: { needs: connect, called: 'connect' },
  from: { needs: connect, called: 'connect' },
  rules: { needs: 3, called: 'access' },
  cut: { needs: write, called: 'disconnect' },
  delete: { needs: write, called: 'delete' },
} as const;
type Operation = keyof typeof operations;
const everything = Object.keys(operations) as Operation[];

/** Up and down, so that what a worker remembers of a level before would show. */
const upAndDown: readonly Level[] = [none, read, none, connect, read, denied, write];

interface User {
  readonly token: string;
  readonly rootId: string;
}

interface Things {
  readonly item: string;
  readonly box: string;
  readonly own: string;
}

/** `unseen`: as if it were not there; a refusal; or what was reported. */
type Outcome = 'unseen' | { readonly denied: unknown } | { readonly report: unknown };
type Way = (op: Operation, things: Things) => Promise<Outcome>;

const notThere = ['NODE_NOT_FOUND', 'VALIDATION_ERROR'];

function outcomeOf({ ok, data, error }: any): Outcome {
  if (!ok && error.code === 'PERMISSION_DENIED') return { denied: error.details.operation };
  if (!ok && notThere.includes(error.code)) return 'unseen';
  expect(ok, JSON.stringify(error)).toBe(true);
  const report = 'result' in data && !('reports' in data) ? data.result : (data.reports[0] ?? data.result);
  return report === 'unseen' ? 'unseen' : { report };
}

/** On a connection of its own, so that calls reach both workers. */
async function call({ base }: RunningServer, user: User, path: string, body: unknown, method = 'POST'): Promise<any> {
  const authorization = `Bearer ${user.token}`;
  const answer = await fetch(base + path, {
    method,
    headers: { 'content-type': 'application/json', authorization, connection: 'close' },
    body: JSON.stringify(body),
  });
  return answer.json();
}

async function openSocket({ port }: RunningServer, user: User): Promise<(message: unknown) => Promise<any>> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/Talk?token=${user.token}`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return (message) => {
    const answer = new Promise((resolve) => socket.once('message', (data) => resolve(JSON.parse(String(data)))));
    socket.send(JSON.stringify(message));
    return answer;
  };
}

async function waysOf(server: RunningServer, user: User): Promise<Readonly<Record<string, Way>>> {
  const walk = (path: string, body: (things: Things) => object): Way => {
    return async (op, things) => outcomeOf(await call(server, user, `/walker/${path}`, { op, ...body(things) }));
  };
  const { api_key: key } = (await call(server, user, '/api-key/create', { name: 'hook' })).data;
  const say = await openSocket(server, user);
  return {
    'its id': walk('ById', ({ item }) => ({ id: item })),
    'the node in the path': async (op, { item }) => outcomeOf(await call(server, user, `/walker/Here/${item}`, { op })),
    'a field': walk('Field', ({ item }) => ({ x: item })),
    'a field that brings fields of its own': walk('Field', ({ item }) => ({
      x: { _svc_id: item, _svc_type: 'Item', n: 999, tags: [1, 2, 3] },
    })),
    'a field that may be empty': walk('Perhaps', ({ item }) => ({ x: item })),
    'a list': walk('Listed', ({ item }) => ({ xs: [item] })),
    'a dict': walk('Named', ({ item }) => ({ xs: { it: item } })),
    'an object in a list in an object': walk('Wrapped', ({ item }) => ({ wrap: { item, more: [{ _svc_id: item }] } })),
    'a part of the path': async (op, { item }) =>
      outcomeOf(await call(server, user, `/things/${item}/${op}`, {}, 'PUT')),
    'a parameter of a function': async (op, { item }) =>
      outcomeOf(await call(server, user, '/function/touch', { x: item, op })),
    'a message of a socket': async (op, { item }) => outcomeOf(await say({ x: item, op })),
    'a webhook': async (op, { item }) => {
      const body = JSON.stringify({ x: item, op });
      const headers = {
        'content-type': 'application/json',
        'x-api-key': key,
        'x-webhook-signature': createHmac('sha256', key).update(body).digest('hex'),
      };
      const answer = await fetch(`${server.base}/webhook/Hook`, { method: 'POST', headers, body });
      return outcomeOf(await answer.json());
    },
    'an edge of the caller': walk('Near', ({ item }) => ({ id: item })),
    'a walk': walk('Arrive', ({ item }) => ({ id: item })),
    'the end of an edge': walk('End', ({ own }) => ({ own })),
    'a reference': walk('Ref', ({ box }) => ({ box })),
    'a reference in a list': walk('Many', ({ box }) => ({ box })),
    'a reference in a dict': walk('ByName', ({ box }) => ({ box })),
  };
}

/** Goes through the levels with one item that comes to `user` this way. */
async function tryLevels(
  { server, ann: owner, bob: user }: Started,
  way: Way,
  levels: readonly Level[] = upAndDown,
): Promise<void> {
  const owned = async (walker: string, body: object = {}) =>
    (await call(server, owner, `/walker/${walker}`, body)).reports[0];
  const things: Things = await owned('Setup');
  const { item } = things;
  const to = user.rootId;
  // An edge of the user's own that leads there, made while it may.
  await owned('Allow', { id: item, to, level: connect });
  await call(server, user, '/walker/ById', { id: item, op: 'to' });
  await owned('Disallow', { id: item, to });
  const state = { n: 1, tags: 0, ties: 1 };
  for (const level of levels) {
    if (level === none) await owned('Disallow', { id: item, to });
    else await owned('Allow', { id: item, to, level });
    for (const op of everything) {
      const { needs, called } = operations[op];
      const context = `${op} with level ${level}`;
      const outcome = await way(op, things);
      if (level === none || level === denied) expect(outcome, context).toBe('unseen');
      else if (level < needs) expect(outcome, context).toEqual({ denied: called });
      else {
        expect(outcome, context).toEqual({ report: op === 'read' ? state.n : 'done' });
        if (op === 'write') state.n++;
        if (op === 'append') state.tags++;
        if (op === 'cut') state.ties--;
      }
    }
    expect(await owned('State', { id: item }), `after level ${level}`).toEqual(level === write ? null : state);
  }
}

const quick = { SVC_WEBSOCKET_MAX_MESSAGES_PER_SECOND: '1000' };

interface Started {
  readonly server: RunningServer;
  readonly ann: User;
  readonly bob: User;
}

async function start(env: Record<string, string> = {}): Promise<Started> {
  const folder = copyApp(join(import.meta.dirname, 'permissions'));
  folders.push(folder);
  const server = await startServer({
    folder,
    entry: 'paths.svc',
    args: ['--workers', '2'],
    env: { ...quick, ...env },
  });
  return { server, ann: await register(server.base, 'ann'), bob: await register(server.base, 'bob') };
}

test('the table of levels and operations holds by every way an object comes to a caller, on two workers', async () => {
  const started = await start();
  await using server = started.server;
  for (const [name, way] of Object.entries(await waysOf(server, started.bob)))
    await tryLevels(started, way).catch((error) => {
      error.message = `${name}: ${error.message}`;
      throw error;
    });
  await server.stop();
});

test('it holds where records are also kept in Redis', async () => {
  await using redis = await startRedis();
  await using database = await openDocumentDatabase();
  const name = `svc_paths_${Date.now().toString(36)}`;
  const started = await start({ DOCDB_URI: database.uri, SVC_DATABASE_DOCDB_NAME: name, KVCACHE_URL: redis.url });
  await using server = started.server;
  const ways = await waysOf(server, started.bob);
  await tryLevels(started, ways['an edge of the caller']!, [read, none, connect, denied, write]);
  await server.stop();
});

test('no answer shows anything of what its caller may not read, however deep it lies', async () => {
  const { server, ann, bob } = await start();
  await using _ = server;
  const { item, box, own }: Things = (await call(server, ann, '/walker/Setup', {})).reports[0];
  const shown = async () =>
    JSON.stringify([
      (await call(server, bob, '/walker/Shown', { box, own })).reports,
      (await call(server, bob, '/traverse', { source: box, depth: -1, detailed: true })).data,
      (await call(server, bob, '/traverse', { source: own, depth: -1, detailed: true })).data,
    ]);
  const fields = '"n":1';
  expect(await shown()).not.toContain(item);
  expect(await shown()).not.toContain(fields);
  await call(server, ann, '/walker/Allow', { id: item, to: bob.rootId, level: read });
  const readable = await shown();
  expect([readable.includes(item), readable.includes(fields)]).toEqual([true, true]);
  await call(server, ann, '/walker/Disallow', { id: item, to: bob.rootId });
  for (let i = 0; i < 4; i++) expect(await shown()).not.toContain(item);
  await server.stop();
});
