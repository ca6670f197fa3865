/**
 * Contract of `GraphStore` and `AccountStore`, for every implementation (docs/server/storage.md#guarantees). Stated once; each
 * store's test is a line.
 */
import { describe, expect, test } from 'vitest';
import type { AccountRecord, AccountStore } from '../../core/accounts/account-store.ts';
import { SHARED_ROOT_ID, SYSTEM_ROOT_ID } from '../../core/graph/ids.ts';
import { createRuntime, type Runtime, type RuntimeSettings } from '../../core/memory/runtime.ts';
import type { GraphStore } from '../../core/memory/store.ts';
import { type Caller, runUnit } from '../../core/memory/unit.ts';
import * as $ from '../../core/runtime.ts';
import { describeArchive } from './archive.ts';
import { describeArrival } from './arrival.ts';
import { describeUnits } from './units.ts';

export interface OpenedStore {
  readonly graph: GraphStore;
  readonly accounts: AccountStore;
}

export class Item extends $.Node {
  declare title: string;
  declare count: number;
  declare tags: string[];
  declare extra: any;
}
$.archetype(Item, {
  kind: 'node',
  name: 'Item',
  module: 'contract',
  fields: [
    { name: 'title', type: { t: 'str' } },
    { name: 'count', type: { t: 'int' }, literal: 0, default: () => 0 },
    { name: 'tags', type: { t: 'list', of: { t: 'str' } }, default: () => [] },
    { name: 'extra', type: { t: 'any' }, literal: null, default: () => null },
  ],
  abilities: [],
});
export class Other extends $.Node {}
$.archetype(Other, { kind: 'node', name: 'Other', module: 'contract', fields: [], abilities: [] });
export class Likes extends $.Edge {
  declare weight: number;
}
$.archetype(Likes, {
  kind: 'edge',
  name: 'Likes',
  module: 'contract',
  fields: [{ name: 'weight', type: { t: 'int' }, literal: 1, default: () => 1 }],
  abilities: [],
});
class Pair extends $.Obj {
  declare a: unknown;
  declare b: unknown;
}
$.archetype(Pair, {
  kind: 'obj',
  name: 'Pair',
  module: 'contract',
  fields: [
    { name: 'a', type: { t: 'any' } },
    { name: 'b', type: { t: 'any' } },
  ],
  abilities: [],
});
class Colour extends $.Enum {}
$.enumeration(Colour, {
  name: 'Colour',
  module: 'contract',
  members: [
    ['RED', 1],
    ['BLUE', 'b'],
  ],
});

const guest: Caller = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' };
const system: Caller = { rootId: SYSTEM_ROOT_ID, userId: null, kind: 'system' };

export function item(title: string, count = 0): Item {
  return (Item as any).$new(title, count);
}

/** Gives the items at the caller's root. Awaited everywhere, as code for a store that may have to wait is compiled. */
export async function items(): Promise<Item[]> {
  return (await $.hops($.root(), 'node', [{ dir: 'out', nodeType: Item }])) as Item[];
}

export function account(name: string, n: number): AccountRecord {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    userId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    rootId: String(n).padStart(32, 'a'),
    role: 'user',
    passwordHash: null,
    profile: { name },
    disabled: false,
    sessionVersion: 0,
    identities: [{ type: 'username', value: name, email: null, verified: false, createdAt: at }],
    createdAt: at,
    updatedAt: at,
    lastLoginAt: null,
    passwordChangedAt: null,
  };
}

export function callerOf(record: AccountRecord): Caller {
  return { rootId: record.rootId, userId: record.userId, kind: 'user' };
}

/** Lets calls go on when `count` of them are there, so that they surely overlap. */
function meeting(count: number): () => Promise<void> {
  let here = 0;
  let open = () => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    if (++here === count) open();
    return all;
  };
}

export interface Fixture extends OpenedStore {
  readonly runtime: Runtime;
  run<T>(work: () => T | Promise<T>, caller?: Caller): Promise<T>;
}

export function describeStore(name: string, open: () => Promise<OpenedStore>): void {
  const using = (settings: Partial<RuntimeSettings>, body: (f: Fixture) => Promise<void>) => async () => {
    const opened = await open();
    const runtime = createRuntime({ store: opened.graph, settings: () => settings });
    try {
      await body({ ...opened, runtime, run: async (work, caller = guest) => runUnit(runtime, caller, work) });
    } finally {
      await opened.graph.close();
    }
  };
  const it = (what: string, body: (f: Fixture) => Promise<void>, settings: Partial<RuntimeSettings> = {}) =>
    test(what, using(settings, body));

  describe(`store: ${name}`, () => {
    it('what is connected to a root is there in the next unit, everything else is not', async ({ run }) => {
      await run(() => {
        $.connect($.root(), item('kept'), 'out');
        item('lost');
      });
      expect(await run(async () => (await items()).map((x) => x.title))).toEqual(['kept']);
    });

    it('every kind of value comes back as it was', async ({ run }) => {
      const values = () => [
        null,
        true,
        0,
        -1,
        2.5,
        2n ** 70n,
        Number.NaN,
        Number.NEGATIVE_INFINITY,
        '',
        'ü\u0000\u001f"\\\ud83d\ude00',
        [1, [2]],
        $.tuple(1, 'a'),
        $.dict([['k', [1]]]),
        $.dict([
          [1, 'one'],
          ['$t', 2],
        ]),
        new $.PySet([1, 'x']),
        $.bytes('\x00\xff'),
        (Pair as any).$new(1, [2]),
        (Colour as any).RED,
        (Colour as any).BLUE,
      ];
      await run(() => {
        const x = item('values');
        x.extra = values();
        $.connect($.root(), x, 'out');
      });
      const shown = await run(async () => $.repr((await items())[0]!.extra));
      expect(shown).toBe($.repr(values()));
      expect(await run(async () => (await items())[0]!.extra[17] === (Colour as any).RED)).toBe(true);
    });

    it('references to nodes come back as the same node', async ({ run }) => {
      await run(() => {
        const [a, b] = [item('a'), item('b')];
        $.connect($.root(), [a, b], 'out');
        a.extra = { friend: b };
      });
      await run(async () => {
        const [a, b] = await items();
        expect(a!.extra.get('friend')).toBe(b);
        await $.destroy(b);
      });
      expect(await run(async () => (await items())[0]!.extra.get('friend'))).toBe(null);
    });

    it('objects of one unit may refer to each other in any order, from nodes, from edges and from what was there', async ({
      run,
    }) => {
      await run(() => void $.connect($.root(), item('old'), 'out'));
      await run(async () => {
        const [old] = await items();
        const [a, b, c, d] = [item('a'), item('b'), item('c'), item('d')];
        $.connect($.root(), [a, b, c, d], 'out');
        const like = (Likes as any).$new();
        $.connect(a, b, 'out', like);
        b.extra = [a, like];
        like.weight = c;
        old!.extra = d;
      });
      await run(async () => {
        const [old, a, b, c, d] = await items();
        const [like] = (await $.hops(a, 'edge', [{ dir: 'out', type: Likes }])) as Likes[];
        expect(b!.extra[0]).toBe(a);
        expect(b!.extra[1]).toBe(like);
        expect(like!.weight).toBe(c);
        expect(old!.extra).toBe(d);
      });
    });

    it('a list changed in place is stored, one only looked at is not written', async ({ run, graph }) => {
      await run(() => void $.connect($.root(), item('a'), 'out'));
      await run(async () => void (await items())[0]!.tags.push('x'));
      expect(await run(async () => (await items())[0]!.tags)).toEqual(['x']);
      const before = graph.log.position;
      await run(async () => (await items())[0]!.tags.length);
      expect(graph.log.position).toBe(before);
    });

    it('a unit that fails leaves nothing', async ({ run }) => {
      const failing = run(async () => {
        $.connect($.root(), item('a'), 'out');
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await run(async () => (await items()).length)).toBe(0);
    });

    it('a value that cannot be stored fails the unit and names its field', async ({ run }) => {
      const failing = run(async () => {
        const x = item('a');
        x.extra = () => 1;
        $.connect($.root(), x, 'out');
      });
      await expect(failing).rejects.toThrow("Item.extra: a value of type 'function' cannot be stored");
      expect(await run(async () => (await items()).length)).toBe(0);
    });

    it('neighbours come in order of connection, whatever their types', async ({ run }) => {
      await run(() => {
        for (let i = 0; i < 6; i++) {
          const far = i % 2 === 0 ? item(`i${i}`) : (Other as any).$new();
          $.connect($.root(), far, 'out', i % 3 === 0 ? Likes : undefined);
        }
      });
      const order = await run(async () =>
        ((await $.hops($.root(), 'node', [{ dir: 'out' }])) as any[]).map((x) => x.title ?? '-'),
      );
      expect(order).toEqual(['i0', '-', 'i2', '-', 'i4', '-']);
      expect(await run(async () => (await items()).map((x) => x.title))).toEqual(['i0', 'i2', 'i4']);
      expect(
        await run(async () => ((await $.hops($.root(), 'node', [{ dir: 'out', type: Likes }])) as any[]).length),
      ).toBe(2);
      expect(
        await run(
          async () =>
            ((await $.hops($.root(), 'node', [{ dir: 'out', type: [Likes, $.GenericEdge], nodeType: Other }])) as any[])
              .length,
        ),
      ).toBe(3);
    });

    it('pages are cut after what the caller may not see and what it filters out', async ({ run }) => {
      await run(() => {
        for (let i = 0; i < 30; i++) $.connect($.root(), i % 3 === 0 ? (Other as any).$new() : item(`i${i}`, i), 'out');
      });
      const page = (offset: number, limit: number, nodeWhere?: (x: any) => boolean) =>
        run(async () =>
          (
            (await $.hops($.root(), 'node', [
              { dir: 'out', nodeType: Item, offset, limit, ...(nodeWhere && { nodeWhere }) },
            ])) as Item[]
          ).map((x) => x.title),
        );
      expect(await page(0, 3)).toEqual(['i1', 'i2', 'i4']);
      expect(await page(3, 2)).toEqual(['i5', 'i7']);
      expect(await page(0, 2, (x) => x.count > 20)).toEqual(['i22', 'i23']);
      expect(await page(19, 5)).toEqual(['i29']);
      expect(
        await run(async () =>
          ((await $.hops($.root(), 'node', [{ dir: 'out', limit: 4 }])) as any[]).map((x) => x.title ?? '-'),
        ),
      ).toEqual(['-', 'i1', 'i2', '-']);
    });

    it('undirected edges, loops and parallel edges are seen from both ends once', async ({ run }) => {
      await run(() => {
        const [a, b] = [item('a'), item('b')];
        $.connect($.root(), [a, b], 'out');
        $.connect(a, b, 'any', Likes, { weight: 7 });
        $.connect(a, a, 'out');
        $.connect(a, b, 'out');
      });
      const look = async () => {
        const [a, b] = await items();
        const names = (x: unknown) => (x as any[]).map((n) => n.title ?? 'root');
        return {
          aOut: names(await $.hops(a, 'node', [{ dir: 'out' }])),
          bOut: names(await $.hops(b, 'node', [{ dir: 'out' }])),
          bIn: names(await $.hops(b, 'node', [{ dir: 'in' }])),
          aAny: names(await $.hops(a, 'node', [{ dir: 'any' }])),
          edges: ((await $.hops(a, 'edge', [{ dir: 'any' }])) as any[]).length,
          weight: ((await $.hops(b, 'edge', [{ dir: 'out', type: Likes }])) as any[]).map((e) => [
            e.weight,
            e.source.title,
            e.target.title,
            e.undirected,
          ]),
          twoHops: names(await $.hops($.root(), 'node', [{ dir: 'out' }, { dir: 'out', type: Likes }])),
        };
      };
      const expected = {
        aOut: ['b', 'a'],
        bOut: ['a'],
        bIn: ['root', 'a'],
        aAny: ['root', 'b', 'a'],
        edges: 4,
        weight: [[7, 'a', 'b', true]],
        twoHops: ['b', 'a'],
      };
      expect(await run(look)).toEqual(expected);
      // A second look in one unit answers from memory.
      expect((await run(() => Promise.all([look(), look(), look()])))[2]).toEqual(expected);
    });

    it('removing edges and nodes leaves nothing behind', async ({ run }) => {
      await run(() => {
        const [a, b, c] = [item('a'), item('b'), item('c')];
        $.connect($.root(), [a, b, c], 'out');
        $.connect(a, b, 'any', Likes);
        $.connect(b, c, 'out');
        $.connect(c, c, 'any');
      });
      await run(async () => {
        const [a, b] = await items();
        expect(await $.disconnect(a, b, { dir: 'out', type: Likes })).toBe(true);
        expect(await $.disconnect(a, b, { dir: 'out' })).toBe(false);
        expect(await $.hops(b, 'node', [{ dir: 'out', type: Likes }])).toEqual([]);
      });
      expect(
        await run(async () => ((await $.hops((await items())[1], 'edge', [{ dir: 'any' }])) as any[]).length),
      ).toBe(2);
      await run(async () => void (await $.destroy((await items())[1])));
      await run(async () => {
        expect((await items()).map((x) => x.title)).toEqual(['a', 'c']);
        expect(await $.hops((await items())[1], 'node', [{ dir: 'in' }])).toEqual([$.root(), (await items())[1]]);
        await $.destroy((await items())[1]);
      });
      expect(await run(async () => (await items()).map((x) => x.title))).toEqual(['a']);
    });

    it('objects are found by id, edges too, and ids stay', async ({ run }) => {
      const [id, plain, rich] = await run(() => {
        const x = item('a');
        $.connect($.root(), x, 'out');
        $.connect($.root(), x, 'out', Likes, { weight: 3 });
        return [$.oid(x), '', ''];
      });
      const [first, second] = await run(async () =>
        ((await $.hops($.root(), 'edge', [{ dir: 'out' }])) as any[]).map((e) => $.oid(e)),
      );
      expect(first).toMatch(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
      expect([plain, rich]).toEqual(['', '']);
      await run(async () => {
        const found = (await $.oget(id)) as Item;
        expect(found).toBe((await items())[0]);
        expect(await $.oget(id!.toUpperCase())).toBe(found);
        expect(((await $.oget(first!)) as any).target).toBe(found);
        expect(((await $.oget(second!)) as any).weight).toBe(3);
        expect(await $.oget('f'.repeat(32))).toBe(null);
        expect(await $.oget('nonsense')).toBe(null);
        expect(await $.oget('root')).toBe($.root());
      });
    });

    it('100 parallel increments of one field give 100', async ({ run }) => {
      await run(() => void $.connect($.root(), item('a'), 'out'));
      const once = () =>
        run(async () => {
          const x = (await items())[0]!;
          const seen = x.count;
          await Promise.resolve();
          x.count = seen + 1;
        });
      await Promise.all(Array.from({ length: 100 }, once));
      expect(await run(async () => (await items())[0]!.count)).toBe(100);
    });

    it('200 parallel find-or-create give one', async ({ run }) => {
      const once = () =>
        run(async () => {
          const found = await items();
          await Promise.resolve();
          if (found.length === 0) $.connect($.root(), item('one'), 'out');
        });
      await Promise.all(Array.from({ length: 200 }, once));
      expect(await run(async () => (await items()).length)).toBe(1);
    });

    it('concurrent connects to one node all count', async ({ run }) => {
      await Promise.all(
        Array.from({ length: 60 }, (_, i) => run(() => void $.connect($.root(), item(`i${i}`), 'out'))),
      );
      expect(await run(async () => new Set((await items()).map((x) => x.title)).size)).toBe(60);
    });

    it('two units that each act on what the other changes do not both succeed unseen', async ({ run }) => {
      await run(() => void $.connect($.root(), [item('a', 1), item('b', 1)], 'out'));
      const retire = (mine: number) =>
        run(async () => {
          const both = await items();
          const on = both.filter((x) => x.count === 1).length;
          await Promise.resolve();
          if (on === 2) both[mine]!.count = 0;
        });
      await Promise.all([retire(0), retire(1)]);
      expect(await run(async () => (await items()).filter((x) => x.count === 1).length)).toBe(1);
    });

    it(
      'isolation "merge" keeps both of two changes to different fields',
      async ({ run }) => {
        await run(() => void $.connect($.root(), item('a'), 'out'));
        const change = (set: (x: Item) => void) =>
          run(async () => {
            const x = (await items())[0]!;
            set(x);
            await Promise.resolve();
          });
        await Promise.all([change((x) => (x.title = 'b')), change((x) => (x.count = 5))]);
        expect(await run(async () => (await items()).map((x) => [x.title, x.count]))).toEqual([['b', 5]]);
      },
      { isolation: 'merge' },
    );

    it(
      'on_conflict "fail" answers 409 and stores nothing',
      async ({ run }) => {
        await run(() => void $.connect($.root(), item('a'), 'out'));
        const met = meeting(2);
        const once = () =>
          run(async () => {
            const x = (await items())[0]!;
            const seen = x.count;
            await met();
            x.count = seen + 1;
          });
        const results = await Promise.allSettled([once(), once()]);
        expect(results.filter((r) => r.status === 'rejected').map((r) => (r as any).reason.code)).toEqual([
          'WRITE_CONFLICT',
        ]);
        expect(await run(async () => (await items())[0]!.count)).toBe(1);
      },
      { onConflict: 'fail' },
    );

    it('deleting what another unit connects to is a conflict for one of them', async ({ run }) => {
      await run(() => void $.connect($.root(), item('a'), 'out'));
      const attach = run(async () => {
        const x = (await items())[0];
        await Promise.resolve();
        if (x !== undefined) $.connect(x, item('child'), 'out');
      });
      const remove = run(async () => {
        const x = (await items())[0];
        await Promise.resolve();
        if (x !== undefined) await $.destroy(x);
      });
      await Promise.all([attach, remove]);
      expect(await run(async () => (await items()).length)).toBe(0);
    });

    it('an explicit commit is kept, what fails after it is not', async ({ run }) => {
      const failing = run(async () => {
        $.connect($.root(), item('kept'), 'out');
        await $.commit();
        $.connect($.root(), item('lost'), 'out');
        (await items())[0]!.count = 9;
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await run(async () => (await items()).map((x) => [x.title, x.count]))).toEqual([['kept', 0]]);
    });

    it('work after an explicit commit goes on with the same objects', async ({ run }) => {
      await run(async () => {
        const x = item('a');
        $.connect($.root(), x, 'out');
        await $.commit();
        x.count = 3;
        x.tags.push('t');
        $.connect(x, item('b'), 'out');
        await $.commit();
        expect(await $.hops(x, 'node', [{ dir: 'out' }])).toHaveLength(1);
      });
      expect(
        await run(async () =>
          Promise.all(
            (await items()).map(async (x) => [
              x.count,
              x.tags,
              ((await $.hops(x, 'node', [{ dir: 'out' }])) as Item[])[0]!.title,
            ]),
          ),
        ),
      ).toEqual([[3, ['t'], 'b']]);
    });

    it('on_commit runs once, after the commit, and not for a failed unit', async ({ run }) => {
      const seen: string[] = [];
      await run(() => {
        $.on_commit(async () => seen.push(`committed ${(await items()).length}`));
        $.connect($.root(), item('a'), 'out');
      });
      await run(() => {
        $.on_commit(() => seen.push('never'));
        throw new Error('no');
      }).catch(() => {});
      expect(seen).toEqual(['committed 1']);
    });

    it('save keeps an unconnected node with what hangs on it; reset_graph removes what the caller owns', async ({
      run,
    }) => {
      const id = await run(async () => {
        const [a, b] = [item('a'), item('b')];
        $.connect(a, b, 'out');
        $.save(a);
        return $.oid(a);
      });
      expect(
        await run(async () =>
          ((await $.hops(await $.oget(id), 'node', [{ dir: 'out' }])) as Item[]).map((x) => x.title),
        ),
      ).toEqual(['b']);
      await run(async () => void (await $.reset_graph()));
      expect(await run(() => $.oget(id))).toBe(null);
      expect(await run(() => $.root())).toBeInstanceOf($.Root);
    });

    it('users see only their own graph until they are granted more', async ({ run, accounts }) => {
      const [ann, bob] = [account('ann', 1), account('bob', 2)];
      await accounts.createAccount(ann);
      await accounts.createAccount(bob);
      const id = await run(() => {
        const x = item('secret');
        $.connect($.root(), x, 'out');
        return $.oid(x);
      }, callerOf(ann));
      const asBob = <T>(work: () => T | Promise<T>) => run(work, callerOf(bob));
      expect(await asBob(() => $.oget(id))).toBe(null);
      expect(await asBob(async () => (await items()).length)).toBe(0);
      await run(async () => void $.perm_grant((await items())[0], 'READ'), callerOf(ann));
      expect(await asBob(async () => ((await $.oget(id)) as Item).title)).toBe('secret');
      await expect(
        asBob(async () => {
          ((await $.oget(id)) as Item).title = 'mine';
        }),
      ).rejects.toMatchObject({ failure: { code: 'PERMISSION_DENIED', status: 403 } });
      await expect(asBob(async () => void $.connect(await $.oget(id), item('x'), 'out'))).rejects.toThrow('CONNECT');
      await run(async () => void $.allow_root((await items())[0], bob.rootId, 'WRITE'), callerOf(ann));
      await asBob(async () => {
        ((await $.oget(id)) as Item).title = 'ours';
      });
      expect(await run(async () => (await items())[0]!.title, callerOf(ann))).toBe('ours');
      await run(async () => void $.disallow_root((await items())[0], bob.rootId), callerOf(ann));
      await run(async () => void $.perm_revoke((await items())[0]), callerOf(ann));
      expect(await asBob(() => $.oget(id))).toBe(null);
      await expect(asBob(async () => void $.perm_grant(await $.oget(id)))).rejects.toThrow();
    });

    it('what others attach is theirs: the owner sees it only when granted, and may cut it', async ({
      run,
      accounts,
    }) => {
      const [ann, bob] = [account('ann', 1), account('bob', 2)];
      await accounts.createAccount(ann);
      await accounts.createAccount(bob);
      const id = await run(() => {
        const x = item('wall');
        $.connect($.root(), x, 'out');
        $.perm_grant(x, 'CONNECT');
        return $.oid(x);
      }, callerOf(ann));
      const [note, edge] = await run(async () => {
        const x = item('note');
        $.connect(await $.oget(id), x, 'out');
        const [e] = (await $.hops(await $.oget(id), 'edge', [{ dir: 'out' }])) as any[];
        return [$.oid(x), $.oid(e)];
      }, callerOf(bob));
      const wall = async () => (await $.hops((await items())[0], 'node', [{ dir: 'out' }])) as Item[];
      expect(await run(async () => (await wall()).length, callerOf(ann))).toBe(0);
      await run(async () => {
        $.perm_grant(await $.oget(note!));
        $.perm_grant(await $.oget(edge!));
      }, callerOf(bob));
      expect(await run(async () => (await wall()).map((x) => x.title), callerOf(ann))).toEqual(['note']);
      await run(
        async () => void (await $.disconnect((await items())[0], (await wall())[0], { dir: 'out' })),
        callerOf(ann),
      );
      expect(await run(async () => (await wall()).length, callerOf(ann))).toBe(0);
    });

    it(
      'on_denied "warn" drops the change and says so',
      async ({ run, accounts, runtime }) => {
        const [ann, bob] = [account('ann', 1), account('bob', 2)];
        await accounts.createAccount(ann);
        await accounts.createAccount(bob);
        const id = await run(() => {
          const x = item('a');
          $.connect($.root(), x, 'out');
          $.perm_grant(x);
          return $.oid(x);
        }, callerOf(ann));
        const warnings: string[] = [];
        const seen = await runUnit(
          runtime,
          callerOf(bob),
          async () => {
            const x = (await $.oget(id)) as Item;
            x.title = 'b';
            x.tags.push('t');
            return x.title;
          },
          { warnings },
        );
        expect(seen).toBe('a');
        expect(warnings).toHaveLength(1);
        expect(await run(async () => [(await items())[0]!.title, (await items())[0]!.tags], callerOf(ann))).toEqual([
          'a',
          [],
        ]);
      },
      { onDenied: 'warn' },
    );

    it('allroots gives the readable roots once each', async ({ run, accounts }) => {
      const [ann, bob] = [account('ann', 1), account('bob', 2)];
      await accounts.createAccount(ann);
      await accounts.createAccount(bob);
      const roots = (caller: Caller) => run(async () => (await $.allroots()).map((r) => $.oid(r)), caller);
      expect(await roots(system)).toEqual([SYSTEM_ROOT_ID, SHARED_ROOT_ID, ann.rootId, bob.rootId]);
      expect(await roots(callerOf(ann))).toEqual([SHARED_ROOT_ID, ann.rootId]);
    });

    it('a deleted root cannot be; roots are not deleted', async ({ run }) => {
      await expect(run(async () => void (await $.destroy($.root())))).rejects.toThrow('root cannot be deleted');
    });

    it('an account comes with its root, and identities are unique', async ({ accounts, run }) => {
      const ann = account('ann', 1);
      await accounts.createAccount(ann);
      expect(await accounts.accountById(ann.userId)).toEqual(ann);
      expect(await accounts.accountByIdentity('login', 'ann')).toEqual(ann);
      expect(await accounts.accountByIdentity('sso', 'ann')).toBe(undefined);
      await expect(accounts.createAccount(account('ann', 2))).rejects.toMatchObject({
        code: 'IDENTITY_TAKEN',
        details: { identity: 'username' },
      });
      expect(await accounts.accountById(account('ann', 2).userId)).toBe(undefined);
      expect(await run(() => $.oid($.root()), callerOf(ann))).toBe(ann.rootId);
      const results = await Promise.allSettled([3, 4, 5, 6].map((n) => accounts.createAccount(account('cara', n))));
      expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(1);
    });

    it('an account is replaced only when nobody else changed it', async ({ accounts }) => {
      const ann = account('ann', 1);
      await accounts.createAccount(ann);
      await accounts.createAccount(account('bob', 2));
      const next = { ...ann, disabled: true, updatedAt: '2026-01-02T00:00:00.000Z' };
      expect(await accounts.updateAccount(next, ann.updatedAt)).toBe(true);
      expect(await accounts.updateAccount({ ...next, disabled: false }, ann.updatedAt)).toBe(false);
      expect(await accounts.accountById(ann.userId)).toEqual(next);
      const taken = { ...next, identities: [{ ...ann.identities[0]!, value: 'bob' }] };
      await expect(accounts.updateAccount(taken, next.updatedAt)).rejects.toMatchObject({ code: 'IDENTITY_TAKEN' });
      const renamed = { ...next, identities: [{ ...ann.identities[0]!, value: 'anna' }] };
      expect(await accounts.updateAccount(renamed, next.updatedAt)).toBe(true);
      expect(await accounts.accountByIdentity('login', 'ann')).toBe(undefined);
      expect(await accounts.accountByIdentity('login', 'anna')).toEqual(renamed);
    });

    it('tokens, counters, API keys and idempotency claims', async ({ accounts }) => {
      await accounts.createAccount(account('ann', 1));
      await accounts.revokeToken('j1', 4_000_000_000);
      expect([await accounts.isRevoked('j1'), await accounts.isRevoked('j2')]).toEqual([true, false]);
      await accounts.addToCounter('c', 1, 60);
      const { count, expiresAt } = await accounts.addToCounter('c', 2, 60);
      expect(count).toBe(3);
      expect(await accounts.readCounter('c')).toEqual({ count: 3, expiresAt });
      await accounts.clearCounter('c');
      expect(await accounts.readCounter('c')).toBe(undefined);
      const key = {
        id: 'k1',
        userId: account('ann', 1).userId,
        name: 'n',
        secretHash: 'h',
        signingSecret: 's',
        scopes: ['webhook', 'call'] as const,
        allowedWalkers: ['W'],
        createdAt: '2026',
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null,
      };
      expect(await accounts.createApiKey(key, 2)).toBe(true);
      expect(await accounts.createApiKey({ ...key, id: 'k0', createdAt: '2027' }, 2)).toBe(true);
      expect(await accounts.createApiKey({ ...key, id: 'k2', createdAt: '2028' }, 2)).toBe(false);
      await accounts.revokeApiKey('k1', '2029');
      await accounts.touchApiKey('k1', { lastUsedAt: '2030' });
      await accounts.touchApiKey('k0', { lastUsedAt: '2030', signingSecret: 't' });
      expect(await accounts.apiKeyById('k1')).toEqual({ ...key, revokedAt: '2029', lastUsedAt: '2030' });
      expect(await accounts.createApiKey({ ...key, id: 'k2', createdAt: '2028' }, 2)).toBe(true);
      expect((await accounts.apiKeysOf(key.userId)).map(({ id }) => id)).toEqual(['k1', 'k0', 'k2']);
      expect(await accounts.apiKeyById('k0')).toMatchObject({ lastUsedAt: '2030', signingSecret: 't' });
      const claim = {
        key: 'i',
        requestHash: 'r',
        state: 'claimed' as const,
        status: null,
        body: null,
        expiresAt: Date.now() + 60_000,
      };
      expect(await accounts.readIdempotency('i')).toBe(undefined);
      expect(await accounts.claimIdempotency(claim)).toBe(undefined);
      expect(await accounts.claimIdempotency(claim)).toEqual(claim);
      expect(await accounts.readIdempotency('i')).toEqual(claim);
      await accounts.finishIdempotency({ ...claim, state: 'finished', status: 200, body: '{}' });
      expect(await accounts.claimIdempotency(claim)).toMatchObject({ state: 'finished', status: 200 });
      await accounts.releaseIdempotency('i');
      expect(await accounts.readIdempotency('i')).toBe(undefined);
      expect(await accounts.claimIdempotency({ ...claim, expiresAt: Date.now() - 1 })).toBe(undefined);
      expect(await accounts.readIdempotency('i'), 'it is over').toBe(undefined);
      expect(await accounts.claimIdempotency(claim)).toBe(undefined);
      await accounts.sweep(Date.now() + 120_000);
      expect(await accounts.claimIdempotency({ ...claim, requestHash: 'x' })).toBe(undefined);
    });

    it('the answer of a unit is stored with it or not at all', async ({ accounts, runtime }) => {
      const record = {
        key: 'a',
        requestHash: 'r',
        state: 'finished' as const,
        status: 200,
        body: '{}',
        expiresAt: Date.now() + 60_000,
      };
      const write = async (fail: boolean) =>
        runUnit(
          runtime,
          guest,
          () => {
            $.connect($.root(), item('a'), 'out');
            if (fail) throw new Error('no');
          },
          { answer: () => record },
        );
      await write(true).catch(async () => {});
      expect(await accounts.claimIdempotency({ ...record, state: 'claimed' })).toBe(undefined);
      await accounts.releaseIdempotency('a');
      await write(false);
      expect(await accounts.claimIdempotency(record)).toEqual(record);
    });

    describeUnits(it);
    describeArchive(it);
    describeArrival(it);
  });
}
