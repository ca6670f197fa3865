/**
 * Writes of another process while a unit reads: a commit may only rest on what was true at one moment (server.md 15.4).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SHARED_ROOT_ID } from '../../../core/graph/ids.ts';
import { currentContext } from '../../../core/memory/context.ts';
import { createRuntime } from '../../../core/memory/runtime.ts';
import { begin } from '../../../core/memory/session-rows.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import * as $ from '../../../core/runtime.ts';
import { openSqliteStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-between-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const guest = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' as const };

class Counter extends ($.Node as any) {}
const counter = $.archetype(Counter, {
  kind: 'node',
  name: 'Counter',
  module: 'between_test',
  fields: [{ name: 'n', type: { t: 'int' } }],
  abilities: [],
}) as any;

async function openProcess(file: string) {
  const { graph } = await openSqliteStore({ file, durability: 'normal', shared: true });
  const runtime = createRuntime({ store: graph });
  return { graph, run: async <T>(work: () => T | Promise<T>): Promise<T> => runUnit(runtime, guest, work) };
}

/** Counts in the one counter there is, or in a new one. */
function count(): number {
  const [found] = $.hops($.root(), 'node', [{ dir: 'out', nodeType: counter }] as any) as any[];
  const kept = found ?? counter.$new(0);
  if (found === undefined) $.connect($.root(), kept, 'out');
  kept.n += 1;
  return kept.n;
}

test('what is found by a type that was stored for the first time while the unit had begun to read', async () => {
  const file = join(folder, 'types.db');
  const [one, other] = [await openProcess(file), await openProcess(file)];
  let runs = 0;
  const counted = await one.run(async () => {
    // The session knows the types from here on, and reads the root's record when the other one has stored the first counter.
    await begin(currentContext().session);
    if (++runs === 1) await other.run(count);
    return count();
  });
  expect([runs, counted]).toEqual([2, 2]);
  expect(await other.run(count)).toBe(3);
  await Promise.all([one.graph.close(), other.graph.close()]);
});
