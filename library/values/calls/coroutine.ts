/**
 * Coroutine objects: what calling an `async def` gives (docs/language/async.md#coroutines). The body starts when it is
 * awaited or scheduled.
 */
import { RuntimeError } from '../objects/exceptions.ts';
import { $await, $repr, $typeName } from '../objects/protocol.ts';
import { address } from '../objects/repr.ts';
import { type GeneratorObject, gen } from './generators.ts';

export class Coroutine implements PromiseLike<unknown> {
  private run: (() => Promise<unknown>) | undefined;
  private started: Promise<unknown> | undefined;
  private readonly label: string;
  declare [$typeName]: string;

  constructor(label: string, run: () => Promise<unknown>) {
    this.label = label;
    this.run = run;
  }

  /** The promise of the result. @throws RuntimeError for a coroutine that was started before */
  [$await](): Promise<unknown> {
    const { run } = this;
    if (run === undefined) throw new RuntimeError('cannot reuse already awaited coroutine');
    this.run = undefined;
    this.started = run();
    return this.started;
  }

  /** For the `__await__` of a program's class, which gives it on or goes through it with `yield from`. */
  __await__(): GeneratorObject {
    return awaitSteps(this);
  }

  /** For JavaScript, which may await the same coroutine again. */
  // biome-ignore lint/suspicious/noThenProperty: a coroutine is awaited by code in JavaScript and TypeScript too.
  then<A = unknown, B = never>(
    resolved?: ((value: unknown) => A | PromiseLike<A>) | null,
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    let promise = this.started;
    try {
      promise ??= this[$await]();
    } catch (error) {
      promise = Promise.reject(error);
    }
    return promise.then(resolved, rejected);
  }

  /** A coroutine that never ran never will; one that runs goes on. */
  close(): null {
    this.run = undefined;
    return null;
  }

  [$repr](): string {
    return `<coroutine object ${this.label} at ${address(this)}>`;
  }
}
Coroutine.prototype[$typeName] = 'coroutine';

/** One step, which waits for `x`, and its result. */
export function awaitSteps(x: unknown): GeneratorObject {
  return gen(
    (function* (): Generator<unknown, unknown> {
      return yield x;
    })(),
  );
}

/** `$.coro('name', async () => …)`: the body of a compiled `async def`. */
export function coro(label: string, run: () => Promise<unknown>): Coroutine {
  return new Coroutine(label, run);
}
