import { expect, test } from 'vitest';
import { SHARED_ROOT_ID } from '../graph/ids.ts';
import * as $ from '../runtime.ts';
import { createRuntime } from './runtime.ts';
import type { NeighbourQuery } from './store.ts';
import { runUnit } from './unit.ts';
import { openVolatileStore } from './volatile-store.ts';

class Place extends $.Node {
  declare n: number;
}
$.archetype(Place, {
  kind: 'node',
  name: 'Place',
  module: 'ahead',
  fields: [{ name: 'n', type: { t: 'int' } }],
  abilities: [],
});
let changing = false;
class Tour extends $.Walker {
  declare seen: number[];
}
$.archetype(Tour, {
  kind: 'walker',
  name: 'Tour',
  module: 'ahead',
  fields: [{ name: 'seen', type: { t: 'list', of: { t: 'int' } }, default: () => [] }],
  abilities: [
    {
      name: 'start',
      when: 'entry',
      trigger: () => $.Root,
      run: (here, walk) => void $.visit(walk, $.hops(here, 'node', [{ dir: 'out' }])),
    },
    {
      name: 'go',
      when: 'entry',
      trigger: () => Place,
      run(here, walk) {
        this.seen.push(here.n);
        const next = $.hops(here, 'node', [{ dir: 'out', nodeType: Place }]) as any[];
        // Changes of this unit show, whatever was fetched before.
        const queued = (n: number) => walk.queue.find((place: any) => place.n === n);
        if (changing && here.n === 3) $.connect(queued(9), (Place as any).$new(100), 'out');
        if (changing && here.n === 4)
          $.disconnect(queued(10), $.hops(queued(10), 'node', [{ dir: 'out' }]), { dir: 'out' });
        $.visit(walk, next);
      },
    },
  ],
});

test('a walk over stored nodes asks for many at once, and sees its own changes', async () => {
  const store = openVolatileStore();
  const asked: number[] = [];
  const neighbours = (query: NeighbourQuery) => {
    asked.push(query.from.length);
    return store.neighbours(query);
  };
  const counted = { ...store, neighbours };
  const runtime = createRuntime({ store: counted });
  const guest = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' as const };
  await runUnit(runtime, guest, () => {
    for (let i = 0; i < 20; i++) {
      const parent = (Place as any).$new(i);
      $.connect($.root(), parent, 'out');
      $.connect(parent, (Place as any).$new(20 + i), 'out');
    }
  });
  const walk = async () =>
    runUnit(runtime, guest, () => ($.spawn($.root(), (Tour as any).$new()) as any).seen as number[]);
  expect(await walk()).toEqual(Array.from({ length: 40 }, (_, i) => i));
  expect(asked.length).toBeLessThan(8);
  changing = true;
  const seen = await walk();
  expect(seen).toContain(100);
  expect(seen).not.toContain(30);
  expect(seen).toHaveLength(40);
  changing = false;
  expect((await walk()).filter((n) => n === 100)).toHaveLength(1);
});
