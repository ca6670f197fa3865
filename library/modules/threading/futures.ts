/**
 * Module `concurrent.futures` (docs/language/async.md#threads): calls that take turns with what handed them over; each
 * begins at once while a place is free.
 */
import { after } from '../../../base/after.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { functions, type Members } from '../../builtins/module.ts';
import { makeNamedTuple } from '../../builtins/namedtuple.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { runUnwatched, tellStray } from '../../builtins/strays.ts';
import { call, callkw } from '../../values/calls/calls.ts';
import { toException } from '../../values/calls/raise.ts';
import type { Dict } from '../../values/containers/dict.ts';
import { PyIterator, toArray } from '../../values/containers/iteration.ts';
import { set } from '../../values/containers/sets.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { Exception, nameException, RuntimeError, TimeoutError, ValueError } from '../../values/objects/exceptions.ts';
import { $repr } from '../../values/objects/protocol.ts';
import { address } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { CancelledError } from '../asyncio/tasks.ts';
import { runInThread } from './current-thread.ts';
import { Thread } from './threading.ts';
import { makeLine, timeoutMsOf } from './turns.ts';

class InvalidStateError extends Exception {}
class BrokenExecutor extends RuntimeError {}
nameException(InvalidStateError, 'InvalidStateError');
nameException(BrokenExecutor, 'BrokenExecutor');
class BrokenThreadPool extends BrokenExecutor {}
nameException(BrokenThreadPool, 'BrokenThreadPool', 'concurrent.futures.thread');

export class Future {
  $state: 'pending' | 'running' | 'finished' | 'cancelled' = 'pending';
  $value: unknown = null;
  $error: unknown = null;
  readonly $line = makeLine();
  readonly $callbacks: unknown[] = [];

  done(): boolean {
    return this.$state === 'finished' || this.$state === 'cancelled';
  }

  running(): boolean {
    return this.$state === 'running';
  }

  cancelled(): boolean {
    return this.$state === 'cancelled';
  }

  cancel(): boolean {
    if (this.$state === 'pending') this.$settle('cancelled');
    return this.$state === 'cancelled';
  }

  /** @throws TimeoutError, CancelledError */
  $finished(timeout: unknown): MaybePromise<void> {
    const over = () => {
      if (!this.done()) throw new TimeoutError();
      if (this.$state === 'cancelled') throw new CancelledError();
    };
    return this.done() ? over() : this.$line.wait(timeoutMsOf(timeout)).then(over);
  }

  result(timeout?: unknown): MaybePromise<unknown> {
    return after(this.$finished(timeout), () => {
      if (this.$error !== null) throw this.$error;
      return this.$value;
    });
  }

  exception(timeout?: unknown): MaybePromise<unknown> {
    return after(this.$finished(timeout), () => this.$error);
  }

  set_running_or_notify_cancel(): boolean {
    if (this.$state === 'pending') this.$state = 'running';
    return this.$state === 'running';
  }

  set_result(value: unknown): null {
    this.$requireOpen();
    this.$value = value ?? null;
    return this.$settle('finished');
  }

  set_exception(error: unknown): null {
    this.$requireOpen();
    this.$error = typeof error === 'function' ? call(error) : error;
    return this.$settle('finished');
  }

  $requireOpen(): void {
    if (this.done()) throw new InvalidStateError(`${this.$state.toUpperCase()}: ${this[$repr]()}`);
  }

  $settle(state: 'finished' | 'cancelled'): null {
    this.$state = state;
    while (this.$line.wakeOne());
    for (const f of this.$callbacks) this.$tell(f);
    return null;
  }

  $tell(f: unknown): void {
    runUnwatched(
      () => `exception calling callback for ${this[$repr]()}`,
      () => call(f, this),
    );
  }

  add_done_callback(f: unknown): null {
    if (this.done()) this.$tell(f);
    else this.$callbacks.push(f);
    return null;
  }

  [$repr](): string {
    const start = `<Future at ${address(this)} state=${this.$state}`;
    if (this.$state !== 'finished') return `${start}>`;
    return this.$error === null
      ? `${start} returned ${typeName(this.$value)}>`
      : `${start} raised ${typeName(this.$error)}>`;
  }
}
nativeClass(Future, {
  name: 'Future',
  module: 'concurrent.futures',
  methods: { result: 'timeout=None', exception: 'timeout=None', add_done_callback: 'fn', cancel: '' },
});

interface Job {
  readonly future: Future;
  readonly run: () => unknown;
}

let pools = 0;

export class Executor {
  declare $most: number;
  declare $prefix: string;
  declare $threads: Thread[];
  declare $idle: Thread[];
  declare $jobs: Job[];
  declare $closed: boolean;
  /** The initializer failed. */
  declare $broken: boolean;
  declare $leaving: ReturnType<typeof makeLine>;
  declare $first: (() => unknown) | undefined;

  constructor(...slots: unknown[]) {
    this.init(...slots);
  }

  init(most?: unknown, prefix?: unknown, initializer?: unknown, initargs?: unknown): void {
    this.$most = most === undefined || most === null ? 32 : requireSize(most);
    if (this.$most <= 0) throw new ValueError('max_workers must be greater than 0');
    this.$prefix = prefix === undefined || prefix === '' ? `ThreadPoolExecutor-${pools++}` : String(prefix);
    this.$threads = [];
    this.$idle = [];
    this.$jobs = [];
    this.$closed = false;
    this.$broken = false;
    this.$leaving = makeLine();
    const given = initargs === undefined ? [] : toArray(initargs);
    this.$first = initializer === undefined || initializer === null ? undefined : () => call(initializer, ...given);
  }

  submit(f: unknown, args?: unknown[], kwargs?: Dict): Future {
    if (this.$broken) throw brokenPool();
    if (this.$closed) throw new RuntimeError('cannot schedule new futures after shutdown');
    const future = new Future();
    this.$jobs.push({ future, run: () => callkw(f, args ?? [], kwargs) });
    this.$next();
    return future;
  }

  $next(): void {
    const thread = this.$jobs.length > 0 ? this.$free() : undefined;
    const job = thread && this.$jobs.shift();
    if (thread === undefined || job === undefined) return;
    if (!job.future.set_running_or_notify_cancel()) {
      this.$idle.push(thread);
      this.$next();
      return;
    }
    runInThread(thread, () => this.$do(job, thread));
  }

  $free(): Thread | undefined {
    const idle = this.$idle.pop();
    if (idle !== undefined || this.$threads.length >= this.$most) return idle;
    const made = new Thread(null, null, `${this.$prefix}_${this.$threads.length}`);
    this.$threads.push(made);
    return this.$first === undefined || this.$prepare(made, this.$first) ? made : undefined;
  }

  /** Runs the initializer; false when the thread cannot take a job yet, or never will. */
  $prepare(thread: Thread, first: () => unknown): boolean {
    const fail = (e: unknown) => this.$break(thread, e);
    try {
      const begun = runInThread(thread, first);
      if (!(begun instanceof Promise)) return true;
      begun.then(() => {
        this.$idle.push(thread);
        this.$next();
      }, fail);
    } catch (e) {
      fail(e);
    }
    return false;
  }

  $break(thread: Thread, e: unknown): void {
    tellStray('Exception in initializer:', e);
    this.$broken = true;
    this.$threads.splice(this.$threads.indexOf(thread), 1);
    for (const { future } of this.$jobs.splice(0)) future.set_exception(brokenPool());
    if (this.$isQuiet()) while (this.$leaving.wakeOne());
  }

  $do({ future, run }: Job, thread: Thread): void {
    const over = (settle: () => void) => {
      this.$idle.push(thread);
      settle();
      this.$next();
      if (this.$isQuiet()) while (this.$leaving.wakeOne());
    };
    const fail = (e: unknown) => over(() => future.set_exception(toException(e)));
    try {
      const result = run();
      if (result instanceof Promise) result.then((value) => over(() => future.set_result(value)), fail);
      else over(() => future.set_result(result));
    } catch (e) {
      fail(e);
    }
  }

  $isQuiet(): boolean {
    return this.$jobs.length === 0 && this.$idle.length === this.$threads.length;
  }

  /** Results in the order of the arguments, when all are there. */
  map(f: unknown, iterables: unknown[] = [], timeout?: unknown): MaybePromise<PyIterator> {
    const columns = iterables.map((one) => toArray(one));
    const count = columns.length === 0 ? 0 : Math.min(...columns.map((column) => column.length));
    const futures = Array.from({ length: count }, (_, i) =>
      this.submit(
        f,
        columns.map((column) => column[i]),
      ),
    );
    const results = () => new PyIterator(resultsOf(futures), 'generator');
    const waiting = futures.filter((future) => !future.done());
    if (waiting.length === 0) return results();
    return Promise.all(waiting.map((future) => future.$line.wait(timeoutMsOf(timeout)))).then(results);
  }

  shutdown(wait?: unknown, cancels?: unknown): MaybePromise<null> {
    this.$closed = true;
    if (cancels !== undefined && truth(cancels)) for (const { future } of this.$jobs.splice(0)) future.cancel();
    if (this.$isQuiet() || (wait !== undefined && !truth(wait))) return null;
    return this.$leaving.wait(undefined).then(() => null);
  }

  __enter__(): this {
    return this;
  }

  __exit__(): MaybePromise<boolean> {
    return after(this.shutdown(), () => false);
  }
}
const poolParams = "max_workers=None, thread_name_prefix='', initializer=None, initargs=()";
nativeClass(Executor, {
  name: 'ThreadPoolExecutor',
  module: 'concurrent.futures',
  params: poolParams,
  methods: {
    init: poolParams,
    submit: 'fn, /, *args, **kwargs',
    map: 'fn, *iterables, timeout=None, chunksize=1',
    shutdown: 'wait=True, *, cancel_futures=False',
  },
});

function brokenPool(): BrokenExecutor {
  return new BrokenThreadPool('A thread initializer failed, the thread pool is not usable anymore');
}

function* resultsOf(futures: readonly Future[]): Generator<unknown, undefined> {
  for (const future of futures) {
    if (!future.done()) throw new TimeoutError();
    yield future.result();
  }
  return undefined;
}

const Waited = makeNamedTuple('DoneAndNotDoneFutures', ['done', 'not_done'], { module: 'concurrent.futures' });

function distinct(given: unknown): Future[] {
  return [...new Set(toArray(given) as Future[])];
}

/** Futures in the order in which they end. */
function asCompleted(given: unknown, timeout: unknown): MaybePromise<PyIterator> {
  const all = distinct(given);
  const ended = all.filter((future) => future.done());
  const waiting = all.filter((future) => !future.done());
  const result = () => {
    if (ended.length < all.length)
      throw new TimeoutError(`${all.length - ended.length} (of ${all.length}) futures unfinished`);
    return new PyIterator(ended[Symbol.iterator](), 'generator');
  };
  if (waiting.length === 0) return result();
  const limit = timeoutMsOf(timeout);
  const each = waiting.map(async (future) => {
    if (await future.$line.wait(limit)) ended.push(future);
  });
  return Promise.all(each).then(result);
}

function wait(given: unknown, timeout: unknown, until: unknown): MaybePromise<unknown> {
  const all = distinct(given);
  const result = () => {
    const done = all.filter((future) => future.done());
    return new Waited([set(done), set(all.filter((future) => !future.done()))]);
  };
  const isOver = () => {
    const done = all.filter((future) => future.done());
    if (done.length === all.length) return true;
    if (until === 'FIRST_COMPLETED') return done.length > 0;
    return until === 'FIRST_EXCEPTION' && done.some((future) => future.$error !== null);
  };
  if (isOver()) return result();
  const limit = timeoutMsOf(timeout);
  return new Promise((resolve, reject) => {
    for (const future of all.filter((one) => !one.done()))
      future.$line.wait(limit).then((woken) => {
        if (!woken || isOver()) resolve(result());
      }, reject);
  });
}

export function makeFutures(): Members {
  return {
    ALL_COMPLETED: 'ALL_COMPLETED',
    BrokenExecutor,
    CancelledError,
    Executor,
    FIRST_COMPLETED: 'FIRST_COMPLETED',
    FIRST_EXCEPTION: 'FIRST_EXCEPTION',
    Future,
    InvalidStateError,
    ThreadPoolExecutor: Executor,
    TimeoutError,
    ...functions('concurrent.futures', {
      as_completed: ['fs, timeout=None', asCompleted],
      wait: ['fs, timeout=None, return_when="ALL_COMPLETED"', wait],
    }),
  };
}
