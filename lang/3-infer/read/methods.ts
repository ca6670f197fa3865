/** Calls of methods: of built-in values, of instances, through a class. */
import type * as ast from '../../1-parse/ast.ts';
import { any, doubted, hasNone, withoutNone } from '../classes/type-values.ts';
import type { ReceiverKind } from '../functions/builtin-signatures.ts';
import { resultThrough } from '../functions/functions.ts';
import type { Reader } from '../program.ts';
import { noteMethod } from '../suspension/special-methods.ts';
import type { CallPlan, ClassInfo, FunctionInfo, Type } from '../types.ts';
import { noteAppended } from './assign.ts';
import { fits, readCallbacks } from './builtin-calls.ts';
import { methodResult } from './builtin-results.ts';
import { dynamic, functionCall, mapFor, noteByName, readArguments, setPlan } from './calls.ts';
import { waitAt } from './expressions.ts';
import { iterationPoint } from './iteration.ts';
import { callPoint } from './points.ts';

export function methodCall(
  f: Reader,
  e: ast.Call,
  callee: ast.Attribute,
  object: Type,
  member: Type,
): Type | undefined {
  const main = hasNone(object) && object.t === 'union' ? withoutNone(object) : object;
  const kind = receiverKind(main);
  if (kind !== undefined) return valueMethod(f, e, callee, main, kind);
  if (main.t === 'iterator') {
    readArguments(f, e);
    setPlan(f, e, dynamic);
    const point = iterationPoint(f, callee.object, main);
    if (point !== undefined) waitAt(f, e, point);
    // The results of `send` and `throw` are the next item.
    return givesItem.has(callee.name.text) ? doubted(main.of) : any;
  }
  if (main.t === 'instance' && member.t === 'method') return instanceCall(f, e, main.cls, member);
  return undefined;
}

const givesItem = new Set(['send', 'throw', '__next__']);

type MethodReceiver = Extract<CallPlan, { how: 'method' }>['receiver'];

function receiverKind(type: Type): ReceiverKind | undefined {
  switch (type.t) {
    case 'str':
    case 'list':
    case 'dict':
    case 'set':
    case 'tuple':
    case 'bytes':
    case 'int':
    case 'float':
      return type.t;
    case 'frozenset':
      return 'set';
    default:
      return undefined;
  }
}

function valueMethod(f: Reader, e: ast.Call, callee: ast.Attribute, object: Type, kind: ReceiverKind): Type {
  const name = callee.name.text;
  const signature = f.program.builtins.methods[kind].get(name);
  if (signature === undefined) {
    noteMethod(f, e, name, object, readArguments(f, e));
    setPlan(f, e, dynamic);
    // A hint that does not hold: the object may be anything.
    if (object.sure !== true) noteByName(f, e, name);
    return any;
  }
  const args = readCallbacks(f, e, signature, object);
  noteMethod(f, e, name, object, args);
  noteAppended(f, e, callee, args);
  const planned = kind !== 'int' && kind !== 'float' && fits(signature, e);
  setPlan(f, e, planned ? { how: 'method', receiver: kind as MethodReceiver, name } : dynamic);
  const result = methodResult(f, signature, object, args, e);
  // A hint that does not hold: a method of that name may give anything.
  return object.sure === true ? result : doubted(result);
}

function instanceCall(f: Reader, e: ast.Call, cls: ClassInfo, member: Extract<Type, { t: 'method' }>): Type {
  const { fn } = member;
  readArguments(f, e);
  const mapped = mapFor(f, e, fn.params, `${cls.name}.${fn.name}`);
  const isAsked = cls.methods.has('__getattribute__');
  const isPlain = fn.direct && mapped !== undefined && !isAsked && !isOverriddenOtherwise(f, fn, e);
  setPlan(f, e, isPlain ? { how: 'direct', fn, slots: mapped } : dynamic);
  if (!fn.async && !fn.generator) {
    // A subclass may override it: every method of that name counts.
    const point = f.program.points.methods.get(fn.name);
    if (point !== undefined) waitAt(f, e, point);
  }
  return resultThrough(fn, cls);
}

/**
 * Tells whether a subclass has a method of that name whose parameters are named or ordered otherwise, so that positions
 * would be wrong.
 */
function isOverriddenOtherwise(f: Reader, fn: FunctionInfo, e: ast.Call): boolean {
  if (fn.owner === undefined) return false;
  const count = e.args.length;
  return f.program.methods.below(fn.owner, fn.name).some((other) => {
    if (!other.direct || other.async !== fn.async || other.params.length < Math.max(count, fn.params.length))
      return true;
    return fn.params.some((param, i) => other.params[i]!.name !== param.name || other.params[i]!.kind !== param.kind);
  });
}

/** A method named through its class: static and class methods take all arguments, others the instance first. */
export function boundCall(f: Reader, e: ast.Call, type: Extract<Type, { t: 'method' }>): Type {
  const { fn } = type;
  // A method that decorators of the program have changed is known by its name.
  const decorated = fn.direct ? undefined : f.program.points.methods.get(fn.name);
  if (decorated !== undefined) waitAt(f, e, decorated);
  if (fn.receiver === 'self') {
    readArguments(f, e);
    setPlan(f, e, dynamic);
    const point = callPoint(f, fn);
    if (point !== undefined) waitAt(f, e, point);
    return fn.result;
  }
  functionCall(f, e, fn);
  return resultThrough(fn, type.owner);
}
