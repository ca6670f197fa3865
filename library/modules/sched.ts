/** Module `sched`: functions that are called at their time, in order of time and priority. */

import type { Members } from '../builtins/module.ts';
import { makeNamedTuple } from '../builtins/namedtuple.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { std } from '../registry.ts';
import { call, callkw } from '../values/calls/calls.ts';
import type { Dict } from '../values/containers/dict.ts';
import { itemsOf } from '../values/containers/iteration.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { ValueError } from '../values/objects/exceptions.ts';
import { add, sub } from '../values/objects/operators.ts';
import { lt } from '../values/objects/ordering.ts';
import { truth } from '../values/objects/truth.ts';

const Event = makeNamedTuple('Event', ['time', 'priority', 'sequence', 'action', 'argument', 'kwargs'], {
  module: 'sched',
});

class Scheduler {
  readonly timefunc: unknown;
  readonly delayfunc: unknown;
  $events: Tuple[] = [];
  $made = 0;

  constructor(timefunc: unknown, delayfunc: unknown) {
    this.timefunc = timefunc ?? std('time').monotonic;
    this.delayfunc = delayfunc ?? std('time').sleep;
  }

  /** Events to come, the next one first. */
  get queue(): Tuple[] {
    return [...this.$events];
  }

  enterabs(time: unknown, priority: unknown, action: unknown, argument?: unknown, kwargs?: unknown): Tuple {
    const given = argument === undefined ? [] : itemsOf(argument);
    const event = new Event([time, priority, this.$made++, action, new Tuple(given), kwargs ?? null]);
    const at = this.$events.findIndex((one) => isBefore(event, one));
    this.$events.splice(at < 0 ? this.$events.length : at, 0, event);
    return event;
  }

  enter(delay: unknown, priority: unknown, action: unknown, argument?: unknown, kwargs?: unknown): Tuple {
    return this.enterabs(add(call(this.timefunc), delay), priority, action, argument, kwargs);
  }

  /** @throws ValueError for an event that is not to come */
  cancel(event: Tuple): null {
    const at = this.$events.indexOf(event);
    if (at < 0) throw new ValueError('list.remove(x): x not in list');
    this.$events.splice(at, 1);
    return null;
  }

  empty(): boolean {
    return this.$events.length === 0;
  }

  /** The time until the next event, where it does not block; None when all have run. */
  run(blocking?: unknown): unknown {
    for (let next = this.$events[0]; next !== undefined; next = this.$events[0]) {
      const [time, , , action, argument, kwargs] = next.items as [unknown, unknown, unknown, unknown, Tuple, Dict];
      const delay = sub(time, call(this.timefunc));
      const isDue = !lt(0, delay);
      if (!isDue && blocking !== undefined && !truth(blocking)) return delay;
      if (isDue) this.$events.shift();
      const waits = isDue ? callkw(action, argument.items, kwargs ?? undefined) : call(this.delayfunc, delay);
      if (waits instanceof Promise) return waits.then(() => this.run(blocking));
    }
    return null;
  }
}
nativeClass(Scheduler, {
  name: 'scheduler',
  module: 'sched',
  params: 'timefunc=None, delayfunc=None',
  methods: {
    enter: 'delay, priority, action, argument=(), kwargs=None',
    enterabs: 'time, priority, action, argument=(), kwargs=None',
    run: 'blocking=True',
  },
});

function isBefore(a: Tuple, b: Tuple): boolean {
  const of = (event: Tuple) => new Tuple(event.items.slice(0, 3));
  return lt(of(a), of(b));
}

export function makeSched(): Members {
  return { Event, scheduler: Scheduler };
}
