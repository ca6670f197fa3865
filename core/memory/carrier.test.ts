import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCarrier } from './carrier.ts';

const hooks = process.getBuiltinModule('node:v8').promiseHooks;
const none = undefined;

// The tests read modules that open the border: each kind is asked for by name.
for (const [kind, open] of [
  ['hooks of promises', () => createCarrier<string>(hooks, () => false)],
  ['an AsyncLocalStorage', () => createCarrier<string>(null)],
] as const) {
  test(`${kind}: a value goes along through waits, each with its own`, async () => {
    const { run, now } = open();
    const seen = await Promise.all(
      ['a', 'b', 'c'].map((value, i) =>
        run(value, async () => {
          const all: unknown[] = [now()];
          for (let round = 0; round < 5; round++) {
            await (round % 2 === i % 2 ? nextTurn() : null);
            all.push(now());
            all.push(await run(`${value}${round}`, async () => (await nextTurn(), now())));
            all.push(await Promise.resolve().then(now));
            for await (const x of generated(now)) all.push(x, now());
          }
          return [...new Set(all)].join();
        }),
      ),
    );
    expect(seen).toEqual(['a', 'b', 'c'].map((value) => [value, ...[0, 1, 2, 3, 4].map((i) => `${value}${i}`)].join()));
    expect(now()).toBe(none);
  });

  test(`${kind}: outside there is none, also while others wait and after failures`, async () => {
    const { run, now } = open();
    let end = () => {};
    const waiting = run('a', async () => {
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      return now();
    });
    expect(now()).toBe(none);
    await expect(run('b', async () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(() =>
      run('c', () => {
        throw new Error('at once');
      }),
    ).toThrow('at once');
    expect(now()).toBe(none);
    expect(await new Promise((resolve) => setTimeout(() => resolve(now()), 1))).toBe(none);
    setImmediate(end); // who wakes it does not matter
    expect(await waiting).toBe('a');
  });

  test(`${kind}: bound work has it whoever calls, and a promise tells with what it was made`, async () => {
    const { run, now, bound, of } = open();
    const [work, promise] = run('a', () => {
      const failed = Promise.reject(new Error('nobody waits'));
      failed.catch(() => {});
      return [bound((x: number) => `${now()}${x}`), failed] as const;
    });
    const called = (f: typeof work) => new Promise((resolve) => setTimeout(() => resolve(f(1)), 1));
    expect(await called(work)).toBe('a1');
    expect(await run('b', () => called(work))).toBe('a1');
    expect(await called(bound((x) => `${now()}${x}`))).toBe('undefined1');
    if (kind === 'hooks of promises') expect(of(promise)).toBe('a');
  });
}

test('a call that began before JavaScript was imported goes on as it began; later ones are followed everywhere', async () => {
  let isOpen = false;
  const { run, now } = createCarrier<string>(hooks, () => isOpen);
  let end = () => {};
  const first = run('a', async () => {
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    return [now(), await run('aa', async () => (await nextTurn(), now())), now()];
  });
  isOpen = true;
  const second = run('b', () => new Promise((resolve) => setTimeout(() => resolve(now()), 1)));
  end();
  expect(await first).toEqual(['a', 'aa', 'a']);
  expect(await second).toBe('b');
});

test('hooks of promises stand beside an AsyncLocalStorage of a package', async () => {
  const { run, now } = createCarrier<string>(hooks, () => false);
  const storage = new AsyncLocalStorage<number>();
  const both = (value: string, n: number) =>
    run(value, () => storage.run(n, async () => (await nextTurn(), [now(), storage.getStore()])));
  expect(await Promise.all([both('a', 1), both('b', 2)])).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
});

async function* generated(now: () => unknown): AsyncGenerator<unknown> {
  yield now();
  await nextTurn();
  yield now();
}
