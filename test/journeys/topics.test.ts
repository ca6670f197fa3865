/**
 * Topics over real servers: one process, workers, two hosts with Redis or PostgreSQL (docs/server/topics.md). Rooms of sockets, streams of events, resuming,
 * expulsion, sessions that end.
 */
import { afterAll, beforeAll, describe, expect, test as plainTest } from 'vitest';
import { findTool } from '../harness/find-tool.ts';
import { hasPostgres, startPostgres } from '../harness/postgres-server.ts';
import { startRedis } from '../harness/redis-server.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { type Hearer, hear, listen, post, signUp, topicsApp } from '../harness/topics.ts';

const settings = `[project]
name = "rooms"

[plugins.scale.live]
topic_buffer_messages = 5
max_topics_per_connection = 3

[plugins.scale.metrics]
enabled = true
`;

/** Ways to serve it: the servers that clients are spread over, and what ends them. */
const ways: Record<string, (folder: () => string) => Promise<{ servers: RunningServer[]; end(): Promise<void> }>> = {
  async 'one process'(folder) {
    const server = await startServer({ folder: folder() });
    return { servers: [server], end: async () => void (await server.stop('SIGKILL')) };
  },
  async '3 workers'(folder) {
    const server = await startServer({ folder: folder(), args: ['--workers', '3'] });
    return { servers: [server], end: async () => void (await server.stop()) };
  },
  async 'two hosts with Redis'(folder) {
    const redis = await startRedis();
    const path = folder();
    const env = { KVCACHE_URL: redis.url };
    const servers = [await startServer({ folder: path, env }), await startServer({ folder: path, env })];
    return {
      servers,
      async end() {
        for (const server of servers) await server.stop('SIGKILL');
        await redis[Symbol.asyncDispose]();
      },
    };
  },
  async 'two hosts with PostgreSQL'(folder) {
    const database = await startPostgres();
    const path = folder();
    const env = { DATABASE_URL: database.url };
    const servers = [await startServer({ folder: path, env }), await startServer({ folder: path, env })];
    return {
      servers,
      async end() {
        for (const server of servers) await server.stop('SIGKILL');
        await database[Symbol.asyncDispose]();
      },
    };
  },
};

const lacking: Record<string, () => boolean> = {
  'two hosts with Redis': () => findTool('redis-server', 'redis-server') === undefined,
  'two hosts with PostgreSQL': () => !hasPostgres(),
};

describe.each(Object.entries(ways))('topics: %s', (name, start) => {
  const test = plainTest.skipIf(lacking[name]?.() === true);
  const folder = folderWith({ 'main.svc': topicsApp, 'svc.toml': settings });
  let opened: Awaited<ReturnType<typeof start>>;
  let last = 0;
  /** Servers in turn, so that clients are on different processes. */
  const any = () => opened.servers[last++ % opened.servers.length]!;
  const seqs = ({ messages }: Hearer) => messages.map(({ seq }) => seq);

  beforeAll(async () => {
    opened = await start(() => folder.path);
  }, 60_000);
  afterAll(async () => {
    await opened.end();
    folder[Symbol.dispose]();
  });

  test('messages reach who is subscribed, numbered from 1, whatever the protocol', async () => {
    const [ada, bob] = [await hear(any()), await hear(any())];
    await ada.ask({ join: ['a'] });
    await bob.ask({ join: ['b'] });
    expect((await post(any(), '/walker/Say', { topic: 'a', text: 'one' })).status).toBe(200);
    expect((await post(any(), '/function/tell', { topic: 'a', text: { n: 2 } })).status).toBe(200);
    await bob.ask({ say: ['a', 'three'] });
    await ada.until(3);
    expect(ada.messages).toEqual([
      { type: 'message', topic: 'a', seq: 1, data: 'one' },
      { type: 'message', topic: 'a', seq: 2, data: { n: 2 } },
      { type: 'message', topic: 'a', seq: 3, data: 'three' },
    ]);
    expect(bob.messages).toEqual([]);
    await ada.ask({ leave: ['a'] });
    await bob.ask({ say: ['a', 'four'], join: ['a'] });
    await bob.until(1);
    expect(bob.messages).toEqual([{ type: 'message', topic: 'a', seq: 4, data: 'four' }]); // joined before it said so
    await ada.ask({});
    expect(ada.messages).toHaveLength(3);
    for (const one of [ada, bob]) one.socket.close();
  });

  test('a run that fails publishes, joins and leaves nothing', async () => {
    const ada = await hear(any());
    await ada.ask({ join: ['f'] });
    expect(await ada.ask({ join: ['g'], leave: ['f'], say: ['f', 'never'], fails: true })).toMatchObject({ ok: false });
    expect((await post(any(), '/walker/Say', { topic: 'f', text: 'x', fails: true })).status).toBe(500);
    await post(any(), '/walker/Say', { topic: 'g', text: 'unheard' });
    await post(any(), '/walker/Say', { topic: 'f', text: 'first' });
    await ada.until(1);
    expect(ada.messages).toEqual([{ type: 'message', topic: 'f', seq: 1, data: 'first' }]);
    ada.socket.close();
  });

  test('resuming: what was missed, without a seam; a gap for what is not kept, and after a restart', async () => {
    await post(any(), '/walker/Say', { topic: 'r', times: 3 });
    const ada = await hear(any());
    await ada.ask({ join: ['r'], $since: { r: 1, other: 7 } });
    await ada.until(2);
    await post(any(), '/walker/Say', { topic: 'r', times: 2 });
    await ada.until(4);
    expect(seqs(ada)).toEqual([2, 3, 4, 5]);
    await post(any(), '/walker/Say', { topic: 'r', times: 4 });
    const bob = await hear(any());
    await bob.ask({ join: ['r'], $since: { r: 2 } });
    await bob.until(6);
    expect(bob.messages[0]).toEqual({ type: 'gap', topic: 'r', from: 3, to: 4 });
    expect(seqs(bob).slice(1)).toEqual([5, 6, 7, 8, 9]);
    const eve = await hear(any());
    await eve.ask({ join: ['r', 'unused'], $since: { r: 100, unused: 3 } });
    await eve.until(2);
    await post(any(), '/walker/Say', { topic: 'r', text: 'ten' });
    await post(any(), '/walker/Say', { topic: 'unused', text: 'one' });
    await eve.until(4);
    const of = (topic: string) => eve.messages.filter((frame) => frame.topic === topic);
    expect(of('r')).toEqual([
      { type: 'gap', topic: 'r', from: 1, to: 9 },
      { type: 'message', topic: 'r', seq: 10, data: 'ten' },
    ]);
    expect(of('unused')).toEqual([
      { type: 'gap', topic: 'unused', from: 1, to: 0 },
      { type: 'message', topic: 'unused', seq: 1, data: 'one' },
    ]);
    const bad = await hear(any());
    bad.socket.send('{"join": ["r"], "$since": {"r": "2"}}');
    await bad.ask({ say: ['r'] });
    expect(bad.answers[0]).toMatchObject({ ok: false, error: { code: 'INVALID_PAYLOAD' } });
    for (const one of [ada, bob, eve, bad]) one.socket.close();
  });

  test('expulsion by root ends memberships on all processes, before what is said next', async () => {
    const tokens = [await signUp(any(), 'kim@example.com'), await signUp(any(), 'lou@example.com')];
    const clubs = await Promise.all(
      [tokens[0], tokens[0], tokens[0], tokens[1]].map((token) => hear(any(), { path: '/ws/Club', token: token! })),
    );
    const roots: string[] = [];
    for (const club of clubs) roots.push((await club.ask({ join: ['e'] })).data.reports[0]);
    await post(any(), '/walker/Say', { topic: 'e', text: 'hello' });
    for (const club of clubs) await club.until(1);
    await post(any(), '/walker/Expel', { topic: 'e', who: roots[0] });
    await clubs[3]!.until(2);
    await post(any(), '/walker/Say', { topic: 'e', text: 'among us' });
    await clubs[3]!.until(3);
    for (const club of clubs) await club.ask({});
    expect(clubs.map(seqs)).toEqual([[1], [1], [1], [1, 2, 3]]);
    await clubs[0]!.ask({ join: ['e'] }); // let in again
    await post(any(), '/walker/Say', { topic: 'e', text: 'again' });
    await clubs[0]!.until(2);
    expect(seqs(clubs[0]!)).toEqual([1, 4]);
    for (const one of clubs) one.socket.close();
  });

  test('a logout ends memberships at once', async () => {
    const token = await signUp(any(), 'max@example.com');
    const max = await hear(any(), { path: '/ws/Club', token });
    await max.ask({ join: ['l'] });
    expect((await post(any(), '/user/logout', {}, token)).status).toBeLessThan(300);
    expect(await max.closed).toEqual([4401, 'revoked']);
  });

  test('a call with Accept: text/event-stream becomes the stream of its topics; one without may not subscribe', async () => {
    const refused = await post(any(), '/walker/Listen', { topics: ['s'] });
    expect(refused.status).toBe(500);
    await post(any(), '/walker/Say', { topic: 's', times: 2 });
    const reader = await listen(any(), '/walker/Listen', { topics: ['s', 't u'] });
    await reader.until(1);
    expect(reader.events[0]).toMatchObject({ event: 'result', id: 's=2&t+u=0', data: { reports: ['history'] } });
    await post(any(), '/walker/Say', { topic: 't u', text: 'first' });
    await reader.until(2);
    expect(reader.events[1]).toEqual({
      id: 's=2&t+u=1',
      data: { type: 'message', topic: 't u', seq: 1, data: 'first' },
    });
    reader.close();
    await post(any(), '/walker/Say', { topic: 's', text: 'missed' });
    const again = await listen(
      any(),
      '/walker/Listen',
      { topics: ['s', 't u'] },
      { 'last-event-id': reader.events[1]!.id! },
    );
    await again.until(2);
    expect(again.events.map(({ data }) => data).filter(({ type }) => type === 'message')).toEqual([
      { type: 'message', topic: 's', seq: 3, data: 'missed' },
    ]);
    again.close();
    const token = await signUp(any(), 'noa@example.com');
    const mine = await listen(any(), '/walker/Mine', { topics: ['s'] }, { authorization: `Bearer ${token}` });
    await mine.until(1);
    await post(any(), '/user/logout', {}, token);
    await mine.ended;
    expect(mine.events.at(-1)).toMatchObject({ event: 'error', data: { error_type: 'UNAUTHORIZED' } });
    // Nothing subscribed to: an answer like any other.
    const plain = await listen(any(), '/walker/Listen', { topics: [] });
    expect(plain.status).toBe(200);
    await plain.ended;
  });

  test('names, sizes and numbers of topics are bounded', async () => {
    const ada = await hear(any());
    expect(await ada.ask({ join: ['1', '2', '3', '4'] })).toMatchObject({ error: { code: 'LIMIT_REACHED' } });
    expect(await ada.ask({ join: ['1', '2', '3'] })).toMatchObject({ ok: true });
    expect(await ada.ask({ join: ['4'] })).toMatchObject({ error: { code: 'LIMIT_REACHED' } });
    expect(await ada.ask({ join: ['é'.repeat(101)] })).toMatchObject({ ok: false });
    expect((await post(any(), '/walker/Say', { topic: 'é'.repeat(100), text: 1 })).status).toBe(200);
    expect((await post(any(), '/walker/Say', { topic: '', text: 1 })).status).toBe(500);
    expect((await post(any(), '/walker/Say', { topic: 'x', text: 'x'.repeat(1_048_576) })).status).toBe(500);
    const metrics = await (await fetch(`${any().base}/metrics`)).text();
    expect(metrics).toMatch(/^svc_scale_topic_messages_total \d+$/m);
    expect(metrics).toMatch(/^svc_scale_topic_events_total\{event="gap"\} [1-9]/m);
    ada.socket.close();
  });
});
