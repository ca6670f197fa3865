/** Events, locks and queues of `asyncio`. */

import { nativeClass } from '../../builtins/native-class.ts';
import { call } from '../../values/calls/calls.ts';
import { type Coroutine, coro } from '../../values/calls/coroutine.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { Exception, nameException, RuntimeError, ValueError } from '../../values/objects/exceptions.ts';
import { truth } from '../../values/objects/truth.ts';
import { heapPop, heapPush } from '../heapq.ts';
import { interruptedBy } from './tasks.ts';

export class QueueEmpty extends Exception {}
export class QueueFull extends Exception {}
nameException(QueueEmpty, 'QueueEmpty', 'asyncio.queues');
nameException(QueueFull, 'QueueFull', 'asyncio.queues');

/** Callers that wait for a turn. */
class Waiters {
  readonly $queue: (() => void)[] = [];

  $wait(): Promise<void> {
    return interruptedBy<void>((resolve) => {
      this.$queue.push(resolve);
      return () => this.$queue.splice(this.$queue.indexOf(resolve), 1);
    });
  }

  $wake(): boolean {
    const next = this.$queue.shift();
    next?.();
    return next !== undefined;
  }
}

export class AsyncEvent {
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

  wait(): Coroutine {
    return coro('wait', async () => {
      if (!this.$set) await this.$waiters.$wait();
      return true;
    });
  }
}
nativeClass(AsyncEvent, { name: 'Event', module: 'asyncio' });

/** `Lock` is a semaphore of one. */
export class AsyncSemaphore {
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

  acquire(): Coroutine {
    return coro('acquire', async () => {
      if (this.$free > 0) this.$free -= 1;
      else await this.$waiters.$wait();
      return true;
    });
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
export class AsyncLock extends AsyncSemaphore {
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
export class BoundedSemaphore extends AsyncSemaphore {}
nativeClass(BoundedSemaphore, {
  name: 'BoundedSemaphore',
  module: 'asyncio',
  params: 'value=1',
  make: (_cls, value) => new BoundedSemaphore(Number(value ?? 1), Number(value ?? 1)),
});

export class AsyncCondition extends AsyncLock {
  readonly $sleepers = new Waiters();

  wait(): Coroutine {
    return coro('wait', async () => {
      this.release();
      try {
        await this.$sleepers.$wait();
      } finally {
        await this.acquire();
      }
      return true;
    });
  }

  wait_for(predicate: unknown): Coroutine {
    return coro('wait_for', async () => {
      let result = await call(predicate);
      while (!truth(result)) {
        await this.wait();
        result = await call(predicate);
      }
      return result;
    });
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
  methods: { notify: 'n=1', wait_for: 'predicate' },
});

export class BrokenBarrierError extends RuntimeError {}
nameException(BrokenBarrierError, 'BrokenBarrierError', 'asyncio.exceptions');

/** Callers go on when there are `parties` of them. */
export class AsyncBarrier {
  readonly parties: number;
  broken = false;
  $arrived: ((isPassed: boolean) => void)[] = [];

  constructor(parties: unknown) {
    this.parties = requireSize(parties);
    if (this.parties < 1) throw new ValueError('parties must be > 0');
  }

  get n_waiting(): number {
    return this.$arrived.length;
  }

  wait(): Coroutine {
    return coro('wait', async () => {
      if (this.broken) throw new BrokenBarrierError();
      const place = this.$arrived.length;
      if (place + 1 === this.parties) {
        this.$release(true);
        return place;
      }
      const isPassed = await interruptedBy<boolean>((resolve) => {
        this.$arrived.push(resolve);
        return () => this.$arrived.splice(this.$arrived.indexOf(resolve), 1);
      });
      if (!isPassed) throw new BrokenBarrierError();
      return place;
    });
  }

  $release(isPassed: boolean): void {
    for (const resolve of this.$arrived.splice(0)) resolve(isPassed);
  }

  reset(): Coroutine {
    return coro('reset', async () => {
      this.broken = false;
      this.$release(false);
      return null;
    });
  }

  abort(): Coroutine {
    return coro('abort', async () => {
      this.broken = true;
      this.$release(false);
      return null;
    });
  }

  __aenter__(): Coroutine {
    return this.wait();
  }

  async __aexit__(): Promise<boolean> {
    return false;
  }
}
nativeClass(AsyncBarrier, { name: 'Barrier', module: 'asyncio', params: 'parties' });

export class AsyncQueue {
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

  put(x: unknown): Coroutine {
    return coro('put', async () => {
      while (this.full()) await this.$putters.$wait();
      return this.put_nowait(x);
    });
  }

  put_nowait(x: unknown): null {
    if (this.full()) throw new QueueFull();
    this.$insert(x);
    this.$unfinished += 1;
    this.$getters.$wake();
    return null;
  }

  get(): Coroutine {
    return coro('get', async () => {
      while (this.empty()) await this.$getters.$wait();
      return this.get_nowait();
    });
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

  join(): Coroutine {
    return coro('join', async () => {
      if (this.$unfinished > 0) await this.$joiners.$wait();
      return null;
    });
  }
}
export class AsyncLifoQueue extends AsyncQueue {
  override $take(): unknown {
    return this.$items.pop();
  }
}
export class AsyncPriorityQueue extends AsyncQueue {
  override $insert(x: unknown): void {
    heapPush(this.$items, x);
  }

  override $take(): unknown {
    return heapPop(this.$items);
  }
}
const queueAbout = { module: 'asyncio', params: 'maxsize=0' };
nativeClass(AsyncQueue, { ...queueAbout, name: 'Queue', make: (_cls, n) => new AsyncQueue(Number(n ?? 0)) });
nativeClass(AsyncLifoQueue, {
  ...queueAbout,
  name: 'LifoQueue',
  make: (_cls, n) => new AsyncLifoQueue(Number(n ?? 0)),
});

nativeClass(AsyncPriorityQueue, {
  ...queueAbout,
  name: 'PriorityQueue',
  make: (_cls, n) => new AsyncPriorityQueue(Number(n ?? 0)),
});
