/**
 * A value that goes along with a call through all its waits, for whoever asks on the way (decisions/0850). Below version 24 Node makes an
 * AsyncLocalStorage of hooks on everything that waits: sockets, timers, ticks. Calls of programs wait for promises, so there hooks on promises carry
 * it, which cost less; code of the library that calls a program back from elsewhere binds what it hands over. JavaScript that a program imports may be
 * called back by anything: processes with an open border have an AsyncLocalStorage.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { border } from '../../library/values/calls/border.ts';

export interface Carrier<T> {
  /** Runs `work` with the value, also what of it comes after waits. */
  run<A extends unknown[], R>(value: T, work: (...args: A) => R, ...args: A): R;
  /** The value of the code that runs; undefined when it has none. */
  now(): T | undefined;
  /** Gives a function that runs `work` with the value of now, whoever calls it and whenever. */
  bound<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R;
  /** The value with which a promise was made. */
  of(promise: object): T | undefined;
}

type PromiseHooks = typeof import('node:v8')['promiseHooks'];

/** Hooks of promises, where they cost less than an AsyncLocalStorage; null elsewhere. */
function cheapHooks(): PromiseHooks | null {
  const { node = '', bun, deno } = process.versions;
  if (bun !== undefined || deno !== undefined || Number.parseInt(node, 10) >= 24) return null;
  return process.getBuiltinModule?.('node:v8')?.promiseHooks ?? null;
}

/** `isOpen`: whether anything but promises may call the program back. */
export function createCarrier<T>(hooks = cheapHooks(), isOpen = () => border !== undefined): Carrier<T> {
  const storage = new AsyncLocalStorage<T>();
  const carried = Symbol('carried');
  type Marked = { [carried]?: T };
  let current: T | undefined;
  let isHooked = false;
  const hook = (): void => {
    isHooked = true;
    hooks?.createHook({
      init(promise) {
        if (current !== undefined) (promise as Marked)[carried] = current;
      },
      before(promise) {
        current = (promise as Marked)[carried];
      },
      // Code that no promise wakes has no value: better none than that of another call.
      after() {
        current = undefined;
      },
    } as Parameters<PromiseHooks['createHook']>[0]);
  };
  const carrier: Carrier<T> = {
    run(value, work, ...args) {
      // A call that began before the border was open goes on as it began.
      if (hooks === null || (current === undefined && isOpen())) return storage.run(value, work, ...args);
      if (!isHooked) hook();
      const before = current;
      current = value;
      try {
        return work(...args);
      } finally {
        current = before;
      }
    },
    now: () => current ?? storage.getStore(),
    bound(work) {
      const value = carrier.now();
      return value === undefined ? work : (...args) => carrier.run(value, work, ...args);
    },
    of: (promise) => (promise as Marked)[carried] ?? carrier.now(),
  };
  return carrier;
}
