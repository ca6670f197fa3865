/** Calls: how each one is compiled (`CallPlan`), what it gives, what it may wait for. */
import type * as ast from '../1-parse/ast.ts';
import { noteAppended } from './assign.ts';
import type { BuiltinSignature, ReceiverKind } from './builtin-signatures.ts';
import { builtinResult, callbackHints, methodResult } from './builtin-results.ts';
import { iterationPoint } from './iteration.ts';
import { isProblem, mapArguments } from './map-arguments.ts';
import { callPoint, classMethodPoint, constructionPoint } from './points.ts';
import { knownType } from './plain-type.ts';
import type { ClassRecord, Reader } from './program.ts';
import { attributeType, lambdaType, nameType, noteType, typeOf, waitAt } from './read-expressions.ts';
import type { CallPlan, ClassInfo, FunctionInfo, ParamInfo, Slot, Type } from './types.ts';
import { any, hasNone, instanceOf, unionOf, withoutNone } from './type-values.ts';

const dynamic: CallPlan = { how: 'dynamic' };

export function readCall(f: Reader, e: ast.Call): Type {
  const { callee } = e;
  const type = calleeType(f, callee);
  if (callee.kind === 'Attribute') {
    const object = knownType(f, callee.object);
    const result = methodCall(f, e, callee, object, type);
    if (result !== undefined) return callee.safe && hasNone(object) ? unionOf([result, { t: 'none', sure: true }]) : result;
  }
  switch (type.t) {
    case 'builtin':
      return builtinCall(f, e, type.name);
    case 'function':
      return functionCall(f, e, type.fn);
    case 'class':
      return construction(f, e, type.cls);
    case 'std':
      return standardCall(f, e, type.module, type.name);
    case 'method':
      return boundCall(f, e, type);
    default:
      return dynamicCall(f, e, callee, type);
  }
}

/** The callee's type. Being called is no escape for a function. */
function calleeType(f: Reader, callee: ast.Expression): Type {
  let type: Type;
  if (callee.kind === 'NameRef') type = nameType(f, callee, false);
  else if (callee.kind === 'Attribute') type = attributeType(f, callee, false);
  else if (callee.kind === 'Lambda') type = lambdaType(f, callee, undefined, false);
  else return typeOf(f, callee);
  noteType(f, callee, type);
  return type;
}

function setPlan(f: Reader, e: ast.Call, plan: CallPlan): void {
  f.state.plans.set(e, plan);
}

function readArguments(f: Reader, e: ast.Call): readonly Type[] {
  const types: Type[] = [];
  for (const arg of e.args) types.push(typeOf(f, arg.value));
  return types;
}

// ---------------------------------------------------------------- functions and classes of the program

function functionCall(f: Reader, e: ast.Call, fn: FunctionInfo): Type {
  readWithHints(f, e, fn.params);
  planDirect(f, e, fn);
  const point = callPoint(f, fn);
  if (point !== undefined) waitAt(f, e, point);
  return fn.result;
}

/** Arguments, with lambdas told what the parameters they fill say. */
function readWithHints(f: Reader, e: ast.Call, _params: readonly ParamInfo[]): readonly Type[] {
  return readArguments(f, e);
}

function planDirect(f: Reader, e: ast.Call, fn: FunctionInfo): void {
  const mapped = mapFor(f, e, fn.params, fn.name);
  setPlan(f, e, mapped === undefined || !fn.direct ? dynamic : { how: 'direct', fn, slots: mapped });
}

function mapFor(f: Reader, e: ast.Call, params: readonly ParamInfo[], name: string): readonly Slot[] | undefined {
  const mapped = mapArguments(params, e.args, name);
  if (isProblem(mapped)) {
    f.state.problems.set(e, mapped);
    return undefined;
  }
  return mapped;
}

function construction(f: Reader, e: ast.Call, cls: ClassInfo): Type {
  readArguments(f, e);
  const result = instanceOf(cls, true);
  waitAt(f, e, constructionPoint(f, cls));
  if (cls.kind === 'runtime') {
    setPlan(f, e, dynamic);
    return cls.name === 'object' || cls.name === 'StorageFactory' ? any : result;
  }
  if (cls.kind === 'enum') {
    setPlan(f, e, dynamic);
    return result;
  }
  const init = cls.methods.get('init');
  if (init !== undefined) {
    const slots = init.direct ? mapFor(f, e, init.params, cls.name) : undefined;
    setPlan(f, e, slots === undefined ? dynamic : { how: 'construct', cls, init, slots });
    return result;
  }
  if (cls.open || cls.kind === 'class' || isDecorated(cls)) {
    setPlan(f, e, dynamic);
    return result;
  }
  const params = cls.constructorFields.map(
    (field): ParamInfo => ({ name: field.name, kind: 'any', type: field.type, optional: field.hasDefault }),
  );
  const slots = mapFor(f, e, params, cls.name);
  setPlan(f, e, slots === undefined ? dynamic : { how: 'construct', cls, init: undefined, slots });
  return result;
}

function isDecorated(cls: ClassInfo): boolean {
  return cls.decl !== undefined && cls.decl.decorators.length > 0;
}

// ---------------------------------------------------------------- methods

function methodCall(
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
    return main.sure === true && callee.name.text === 'send' ? any : any;
  }
  if (main.t === 'instance' && member.t === 'method') return instanceCall(f, e, main.cls, member);
  return undefined;
}

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
    readArguments(f, e);
    setPlan(f, e, dynamic);
    // A hint that does not hold: the object may be anything.
    if (object.sure !== true) noteByName(f, e, name);
    return any;
  }
  const args = readCallbacks(f, e, signature, object);
  noteAppended(f, callee.object, isGrowing(name) ? name : '', isGrowing(name) ? args : []);
  const planned = kind !== 'int' && kind !== 'float' && fits(signature, e);
  setPlan(f, e, planned ? { how: 'method', receiver: kind as MethodReceiver, name } : dynamic);
  return methodResult(f, signature, object, args, e);
}

function isGrowing(name: string): boolean {
  return name === 'append' || name === 'add' || name === 'insert' || name === 'extend' || name === 'update';
}

function instanceCall(f: Reader, e: ast.Call, cls: ClassInfo, member: Extract<Type, { t: 'method' }>): Type {
  const { fn } = member;
  readWithHints(f, e, fn.params);
  const mapped = mapFor(f, e, fn.params, `${cls.name}.${fn.name}`);
  const isPlain = fn.direct && mapped !== undefined && !isOverriddenOtherwise(f, fn, e);
  setPlan(f, e, isPlain ? { how: 'direct', fn, slots: mapped } : dynamic);
  if (!fn.async && !fn.generator) {
    // A subclass may override it: every method of that name counts.
    const point = f.program.points.methods.get(fn.name);
    if (point !== undefined) waitAt(f, e, point);
  }
  return fn.result;
}

/** Has a subclass a method of that name whose parameters are named or ordered otherwise, so that positions would be wrong? */
function isOverriddenOtherwise(f: Reader, fn: FunctionInfo, e: ast.Call): boolean {
  const same = f.program.methodsByName.get(fn.name);
  if (same === undefined || same.length < 2 || fn.owner === undefined) return false;
  const count = e.args.length;
  return same.some((other) => {
    if (other === fn || other.owner === undefined || !other.owner.bases.includes(fn.owner!)) return false;
    if (!other.direct || other.async !== fn.async || other.params.length < Math.max(count, fn.params.length)) return true;
    return fn.params.some((param, i) => other.params[i]!.name !== param.name || other.params[i]!.kind !== param.kind);
  });
}

/** A method named through its class: static and class methods take all arguments, others the instance first. */
function boundCall(f: Reader, e: ast.Call, type: Extract<Type, { t: 'method' }>): Type {
  const { fn } = type;
  if (fn.receiver === 'self') {
    readArguments(f, e);
    setPlan(f, e, dynamic);
    const point = callPoint(f, fn);
    if (point !== undefined) waitAt(f, e, point);
    return fn.result;
  }
  return functionCall(f, e, fn);
}

// ---------------------------------------------------------------- built-ins and standard modules

function builtinCall(f: Reader, e: ast.Call, name: string): Type {
  const signature = f.program.builtins.functions.get(name)!;
  const args = readCallbacks(f, e, signature, undefined);
  setPlan(f, e, fits(signature, e) ? { how: 'builtin', name } : dynamic);
  if (signature.waits === 'always' || (signature.waits === 'graph' && f.program.graph === 'async')) {
    waitAt(f, e, f.program.points.always);
  }
  noteSpecialMethods(f, e, name, args);
  return builtinResult(f, signature, args, e);
}

/** Do the arguments suit the signature? Otherwise the call goes the dynamic way, where the right TypeError is raised. */
function fits(signature: BuiltinSignature, e: ast.Call): boolean {
  const mapped = mapArguments(signature.params, e.args, signature.name);
  return mapped === undefined || !isProblem(mapped);
}

/**
 * Arguments of a built-in. Functions given as callbacks are called here and now, so the call waits when they do; generators given as
 * iterables are run here.
 */
function readCallbacks(f: Reader, e: ast.Call, signature: BuiltinSignature, receiver: Type | undefined): readonly Type[] {
  const mapped = signature.callbacks.length === 0 ? undefined : mapArguments(signature.params, e.args, signature.name);
  const isCallback = (i: number): boolean => {
    if (signature.callbacks.length === 0) return false;
    if (mapped === undefined || isProblem(mapped)) return e.args[i]!.value.kind === 'Lambda';
    return signature.params.some((param, at) => signature.callbacks.includes(param.name) && mapped[at] === i);
  };
  const types: Type[] = new Array(e.args.length).fill(any);
  // Iterables first: they tell what callbacks get.
  for (const [i, arg] of e.args.entries()) if (!isCallback(i)) types[i] = typeOf(f, arg.value);
  for (const [i, arg] of e.args.entries()) {
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
  'list tuple set frozenset dict sum any all min max sorted join extend enumerate zip map filter reversed next update'.split(' '),
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

function standardCall(f: Reader, e: ast.Call, module: string, name: string): Type {
  const args = readArguments(f, e);
  setPlan(f, e, { how: 'std', module, name });
  const signature = f.program.builtins.standard.get(`${module}.${name}`);
  if (signature === undefined) {
    return any;
  }
  if (signature.waits === 'always') waitAt(f, e, f.program.points.always);
  return signature.result.rule === 'type' && signature.result.type.t === 'any'
    ? any
    : methodResult(f, signature, any, args, e);
}

// ---------------------------------------------------------------- unknown callees

function dynamicCall(f: Reader, e: ast.Call, callee: ast.Expression, type: Type): Type {
  readArguments(f, e);
  setPlan(f, e, dynamic);
  if (callee.kind === 'Attribute') {
    const object = knownType(f, callee.object);
    if (callee.object.kind === 'SpecialRef' && callee.object.word === 'super') return superCall(f, e, callee.name.text);
    if (object.t !== 'module') noteByName(f, e, callee.name.text);
    else if (!object.std) waitAt(f, e, f.program.points.functionValue);
    return any;
  }
  if (callee.kind === 'SpecialRef') return callee.word === 'root' ? knownType(f, callee) : any;
  if (type.t === 'instance') {
    const method = type.cls.methods.get('__call__');
    const point = classMethodPoint(f, type, '__call__');
    if (point !== undefined) waitAt(f, e, point);
    return method?.result ?? any;
  }
  waitAt(f, e, f.program.points.functionValue);
  const call = f.program.points.methods.get('__call__');
  if (call !== undefined) waitAt(f, e, call);
  return any;
}

/** A call of a member of an unknown value: every method of that name, and whatever functions fields of that name hold. */
function noteByName(f: Reader, e: ast.Call, name: string): void {
  const { points } = f.program;
  const method = points.methods.get(name);
  if (method !== undefined) waitAt(f, e, method);
  if (points.memberNames.has(name)) waitAt(f, e, points.functionValue);
  if (points.standardMethods.has(name)) waitAt(f, e, points.always);
}

function superCall(f: Reader, e: ast.Call, name: string): Type {
  const owner = f.record.owner as ClassRecord | undefined;
  const spelled = name === '__init__' ? 'init' : name === '__post_init__' ? 'postinit' : name;
  for (const base of owner?.bases ?? []) {
    const method = base.methods.get(spelled);
    if (method === undefined) continue;
    const point = callPoint(f, method);
    if (point !== undefined) waitAt(f, e, point);
    return method.result;
  }
  noteByName(f, e, spelled);
  return any;
}

// ---------------------------------------------------------------- pipes

/** `v |> f` is `f(v)` (4.12). */
export function readPipe(f: Reader, e: ast.Pipe): Type {
  const [value, callee] = e.op === '|>' || e.op === ':>' ? [e.left, e.right] : [e.right, e.left];
  if (value !== undefined) typeOf(f, value);
  if (callee === undefined) return any;
  const type = calleeType(f, callee);
  switch (type.t) {
    case 'function': {
      const point = callPoint(f, type.fn);
      if (point !== undefined) waitAt(f, e, point);
      return type.fn.result;
    }
    case 'class':
      waitAt(f, e, constructionPoint(f, type.cls));
      return instanceOf(type.cls, true);
    case 'builtin': {
      const signature = f.program.builtins.functions.get(type.name)!;
      if (signature.waits === 'always' || (signature.waits === 'graph' && f.program.graph === 'async')) {
        waitAt(f, e, f.program.points.always);
      }
      const { result } = signature;
      return result.rule === 'type' ? result.type : any;
    }
    case 'std': {
      const signature = f.program.builtins.standard.get(`${type.module}.${type.name}`);
      if (signature?.waits === 'always') waitAt(f, e, f.program.points.always);
      return any;
    }
    case 'method': {
      const point = f.program.points.methods.get(type.fn.name);
      if (point !== undefined) waitAt(f, e, point);
      return type.fn.result;
    }
    default:
      waitAt(f, e, f.program.points.functionValue);
      if (callee.kind === 'Attribute') {
        const method = f.program.points.methods.get(callee.name.text);
        if (method !== undefined) waitAt(f, e, method);
      }
      return any;
  }
}

