/** Calls of built-in functions and of standard modules. */
import type * as ast from '../1-parse/ast.ts';
import { builtinResult, callbackHints, methodResult } from './builtin-results.ts';
import type { BuiltinSignature } from './builtin-signatures.ts';
import { iterationPoint } from './iteration.ts';
import { isProblem, mapArguments } from './map-arguments.ts';
import { callPoint, classMethodPoint } from './points.ts';
import type { Reader } from './program.ts';
import { dynamic, readArguments, setPlan } from './read-calls.ts';
import { lambdaType } from './read-displays.ts';
import { noteType, typeOf, waitAt } from './read-expressions.ts';
import { nameType } from './read-names.ts';
import { any } from './type-values.ts';
import type { Type } from './types.ts';

export function builtinCall(f: Reader, e: ast.Call, name: string): Type {
  const signature = f.program.builtins.functions.get(name)!;
  // `iter(f, sentinel)` calls what it is given.
  const calls = name === 'iter' && e.args.length === 2;
  const args = readCallbacks(f, e, calls ? { ...signature, callbacks: ['object'] } : signature, undefined);
  setPlan(f, e, fits(signature, e) ? { how: 'builtin', name } : dynamic);
  if (signature.waits === 'always' || (signature.waits === 'graph' && f.program.graph === 'async')) {
    waitAt(f, e, f.program.points.always);
  }
  noteSpecialMethods(f, e, name, args);
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
    if (isCallback(i)) types[i] = readCallback(f, e, arg.value, callbackHints(f, signature, receiver, types, i));
    else noteConsumed(f, e, signature, arg.value, types[i]!);
  }
  return types;
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
    const point = callPoint(f, type.fn);
    if (point !== undefined) waitAt(f, e, point);
  } else if (type.t !== 'builtin' && type.t !== 'none' && type.t !== 'class' && type.t !== 'std') {
    waitAt(f, e, f.program.points.functionValue);
  }
  return type;
}

const consumers = new Set(
  'list tuple set frozenset dict sum any all min max sorted join extend enumerate zip map filter reversed next update'.split(
    ' ',
  ),
);

/** A built-in that runs an iterator of the program waits where the iterator does. */
function noteConsumed(f: Reader, e: ast.Call, signature: BuiltinSignature, value: ast.Expression, type: Type): void {
  if (!consumers.has(signature.name)) return;
  if (type.t !== 'iterator' && type.t !== 'any' && type.t !== 'instance' && type.t !== 'union') return;
  const point = iterationPoint(f, value, type);
  if (point !== undefined) waitAt(f, e, point);
}

const specialMethods: Readonly<Record<string, readonly string[]>> = {
  len: ['__len__'],
  str: ['__str__', '__repr__'],
  repr: ['__repr__'],
  next: ['__next__'],
  iter: ['__iter__'],
  abs: ['__abs__'],
  int: ['__int__'],
  float: ['__float__'],
  bool: ['__bool__', '__len__'],
  round: ['__round__'],
};

function noteSpecialMethods(f: Reader, e: ast.Call, name: string, args: readonly Type[]): void {
  const names = specialMethods[name];
  const first = args[0];
  if (names === undefined || first === undefined || f.program.points.methods.size === 0) return;
  for (const method of names) {
    const point = classMethodPoint(f, first, method);
    if (point !== undefined) waitAt(f, e, point);
  }
}

export function standardCall(f: Reader, e: ast.Call, module: string, name: string): Type {
  const signature = f.program.builtins.standard.get(`${module}.${name}`);
  const args =
    signature === undefined || signature.callbacks.length === 0
      ? readArguments(f, e)
      : readCallbacks(f, e, signature, undefined);
  setPlan(f, e, { how: 'std', module, name });
  if (signature === undefined) {
    return any;
  }
  if (signature.waits === 'always') waitAt(f, e, f.program.points.always);
  return signature.result.rule === 'type' && signature.result.type.t === 'any'
    ? any
    : methodResult(f, signature, any, args, e);
}
