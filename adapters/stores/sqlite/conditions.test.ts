import { expect, test } from 'vitest';
import type { Condition } from '../../../core/graph/hop.ts';
import { SHARED_ROOT_ID } from '../../../core/graph/ids.ts';
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import * as $ from '../../../core/runtime.ts';
import { openSqliteStore } from './store.ts';

class Row extends $.Node {
  declare v: unknown;
}
$.archetype(Row, {
  kind: 'node',
  name: 'Row',
  module: 'conditions',
  fields: [{ name: 'v', type: { t: 'any' } }],
  abilities: [],
});

const values = [0, 1, 2.5, -3, true, false, null, '', 'a', "it's", 'ü', '1', [1], 2n ** 70n];
const ops = ['==', '!=', '<', '<=', '>', '>='] as const;

test('what the store leaves out is never what the language would keep', async () => {
  const { graph } = await openSqliteStore({ file: ':memory:', durability: 'full' });
  const runtime = createRuntime({ store: graph });
  const guest = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' as const };
  await runUnit(
    runtime,
    guest,
    () =>
      void $.connect(
        $.root(),
        values.map((v) => (Row as any).$new(v)),
        'out',
      ),
  );
  const all = await runUnit(runtime, guest, () => {
    const from = [$.root().$row.key];
    const nodeTypes = runtime.types.idsOf(Row, 'node');
    const ask = (where: Condition[], limit?: number) =>
      (
        graph.neighbours({
          from,
          dir: 'out',
          edgeTypes: undefined,
          nodeTypes,
          where,
          details: false,
          limit,
          isShort: false,
        }) as any
      )[0].nodes as number[];
    const rows = $.hops($.root(), 'node', [{ dir: 'out', nodeType: Row }]) as any[];
    const compare: Record<string, (a: unknown, b: unknown) => boolean> = {
      '==': $.eq,
      '!=': $.ne,
      '<': $.lt,
      '<=': $.le,
      '>': $.gt,
      '>=': $.ge,
    };
    for (const op of ops) {
      for (const value of [0, 1, 2, 'a', "it's", true, null]) {
        const kept = new Set(ask([{ field: 'v', op, value }]));
        for (const row of rows) {
          let fits = false;
          try {
            fits = compare[op]!(row.v, value);
          } catch {
            // Values that cannot be compared.
          }
          if (fits) expect([op, value, row.v, kept.has(row.$row.key)]).toEqual([op, value, row.v, true]);
        }
      }
    }
    expect(ask([{ field: 'v', op: '==', value: 'a' }])).toHaveLength(3);
    expect(ask([{ field: 'v', op: '>', value: 1 }], 2)).toHaveLength(2);
    return rows.length;
  });
  expect(all).toBe(values.length);
  await graph.close();
});
