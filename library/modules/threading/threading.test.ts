import { setTimeout as later } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeModule } from '../../builtins/module.ts';
import { setOutput } from '../../builtins/output.ts';
import * as $ from '../../values/index-of-runtime.ts';
import { makeQueue } from './queue.ts';
import { makeThreading } from './threading.ts';

const threading = makeModule('threading', makeThreading());
const queue = makeModule('queue', makeQueue());
const thread = (target: unknown, ...args: unknown[]) =>
  $.callkw(threading.Thread, [], { target, args: new $.Tuple(args) });
const run = (o: unknown, name: string, ...args: unknown[]) => $.callMethod(o, name, ...args);

test('threads run, wait and are joined', async () => {
  const seen: unknown[] = [];
  const t = thread(async (n: number) => {
    seen.push(`start ${n}`);
    await later(5);
    seen.push($.getattr(threading.current_thread(), 'name') === t.name);
  }, 1);
  expect(t.name).toMatch(/^Thread-\d+/);
  expect(() => run(t, 'join')).toThrow('cannot join thread before it is started');
  run(t, 'start');
  expect([seen, run(t, 'is_alive'), threading.active_count()]).toEqual([['start 1'], true, 2]);
  await run(t, 'join');
  expect([seen, run(t, 'is_alive')]).toEqual([['start 1', true], false]);
  expect(() => run(t, 'start')).toThrow('threads can only be started once');
  expect($.getattr(threading.current_thread(), 'name')).toBe('MainThread');
  const quick = $.callkw(threading.Thread, [], {
    target: (a: number, b: number) => seen.push(a + b),
    args: [1],
    kwargs: $.Dict.of(),
  });
  run(quick, 'start');
  expect(run(quick, 'join')).toBeNull();
});

test('an error ends the thread only', async () => {
  let err = '';
  const before = setOutput({ out: () => {}, err: (text) => (err += text) });
  const t = $.callkw(threading.Thread, [], {
    name: 'bad',
    target: () => {
      throw new $.ValueError('no');
    },
  });
  run(t, 'start');
  await run(t, 'join');
  setOutput(before);
  expect(err).toMatch(/^Exception in thread bad:\n[\s\S]*ValueError: no\n$/);
});

test('locks are handed over in order', async () => {
  const lock = $.call(threading.Lock);
  const order: number[] = [];
  expect(run(lock, 'acquire')).toBe(true);
  expect($.callMethodKw(lock, 'acquire', [], { blocking: false })).toBe(false);
  expect(await $.callMethodKw(lock, 'acquire', [], { timeout: 0.01 })).toBe(false);
  const others = [1, 2].map(async (n) => {
    await $.enter(lock);
    order.push(n);
    await later(1);
    $.exit(lock);
  });
  run(lock, 'release');
  await Promise.all(others);
  expect([order, run(lock, 'locked')]).toEqual([[1, 2], false]);
  expect(() => run(lock, 'release')).toThrow('release unlocked lock');
});

test('an RLock belongs to its thread', async () => {
  const lock = $.call(threading.RLock);
  expect([run(lock, 'acquire'), run(lock, 'acquire')]).toEqual([true, true]);
  const got: unknown[] = [];
  const t = thread(async () => {
    got.push(await run(lock, 'acquire'));
    run(lock, 'release');
  });
  run(t, 'start');
  run(lock, 'release');
  await later(2);
  expect(got).toEqual([]);
  run(lock, 'release');
  await run(t, 'join');
  expect(got).toEqual([true]);
  expect(() => run(lock, 'release')).toThrow('cannot release un-acquired lock');
});

test('events, conditions, semaphores, barriers, timers', async () => {
  const event = $.call(threading.Event);
  expect(await run(event, 'wait', 0.01)).toBe(false);
  const waiting = run(event, 'wait');
  run(event, 'set');
  expect([await waiting, run(event, 'wait'), run(event, 'is_set')]).toEqual([true, true, true]);

  const condition = $.call(threading.Condition);
  let ready = false;
  const t = thread(async () => {
    await $.enter(condition);
    await run(condition, 'wait_for', () => ready);
    $.exit(condition);
  });
  run(t, 'start');
  await $.enter(condition);
  ready = true;
  run(condition, 'notify_all');
  $.exit(condition);
  await run(t, 'join');
  expect(() => run(condition, 'notify')).toThrow('cannot notify on un-acquired lock');

  const semaphore = $.call(threading.BoundedSemaphore, 1);
  expect(run(semaphore, 'acquire')).toBe(true);
  expect($.callMethodKw(semaphore, 'acquire', [], { blocking: false })).toBe(false);
  run(semaphore, 'release');
  expect(() => run(semaphore, 'release')).toThrow('Semaphore released too many times');

  const barrier = $.call(threading.Barrier, 2);
  expect(await Promise.all([run(barrier, 'wait'), run(barrier, 'wait')])).toEqual([1, 0]);

  const fired: unknown[] = [];
  const timer = $.call(threading.Timer, 0.01, (x: unknown) => fired.push(x), [7]);
  run(timer, 'start');
  await run(timer, 'join');
  const cancelled = $.call(threading.Timer, 5, () => fired.push('no'));
  run(cancelled, 'start');
  run(cancelled, 'cancel');
  await run(cancelled, 'join');
  expect(fired).toEqual([7]);
});

test('thread-local attributes', async () => {
  const data = $.call(threading.local);
  $.setattr(data, 'x', 1);
  let inside: unknown;
  const t = thread(() => {
    inside = $.hasattr(data, 'x');
  });
  run(t, 'start');
  await run(t, 'join');
  expect([inside, $.getattr(data, 'x')]).toEqual([false, 1]);
});

test('queues', async () => {
  const q = $.call(queue.Queue, 2);
  expect([run(q, 'put', 1), run(q, 'put', 2), run(q, 'full')]).toEqual([null, null, true]);
  expect(() => run(q, 'put_nowait', 3)).toThrow(queue.Full);
  const blocked = run(q, 'put', 3);
  expect(run(q, 'get')).toBe(1);
  await blocked;
  expect([run(q, 'get'), run(q, 'get'), run(q, 'empty')]).toEqual([2, 3, true]);
  expect(() => run(q, 'get_nowait')).toThrow(queue.Empty);
  await expect($.callMethodKw(q, 'get', [], { timeout: 0.01 })).rejects.toBeInstanceOf(queue.Empty);
  const waiting = [run(q, 'get'), run(q, 'get')];
  run(q, 'put', 'a');
  run(q, 'put', 'b');
  expect(await Promise.all(waiting)).toEqual(['a', 'b']);
  let joined = false;
  const done = Promise.resolve(run(q, 'join')).then(() => (joined = true));
  for (let i = 0; i < 5; i += 1) {
    expect(joined).toBe(false);
    run(q, 'task_done');
  }
  await done;
  expect(() => run(q, 'task_done')).toThrow('task_done() called too many times');
  const p = $.call(queue.PriorityQueue);
  for (const n of [3, 1, 2]) run(p, 'put', n);
  expect([run(p, 'get'), run(p, 'get'), run(p, 'get')]).toEqual([1, 2, 3]);
  const l = $.call(queue.LifoQueue);
  for (const n of [1, 2]) run(l, 'put', n);
  expect(run(l, 'get')).toBe(2);
});
