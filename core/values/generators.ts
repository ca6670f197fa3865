/** Generator objects: what calling a `def` with `yield` gives. */
import { RuntimeError, StopAsyncIteration, StopIteration } from './exceptions.ts';
import { $repr, $typeName } from './protocol.ts';
import { address } from './repr.ts';

export class GeneratorObject implements IterableIterator<unknown> {
  private readonly inner: Iterator<unknown, unknown, unknown> & { return?: any; throw?: any };
  declare [$typeName]: string;

  constructor(inner: Iterator<unknown, unknown, unknown>) {
    this.inner = inner;
  }

  /** JavaScript protocol. There is no `return`: a loop that is left by `break` can go on later, as in Python. */
  next(value?: unknown): IteratorResult<unknown> {
    try {
      return this.inner.next(value === undefined ? null : value);
    } catch (e) {
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
    return stepped(this.next(value));
  }

  throw(error: any, ...more: unknown[]): any {
    const thrown = typeof error === 'function' ? new error(...more) : error;
    return stepped(this.inner.throw(thrown));
  }

  close(): null {
    this.inner.return(null);
    return null;
  }

  [$repr](): string {
    return `<generator object at ${address(this)}>`;
  }
}
GeneratorObject.prototype[$typeName] = 'generator';

// A StopIteration that leaves a generator's body would end the loop around it silently.
function leaked(cause: StopIteration): RuntimeError {
  const error = new RuntimeError('generator raised StopIteration');
  error.__cause__ = cause;
  return error;
}

function stepped(step: IteratorResult<unknown>): unknown {
  if (step.done !== true) return step.value === undefined ? null : step.value;
  throw step.value === undefined || step.value === null ? new StopIteration() : new StopIteration(step.value);
}

/** `$.gen(f())` around the JavaScript generator of a compiled function. */
export function gen(inner: Iterator<unknown, unknown, unknown>): GeneratorObject {
  return new GeneratorObject(inner);
}

export class AsyncGeneratorObject implements AsyncIterableIterator<unknown> {
  private readonly inner: any;
  declare [$typeName]: string;

  constructor(inner: AsyncIterator<unknown, unknown, unknown>) {
    this.inner = inner;
  }

  next(value?: unknown): Promise<IteratorResult<unknown>> {
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
    const step = await this.inner.next(value);
    if (step.done === true) throw new StopAsyncIteration();
    return step.value;
  }

  async athrow(error: any): Promise<unknown> {
    const step = await this.inner.throw(typeof error === 'function' ? new error() : error);
    if (step.done === true) throw new StopAsyncIteration();
    return step.value;
  }

  async aclose(): Promise<null> {
    await this.inner.return(null);
    return null;
  }

  [$repr](): string {
    return `<async_generator object at ${address(this)}>`;
  }
}
AsyncGeneratorObject.prototype[$typeName] = 'async_generator';

export function agen(inner: AsyncIterator<unknown, unknown, unknown>): AsyncGeneratorObject {
  return new AsyncGeneratorObject(inner);
}
