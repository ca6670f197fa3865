/** Lists of links that are remembered (decisions/0070): always what the file has, and no unit rests on one that is out of date. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SHARED_ROOT_ID, SYSTEM_ROOT_ID } from '../../../core/graph/ids.ts';
import { createRuntime } from '../../../core/memory/runtime.ts';
import type { GraphStore, NeighbourQuery } from '../../../core/memory/store.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import * as $ from '../../../core/runtime.ts';
import { account, callerOf } from '../../../test/contracts/store.ts';
import { openSqliteStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-links-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `${++files}.db`);
const guest = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' as const };

const define = (name: string) => {
  const cls = class extends $.Node {} as any;
  const fields = [{ name: 'n', type: { t: 'int' as const } }];
  $.archetype(cls, { kind: 'node', name, module: 'links_test', fields, abilities: [] });
  return cls;
};
const A = define('A');
const B = define('B');
class Tie extends $.Edge {}
$.archetype(Tie, {
  kind: 'edge',
  name: 'Tie',
  module: 'links_test',
  fields: [{ name: 'w', type: { t: 'int' }, literal: 1, default: () => 1 }],
  abilities: [],
});

/** A process: its own connection and its own memory of rows. Counts what it asks the file. */
async function openProcess(file: string, shared = false) {
  const { graph } = await openSqliteStore({ file, durability: 'normal', shared });
  const asked = { count: 0 };
  const neighbours = (query: NeighbourQuery) => {
    asked.count++;
    return graph.neighbours(query);
  };
  const runtime = createRuntime({ store: { ...graph, log: graph.log, neighbours } as GraphStore });
  const run = async <T>(work: () => T | Promise<T>): Promise<T> => runUnit(runtime, guest, work);
  return { graph, runtime, run, asked };
}

const hops = [
  { dir: 'out' },
  { dir: 'out', nodeType: A },
  { dir: 'out', nodeType: A, limit: 3 },
  { dir: 'out', limit: 2, offset: 1 },
  { dir: 'out', type: Tie },
  { dir: 'in' },
  { dir: 'in', nodeType: B, limit: 2 },
  { dir: 'out', nodeType: [A, B], limit: 5 },
] as any[];
const numbers = (nodes: any[]) => nodes.map((x) => x.n ?? 'root');
const look = (place: any, hop: any) => numbers($.hops(place, 'node', [hop]) as any[]);

/** The same pseudo-random numbers each time. */
function dice(seed: number) {
  let state = seed;
  return (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** One random change of a small graph whose nodes have the given ids. Gives the id of a new node. */
function change(roll: (n: number) => number, ids: readonly string[], n: number): string | undefined {
  const pick = (): any => $.oget(ids[roll(ids.length)]!) ?? $.root();
  const what = roll(10);
  const place = pick();
  if (what < 4) {
    const made = (roll(2) === 0 ? A : B).$new(n);
    $.connect(place, made, 'out', roll(4) === 0 ? Tie : undefined);
    return $.oid(made);
  }
  if (what < 6) $.connect(place, pick(), roll(4) === 0 ? 'any' : 'out', roll(3) === 0 ? Tie : undefined);
  else if (what === 6) $.disconnect(place, $.hops(place, 'node', [{ dir: 'out', limit: 1 }]), { dir: 'out' });
  else if (what === 7 && place.n !== undefined && roll(2) === 0) $.destroy(place);
  else if (what === 8) {
    for (const edge of ($.hops(place, 'edge', [{ dir: 'out' }]) as any[]).slice(0, 1)) $.perm_grant(edge, 'READ');
  } else if (place.n !== undefined) place.n += 1000;
  return undefined;
}

for (const [what, processes] of [
  ['one process', 1],
  ['two processes that share the file', 2],
] as const) {
  test(`remembered lists are what the file has: ${what}`, async () => {
    const file = newFile();
    const all = await Promise.all(Array.from({ length: processes }, () => openProcess(file, processes > 1)));
    const roll = dice(7 + processes);
    const ids: string[] = [];
    for (let step = 0; step < 250; step++) {
      const writer = all[roll(all.length)]!;
      const made = await writer.run(() => change(roll, ids, step));
      if (made !== undefined) ids.push(made);
      const id = ids[roll(ids.length)];
      const [first, second] = [hops[roll(hops.length)], hops[roll(hops.length)]];
      const view = () => {
        const place = (id === undefined || step % 3 === 0 ? null : $.oget(id)) ?? $.root();
        return [look(place, first), look(place, second)];
      };
      // A process that has just opened the file remembers nothing.
      const fresh = createRuntime({ store: all[0]!.graph });
      if (processes > 1) await new Promise((resolve) => setImmediate(resolve));
      const expected = await runUnit(fresh, guest, view);
      for (const one of all) expect(await one.run(view), `step ${step}`).toEqual(expected);
    }
    const asked = all.map((one) => one.asked.count);
    for (const one of all) {
      await one.run(() => void look($.root(), hops[2]));
      await one.run(() => void look($.root(), hops[2]));
    }
    expect(all.map((one) => one.asked.count - asked[all.indexOf(one)]!)).toEqual(
      all.map(() => expect.toSatisfy((n) => n <= 1)),
    );
    for (const one of all) await one.graph.close();
  });
}

test('creating children and listing the first of them asks the file once', async () => {
  const one = await openProcess(newFile());
  const page = () => look($.root(), { dir: 'out', nodeType: A, limit: 10 });
  for (let n = 0; n < 15; n++) {
    const seen = await one.run(() => {
      $.connect($.root(), A.$new(n), 'out');
      return page();
    });
    expect(seen).toEqual(Array.from({ length: Math.min(n + 1, 10) }, (_, i) => i));
  }
  expect(one.asked.count).toBeLessThanOrEqual(2); // the stored type of A comes with the first
  await one.run(() => $.destroy(($.hops($.root(), 'node', [{ dir: 'out' }]) as any[])[4]));
  expect(await one.run(page)).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9, 10]);
  await one.graph.close();
});

test('a unit that rests on a list another process has made out of date runs again', async () => {
  const file = newFile();
  const [one, other] = [await openProcess(file, true), await openProcess(file, true)];
  const names = () => look($.root(), { dir: 'out', nodeType: A });
  // Both know the list: empty but for one.
  for (const process of [one, other]) {
    await process.run(() => {
      if (names().length === 0) $.connect($.root(), A.$new(1), 'out');
    });
    await process.run(names);
    await process.run(names);
  }
  let runs = 0;
  await one.run(async () => {
    runs++;
    const before = names();
    // The other process writes after this unit has begun, so nothing told this process to forget.
    if (runs === 1) await other.run(() => void $.connect($.root(), A.$new(2), 'out'));
    if (!before.includes(2)) $.connect($.root(), A.$new(2), 'out');
  });
  expect(runs).toBe(2);
  expect(await other.run(names)).toEqual([1, 2]);
  expect(await one.run(names)).toEqual([1, 2]);
  await one.graph.close();
  await other.graph.close();
});

test('numbers that another process gave out earlier keep their place in the order', async () => {
  const file = newFile();
  const [one, other] = [await openProcess(file, true), await openProcess(file, true)];
  const page = () => look($.root(), { dir: 'out', nodeType: A, limit: 2 });
  // Blocks of numbers: those of `one` come before those of `other`.
  await one.run(() => void $.connect($.root(), A.$new(1), 'out'));
  await other.run(() => void $.connect($.root(), A.$new(2), 'out'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(await one.run(page)).toEqual([1, 2]);
  await one.run(() => void $.connect($.root(), A.$new(3), 'out'));
  const expected = await runUnit(createRuntime({ store: one.graph }), guest, page);
  expect(await one.run(page)).toEqual(expected);
  await one.graph.close();
  await other.graph.close();
});

test("an edge that somebody else made is not added to the lists as if it were the owner's", async () => {
  const one = await openProcess(newFile());
  const system = { rootId: SYSTEM_ROOT_ID, userId: null, kind: 'system' as const };
  const hub = await one.run(() => {
    const a = A.$new(1);
    $.connect($.root(), a, 'out');
    $.connect(a, A.$new(2), 'out');
    return $.oid(a);
  });
  const page = () => look($.oget(hub), { dir: 'out' });
  expect(await one.run(page)).toEqual([2]);
  await runUnit(one.runtime, system, () => {
    const theirs = A.$new(3);
    const edge = ($.GenericEdge as any).$new();
    $.connect($.oget(hub), theirs, 'out', edge);
    $.perm_grant(theirs, 'READ');
    $.perm_revoke(edge);
  });
  // The node may be read; the edge to it may not.
  const fresh = createRuntime({ store: one.graph });
  expect(await runUnit(fresh, guest, page)).toEqual([2]);
  expect(await one.run(page)).toEqual([2]);
  await one.graph.close();
});

/** A user whom nothing belongs to. */
async function addAnn(file: string) {
  const { graph, accounts } = await openSqliteStore({ file, durability: 'normal' });
  const record = account('ann', 1);
  await accounts.createAccount(record);
  await graph.close();
  return callerOf(record);
}

test('each change of the rules of an edge, or of its owner, ends the lists that were remembered before it', async () => {
  const file = newFile();
  const ann = await addAnn(file);
  const [one, two] = [await openProcess(file, true), await openProcess(file, true)];
  const [hub, far] = await one.run(() => {
    const [a, b] = [A.$new(1), A.$new(2)];
    $.connect($.root(), a, 'out');
    $.connect(a, b, 'out');
    // Everything the root owns may be read, so the plain edge is there for all.
    $.perm_grant($.root(), 'READ');
    return [$.oid(a), $.oid(b)];
  });
  const view = () => {
    const [a, b] = [$.oget(hub), $.oget(far)];
    if (a === null || b === null) return 'nothing';
    const near = [look(a, { dir: 'out' }), look(a, { dir: 'out', nodeType: A, limit: 3 })];
    return [...near, look(b, { dir: 'in' })].join(' ');
  };
  const shown = '2 2 1';
  const hidden = '  ';
  const edge = () => ($.hops($.oget(hub), 'edge', [{ dir: 'out' }]) as any[])[0];
  const others = 'b'.repeat(32);
  const steps: readonly (readonly [what: string, change: () => unknown, sees: string])[] = [
    ['nothing of its own', () => undefined, shown],
    ['perm_revoke', () => $.perm_revoke(edge()), hidden],
    ['perm_grant', () => $.perm_grant(edge(), 'READ'), shown],
    ['a denial of one root', () => $.allow_root(edge(), ann.rootId, 'NO_ACCESS'), hidden],
    ['its end', () => $.disallow_root(edge(), ann.rootId), shown],
    ['perm_revoke again', () => $.perm_revoke(edge()), hidden],
    ['allow_root', () => $.allow_root(edge(), ann.rootId), shown],
    ['disallow_root of another', () => $.disallow_root(edge(), others), shown],
    ['disallow_root', () => $.disallow_root(edge(), ann.rootId), hidden],
    ['perm_grant again', () => $.perm_grant(edge(), 'CONNECT'), shown],
    ['perm_revoke of the owner, which the edge overrules', () => $.perm_revoke($.root()), 'nothing'],
    ['perm_grant of the owner', () => $.perm_grant($.root(), 'READ'), shown],
    ['a new plain edge', () => void $.connect($.oget(hub), A.$new(3), 'out'), '2,3 2,3 1'],
    ['perm_revoke beside it', () => $.perm_revoke(edge()), '3 3 '],
  ];
  for (const [what, change, sees] of steps) {
    await one.run(change);
    for (const { runtime } of [one, two]) {
      await new Promise((resolve) => setImmediate(resolve)); // what another process did is looked for once in a turn
      // The first look may remember a list, those after it may use it.
      for (let i = 0; i < 3; i++) expect(await runUnit(runtime, ann, view), what).toBe(sees);
    }
  }
  await one.graph.close();
  await two.graph.close();
});
