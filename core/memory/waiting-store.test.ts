import { expect, test } from 'vitest';
import { answeringLater } from '../../test/harness/answering-later.ts';
import { SHARED_ROOT_ID } from '../graph/ids.ts';
import * as $ from '../runtime.ts';
import { createRuntime } from './runtime.ts';
import { runUnit } from './unit.ts';
import { openVolatileStore } from './volatile-store.ts';

class Page extends $.Node {
  declare title: string;
  declare next: unknown;
}
$.archetype(Page, {
  kind: 'node',
  name: 'Page',
  module: 'waiting',
  fields: [
    { name: 'title', type: { t: 'str' } },
    { name: 'next', type: { t: 'any' }, default: () => null },
  ],
  abilities: [],
});
class Reader extends $.Walker {
  declare titles: string[];
}
$.archetype(Reader, {
  kind: 'walker',
  name: 'Reader',
  module: 'waiting',
  fields: [{ name: 'titles', type: { t: 'list', of: { t: 'str' } }, default: () => [] }],
  abilities: [
    {
      name: 'go',
      when: 'entry',
      trigger: () => $.Node,
      // The ability is written like code for a store that may wait: only a promise is awaited.
      async run(here, walk) {
        if (here instanceof Page) this.titles.push(here.title);
        const found = $.hops(here, 'node', [{ dir: 'out' }]);
        $.visit(walk, found instanceof Promise ? await found : found);
      },
    },
  ],
});

test('a store that answers later serves the same programs', async () => {
  const volatile = openVolatileStore();
  const store = answeringLater(volatile);
  const ann = { rootId: 'a'.repeat(32), userId: 'ann', kind: 'user' as const };
  volatile.addRoot(ann.rootId);
  const guest = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' as const };
  await runUnit(createRuntime({ store }), guest, () => {
    const [a, b] = [(Page as any).$new('a'), (Page as any).$new('b')];
    a.next = b;
    $.connect($.root(), a, 'out');
    $.connect(a, b, 'out');
    for (const page of [a, b]) $.perm_grant(page);
  });
  const runtime = createRuntime({ store });
  const reader: any = await runUnit(runtime, guest, () => $.spawn($.root(), (Reader as any).$new()));
  expect(reader.titles).toEqual(['a', 'b']);
  const fresh = createRuntime({ store });
  await runUnit(fresh, guest, async () => {
    const [a] = (await $.hops($.root(), 'node', [{ dir: 'out' }])) as Page[];
    expect((a!.next as Page).title).toBe('b');
    a!.title = 'changed';
    const [, edge] = [0, (await $.hops(a, 'edge', [{ dir: 'out' }]))[0]];
    expect(edge.target).toBe(a!.next);
  });
  const id = await runUnit(fresh, guest, async () =>
    $.oid(((await $.hops($.root(), 'node', [{ dir: 'out' }])) as Page[])[0]),
  );
  // Somebody else's object: its owner's rules are loaded with it.
  expect(await runUnit(createRuntime({ store }), ann, async () => ((await $.oget(id)) as Page).title)).toBe('changed');
  expect(await runUnit(createRuntime({ store }), ann, async () => (await $.allroots()).length)).toBe(2);
  await runUnit(fresh, guest, async () => {
    expect(await $.reset_graph()).toBe(2);
  });
  expect(await runUnit(createRuntime({ store }), ann, () => $.oget(id))).toBe(null);
});
