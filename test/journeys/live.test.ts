/** Live subscriptions of a server, seen from raw frames (docs/server/live.md). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LiveClient } from '../harness/live-client.ts';
import {
  copyApp,
  post,
  type RunningServer,
  register,
  removeFolder,
  repository,
  startServer,
} from '../harness/server.ts';

let server: RunningServer;
let folder: string;
let people = 0;

beforeAll(async () => {
  folder = copyApp(`${repository}/test/journeys/live`);
  server = await startServer({ folder });
}, 120_000);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  removeFolder(folder);
});

async function person() {
  const { token } = await register(server.base, `person${++people}`);
  const call = async (walker: string, fields: unknown = {}): Promise<any> => {
    const answer = await post(server.base, `/walker/${walker}`, fields, token);
    expect(answer.ok, JSON.stringify(answer)).toBe(true);
    return answer.reports;
  };
  return { token, call, live: () => LiveClient.open(server.base, token) };
}

const reportsOf = ({ data }: { data?: { reports: unknown[] } }) => data?.reports;
const metric = async (name: string, target: string): Promise<number> => {
  const text = await (await fetch(`${server.base}/metrics`)).text();
  const line = text.split('\n').find((each) => each.includes(`${name}{target="${target}"`));
  return line === undefined ? 0 : Number(line.split(' ').at(-1));
};
const moment = (ms = 200) => new Promise((resolve) => setTimeout(resolve, ms));

test('a commit that touches what was read brings the next value; one that does not, nothing', async () => {
  const ada = await person();
  const live = await ada.live();
  live.say({
    type: 'subscribe',
    all: [
      { id: 'notes', walker: 'Notes' },
      { id: 2, walker: 'OpenNotes', fields: {} },
    ],
  });
  // The first child of a node that had none.
  expect([reportsOf(await live.of('notes')), reportsOf(await live.of(2))]).toEqual([[], [[]]]);
  const [id] = await ada.call('AddNote', { text: 'milk' });
  const [first, second] = [await live.of('notes'), await live.of(2)];
  expect([first.version, reportsOf(first), second.version, reportsOf(second)]).toEqual([2, ['milk'], 2, [['milk']]]);
  await ada.call('Change', { id, text: 'cream' });
  await live.until('notes', ['cream']);
  // A property of a child decides whether it is in a filtered list.
  await ada.call('Finish', { id });
  await live.until(2, [[]]);
  await ada.call('Remove', { id });
  const last = await live.until('notes', []);
  expect(last.digest).toBe(live.frames[0]!.digest);
  const told = live.frames.length;
  await ada.call('MakeBoard', { name: 'not a note' });
  const bob = await person();
  await bob.call('AddNote', { text: 'of somebody else' });
  live.say({ type: 'unsubscribe', id: 'notes' });
  await ada.call('AddNote', { text: 'after' });
  await live.until(2, [['after']]);
  expect(live.frames.slice(told).map(({ id: of }) => of)).toEqual([2]);
  live.close();
});

test('versions grow by one and patches lead from one to the next', async () => {
  const ada = await person();
  const live = await ada.live();
  for (let i = 0; i < 6; i++) await ada.call('AddNote', { text: `note ${i} with a text that takes some room` });
  live.subscribe('p', 'Notes', { patch: true });
  let reports: any[] = [...(reportsOf(await live.of('p')) as any[])];
  const [id] = await ada.call('AddNote', { text: 'seventh' });
  let version = 1;
  for (const text of ['seventh', 'changed', 'again']) {
    if (text !== 'seventh') await ada.call('Change', { id, text });
    const frame = await live.of('p');
    expect(frame).toMatchObject({ type: 'patch', version: version + 1, base: version });
    version++;
    for (const { op, path, value } of frame.ops!) {
      const at = Number(path.split('/').at(-1));
      expect(path).toBe(`/reports/${at}`);
      reports = reports.toSpliced(at, op === 'add' ? 0 : 1, value);
    }
    expect(reports.at(-1)).toBe(text);
  }
  await ada.call('Remove', { id });
  expect((await live.of('p')).ops).toEqual([{ op: 'remove', path: '/reports/6' }]);
  live.close();
});

test('a client that has the present version is told of nothing, one that has an older one of the next', async () => {
  const ada = await person();
  await ada.call('AddNote', { text: 'one' });
  const before = await ada.live();
  before.subscribe('a', 'Notes');
  const { version, digest } = await before.of('a');
  before.close();
  const live = await ada.live();
  live.subscribe('same', 'Notes', { have: { version: 40, digest } });
  live.subscribe('old', 'Notes', { have: { version: 7, digest: 'something-else' } });
  expect(await live.next()).toMatchObject({ id: 'old', version: 8, data: { reports: ['one'] } });
  await ada.call('AddNote', { text: 'two' });
  expect(await live.of('same')).toMatchObject({ version: 41, data: { reports: ['one', 'two'] } });
  expect(version).toBe(1);
  live.close();
});

test('what writes is refused, whatever it catches, and nothing is stored', async () => {
  const ada = await person();
  await ada.call('AddNote', { text: 'milk' });
  const live = await ada.live();
  for (const walker of ['CatchesAll', 'ChangesInPlace', 'Commits', 'Streams', 'Publishes']) {
    live.subscribe(walker, walker);
    expect(await live.of(walker), walker).toMatchObject({
      type: 'error',
      final: true,
      error: { code: 'NOT_READ_ONLY' },
    });
  }
  live.subscribe('put', 'PutKept', { fields: { value: 1 } });
  expect(await live.of('put')).toMatchObject({ error: { code: 'NOT_READ_ONLY' } });
  live.subscribe('n', 'Notes');
  expect(reportsOf(await live.of('n'))).toEqual(['milk']);
  live.close();
});

test('a run that fails later does not end the subscription, and the same value is sent again', async () => {
  const ada = await person();
  await ada.call('AddNote', { text: 'fine' });
  const live = await ada.live();
  live.subscribe('f', 'Fragile');
  const first = await live.of('f');
  const [id] = await ada.call('AddNote', { text: 'fail' });
  expect(await live.of('f')).toMatchObject({ type: 'error', final: false, error: { code: 'TEAPOT' } });
  live.subscribe('late', 'Fragile');
  expect(await live.of('late')).toMatchObject({ type: 'error', final: true, error: { code: 'TEAPOT' } });
  await ada.call('Remove', { id });
  expect(await live.of('f')).toMatchObject({ type: 'result', version: 2, digest: first.digest });
  live.close();
});

test('requests that cannot be answered say so and leave the connection open', async () => {
  const ada = await person();
  const live = await ada.live();
  const refused = async (frame: object) => {
    live.say({ type: 'subscribe', ...frame });
    const { error, final, id } = await live.next(({ type }) => type === 'error');
    return [id, error!.code, final];
  };
  expect(await refused({ id: 1, walker: 'Nothing' })).toEqual([1, 'NOT_FOUND', true]);
  expect(await refused({ id: 1, walker: 'ReadBoard' })).toEqual([1, 'VALIDATION_ERROR', true]);
  expect(await refused({ id: 1, walker: 'Notes', every: 0.5 })).toEqual([1, 'VALIDATION_ERROR', true]);
  expect(await refused({ id: 1, walker: 'OneNote', node: 'f'.repeat(32) })).toEqual([1, 'NODE_NOT_FOUND', true]);
  expect(await refused({ id: 'x'.repeat(129), walker: 'Notes' })).toEqual([undefined, 'VALIDATION_ERROR', undefined]);
  live.subscribe(1, 'Notes');
  await live.of(1);
  expect(await refused({ id: 1, walker: 'Notes' })).toEqual([1, 'VALIDATION_ERROR', false]);
  live.socket.send('[]');
  expect(await live.next()).toMatchObject({ type: 'error', error: { code: 'INVALID_PAYLOAD' } });
  live.say({ type: 'subscribe', all: Array.from({ length: 8 }, (_, i) => ({ id: `n${i}`, walker: 'Notes' })) });
  expect(await live.next(({ type }) => type === 'error')).toMatchObject({ id: 'n7', error: { code: 'LIMIT_REACHED' } });
  await ada.call('AddNote', { text: 'still there' });
  await live.until(1, ['still there']);
  live.close();
});

test('an entry node that is gone ends the subscription', async () => {
  const ada = await person();
  const [id] = await ada.call('AddNote', { text: 'here' });
  const live = await ada.live();
  live.subscribe('one', 'OneNote', { node: id });
  expect(reportsOf(await live.of('one'))).toEqual(['here']);
  await ada.call('Remove', { id });
  expect(await live.of('one')).toMatchObject({ final: true, error: { code: 'NODE_NOT_FOUND' } });
  live.close();
});

test('a right that is lost shows at once, and nothing of the owner is sent any more', async () => {
  const [ada, bob] = [await person(), await person()];
  const [board] = await ada.call('MakeBoard', { name: 'first' });
  const [guest] = await bob.call('MyRoot');
  const live = await bob.live();
  live.subscribe('b', 'ReadBoard', { fields: { board } });
  expect(reportsOf(await live.of('b'))).toEqual([null]);
  await ada.call('Invite', { board, guest });
  await live.until('b', ['first']);
  await ada.call('Expel', { board, guest });
  await live.until('b', [null]);
  await ada.call('Rename', { board, name: 'secret' });
  await moment();
  expect(live.raw.filter((text) => text.includes('secret'))).toEqual([]);
  expect(live.frames).toHaveLength(3);
  live.close();
});

test('a guest signs in on the connection; somebody else on it is closed', async () => {
  const [ada, bob] = [await person(), await person()];
  await ada.call('AddNote', { text: 'of ada' });
  const live = await LiveClient.open(server.base);
  live.subscribe('mine', 'Notes');
  expect(await live.of('mine')).toMatchObject({ final: true, error: { code: 'UNAUTHORIZED', reason: 'missing' } });
  live.subscribe('feed', 'Feed');
  const before = await live.of('feed');
  live.say({ type: 'token', token: ada.token });
  const after = await live.until('feed', ['of ada']);
  expect(after.version).toBe(before.version! + 1);
  // A frame that subscribes may say who it is for as well.
  const page = await LiveClient.open(server.base);
  page.say({ type: 'subscribe', all: [{ id: 'mine', walker: 'Notes' }], token: ada.token });
  expect(await page.of('mine')).toMatchObject({ type: 'result', version: 1, data: { reports: ['of ada'] } });
  page.say({ type: 'subscribe', id: 'other', walker: 'Notes', token: bob.token });
  expect(await page.closed).toEqual({ code: 4401, reason: 'identity_mismatch' });
  expect(page.frames.filter(({ id }) => id === 'other')).toEqual([]);
  live.say({ type: 'token', token: bob.token });
  expect(await live.closed).toEqual({ code: 4401, reason: 'identity_mismatch' });
});

test('logout and a new password close at once, before any other value', async () => {
  const ada = await person();
  const live = await ada.live();
  live.subscribe('n', 'Notes');
  await live.of('n');
  const other = (await post(server.base, '/user/login', { username: `person${people}`, password: 'correct horse 1' }))
    .data.access_token;
  const change = { current_password: 'correct horse 1', new_password: 'another horse 22' };
  const changed = await post(server.base, '/user/password', change, other, 'PUT');
  expect(changed.ok, JSON.stringify(changed)).toBe(true);
  expect(await live.closed).toEqual({ code: 4401, reason: 'revoked' });
  const again = changed.data.access_token;
  await post(server.base, '/walker/AddNote', { text: 'later' }, again);
  await moment();
  expect(live.raw.some((text) => text.includes('later'))).toBe(false);
  const bob = await person();
  const second = await bob.live();
  await post(server.base, '/user/logout', {}, bob.token);
  expect(await second.closed).toEqual({ code: 4401, reason: 'revoked' });
  await expect(LiveClient.open(server.base, bob.token)).rejects.toThrow('401');
});

test('guests of one feed share a run; each commit runs what it concerns and nothing else', async () => {
  const guests = await Promise.all(Array.from({ length: 10 }, () => LiveClient.open(server.base)));
  const users = await Promise.all(Array.from({ length: 10 }, () => person()));
  const lives = await Promise.all(users.map((user) => user.live()));
  for (const live of guests) live.subscribe('f', 'Feed', { fields: { room: 'shared' } });
  for (const live of lives) live.subscribe('n', 'Notes');
  await Promise.all([...guests.map((live) => live.of('f')), ...lives.map((live) => live.of('n'))]);
  await moment();
  const [feeds, notes] = [
    await metric('live_runs_total', 'walker:Feed'),
    await metric('live_runs_total', 'walker:Notes'),
  ];
  expect(await metric('live_subscriptions', 'walker:Feed')).toBe(10);
  await users[3]!.call('AddNote', { text: 'one of ten' });
  await lives[3]!.until('n', ['one of ten']);
  await post(server.base, '/walker/Say', { text: 'to all' });
  for (const live of guests) expect(reportsOf(await live.of('f'))).toContain('to all');
  await moment();
  expect(await metric('live_runs_total', 'walker:Notes')).toBe(notes + 1);
  expect(await metric('live_runs_total', 'walker:Feed')).toBe(feeds + 1);
  for (const live of [...guests, ...lives]) live.close();
});

test('users share a run that gives everybody the same, until a right decides', async () => {
  const ada = await person();
  const [id] = await ada.call('AddNote', { text: 'first' });
  await ada.call('Show', { id, shown: true });
  const others = await Promise.all(Array.from({ length: 6 }, () => person()));
  const lives = await Promise.all([ada, ...others].map((user) => user.live()));
  // The owner comes first: after the others she would share their run.
  for (const group of [lives.slice(0, 1), lives.slice(1)]) {
    for (const live of group) live.subscribe('one', 'OneNote', { node: id });
    for (const live of group) expect(reportsOf(await live.of('one'))).toEqual(['first']);
  }
  await moment();
  const ran = await metric('live_runs_total', 'walker:OneNote');
  await ada.call('Change', { id, text: 'second' });
  for (const live of lives) expect(reportsOf(await live.of('one'))).toEqual(['second']);
  await moment();
  // One for all six; the owner sees her own.
  expect(await metric('live_runs_total', 'walker:OneNote')).toBe(ran + 2);
  await ada.call('Show', { id, shown: false });
  for (const live of lives.slice(1))
    expect(await live.of('one')).toMatchObject({ final: true, error: { code: 'NODE_NOT_FOUND' } });
  await ada.call('Change', { id, text: 'secret' });
  expect(reportsOf(await lives[0]!.of('one'))).toEqual(['secret']);
  await moment();
  for (const live of lives.slice(1)) expect(live.raw.filter((text) => text.includes('secret'))).toEqual([]);
  for (const live of lives) live.close();
});

test('functions, kvstore, and runs by time', async () => {
  const live = await LiveClient.open(server.base);
  live.say({ type: 'subscribe', id: 'c', function: 'count_notes' });
  const { result } = (await live.of('c')).data!;
  await post(server.base, '/walker/PutKept', { value: 1 });
  live.subscribe('k', 'Kept');
  expect(reportsOf(await live.of('k'))).toEqual([1]);
  await post(server.base, '/walker/PutKept', { value: 2 });
  await live.until('k', [2]);
  await post(server.base, '/walker/Say', { text: 'counted' });
  expect((await live.of('c')).data!.result).toBe(result + 1);
  const before = await metric('live_runs_total', 'walker:Kept');
  live.subscribe('e', 'Kept', { every: 1 });
  await live.of('e');
  await expect.poll(() => metric('live_runs_total', 'walker:Kept')).toBeGreaterThanOrEqual(before + 2);
  live.close();
});

async function openEvents(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${server.base}${path}`, { headers });
  const reader = answer.body!.getReader();
  let text = '';
  const next = async () => {
    for (;;) {
      const event = /^(?:id: (\S+)\n)?data: (.*)\n\n/m.exec(text);
      if (event !== null) {
        text = text.slice(event.index + event[0].length);
        return { id: event[1], frame: JSON.parse(event[2]!) };
      }
      text += Buffer.from((await reader.read()).value!).toString();
    }
  };
  return { answer, next, cancel: () => reader.cancel() };
}

test('server-sent events carry versions, and go on after Last-Event-ID', async () => {
  const ada = await person();
  const open = (headers: Record<string, string> = {}) => openEvents(`/live/Notes?token=${ada.token}`, headers);
  const stream = await open();
  expect(stream.answer.headers.get('content-type')).toContain('text/event-stream');
  const first = await stream.next();
  expect([first.frame.version, reportsOf(first.frame)]).toEqual([1, []]);
  await ada.call('AddNote', { text: 'by event' });
  const second = await stream.next();
  expect([second.id, reportsOf(second.frame)]).toEqual([`2.${second.frame.digest}`, ['by event']]);
  await stream.cancel();
  const again = await open({ 'last-event-id': second.id! });
  await ada.call('AddNote', { text: 'next' });
  expect((await again.next()).frame).toMatchObject({ version: 3, data: { reports: ['by event', 'next'] } });
  await again.cancel();
  const status = async (path: string) => (await fetch(`${server.base}${path}`)).status;
  expect([await status('/live/Notes'), await status('/live/Nothing'), await status('/live/Kept?token=x')]).toEqual([
    401, 404, 401,
  ]);
  expect([await status('/live/CatchesAll'), await status('/live')]).toEqual([401, 426]);
  expect(server.output()).not.toContain(ada.token);
});

test('server-sent events of a node, by time, and with the messages that were missed', async () => {
  const ada = await person();
  const [id] = await ada.call('AddNote', { text: 'milk' });
  const events = (path: string) => openEvents(`${path}&token=${ada.token}`);
  const onNode = await events(`/live/OneNote?nd=${id}`);
  expect(reportsOf((await onNode.next()).frame)).toEqual(['milk']);
  await onNode.cancel();
  const before = await metric('live_runs_total', 'walker:Kept');
  const timed = await events('/live/Kept?$every=1');
  await timed.next();
  await expect.poll(() => metric('live_runs_total', 'walker:Kept')).toBeGreaterThanOrEqual(before + 2);
  await timed.cancel();
  const tell = (text: string) => post(server.base, '/walker/Tell', { room: 'events', text });
  const member = await events('/live/Join?room=events');
  await member.next();
  await tell('one');
  expect((await member.next()).frame).toMatchObject({ topic: 'room:events', seq: 1 });
  await member.cancel();
  await tell('two');
  const since = encodeURIComponent('{"room:events": 1}');
  const again = await events(`/live/Join?room=events&$since=${since}`);
  const frames = [(await again.next()).frame, (await again.next()).frame];
  expect(frames.find(({ type }) => type === 'message')).toMatchObject({ seq: 2, data: 'two' });
  await again.cancel();
  const bad = ['nd=7', '$every=0.5', '$every=x', '$since=x'];
  const statuses = bad.map(
    async (query) => (await fetch(`${server.base}/live/Notes?${query}&token=${ada.token}`)).status,
  );
  expect(await Promise.all(statuses)).toEqual([422, 422, 422, 422]);
});

test('an API key follows what it may call, until it is revoked', async () => {
  const ada = await person();
  await ada.call('AddNote', { text: 'milk' });
  const made = await post(
    server.base,
    '/api-key/create',
    { name: 'robot', scopes: ['call'], allowed_walkers: ['Notes'] },
    ada.token,
  );
  const headers = { 'x-api-key': made.data.api_key };
  const live = await LiveClient.open(server.base, undefined, headers);
  live.subscribe('n', 'Notes');
  expect(reportsOf(await live.of('n'))).toEqual(['milk']);
  live.subscribe('o', 'OpenNotes');
  expect(await live.of('o')).toMatchObject({ type: 'error', final: true, error: { code: 'FORBIDDEN' } });
  await ada.call('AddNote', { text: 'bread' });
  expect(reportsOf(await live.of('n'))).toEqual(['milk', 'bread']);
  const events = await openEvents('/live/Notes', headers);
  expect(reportsOf((await events.next()).frame)).toEqual(['milk', 'bread']);
  expect((await fetch(`${server.base}/live/OpenNotes`, { headers })).status).toBe(403);
  const revoked = await fetch(`${server.base}/api-key/${made.data.api_key_id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${ada.token}` },
  });
  expect(revoked.status).toBe(200);
  live.subscribe('again', 'Notes');
  expect((await live.closed).code).toBe(4401);
  await events.cancel();
  expect((await fetch(`${server.base}/live/Notes`, { headers })).status).toBe(401);
});

test('a run subscribes to topics: messages carry the id, and what was missed comes by since', async () => {
  const tell = (room: string, text: string) => post(server.base, '/walker/Tell', { room, text });
  const live = await LiveClient.open(server.base);
  live.subscribe('j', 'Join', { fields: { room: 'a' } });
  expect(reportsOf(await live.of('j'))).toEqual(['in a']);
  await tell('a', 'one');
  expect(await live.of('j')).toEqual({ type: 'message', topic: 'room:a', seq: 1, data: 'one', id: 'j' });
  live.say({ type: 'unsubscribe', id: 'j' });
  await tell('a', 'two');
  await tell('a', 'three');
  live.subscribe('k', 'Join', { fields: { room: 'a' }, since: { 'room:a': 1 } });
  for (const data of ['two', 'three']) {
    expect(await live.next(({ type }) => type === 'message')).toMatchObject({ id: 'k', data });
  }
  await tell('b', 'elsewhere');
  await tell('a', 'four');
  expect(await live.next(({ type }) => type === 'message')).toMatchObject({ id: 'k', seq: 4 });
  live.close();
});

test('a membership ends with the right', async () => {
  const [ada, bob] = [await person(), await person()];
  const [board] = await ada.call('MakeBoard', { name: 'room' });
  const [guest] = await bob.call('MyRoot');
  const live = await bob.live();
  live.subscribe('h', 'HearBoard', { fields: { board } });
  await live.until('h', ['no']);
  await ada.call('OnBoard', { board, text: 'before' });
  await ada.call('Invite', { board, guest });
  await live.until('h', ['yes']);
  await ada.call('OnBoard', { board, text: 'welcome' });
  expect(await live.of('h')).toMatchObject({ type: 'message', data: 'welcome' });
  await ada.call('Expel', { board, guest });
  await live.until('h', ['no']);
  await ada.call('OnBoard', { board, text: 'after' });
  await moment();
  expect(live.raw.filter((text) => text.includes('before') || text.includes('after'))).toEqual([]);
  live.close();
});

test('a slow reader gets the newest value, as a whole, and none of those in between', async () => {
  const ada = await person();
  const live = await ada.live();
  live.subscribe('big', 'Notes', { patch: true });
  await live.of('big');
  const [id] = await ada.call('AddNote', { text: 'x'.repeat(500_000) });
  await live.of('big');
  const socket = (live.socket as unknown as { _socket: import('node:net').Socket })._socket;
  socket.pause();
  // More than both ends of a connection keep.
  for (let i = 1; i <= 40; i++) {
    await ada.call('Change', { id, text: `${i} ${'y'.repeat(500_000)}` });
    await moment(60);
  }
  const seen = live.frames.length;
  socket.resume();
  const isLast = ({ data }: { data?: { reports: unknown[] } }) => String(data?.reports[0]).startsWith('40 ');
  const last = await live.next(isLast);
  expect(last.type).toBe('result');
  const came = live.frames.slice(seen);
  expect(came.length).toBeLessThan(39);
  expect(last.version).toBe(live.frames.length);
  live.close();
});
