/** Module `queue`. An operation that has to wait gives a promise; others give their result at once. */
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { real } from '../../builtins/real.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { Exception, nameException, ValueError } from '../../values/objects/exceptions.ts';
import { truth } from '../../values/objects/truth.ts';
import { heapPop, heapPush } from '../heapq.ts';
import { makeLine, timeoutMsOf } from './turns.ts';

export class Empty extends Exception {}
export class Full extends Exception {}
nameException(Empty, 'Empty', '_queue');
nameException(Full, 'Full', 'queue');

function limitOf(timeout: unknown): number | undefined {
  if (timeout !== undefined && timeout !== null && real(timeout) < 0)
    throw new ValueError("'timeout' must be a non-negative number");
  return timeoutMsOf(timeout);
}

export class Queue {
  readonly maxsize: number;
  readonly $items: unknown[] = [];
  readonly $getters = makeLine();
  readonly $putters = makeLine();
  readonly $joiners = makeLine();
  /** Items promised to getters that were woken and have not gone on yet; the same for places of putters. */
  $claimed = 0;
  $reserved = 0;
  unfinished_tasks = 0;

  constructor(maxsize?: unknown) {
    this.maxsize = maxsize === undefined ? 0 : requireSize(maxsize);
  }

  $add(item: unknown): void {
    this.$items.push(item);
  }

  $remove(): unknown {
    return this.$items.shift();
  }

  $store(item: unknown): null {
    this.$add(item);
    this.unfinished_tasks += 1;
    if (this.$getters.wakeOne()) this.$claimed += 1;
    return null;
  }

  $fetch(): unknown {
    const item = this.$remove();
    if (this.$putters.wakeOne()) this.$reserved += 1;
    return item;
  }

  put(item: unknown, block?: unknown, timeout?: unknown): MaybePromise<null> {
    if (this.maxsize <= 0 || this.$items.length + this.$reserved < this.maxsize) return this.$store(item);
    if (block !== undefined && !truth(block)) throw new Full();
    return this.$putters.wait(limitOf(timeout)).then((woken) => {
      if (!woken) throw new Full();
      this.$reserved -= 1;
      return this.$store(item);
    });
  }

  get(block?: unknown, timeout?: unknown): MaybePromise<unknown> {
    if (this.$items.length > this.$claimed) return this.$fetch();
    if (block !== undefined && !truth(block)) throw new Empty();
    return this.$getters.wait(limitOf(timeout)).then((woken) => {
      if (!woken) throw new Empty();
      this.$claimed -= 1;
      return this.$fetch();
    });
  }

  put_nowait(item: unknown): MaybePromise<null> {
    return this.put(item, false);
  }

  get_nowait(): unknown {
    return this.get(false);
  }

  task_done(): null {
    if (this.unfinished_tasks <= 0) throw new ValueError('task_done() called too many times');
    this.unfinished_tasks -= 1;
    if (this.unfinished_tasks === 0) while (this.$joiners.wakeOne());
    return null;
  }

  join(): MaybePromise<null> {
    return this.unfinished_tasks === 0 ? null : this.$joiners.wait(undefined).then(() => null);
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
}
nativeClass(Queue, {
  name: 'Queue',
  module: 'queue',
  params: 'maxsize=0',
  methods: {
    put: 'item, block=True, timeout=None',
    get: 'block=True, timeout=None',
    put_nowait: 'item',
    get_nowait: '',
    task_done: '',
    join: '',
    qsize: '',
    empty: '',
    full: '',
  },
});

class LifoQueue extends Queue {
  override $remove(): unknown {
    return this.$items.pop();
  }
}
nativeClass(LifoQueue, { name: 'LifoQueue', module: 'queue', params: 'maxsize=0' });

class PriorityQueue extends Queue {
  override $add(item: unknown): void {
    heapPush(this.$items, item);
  }

  override $remove(): unknown {
    return heapPop(this.$items);
  }
}
nativeClass(PriorityQueue, { name: 'PriorityQueue', module: 'queue', params: 'maxsize=0' });

class SimpleQueue extends Queue {}
nativeClass(SimpleQueue, { name: 'SimpleQueue', module: 'queue' });

export function makeQueue(): Members {
  return { Empty, Full, LifoQueue, PriorityQueue, Queue, SimpleQueue };
}
