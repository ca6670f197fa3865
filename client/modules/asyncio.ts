/** `asyncio` in the browser. */

export function sleep(seconds: number, result: unknown = null): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000, result));
}

export function gather(...awaitables: unknown[]): Promise<unknown[]> {
  return Promise.all(awaitables);
}

export function create_task<T>(promise: Promise<T>): Promise<T> {
  return promise;
}

export function run<T>(promise: Promise<T>): Promise<T> {
  return promise;
}
