/**
 * Module `asyncio` over JavaScript's event loop (docs/language/async.md#coroutines,
 * docs/language/async.md#blocking-calls).
 */
import '../exception-groups.ts';
import { functions, type Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { real } from '../../builtins/real.ts';
import { awaitable } from '../../values/calls/awaitable.ts';
import { callkw } from '../../values/calls/calls.ts';
import { Coroutine, coro } from '../../values/calls/coroutine.ts';
import type { Dict } from '../../values/containers/dict.ts';
import { iter } from '../../values/containers/iteration.ts';
import { PySet } from '../../values/containers/sets.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import {
  BaseExceptionGroup,
  Exception,
  ExceptionGroup,
  RuntimeError,
  TimeoutError,
  ValueError,
} from '../../values/objects/exceptions.ts';
import { $await, $spec } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import {
  callExceptionHandler,
  callSoon,
  exceptionHandler,
  Handle,
  setExceptionHandler,
  TimerHandle,
  tellContext,
} from './handles.ts';
import {
  AsyncBarrier,
  AsyncCondition,
  AsyncEvent,
  AsyncLifoQueue,
  AsyncLock,
  AsyncPriorityQueue,
  AsyncQueue,
  AsyncSemaphore,
  BoundedSemaphore,
  BrokenBarrierError,
  QueueEmpty,
  QueueFull,
} from './queues.ts';
import { IncompleteReadError, openConnection, StreamReader, StreamWriter, startServer } from './streams.ts';
import { asyncioSubprocess, startProcess } from './subprocess.ts';
import {
  CancelledError,
  cancelledError,
  createTask,
  currentTask,
  enterTask,
  Future,
  familyTasks,
  InvalidStateError,
  interruptedBy,
  Task,
  tellFailures,
} from './tasks.ts';

function sleep(delay: unknown, result: unknown): Coroutine {
  const seconds = real(delay);
  return coro('sleep', async () => {
    await (seconds > 0 ? interruptedBy((resolve) => timed(resolve, seconds)) : interruptedBy(nextTurn, atOnce));
    return result ?? null;
  });
}

function timed(resolve: (value: undefined) => void, seconds: number): () => void {
  const timer = setTimeout(() => resolve(undefined), seconds * 1000);
  return () => clearTimeout(timer);
}

function nextTurn(resolve: (value: undefined) => void): () => void {
  const turn = setImmediate(() => resolve(undefined));
  return () => clearImmediate(turn);
}

const atOnce = (go: () => void): void => go();

/** The future of `gather`: cancelling it cancels what it waits for. */
class Gathering extends Future {
  readonly $parts: readonly Future[];
  $asked: CancelledError | undefined;

  constructor(parts: readonly Future[], keepErrors: boolean) {
    super();
    this.$parts = parts;
    let left = parts.length;
    if (left === 0) this.$settle('done', []);
    const finish = () => {
      left -= 1;
      if (left > 0) return;
      if (this.$asked !== undefined) this.$settle('cancelled', this.$asked);
      else
        this.$settle(
          'done',
          parts.map(({ $value }) =>
            $value instanceof CancelledError && $value.args.items.length === 0 ? cancelledError('') : $value,
          ),
        );
    };
    for (const part of parts) {
      part.$promise.then(finish, (error) => {
        if (!keepErrors && this.$asked === undefined) this.$settle('failed', error);
        finish();
      });
    }
  }

  override cancel(msg?: unknown): boolean {
    if (this.done()) return false;
    const cancelled = this.$parts.map((part) => part.cancel(msg));
    if (!cancelled.includes(true)) return false;
    this.$asked = cancelledError(msg);
    return true;
  }
}

function gather(works: readonly unknown[] = [], keepErrors?: unknown): Future {
  // The same coroutine named twice is one task.
  const made = new Map<unknown, Future>();
  const parts = works.map((work) => {
    const part = made.get(work) ?? createTask(work);
    made.set(work, part);
    return part;
  });
  return new Gathering(parts, truth(keepErrors));
}

/** Protects `inner` from a cancellation of the caller's wait, which may be cancelled on its own. */
function shield(work: unknown): Future {
  const inner = createTask(work);
  const outer = new Future();
  inner.$promise.then(
    (value) => outer.$settle('done', value),
    (error) => outer.$settle(inner.cancelled() ? 'cancelled' : 'failed', error),
  );
  return outer;
}

function waitFor(work: unknown, timeout: unknown): Coroutine {
  return coro('wait_for', async () => {
    if (timeout === null || timeout === undefined) return awaitable(work);
    const inner = createTask(work);
    const seconds = real(timeout);
    let late = false;
    const expire = () => {
      if (!inner.done()) late = inner.cancel();
    };
    const timer = seconds > 0 ? setTimeout(expire, seconds * 1000) : undefined;
    if (timer === undefined) expire();
    try {
      return await inner[$await]();
    } catch (error) {
      if (!(late && error instanceof CancelledError)) throw error;
      const expired = new TimeoutError();
      expired.__cause__ = error;
      throw expired;
    } finally {
      clearTimeout(timer);
    }
  });
}

function wait(works: unknown, timeout: unknown, returnWhen: unknown): Coroutine {
  return coro('wait', () => waitForSome(works, timeout, returnWhen));
}

async function waitForSome(works: unknown, timeout: unknown, returnWhen: unknown): Promise<Tuple> {
  const tasks = [...iter(works)].map((work) => createTask(work));
  if (tasks.length === 0) throw new ValueError('Set of Tasks/Futures is empty.');
  const settled = tasks.map((task) =>
    task.$outcome.then(
      () => true,
      () => false,
    ),
  );
  const goal =
    returnWhen === 'FIRST_COMPLETED'
      ? Promise.race(settled)
      : returnWhen === 'FIRST_EXCEPTION'
        ? new Promise<void>((resolve, reject) => {
            for (const one of settled) one.then((ok) => !ok && resolve(), reject);
            Promise.all(settled).then(() => resolve(), reject);
          })
        : Promise.all(settled);
  await interruptedBy<void>((resolve, reject) => {
    const waits = timeout !== undefined && timeout !== null;
    const timer = waits ? setTimeout(resolve, real(timeout) * 1000) : undefined;
    const stop = () => clearTimeout(timer);
    goal.finally(stop).then(() => resolve(), reject);
    return stop;
  });
  return new Tuple([new PySet(tasks.filter((task) => task.done())), new PySet(tasks.filter((task) => !task.done()))]);
}

/** Futures of the results, the first to finish first. */
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

class Loop {
  $closed = false;
  $stop: (() => void) | undefined;

  run_forever(): Promise<unknown> {
    return new Promise((resolve) => {
      this.$stop = () => resolve(null);
    });
  }

  run_until_complete(work: unknown): Promise<unknown> {
    return createTask(work).$promise;
  }

  create_task(work: unknown, name?: unknown): Future {
    return createTask(work, name);
  }

  create_future(): Future {
    return new Future();
  }

  run_in_executor(_executor: unknown, f: unknown, args: readonly unknown[] = []): Future {
    return createTask(toThread(f, args));
  }

  call_soon(f: unknown, args?: readonly unknown[]): Handle {
    return callSoon(f, args);
  }

  call_soon_threadsafe(f: unknown, args?: readonly unknown[]): Handle {
    return callSoon(f, args);
  }

  call_later(delay: unknown, f: unknown, args: readonly unknown[] = []): TimerHandle {
    const now = this.time();
    return new TimerHandle(f, args, now + real(delay), now);
  }

  call_at(when: unknown, f: unknown, args: readonly unknown[] = []): TimerHandle {
    return new TimerHandle(f, args, real(when), this.time());
  }

  set_exception_handler(f: unknown): null {
    return setExceptionHandler(this, f);
  }

  get_exception_handler(): unknown {
    return exceptionHandler();
  }

  call_exception_handler(context: Dict): null {
    return callExceptionHandler(context);
  }

  default_exception_handler(context: Dict): null {
    return tellContext(context);
  }

  time(): number {
    return performance.now() / 1000;
  }

  is_running(): boolean {
    return currentTask() !== undefined || this.$stop !== undefined;
  }

  is_closed(): boolean {
    return this.$closed;
  }

  close(): null {
    this.$closed = true;
    return null;
  }

  stop(): null {
    const stop = this.$stop;
    this.$stop = undefined;
    stop?.();
    return null;
  }
}
nativeClass(Loop, {
  name: 'AbstractEventLoop',
  module: 'asyncio',
  methods: {
    create_task: 'coro, *, name=None',
    run_in_executor: 'executor, func, /, *args',
    call_soon: 'callback, /, *args, context=None',
    call_soon_threadsafe: 'callback, /, *args, context=None',
    call_later: 'delay, callback, /, *args, context=None',
    call_at: 'when, callback, /, *args, context=None',
    set_exception_handler: 'handler',
    call_exception_handler: 'context',
    default_exception_handler: 'context',
  },
});
const loop = new Loop();

function toThread(f: unknown, args: readonly unknown[] = [], kwargs?: Dict): Coroutine {
  return coro('to_thread', async () => {
    const result = callkw(f, args, kwargs);
    return result instanceof Coroutine ? result[$await]() : result;
  });
}

/** `async with asyncio.timeout(seconds)`: cancels the task that entered it, and turns that into TimeoutError. */
class Timeout {
  $deadline: number | undefined;
  $timer: NodeJS.Timeout | undefined;
  $task: Task | undefined;
  $expired = false;

  constructor(deadline: number | undefined) {
    this.$deadline = deadline;
  }

  when(): number | null {
    return this.$deadline ?? null;
  }

  reschedule(when: unknown): null {
    this.$deadline = when === null || when === undefined ? undefined : real(when);
    clearTimeout(this.$timer);
    if (this.$deadline === undefined || this.$task === undefined) return null;
    this.$timer = setTimeout(
      () => {
        this.$expired = true;
        this.$task!.cancel();
      },
      Math.max(0, this.$deadline - loop.time()) * 1000,
    );
    return null;
  }

  expired(): boolean {
    return this.$expired;
  }

  __aenter__(): this {
    this.$task = enterTask();
    this.reschedule(this.$deadline);
    return this;
  }

  __aexit__(_type: unknown, error: unknown): boolean {
    clearTimeout(this.$timer);
    if (this.$expired && this.$task!.uncancel() === 0 && error instanceof CancelledError) {
      const expired = new TimeoutError();
      expired.__cause__ = error;
      throw expired;
    }
    return false;
  }
}
nativeClass(Timeout, { name: 'Timeout', module: 'asyncio' });

/** Tasks that are waited for together; the first to fail cancels the others and the body. */
class TaskGroup {
  readonly $tasks = new Set<Task>();
  readonly $errors: unknown[] = [];
  $parent: Task | undefined;
  $leaving = false;
  $aborting = false;
  /** The group itself cancelled its parent. */
  $cancelledParent = false;
  $wake: (() => void) | undefined;

  create_task(work: unknown, name?: unknown): Task {
    if (this.$parent === undefined) throw new RuntimeError('TaskGroup has not been entered');
    if (this.$leaving && this.$tasks.size === 0) throw new RuntimeError('TaskGroup is finished');
    if (this.$aborting) throw new RuntimeError('TaskGroup is shutting down');
    const task = new Task(work, name);
    this.$tasks.add(task);
    // In a turn of its own: tasks that are due in this one still begin before the group hears of a failure.
    const over = () => setImmediate(() => this.$over(task));
    task.$promise.then(over, over);
    return task;
  }

  $over(task: Task): void {
    this.$tasks.delete(task);
    if (this.$tasks.size === 0) this.$wake?.();
    if (task.$state !== 'failed') return;
    this.$errors.push(task.$value);
    if (this.$aborting) return;
    this.$abort();
    if (this.$leaving) return;
    this.$cancelledParent = true;
    this.$parent!.cancel();
  }

  $abort(): void {
    this.$aborting = true;
    for (const task of this.$tasks) task.cancel();
  }

  __aenter__(): this {
    this.$parent = enterTask();
    return this;
  }

  async __aexit__(_type: unknown, error: unknown): Promise<boolean> {
    this.$leaving = true;
    let cancelled = error instanceof CancelledError ? error : undefined;
    // The group's own request to stop the body is no cancellation for those outside.
    if (this.$cancelledParent && this.$parent!.uncancel() === 0) cancelled = undefined;
    if (error !== null && !this.$aborting) this.$abort();
    while (this.$tasks.size > 0) {
      try {
        await interruptedBy<void>((resolve) => {
          this.$wake = resolve;
          return () => {};
        });
      } catch (stopped) {
        if (!(stopped instanceof CancelledError)) throw stopped;
        if (!this.$aborting) {
          cancelled = stopped;
          this.$abort();
        }
      }
    }
    if (cancelled !== undefined && this.$errors.length === 0) throw cancelled;
    if (error !== null && !(error instanceof CancelledError)) this.$errors.push(error);
    if (this.$errors.length === 0) return error instanceof CancelledError;
    const Group = this.$errors.every((one) => one instanceof Exception) ? ExceptionGroup : BaseExceptionGroup;
    throw new Group('unhandled errors in a TaskGroup', this.$errors);
  }
}
nativeClass(TaskGroup, { name: 'TaskGroup', module: 'asyncio', methods: { create_task: 'coro, *, name=None' } });

/** `asyncio.run`: what its tasks started and did not finish is cancelled at the end. */
async function run(work: unknown): Promise<unknown> {
  if (typeof work !== 'object' || work === null) throw new ValueError(`a coroutine was expected, got ${reprOf(work)}`);
  const family = new Set<Task>();
  const main = new Task(work, undefined, family);
  try {
    return await main.$promise;
  } finally {
    const left = [...family];
    for (const task of left) task.cancel();
    await Promise.allSettled(left.map((task) => task.$outcome));
    tellFailures(family);
  }
}

/** `with asyncio.Runner() as runner: runner.run(main())` */
class Runner {
  run(work: unknown): Promise<unknown> {
    return run(work);
  }

  get_loop(): Loop {
    return loop;
  }

  close(): null {
    return null;
  }

  __enter__(): this {
    return this;
  }

  __exit__(): boolean {
    return false;
  }
}
nativeClass(Runner, {
  name: 'Runner',
  module: 'asyncio',
  params: '*, debug=None, loop_factory=None',
  make: () => new Runner(),
  methods: { run: 'coro, *, context=None' },
});

function isCoroutineFunction(f: any): boolean {
  const spec = typeof f?.[$spec] === 'function' ? f[$spec]() : f?.[$spec];
  return spec?.async === true;
}

const processOptions = 'stdin=None, stdout=None, stderr=None, limit=65536, cwd=None, env=None';

function processOptionsOf([stdin, stdout, stderr, , cwd, env]: readonly unknown[]) {
  return { stdin, stdout, stderr, cwd, env };
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
    Barrier: AsyncBarrier,
    BrokenBarrierError,
    Condition: AsyncCondition,
    Semaphore: AsyncSemaphore,
    BoundedSemaphore,
    Queue: AsyncQueue,
    LifoQueue: AsyncLifoQueue,
    PriorityQueue: AsyncPriorityQueue,
    TaskGroup,
    Runner,
    IncompleteReadError,
    StreamReader,
    StreamWriter,
    subprocess: asyncioSubprocess,
    AbstractEventLoop: Loop,
    Handle,
    TimerHandle,
    FIRST_COMPLETED: 'FIRST_COMPLETED',
    FIRST_EXCEPTION: 'FIRST_EXCEPTION',
    ALL_COMPLETED: 'ALL_COMPLETED',
    ...functions('asyncio', {
      all_tasks: ['loop=None', () => new PySet([...familyTasks()])],
      as_completed: ['fs, *, timeout=None', asCompleted],
      create_subprocess_exec: [
        `program, *args, ${processOptions}`,
        (program: unknown, args: unknown[] = [], ...given: unknown[]) =>
          startProcess(program, args, processOptionsOf(given)),
      ],
      create_subprocess_shell: [
        `cmd, *, ${processOptions}`,
        (line: unknown, ...given: unknown[]) => startProcess(line, undefined, processOptionsOf(given)),
      ],
      create_task: ['coro, *, name=None, context=None', createTask],
      current_task: ['loop=None', () => currentTask() ?? null],
      ensure_future: ['coro_or_future, *, loop=None', (work: unknown) => createTask(work)],
      gather: ['*coros_or_futures, return_exceptions=False', gather],
      get_event_loop: ['', () => loop],
      get_running_loop: ['', () => loop],
      iscoroutine: ['obj', (x: unknown) => x instanceof Coroutine || x instanceof Promise],
      iscoroutinefunction: ['func', isCoroutineFunction],
      isfuture: ['obj', (x: unknown) => x instanceof Future],
      new_event_loop: ['', () => new Loop()],
      open_connection: ['host=None, port=None, *, limit=65536, ssl=None', openConnection],
      run: ['main, *, debug=None, loop_factory=None', run],
      run_coroutine_threadsafe: ['coro, loop', (work: unknown) => createTask(work)],
      set_event_loop: ['loop', () => null],
      shield: ['arg', shield],
      sleep: ['delay, result=None', sleep],
      start_server: ['client_connected_cb, host=None, port=None, *, limit=65536, ssl=None', startServer],
      timeout: ['delay', (seconds: unknown) => new Timeout(seconds === null ? undefined : loop.time() + real(seconds))],
      timeout_at: ['when', (when: unknown) => new Timeout(when === null ? undefined : real(when))],
      to_thread: ['func, /, *args, **kwargs', toThread],
      wait: ['fs, *, timeout=None, return_when="ALL_COMPLETED"', wait],
      wait_for: ['fut, timeout', waitFor],
    }),
  };
}
