import { expect, test } from 'vitest';
import type { FunctionSpec } from '../../library/classes/spec.ts';
import { SHARED_ROOT_ID } from '../graph/ids.ts';
import { createRuntime } from '../memory/runtime.ts';
import { runUnit } from '../memory/unit.ts';
import { openVolatileStore } from '../memory/volatile-store.ts';
import * as $ from '../runtime.ts';
import { openModelService } from './fixture.ts';
import { ambientModel } from './models.ts';

class Counter extends $.Node {
  declare count: number;
}
$.archetype(Counter, {
  kind: 'node',
  name: 'Counter',
  module: 'remember_test',
  fields: [{ name: 'count', type: { t: 'int' }, literal: 0, default: () => 0 }],
  abilities: [],
});

const guest = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' as const };
const about: FunctionSpec = {
  name: 'comment',
  qualname: 'comment',
  module: 'remember_test',
  params: [{ name: 'n', kind: 'any', type: { t: 'int' } }],
  result: { t: 'str' },
};
const counter = () => ($.hops($.root(), 'node', [{ dir: 'out', nodeType: Counter }]) as Counter[])[0]!;

/** A service that answers when told to, a graph with one counter, and units on it. */
async function open() {
  const open: (() => void)[] = [];
  const gates = [1, 2, 3].map((n) => new Promise<void>((resolve) => (open[n] = resolve)));
  const service = await openModelService(async (_, n) => {
    await gates[n - 1];
    return `answer ${n}`;
  });
  const runtime = createRuntime({
    store: openVolatileStore(),
    models: () => ({
      defaultModel: 'm',
      baseUrl: service.base,
      apiKey: '',
      timeoutSeconds: 20,
      maxAttempts: 1,
      backoffMs: 0,
      maxRetries: 0,
      maxToolRounds: 0,
      maxAnswerBytes: 10_000,
    }),
  });
  let runs = 0;
  const run = <T>(work: () => T | Promise<T>) =>
    Promise.resolve(runUnit(runtime, guest, work, { onAttempt: () => runs++ }));
  const comment = (n: number) => $.delegate(ambientModel, about, [n], undefined);
  await run(() => {
    $.connect($.root(), (Counter as any).$new(), 'out');
  });
  runs = 0;
  return { service, run, runs: () => runs, asked: service.reached, comment, let: (n: number) => open[n]!() };
}

test('a unit that waits for a model holds nobody up, and its replay asks nothing twice', async () => {
  const world = await open();
  await using _ = world.service;
  const waiting = world.run(async () => {
    const before = counter().count;
    const said = [await world.comment(7), await world.comment(7)];
    counter().count = before + 10;
    return said;
  });
  await world.asked(1);
  await world.run(() => {
    counter().count += 1; // gets in between, and is done while the first still waits
  });
  expect(await world.run(() => counter().count)).toBe(1);
  world.let(1);
  await world.asked(2);
  world.let(2);
  expect(await waiting).toEqual(['answer 1', 'answer 2']);
  expect(world.runs()).toBe(4); // two others, and this one twice: the conflict did happen
  expect(world.service.asked).toHaveLength(2);
  expect(await world.run(() => counter().count)).toBe(11);
});

test('a replay whose question has changed asks anew and lets others go first meanwhile', async () => {
  const world = await open();
  await using _ = world.service;
  const waiting = world.run(async () => {
    const before = counter().count;
    const said = await world.comment(before);
    counter().count = before + 10;
    return said;
  });
  const add = () =>
    world.run(() => {
      counter().count += 1;
    });
  await world.asked(1);
  await add();
  world.let(1);
  await world.asked(2); // the replay waits for the model, and had its turn on the counter
  await add(); // would wait for ever if it still had
  world.let(2);
  await world.asked(3);
  world.let(3);
  expect(await waiting).toBe('answer 3');
  expect(world.service.asked.map(({ text }) => /= (\d)/.exec(text)![1])).toEqual(['0', '1', '2']);
  expect(await world.run(() => counter().count)).toBe(12);
});

test('different calls share no answers', async () => {
  const world = await open();
  await using _ = world.service;
  const first = world.run(() => world.comment(1));
  await world.asked(1);
  const second = world.run(() => world.comment(1));
  await world.asked(2);
  world.let(2);
  world.let(1);
  expect(await Promise.all([first, second])).toEqual(['answer 1', 'answer 2']);
});
