/** Shared runs and what makes them run again, over real units of work (docs/server/live.md#runs). */
import { afterEach, expect, test, vi } from 'vitest';
import { answeringLater } from '../../test/harness/answering-later.ts';
import { Failure } from '../errors.ts';
import { createCommitLog } from '../memory/commit-log.ts';
import { currentContext } from '../memory/context.ts';
import { createRuntime, type Runtime } from '../memory/runtime.ts';
import type { Session } from '../memory/session.ts';
import type { GraphStore } from '../memory/store.ts';
import { runUnit } from '../memory/unit.ts';
import { openVolatileStore } from '../memory/volatile-store.ts';
import * as $ from '../runtime.ts';
import { createCommitFeed } from './commit-feed.ts';
import { patchOf } from './json-patch.ts';
import { liveReadsOf, nothingRead } from './live-reads.ts';
import { createLiveRuns, type LiveOutcome, type LiveRuns } from './live-runs.ts';
import { LiveValue } from './live-value.ts';
import { joinPeers, type PeerWire } from './peers.ts';
import { watchStore } from './watch-store.ts';

class Item extends $.Node {
  declare n: number;
}
$.archetype(Item, {
  kind: 'node',
  name: 'Item',
  module: 'live_runs',
  fields: [{ name: 'n', type: { t: 'int' } }],
  abilities: [],
});

const rootId = (i: number) => String(i).padStart(32, 'a');
const callerOf = (i: number) => ({ rootId: rootId(i), userId: `u${i}`, kind: 'user' as const });
const items = async () => (await $.hops($.root(), 'node', [{ dir: 'out', nodeType: Item }])) as Item[];
const add = (runtime: Runtime, who: number, n: number) =>
  runUnit(runtime, callerOf(who), () => void $.connect($.root(), (Item as any).$new(n), 'out'));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const open: LiveRuns[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const runs of open.splice(0)) runs.close();
});

function follow(runs: LiveRuns, runtime: Runtime, who: number, most?: number) {
  const values: string[] = [];
  let session: Session | undefined;
  const leave = runs.join(
    {
      key: `q${who}`,
      commonKey: 'q',
      target: 'items',
      everyMs: undefined,
      async run() {
        const read = async () => {
          session = currentContext().session;
          return (await items()).map(({ n }) => n);
        };
        const value = await runUnit(runtime, callerOf(who), read, { isReadOnly: true });
        return { value: new LiveValue(JSON.stringify(value)), reads: liveReadsOf(session!, most), topics: [] };
      },
    },
    { digest: undefined, hears() {}, deliver: ({ text }) => values.push(text), failed() {} },
  );
  return { values, leave };
}

function make(minIntervalMs: number) {
  const store = openVolatileStore();
  const runtime = createRuntime({ store });
  let count = 0;
  const runs = createLiveRuns({ feed: createCommitFeed(store.log, true), minIntervalMs, onRun: () => count++ });
  open.push(runs);
  return { store, runtime, runs, ran: () => count };
}

test('L1: 1,000 subscribers on 1,000 roots, a write to one: one run; and the log is followed only meanwhile', async () => {
  const { store, runtime, runs, ran } = make(0);
  for (let i = 0; i < 1000; i++) store.addRoot(rootId(i));
  for (let i = 0; i < 1000; i++) await add(runtime, i, i);
  expect(store.log.follower).toBeUndefined();
  const all = Array.from({ length: 1000 }, (_, i) => follow(runs, runtime, i));
  while (all.some(({ values }) => values.length === 0)) await pause(5);
  const before = ran();
  await add(runtime, 417, -1);
  while (all[417]!.values.length < 2) await pause(5);
  await pause(50);
  expect(all[417]!.values.at(-1)).toBe('[417,-1]');
  expect(ran() - before).toBe(1);
  for (const { leave } of all) leave();
  expect(store.log.follower).toBeUndefined();
});

test('commits within the interval have two runs: one at once, one at its end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const turn = () => new Promise(setImmediate);
  const { store, runtime, runs, ran } = make(2000);
  store.addRoot(rootId(0));
  const { values } = follow(runs, runtime, 0);
  while (values.length === 0) await turn();
  vi.advanceTimersByTime(2000);
  const before = ran();
  for (let n = 0; n < 10; n++) {
    await add(runtime, 0, n);
    while (values.at(-1) === '[]') await turn();
    vi.advanceTimersByTime(199);
  }
  expect([values.slice(1), ran() - before]).toEqual([['[0]'], 1]);
  vi.advanceTimersByTime(10);
  while (values.length < 3) await turn();
  expect([values.slice(1), ran() - before]).toEqual([['[0]', '[0,1,2,3,4,5,6,7,8,9]'], 2]);
});

test('a commit that is noticed when a run begins is part of that run', async () => {
  const { store, runtime, runs, ran } = make(0);
  store.addRoot(rootId(0));
  const { values } = follow(runs, runtime, 0);
  while (values.length === 0) await pause(5);
  const before = ran();
  await add(runtime, 0, 1);
  await new Promise(setImmediate); // its notice has come, and the run begins in the next turn
  await add(runtime, 0, 2);
  while (values.at(-1) !== '[1,2]') await pause(5);
  await pause(20);
  expect(ran() - before).toBe(1);
});

test('who comes to a current run gets its value without another one', async () => {
  const { store, runtime, runs, ran } = make(0);
  store.addRoot(rootId(0));
  const first = follow(runs, runtime, 0);
  while (first.values.length === 0) await pause(5);
  const second = follow(runs, runtime, 0);
  expect([second.values, ran()]).toEqual([['[]'], 1]);
});

test('above its cap a run follows the classes of what it read', async () => {
  const { store, runtime, runs, ran } = make(0);
  store.addRoot(rootId(0));
  store.addRoot(rootId(1));
  await add(runtime, 0, 1);
  const { values } = follow(runs, runtime, 0, 1);
  while (values.length === 0) await pause(5);
  await add(runtime, 0, 2);
  while (values.at(-1) !== '[1,2]') await pause(5);
  const before = ran();
  await add(runtime, 1, 3);
  while (ran() === before) await pause(5); // of the same class, wherever it is
});

test('commits that nobody tells of are found by looking at the versions of what was read', async () => {
  const volatile = openVolatileStore();
  const store = answeringLater(volatile);
  volatile.addRoot(rootId(0));
  const runtime = createRuntime({ store });
  const runs = createLiveRuns({ feed: createCommitFeed(createCommitLog(), false), minIntervalMs: 0 });
  open.push(runs);
  const watch = watchStore(store, runs, false);
  const { values } = follow(runs, runtime, 0);
  watch.begin();
  while (values.length === 0) await pause(5);
  await add(runtime, 0, 7);
  while (values.at(-1) !== '[7]') await pause(20);
  watch.close();
});

test('a run that failed because the store was away is tried anew, although nothing it read has changed', async () => {
  const runs = createLiveRuns({ feed: createCommitFeed(createCommitLog(), false), minIntervalMs: 0 });
  open.push(runs);
  let isAway = false;
  let failures = 0;
  const values: string[] = [];
  const failure = new Failure('SERVICE_UNAVAILABLE', 'The store is away.');
  const run = async (): Promise<LiveOutcome> => {
    if (isAway) return { failure, isFinal: false, isPassing: true, reads: nothingRead };
    return { value: new LiveValue(`${failures}`), reads: nothingRead, topics: [] };
  };
  const subscriber = { digest: undefined, hears() {}, deliver: ({ text }: LiveValue) => values.push(text) };
  runs.join(
    { key: 'q', commonKey: 'all', target: 'items', everyMs: undefined, run },
    { ...subscriber, failed: () => failures++ },
  );
  while (values.length === 0) await pause(5);
  isAway = true;
  runs.runAll();
  while (failures === 0) await pause(5);
  isAway = false;
  while (values.at(-1) !== '1') await pause(20);
});

test('processes tell each other, and what a carrier loses runs again', async () => {
  const receivers = new Set<{ readonly of: number; receive(message: string): void }>();
  let lost = 0;
  let loses = false;
  const wire = (of: number): PeerWire => ({
    async subscribe(_channel, receive) {
      const entry = { of, receive };
      receivers.add(entry);
      return () => receivers.delete(entry);
    },
    async publish(_channel, message) {
      if (loses && of === 1) {
        lost++;
        return;
      }
      for (const each of receivers) if (each.of !== of) setImmediate(() => each.receive(message));
    },
  });
  // One store, and two logs: what one process commits the other one is only told of.
  const { store, runtime } = make(0);
  store.addRoot(rootId(0));
  const [here, there] = [createCommitFeed(createCommitLog(), false), createCommitFeed(store.log, false)];
  const runs = createLiveRuns({ feed: here, minIntervalMs: 0 });
  open.push(runs);
  const idle = createLiveRuns({ feed: there, minIntervalMs: 0 });
  const peers = [joinPeers(wire(0), here, runs), joinPeers(wire(1), there, idle)];
  await pause(10);
  const { values } = follow(runs, runtime, 0);
  peers[0]!.listening();
  while (values.length === 0) await pause(5);
  await pause(50);
  await add(runtime, 0, 1);
  while (values.at(-1) !== '[1]') await pause(5);
  loses = true;
  await add(runtime, 0, 2);
  while (lost === 0) await pause(5);
  expect(values.at(-1)).toBe('[1]');
  loses = false;
  while (values.at(-1) !== '[1,2]') await pause(20); // the next sign of life has a number too many
  for (const each of peers) each.close();
});

test('patches make one value of the other, whatever they are', () => {
  const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 1_000_000);
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const value = (depth: number): unknown => {
    const kind = random(depth > 2 ? 3 : 5);
    if (kind === 0) return random(4);
    if (kind === 1) return ['', 'a/b', '~'][random(3)];
    if (kind === 2) return [null, true, false][random(3)];
    const size = random(5);
    if (kind === 3) return Array.from({ length: size }, () => value(depth + 1));
    return Object.fromEntries(
      Array.from({ length: size }, () => [['a', 'b/c', '~d', ''][random(4)], value(depth + 1)]),
    );
  };
  for (let i = 0; i < 3000; i++) {
    const [before, after] = [value(0), value(0)];
    const patched = apply(structuredClone(before), patchOf(before, after));
    expect(patched, `seed ${seed}, ${i}`).toEqual(after);
  }
});

/** RFC 6902, as a client does it. */
function apply(before: any, ops: ReturnType<typeof patchOf>): unknown {
  const whole = { '': before };
  for (const step of ops) {
    const path =
      step.path === '' ? [''] : step.path.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const name = path.pop()!;
    const place: any = path.reduce((at: any, part) => at[part], whole);
    if (Array.isArray(place))
      place.splice(Number(name), step.op === 'add' ? 0 : 1, ...('value' in step ? [step.value] : []));
    else if (step.op === 'remove') delete place[name];
    else place[name] = step.value;
  }
  return whole[''];
}

test('a commit of another process between the first run and the first look is seen, and one while a run is under way', async () => {
  for (const reads of [nothingRead, undefined]) {
    let changes = 3;
    let again = 0;
    const store = { isSync: true, foreignChanges: () => changes, validate: () => ['key'] } as Partial<GraphStore>;
    const runs = {
      size: 1,
      heardCount: 0,
      *readers() {
        yield { reads, rerun: () => void again++ };
      },
    } as Partial<LiveRuns>;
    const watch = watchStore(store as GraphStore, runs as LiveRuns, false);
    watch.begin();
    changes++;
    while (again === 0) await pause(20);
    watch.close();
  }
});
