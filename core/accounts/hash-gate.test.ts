import { expect, test } from 'vitest';
import { createHashGate } from './hash-gate.ts';

test('at most so many run, so many wait, the next is refused', async () => {
  const gate = createHashGate({ concurrent: 2, queue: 3 });
  const finish: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const task = async () => {
    most = Math.max(most, (running += 1));
    await new Promise<void>((resolve) => finish.push(resolve));
    running -= 1;
  };
  const admitted = Array.from({ length: 5 }, () => gate.run(task));
  await expect(gate.run(task)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    status: 503,
    headers: { 'Retry-After': '2' },
  });
  expect([gate.running, gate.waiting]).toEqual([2, 3]);
  for (let done = 0; done < 5; done += 1) {
    finish[done]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(admitted);
  expect(most).toBe(2);
  expect([gate.running, gate.waiting]).toEqual([0, 0]);
});

test('a task that fails gives its place to the next', async () => {
  const gate = createHashGate({ concurrent: 1, queue: 1 });
  const failing = gate.run(() => Promise.reject(new Error('no')));
  const next = gate.run(async () => 'done');
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('done');
});
