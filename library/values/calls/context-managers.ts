/** `with`: what entering and leaving call. */

import { lookup } from '../objects/attributes.ts';
import { TypeError } from '../objects/exceptions.ts';
import { truth } from '../objects/truth.ts';
import { className, typeName } from '../objects/type-name.ts';
import { awaitable } from './awaitable.ts';
import { call } from './calls.ts';
import { during } from './raise.ts';

/** `x.__enter__()`. @throws TypeError for values that are no context managers */
export function enter(x: any): any {
  return call(special(x, '__enter__', 'context manager'));
}

/** `x.__aenter__()`; a plain context manager serves as well. */
export function aenter(x: any): any {
  return awaitable(call(lookup(x, '__aenter__') ?? special(x, '__enter__', 'asynchronous context manager')));
}

/** `x.__exit__(…)` after the body; `error` is what it raised. The result tells whether the error is suppressed. */
export function exit(x: any, error?: any): boolean | Promise<boolean> {
  return leave(special(x, '__exit__', 'context manager'), error, (result) => result);
}

export function aexit(x: any, error?: any): boolean | Promise<boolean> {
  return leave(lookup(x, '__aexit__') ?? special(x, '__exit__', 'asynchronous context manager'), error, awaitable);
}

function leave(method: unknown, error: unknown, finish: (result: unknown) => unknown): boolean | Promise<boolean> {
  try {
    const result = finish(call(method, ...details(error)));
    if (!(result instanceof Promise)) return truth(result);
    return result.then(truth, (e: unknown) => {
      throw during(e, error);
    });
  } catch (e) {
    throw during(e, error);
  }
}

function details(error: any): [unknown, unknown, unknown] {
  return error === undefined || error === null
    ? [null, null, null]
    : [error.constructor, error, error.__traceback__ ?? null];
}

function special(x: any, name: string, what: string): any {
  const found = lookup(x, name);
  if (found !== undefined) return found;
  const label = typeof x === 'function' ? className(x) : typeName(x);
  const half = name === '__exit__' || name === '__aexit__' ? ` (missed ${name} method)` : '';
  throw new TypeError(`'${label}' object does not support the ${what} protocol${half}`);
}
