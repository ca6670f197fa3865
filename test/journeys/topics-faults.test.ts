/**
 * Topics while things break (docs/server/topics.md#order): workers that are killed, Redis that loses connections, stops and comes back empty, readers that
 * do not read. Each fault shows that it happened. Who listens has every message once and in order, or was told which it misses.
 */
import { expect, test } from 'vitest';
import { Redis } from '../../adapters/redis/client.ts';
import { createRandom } from '../harness/random.ts';
import { startRedis } from '../harness/redis-server.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { hear, post, topicsApp } from '../harness/topics.ts';
import { workerPids } from '../harness/worker-pids.ts';

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1_000_000));

interface Listener {
  /** Frames of topics over all its connections, in order. */
  readonly heard: any[];
  /** Times its connection ended without being asked to. */
  readonly reconnects: number;
  stop(): void;
}

/** A client that comes back with the last number, as clients do. */
async function keepListening(server: RunningServer, topic: string): Promise<Listener> {
  const heard: any[] = [];
  let reconnects = 0;
  let isStopped = false;
  let stop = () => {};
  let joined = () => {};
  const isIn = new Promise<void>((resolve) => {
    joined = resolve;
  });
  const run = async () => {
    for (let last: number | undefined; !isStopped; reconnects++) {
      try {
        const hearer = await hear(server);
        stop = () => hearer.socket.close();
        const { messages } = hearer;
        hearer.socket.send(JSON.stringify({ join: [topic], $since: { [topic]: last ?? 0 }, $id: 0 }));
        hearer.socket.on('message', joined);
        await hearer.closed;
        heard.push(...messages);
        const end = messages.at(-1);
        last = end === undefined ? last : (end.seq ?? end.to);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50)); // nobody accepts at the moment
      }
    }
  };
  const ran = run();
  await isIn;
  return {
    heard,
    get reconnects() {
      return reconnects;
    },
    stop() {
      isStopped = true;
      stop();
      return ran as never;
    },
  };
}

/**
 * Publishes from several clients at once until so many calls were answered, and what is to happen meanwhile has happened; gives the units that were
 * acknowledged, with their numbers of messages.
 */
async function publishAll(
  servers: readonly RunningServer[],
  topic: string,
  count: number,
  draw: (n: number) => number,
  isEnough = () => true,
) {
  const acknowledged = new Map<string, number>();
  let next = 0;
  let left = count;
  const lane = async () => {
    while (left > 0 || !isEnough()) {
      const text = `unit ${next++}`;
      const times = 2 + draw(2);
      const server = servers[draw(servers.length)]!;
      const answer = await post(server, '/walker/Say', { topic, text, times }).catch(() => undefined);
      // For a moment every worker may be dead.
      if (answer === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
      else left--;
      if (answer?.status === 200) acknowledged.set(text, times);
    }
  };
  await Promise.all(Array.from({ length: 6 }, lane));
  return acknowledged;
}

/** Units that a listener heard, in order. @throws when one is torn apart, doubled or out of order */
function unitsOf(heard: readonly any[]): Map<string, number> {
  const units = new Map<string, number>();
  let current: string | undefined;
  for (const { data } of heard) {
    const [text, i] = data as [string, number];
    if (i === 0) {
      expect(units.has(text)).toBe(false);
      current = text;
    }
    expect([text, i]).toEqual([current, units.get(text) ?? 0]);
    units.set(text, i + 1);
  }
  return units;
}

const seqs = (heard: readonly any[]) => heard.map(({ seq }) => seq);
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const metric = async (server: RunningServer, line: RegExp) =>
  Number(line.exec(await (await fetch(`${server.base}/metrics`)).text())?.[1] ?? 0);
const settings =
  '[project]\nname = "faulty"\n[plugins.scale.metrics]\nenabled = true\n[plugins.scale.live]\ntopic_buffer_messages = 5000\n';

test(`workers are killed while many publish: nothing is lost, doubled or torn (SEED=${seed})`, {
  timeout: 120_000,
}, async () => {
  const draw = createRandom(seed).below;
  using folder = folderWith({ 'main.svc': topicsApp, 'svc.toml': settings });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '3'] });
  const listeners = await Promise.all(Array.from({ length: 8 }, () => keepListening(server, 'k')));
  const published = publishAll([server], 'k', 600, draw);
  let kills = 0;
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 150 + draw(200)));
    const pids = workerPids(server.child.pid!);
    process.kill(pids[draw(pids.length)]!, 'SIGKILL');
    kills++;
    while (server.output().split('a worker process ended unexpectedly').length - 1 < kills)
      await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const acknowledged = await published;
  const last = await hearSoon(server);
  await last.ask({ join: ['k'], say: ['k', ['end', 0]] });
  await last.until(1);
  const total = last.messages[0].seq;
  const all = await caughtUp(server, 'k', total);
  for (const listener of listeners) await (listener.stop() as unknown as Promise<void>);
  expect(listeners.some(({ reconnects }) => reconnects > 1)).toBe(true);
  expect(seqs(all)).toEqual(upTo(total));
  const units = unitsOf(all);
  for (const [text, times] of acknowledged) expect([text, units.get(text)]).toEqual([text, times]);
  expect(acknowledged.size).toBeGreaterThan(300);
  for (const { heard } of listeners) expect(heard).toEqual(all.slice(0, heard.length));
  expect(Math.min(...listeners.map(({ heard }) => heard.length))).toBeGreaterThan(0);
});

/** Waits until somebody accepts: for a moment every worker may be killed. */
async function hearSoon(server: RunningServer): Promise<Awaited<ReturnType<typeof hear>>> {
  for (;;) {
    try {
      return await hear(server);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** All that is kept up to a number. */
async function caughtUp(server: RunningServer, topic: string, total: number): Promise<any[]> {
  const hearer = await hearSoon(server);
  await hearer.ask({ join: [topic], $since: { [topic]: 0 } });
  await hearer.until(total);
  hearer.socket.close();
  return hearer.messages;
}

test(`Redis loses its connections, stops, and comes back empty (SEED=${seed})`, { timeout: 120_000 }, async () => {
  const draw = createRandom(seed).below;
  await using redis = await startRedis();
  using folder = folderWith({ 'main.svc': topicsApp, 'svc.toml': settings });
  const env = { KVCACHE_URL: redis.url };
  await using a = await startServer({ folder: folder.path, env });
  await using b = await startServer({ folder: folder.path, env });
  const hearers = [await hear(a), await hear(b), await hear(b)];
  for (const hearer of hearers) await hearer.ask({ join: ['r'] });

  // Connections are reset while both publish: commands and subscriptions.
  const admin = new Redis(redis.url);
  let killed = 0;
  let isPublishing = true;
  const resetting = (async () => {
    while (isPublishing) {
      await new Promise((resolve) => setTimeout(resolve, 120));
      const type = draw(2) === 0 ? 'pubsub' : 'normal';
      killed += Number(await admin.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes'));
    }
  })();
  const acknowledged = await publishAll([a, b], 'r', 500, draw, () => killed > 3);
  isPublishing = false;
  await resetting;
  expect(killed).toBeGreaterThan(3);
  const ended = await sayUntilSent(a, 'r', 'end of the resets');
  for (const hearer of hearers) await hearer.until(ended);
  const [first, ...others] = hearers.map(({ messages }) => [...messages]);
  expect(seqs(first!)).toEqual(upTo(first!.length));
  for (const other of others) expect(other).toEqual(first);
  const units = unitsOf(first!.filter(({ data }) => Array.isArray(data)));
  const failures = (await metric(a, failed)) + (await metric(b, failed));
  // A message that failed may have arrived all the same: its answer got lost.
  let lost = 0;
  for (const [text, times] of acknowledged) if (units.get(text) !== times) lost += times;
  expect(lost).toBeLessThanOrEqual(failures);

  // Redis stops: messages of that time are lost, counted and logged.
  const told = hearers.map(({ messages }) => messages.length);
  await redis.kill();
  expect((await post(a, '/walker/Say', { topic: 'r', text: 'lost' })).status).toBe(200);
  expect((await metric(a, failed)) + (await metric(b, failed))).toBe(failures + 1);
  await expect.poll(() => a.output()).toContain('messages of topics were not sent');
  expect(await (await refusedBy(b)).closed).toEqual([4503, 'SERVICE_UNAVAILABLE']);

  // Redis comes back empty: numbers begin anew, and listeners are told.
  await redis.restart();
  await sayUntilSent(a, 'r', 'anew');
  for (const [i, hearer] of hearers.entries()) {
    await hearer.until(told[i]! + 2);
    const [gap, message] = hearer.messages.slice(told[i]);
    expect(gap).toMatchObject({ type: 'gap', topic: 'r', from: 1 });
    expect(message).toMatchObject({ type: 'message', topic: 'r', data: 'anew', seq: gap.to + 1 });
  }
  await admin.disconnect();
});

const failed = /^svc_scale_topic_events_total\{event="send_failed"\} (\d+)$/m;

/** Publishes until the store took it; gives its number. */
async function sayUntilSent(server: RunningServer, topic: string, text: string): Promise<number> {
  for (;;) {
    const before = await metric(server, failed);
    await post(server, '/walker/Say', { topic, text });
    if ((await metric(server, failed)) === before) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  for (;;) {
    const hearer = await hear(server);
    await hearer.ask({ join: [topic], $since: { [topic]: 0 } }).catch(() => {});
    const isThere = () => hearer.messages.find(({ data }) => data === text);
    const closed = await Promise.race([hearer.closed.then(() => true), waitFor(() => isThere() !== undefined)]);
    hearer.socket.close();
    if (closed !== true) return isThere()!.seq;
  }
}

async function waitFor(isThere: () => boolean): Promise<void> {
  while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function refusedBy(server: RunningServer) {
  const hearer = await hear(server);
  hearer.socket.send('{"join": ["elsewhere"]}');
  return hearer;
}

const slowSettings = `${settings}topic_buffer_bytes = 33554432
[plugins.scale.websocket]
send_buffer_bytes = 262144
send_timeout_seconds = 3
max_message_bytes = 1048576
`;

test('a reader that does not read is cut off, others are not; it gets the rest as fast as it reads', {
  timeout: 120_000,
}, async () => {
  using folder = folderWith({ 'main.svc': topicsApp, 'svc.toml': slowSettings });
  await using server = await startServer({ folder: folder.path });
  const [slow, quick] = [await hear(server), await hear(server)];
  for (const hearer of [slow, quick]) await hearer.ask({ join: ['s'] });
  slow.socket.pause();
  const text = 'x'.repeat(60_000);
  let said = 0;
  const cuts = /^svc_scale_ws_send_failures_total\{.*reason="(?:buffer_full|timeout)"\} (\d+)$/m;
  while ((await metric(server, cuts)) === 0) {
    await post(server, '/walker/Say', { topic: 's', text });
    said++;
  }
  await quick.until(said);
  expect(seqs(quick.messages)).toEqual(upTo(said));
  slow.socket.resume();
  const [code] = await slow.closed;
  expect([4408, 1006]).toContain(code);
  const missed = slow.messages.at(-1)?.seq ?? 0;
  // The messages that are kept are far more than may wait for a reader, who reads a little at a time.
  for (const enough = said + 200; said < enough; ) {
    await post(server, '/walker/Say', { topic: 's', text });
    said++;
  }
  const back = await hear(server);
  const before = await metric(server, cuts);
  back.socket.send(JSON.stringify({ join: ['s'], $since: { s: missed } }));
  const reading = setInterval(() => {
    back.socket.resume();
    setTimeout(() => back.socket.pause(), 5);
  }, 25);
  await post(server, '/walker/Say', { topic: 's', text: 'last' });
  await back.until(said + 1 - missed);
  clearInterval(reading);
  back.socket.resume();
  expect(seqs(back.messages)).toEqual(upTo(said + 1).slice(missed));
  expect(await metric(server, cuts)).toBe(before);
});
