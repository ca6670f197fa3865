/** `ExitStack` and `AsyncExitStack` of `contextlib`. */

import { nativeClass } from '../../builtins/native-class.ts';
import { awaitable } from '../../values/calls/awaitable.ts';
import { call, callkw } from '../../values/calls/calls.ts';
import { aenter, aexit, enter, exit } from '../../values/calls/context-managers.ts';
import { caught } from '../../values/calls/raise.ts';
import type { Dict } from '../../values/containers/dict.ts';

type Exit = (error: any) => unknown;

/** Several managers, left in reverse order. */
export class ExitStack {
  $exits: Exit[] = [];

  enter_context(manager: unknown): unknown {
    const result = enter(manager);
    const entered = (value: unknown) => {
      this.$exits.push((error) => exit(manager, error));
      return value;
    };
    return result instanceof Promise ? result.then(entered) : entered(result);
  }

  push(manager: any): unknown {
    this.$exits.push(
      typeof manager === 'function'
        ? (error) => call(manager, error?.constructor ?? null, error ?? null, null)
        : (error) => exit(manager, error),
    );
    return manager;
  }

  callback(f: unknown, args: readonly unknown[] = [], kwargs?: Dict): unknown {
    this.$exits.push(() => {
      const waits = callkw(f, args, kwargs);
      return waits instanceof Promise ? waits.then(() => false) : false;
    });
    return f;
  }

  pop_all(): ExitStack {
    const other = new (this.constructor as any)();
    other.$exits = this.$exits;
    this.$exits = [];
    return other;
  }

  close(): null | Promise<null> {
    const left = this.__exit__(null, null);
    return left instanceof Promise ? left.then(() => null) : null;
  }

  __enter__(): this {
    return this;
  }

  __exit__(_type: unknown, error: any): boolean | Promise<boolean> {
    return this.$leave(error ?? undefined, error ?? undefined);
  }

  // Goes on as a promise from the first exit that waits.
  $leave(given: any, pending: any): boolean | Promise<boolean> {
    let current = pending;
    while (this.$exits.length > 0) {
      try {
        const suppressed = this.$exits.pop()!(current);
        if (suppressed instanceof Promise)
          return suppressed.then(
            (yes) => this.$leave(given, yes === true ? undefined : current),
            (e) => this.$leave(given, after(caught(e), current)),
          );
        if (suppressed === true) current = undefined;
      } catch (e) {
        current = after(caught(e), current);
      }
    }
    if (current !== undefined && current !== given) throw current;
    return given !== undefined && current === undefined;
  }
}

/** The exception an exit raised while it handled another. */
function after(raised: any, handled: any): any {
  if (handled !== undefined && raised !== handled && raised.__context__ === null) raised.__context__ = handled;
  return raised;
}

export class AsyncExitStack extends ExitStack {
  async enter_async_context(manager: unknown): Promise<unknown> {
    const result = await aenter(manager);
    this.$exits.push((error) => aexit(manager, error));
    return result;
  }

  push_async_callback(f: unknown, args: readonly unknown[] = [], kwargs?: Dict): unknown {
    this.$exits.push(async () => {
      await awaitable(callkw(f, args, kwargs));
      return false;
    });
    return f;
  }

  async aclose(): Promise<null> {
    await this.__aexit__(null, null);
    return null;
  }

  async __aenter__(): Promise<this> {
    return this;
  }

  async __aexit__(_type: unknown, error: any): Promise<boolean> {
    return this.$leave(error ?? undefined, error ?? undefined);
  }
}
nativeClass(ExitStack, {
  name: 'ExitStack',
  module: 'contextlib',
  methods: { callback: 'callback, /, *args, **kwds' },
});
nativeClass(AsyncExitStack, {
  name: 'AsyncExitStack',
  module: 'contextlib',
  methods: { push_async_callback: 'callback, /, *args, **kwds' },
});
