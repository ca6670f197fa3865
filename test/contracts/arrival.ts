/**
 * Visibility of a shared graph, and the edges by which one arrives (docs/server/permissions.md#edges,
 * docs/server/permissions.md#operations), on every store: random graphs of several users with random rules on nodes,
 * edges and roots. What every kind of hop, lookup and traversal gives must be what a separate reading of the rules
 * (journeys/permissions/model.ts) says.
 */

import { expect } from 'vitest';
import { levelOfEdge, nodeLevel } from '../../core/access/session-access.ts';
import type { Direction, Hop } from '../../core/graph/hop.ts';
import { SHARED_ROOT_ID, SYSTEM_ROOT_ID } from '../../core/graph/ids.ts';
import { traverse } from '../../core/graph/traverse.ts';
import { liveReadsOf } from '../../core/live/live-reads.ts';
import { contextOrNone } from '../../core/memory/context.ts';
import type { RuntimeSettings } from '../../core/memory/runtime.ts';
import type { Caller } from '../../core/memory/unit.ts';
import * as $ from '../../core/runtime.ts';
import { createRandom } from '../harness/random.ts';
import { type Link, Model } from '../journeys/permissions/model.ts';
import { account, callerOf, type Fixture, type Item, Item as ItemClass, item, Likes } from './store.ts';

type It = (what: string, body: (f: Fixture) => Promise<void>, settings?: Partial<RuntimeSettings>) => void;

const guest: Caller = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' };
const system: Caller = { rootId: SYSTEM_ROOT_ID, userId: null, kind: 'system' };
const directions: readonly Direction[] = ['out', 'in', 'any'];
const unique = <T>(list: readonly T[]): T[] => [...new Set(list)];

/** A graph of several users and what it should show. */
class Shared {
  readonly model = new Model();
  readonly callers: readonly Caller[];
  private readonly f: Fixture;
  private readonly random: () => number;
  /** The number of an item, by which conditions look for it. */
  private readonly counts = new Map<string, number>();
  private readonly weights = new Map<string, number>();

  constructor(f: Fixture, callers: readonly Caller[], seed: number) {
    this.f = f;
    this.callers = callers;
    this.random = createRandom(seed).unit;
    for (const { rootId } of callers) this.model.addRoot(rootId);
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }

  private get nodes(): string[] {
    return [...this.model.roots.keys(), ...this.model.items.keys()];
  }

  /** Nodes of all callers, joined by edges that any of them made, while everybody may connect to everything. */
  async build(): Promise<void> {
    const { f, model } = this;
    for (const caller of this.callers) await f.run(async () => void $.perm_grant($.root(), 'CONNECT'), caller);
    for (let n = 0; n < 7; n++) {
      const caller = this.pick(this.callers);
      const on = this.pick(this.nodes);
      const id = await f.run(async () => {
        const made = item(`i${n}`, n);
        $.connect(await $.oget(on), made, 'out', undefined);
        return $.oid(made);
      }, caller);
      model.items.set(id, { id, owner: caller.rootId, all: null, roots: new Map(), n, ref: null, tags: [] });
      this.counts.set(id, n);
      await this.found(on, id, caller);
      await this.everybody(caller, id, 'CONNECT');
    }
    for (let n = 0; n < 16; n++) {
      const caller = this.pick(this.callers);
      const [a, b] = [this.pick(this.nodes), this.pick(this.nodes)];
      const type = this.random() < 0.5 ? undefined : Likes;
      const undirected = this.random() < 0.25;
      await f.run(async () => {
        $.connect(await $.oget(a), await $.oget(b), undirected ? 'any' : 'out', type, type && [['weight', n]]);
      }, caller);
      await this.found(a, b, caller, n);
    }
    for (const id of model.items.keys()) await this.everybody(this.ownerOf(id), id, undefined);
    for (const caller of this.callers) {
      await f.run(async () => void $.perm_revoke($.root()), caller);
      model.roots.get(caller.rootId)!.all = -1;
    }
  }

  private ownerOf(id: string): Caller {
    return this.callers.find(({ rootId }) => rootId === this.model.thing(id)!.owner)!;
  }

  /** Entries of all callers on one object; undefined takes them away again, so that it is as if it never had rules. */
  private everybody(owner: Caller, id: string, level: string | undefined): Promise<void> {
    return this.f.run(async () => {
      const x = await $.oget(id);
      for (const { rootId } of this.callers) {
        if (level === undefined) $.disallow_root(x, rootId);
        else $.allow_root(x, rootId, level);
      }
    }, owner);
  }

  /** The edge that has just been made, as the system sees it: nobody asked for its id before. */
  private async found(a: string, b: string, caller: Caller, weight?: number): Promise<void> {
    const [id, undirected, hasWeight] = await this.f.run(async () => {
      const edges = (await $.hops(await $.oget(a), 'edge', [{ dir: 'out' }])) as any[];
      const mine = edges.filter((edge) => !this.model.links.has($.oid(edge)));
      expect(mine).toHaveLength(1);
      return [$.oid(mine[0]), mine[0].undirected as boolean, mine[0] instanceof Likes] as const;
    }, system);
    const link: Link = { id, owner: caller.rootId, all: null, roots: new Map(), source: a, target: b, undirected };
    this.model.links.set(id, link);
    if (hasWeight && weight !== undefined) this.weights.set(id, weight);
  }

  /** Rules as anybody might set them, on what they own. */
  async rule(): Promise<void> {
    const { model, f } = this;
    const links = [...model.links.keys()];
    const id = this.random() < 0.15 ? this.pick([...model.roots.keys()]) : this.pick([...model.items.keys(), ...links]);
    const thing = model.thing(id)!;
    const to = this.pick(this.callers).rootId;
    const level = Math.floor(this.random() * 4) - 1;
    const kind = this.random();
    await f.run(async () => {
      const x = await $.oget(id);
      if (kind < 0.35) $.perm_grant(x, level);
      else if (kind < 0.5) $.perm_revoke(x);
      else if (kind < 0.85) $.allow_root(x, to, level);
      else $.disallow_root(x, to);
    }, this.ownerOf(id));
    if (kind < 0.35) thing.all = level;
    else if (kind < 0.5) thing.all = -1;
    else if (kind < 0.85) thing.roots.set(to, level);
    else thing.roots.delete(to);
  }

  /** Most things are for everybody now, some for nobody but their owner, and few name somebody. */
  async open(): Promise<void> {
    const { model, f } = this;
    for (const id of [...this.nodes, ...model.links.keys()]) {
      const kind = this.random();
      const to = this.pick(this.callers).rootId;
      await f.run(async () => {
        const x = await $.oget(id);
        for (const { rootId } of this.callers) $.disallow_root(x, rootId);
        if (kind < 0.8) $.perm_grant(x, kind < 0.6 ? 'READ' : 'CONNECT');
        else $.perm_revoke(x);
        if (kind > 0.9) $.allow_root(x, to, 'READ');
      }, this.ownerOf(id));
    }
  }

  /** Everything a caller can ask, in a unit of its own. */
  async look(caller: Caller): Promise<void> {
    await this.f.run(async () => {
      await this.lookUp(caller);
      for (const id of this.nodes) if (this.model.sees(caller.rootId, id)) await this.lookFrom(caller, id);
      await this.lookFromAll(caller);
      // The same after a commit in between, when everything is judged anew.
      if (this.random() < 0.3) {
        $.connect($.root(), item('own'), 'out');
        await $.commit();
        await this.lookUp(caller);
        for (const own of (await $.hops($.root(), 'node', [{ dir: 'out', nodeType: ItemClass }])) as Item[])
          if (own.title === 'own') await $.destroy(own);
        for (const id of this.nodes) if (this.model.sees(caller.rootId, id)) await this.lookFrom(caller, id);
      }
    }, caller);
  }

  /**
   * Asks what anybody may ask, each time in a unit of its own: where what one caller's unit read says that it looked
   * at no caller, all others must get the same. One question in six, since stores are asked over the network. Gives how
   * many said so.
   */
  async agree(): Promise<number> {
    let common = 0;
    for (const ask of this.questions()) {
      if (this.random() > 1 / 6) continue;
      const answers: { readonly text: string; readonly isCommon: boolean }[] = [];
      for (const caller of this.callers)
        answers.push(
          await this.f.run(async () => {
            const text = JSON.stringify(await ask());
            return { text, isCommon: !liveReadsOf(contextOrNone()!.session).ofCaller };
          }, caller),
        );
      for (const { text, isCommon } of answers)
        if (isCommon) {
          common++;
          expect(answers.map((one) => one.text)).toEqual(answers.map(() => text));
        }
    }
    return common;
  }

  private *questions(): Generator<() => Promise<unknown>> {
    const idsOf = (list: unknown) => (list as object[]).map((x) => $.oid(x));
    const everything = { depth: -1, nodeTypes: undefined, edgeTypes: undefined, offset: 0, limit: 1000 };
    for (const id of [...this.nodes, ...this.model.links.keys()]) yield async () => (await $.oget(id)) !== null;
    for (const id of this.model.links.keys())
      yield async () => {
        const edge: any = await $.oget(id);
        return edge === null ? null : [edge.source, edge.target].map((end) => end && $.oid(end));
      };
    for (const id of this.nodes) {
      const from = async (want: 'node' | 'edge', path: readonly Hop[]) => {
        const node = await $.oget(id);
        return node === null ? null : idsOf(await $.hops(node, want, path));
      };
      for (const dir of directions) {
        yield () => from('node', [{ dir }]);
        yield () => from('edge', [{ dir }]);
        yield () => from('node', [{ dir, nodeType: ItemClass, nodeWhere: (x: any) => x.count >= 3 }]);
        yield () => from('edge', [{ dir, type: Likes, edgeWhere: (edge: any) => edge.weight >= 8 }]);
        yield () => from('node', [{ dir }, { dir: 'out' }]);
        yield () => from('node', [{ dir, limit: 2, offset: 1 }]);
      }
      yield async () => {
        const node = await $.oget(id);
        if (node === null) return null;
        const all = await traverse(node, everything);
        return [idsOf(all.nodes).toSorted(), idsOf(all.edges).toSorted()];
      };
    }
    yield async () => idsOf(await $.allroots());
  }

  private async lookUp({ rootId }: Caller): Promise<void> {
    const { model } = this;
    const { session } = contextOrNone()!;
    for (const id of [...this.nodes, ...model.links.keys()]) {
      const x = await $.oget(id);
      expect([id, x !== null]).toEqual([id, model.sees(rootId, id)]);
      if (x === null) continue;
      const link = model.links.get(id);
      expect([id, link === undefined ? nodeLevel(session, x) : levelOfEdge(session, x)]).toEqual([
        id,
        model.level(rootId, id),
      ]);
      if (link === undefined) continue;
      const ends = [x.source, x.target].map((end) => end && $.oid(end));
      expect(ends).toEqual([link.source, link.target].map((end) => (model.sees(rootId, end) ? end : null)));
    }
    const roots = ((await $.allroots()) as any[]).map((x) => $.oid(x));
    expect(roots.toSorted()).toEqual([...model.roots.keys()].filter((id) => model.sees(rootId, id)).toSorted());
  }

  private far(id: string, link: Link): string {
    return link.source === id ? link.target : link.source;
  }

  private async lookFrom({ rootId }: Caller, id: string): Promise<void> {
    const { model } = this;
    const ids = async (path: readonly Hop[], want: 'node' | 'edge' = 'node') =>
      ((await $.hops(await $.oget(id), want, path)) as any[]).map((x) => $.oid(x));
    for (const dir of directions) {
      const shown = model.shown(rootId, id, dir);
      const nodes = unique(shown.map((link) => this.far(id, link)));
      const isItem = (far: string) => model.items.has(far);
      const context = [id, dir];
      // The second time the edges of the node are kept.
      for (let time = 0; time < 2; time++) expect([...context, await ids([{ dir }])]).toEqual([...context, nodes]);
      expect([...context, await ids([{ dir }], 'edge')]).toEqual([...context, shown.map((link) => link.id)]);
      expect(await ids([{ dir, nodeType: ItemClass }])).toEqual(nodes.filter(isItem));
      const heavy = (link: Link) => (this.weights.get(link.id) ?? -1) >= 8;
      const typed = shown.filter((link) => this.weights.has(link.id));
      expect(await ids([{ dir, type: Likes }])).toEqual(unique(typed.map((link) => this.far(id, link))));
      const weighty = { dir, type: Likes, edgeWhere: (edge: any) => edge.weight >= 8 };
      expect(await ids([weighty])).toEqual(unique(shown.filter(heavy).map((link) => this.far(id, link))));
      expect(await ids([weighty], 'edge')).toEqual(shown.filter(heavy).map((link) => link.id));
      const late = (far: string) => isItem(far) && this.counts.get(far)! >= 3;
      expect(await ids([{ dir, nodeType: ItemClass, nodeWhere: (x: any) => x.count >= 3 }])).toEqual(
        nodes.filter(late),
      );
      expect(await ids([{ dir, limit: 2, offset: 1 }])).toEqual(nodes.slice(1, 3));
      const onward = nodes.flatMap((far) => model.shown(rootId, far, 'out').map((link) => this.far(far, link)));
      expect((await ids([{ dir }, { dir: 'out' }])).toSorted()).toEqual(unique(onward).toSorted());
    }
    const all = await traverse(await $.oget(id), {
      depth: -1,
      nodeTypes: undefined,
      edgeTypes: undefined,
      offset: 0,
      limit: 1000,
    });
    const reached = new Set([id]);
    const edges = new Set<string>();
    for (const node of reached)
      for (const link of model.shown(rootId, node, 'any')) {
        edges.add(link.id);
        reached.add(this.far(node, link));
      }
    const sorted = (list: readonly object[]) => list.map((x) => $.oid(x)).toSorted();
    expect([sorted(all.nodes), sorted(all.edges)]).toEqual([[...reached].toSorted(), [...edges].toSorted()]);
  }

  /** One hop from everything the caller sees, asked together. */
  private async lookFromAll({ rootId }: Caller): Promise<void> {
    const seen = this.nodes.filter((id) => this.model.sees(rootId, id));
    const origins = await Promise.all(seen.map(async (id) => $.oget(id)));
    for (const dir of directions) {
      const got = ((await $.hops(origins, 'node', [{ dir }])) as any[]).map((x) => $.oid(x));
      const far = seen.flatMap((id) => this.model.shown(rootId, id, dir).map((link) => this.far(id, link)));
      expect(got.toSorted()).toEqual(unique(far).toSorted());
    }
  }
}

export const seeds = process.env['PERMISSION_SEEDS']?.split(',').map(Number) ?? [
  1,
  Math.floor(Math.random() * 2 ** 31),
];

export function describeArrival(it: It): void {
  for (const seed of seeds)
    it(`a shared graph shows what its rules say, by every way there is (seed ${seed})`, async (f) => {
      const users = [account('ann', 1), account('bob', 2), account('cay', 3)];
      for (const user of users) await f.accounts.createAccount(user);
      const callers = [...users.map(callerOf), guest];
      const shared = new Shared(f, callers, seed);
      await shared.build();
      for (let round = 0; round < 6; round++) {
        for (const caller of callers) await shared.look(caller);
        for (let n = 0; n < 5; n++) await shared.rule();
      }
      for (const caller of callers) await shared.look(caller);
    });

  for (const seed of seeds)
    it(`what looked at no caller is the same for all (seed ${seed})`, async (f) => {
      const users = [account('ann', 1), account('bob', 2), account('cay', 3)];
      for (const user of users) await f.accounts.createAccount(user);
      const shared = new Shared(f, [...users.map(callerOf), guest], seed);
      await shared.build();
      let common = 0;
      for (let round = 0; round < 4; round++) {
        await shared.open();
        common += await shared.agree();
      }
      expect(common).toBeGreaterThan(0);
    });

  it('a node that is shared is reached by the edge that leads to it', async ({ run, accounts }) => {
    const users = [account('ann', 1), account('bob', 2)];
    for (const user of users) await accounts.createAccount(user);
    const [ann, bob] = users.map(callerOf) as [Caller, Caller];
    const [hall, room] = await run(() => {
      const [a, b] = [item('hall'), item('room')];
      $.connect($.root(), a, 'out');
      $.connect(a, b, 'out', Likes);
      $.perm_grant(a, 'READ');
      return [$.oid(a), $.oid(b)];
    }, ann);
    const rooms = () =>
      run(
        async () => ((await $.hops(await $.oget(hall), 'node', [{ dir: 'out' }])) as Item[]).map((x) => x.title),
        bob,
      );
    expect(await rooms()).toEqual([]);
    await run(async () => $.allow_root(await $.oget(room), bob.rootId, 'READ'), ann);
    expect(await rooms()).toEqual(['room']);
    const edge = async () => ((await $.hops(await $.oget(hall), 'edge', [{ dir: 'out' }])) as any[])[0];
    await run(async () => $.allow_root(await edge(), bob.rootId, 'NO_ACCESS'), ann);
    expect(await rooms()).toEqual([]);
  });

  it('objects of others that a call holds are judged anew after a commit in between', async ({ run, accounts }) => {
    const users = [account('ann', 1), account('bob', 2)];
    for (const user of users) await accounts.createAccount(user);
    const [ann, bob] = users.map(callerOf) as [Caller, Caller];
    const hall = await run(async () => {
      const [a, b] = [item('hall'), item('room')];
      $.connect($.root(), a, 'out');
      $.connect(a, b, 'out', Likes);
      for (const x of [a, b]) $.allow_root(x, bob.rootId, 'WRITE');
      return $.oid(a);
    }, ann);
    const seen = await run(async () => {
      const a = (await $.oget(hall)) as Item;
      const [edge] = (await $.hops(a, 'edge', [{ dir: 'out' }])) as any[];
      $.connect($.root(), item('own'), 'out');
      await $.commit();
      a.count = 5;
      edge.weight = 7;
      await $.commit();
      const rooms = (await $.hops(a, 'node', [{ dir: 'out' }])) as Item[];
      rooms[0]!.count = 6;
      return [a.count, edge.weight, edge.target.title, rooms.length];
    }, bob);
    expect(seen).toEqual([5, 7, 'room', 1]);
    await run(async () => $.allow_root(await $.oget(hall), bob.rootId, 'READ'), ann);
    const write = run(async () => {
      const a = (await $.oget(hall)) as Item;
      const [edge] = (await $.hops(a, 'edge', [{ dir: 'out' }])) as any[];
      edge.weight = 8;
    }, bob);
    await expect(write).rejects.toMatchObject({ failure: { details: { type: 'Likes', effective: 'READ' } } });
  });
}
