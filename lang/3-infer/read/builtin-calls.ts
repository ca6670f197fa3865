/** Calls of built-in functions and of standard modules. */
import type * as ast from '../../1-parse/ast.ts';
import { any } from '../classes/type-values.ts';
import type { BuiltinSignature } from '../functions/builtin-signatures.ts';
import type { Reader } from '../program.ts';
import { noteCalledWith, noteFunction, noteModuleCall } from '../suspension/special-methods.ts';
import { dependOn } from '../suspension/suspension.ts';
import type { Type } from '../types.ts';
import { assignByName } from './assign.ts';
import { builtinResult, callbackHints, methodResult } from './builtin-results.ts';
import { dynamic, readArguments, setPlan } from './calls.ts';
import { lambdaType, noteSpread } from './displays.ts';
import { noteType, typeOf, waitAt } from './expressions.ts';
import { iterationPoint } from './iteration.ts';
import { isProblem, mapArguments } from './map-arguments.ts';
import { nameType } from './names.ts';
import { callPoint, constructionPoint } from './points.ts';

export function builtinCall(f: Reader, e: ast.Call, name: string): Type {
  const signature = f.program.builtins.functions.get(name)!;
  // `iter(f, sentinel)` calls what it is given.
  const calls = name === 'iter' && e.args.length === 2;
  const args = readCallbacks(f, e, calls ? { ...signature, callbacks: ['object'] } : signature, undefined);
  setPlan(f, e, fits(signature, e) ? { how: 'builtin', name } : dynamic);
  if (signature.waits === 'always' || (signature.waits === 'graph' && f.program.graph === 'async')) {
    waitAt(f, e, f.program.points.always);
  }
  noteFunction(f, e, name, args);
  if (name === 'setattr') assignByName(f, e);
  if (lazy.has(name)) noteLazy(f, e);
  return builtinResult(f, signature, args, e);
}

/** Do the arguments suit the signature? Otherwise the call goes the dynamic way, where the right TypeError is raised. */
export function fits(signature: BuiltinSignature, e: ast.Call): boolean {
  const mapped = mapArguments(signature.params, e.args, signature.name);
  return mapped === undefined || !isProblem(mapped);
}

/**
 * Arguments of a built-in. Functions given as callbacks are called here and now, so the call waits when they do; generators given as
 * iterables are run here.
 */
export function readCallbacks(
  f: Reader,
  e: ast.Call,
  signature: BuiltinSignature,
  receiver: Type | undefined,
): readonly Type[] {
  const mapped = signature.callbacks.length === 0 ? undefined : mapArguments(signature.params, e.args, signature.name);
  const isCallback = (i: number): boolean => {
    if (signature.callbacks.length === 0) return false;
    if (mapped === undefined || isProblem(mapped)) return e.args[i]!.value.kind === 'Lambda';
    return signature.params.some((param, at) => signature.callbacks.includes(param.name) && mapped[at] === i);
  };
  const types: Type[] = new Array(e.args.length).fill(any);
  // Iterables first: they tell what callbacks get.
  const { args } = e;
  for (let i = 0; i < args.length; i++) if (!isCallback(i)) types[i] = typeOf(f, args[i]!.value);
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (isCallback(i)) {
      types[i] = readCallback(f, e, arg.value, callbackHints(f, signature, receiver, types, i));
      const { [i]: callback } = types;
      if (callback?.t === 'builtin') noteCalledWith(f, e, callback.name, types);
    } else if (arg.sort === 'star') noteSpread(f, arg, arg.value, types[i]!);
    else noteConsumed(f, e, signature, arg.value, types[i]!);
  }
  return types;
}

const lazy = new Set(['enumerate', 'filter', 'iter', 'map', 'reversed', 'zip']);

/** Notes that whoever goes through an iterator waits where the call that makes it does. */
function noteLazy(f: Reader, e: ast.Call): void {
  const point = f.state.waits.get(e);
  if (point !== undefined) dependOn(f.program.points.anyIterator, point);
}

function readCallback(f: Reader, e: ast.Call, value: ast.Expression, hints: readonly Type[]): Type {
  if (value.kind === 'Lambda') {
    const type = lambdaType(f, value, hints, false);
    f.state.types.set(value, type);
    if (type.t === 'function') {
      const point = callPoint(f, type.fn);
      if (point !== undefined) waitAt(f, e, point);
    }
    return type;
  }
  const type = value.kind === 'NameRef' ? nameType(f, value, false) : typeOf(f, value);
  if (value.kind === 'NameRef') noteType(f, value, type);
  if (type.t === 'function' || type.t === 'method') {
    // A method that decorators have changed is known only by value.
    const point = type.fn.direct ? callPoint(f, type.fn) : f.program.points.functionValue;
    if (point !== undefined) waitAt(f, e, point);
  } else if (type.t === 'class') waitAt(f, e, constructionPoint(f, type.cls));
  else if (type.t !== 'builtin' && type.t !== 'none' && type.t !== 'std') {
    waitAt(f, e, f.program.points.functionValue);
  }
  return type;
}

const consumers = new Set(
  [
    'list tuple set frozenset dict bytes bytearray sum any all min max sorted enumerate zip map filter reversed next',
    'join extend update fromkeys union intersection difference symmetric_difference issubset issuperset isdisjoint',
    'intersection_update difference_update symmetric_difference_update',
  ].flatMap((names) => names.split(' ')),
);

/** A built-in that runs an iterator of the program waits where the iterator does. */
function noteConsumed(f: Reader, e: ast.Call, signature: BuiltinSignature, value: ast.Expression, type: Type): void {
  if (consumers.has(signature.name)) noteItems(f, e, value, type);
}

const consumingModules = new Set(['collections', 'csv', 'heapq', 'random', 'statistics']);
const consumingFunctions = new Set(
  ['functools.reduce', 'math.fsum', 'math.prod', 'math.dist', 'operator.countOf', 'operator.indexOf'].concat(
    ['product', 'permutations', 'combinations', 'combinations_with_replacement'].map((name) => `itertools.${name}`),
  ),
);

/** Does the function go through its arguments at once? */
function consumes(module: string, name: string): boolean {
  return consumingModules.has(module) || consumingFunctions.has(`${module}.${name}`);
}

function noteItems(f: Reader, e: ast.Call, value: ast.Expression, type: Type): void {
  if (type.t !== 'iterator' && type.t !== 'any' && type.t !== 'instance' && type.t !== 'union') return;
  const point = iterationPoint(f, value, type);
  if (point !== undefined) waitAt(f, e, point);
}

export function standardCall(f: Reader, e: ast.Call, module: string, name: string): Type {
  const signature = f.program.builtins.standard.get(`${module}.${name}`);
  const args =
    signature === undefined || signature.callbacks.length === 0
      ? readArguments(f, e)
      : readCallbacks(f, e, signature, undefined);
  setPlan(f, e, { how: 'std', module, name });
  noteModuleCall(f, e, module, args);
  if (module === 'itertools' || name === 'merge') noteLazy(f, e);
  if (consumes(module, name)) for (const [i, type] of args.entries()) noteItems(f, e, e.args[i]!.value, type);
  if (signature === undefined) return any;
  if (signature.waits === 'always') waitAt(f, e, f.program.points.always);
  return methodResult(f, signature, args[0] ?? any, args, e);
}
