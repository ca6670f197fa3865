/**
 * Live subscriptions in the table while a process dies, or is too slow, at each of its steps (docs/server/cloud.md#live): whatever stands between two
 * of them, another process goes on, and clients cannot tell. What runs reads and gives is the test's own.
 */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openMemoryRows } from '../../adapters/stores/memory/rows.ts';
import { Failure } from '../../core/errors.ts';
import { nothingRead } from '../../core/live/live-reads.ts';
import { LiveValue } from '../../core/live/live-value.ts';
import { silentLog } from '../../core/log/create-log.ts';
import { createRandom } from '../../test/harness/random.ts';
import { guest } from '../auth/identify.ts';
import type { ConnectionRecord } from '../socket/connection-store.ts';
import type { RowTable } from './rows.ts';
import { createTableLive } from './table-live.ts';
import { createTableMembers } from './table-members.ts';
import { createTableTopics } from './table-topics.ts';

const limits = { runTimeoutSeconds: 10, topicBufferMessages: 100, topicBufferBytes: 100_000, topicBufferSeconds: 300 };
const lockMs = 15_000;

interface World {
  reports: readonly string[];
  reads: readonly string[];
  topics: readonly string[];
  failure: { readonly code: string; readonly isFinal: boolean } | undefined;
  /** Another answer for each one's fields. */
  of: ((fields: any) => Pick<World, 'reports' | 'reads'>) | undefined;
}

/** Frames that one connection was sent, each judged. */
class Client {
  have = { version: 0, digest: '' };
  data: any = undefined;
  error: { readonly code: string; readonly final: boolean } | undefined = undefined;
  frames = 0;
  cid: string;

  constructor(cid: string) {
    this.cid = cid;
  }

  take(text: string): void {
    this.frames++;
    const { type, version, digest, base, data, ops, error, final } = JSON.parse(text);
    if (type === 'error') {
      this.error = { code: error.code, final };
      return;
    }
    if (type === 'message') return;
    expect(this.error?.final, `${this.cid} had ended: ${text}`).not.toBe(true);
    expect(version, `${this.cid} has ${JSON.stringify(this.have)}: ${text}`).toBeGreaterThanOrEqual(this.have.version);
    this.error = undefined;
    if (version === this.have.version) return void expect(digest, `${this.cid}: ${text}`).toBe(this.have.digest);
    if (type === 'result') this.data = data;
    else {
      expect(base, `${this.cid}: ${text}`).toBe(this.have.version);
      for (const { op, value } of ops) {
        expect(op).toBe('add');
        this.data.reports.push(value);
      }
    }
    expect(new LiveValue(JSON.stringify(this.data)).digest, `${this.cid}: ${text}`).toBe(digest);
    this.have = { version, digest };
  }
}

/** Called before each step of a process, with the number of those before. */
type Step = (count: number) => unknown;

function open() {
  const rows = openMemoryRows();
  const many = Array.from({ length: 20 }, (_, i) => `report ${i}`);
  const world: World = { reports: many, reads: ['a'], topics: [], failure: undefined, of: undefined };
  const clients = new Map<string, Client>();
  let nowMs = 1_000_000;
  let serial = 0;
  const clock = { now: () => nowMs };
  const connections = { find: async (cid: string) => (clients.has(cid) ? ({ cid } as ConnectionRecord) : undefined) };

  function start(step: Step = () => {}) {
    let steps = 0;
    const stepping =
      <Given extends unknown[], Made>(work: (...given: Given) => Promise<Made>) =>
      async (...given: Given): Promise<Made> => {
        await step(steps++);
        return await work(...given);
      };
    const table: RowTable = {
      get: stepping(rows.get),
      getMany: stepping(rows.getMany),
      query: stepping(rows.query),
      write: stepping(rows.write),
      update: stepping(rows.update),
      transact: stepping(rows.transact),
    };
    const desk = {
      callerOf: async () => guest,
      isLive: async () => true,
      post: stepping(async (cid: string, text: string) => {
        clients.get(cid)!.take(text);
        return true;
      }),
    };
    const topics = createTableTopics(table, limits, clock.now);
    const members = createTableMembers({
      ...{ table, topics, desk, connections, clock, log: silentLog, maxTopicsPerConnection: 10 },
    });
    const target = { bind: ({ body }: any) => body };
    const app: any = {
      target: () => target,
      async run(_target: unknown, _caller: unknown, bind: () => unknown) {
        const { failure, topics: heard } = world;
        const { reports, reads: kept } = world.of?.(bind()) ?? world;
        const reads = { ...nothingRead, kept: [...kept] };
        await step(steps++);
        if (failure === undefined) return { value: new LiveValue(JSON.stringify({ reports })), reads, topics: heard };
        return { failure: new Failure(failure.code as 'CONFLICT', 'no'), isFinal: failure.isFinal, reads };
      },
    };
    const live = createTableLive({
      ...{ table, connections, desk, members, clock, limits: limits as any, maxFrameBytes: 100_000 },
      ...{ app: () => app, store: { name: 'memory', types: new Map() } as any, meters: undefined },
      nextId: () => String(++serial),
    });
    return { live, topics, members, steps: () => steps };
  }
  const healthy = start();
  return {
    ...{ rows, world, clients, start, healthy },
    async join(cid: string, more: object = {}, by = healthy) {
      clients.set(cid, new Client(cid));
      const asked = { walker: 'See', ...more };
      await by.live.join({ cid } as ConnectionRecord, guest, '"s"', asked as any);
    },
    pass: (ms: number) => {
      nowMs += ms;
    },
    expectCurrent() {
      for (const { cid, data, error } of clients.values())
        expect([cid, error, data?.reports]).toEqual([cid, undefined, world.reports]);
    },
  };
}

type Place = ReturnType<typeof open>;

/** A promise that `open` resolves. */
function door() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** A step at which a process is held up until it is let go on. */
function stopAt(place: Place, at: number) {
  const [reached, release] = [door(), door()];
  const slow = place.start(async (count) => {
    if (count !== at) return;
    reached.open();
    await release.opened;
  });
  return { slow, reached: reached.opened, release: release.open, isReached: () => slow.steps() > at };
}

async function withThree(): Promise<Place> {
  const place = open();
  await place.join('one');
  await place.join('two', { patch: true });
  await place.join('three', { have: { version: 41, digest: 'before' } });
  place.expectCurrent();
  return place;
}

const touched = (place: Place, by: { live: { touch(keys: readonly string[]): Promise<void> } } = place.healthy) =>
  by.live.touch(place.world.reads.map((name) => `k:${name}`));

/** Runs a scene once for each step of its process, which dies before that one. */
async function atEachDeath(
  scene: (place: Place, mortal: ReturnType<Place['start']>) => Promise<unknown>,
  after: (place: Place) => Promise<unknown>,
): Promise<void> {
  let deaths = 0;
  for (let last = 0; ; last++) {
    const place = await withThree();
    let isDead = false;
    const mortal = place.start((count) => {
      isDead ||= count >= last;
      if (isDead) throw new Error('dead');
    });
    await scene(place, mortal).catch((error: Error) => expect(error.message).toBe('dead'));
    if (isDead) deaths++;
    place.pass(lockMs + 1);
    await after(place);
    if (!isDead) break;
  }
  expect(deaths).toBeGreaterThan(5);
}

describe('a process dies before each of its steps', () => {
  test('a value: everybody gets it or a later one, no number stands for two', async () => {
    for (const isOther of [false, true])
      await atEachDeath(
        async (place, mortal) => {
          place.world.reports = [...place.world.reports, 'new'];
          await touched(place, mortal);
        },
        async (place) => {
          if (isOther) place.world.reports = [...place.world.reports, 'newer'];
          await touched(place);
          place.expectCurrent();
          place.world.reports = [...place.world.reports, 'newest'];
          await touched(place);
          place.expectCurrent();
        },
      );
  });

  test('other reads: a commit to what is read now is never missed', async () => {
    await atEachDeath(
      async (place, mortal) => {
        const before = place.world.reads;
        place.world.reads = ['b', 'c'];
        place.world.reports = ['of b'];
        await mortal.live.touch(before.map((name) => `k:${name}`));
      },
      async (place) => {
        await place.healthy.live.touch(['k:a']);
        for (const key of ['k:b', 'k:c']) {
          place.world.reports = [...place.world.reports, key];
          await place.healthy.live.touch([key]);
          place.expectCurrent();
        }
      },
    );
  });

  test('an error that passes is followed by a value, also by the same one', async () => {
    await atEachDeath(
      async (place, mortal) => {
        place.world.topics = ['x'];
        place.world.reports = ['in x'];
        await touched(place);
        place.world.failure = { code: 'CONFLICT', isFinal: false };
        await touched(place, mortal);
      },
      async (place) => {
        place.world.failure = undefined;
        await touched(place);
        place.expectCurrent();
        expect(await place.rows.query({ pk: 'S#x' })).toHaveLength(3);
      },
    );
  });

  test('the end: everybody hears of it, and nothing is left', async () => {
    for (const isStill of [true, false])
      await atEachDeath(
        async (place, mortal) => {
          place.world.failure = { code: 'NODE_NOT_FOUND', isFinal: true };
          await touched(place, mortal);
        },
        async (place) => {
          if (!isStill) place.world.failure = undefined;
          await touched(place);
          for (const { cid, error, data } of place.clients.values()) {
            if (isStill || error !== undefined) expect([cid, error?.final]).toEqual([cid, true]);
            else expect(data.reports).toEqual(place.world.reports);
            const held = await place.rows.query({ pk: `C#${cid}` });
            expect(held).toHaveLength(error === undefined ? 1 : 0);
          }
        },
      );
  });

  test('topics: nobody stays in one that no run is in, and no message to who is in is left out', async () => {
    await atEachDeath(
      async (place, mortal) => {
        place.world.topics = ['x'];
        place.world.reports = ['in x'];
        await touched(place, mortal);
        place.world.topics = ['y'];
        await touched(place, mortal);
      },
      async (place) => {
        const isIn = async (topic: string) => (await place.rows.query({ pk: `S#${topic}` })).map(({ cid }) => cid);
        const early = await isIn('x');
        await place.healthy.topics.send([{ topic: 'x', data: '1' }]);
        place.world.topics = ['x'];
        await touched(place);
        expect(await isIn('x')).toHaveLength(3);
        for (const row of await place.rows.query({ pk: 'S#x' }))
          expect([row['cid'], row['from']]).toEqual([row['cid'], early.includes(row['cid']!) ? 0 : 1]);
        place.world.topics = [];
        await touched(place);
        expect([await isIn('x'), await isIn('y')]).toEqual([[], []]);
      },
    );
  });

  test('a subscription that begins: the others go on, and it begins with the next commit', async () => {
    await atEachDeath(
      (place, mortal) => place.join('four', { every: 30 }, mortal),
      async (place) => {
        place.world.reports = [...place.world.reports, 'new'];
        // Its client is told of the failed function and asks again (client/net/kept-socket.ts).
        if (place.clients.get('four')!.frames === 0) await place.join('four', { every: 30 });
        await touched(place);
        place.expectCurrent();
        // By time as well.
        place.world.reports = [...place.world.reports, 'later'];
        place.pass(30_001);
        await place.healthy.live.look();
        expect(place.clients.get('four')!.data.reports).toEqual(place.world.reports);
      },
    );
  });
});

test('a process that is too slow before each of its steps: another one goes on, it ends, and no commit is missed', async () => {
  let stalls = 0;
  for (let at = 0, isOver = false; !isOver; at++) {
    const place = await withThree();
    const { slow, reached, release, isReached } = stopAt(place, at);
    place.world.reads = ['b'];
    place.world.reports = ['of b'];
    const slowly = slow.live.touch(['k:a']).catch((error: Error) => error);
    await Promise.race([reached, slowly]);
    if (isReached()) stalls++;
    else isOver = true;
    place.pass(lockMs + 1);
    place.world.reads = ['c', 'a'];
    place.world.reports = [...place.world.reports, 'of c'];
    await place.healthy.live.touch(['k:a', 'k:b']);
    const seen = [...place.clients.values()].map(({ data }) => data.reports.at(-1));
    release();
    await slowly;
    for (const key of ['k:a', 'k:c']) {
      place.world.reports = [...place.world.reports, key];
      await place.healthy.live.touch([key]);
      place.expectCurrent();
    }
    // Before it had its turn, what is new was not yet indexed for others to find.
    if (at > 2) expect(seen).toEqual(['of c', 'of c', 'of c']);
  }
  expect(stalls).toBeGreaterThan(12);
});

test('a group that is dropped by somebody slow: who joins meanwhile hears of every commit, and by time', async () => {
  let stalls = 0;
  for (let at = 0, isOver = false; !isOver; at++) {
    const place = open();
    await place.join('one', { every: 30 });
    place.clients.delete('one');
    const { slow, reached, release, isReached } = stopAt(place, at);
    place.pass(30_001);
    const slowly = slow.live.look().catch((error: Error) => error);
    await Promise.race([reached, slowly]);
    if (isReached()) stalls++;
    else isOver = true;
    place.pass(lockMs + 1);
    await place.join('two', { every: 30 });
    release();
    await slowly;
    place.world.reports = ['new'];
    await touched(place);
    place.expectCurrent();
    place.world.reports = ['later'];
    place.pass(30_001);
    await place.healthy.live.look();
    place.expectCurrent();
  }
  expect(stalls).toBeGreaterThan(5);
});

test('who leaves while values are sent is sent nothing afterwards, and is told what it has by then', async () => {
  for (const isTold of [true, false]) {
    const place = await withThree();
    const total = place.start();
    place.world.reports = ['counted'];
    await touched(place, total);
    // In the middle of a run, or of what it sends.
    const at = isTold ? total.steps() - 8 : 4;
    const { slow, reached, release } = stopAt(place, at);
    place.world.reports = ['next'];
    const slowly = touched(place, slow);
    await reached;
    let all: readonly { readonly have?: unknown }[] | undefined;
    const leaving = place.healthy.live.leaveAll('three').then((asked) => {
      all = asked as any;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(all).toBeUndefined();
    release();
    await Promise.all([slowly, leaving]);
    const { have, frames } = place.clients.get('three')!;
    expect(all!.map((one) => one.have)).toEqual([have]);
    place.world.reports = ['last'];
    await touched(place);
    expect(place.clients.get('three')!.frames).toBe(frames);
    place.clients.delete('three');
    place.expectCurrent();
  }
});

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 1_000_000);

test(`10,000 commits, 50 subscriptions, three processes that die and are too slow (SVC_TEST_SEED=${seed})`, {
  timeout: 300_000,
}, async () => {
  const random = createRandom(seed).below;
  const place = open();
  // Whoever waits for a turn does so for a twentieth of the time: nobody here takes as long as a service does.
  const { setTimeout } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms = 0) =>
    setTimeout(work, ms / 20)) as typeof setTimeout);
  onTestFinished(() => void vi.restoreAllMocks());
  const keys = Array.from({ length: 12 }, (_, i) => `key${i}`);
  const values = new Map(keys.map((key) => [key, 0]));
  // Each value says what else is read.
  place.world.of = ({ n }) => {
    const own = keys[n % keys.length]!;
    const other = keys[(n + values.get(own)!) % keys.length]!;
    return { reads: [own, other], reports: [`${values.get(own)} ${values.get(other)}`] };
  };
  const counts = { deaths: 0, stalls: 0, reconnects: 0, again: 0 };
  const mortal = () => {
    let left = random(4000);
    const isSlow = random(3) === 0;
    return place.start(async () => {
      if (random(8) === 0) await new Promise(setImmediate);
      if (left-- > 0) return;
      if (isSlow) {
        // Whoever else has a turn is too slow as well.
        counts.stalls++;
        left = random(4000);
        place.pass(lockMs + 1);
        await new Promise((resolve) => setTimeout(resolve, random(30)));
        return;
      }
      left = 0;
      counts.deaths++;
      place.pass(lockMs + 1);
      throw new Error('dead');
    });
  };
  const processes = [mortal(), mortal(), mortal()];
  const one = () => random(processes.length);
  /** Does it again, by somebody, until it is done, as streams and clients do. */
  const insist = async (work: (by: ReturnType<Place['start']>) => Promise<unknown>) => {
    for (;;) {
      const at = one();
      try {
        return await work(processes[at]!);
      } catch {
        counts.again++;
        processes[at] = mortal();
      }
    }
  };
  const followed = Array.from({ length: 50 }, (_, i) => ({ client: new Client(`not connected ${i}`), n: i % 25 }));
  const begin = ({ client, n }: (typeof followed)[number]) =>
    insist(async (by) => {
      place.clients.delete(client.cid);
      client.cid = `c${counts.reconnects++}`;
      place.clients.set(client.cid, client);
      const { have } = client;
      const asked = { walker: 'See', fields: { n }, ...(have.version > 0 ? { have: { ...have } } : {}) };
      await by.live.join({ cid: client.cid } as ConnectionRecord, guest, '"s"', asked as any);
    });
  for (const each of followed) await begin(each);
  for (let commit = 0; commit < 10_000; ) {
    const told = Array.from({ length: 1 + random(4) }, () => {
      const key = keys[random(keys.length)]!;
      values.set(key, ++commit);
      return insist((by) => by.live.touch([`k:${key}`]));
    });
    if (random(20) === 0) told.push(begin(followed[random(followed.length)]!));
    await Promise.all(told);
    if (random(50) !== 0) continue;
    for (const { client, n } of followed)
      expect(client.data.reports, `SEED=${seed}, ${client.cid}, ${n}`).toEqual(place.world.of({ n }).reports);
  }
  for (const { client, n } of followed)
    expect(client.data.reports, `SEED=${seed}, ${client.cid}, ${n}`).toEqual(place.world.of({ n }).reports);
  console.log(
    `SEED=${seed}`,
    counts,
    followed.reduce((sum, { client }) => sum + client.frames, 0),
    'frames',
  );
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(20);
});
