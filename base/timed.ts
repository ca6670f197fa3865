import type { MaybePromise } from './maybe-promise.ts';

/** Runs `work` and tells whether it succeeded and how many seconds it took. What it gives or throws is passed on. */
export function timed<T>(
  work: () => MaybePromise<T>,
  tell: (isSuccess: boolean, seconds: number, error: unknown) => void,
): MaybePromise<T> {
  const startedMs = performance.now();
  const end = (isSuccess: boolean, error?: unknown) => tell(isSuccess, (performance.now() - startedMs) / 1000, error);
  const failed = (error: unknown): never => {
    end(false, error);
    throw error;
  };
  let outcome: MaybePromise<T>;
  try {
    outcome = work();
  } catch (error) {
    return failed(error);
  }
  if (!(outcome instanceof Promise)) {
    end(true);
    return outcome;
  }
  return outcome.then((value) => {
    end(true);
    return value;
  }, failed);
}
