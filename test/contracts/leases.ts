/**
 * Contract of stores that several processes share (docs/server/storage.md#leases): leases, and that units without one
 * leave leased records alone.
 */
import { expect, test } from 'vitest';
import { SHARED_ROOT_ID } from '../../core/graph/ids.ts';
import type { Key } from '../../core/memory/rows.ts';
import { createRuntime, type Runtime, type RuntimeSettings } from '../../core/memory/runtime.ts';
import type { GraphStore } from '../../core/memory/store.ts';
import { type Caller, runUnit } from '../../core/memory/unit.ts';
import * as $ from '../../core/runtime.ts';
import { item, items, type OpenedStore } from './store.ts';

const guest: Caller = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' };
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** `open`: a new store over the data of that name, as another process would open it. */
export type OpenShared = (name: string, nowMs: () => number) => Promise<OpenedStore>;

interface Two extends AsyncDisposable {
  readonly stores: readonly [GraphStore, GraphStore];
  readonly runtimes: readonly [Runtime, Runtime];
}

interface TwoOptions extends Partial<RuntimeSettings> {
  readonly nowMs?: () => number;
}

async function twoProcesses(open: OpenShared, name: string, options: TwoOptions = {}): Promise<Two> {
  const { nowMs = Date.now, ...settings } = options;
  const [one, two] = [(await open(name, nowMs)).graph, (await open(name, nowMs)).graph];
  const runtime = (store: GraphStore) => createRuntime({ store, settings: () => settings });
  return {
    stores: [one, two],
    runtimes: [runtime(one), runtime(two)],
    async [Symbol.asyncDispose]() {
      await one.close();
      await two.close();
    },
  };
}

async function bump(): Promise<void> {
  const [counter] = await items();
  counter!.count++;
}

/** Adds an item in the first process; gives what the store calls it. */
async function addItem([first]: readonly [Runtime, Runtime], title = 'hits'): Promise<Key> {
  await runUnit(first, guest, async () => void (await $.connect($.root(), item(title), 'out')));
  return runUnit(first, guest, async () => (await items()).at(-1)!.$row!.key);
}

export function describeLeases(store: string, open: OpenShared): void {
  test(`${store}: 60 increments by two processes all succeed within the usual number of runs`, async () => {
    await using two = await twoProcesses(open, 'both');
    await addItem(two.runtimes);
    await Promise.all(Array.from({ length: 60 }, (_, i) => runUnit(two.runtimes[i % 2 === 0 ? 0 : 1], guest, bump)));
    const [counter] = await runUnit(two.runtimes[0], guest, items);
    expect(counter!.count).toBe(60);
  });

  // The second one outlasts its leases, and those that wait for it.
  test.each([
    ['a long unit', 'stream', 200, {}],
    ['a unit longer than a lease', 'renewed', 800, { conflictLeaseMs: 200 }],
  ])(`${store}: %s ends while another process keeps changing what it reads`, async (_, name, runsForMs, settings) => {
    await using two = await twoProcesses(open, name, settings);
    const [mine, theirs] = two.runtimes;
    await addItem(two.runtimes);
    await addItem(two.runtimes, 'sum');
    let isOver = false;
    let ended = 0;
    const stream = async () => {
      while (!isOver) {
        await runUnit(theirs, guest, bump);
        ended++;
        await sleep(1);
      }
    };
    const streams = [stream(), stream(), stream()];
    let attempts = 0;
    try {
      await runUnit(
        mine,
        guest,
        async () => {
          const [hits, sum] = await items();
          const seen = hits!.count;
          const before = ended;
          // Until a lease is due others get in between; later runs take many times as long as a short unit.
          while (attempts < 4 && ended < before + 4) await sleep(5);
          if (attempts >= 4) await sleep(runsForMs);
          sum!.count = seen;
        },
        { onAttempt: (attempt) => (attempts = attempt) },
      );
    } finally {
      isOver = true;
      await Promise.all(streams);
    }
    expect(attempts, 'others got in between').toBeGreaterThanOrEqual(4);
    const [hits] = await runUnit(mine, guest, items);
    expect(hits!.count, 'no increment is lost').toBe(ended);
  });

  test(`${store}: from the fourth run on a unit waits for the lease of what it lost about, later ones from their second`, async () => {
    await using two = await twoProcesses(open, 'waits');
    const [loser, winner] = two.runtimes;
    const id = await addItem(two.runtimes);
    const attempts: number[] = [];
    const losing = (losses: number) =>
      runUnit(
        loser,
        guest,
        async () => {
          const [counter] = await items();
          if (attempts.length <= losses) await runUnit(winner, guest, bump);
          counter!.count += 100;
        },
        { onAttempt: (attempt) => void attempts.push(attempt) },
      );
    const held = async (losses: number) => {
      attempts.length = 0;
      const end = await two.stores[1].lease!([id], 5000);
      const unit = losing(losses);
      await expect.poll(() => attempts.length, { timeout: 10_000 }).toBe(losses);
      await sleep(500);
      const before = [...attempts];
      await end();
      await unit;
      return before;
    };
    expect(await held(3)).toEqual([1, 2, 3]);
    expect(attempts).toEqual([1, 2, 3, 4]);
    expect(await held(1)).toEqual([1]);
    expect(attempts).toEqual([1, 2]);
    const [counter] = await runUnit(winner, guest, items);
    expect(counter!.count).toBe(204);
  });

  test(`${store}: what another process has leased is not written, but read and beside it`, async () => {
    await using two = await twoProcesses(open, 'alone');
    const [holder, other] = two.runtimes;
    const id = await addItem(two.runtimes);
    const end = await two.stores[0].lease!([id], 5000);
    const attempts: number[] = [];
    const note = { onAttempt: (attempt: number) => void attempts.push(attempt) };
    const waiting = runUnit(other, guest, bump, note) as Promise<void>;
    await expect.poll(() => attempts.length).toBe(1);
    await sleep(300);
    expect((await runUnit(other, guest, items)).map(({ count }) => count)).toEqual([0]);
    await runUnit(other, guest, async () => void (await $.connect($.root(), item('new'), 'out')));
    await runUnit(holder, guest, bump);
    expect(attempts).toEqual([1]);
    await end();
    await waiting;
    expect((await runUnit(other, guest, items)).map(({ count }) => count)).toEqual([2, 0]);
  });

  test(`${store}: a lease keeps others out until it is ended, and only for 5 s`, async () => {
    let now = 1_790_000_000_000;
    await using two = await twoProcesses(open, 'ends', { nowMs: () => now });
    const [one, other] = two.stores;
    const [a, b] = [await addItem(two.runtimes, 'a'), await addItem(two.runtimes, 'b')];
    const end = await one.lease!([b, a], 5000);
    let hasIt = false;
    const waiting = other.lease!([a], 5000).then((ended) => {
      hasIt = true;
      return ended;
    });
    await sleep(300);
    expect(hasIt).toBe(false);
    await end();
    await (await waiting)();
    await one.lease!([a], 5000); // a process that dies
    now += 5000;
    const after = await other.lease!([a], 5000);
    await end(); // not its lease any more
    const attempts: number[] = [];
    const refused = runUnit(two.runtimes[0], guest, bump, { onAttempt: (n) => void attempts.push(n) });
    await sleep(300);
    expect(attempts).toEqual([1]);
    await after();
    await refused;
  });
}
