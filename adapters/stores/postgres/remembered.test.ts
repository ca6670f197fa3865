/** Rows that a process remembers while another one changes them (docs/decisions/0730): no call ends on what is no longer so. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import * as $ from '../../../core/runtime.ts';
import { addEntry, type Entry, entries, guest } from '../../../test/harness/entry-node.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../test/harness/postgres-server.ts';
import { openPostgresStore } from './store.ts';

describe.skipIf(!hasPostgres())('rows that a process remembers', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function openProcess(url: string) {
    let trips = 0;
    let runs = 0;
    const at = Date.now();
    const { graph } = await openPostgresStore({ url, nowMs: () => at, onTrip: () => void trips++ });
    const runtime = createRuntime({ store: graph });
    return {
      /** Runs a unit; also gives its round trips and its runs. */
      async run<T>(
        work: () => T | Promise<T>,
      ): Promise<{ readonly value: T; readonly trips: number; readonly runs: number }> {
        [trips, runs] = [0, 0];
        const value = await runUnit(runtime, guest, work, { onAttempt: () => void runs++ });
        return { value, trips, runs };
      },
      [Symbol.asyncDispose]: () => graph.close(),
    };
  }

  const found = async (id: string) => (await $.oget(id)) as unknown as Entry;

  async function twoProcesses(name: string) {
    const url = await server.urlOf(name);
    const [ours, other] = [await openProcess(url), await openProcess(url)];
    await ours.run(() => addEntry(1));
    const { value: id } = await ours.run(async () => $.oid((await entries())[0]!) as string);
    // Both have seen it, and remember it.
    for (const one of [ours, other]) await one.run(async () => (await found(id)).n);
    return {
      ours,
      other,
      id,
      change: (n: number) =>
        other.run(async () => {
          (await found(id)).n = n;
        }),
      async [Symbol.asyncDispose]() {
        await ours[Symbol.asyncDispose]();
        await other[Symbol.asyncDispose]();
      },
    };
  }

  test('a unit that only reads sees what another process wrote', async () => {
    await using both = await twoProcesses('reads');
    await both.change(2);
    const read = () => both.ours.run(async () => (await found(both.id)).n);
    expect(await read()).toMatchObject({ value: 2, runs: 2 });
    expect(await read()).toMatchObject({ value: 2, runs: 1 });
  });

  test('a unit that writes rests on what another process wrote', async () => {
    await using both = await twoProcesses('writes');
    await both.change(10);
    const added = await both.ours.run(async () => {
      (await found(both.id)).n += 1;
    });
    expect(added.runs).toBe(2);
    expect((await both.other.run(async () => (await found(both.id)).n)).value).toBe(11);
  });

  test('a unit that writes something else because of what it read does so by what is true', async () => {
    await using both = await twoProcesses('decides');
    await both.change(2);
    const decided = await both.ours.run(async () => {
      if ((await found(both.id)).n === 1) addEntry(100);
      else addEntry(200);
    });
    expect(decided.runs).toBe(2);
    const { value } = await both.ours.run(async () => (await entries()).map(({ n }) => n));
    expect(value).toEqual([2, 200]);
  });

  test('a call does not fail because of what is no longer so', async () => {
    await using both = await twoProcesses('fails');
    await both.change(2);
    const failing = both.ours.run(async () => {
      const { n } = await found(both.id);
      if (n === 1) throw new Error('it is 1');
      return n;
    });
    expect(await failing).toMatchObject({ value: 2, runs: 2 });
    // With what is so it fails at once.
    await expect(
      both.ours.run(async () => {
        throw new Error(`it is ${(await found(both.id)).n}`);
      }),
    ).rejects.toThrow('it is 2');
  });

  test('an object that another process removed is not found', async () => {
    await using both = await twoProcesses('gone');
    await both.other.run(async () => void (await $.destroy(await found(both.id))));
    expect(await both.ours.run(async () => (await $.oget(both.id)) === null)).toMatchObject({ value: true, runs: 2 });
  });

  test('lists of a remembered root are those of now, in one round trip and one run', async () => {
    await using both = await twoProcesses('lists');
    await both.other.run(() => addEntry(2));
    const ids = () => both.ours.run(async () => (await entries()).map((one) => $.oid(one)).length);
    expect(await ids()).toEqual({ value: 2, trips: 1, runs: 1 });
    await both.other.run(() => addEntry(3));
    const added = await both.ours.run(async () => {
      if ((await entries()).length === 3) addEntry(4);
    });
    expect(added).toMatchObject({ trips: 2, runs: 1 });
    expect((await ids()).value).toBe(4);
  });

  test('after commit() in the middle a unit sees what others wrote since', async () => {
    await using both = await twoProcesses('middle');
    const { value } = await both.ours.run(async () => {
      const before = (await found(both.id)).n;
      addEntry(5);
      await $.commit();
      await both.change(7);
      await $.commit();
      return [before, (await found(both.id)).n];
    });
    expect(value).toEqual([1, 7]);
  });

  test('what others change often is asked for instead', async () => {
    await using both = await twoProcesses('often');
    await both.change(2);
    await both.ours.run(async () => (await found(both.id)).n);
    await both.change(3);
    expect(await both.ours.run(async () => (await found(both.id)).n)).toMatchObject({ value: 3, runs: 1 });
  });
});
