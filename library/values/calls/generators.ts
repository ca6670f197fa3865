/** Generator objects: what calling a `def` with `yield` gives. */
import { look } from '../../limits/look.ts';
import { iter } from '../containers/iteration.ts';
import { Tuple } from '../containers/tuple.ts';
import {
  BaseException,
  GeneratorExit,
  RuntimeError,
  StopAsyncIteration,
  StopIteration,
  TypeError,
  ValueError,
} from '../objects/exceptions.ts';
import { $getattr, $repr, $typeName } from '../objects/protocol.ts';
import { address } from '../objects/repr.ts';
import { call } from './calls.ts';
import { raised } from './raise.ts';

/** Gives the exception that `throw(error)` and the older `throw(type, value, traceback)` throw. @throws TypeError */
function thrown(error: any, value: unknown): unknown {
  if (value instanceof BaseException) return value;
  if (value === undefined || value === null) return raised(error);
  return raised(call(error, ...(value instanceof Tuple ? value.items : [value])));
}

export class GeneratorObject implements IterableIterator<unknown> {
  private readonly inner: Iterator<unknown, unknown, unknown> & { return?: any; throw?: any };
  state: 'new' | 'suspended' | 'running' | 'done' = 'new';
  declare [$typeName]: string;

  constructor(inner: Iterator<unknown, unknown, unknown>) {
    this.inner = inner;
  }

  /** JavaScript protocol. There is no `return`: a loop that is left by `break` can go on later, as in Python. */
  next(value?: unknown): IteratorResult<unknown> {
    if (this.state === 'running') throw new ValueError('generator already executing');
    if ($due) look();
    this.state = 'running';
    try {
      const step = this.inner.next(value === undefined ? null : value);
      this.state = step.done === true ? 'done' : 'suspended';
      return step;
    } catch (e) {
      this.state = 'done';
      throw e instanceof StopIteration ? leaked(e) : e;
    }
  }

  [Symbol.iterator](): this {
    return this;
  }

  __next__(): unknown {
    return stepped(this.next(null));
  }

  send(value: unknown): unknown {
    if (this.state === 'new' && value !== null && value !== undefined)
      throw new TypeError("can't send non-None value to a just-started generator");
    return stepped(this.next(value));
  }

  throw(error: any, ...more: unknown[]): any {
    return stepped(this.throwInside(thrown(error, more[0])));
  }

  throwInside(error: unknown): IteratorResult<unknown> {
    try {
      const step = this.inner.throw(error);
      this.state = step.done === true ? 'done' : 'suspended';
      return step;
    } catch (e) {
      this.state = 'done';
      throw e instanceof StopIteration ? leaked(e) : e;
    }
  }

  /** Raises GeneratorExit where the generator waits, so that its `except` and `finally` run. */
  close(): null {
    if (this.state !== 'suspended') {
      if (this.state === 'new') this.inner.return(null);
      this.state = 'done';
      return null;
    }
    let step: IteratorResult<unknown>;
    try {
      step = this.throwInside(new GeneratorExit());
    } catch (e) {
      return passExit(e);
    }
    if (step.done !== true) throw new RuntimeError('generator ignored GeneratorExit');
    return null;
  }

  [$repr](): string {
    return `<generator object at ${address(this)}>`;
  }
}
GeneratorObject.prototype[$typeName] = 'generator';

function passExit(e: unknown): null {
  if (e instanceof GeneratorExit || e instanceof StopIteration) return null;
  throw e;
}

// A StopIteration that leaves a generator's body would end the loop around it silently.
function leaked(cause: StopIteration): RuntimeError {
  const error = new RuntimeError('generator raised StopIteration');
  error.__cause__ = cause;
  return error;
}

/** Gives the item of an iterator's step, as `__next__` does. @throws StopIteration with what the iterator returned */
export function stepped(step: IteratorResult<unknown>): unknown {
  if (step.done !== true) return step.value === undefined ? null : step.value;
  throw step.value === undefined || step.value === null ? new StopIteration() : new StopIteration(step.value);
}

/**
 * Gives the iterable that `yield from x` goes through: exceptions thrown into the outer generator arrive in the inner
 * one.
 */
export function yieldFrom(x: any): Iterable<unknown> {
  if (!(x instanceof GeneratorObject)) {
    const made = typeof x?.__iter__ === 'function' ? x.__iter__() : undefined;
    return made === undefined ? iter(x) : made instanceof GeneratorObject ? yieldFrom(made) : iter(made);
  }
  const steps: any = {
    next: (value: unknown) => x.next(value),
    throw: (error: unknown) => x.throwInside(error),
    [Symbol.iterator]: () => steps,
  };
  return steps;
}

/** `$.gen(f())` around the JavaScript generator of a compiled function. */
export function gen(inner: Iterator<unknown, unknown, unknown>): GeneratorObject {
  return new GeneratorObject(inner);
}

export class AsyncGeneratorObject implements AsyncIterableIterator<unknown> {
  private readonly inner: any;
  private isNew = true;
  declare [$typeName]: string;

  constructor(inner: AsyncIterator<unknown, unknown, unknown>) {
    this.inner = inner;
  }

  next(value?: unknown): Promise<IteratorResult<unknown>> {
    this.isNew = false;
    return this.inner.next(value);
  }

  return(value?: unknown): Promise<IteratorResult<unknown>> {
    return this.inner.return(value);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  __anext__(): Promise<unknown> {
    return this.asend(null);
  }

  async asend(value: unknown): Promise<unknown> {
    if (this.isNew && value !== null && value !== undefined)
      throw new TypeError("can't send non-None value to a just-started async generator");
    const step = await this.next(value);
    if (step.done === true) throw new StopAsyncIteration();
    return step.value;
  }

  async athrow(error: any, value?: unknown): Promise<unknown> {
    const step = await this.inner.throw(thrown(error, value));
    if (step.done === true) throw new StopAsyncIteration();
    return step.value;
  }

  /** Raises GeneratorExit where the generator waits, so that its `except` and `finally` run. */
  async aclose(): Promise<null> {
    if (this.isNew) await this.inner.return(null);
    this.isNew = false;
    let step: IteratorResult<unknown>;
    try {
      step = await this.inner.throw(new GeneratorExit());
    } catch (e) {
      return e instanceof StopAsyncIteration ? null : passExit(e);
    }
    if (step.done !== true) throw new RuntimeError('async generator ignored GeneratorExit');
    return null;
  }

  /**
   * Gives the methods of the generator of a plain `def` that waits. No properties: `yield*` would take them for its
   * own.
   */
  [$getattr](name: string): unknown {
    const { inner } = this;
    if (name === 'send') return async (value: unknown) => stepped(await inner.next(value));
    if (name === 'throw') return async (e: unknown, value: unknown) => stepped(await inner.throw(thrown(e, value)));
    return name === 'close' ? () => this.aclose() : undefined;
  }

  [$repr](): string {
    return `<async_generator object at ${address(this)}>`;
  }
}
AsyncGeneratorObject.prototype[$typeName] = 'async_generator';

export function agen(inner: AsyncIterator<unknown, unknown, unknown>): AsyncGeneratorObject {
  return new AsyncGeneratorObject(inner);
}
