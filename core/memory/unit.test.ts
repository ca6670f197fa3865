import { expect, test, vi } from 'vitest';
import { bounded } from '../../library/limits/bounded.ts';
import { BrokenState } from '../broken-state.ts';
import { SHARED_ROOT_ID } from '../graph/ids.ts';
import * as $ from '../runtime.ts';
import { CallEnded } from './call-ended.ts';
import { createRowCache } from './row-cache.ts';
import { createRuntime } from './runtime.ts';
import { runUnit } from './unit.ts';
import { openVolatileStore } from './volatile-store.ts';

class Task extends $.Node {
  declare title: string;
  declare count: number;
  declare tags: string[];
}
$.archetype(Task, {
  kind: 'node',
  name: 'Task',
  module: 'unit_test',
  fields: [
    { name: 'title', type: { t: 'str' } },
    { name: 'count', type: { t: 'int' }, literal: 0, default: () => 0 },
    { name: 'tags', type: { t: 'list', of: { t: 'str' } }, default: () => [] },
  ],
  abilities: [],
});
class Link extends $.Edge {
  declare w: number;
}
$.archetype(Link, {
  kind: 'edge',
  name: 'Link',
  module: 'unit_test',
  fields: [{ name: 'w', type: { t: 'int' }, literal: 1, default: () => 1 }],
  abilities: [],
});

const guest = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' as const };
const make = (...args: any[]) => (Task as any).$new(...args);
const tasks = () => $.hops($.root(), 'node', [{ dir: 'out', nodeType: Task }]) as Task[];

function open() {
  const runtime = createRuntime({ store: openVolatileStore() });
  return async <T>(work: () => T | Promise<T>) => runUnit(runtime, guest, work);
}

test('what is connected to the root is there in the next unit', async () => {
  const run = open();
  await run(() => {
    $.connect($.root(), make('a'), 'out');
  });
  await run(() => {
    const [t] = tasks();
    expect(t!.title).toBe('a');
    t!.count += 2;
    t!.tags.push('x');
  });
  const seen = await run(() => tasks().map((t) => [t.title, t.count, t.tags]));
  expect(seen).toEqual([['a', 2, ['x']]]);
});

test('a failed unit leaves nothing', async () => {
  const run = open();
  await expect(
    run(() => {
      $.connect($.root(), make('a'), 'out');
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await run(() => tasks().length)).toBe(0);
});

test('parallel increments all count', async () => {
  const run = open();
  await run(() => {
    $.connect($.root(), make('a'), 'out');
  });
  await Promise.all(
    Array.from({ length: 100 }, () =>
      run(async () => {
        const [t] = tasks();
        const n = t!.count;
        await null;
        t!.count = n + 1;
      }),
    ),
  );
  expect(await run(() => tasks()[0]!.count)).toBe(100);
});

test('parallel find-or-create makes one', async () => {
  const run = open();
  await Promise.all(
    Array.from({ length: 200 }, () =>
      run(async () => {
        const found = tasks();
        await null;
        if (found.length === 0) $.connect($.root(), make('one'), 'out');
      }),
    ),
  );
  expect(await run(() => tasks().length)).toBe(1);
});

test('edges with fields, removal, deletion', async () => {
  const run = open();
  await run(() => {
    const [a, b] = [make('a'), make('b')];
    $.connect($.root(), [a, b], 'out');
    $.connect(a, b, 'out', Link, { w: 5 });
    $.connect(a, b, 'any');
  });
  await run(() => {
    const [a, b] = tasks();
    expect($.hops(a, 'node', [{ dir: 'out', type: Link }])).toEqual([b]);
    const [e] = $.hops(a, 'edge', [{ dir: 'out', type: Link }]) as any[];
    expect(e.w).toBe(5);
    expect(e.source).toBe(a);
    e.w = 6;
    expect($.hops(b, 'node', [{ dir: 'out' }])).toEqual([a]);
    expect($.hops(b, 'node', [{ dir: 'in' }])).toEqual([$.root(), a]);
    expect((await0($.hops(a, 'edge', [{ dir: 'any' }])) as any[]).length).toBe(3);
  });
  await run(() => {
    const [a, b] = tasks();
    expect(($.hops(a, 'edge', [{ dir: 'out', type: Link }]) as any[])[0].w).toBe(6);
    expect($.disconnect(a, b, { dir: 'out', type: Link })).toBe(true);
    expect($.disconnect(a, b, { dir: 'out', type: Link })).toBe(false);
    expect($.hops(a, 'node', [{ dir: 'out', type: Link }])).toEqual([]);
  });
  await run(() => {
    const [a, b] = tasks();
    expect($.hops(a, 'node', [{ dir: 'out', type: Link }])).toEqual([]);
    $.destroy(b);
    expect(tasks()).toEqual([a]);
  });
  expect(await run(() => tasks().map((t) => t.title))).toEqual(['a']);
});
function await0(x: unknown) {
  return x;
}

test('a node answers [0] and iteration with itself, and says so once per place', () => {
  const lines: string[] = [];
  const runtime = createRuntime({
    store: openVolatileStore(),
    compatibility: { warn: (line) => void lines.push(line) },
  });
  class T extends $.Node {}
  $.archetype(T, { kind: 'node', name: 'T', module: 'unit_test', fields: [], abilities: [] });
  runUnit(runtime, guest, () => {
    const t = $.connect($.root(), (T as any).$new(), 'out');
    for (let i = 0; i < 3; i++) expect($.getitem(t, i === 1 ? -1 : 0)).toBe(t);
    expect(() => $.getitem(t, 1)).toThrow('list index out of range');
    expect([...$.iter(t)]).toEqual([t]);
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^svc: using \[0\] on a node: connecting gives the node itself \(.*unit\.test\.ts/);
});

test('a step that V8 stops a moment before the time of its call is up tells how long the call ran', () => {
  const startedMs = performance.now();
  let asked = 0;
  const call = {
    startedMs,
    get endsAtMs() {
      return asked++ === 0 ? startedMs : Number.POSITIVE_INFINITY;
    },
  };
  let thrown: unknown;
  runUnit(
    createRuntime({ store: openVolatileStore() }),
    guest,
    () => {
      try {
        bounded(() => {
          for (;;);
        });
      } catch (error) {
        thrown = error;
      }
    },
    call,
  );
  expect(thrown).toBeInstanceOf(CallEnded);
  expect((thrown as CallEnded).ranMs).toBeGreaterThan(0);
});

test('a unit that is stored and cannot be taken over into memory is acknowledged, and nothing after it can be trusted', async () => {
  const store = openVolatileStore();
  const runtime = createRuntime({ store });
  const fault = new Error('no place for rows');
  const rows = Object.assign(createRowCache(), {
    put: () => {
      throw fault;
    },
    putNamed: () => {},
  });
  vi.useFakeTimers({ toFake: ['setImmediate'] });
  try {
    await runUnit({ ...runtime, rows }, guest, () => void $.connect($.root(), make('kept'), 'out'));
    expect(() => vi.runAllTimers()).toThrow(BrokenState);
  } finally {
    vi.useRealTimers();
  }
  const seen = await runUnit(createRuntime({ store }), guest, () => tasks().map(({ title }) => title));
  expect(seen).toEqual(['kept']);
});
