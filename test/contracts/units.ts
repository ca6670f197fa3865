/**
 * Contract of a unit of work on every store (docs/server/storage.md#fairness, docs/server/storage.md#commit-points):
 * commit points, isolation, replay, fairness.
 * `describeStore` runs it; what concerns the records themselves is in `store.ts`. The page that says which sentence is
 * proved where: decisions/0135.
 */
import { expect } from 'vitest';
import { SHARED_ROOT_ID } from '../../core/graph/ids.ts';
import { createRuntime, type RuntimeSettings } from '../../core/memory/runtime.ts';
import { type Caller, runUnit } from '../../core/memory/unit.ts';
import * as $ from '../../core/runtime.ts';
import { type Fixture, type Item, item, items, Likes } from './store.ts';

type It = (what: string, body: (f: Fixture) => Promise<void>, settings?: Partial<RuntimeSettings>) => void;

const guest: Caller = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' };
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const first = async () => (await items())[0]!;
const counts = async () => (await items()).map((x) => x.count);

const streams = 6;

/**
 * Runs `short` again and again beside `long`, several at a time, until that ends. Gives what `long` gives and how many short ones ended; `long`
 * gets their number so far.
 */
async function beside<T>(
  long: (count: () => number) => Promise<T>,
  short: (i: number) => Promise<unknown>,
): Promise<[T, number]> {
  let over = false;
  let ended = 0;
  const stream = async () => {
    while (!over) {
      await short(ended);
      ended++;
      await turn();
    }
  };
  const all = Array.from({ length: streams }, stream);
  try {
    return [await long(() => ended), ended];
  } finally {
    over = true;
    await Promise.all(all);
  }
}

/** Some turns; in the first run as many as it takes until a short unit has begun and ended meanwhile. Later ones may be what those wait for. */
async function whileOthersRun(count: () => number, attempt: number): Promise<void> {
  const enough = count() + streams + 1;
  for (let i = 0; i < 4 || (attempt === 1 && count() < enough); i++) await turn();
}

/** Runs on a runtime of its own, as another process would: it knows nothing of the turns of the unit it is called in. */
async function outside<T>({ runtime }: Fixture, work: () => T | Promise<T>): Promise<T> {
  return runUnit(createRuntime({ store: runtime.store }), guest, work);
}

export function describeUnits(it: It): void {
  const conflictsFor = (attempts: number) => ({ conflictMaxAttempts: attempts });

  it(
    'a long unit that lists a node ends while short ones keep connecting to it',
    async ({ runtime, run }) => {
      let attempts = 0;
      const long = async (count: () => number) =>
        runUnit(
          runtime,
          guest,
          async () => {
            const before = (await items()).length;
            await whileOthersRun(count, attempts);
            $.connect($.root(), item('long', before), 'out');
          },
          { onAttempt: (n) => (attempts = n) },
        );
      const [, ended] = await beside(long, (i) => run(() => void $.connect($.root(), item(`s${i}`), 'out')));
      expect(attempts, 'short ones must have got in between').toBeGreaterThan(1);
      expect(ended).toBeGreaterThan(0);
      // The long unit saw everything that is listed before its own item.
      const all = await run(async () => (await items()).map((x) => [x.title, x.count] as const));
      const place = all.findIndex(([title]) => title === 'long');
      // Stores that give out places before the commit may put one that came meanwhile on the other side of it.
      if (runtime.store.isSync) expect(all[place]![1]).toBe(place);
      else expect(place).toBeGreaterThanOrEqual(0);
    },
    conflictsFor(4),
  );

  it(
    'a long unit that reads many objects ends while short ones change them',
    async ({ runtime, run }) => {
      await run(
        () =>
          void $.connect(
            $.root(),
            Array.from({ length: 40 }, (_, i) => item(`i${i}`)),
            'out',
          ),
      );
      let attempts = 0;
      const long = async (count: () => number) =>
        runUnit(
          runtime,
          guest,
          async () => {
            const seen = (await counts()).reduce((a, b) => a + b, 0);
            await whileOthersRun(count, attempts);
            $.connect($.root(), item('sum', seen), 'out');
          },
          { onAttempt: (n) => (attempts = n) },
        );
      const ids = await run(async () => (await items()).map((x) => $.oid(x)));
      const [, ended] = await beside(long, (i) =>
        run(async () => void (((await $.oget(ids[(i * 7) % 40])) as Item).count += 1)),
      );
      expect(attempts, 'short ones must have got in between').toBeGreaterThan(1);
      expect(ended).toBeGreaterThan(0);
      expect((await run(counts)).slice(0, 40).reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual(ended);
    },
    conflictsFor(6),
  );

  it(
    'a long unit that reads an edge ends while short ones change that edge',
    async ({ runtime, run }) => {
      await run(() => void $.connect($.root(), item('far'), 'out', Likes, { weight: 0 }));
      const edge = async () => ((await $.hops($.root(), 'edge', [{ dir: 'out', type: Likes }])) as Likes[])[0]!;
      const id = await run(async () => $.oid(await edge()));
      let attempts = 0;
      const long = async (count: () => number) =>
        runUnit(
          runtime,
          guest,
          async () => {
            const e = (await $.oget(id)) as Likes;
            const seen = e.weight;
            await whileOthersRun(count, attempts);
            e.weight = seen + 1000;
          },
          { onAttempt: (n) => (attempts = n) },
        );
      const [, ended] = await beside(long, () => run(async () => void (((await $.oget(id)) as Likes).weight += 1)));
      expect(attempts, 'short ones must have got in between').toBeGreaterThan(1);
      expect(await run(async () => (await edge()).weight % 1000)).toBeGreaterThanOrEqual(ended % 1000);
      expect(await run(async () => (await edge()).weight)).toBeGreaterThanOrEqual(1000 + ended);
    },
    conflictsFor(6),
  );

  it(
    'a unit that only reads never ends in a conflict',
    async ({ runtime, run }) => {
      await run(() => void $.connect($.root(), [item('a'), item('b')], 'out'));
      // Another runtime on the same store knows nothing of this one's turns, so every run meets a change.
      const other = createRuntime({ store: runtime.store });
      for (const onConflict of ['retry', 'fail'] as const) {
        let attempts = 0;
        const reading = createRuntime({
          store: runtime.store,
          settings: () => ({ onConflict, conflictMaxAttempts: 3 }),
        });
        const seen = await runUnit(
          reading,
          guest,
          async () => {
            const [a, b] = await items();
            const before = a!.count;
            await runUnit(other, guest, async () => {
              for (const x of await items()) x.count += 1;
            });
            return [before, b!.count];
          },
          { onAttempt: (n) => void (attempts = n) },
        );
        expect(attempts).toBe(3);
        // In one snapshot where the store can hold one, else as it was committed.
        if (runtime.store.snapshot !== undefined) expect(seen[0]).toBe(seen[1]);
      }
      expect(await run(counts)).toEqual([6, 6]);
    },
    conflictsFor(3),
  );

  it('a moment that a store holds stays as it was, whatever is committed', async ({ graph, run }) => {
    await run(() => void $.connect($.root(), item('a'), 'out'));
    const held = graph.snapshot?.();
    if (held === undefined) return;
    const look = async () => {
      const [key] = await held.store.ownedBy(graph.sharedRoot);
      const [row] = await held.store.nodes([key!]);
      const query = { from: [graph.sharedRoot], dir: 'out', edgeTypes: undefined, nodeTypes: undefined } as const;
      const more = { where: undefined, details: true, limit: undefined, isShort: false };
      const [links] = await held.store.neighbours({ ...query, ...more });
      return [row!.rev, links!.nodes.length, (await held.store.edges(links!.details!.edges)).length];
    };
    const before = await look();
    await run(async () => {
      (await first()).count += 1;
      $.connect($.root(), item('b'), 'out');
    });
    expect(await look()).toEqual(before);
    held.end();
    expect(await run(async () => (await first()).count)).toBe(1);
  });

  it('conflict_max_attempts runs, then 409 with Retry-After, and nothing is stored', async ({ runtime, run }) => {
    await run(() => void $.connect($.root(), item('a'), 'out'));
    // Another runtime on the same store knows nothing of this one's turns.
    const other = createRuntime({ store: runtime.store });
    let runs = 0;
    const losing = runUnit(
      createRuntime({ store: runtime.store, settings: () => conflictsFor(3) }),
      guest,
      async () => {
        runs++;
        const x = await first();
        const seen = x.count;
        await runUnit(other, guest, async () => void ((await first()).count += 1));
        x.count = seen + 100;
      },
    );
    await expect(losing).rejects.toMatchObject({
      code: 'WRITE_CONFLICT',
      status: 409,
      headers: { 'Retry-After': '1' },
    });
    expect(runs).toBe(3);
    expect(await run(async () => (await first()).count)).toBe(3);
  });

  it('every run begins with nothing of the one before', async (f) => {
    const { runtime, run } = f;
    await run(() => void $.connect($.root(), item('a'), 'out'));
    const seen: unknown[] = [];
    const warnings: string[] = [];
    await runUnit(
      runtime,
      guest,
      async () => {
        const x = await first();
        seen.push([x.count, [...x.tags], (await items()).length]);
        x.tags.push('mine');
        $.connect($.root(), item('child'), 'out');
        if (seen.length === 1) await outside(f, async () => void ((await first()).count = 7));
        x.count += 1;
      },
      { warnings },
    );
    expect(seen).toEqual([
      [0, [], 1],
      [7, [], 1],
    ]);
    expect(await run(async () => (await items()).map((x) => [x.count, x.tags]))).toEqual([
      [8, ['mine']],
      [0, []],
    ]);
  });

  it('after commit() a conflict is not solved by running again: 409, details say that a part is stored', async (f) => {
    const { runtime, run } = f;
    await run(() => void $.connect($.root(), item('a'), 'out'));
    let runs = 0;
    const losing = runUnit(runtime, guest, async () => {
      runs++;
      const x = await first();
      x.title = 'kept';
      await $.commit();
      const seen = x.count;
      await outside(f, async () => void ((await first()).count = 5));
      x.count = seen + 1;
    });
    await expect(losing).rejects.toMatchObject({
      code: 'WRITE_CONFLICT',
      details: { partially_committed: true },
    });
    expect(runs).toBe(1);
    expect(await run(async () => [(await first()).title, (await first()).count])).toEqual(['kept', 5]);
  });

  it('a call that cannot be replayed answers 409 at the first conflict', async (f) => {
    const { runtime, run } = f;
    await run(() => void $.connect($.root(), item('a'), 'out'));
    let runs = 0;
    const losing = runUnit(
      runtime,
      guest,
      async () => {
        runs++;
        const x = await first();
        const seen = x.count;
        await outside(f, async () => void ((await first()).count = 5));
        x.count = seen + 1;
      },
      { canReplay: () => false },
    );
    await expect(losing).rejects.toMatchObject({ code: 'WRITE_CONFLICT' });
    expect([runs, await run(async () => (await first()).count)]).toEqual([1, 5]);
  });

  it('a unit given up before its commit leaves nothing, also between two runs', async (f) => {
    const { runtime, run } = f;
    await run(() => void $.connect($.root(), item('a'), 'out'));
    const given = new AbortController();
    let runs = 0;
    const losing = runUnit(
      runtime,
      guest,
      async () => {
        runs++;
        const x = await first();
        const seen = x.count;
        await outside(f, async () => void ((await first()).count = 5));
        x.count = seen + 1;
        if (runs === 2) given.abort(new Error('timed out'));
      },
      { signal: given.signal },
    );
    await expect(losing).rejects.toThrow('timed out');
    expect([runs, await run(async () => (await first()).count)]).toEqual([2, 5]);
  });

  it('write skew: serializable refuses it, merge allows it, as documented', async ({ runtime, run }) => {
    await run(() => void $.connect($.root(), [item('a', 1), item('b', 1)], 'out'));
    const merging = createRuntime({ store: runtime.store, settings: () => ({ isolation: 'merge' }) });
    let here = 0;
    let open = () => {};
    const both = new Promise<void>((resolve) => (open = resolve));
    const retire = (mine: number) =>
      runUnit(merging, guest, async () => {
        const on = (await items()).filter((x) => x.count === 1).length;
        if (++here === 2) open();
        await both;
        if (on === 2) (await items())[mine]!.count = 0;
      });
    await Promise.all([retire(0), retire(1)]);
    expect(await run(counts)).toEqual([0, 0]);
  });

  it(
    'isolation "merge" loses no update of one field and makes no duplicate',
    async ({ run }) => {
      await run(() => void $.connect($.root(), item('a'), 'out'));
      const add = () =>
        run(async () => {
          const x = await first();
          const seen = x.count;
          await Promise.resolve();
          x.count = seen + 1;
          if (!(await items()).some(({ title }) => title === 'one')) $.connect($.root(), item('one'), 'out');
        });
      await Promise.all(Array.from({ length: 40 }, add));
      expect(await run(async () => (await items()).map((x) => [x.title, x.count]))).toEqual([
        ['a', 40],
        ['one', 0],
      ]);
    },
    { isolation: 'merge' },
  );

  it('deleting a node that got an edge meanwhile is a conflict, and the edge goes with it', async (f) => {
    const { run } = f;
    await run(() => void $.connect($.root(), [item('a'), item('b')], 'out'));
    let runs = 0;
    await run(async () => {
      runs++;
      const [a] = await items();
      if (runs === 1) {
        await outside(f, async () => {
          const [x, y] = await items();
          $.connect(x, y, 'out', Likes);
        });
      }
      await $.destroy(a);
    });
    expect(runs).toBe(2);
    await run(async () => {
      const [b] = await items();
      expect(await $.hops(b, 'node', [{ dir: 'in' }])).toEqual([$.root()]);
    });
  });

  it('what is connected and cut again before the commit stays persistent; what only lived in the unit does not', async ({
    run,
  }) => {
    const [kept, lost] = await run(async () => {
      const [a, b] = [item('cut'), item('unit')];
      $.connect($.root(), a, 'out');
      await $.disconnect($.root(), a, { dir: 'out' });
      return [$.oid(a), $.oid(b)];
    });
    expect(await run(async () => [((await $.oget(kept)) as Item | null)?.title, await $.oget(lost)])).toEqual([
      'cut',
      null,
    ]);
  });

  it('commit(x) commits all of the unit', async ({ run }) => {
    const failing = run(async () => {
      const [a, b] = [item('a'), item('b')];
      $.connect($.root(), [a, b], 'out');
      await $.commit(a);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await run(async () => (await items()).map((x) => x.title))).toEqual(['a', 'b']);
  });

  it('on_commit: in order, after the commit, once although the unit ran twice, in a unit of its own', async (f) => {
    const { run, runtime } = f;
    await run(() => void $.connect($.root(), item('a'), 'out'));
    const told: string[] = [];
    let runs = 0;
    await run(async () => {
      runs++;
      const attempt = runs;
      const x = await first();
      const seen = x.count;
      for (const name of ['one', 'two'])
        $.on_commit(async () => {
          const stored = await runUnit(runtime, guest, async () => (await first()).count);
          told.push(`${name} of run ${attempt} saw ${stored}`);
          $.connect($.root(), item(name), 'out');
        });
      if (runs === 1) await outside(f, async () => void ((await first()).count = 5));
      x.count = seen + 1;
    });
    expect(told).toEqual(['one of run 2 saw 6', 'two of run 2 saw 6']);
    expect(await run(async () => (await items()).map((x) => x.title))).toEqual(['a', 'one', 'two']);
  });

  it('on_commit: one that fails is told, changes nothing, and the next one runs', async ({ runtime, run }) => {
    const told: unknown[] = [];
    const failures: unknown[] = [];
    const answer = await runUnit(
      runtime,
      guest,
      () => {
        $.connect($.root(), item('a'), 'out');
        $.on_commit(async () => {
          (await first()).count = 9;
          throw new Error('no');
        });
        $.on_commit(() => void told.push('second'));
        return 'answer';
      },
      { onEffectFailure: (error) => void failures.push((error as Error).message) },
    );
    expect([answer, told, failures]).toEqual(['answer', ['second'], ['no']]);
    expect(await run(counts)).toEqual([0]);
  });

  it('on_commit before an explicit commit() runs after that one, also when the call fails later', async ({ run }) => {
    const told: string[] = [];
    const failing = run(async () => {
      const x = item('a');
      $.connect($.root(), x, 'out');
      $.on_commit(async () => {
        told.push(`saw ${(await items()).length}`);
        // A unit of its own: stored although the rest of the call is not.
        (await first()).count = 4;
      });
      await $.commit();
      expect(x.count).toBe(4);
      $.on_commit(() => void told.push('never'));
      x.title = 'lost';
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(told).toEqual(['saw 1']);
    expect(await run(async () => (await items()).map((x) => [x.title, x.count]))).toEqual([['a', 4]]);
  });

  it('reading, also of containers, writes nothing: no commit reaches the store', async ({ runtime, run }) => {
    await run(() => void $.connect($.root(), item('a'), 'out', Likes));
    let commits = 0;
    const { store } = runtime;
    const counting = new Proxy(store, {
      get(target, name) {
        if (name === 'commit' || name === 'commitNow') commits++;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const watched = createRuntime({ store: counting });
    const look = () =>
      runUnit(watched, guest, async () => {
        const x = await first();
        const edges = (await $.hops($.root(), 'edge', [{ dir: 'out' }])) as Likes[];
        const old = x.title;
        $.on_commit(() => {});
        return [old, x.tags.length, edges[0]!.weight, (await $.allroots()).length > 0];
      });
    expect(await look()).toEqual(['a', 0, 1, true]);
    expect(commits).toBe(0);
    await runUnit(watched, guest, async () => void ((await first()).count = 1));
    expect(commits, 'the counter counts').toBe(1);
  });

  it('reset_graph takes what the root owns, in this unit too, and leaves the root and what is not owned', async ({
    run,
  }) => {
    await run(() => {
      const [a, b] = [item('a'), item('b')];
      $.connect($.root(), a, 'out');
      $.connect(a, b, 'out', Likes);
    });
    const before = await run(() => $.oid($.root()));
    const failed = run(async () => {
      await $.reset_graph();
      expect(await items()).toEqual([]);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await run(async () => (await items()).length)).toBe(1);
    const gone = await run(async () => {
      $.connect($.root(), item('new'), 'out');
      return await $.reset_graph();
    });
    expect(gone).toBe(3);
    expect(await run(async () => [await items(), $.oid($.root())])).toEqual([[], before]);
  });

  it('del n: the node and its edges go, other nodes stay; nothing of it remains when the unit fails', async ({
    run,
  }) => {
    await run(() => {
      const [a, b, c] = [item('a'), item('b'), item('c')];
      $.connect($.root(), [a, b, c], 'out');
      $.connect(a, b, 'out', Likes);
      $.connect(c, a, 'any', Likes);
    });
    const failed = run(async () => {
      await $.destroy(await first());
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await run(async () => (await items()).map((x) => x.title))).toEqual(['a', 'b', 'c']);
    const id = await run(async () => {
      const a = await first();
      const uid = $.oid(a);
      await $.destroy(a);
      expect((await items()).map((x) => x.title)).toEqual(['b', 'c']);
      return uid;
    });
    await run(async () => {
      expect(await $.oget(id)).toBe(null);
      for (const x of await items()) expect(await $.hops(x, 'edge', [{ dir: 'any' }])).toHaveLength(1);
    });
  });
}
