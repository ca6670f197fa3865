/**
 * Built-ins that meet functions of the program which wait (decisions/0210). A built-in cannot stop in the middle, so it is run again: what the
 * program answered so far is kept, and once the answer that was missing is there the built-in starts over and gets as far as the next one.
 * Everything a built-in asks of the program on its way goes through `ask`; between two attempts it leaves nothing changed (`intact`).
 */

import { RuntimeError } from '../objects/exceptions.ts';
import { $asked, $declared, $uncatchable } from '../objects/protocol.ts';
import { waitsInside } from './async-functions.ts';

interface Region {
  readonly answers: Answer[];
  at: number;
  /** Iterators it goes through, each from where it was when it was first met. */
  readonly replays: Map<object, Replay>;
}

interface Answer {
  readonly value?: unknown;
  readonly error?: unknown;
  readonly failed: boolean;
}

let current: Region | undefined;

/** Is a built-in under way that can be run again? */
export function inRegion(): boolean {
  return current !== undefined;
}

class Suspended {
  readonly region: Region;
  readonly promise: Promise<unknown>;

  constructor(region: Region, promise: Promise<unknown>) {
    this.region = region;
    this.promise = promise;
  }

  get [$uncatchable](): boolean {
    return true;
  }
}

type Run = (...args: any[]) => unknown;

/** Gives the result of a built-in; a promise of it when something it asks the program has to wait. */
export function run(builtin: Run, args: readonly unknown[]): any {
  const region: Region = { answers: [], at: 0, replays: new Map() };
  const missing = attempt(region, builtin, args);
  return missing instanceof Suspended ? finish(region, builtin, args, missing) : missing;
}

async function finish(region: Region, builtin: Run, args: readonly unknown[], first: Suspended): Promise<unknown> {
  for (let missing = first; ; ) {
    try {
      region.answers.push({ value: await missing.promise, failed: false });
    } catch (error) {
      region.answers.push({ error, failed: true });
    }
    const result = attempt(region, builtin, args);
    if (!(result instanceof Suspended)) return result;
    missing = result;
  }
}

function attempt(region: Region, builtin: Run, args: readonly unknown[]): unknown {
  const outer = current;
  current = region;
  region.at = 0;
  for (const replay of region.replays.values()) replay.at = 0;
  try {
    return builtin(...args);
  } catch (error) {
    if (error instanceof Suspended && error.region === region) return error;
    throw error;
  } finally {
    current = outer;
  }
}

/** Gives the program's answer to a built-in that may be run again: asked once, however often the built-in runs. */
export function ask(question: () => unknown): unknown {
  const region = current;
  if (region === undefined) return question();
  const known = region.answers[region.at];
  region.at += 1;
  if (known !== undefined) {
    if (known.failed) throw known.error;
    return known.value;
  }
  let value: unknown;
  try {
    value = outside(question);
  } catch (error) {
    region.answers.push({ error, failed: true });
    throw error;
  }
  if (value instanceof Promise) throw new Suspended(region, value);
  region.answers.push({ value, failed: false });
  return value;
}

/** An iterator as a built-in that may be run again goes through it: each attempt gets the items that those before it got. */
export function replayed(source: Iterator<unknown>): Iterable<unknown> {
  const { replays } = current!;
  let replay = replays.get(source);
  if (replay === undefined) replays.set(source, (replay = new Replay(source)));
  return replay;
}

class Replay implements IterableIterator<unknown> {
  readonly source: Iterator<unknown>;
  readonly steps: IteratorResult<unknown>[] = [];
  at = 0;

  constructor(source: Iterator<unknown>) {
    this.source = source;
  }

  next(): IteratorResult<unknown> {
    if (this.at === this.steps.length) this.steps.push(outside(() => this.source.next()));
    return this.steps[this.at++]!;
  }

  [Symbol.iterator](): this {
    return this;
  }
}

/** Runs a function that waits by itself: nothing it does is run again. */
export function outside<T>(act: () => T): T {
  const region = current;
  current = undefined;
  try {
    return act();
  } finally {
    current = region;
  }
}

let patience = false;

/** Calls a function that makes an iterator; its caller is ready for one that waits. */
export function patiently<T>(act: () => T): T {
  patience = true;
  try {
    return act();
  } finally {
    patience = false;
  }
}

/** Is the caller ready for an iterator that waits? Asked once, before anything of the program runs. */
export function takePatience(): boolean {
  const before = patience;
  patience = false;
  return before;
}

/** The complaint about something of the program that waits where the caller cannot. */
export function unawaited(promise: Promise<unknown>, method?: string): RuntimeError {
  promise.catch(() => {});
  return new RuntimeError(`${method ?? 'a function of the program'} waits, and what calls it here cannot wait`);
}

/** Puts the items back as they were when the act has to be run again. */
export function intact<T>(items: unknown[], act: () => T): T {
  if (current === undefined) return act();
  const before = items.slice();
  try {
    return act();
  } catch (error) {
    if (error instanceof Suspended) items.splice(0, items.length, ...before);
    throw error;
  }
}

/** Special methods of a class that wait are asked by the built-ins that call them. */
export function installWaiting(prototype: any): void {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (!name.startsWith('__') || !name.endsWith('__')) continue;
    const method = Object.getOwnPropertyDescriptor(prototype, name)!.value;
    if (typeof method !== 'function' || !waitsInside(method)) continue;
    Object.defineProperty(prototype, name, { value: asking(method), writable: true, configurable: true });
  }
}

// Without a prototype of its own, as methods are.
function asking(method: any): any {
  const { asked } = {
    asked(this: unknown, ...args: unknown[]): unknown {
      return current === undefined ? method.apply(this, args) : ask(() => method.apply(this, args));
    },
  };
  for (const key of Reflect.ownKeys(method)) {
    if (key === 'length' || key === 'prototype') continue;
    Object.defineProperty(asked, key, Object.getOwnPropertyDescriptor(method, key)!);
  }
  return Object.defineProperty(asked, $asked, { value: true });
}

/** Tells whether a function belongs to the program: it is called as it is instead of being run again. */
export function isOfProgram(f: any): boolean {
  return typeof f === 'function' && (Object.hasOwn(f, $declared) || f.prototype?.$cid !== undefined);
}
