/** `$.func` and `$.closure`: what emitted code says about a function or method. */
import { $declared, $spec } from '../values/objects/protocol.ts';
import { rememberFunction } from './registry.ts';
import type { FunctionSpec } from './spec.ts';

/** Attaches the description of a declaration; returns the function. */
export function func<F extends (...args: any[]) => any>(fn: F, spec: FunctionSpec): F {
  if (spec.name === spec.qualname) rememberFunction(spec);
  return closure(fn, spec);
}

/** The same for a function inside another, each time it is made. */
export function closure<F extends (...args: any[]) => any>(fn: F, spec: FunctionSpec): F {
  (fn as any)[$spec] = spec;
  (fn as any)[$declared] = true;
  return fn;
}

/** The description of a function, when there is one. */
export function specOf(fn: unknown): FunctionSpec | undefined {
  const spec = typeof fn === 'function' ? (fn as any)[$spec] : undefined;
  return typeof spec === 'function' ? spec() : spec;
}

/** Was the function declared by a program, not by the runtime? */
export function isProgramFunction(fn: unknown): boolean {
  return typeof fn === 'function' && Object.hasOwn(fn, $declared);
}
