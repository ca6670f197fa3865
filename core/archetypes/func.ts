/** `$.func`: what emitted code says about a function or method. */
import { $about, $spec } from '../values/protocol.ts';
import { rememberFunction } from './registry.ts';
import type { FunctionSpec } from './spec.ts';

const ofProgram = new WeakSet<object>();

/** Attaches the description; returns the function. */
export function func<F extends (...args: any[]) => any>(fn: F, spec: FunctionSpec): F {
  (fn as any)[$spec] = spec;
  (fn as any)[$about] = { module: spec.module, qualname: spec.qualname, doc: spec.doc };
  ofProgram.add(fn);
  if (spec.name === spec.qualname) rememberFunction(spec);
  return fn;
}

/** The description of a function, when there is one. */
export function specOf(fn: unknown): FunctionSpec | undefined {
  const spec = typeof fn === 'function' ? (fn as any)[$spec] : undefined;
  return typeof spec === 'function' ? spec() : spec;
}

/** Was the function declared by a program, not by the runtime? */
export function isProgramFunction(fn: unknown): boolean {
  return typeof fn === 'function' && ofProgram.has(fn);
}
