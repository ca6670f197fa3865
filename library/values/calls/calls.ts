/**
 * Calling any value (docs/language/expressions.md#calls): functions by their signature, classes, objects with
 * `__call__`, JavaScript functions.
 */
import { bindArguments, pairsOf as readPairs } from '../../classes/bind.ts';
import type { ParamSpec } from '../../classes/spec.ts';
import type { Dict } from '../containers/dict.ts';
import type { Kwargs as Pairs } from '../kwargs.ts';
import { TypeError } from '../objects/exceptions.ts';
import { $bound, $construct, $spec } from '../objects/protocol.ts';
import { isClass, typeName } from '../objects/type-name.ts';
import { border } from './border.ts';
import { ask, inRegion, isOfProgram } from './regions.ts';
import { type Signature, signatureOf } from './signature.ts';

/** Keyword arguments: pairs, a plain object, or a Dict. */
export type Kwargs = Pairs | Dict;

function pairsOf(kwargs: Kwargs): readonly (readonly [string, unknown])[] {
  return readPairs(kwargs as Pairs);
}

/** `f(a, b)` */
export function call(f: any, ...args: unknown[]): any {
  if (inRegion() && entersProgram(f)) return ask(() => call(f, ...args));
  if (typeof f !== 'function') return callObject(f, args, undefined);
  if (f[$spec] === undefined) return callBare(f, args, undefined);
  const signature = signatureOf(f)!;
  if (signature.simple && args.length >= signature.least && args.length <= signature.most) return f(...args);
  return f(...bindSlots(f, signature, args, undefined));
}

/** `f(a, k=1)`: keywords as pairs, a Dict, or a plain object. */
export function callkw(f: any, args: readonly unknown[], kwargs?: Kwargs): any {
  if (inRegion() && entersProgram(f)) return ask(() => callkw(f, args, kwargs));
  if (typeof f !== 'function') return callObject(f, args, kwargs);
  if (f[$spec] === undefined) return callBare(f, args, kwargs);
  const signature = signatureOf(f)!;
  return f(...bindSlots(f, signature, args, kwargs));
}

function entersProgram(f: any): boolean {
  return isOfProgram(typeof f === 'object' ? f?.__call__ : (f?.[$bound]?.fn ?? f));
}

/** The slots for calling a function that has a signature. @throws TypeError with CPython's text */
function bindSlots(f: any, signature: Signature, args: readonly unknown[], kwargs: Kwargs): unknown[] {
  return fillSlots(signature, args, kwargs, f[$bound] === undefined ? 0 : 1);
}

function fillSlots(signature: Signature, args: readonly unknown[], kwargs: Kwargs, bound: number): unknown[] {
  const fits = args.length >= signature.least && args.length <= signature.most;
  if (kwargs === undefined && fits) {
    if (signature.simple) return args as unknown[];
    if (signature.restAt >= 0 && args.length >= signature.restAt)
      return [...args.slice(0, signature.restAt), args.slice(signature.restAt)];
  }
  if (signature.native) checkNative(signature, args.length, kwargs);
  return bindArguments(signature.name, signature.params, args, kwargs as Pairs, bound);
}

function checkNative(signature: Signature, given: number, kwargs: Kwargs): void {
  const pairs = pairsOf(kwargs);
  const positionalOnly = signature.params.every((param) => param.kind === 'pos' || param.kind === 'args');
  if (pairs.length > 0 && positionalOnly) throw new TypeError(`${signature.name}() takes no keyword arguments`);
  if (pairs.length > 0) {
    const unknown = pairs.find(
      ([name]) => !signature.params.some((param) => param.name === name || param.kind === 'kwargs'),
    );
    if (unknown !== undefined) {
      throw new TypeError(`'${unknown[0]}' is an invalid keyword argument for ${shortName(signature.name)}()`);
    }
    return;
  }
  const { least, most, name } = signature;
  if (most === 0 && given > 0 && signature.params.length > 0)
    throw new TypeError(`${shortName(name)}() takes no positional arguments`);
  if (given >= least && given <= most) return;
  if (signature.simple && least === most && least <= 1) {
    throw new TypeError(`${name}() takes ${least === 0 ? 'no arguments' : 'exactly one argument'} (${given} given)`);
  }
  const taken = signature.params.filter(({ kind }) => kind === 'pos' || kind === 'any');
  if (taken.some(({ kind }) => kind === 'any')) refuseCount(signature, taken, given);
  const bound = given < least ? least : most;
  const limit = least === most ? '' : given < least ? 'at least ' : 'at most ';
  throw new TypeError(`${shortName(name)} expected ${limit}${counted(bound, 'argument')}, got ${given}`);
}

// Refuses a call whose number of arguments does not fit where they may be given by name.
function refuseCount({ name, least, most }: Signature, taken: readonly ParamSpec[], given: number): never {
  const short = shortName(name);
  const next = taken[given];
  if (given > most) throw new TypeError(`${short}() takes at most ${counted(most, 'argument')} (${given} given)`);
  if (next!.kind === 'any')
    throw new TypeError(`${short}() missing required argument '${next!.name}' (pos ${given + 1})`);
  throw new TypeError(`${short}() takes at least ${counted(least, 'positional argument')} (${given} given)`);
}

function counted(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

function shortName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function callObject(f: any, args: readonly unknown[], kwargs: Kwargs): any {
  const own = f === null || f === undefined ? undefined : f.__call__;
  if (typeof own !== 'function') throw new TypeError(`'${typeName(f)}' object is not callable`);
  const signature = signatureOf(own);
  if (signature !== undefined) return own.apply(f, bindMethodSlots(signature, args, kwargs));
  return own.call(f, ...args, ...trailing(kwargs));
}

/** Slots for a method called on its receiver, which counts as an argument in messages. */
export function bindMethodSlots(signature: Signature, args: readonly unknown[], kwargs: Kwargs): unknown[] {
  return fillSlots(signature, args, kwargs, 1);
}

function callBare(f: any, args: readonly unknown[], kwargs: Kwargs): any {
  const construct = f[$construct];
  if (construct !== undefined) return construct.call(f, args, kwargs === undefined ? undefined : pairsOf(kwargs));
  if (border !== undefined) return border.call(f, args, pairsOf(kwargs));
  if (f.prototype !== undefined && isClass(f)) return new (f as any)(...args, ...trailing(kwargs));
  return f(...args, ...trailing(kwargs));
}

// JavaScript functions get keywords as one trailing plain object.
function trailing(kwargs: Kwargs): unknown[] {
  const pairs = pairsOf(kwargs);
  return pairs.length === 0 ? [] : [Object.fromEntries(pairs)];
}

/** Can `x(…)` work? */
export function callable(x: any): boolean {
  return typeof x === 'function' || (typeof x === 'object' && x !== null && typeof x.__call__ === 'function');
}

/** On a function that takes arguments as they are written: the same for arguments bound to slots. */
export const $slotMethod: unique symbol = Symbol('svc.slotMethod');
export interface SlotMethod {
  readonly spec: unknown;
  readonly run: (self: unknown, slots: readonly unknown[]) => unknown;
}

/** A method tied to its receiver. Two of them are equal when receiver and function are. */
export function bindMethod(self: unknown, fn: any): any {
  const bySlots: SlotMethod | undefined = fn[$slotMethod];
  if (bySlots !== undefined) {
    const bound: any = (...slots: unknown[]) => bySlots.run(self, slots);
    return Object.assign(bound, { [$bound]: { self, fn }, [$spec]: bySlots.spec });
  }
  const bound: any = (...args: unknown[]) => fn.apply(self, args);
  bound[$bound] = { self, fn };
  if (fn[$spec] !== undefined) bound[$spec] = fn[$spec];
  return bound;
}

/** A method of a method table tied to its receiver. */
export function bindNative(self: unknown, fn: any): any {
  const bound: any = (...args: unknown[]) => fn(self, ...args);
  bound[$bound] = { self, fn };
  bound[$spec] = fn[$spec];
  return bound;
}
