/**
 * Thread of the program that is running. There is one thread of execution (docs/language/async.md#threads): a thread is
 * a task that takes turns with others.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<object>();

/** The thread object that `work` belongs to, also after it waited. */
export function runInThread<T>(thread: object, work: () => T): T {
  return storage.run(thread, work);
}

/** The running thread object; undefined in the main one. */
export function runningThread(): object | undefined {
  return storage.getStore();
}
