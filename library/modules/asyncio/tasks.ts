/**
 * Futures, tasks and their cancellation (docs/language/async.md#coroutines, docs/language/standard-modules.md#modules):
 * a cancelled task raises CancelledError where it waits.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { nativeClass } from '../../builtins/native-class.ts';
import { tellUnasked, tellWhenCallEnds, type Unasked } from '../../builtins/strays.ts';
import { awaitable, setInterruptible } from '../../values/calls/awaitable.ts';
import { call } from '../../values/calls/calls.ts';
import { awaitSteps, Coroutine } from '../../values/calls/coroutine.ts';
import type { GeneratorObject } from '../../values/calls/generators.ts';
import { toException } from '../../values/calls/raise.ts';
import { BaseException, Exception, nameException } from '../../values/objects/exceptions.ts';
import { $await, $repr } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { runCallback } from './handles.ts';

export class CancelledError extends BaseException {}
export class InvalidStateError extends Exception {}
nameException(CancelledError, 'CancelledError', 'asyncio.exceptions');
nameException(InvalidStateError, 'InvalidStateError', 'asyncio.exceptions');

export function cancelledError(msg?: unknown): CancelledError {
  return msg === undefined || msg === null ? new CancelledError() : new CancelledError(msg);
}

/** Gives the value of `await x` as a promise. */
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
  /** Promise of the result, for those who only wait until it is over. */
  readonly $outcome: Promise<unknown>;
  /** True once somebody has asked for the result. */
  readonly $taken = { is: false };
  readonly $callbacks: unknown[] = [];

  constructor() {
    this.$outcome = new Promise((resolve, reject) => {
      this.$resolve = resolve;
      this.$reject = reject;
    });
    // A failure nobody asks about is not a crash of the process.
    this.$outcome.catch(() => {});
  }

  /** Promise of the result; whoever reads it has asked for a failure. */
  get $promise(): Promise<unknown> {
    this.$taken.is = true;
    return this.$outcome;
  }

  [$await](): Promise<unknown> {
    if (!this.done()) return leaf(this.$promise, () => this.cancel());
    this.$taken.is = true;
    return this.$state === 'done' ? Promise.resolve(this.$value) : Promise.reject(this.$value);
  }

  __await__(): GeneratorObject {
    return awaitSteps(this);
  }

  __iter__(): GeneratorObject {
    return awaitSteps(this);
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
    this.$taken.is = true;
    throw this.$value;
  }

  exception(): unknown {
    if (this.$state === 'pending') throw new InvalidStateError('Exception is not set.');
    if (this.$state === 'cancelled') throw this.$value;
    this.$taken.is = true;
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

  cancel(msg?: unknown): boolean {
    if (this.done()) return false;
    this.$settle('cancelled', cancelledError(msg));
    return true;
  }

  add_done_callback(f: unknown): null {
    if (this.done()) setImmediate(runCallback, f, [this]);
    else this.$callbacks.push(f);
    return null;
  }

  /**
   * Waiters go on in a later turn of the loop, so that the task that settles the future comes to its own next wait
   * first.
   */
  $settle(state: 'done' | 'failed' | 'cancelled', value: unknown): void {
    if (this.done()) return;
    this.$state = state;
    this.$value = value ?? null;
    setImmediate(state === 'done' ? this.$resolve : this.$reject, this.$value);
    for (const f of this.$callbacks) setImmediate(runCallback, f, [this]);
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
const current = new AsyncLocalStorage<Task>();

/** Runs a coroutine. It starts in a later turn of the loop, in the order tasks were made. */
export class Task extends Future {
  $name: string;
  /** Tasks that `asyncio.run` has to end; one set for everything started below it. */
  readonly $family: Set<Task>;
  /** Interrupts the wait the body is in; false when that has just ended. */
  $interrupt: ((msg: unknown) => boolean) | undefined;
  /** A cancellation the body has not seen yet. */
  $pending: CancelledError | undefined;
  $requests = 0;

  constructor(work: unknown, name?: unknown, family?: Set<Task>) {
    super();
    this.$name = name === undefined || name === null ? `Task-${++lastTask}` : String(name);
    this.$family = family ?? current.getStore()?.$family ?? outermost;
    this.$family.add(this);
    setInterruptible(interruptible);
    // The promise may fail before the task looks at it.
    if (work instanceof Promise) work.catch(() => {});
    if (work !== undefined) setImmediate(() => this.$start(work));
  }

  $start(work: unknown): void {
    if (this.$pending !== undefined) {
      if (work instanceof Coroutine) work.close();
      this.$end('cancelled', this.$pending);
      return;
    }
    current.run(this, () => {
      promiseOf(work instanceof Promise ? leafOf(work) : work).then(
        (value) => this.$end('done', value),
        (error) => {
          const raised = toException(error);
          this.$end(raised instanceof CancelledError ? 'cancelled' : 'failed', raised);
        },
      );
    });
  }

  $end(state: 'done' | 'failed' | 'cancelled', value: unknown): void {
    this.$family.delete(this);
    if (state === 'done' && this.$pending !== undefined) this.$settle('cancelled', this.$pending);
    else this.$settle(state, value);
    // An error that ends a call is reported by the call.
    if (state === 'failed' && !this.$taken.is && value instanceof BaseException) noteFailure(this);
  }

  override cancel(msg?: unknown): boolean {
    if (this.done()) return false;
    this.$requests += 1;
    const interrupt = this.$interrupt;
    if (interrupt === undefined || !interrupt(msg)) this.$pending = cancelledError(msg);
    return true;
  }

  cancelling(): number {
    return this.$requests;
  }

  uncancel(): number {
    if (this.$requests > 0) this.$requests -= 1;
    if (this.$requests === 0) this.$pending = undefined;
    return this.$requests;
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

/** Failures of tasks below an `asyncio.run`, by the set they belong to; told when it is over. */
const failures = new WeakMap<Set<Task>, Unasked[]>();
/** Failures of other tasks: told when nobody can ask any more, or the call they failed in has ended. */
const forgotten = new FinalizationRegistry(tellUnasked);

function noteFailure(task: Task): void {
  const error = task.$value;
  const detail = `future: <Task finished name='${task.$name}' exception=${reprOf(error)}>`;
  const unasked = { what: 'Task exception was never retrieved', detail, error, asked: task.$taken };
  if (task.$family !== outermost) failures.set(task.$family, [...(failures.get(task.$family) ?? []), unasked]);
  else {
    forgotten.register(task, unasked);
    tellWhenCallEnds(unasked);
  }
}

/** Tells what the tasks of `family` failed with, where nobody has asked: its `asyncio.run` is over. */
export function tellFailures(family: Set<Task>): void {
  for (const failure of failures.get(family) ?? []) tellUnasked(failure);
}

/** Tasks made outside of every `asyncio.run`. */
const outermost = new Set<Task>();

export function currentTask(): Task | undefined {
  return current.getStore();
}

/** The current task; code that runs in none, such as an entry block, is made one from here on. */
export function enterTask(): Task {
  const task = current.getStore() ?? new Task(undefined, 'main', new Set());
  current.enterWith(task);
  return task;
}

/** Tasks that belong together with the running code. */
export function familyTasks(): Set<Task> {
  return current.getStore()?.$family ?? outermost;
}

/** A future for anything that can be awaited; coroutines become tasks. */
export function createTask(work: unknown, name?: unknown): Future {
  return work instanceof Future ? work : new Task(work === undefined ? null : work, name);
}

/**
 * The innermost wait of a task: `cancel` is asked to stop what is waited for, with false when it is over already. Outside of tasks it
 * is the promise itself.
 */
export function leaf<T>(waited: Promise<T>, cancel: (msg: unknown) => boolean): Promise<T> {
  const task = current.getStore();
  if (task === undefined) return waited;
  if (task.$pending !== undefined) {
    const error = task.$pending;
    task.$pending = undefined;
    cancel(undefined);
    waited.catch(() => {});
    return Promise.reject(error);
  }
  task.$interrupt = cancel;
  const over = () => {
    if (task.$interrupt === cancel) task.$interrupt = undefined;
  };
  waited.then(over, over);
  return waited;
}

// Waits for a promise of JavaScript, which goes on when the task is cancelled: only the task stops waiting for it.
function leafOf<T>(waited: Promise<T>): Promise<T> {
  return interruptedBy((resolve, reject) => {
    waited.then(resolve, reject);
    return () => {};
  });
}

function interruptible(waited: Promise<unknown>): Promise<unknown> {
  return current.getStore() === undefined ? waited : leafOf(waited);
}

/**
 * A wait that `begin` starts and that its result, a function, undoes when the task is cancelled. It goes on in the turn of the loop
 * after the one in which it is over (`later`), or at once, where that turn has been waited for.
 */
export function interruptedBy<T>(
  begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
  later: (go: () => void) => void = setImmediate,
): Promise<T> {
  let over = false;
  let fail: (error: unknown) => void = () => {};
  let undo: () => void = () => {};
  const waited = new Promise<T>((resolve, reject) => {
    fail = reject;
    undo = begin(
      (value) => {
        over = true;
        later(() => resolve(value));
      },
      (error) => {
        over = true;
        later(() => reject(error));
      },
    );
  });
  return leaf(waited, (msg) => {
    if (over) return false;
    over = true;
    undo();
    const error = cancelledError(msg);
    setImmediate(() => fail(error));
    return true;
  });
}
