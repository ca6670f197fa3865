/**
 * Locks, events, conditions, semaphores and barriers of `threading`: cooperative, for tasks that take turns
 * (docs/language/async.md#threads).
 */

import { after } from '../../../base/after.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { callScope } from '../../call-scope.ts';
import { call } from '../../values/calls/calls.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { nameException, RuntimeError, ValueError } from '../../values/objects/exceptions.ts';
import { $repr } from '../../values/objects/protocol.ts';
import { address } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { runningThread } from './current-thread.ts';
import { makeLine, timeoutMsOf } from './turns.ts';

const mainThread = {};
// Calls of a server run side by side without threads: each of them counts as an owner of its own.
const self = (): object => runningThread() ?? callScope.owner() ?? mainThread;
const blocks = (blocking: unknown): boolean => blocking === undefined || truth(blocking);

function requireTimeout(blocking: unknown, timeout: unknown): number | undefined {
  if (!blocks(blocking) && timeout !== undefined && timeout !== null && timeout !== -1)
    throw new ValueError("can't specify a timeout for a non-blocking call");
  if (Number(timeout) < 0 && Number(timeout) !== -1)
    throw new ValueError('timeout value must be a non-negative number');
  return timeoutMsOf(timeout);
}

export class Lock {
  $locked = false;
  readonly $line = makeLine();

  acquire(blocking?: unknown, timeout?: unknown): MaybePromise<boolean> {
    const limit = requireTimeout(blocking, timeout);
    if (!this.$locked) {
      this.$locked = true;
      return true;
    }
    // A release hands the lock over to the first in line.
    return blocks(blocking) ? this.$line.wait(limit) : false;
  }

  release(): null {
    if (!this.$locked) throw new RuntimeError('release unlocked lock');
    if (!this.$line.wakeOne()) this.$locked = false;
    return null;
  }

  locked(): boolean {
    return this.$locked;
  }

  __enter__(): MaybePromise<boolean> {
    return this.acquire();
  }

  __exit__(): null {
    return this.release();
  }

  [$repr](): string {
    return `<${this.$locked ? 'locked' : 'unlocked'} _thread.lock object at ${address(this)}>`;
  }
}
const lockMethods = { acquire: 'blocking=True, timeout=-1', release: '', __exit__: '*args' };
nativeClass(Lock, { name: 'lock', module: '_thread', methods: { ...lockMethods, locked: '' } });

/** A lock its owner may take again. */
export class RLock {
  $owner: object | undefined;
  $count = 0;
  readonly $line = makeLine();

  acquire(blocking?: unknown, timeout?: unknown): MaybePromise<boolean> {
    const limit = requireTimeout(blocking, timeout);
    const me = self();
    if (this.$owner === undefined || this.$owner === me) {
      this.$owner = me;
      this.$count += 1;
      return true;
    }
    if (!blocks(blocking)) return false;
    return this.$line.wait(limit).then((woken) => {
      if (woken) [this.$owner, this.$count] = [me, 1];
      return woken;
    });
  }

  release(): null {
    if (this.$owner !== self()) throw new RuntimeError('cannot release un-acquired lock');
    this.$count -= 1;
    if (this.$count === 0) this.$free();
    return null;
  }

  // The next owner is known once its wait is over; until then nobody else gets in.
  $free(): void {
    this.$owner = this.$line.length > 0 ? this.$line : undefined;
    this.$count = 0;
    this.$line.wakeOne();
  }

  /** Gives the lock up completely; the result restores it. */
  $release(): number {
    const count = this.$count;
    this.$free();
    return count;
  }

  __enter__(): MaybePromise<boolean> {
    return this.acquire();
  }

  __exit__(): null {
    return this.release();
  }

  [$repr](): string {
    return `<${this.$count > 0 ? 'locked' : 'unlocked'} _thread.RLock object owner=${this.$owner === undefined ? 0 : 1} count=${this.$count} at ${address(this)}>`;
  }
}
nativeClass(RLock, { name: 'RLock', module: '_thread', methods: lockMethods });

export class Event {
  $set = false;
  readonly $line = makeLine();

  is_set(): boolean {
    return this.$set;
  }

  isSet(): boolean {
    return this.$set;
  }

  set(): null {
    this.$set = true;
    while (this.$line.wakeOne());
    return null;
  }

  clear(): null {
    this.$set = false;
    return null;
  }

  wait(timeout?: unknown): MaybePromise<boolean> {
    return this.$set ? true : this.$line.wait(timeoutMsOf(timeout));
  }

  [$repr](): string {
    return `<threading.Event at ${address(this)}: ${this.$set ? 'set' : 'unset'}>`;
  }
}
nativeClass(Event, {
  name: 'Event',
  module: 'threading',
  methods: { is_set: '', isSet: '', set: '', clear: '', wait: 'timeout=None' },
});

export class Condition {
  readonly $lock: any;
  readonly $line = makeLine();

  constructor(lock?: unknown) {
    this.$lock = lock ?? new RLock();
  }

  acquire(blocking?: unknown, timeout?: unknown): MaybePromise<boolean> {
    return this.$lock.acquire(blocking, timeout);
  }

  release(): null {
    return this.$lock.release();
  }

  $require(what: string): void {
    const held = this.$lock instanceof RLock ? this.$lock.$owner === self() : this.$lock.locked();
    if (!held) throw new RuntimeError(`cannot ${what} on un-acquired lock`);
  }

  wait(timeout?: unknown): Promise<boolean> {
    this.$require('wait');
    let count = 0;
    if (this.$lock instanceof RLock) count = this.$lock.$release();
    else this.$lock.release();
    return this.$line.wait(timeoutMsOf(timeout)).then((woken) =>
      after(this.$lock.acquire() as MaybePromise<boolean>, () => {
        if (count > 0) this.$lock.$count = count;
        return woken;
      }),
    );
  }

  async wait_for(predicate: unknown, timeout?: unknown): Promise<unknown> {
    const limit = timeoutMsOf(timeout);
    const end = limit === undefined ? undefined : performance.now() + limit;
    for (;;) {
      const result = await call(predicate);
      if (truth(result)) return result;
      const left = end === undefined ? undefined : (end - performance.now()) / 1000;
      if (left !== undefined && left <= 0) return result;
      await this.wait(left);
    }
  }

  notify(n?: unknown): null {
    this.$require('notify');
    for (let left = n === undefined ? 1 : requireSize(n); left > 0 && this.$line.wakeOne(); left -= 1);
    return null;
  }

  notify_all(): null {
    return this.notify(this.$line.length);
  }

  __enter__(): MaybePromise<boolean> {
    return this.acquire();
  }

  __exit__(): null {
    return this.release();
  }
}
nativeClass(Condition, {
  name: 'Condition',
  module: 'threading',
  params: 'lock=None',
  methods: {
    acquire: 'blocking=True, timeout=-1',
    release: '',
    wait: 'timeout=None',
    wait_for: 'predicate, timeout=None',
    notify: 'n=1',
    notify_all: '',
    __exit__: '*args',
  },
});

export class Semaphore {
  $value: number;
  readonly $line = makeLine();

  constructor(value?: unknown) {
    this.$value = value === undefined ? 1 : requireSize(value);
    if (this.$value < 0) throw new ValueError('semaphore initial value must be >= 0');
  }

  acquire(blocking?: unknown, timeout?: unknown): MaybePromise<boolean> {
    const limit = requireTimeout(blocking, timeout);
    if (this.$value > 0) {
      this.$value -= 1;
      return true;
    }
    return blocks(blocking) ? this.$line.wait(limit) : false;
  }

  release(n?: unknown): null {
    const count = n === undefined ? 1 : requireSize(n);
    if (count < 1) throw new ValueError('n must be one or more');
    for (let left = count; left > 0; left -= 1) if (!this.$line.wakeOne()) this.$value += 1;
    return null;
  }

  __enter__(): MaybePromise<boolean> {
    return this.acquire();
  }

  __exit__(): null {
    return this.release();
  }
}
const semaphoreMethods = { acquire: 'blocking=True, timeout=None', release: 'n=1', __exit__: '*args' };
nativeClass(Semaphore, { name: 'Semaphore', module: 'threading', params: 'value=1', methods: semaphoreMethods });

export class BoundedSemaphore extends Semaphore {
  readonly $most: number;

  constructor(value?: unknown) {
    super(value);
    this.$most = this.$value;
  }

  override release(n?: unknown): null {
    const count = n === undefined ? 1 : requireSize(n);
    if (this.$value + Math.max(0, count - this.$line.length) > this.$most)
      throw new ValueError('Semaphore released too many times');
    return super.release(n);
  }
}
nativeClass(BoundedSemaphore, {
  name: 'BoundedSemaphore',
  module: 'threading',
  params: 'value=1',
  methods: { release: 'n=1' },
});

export class BrokenBarrierError extends RuntimeError {}
nameException(BrokenBarrierError, 'BrokenBarrierError', 'threading');

export class Barrier {
  readonly parties: number;
  readonly $action: unknown;
  readonly $timeout: unknown;
  broken = false;
  readonly $line = makeLine();

  constructor(parties: unknown, action?: unknown, timeout?: unknown) {
    this.parties = requireSize(parties);
    this.$action = action ?? null;
    this.$timeout = timeout ?? null;
  }

  get n_waiting(): number {
    return this.$line.length;
  }

  wait(timeout?: unknown): MaybePromise<number> {
    if (this.broken) throw new BrokenBarrierError();
    const index = this.parties - 1 - this.$line.length;
    if (index === 0) {
      if (this.$action !== null) call(this.$action);
      while (this.$line.wakeOne());
      return 0;
    }
    return this.$line.wait(timeoutMsOf(timeout ?? this.$timeout)).then((woken) => {
      if (!woken) this.abort();
      if (this.broken) throw new BrokenBarrierError();
      return index;
    });
  }

  reset(): null {
    this.abort();
    this.broken = false;
    return null;
  }

  abort(): null {
    this.broken = true;
    while (this.$line.wakeOne());
    return null;
  }
}
nativeClass(Barrier, {
  name: 'Barrier',
  module: 'threading',
  params: 'parties, action=None, timeout=None',
  methods: { wait: 'timeout=None', reset: '', abort: '' },
});
