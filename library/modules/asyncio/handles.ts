/** Callbacks of the event loop of `asyncio`. One that fails is told and ends nothing; `set_exception_handler` decides who is told. */

import { nativeClass } from '../../builtins/native-class.ts';
import { runUnwatched, tellStray } from '../../builtins/strays.ts';
import { call } from '../../values/calls/calls.ts';
import { toException } from '../../values/calls/raise.ts';
import { Dict } from '../../values/containers/dict.ts';
import { $repr } from '../../values/objects/protocol.ts';
import { plainName, strOf } from '../../values/objects/repr.ts';

/** The longest time a timer of JavaScript can be set to; milliseconds. */
const longestMs = 2_147_483_647;

/** Handle that `call_soon` gives. */
export class Handle {
  $cancelled = false;
  readonly $name: string;
  readonly $run: () => void;

  constructor(f: unknown, args: readonly unknown[]) {
    this.$name = typeof f === 'function' ? plainName(f) : 'a callback';
    this.$run = () => {
      if (!this.$cancelled) runCallback(f, args);
    };
  }

  cancel(): null {
    this.$cancelled = true;
    return null;
  }

  cancelled(): boolean {
    return this.$cancelled;
  }

  [$repr](): string {
    return this.$cancelled ? '<Handle cancelled>' : `<Handle ${this.$name}()>`;
  }
}
nativeClass(Handle, { name: 'Handle', module: 'asyncio' });

/** Handle that `call_later` and `call_at` give. */
export class TimerHandle extends Handle {
  readonly $when: number;
  $timer: NodeJS.Timeout | undefined;

  /** @param when seconds on the loop's clock, which shows `now` */
  constructor(f: unknown, args: readonly unknown[], when: number, now: number) {
    super(f, args);
    this.$when = when;
    this.$wait((when - now) * 1000);
  }

  $wait(ms: number): void {
    this.$timer = setTimeout(
      () => (ms > longestMs ? this.$wait(ms - longestMs) : this.$run()),
      Math.min(ms, longestMs),
    );
  }

  override cancel(): null {
    clearTimeout(this.$timer);
    return super.cancel();
  }

  when(): number {
    return this.$when;
  }

  override [$repr](): string {
    return `<TimerHandle${this.$cancelled ? ' cancelled' : ''} when=${this.$when}>`;
  }
}
nativeClass(TimerHandle, { name: 'TimerHandle', module: 'asyncio' });

/** Calls `f` in the next turn of the loop. */
export function callSoon(f: unknown, args: readonly unknown[] = []): Handle {
  const handle = new Handle(f, args);
  setImmediate(handle.$run);
  return handle;
}

/** Calls a callback of the program now. */
export function runCallback(f: unknown, args: readonly unknown[]): void {
  const what = () => `Exception in callback ${typeof f === 'function' ? plainName(f) : ''}()`;
  try {
    const result = call(f, ...args);
    if (result instanceof Promise) result.catch((error) => tellHandler(what(), error));
  } catch (error) {
    tellHandler(what(), error);
  }
}

/** Handler that a program gave to `set_exception_handler`, and the loop it gave it to. */
let handler: { readonly loop: unknown; readonly f: unknown } | undefined;

export function setExceptionHandler(loop: unknown, f: unknown): null {
  handler = f === undefined || f === null ? undefined : { loop, f };
  return null;
}

export function exceptionHandler(): unknown {
  return handler?.f ?? null;
}

function tellHandler(message: string, error: unknown): void {
  callExceptionHandler(Dict.of('message', message, 'exception', toException(error)));
}

/** Gives what went wrong to the program's handler, or tells it. `context`: `message`, `exception`. */
export function callExceptionHandler(context: Dict): null {
  if (handler === undefined) return tellContext(context);
  const { loop, f } = handler;
  runUnwatched(
    () => 'Unhandled error in exception handler',
    () => call(f, loop, context),
  );
  return null;
}

/** Tells what went wrong where the program has no handler, or its handler asks for that. */
export function tellContext(context: Dict): null {
  const message = context.get('message') ?? 'Unhandled exception in event loop';
  tellStray(strOf(message), context.get('exception') ?? null);
  return null;
}
