/** Module `contextlib`. */

import { functions, type Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { streams } from '../../builtins/streams.ts';
import { std } from '../../registry.ts';
import { awaitable } from '../../values/calls/awaitable.ts';
import { call, callkw } from '../../values/calls/calls.ts';
import { aenter, aexit, enter, exit } from '../../values/calls/context-managers.ts';
import { AsyncGeneratorObject } from '../../values/calls/generators.ts';
import { caught, excMatch } from '../../values/calls/raise.ts';
import { native } from '../../values/calls/signature.ts';
import type { Dict } from '../../values/containers/dict.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { RuntimeError, StopAsyncIteration, StopIteration } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { $isInstance } from '../../values/objects/protocol.ts';
import { AsyncExitStack, ExitStack } from './exit-stack.ts';

/** The context manager a generator function makes: what it does before `yield`, and after. */
class GeneratorManager {
  readonly $generator: any;
  readonly $again: () => any;

  constructor(make: () => any) {
    this.$again = make;
    this.$generator = make();
  }

  __enter__(): unknown {
    if (this.$generator instanceof AsyncGeneratorObject) return enterGenerator(this.$generator);
    try {
      return this.$generator.__next__();
    } catch (e) {
      throw e instanceof StopIteration ? new RuntimeError("generator didn't yield") : e;
    }
  }

  __exit__(_type: unknown, error: any): boolean | Promise<boolean> {
    if (this.$generator instanceof AsyncGeneratorObject) return exitGenerator(this.$generator, error);
    if (error === null || error === undefined) {
      try {
        this.$generator.__next__();
      } catch (e) {
        if (e instanceof StopIteration) return false;
        throw e;
      }
      throw new RuntimeError("generator didn't stop");
    }
    try {
      this.$generator.throw(error);
    } catch (e) {
      if (e instanceof StopIteration) return e !== error;
      if (isSame(caught(e), error)) return false;
      throw e;
    }
    throw new RuntimeError("generator didn't stop after throw()");
  }

  /** Used as a decorator. */
  __call__(f: unknown): unknown {
    return decorated(f, () => new GeneratorManager(this.$again), within);
  }
}
nativeClass(GeneratorManager, {
  name: '_GeneratorContextManager',
  module: 'contextlib',
  methods: { __call__: 'func, /' },
});

// A generator that waits, whether its author wrote `async def` or something in it waits.
async function enterGenerator(generator: AsyncGeneratorObject): Promise<unknown> {
  const step = await generator.next(null);
  if (step.done === true) throw new RuntimeError("generator didn't yield");
  return step.value;
}

async function exitGenerator(generator: AsyncGeneratorObject, error: any): Promise<boolean> {
  if (error === null || error === undefined) {
    const step = await generator.next(null);
    if (step.done === true) return false;
    throw new RuntimeError("generator didn't stop");
  }
  try {
    await generator.athrow(error);
  } catch (e) {
    if (e instanceof StopAsyncIteration) return e !== error;
    if (isSame(caught(e), error)) return false;
    throw e;
  }
  throw new RuntimeError("generator didn't stop after athrow()");
}

// A generator that lets the end of an iteration through says it as a RuntimeError.
function isSame(raised: any, given: any): boolean {
  return raised === given || (raised instanceof RuntimeError && raised.__cause__ === given && endsIteration(given));
}

function endsIteration(error: unknown): boolean {
  return error instanceof StopIteration || error instanceof StopAsyncIteration;
}

/** A function that runs `f` in a manager: a new one for each call, where the kind of manager can make one. */
function decorated(
  f: unknown,
  manager: () => unknown,
  run: (manager: unknown, work: () => unknown) => unknown,
): unknown {
  const inner = native('inner', '*args, **kwargs', (args: readonly unknown[] = [], kwargs?: Dict) =>
    run(manager(), () => callkw(f, args, kwargs)),
  );
  return call(call(std('functools').wraps, f), inner);
}

function within(manager: unknown, run: () => unknown): unknown {
  const entered = enter(manager);
  if (entered instanceof Promise) return entered.then(() => withinWaiting(manager, run));
  let result: unknown;
  try {
    result = run();
  } catch (e) {
    return swallowed(exit(manager, caught(e)), e);
  }
  if (result instanceof Promise) return leaveAfter(manager, result);
  const left: unknown = exit(manager);
  return left instanceof Promise ? left.then(() => result) : result;
}

/** None, once the manager has said that it swallows the error. */
function swallowed(left: unknown, error: unknown): unknown {
  if (left instanceof Promise) return left.then((answer) => swallowed(answer, error));
  if (left === true) return null;
  throw error;
}

async function withinWaiting(manager: unknown, run: () => unknown): Promise<unknown> {
  return leaveAfter(manager, (async () => run())());
}

async function leaveAfter(manager: unknown, running: Promise<unknown>): Promise<unknown> {
  let result: unknown;
  try {
    result = await running;
  } catch (e) {
    return swallowed(await exit(manager, caught(e)), e);
  }
  await exit(manager);
  return result;
}

/** The same for `async with`. */
async function withinAsync(manager: unknown, run: () => unknown): Promise<unknown> {
  await aenter(manager);
  let result: unknown;
  try {
    result = await awaitable(run());
  } catch (e) {
    return swallowed(await aexit(manager, caught(e)), e);
  }
  await aexit(manager);
  return result;
}

class AsyncGeneratorManager {
  readonly $generator: any;
  readonly $again: () => any;

  constructor(make: () => any) {
    this.$again = make;
    this.$generator = make();
  }

  /** Used as a decorator. */
  __call__(f: unknown): unknown {
    return decorated(f, () => new AsyncGeneratorManager(this.$again), withinAsync);
  }

  __aenter__(): Promise<unknown> {
    return enterGenerator(this.$generator);
  }

  __aexit__(_type: unknown, error: any): Promise<boolean> {
    return exitGenerator(this.$generator, error);
  }
}
nativeClass(AsyncGeneratorManager, {
  name: '_AsyncGeneratorContextManager',
  module: 'contextlib',
  methods: { __call__: 'func, /' },
});

/** A base that tells a manager by its methods; `__enter__` of a derived class gives the manager itself unless it says otherwise. */
class AbstractContextManager {
  __enter__(): this {
    return this;
  }

  __exit__(): null {
    return null;
  }
}
nativeClass(AbstractContextManager, { name: 'AbstractContextManager', module: 'contextlib' });
tellByMethods(AbstractContextManager, '__enter__', '__exit__');

class AbstractAsyncContextManager {
  async __aenter__(): Promise<this> {
    return this;
  }

  async __aexit__(): Promise<null> {
    return null;
  }
}
nativeClass(AbstractAsyncContextManager, { name: 'AbstractAsyncContextManager', module: 'contextlib' });
tellByMethods(AbstractAsyncContextManager, '__aenter__', '__aexit__');

function tellByMethods(cls: any, ...names: readonly string[]): void {
  Object.defineProperty(cls, $isInstance, {
    value(this: any, x: any): boolean {
      return x instanceof this || (this === cls && names.every((name) => typeof x?.[name] === 'function'));
    },
  });
}

/** A manager of a class derived from this is a decorator as well. */
class ContextDecorator {
  _recreate_cm(): this {
    return this;
  }

  __call__(f: unknown): unknown {
    return decorated(f, () => callMethod(this, '_recreate_cm'), within);
  }
}
nativeClass(ContextDecorator, { name: 'ContextDecorator', module: 'contextlib', methods: { __call__: 'func' } });

class AsyncContextDecorator {
  _recreate_cm(): this {
    return this;
  }

  __call__(f: unknown): unknown {
    return decorated(f, () => callMethod(this, '_recreate_cm'), withinAsync);
  }
}
nativeClass(AsyncContextDecorator, {
  name: 'AsyncContextDecorator',
  module: 'contextlib',
  methods: { __call__: 'func' },
});

class Suppress {
  readonly $classes: Tuple;

  constructor(classes: readonly unknown[]) {
    this.$classes = new Tuple(classes);
  }

  __enter__(): null {
    return null;
  }

  __exit__(_type: unknown, error: any): boolean {
    return error !== null && error !== undefined && excMatch(error, this.$classes);
  }
}
nativeClass(Suppress, {
  name: 'suppress',
  module: 'contextlib',
  params: '*exceptions',
  make: (_cls, classes) => new Suppress(classes ?? []),
});

/** `redirect_stdout(target)` */
class Redirect {
  readonly $which: 'stdout' | 'stderr';
  readonly $target: unknown;
  readonly $before: unknown[] = [];

  constructor(which: 'stdout' | 'stderr', target: unknown) {
    this.$which = which;
    this.$target = target;
  }

  __enter__(): unknown {
    this.$before.push(streams[this.$which]);
    streams[this.$which] = this.$target;
    return this.$target;
  }

  __exit__(): boolean {
    streams[this.$which] = this.$before.pop();
    return false;
  }
}
nativeClass(Redirect, { name: '_RedirectStream', module: 'contextlib' });

class Closing {
  readonly thing: unknown;

  constructor(thing: unknown) {
    this.thing = thing;
  }

  __enter__(): unknown {
    return this.thing;
  }

  __exit__(): boolean | Promise<boolean> {
    const waits = callMethod(this.thing, 'close');
    return waits instanceof Promise ? waits.then(() => false) : false;
  }
}
nativeClass(Closing, { name: 'closing', module: 'contextlib', params: 'thing' });

class AsyncClosing {
  readonly thing: unknown;

  constructor(thing: unknown) {
    this.thing = thing;
  }

  async __aenter__(): Promise<unknown> {
    return this.thing;
  }

  async __aexit__(): Promise<boolean> {
    await awaitable(callMethod(this.thing, 'aclose'));
    return false;
  }
}
nativeClass(AsyncClosing, { name: 'aclosing', module: 'contextlib', params: 'thing' });

class NullContext {
  readonly enter_result: unknown;

  constructor(result: unknown) {
    this.enter_result = result ?? null;
  }

  __enter__(): unknown {
    return this.enter_result;
  }

  __exit__(): boolean {
    return false;
  }

  async __aenter__(): Promise<unknown> {
    return this.enter_result;
  }

  async __aexit__(): Promise<boolean> {
    return false;
  }
}
nativeClass(NullContext, { name: 'nullcontext', module: 'contextlib', params: 'enter_result=None' });

/** Context manager with another working directory. */
class ChangeDirectory {
  readonly path: unknown;
  readonly $before: string[] = [];

  constructor(path: unknown) {
    this.path = path;
  }

  __enter__(): null {
    this.$before.push(process.cwd());
    return callMethod(std('os'), 'chdir', this.path) as null;
  }

  __exit__(): boolean {
    callMethod(std('os'), 'chdir', this.$before.pop());
    return false;
  }
}
nativeClass(ChangeDirectory, { name: 'chdir', module: 'contextlib', params: 'path' });

/**
 * Makes the function that replaces a decorated generator function: it looks like that function, and gives a manager.
 */
function helperOf(f: unknown, Manager: new (make: () => any) => unknown): unknown {
  const helper = native(
    'helper',
    '*args, **kwds',
    (args: readonly unknown[] = [], kwargs?: Dict) => new Manager(() => callkw(f, args, kwargs)),
  );
  return call(std('functools').update_wrapper, helper, f);
}

export function makeContextlib(): Members {
  return {
    suppress: Suppress,
    closing: Closing,
    aclosing: AsyncClosing,
    nullcontext: NullContext,
    chdir: ChangeDirectory,
    ExitStack,
    AsyncExitStack,
    AbstractContextManager,
    AbstractAsyncContextManager,
    AsyncContextDecorator,
    ContextDecorator,
    ...functions('contextlib', {
      contextmanager: ['func', (f: unknown) => helperOf(f, GeneratorManager)],
      asynccontextmanager: ['func', (f: unknown) => helperOf(f, AsyncGeneratorManager)],
      redirect_stdout: ['new_target', (target: unknown) => new Redirect('stdout', target)],
      redirect_stderr: ['new_target', (target: unknown) => new Redirect('stderr', target)],
    }),
  };
}
