import { Failure } from '../errors.ts';

/** Lets a bounded number of tasks run at a time and a bounded number wait. */
export interface HashGate {
  /** @throws Failure `SERVICE_UNAVAILABLE` when too many wait already. */
  run<T>(task: () => Promise<T>): Promise<T>;
  readonly running: number;
  readonly waiting: number;
}

/**
 * Password hashes use a whole core and much memory each, so logins must not be able to starve traffic
 * (docs/server/accounts.md#passwords).
 */
export function createHashGate(limits: { readonly concurrent: number; readonly queue: number }): HashGate {
  const queue: (() => void)[] = [];
  let running = 0;

  async function run<T>(task: () => Promise<T>): Promise<T> {
    if (running >= limits.concurrent) {
      if (queue.length >= limits.queue) {
        throw new Failure('SERVICE_UNAVAILABLE', 'Too many sign-in requests at the moment.', {
          headers: { 'Retry-After': '2' },
        });
      }
      // Whoever finishes hands its place over without lowering `running`, so nobody can slip in between.
      await new Promise<void>((admit) => queue.push(admit));
    } else {
      running += 1;
    }
    try {
      return await task();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    run,
    get running() {
      return running;
    },
    get waiting() {
      return queue.length;
    },
  };
}
