/**
 * Module `threading` (docs/language/async.md#threads): threads are tasks of the one event loop. `start` runs the target
 * up to its first wait.
 */
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { functions, type Members } from '../../builtins/module.ts';
import { makeNamedTuple } from '../../builtins/namedtuple.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { real } from '../../builtins/real.ts';
import { runUnwatched, tellStray } from '../../builtins/strays.ts';
import { hasModule, std } from '../../registry.ts';
import { call, callkw } from '../../values/calls/calls.ts';
import { toException } from '../../values/calls/raise.ts';
import { native } from '../../values/calls/signature.ts';
import type { Dict } from '../../values/containers/dict.ts';
import { toArray } from '../../values/containers/iteration.ts';
import type { Tuple } from '../../values/containers/tuple.ts';
import { BaseException, RuntimeError, SystemExit } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { $repr } from '../../values/objects/protocol.ts';
import { plainName, strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { runInThread, runningThread } from './current-thread.ts';
import {
  Barrier,
  BoundedSemaphore,
  BrokenBarrierError,
  Condition,
  Event,
  Lock,
  RLock,
  Semaphore,
} from './thread-locks.ts';
import { makeLine, timeoutMsOf } from './turns.ts';

let made = 0;
let lastIdent = 1;
const alive = new Set<Thread>();

export class Thread {
  declare name: string;
  declare daemon: boolean;
  declare ident: number | null;
  declare $target: unknown;
  declare $args: unknown[];
  declare $kwargs: Dict | undefined;
  declare $state: 'new' | 'running' | 'done';
  declare $line: ReturnType<typeof makeLine>;

  constructor(...slots: any[]) {
    this.init(...slots);
  }

  init(_group?: any, target?: any, name?: any, args?: any, kwargs?: any, daemon?: any): void {
    const label = typeof target === 'function' ? ` (${plainName(target)})` : '';
    this.name = name === undefined || name === null ? `Thread-${(made += 1)}${label}` : strOf(name);
    this.daemon = daemon === undefined || daemon === null ? false : truth(daemon);
    this.$target = target ?? null;
    this.$args = args === undefined || args === null ? [] : toArray(args);
    this.$kwargs = kwargs ?? undefined;
    this.ident = null;
    this.$state = 'new';
    this.$line = makeLine();
  }

  get native_id(): number | null {
    return this.ident;
  }

  start(): null {
    if (this.$state === undefined) throw new RuntimeError('thread.__init__() not called');
    if (this.$state !== 'new') throw new RuntimeError('threads can only be started once');
    this.$state = 'running';
    this.ident = lastIdent += 1;
    alive.add(this);
    runInThread(this, () => this.$run());
    return null;
  }

  $run(): void {
    try {
      const result = callMethod(this, 'run');
      if (!(result instanceof Promise)) {
        this.$finish();
        return;
      }
      result.then(
        () => this.$finish(),
        (e) => this.$fail(e),
      );
    } catch (e) {
      this.$fail(e);
    }
  }

  $fail(e: unknown): void {
    const error: any = toException(e);
    // An error that ends a call is reported by the call.
    if (error instanceof BaseException && !(error instanceof SystemExit))
      runUnwatched(
        () => 'Exception in threading.excepthook:',
        () =>
          call(
            hasModule('threading') ? std('threading').excepthook : excepthook,
            new ExceptHookArgs([error.constructor, error, error.__traceback__ ?? null, this]),
          ),
      );
    this.$finish();
  }

  $finish(): void {
    this.$state = 'done';
    alive.delete(this);
    while (this.$line.wakeOne());
  }

  run(): unknown {
    return this.$target === null ? null : callkw(this.$target, this.$args, this.$kwargs);
  }

  join(timeout?: unknown): MaybePromise<null> {
    if (this.$state === 'new') throw new RuntimeError('cannot join thread before it is started');
    if (runningThread() === this) throw new RuntimeError('cannot join current thread');
    return this.$state === 'done' ? null : this.$line.wait(timeoutMsOf(timeout)).then(() => null);
  }

  is_alive(): boolean {
    return this.$state === 'running';
  }

  getName(): string {
    return this.name;
  }

  setName(name: string): null {
    this.name = name;
    return null;
  }

  isDaemon(): boolean {
    return this.daemon;
  }

  setDaemon(daemon: unknown): null {
    this.daemon = truth(daemon);
    return null;
  }

  [$repr](): string {
    const state = {
      new: 'initial',
      running: `started${this.daemon ? ' daemon' : ''} ${this.ident}`,
      done: `stopped ${this.ident}`,
    }[this.$state];
    return `<${this.constructor.name}(${this.name}, ${state})>`;
  }
}
const params = 'group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None';
nativeClass(Thread, {
  name: 'Thread',
  module: 'threading',
  params,
  methods: {
    init: params,
    start: '',
    run: '',
    join: 'timeout=None',
    is_alive: '',
    getName: '',
    setName: 'name',
    isDaemon: '',
    setDaemon: 'daemonic',
  },
});

/** Calls a function when a time has passed. */
class Timer extends Thread {
  declare interval: unknown;
  declare $function: unknown;
  declare finished: Event;

  override init(interval?: any, fn?: any, args?: any, kwargs?: any): void {
    super.init();
    this.interval = interval;
    this.$function = fn;
    this.$args = args === undefined || args === null ? [] : toArray(args);
    this.$kwargs = kwargs ?? undefined;
    this.finished = new Event();
  }

  override async run(): Promise<null> {
    const cancelled = await this.finished.wait(Math.max(0, real(this.interval)));
    if (!cancelled) await callkw(this.$function, this.$args, this.$kwargs);
    this.finished.set();
    return null;
  }

  cancel(): null {
    return this.finished.set();
  }
}
const timerParams = 'interval, function, args=None, kwargs=None';
nativeClass(Timer, {
  name: 'Timer',
  module: 'threading',
  params: timerParams,
  methods: { init: timerParams, run: '', cancel: '' },
});

class MainThread extends Thread {
  override init(): void {
    super.init(null, null, 'MainThread');
    this.ident = 1;
    this.$state = 'running';
  }
}
nativeClass(MainThread, { name: '_MainThread', module: 'threading' });

/** Attributes that each thread has for itself. */
function makeLocal(): unknown {
  const outside = {};
  const stores = new WeakMap<object, Record<string, unknown>>();
  const store = () => {
    const owner = runningThread() ?? outside;
    let found = stores.get(owner);
    if (found === undefined) {
      found = {};
      stores.set(owner, found);
    }
    return found;
  };
  return new Proxy(new Local(), {
    get: (target, property) =>
      typeof property === 'string' && Object.hasOwn(store(), property)
        ? store()[property]
        : Reflect.get(target, property),
    set: (_target, property, value) => Reflect.set(store(), property, value),
    has: (target, property) => property in store() || property in target,
    deleteProperty: (_target, property) => Reflect.deleteProperty(store(), property),
    ownKeys: () => Reflect.ownKeys(store()),
    getOwnPropertyDescriptor: (_target, property) => Reflect.getOwnPropertyDescriptor(store(), property),
  });
}

class Local {}
nativeClass(Local, { name: '_local', module: '_thread', fullName: true, make: makeLocal });

const ExceptHookArgs = makeNamedTuple('ExceptHookArgs', ['exc_type', 'exc_value', 'exc_traceback', 'thread'], {
  module: 'threading',
});

function excepthook(args: Tuple): null {
  const [, error, , thread] = args.items as [unknown, unknown, unknown, { name: string } | null];
  if (!(error instanceof SystemExit)) tellStray(`Exception in thread ${thread?.name ?? ''}:`, error);
  return null;
}

export function makeThreading(): Members {
  const main = new MainThread();
  const current = () => runningThread() ?? main;
  return {
    Barrier,
    ExceptHookArgs,
    excepthook: native('excepthook', 'args, /', excepthook),
    BoundedSemaphore,
    BrokenBarrierError,
    Condition,
    Event,
    Lock,
    RLock,
    Semaphore,
    TIMEOUT_MAX: 4_294_967,
    Thread,
    ThreadError: RuntimeError,
    Timer,
    local: Local,
    ...functions('threading', {
      activeCount: ['', () => alive.size + 1],
      active_count: ['', () => alive.size + 1],
      currentThread: ['', current],
      current_thread: ['', current],
      enumerate: ['', () => [main, ...alive]],
      get_ident: ['', () => (current() as Thread).ident],
      get_native_id: ['', () => (current() as Thread).ident],
      main_thread: ['', () => main],
      setprofile: ['func', () => null],
      settrace: ['func', () => null],
      stack_size: ['size=0', () => 0],
    }),
  };
}
