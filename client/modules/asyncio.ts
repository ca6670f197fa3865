/** `asyncio` in the browser. */
import { TimeoutError } from '../lang/exceptions.ts';
import { named } from '../lang/named.ts';

export { TimeoutError };

export function sleep(seconds: number, result: unknown = null): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000, result));
}

export const gather = /* @__PURE__ */ named(
  (...awaitables: unknown[]): Promise<unknown[]> => Promise.all(awaitables),
  async (awaitables: unknown[], { return_exceptions = false }: { return_exceptions?: boolean }): Promise<unknown[]> => {
    if (!return_exceptions) return await gather(...awaitables);
    const settled = await Promise.allSettled(awaitables);
    return settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason));
  },
);

/** Gives what the awaitable gives, or throws `TimeoutError` after so many seconds; nothing stops a promise. */
export const wait_for = /* @__PURE__ */ named(
  (awaitable: unknown, timeout: number | null): Promise<unknown> => {
    if (timeout === null) return Promise.resolve(awaitable);
    let timer: ReturnType<typeof setTimeout>;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new TimeoutError()), timeout * 1000);
    });
    return Promise.race([awaitable, late]).finally(() => clearTimeout(timer));
  },
  ([awaitable, timeout]: [unknown, number], named: { timeout?: number }): Promise<unknown> =>
    wait_for(awaitable, named.timeout ?? timeout ?? null),
);

export function create_task<T>(promise: Promise<T>): Promise<T> {
  return promise;
}

export function run<T>(promise: Promise<T>): Promise<T> {
  return promise;
}
