/** Module `asyncio` over JavaScript's event loop (language.md 3.14, D-18). */
import { awaitable } from '../../values/awaitable.ts';
import { call } from '../../values/calls.ts';
import {
  BaseException,
  Exception,
  ExceptionGroup,
  nameException,
  RuntimeError,
  TimeoutError,
  ValueError,
} from '../../values/exceptions.ts';
import { iter } from '../../values/iteration.ts';
import { $await, $repr, $spec } from '../../values/protocol.ts';
import { caught } from '../../values/raise.ts';
import { PySet } from '../../values/sets.ts';
import { truth } from '../../values/truth.ts';
import { Tuple } from '../../values/tuple.ts';
import { functions, type Members } from '../module.ts';
import { nativeClass } from '../native-class.ts';
import { real } from './math.ts';

export class CancelledError extends BaseException {}
export class InvalidStateError extends Exception {}
export class QueueEmpty extends Exception {}
export class QueueFull extends Exception {}
nameException(CancelledError, 'CancelledError');
nameException(InvalidStateError, 'InvalidStateError');
nameException(QueueEmpty, 'QueueEmpty');
nameException(QueueFull, 'QueueFull');

/** What `await x` gives, as a promise. */
function promiseOf(x: any): Promise<unknown> {
  const ready = awaitable(x);
  return ready instanceof Promise ? ready : Promise.resolve(ready);
}

/** A result that comes later. It is not a thenable, so functions can return it without waiting for it. */
export class Future {
  $state: 'pending' | 'done' | 'failed' | 'cancelled' = 'pending';
  $value: unknown = null;
  $resolve: (value: unknown) => void = () => {};
  $reject: (error: unknown) => void = () => {};
  readonly $promise: Promise<unknown>;
  readonly $callbacks: unknown[] = [];

  constructor() {
    this.$promise = new Promise((resolve, reject) => {
      this.$resolve = resolve;
      this.$reject = reject;
    });
    // A failure nobody asks about is not a crash of the process.
    this.$promise.catch(() => {});
  }

  [$await](): Promise<unknown> {
    return this.$promise;
  }

  done(): boolean {
    return this.$state !== 'pending';
  }

  cancelled(): boolean {
    return this.$state === 'cancelled';
  }

  result(): unknown {
    if (this.$state === 'pending') throw new InvalidStateError('Result is not set.');
    if (this.$state === 'done') return this.$value;
    throw this.$value;
  }

  exception(): unknown {
    if (this.$state === 'pending') throw new InvalidStateError('Exception is not set.');
    if (this.$state === 'cancelled') throw this.$value;
    return this.$state === 'failed' ? this.$value : null;
  }

  set_result(value: unknown): null {
    if (this.done()) throw new InvalidStateError('invalid state');
    this.$settle('done', value);
    return null;
  }

  set_exception(error: unknown): null {
    if (this.done()) throw new InvalidStateError('invalid state');
    this.$settle('failed', typeof error === 'function' ? call(error) : error);
    return null;
  }

  cancel(_msg?: unknown): boolean {
    if (this.done()) return false;
    this.$settle('cancelled', new CancelledError());
    return true;
  }

  add_done_callback(f: unknown): null {
    if (this.done()) queueMicrotask(() => call(f, this));
    else this.$callbacks.push(f);
    return null;
  }

  $settle(state: 'done' | 'failed' | 'cancelled', value: unknown): void {
    if (this.done()) return;
    this.$state = state;
    this.$value = value ?? null;
    if (state === 'done') this.$resolve(this.$value);
    else this.$reject(this.$value);
    for (const f of this.$callbacks) queueMicrotask(() => call(f, this));
  }

  [$repr](): string {
    return `<Future ${this.$state === 'done' || this.$state === 'failed' ? 'finished' : this.$state}>`;
  }
}
nativeClass(Future, {
  name: 'Future',
  module: 'asyncio',
  methods: { cancel: 'msg=None', add_done_callback: 'fn, /, *, context=None' },
});

let lastTask = 0;
const running = new Set<Task>();

export class Task extends Future {
  $name: string;

  constructor(work: unknown, name?: unknown) {
    super();
    this.$name = name === undefined || name === null ? `Task-${++lastTask}` : String(name);
    running.add(this);
    promiseOf(work).then(
      (value) => this.$settle('done', value),
      (error) => this.$settle(caught(error) instanceof CancelledError ? 'cancelled' : 'failed', caught(error)),
    );
    this.$promise.then(
      () => running.delete(this),
      () => running.delete(this),
    );
  }

  get_name(): string {
    return this.$name;
  }

  set_name(name: unknown): null {
    this.$name = String(name);
    return null;
  }

  override [$repr](): string {
    return `<Task ${this.$state === 'done' || this.$state === 'failed' ? 'finished' : this.$state} name='${this.$name}'>`;
  }
}
nativeClass(Task, {
  name: 'Task',
  module: 'asyncio',
  params: 'coro, *, name=None',
  make: (_cls, work, name) => new Task(work, name),
  methods: { cancel: 'msg=None' },
});

function createTask(work: unknown, name?: unknown): Task {
  return work instanceof Task ? work : new Task(work, name);
}

async function sleep(delay: unknown, result: unknown): Promise<unknown> {
  const seconds = real(delay);
  await new Promise<void>((resolve) => {
    if (seconds <= 0) setImmediate(resolve);
    else setTimeout(resolve, seconds * 1000);
  });
  return result ?? null;
}

async function gather(works: readonly unknown[] = [], keepErrors?: unknown): Promise<unknown[]> {
  const promises = works.map(promiseOf);
  if (truth(keepErrors)) return Promise.all(promises.map((promise) => promise.catch((error) => caught(error))));
  for (const promise of promises) promise.catch(() => {});
  return Promise.all(promises);
}

async function waitFor(work: any, timeout: unknown): Promise<unknown> {
  const promise = promiseOf(work);
  if (timeout === null || timeout === undefined) return promise;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => {
        if (work instanceof Future) work.cancel();
        reject(new TimeoutError());
      },
      Math.max(0, real(timeout) * 1000),
    );
  });
  promise.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function wait(works: unknown, timeout: unknown, returnWhen: unknown): Promise<Tuple> {
  const tasks = [...iter(works)].map((work) => createTask(work));
  if (tasks.length === 0) throw new ValueError('Set of Tasks/Futures is empty.');
  const settled = tasks.map((task) =>
    task.$promise.then(
      () => true,
      () => false,
    ),
  );
  const limit = timeout === undefined || timeout === null ? undefined : sleep(timeout, undefined);
  const goal =
    returnWhen === 'FIRST_COMPLETED'
      ? Promise.race(settled)
      : returnWhen === 'FIRST_EXCEPTION'
        ? new Promise<void>((resolve) => {
            for (const one of settled) one.then((ok) => !ok && resolve());
            Promise.all(settled).then(() => resolve());
          })
        : Promise.all(settled);
  await (limit === undefined ? goal : Promise.race([goal, limit]));
  return new Tuple([new PySet(tasks.filter((task) => task.done())), new PySet(tasks.filter((task) => !task.done()))]);
}

/** Promises of the results, the first to finish first. */
function asCompleted(works: unknown): unknown[] {
  const tasks = [...iter(works)].map((work) => createTask(work));
  const slots = tasks.map(() => new Future());
  let next = 0;
  for (const task of tasks) {
    task.$promise.then(
      (value) => slots[next++]!.set_result(value),
      (error) => slots[next++]!.set_exception(error),
    );
  }
  return slots;
}

/** Callers that wait for a turn. */
class Waiters {
  readonly $queue: (() => void)[] = [];

  $wait(): Promise<void> {
    return new Promise((resolve) => {
      this.$queue.push(resolve);
    });
  }

  $wake(): boolean {
    const next = this.$queue.shift();
    next?.();
    return next !== undefined;
  }
}

class AsyncEvent {
  $set = false;
  readonly $waiters = new Waiters();

  is_set(): boolean {
    return this.$set;
  }

  set(): null {
    this.$set = true;
    while (this.$waiters.$wake());
    return null;
  }

  clear(): null {
    this.$set = false;
    return null;
  }

  async wait(): Promise<boolean> {
    if (!this.$set) await this.$waiters.$wait();
    return true;
  }
}
nativeClass(AsyncEvent, { name: 'Event', module: 'asyncio' });

/** `Lock` is a semaphore of one. */
class AsyncSemaphore {
  $free: number;
  readonly $bound: number | undefined;
  readonly $waiters = new Waiters();

  constructor(value: number, bound?: number) {
    this.$free = value;
    this.$bound = bound;
  }

  locked(): boolean {
    return this.$free === 0;
  }

  async acquire(): Promise<boolean> {
    if (this.$free > 0) this.$free -= 1;
    else await this.$waiters.$wait();
    return true;
  }

  release(): null {
    if (this.$bound !== undefined && this.$free >= this.$bound) {
      throw this instanceof AsyncLock
        ? new RuntimeError('Lock is not acquired.')
        : new ValueError('BoundedSemaphore released too many times');
    }
    if (!this.$waiters.$wake()) this.$free += 1;
    return null;
  }

  async __aenter__(): Promise<null> {
    await this.acquire();
    return null;
  }

  async __aexit__(): Promise<boolean> {
    this.release();
    return false;
  }
}
class AsyncLock extends AsyncSemaphore {
  constructor() {
    super(1, 1);
  }
}
nativeClass(AsyncSemaphore, {
  name: 'Semaphore',
  module: 'asyncio',
  params: 'value=1',
  make: (_cls, value) => new AsyncSemaphore(value === undefined ? 1 : Number(value)),
});
nativeClass(AsyncLock, { name: 'Lock', module: 'asyncio', make: () => new AsyncLock() });
class BoundedSemaphore extends AsyncSemaphore {}
nativeClass(BoundedSemaphore, {
  name: 'BoundedSemaphore',
  module: 'asyncio',
  params: 'value=1',
  make: (_cls, value) => new BoundedSemaphore(Number(value ?? 1), Number(value ?? 1)),
});

class AsyncCondition extends AsyncLock {
  readonly $sleepers = new Waiters();

  async wait(): Promise<boolean> {
    this.release();
    await this.$sleepers.$wait();
    await this.acquire();
    return true;
  }

  notify(n?: unknown): null {
    for (let i = 0; i < (n === undefined ? 1 : Number(n)); i += 1) this.$sleepers.$wake();
    return null;
  }

  notify_all(): null {
    while (this.$sleepers.$wake());
    return null;
  }
}
nativeClass(AsyncCondition, {
  name: 'Condition',
  module: 'asyncio',
  make: () => new AsyncCondition(),
  methods: { notify: 'n=1' },
});

class AsyncQueue {
  readonly maxsize: number;
  readonly $items: unknown[] = [];
  $unfinished = 0;
  readonly $getters = new Waiters();
  readonly $putters = new Waiters();
  readonly $joiners = new Waiters();

  constructor(maxsize: number) {
    this.maxsize = maxsize;
  }

  qsize(): number {
    return this.$items.length;
  }

  empty(): boolean {
    return this.$items.length === 0;
  }

  full(): boolean {
    return this.maxsize > 0 && this.$items.length >= this.maxsize;
  }

  $insert(x: unknown): void {
    this.$items.push(x);
  }

  $take(): unknown {
    return this.$items.shift();
  }

  async put(x: unknown): Promise<null> {
    while (this.full()) await this.$putters.$wait();
    return this.put_nowait(x);
  }

  put_nowait(x: unknown): null {
    if (this.full()) throw new QueueFull();
    this.$insert(x);
    this.$unfinished += 1;
    this.$getters.$wake();
    return null;
  }

  async get(): Promise<unknown> {
    while (this.empty()) await this.$getters.$wait();
    return this.get_nowait();
  }

  get_nowait(): unknown {
    if (this.empty()) throw new QueueEmpty();
    const x = this.$take();
    this.$putters.$wake();
    return x;
  }

  task_done(): null {
    if (this.$unfinished <= 0) throw new ValueError('task_done() called too many times');
    this.$unfinished -= 1;
    if (this.$unfinished === 0) while (this.$joiners.$wake());
    return null;
  }

  async join(): Promise<null> {
    if (this.$unfinished > 0) await this.$joiners.$wait();
    return null;
  }
}
class AsyncLifoQueue extends AsyncQueue {
  override $take(): unknown {
    return this.$items.pop();
  }
}
const queueAbout = { module: 'asyncio', params: 'maxsize=0' };
nativeClass(AsyncQueue, { ...queueAbout, name: 'Queue', make: (_cls, n) => new AsyncQueue(Number(n ?? 0)) });
nativeClass(AsyncLifoQueue, {
  ...queueAbout,
  name: 'LifoQueue',
  make: (_cls, n) => new AsyncLifoQueue(Number(n ?? 0)),
});

class Loop {
  run_until_complete(work: unknown): Promise<unknown> {
    return promiseOf(work);
  }

  create_task(work: unknown, name?: unknown): Task {
    return createTask(work, name);
  }

  create_future(): Future {
    return new Future();
  }

  run_in_executor(_executor: unknown, f: unknown, args: readonly unknown[] = []): Promise<unknown> {
    return toThread(f, args);
  }

  call_soon(f: unknown, args: readonly unknown[] = []): null {
    setImmediate(() => call(f, ...args));
    return null;
  }

  call_later(delay: unknown, f: unknown, args: readonly unknown[] = []): null {
    setTimeout(() => call(f, ...args), real(delay) * 1000);
    return null;
  }

  time(): number {
    return performance.now() / 1000;
  }

  is_running(): boolean {
    return true;
  }

  is_closed(): boolean {
    return false;
  }

  close(): null {
    return null;
  }

  stop(): null {
    return null;
  }
}
nativeClass(Loop, {
  name: 'AbstractEventLoop',
  module: 'asyncio',
  methods: {
    create_task: 'coro, *, name=None',
    run_in_executor: 'executor, func, /, *args',
    call_soon: 'callback, /, *args',
    call_later: 'delay, callback, /, *args',
  },
});
const loop = new Loop();

async function toThread(f: unknown, args: readonly unknown[] = []): Promise<unknown> {
  await null;
  return awaitable(call(f, ...args));
}

/** `async with asyncio.timeout(seconds)` */
class Timeout {
  readonly $seconds: number | undefined;
  $timer: NodeJS.Timeout | undefined;
  $expired = false;

  constructor(seconds: number | undefined) {
    this.$seconds = seconds;
  }

  expired(): boolean {
    return this.$expired;
  }

  async __aenter__(): Promise<this> {
    if (this.$seconds !== undefined) {
      this.$timer = setTimeout(() => {
        this.$expired = true;
      }, this.$seconds * 1000);
    }
    return this;
  }

  // A body cannot be interrupted; one that took too long fails at its end.
  async __aexit__(): Promise<boolean> {
    clearTimeout(this.$timer);
    if (this.$expired) throw new TimeoutError();
    return false;
  }
}
nativeClass(Timeout, { name: 'Timeout', module: 'asyncio' });

class TaskGroup {
  readonly $tasks: Task[] = [];

  create_task(work: unknown, name?: unknown): Task {
    const task = createTask(work, name);
    this.$tasks.push(task);
    return task;
  }

  async __aenter__(): Promise<this> {
    return this;
  }

  async __aexit__(_type: unknown, error: unknown): Promise<boolean> {
    if (error !== null) for (const task of this.$tasks) task.cancel();
    await Promise.allSettled(this.$tasks.map((task) => task.$promise));
    const failed = this.$tasks.filter((task) => task.$state === 'failed').map((task) => task.$value);
    if (failed.length > 0) throw new ExceptionGroup('unhandled errors in a TaskGroup', failed);
    return false;
  }
}
nativeClass(TaskGroup, { name: 'TaskGroup', module: 'asyncio', methods: { create_task: 'coro, *, name=None' } });

function isCoroutineFunction(f: any): boolean {
  const spec = typeof f?.[$spec] === 'function' ? f[$spec]() : f?.[$spec];
  return spec?.async === true;
}

export function makeAsyncio(): Members {
  return {
    CancelledError,
    InvalidStateError,
    QueueEmpty,
    QueueFull,
    TimeoutError,
    Future,
    Task,
    Event: AsyncEvent,
    Lock: AsyncLock,
    Condition: AsyncCondition,
    Semaphore: AsyncSemaphore,
    BoundedSemaphore,
    Queue: AsyncQueue,
    LifoQueue: AsyncLifoQueue,
    TaskGroup,
    AbstractEventLoop: Loop,
    FIRST_COMPLETED: 'FIRST_COMPLETED',
    FIRST_EXCEPTION: 'FIRST_EXCEPTION',
    ALL_COMPLETED: 'ALL_COMPLETED',
    ...functions('asyncio', {
      all_tasks: ['loop=None', () => new PySet(running)],
      as_completed: ['fs, *, timeout=None', asCompleted],
      create_task: ['coro, *, name=None, context=None', createTask],
      current_task: ['loop=None', () => null],
      ensure_future: ['coro_or_future, *, loop=None', (work: unknown) => createTask(work)],
      gather: ['*coros_or_futures, return_exceptions=False', gather],
      get_event_loop: ['', () => loop],
      get_running_loop: ['', () => loop],
      iscoroutine: ['obj', (x: unknown) => x instanceof Promise],
      iscoroutinefunction: ['func', isCoroutineFunction],
      isfuture: ['obj', (x: unknown) => x instanceof Future],
      new_event_loop: ['', () => loop],
      run: ['main, *, debug=None, loop_factory=None', promiseOf],
      run_coroutine_threadsafe: ['coro, loop', (work: unknown) => createTask(work)],
      set_event_loop: ['loop', () => null],
      shield: ['arg', promiseOf],
      sleep: ['delay, result=None', sleep],
      timeout: ['delay', (seconds: unknown) => new Timeout(seconds === null ? undefined : real(seconds))],
      to_thread: ['func, /, *args, **kwargs', toThread],
      wait: ['fs, *, timeout=None, return_when="ALL_COMPLETED"', wait],
      wait_for: ['fut, timeout', waitFor],
    }),
  };
}
