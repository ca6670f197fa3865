import { expect, test } from 'vitest';
import { createRuntime } from '../../core/memory/runtime.ts';
import { type Caller, runUnit } from '../../core/memory/unit.ts';
import { openVolatileStore } from '../../core/memory/volatile-store.ts';
import * as $ from '../../core/runtime.ts';

class Wide extends $.Node {
  [name: string]: any;
}
$.archetype(Wide, {
  kind: 'node',
  name: 'Wide',
  module: 'closed_fields_test',
  fields: Array.from({ length: 40 }, (_, i) => ({
    name: `f${i}`,
    type: { t: 'list', of: { t: 'int' } },
    default: () => [i],
  })),
  abilities: [],
});

test('setting one of very many containers leaves those that were not read as they are', async () => {
  const store = openVolatileStore();
  store.addRoot('a'.repeat(32));
  const ann: Caller = { rootId: 'a'.repeat(32), userId: 'a', kind: 'user' };
  const wide = () => ($.hops($.root(), 'node', [{ dir: 'out' }]) as Wide[])[0]!;
  const as = <T>(work: () => T) => runUnit(createRuntime({ store }), ann, work);
  await as(() => $.connect($.root(), (Wide as any).$new(), 'out'));
  await as(() => {
    wide()['f35'] = ['set'];
  });
  const values = await as(() => Array.from({ length: 40 }, (_, i) => wide()[`f${i}`][0]));
  expect(values).toEqual(Array.from({ length: 40 }, (_, i) => (i === 35 ? 'set' : i)));
});
