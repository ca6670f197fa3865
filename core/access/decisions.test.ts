/**
 * Access rules that a unit evaluated are part of its reads: when one changes before its commit, the unit runs again
 * (docs/server/permissions.md#operations, docs/server/storage.md#units).
 */
import { expect, test } from 'vitest';
import { createRuntime } from '../memory/runtime.ts';
import { type Caller, runUnit } from '../memory/unit.ts';
import { openVolatileStore } from '../memory/volatile-store.ts';
import * as $ from '../runtime.ts';

class Place extends $.Node {
  declare name: string;
}
$.archetype(Place, {
  kind: 'node',
  name: 'Place',
  module: 'decisions_test',
  fields: [{ name: 'name', type: { t: 'str' } }],
  abilities: [],
});
class Road extends $.Edge {
  declare length: number;
}
$.archetype(Road, {
  kind: 'edge',
  name: 'Road',
  module: 'decisions_test',
  fields: [{ name: 'length', type: { t: 'int' }, literal: 1, default: () => 1 }],
  abilities: [],
});

const place = (name: string) => (Place as any).$new(name);

function open() {
  const store = openVolatileStore();
  const runtime = createRuntime({ store });
  const [ann, bob] = ['a', 'b'].map((digit): Caller => {
    store.addRoot(digit.repeat(32));
    return { rootId: digit.repeat(32), userId: digit, kind: 'user' };
  }) as [Caller, Caller];
  const as = async <T>(caller: Caller, work: () => T | Promise<T>) => runUnit(runtime, caller, work);
  /** Bob writes down what he sees; between his look and his commit Ann does `meanwhile`. Gives what he wrote, and how often he looked. */
  const race = async (look: () => unknown, meanwhile: () => void) => {
    let runs = 0;
    await as(bob, async () => {
      const seen = JSON.stringify(look());
      if (++runs === 1) await as(ann, meanwhile);
      $.connect($.root(), place(seen), 'out');
    });
    const written = await as(bob, () => ($.hops($.root(), 'node', [{ dir: 'out' }]) as Place[]).map((x) => x.name));
    expect(written).toHaveLength(1);
    return { wrote: JSON.parse(written[0]!), runs };
  };
  return { ann, as, race };
}

test('an object that was hidden and is shown meanwhile', async () => {
  const { ann, as, race } = open();
  const id = await as(ann, () => $.oid($.connect($.root(), place('a'), 'out')));
  const outcome = await race(
    () => $.oget(id) !== null,
    () => $.perm_grant($.oget(id), 'READ'),
  );
  expect(outcome).toEqual({ wrote: true, runs: 2 });
});

test('a neighbour that was hidden and is shown meanwhile', async () => {
  const { ann, as, race } = open();
  const [hub, hidden] = await as(ann, () => {
    const [a, b] = [place('hub'), place('hidden')];
    $.connect($.root(), a, 'out');
    $.connect(a, b, 'out');
    $.perm_grant($.root(), 'READ');
    $.perm_revoke(b);
    return [$.oid(a), $.oid(b)];
  });
  const outcome = await race(
    () => ($.hops($.oget(hub), 'node', [{ dir: 'out' }]) as Place[]).length,
    () => $.perm_grant($.oget(hidden), 'READ'),
  );
  expect(outcome).toEqual({ wrote: 1, runs: 2 });
});

test('a right that comes from the root of the owner, which the unit never touched', async () => {
  const { ann, as, race } = open();
  const id = await as(ann, () => {
    $.perm_grant($.root(), 'READ');
    return $.oid($.connect($.root(), place('a'), 'out'));
  });
  const outcome = await race(
    () => ($.oget(id) as Place | null)?.name ?? null,
    () => $.perm_revoke($.root()),
  );
  expect(outcome).toEqual({ wrote: null, runs: 2 });
});

for (const [what, kind] of [
  ['with fields', Road],
  ['without a record', undefined],
] as const) {
  test(`the rules of an edge ${what} that was only followed`, async () => {
    const { ann, as, race } = open();
    const hub = await as(ann, () => {
      const a = place('hub');
      $.connect($.root(), a, 'out');
      $.connect(a, place('b'), 'out', kind);
      $.perm_grant($.root(), 'READ');
      return $.oid(a);
    });
    const edge = () => ($.hops($.oget(hub), 'edge', [{ dir: 'out' }]) as $.Edge[])[0]!;
    const look = () => ($.hops($.oget(hub), 'node', [{ dir: 'out' }]) as Place[]).length;
    const outcome = await race(look, () => $.perm_revoke(edge()));
    expect(outcome).toEqual({ wrote: 0, runs: 2 });
  });
}

test('the rules of a hidden edge', async () => {
  const { ann, as, race } = open();
  const hub = await as(ann, () => {
    const a = place('hub');
    $.connect($.root(), a, 'out');
    $.connect(a, place('b'), 'out', Road);
    $.perm_grant($.root(), 'READ');
    $.perm_revoke(($.hops(a, 'edge', [{ dir: 'out' }]) as $.Edge[])[0]!);
    return $.oid(a);
  });
  const edge = () => ($.hops($.oget(hub), 'edge', [{ dir: 'out' }]) as $.Edge[])[0]!;
  const look = () => ($.hops($.oget(hub), 'node', [{ dir: 'out' }]) as Place[]).length;
  const outcome = await race(look, () => $.perm_grant(edge(), 'READ'));
  expect(outcome).toEqual({ wrote: 1, runs: 2 });
});

test('an edge that was looked up by its id', async () => {
  const { ann, as, race } = open();
  const id = await as(ann, () => {
    $.perm_grant($.root(), 'READ');
    $.connect($.root(), place('a'), 'out', Road);
    return $.oid(($.hops($.root(), 'edge', [{ dir: 'out' }]) as $.Edge[])[0]!);
  });
  const outcome = await race(
    () => $.oget(id) !== null,
    () => $.perm_revoke($.oget(id)),
  );
  expect(outcome).toEqual({ wrote: false, runs: 2 });
});
