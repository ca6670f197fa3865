/** Calls: how each one is compiled (`CallPlan`), what it gives, what it may wait for. */
import type * as ast from '../../1-parse/ast.ts';
import { deferred, deferring } from '../../2-resolve/deferred-calls.ts';
import { isEnumClass } from '../../2-resolve/enum-classes.ts';
import { any, believed, hasNone, instanceOf, unionOf } from '../classes/type-values.ts';
import { claimedCall, claimedMethod, textPlan } from '../foreign/claims.ts';
import type { ClassRecord, Reader } from '../program.ts';
import { noteMethod } from '../suspension/special-methods.ts';
import type { CallPlan, ClassInfo, FunctionInfo, ParamInfo, Slot, Type } from '../types.ts';
import { action, askedCall, liveWalk } from './asked-walks.ts';
import { noteAppended } from './assign.ts';
import { builtinCall, standardCall } from './builtin-calls.ts';
import { lambdaType, noteSpread } from './displays.ts';
import { noteType, typeOf, waitAt } from './expressions.ts';
import { isProblem, mapArguments } from './map-arguments.ts';
import { attributeType } from './members.ts';
import { boundCall, methodCall } from './methods.ts';
import { nameType } from './names.ts';
import { knownType } from './plain-type.ts';
import { callPoint, classMethodPoint, constructionPoint, noteDecorated } from './points.ts';

export const dynamic: CallPlan = { how: 'dynamic' };

export function readCall(f: Reader, e: ast.Call): Type {
  const { callee } = e;
  const type = calleeType(f, callee);
  if (callee.kind === 'Attribute') {
    const object = knownType(f, callee.object);
    const result = methodCall(f, e, callee, object, type);
    if (result !== undefined)
      return callee.safe && hasNone(object) ? unionOf([result, { t: 'none', sure: true }]) : result;
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
      return deferredResult(f, e) ?? dynamicCall(f, e, callee, type);
  }
}

/** Fields that an action has no value for are given to its `run`. */
function allowMissing(f: Reader, asked: ast.Spawn | ast.Call): void {
  for (const call of asked.kind === 'Call' ? [asked] : [asked.left, asked.right]) {
    const problem = call?.kind === 'Call' ? f.state.problems.get(call) : undefined;
    if (problem?.form === 'missing') f.state.problems.set(call!, { ...problem, comesLater: true });
  }
}

/** Results of the runtime's `live` and `useAction`: they know what the walk that they are given reports. */
function deferredResult(f: Reader, e: ast.Call): Type | undefined {
  const word = f.program.browser === undefined ? undefined : deferring(f.state.names, e);
  if (word === undefined) return undefined;
  const asked = deferred(e)!;
  const types = readArguments(f, e);
  setPlan(f, e, dynamic);
  if (word === 'useAction') allowMissing(f, asked);
  const type = asked.kind === 'Spawn' ? believed(types[0]!) : askedCall(types[0]!);
  return word === 'live' ? liveWalk(type) : action(type);
}

/** The callee's type. Being called is no escape for a function. */
export function calleeType(f: Reader, callee: ast.Expression): Type {
  let type: Type;
  if (callee.kind === 'NameRef') type = nameType(f, callee, false);
  else if (callee.kind === 'Attribute') type = attributeType(f, callee, false);
  else if (callee.kind === 'Lambda') type = lambdaType(f, callee, undefined, false);
  else return typeOf(f, callee);
  noteType(f, callee, type);
  return type;
}

export function setPlan(f: Reader, e: ast.Call, plan: CallPlan): void {
  f.state.plans.set(e, plan);
}

export function readArguments(f: Reader, e: ast.Call): readonly Type[] {
  const types: Type[] = [];
  for (const arg of e.args) {
    const type = typeOf(f, arg.value);
    if (arg.sort === 'star') noteSpread(f, arg, arg.value, type);
    types.push(type);
  }
  return types;
}

// ---------------------------------------------------------------- functions and classes of the program

export function functionCall(f: Reader, e: ast.Call, fn: FunctionInfo): Type {
  readArguments(f, e);
  planDirect(f, e, fn);
  const point = callPoint(f, fn);
  if (point !== undefined) waitAt(f, e, point);
  if (!f.program.mockedNames.has(fn.name)) return fn.result;
  waitAt(f, e, f.program.points.functionValue);
  return any;
}

function planDirect(f: Reader, e: ast.Call, fn: FunctionInfo): void {
  const mapped = mapFor(f, e, fn.params, fn.name);
  setPlan(f, e, mapped === undefined || !fn.direct ? dynamic : { how: 'direct', fn, slots: mapped });
}

export function mapFor(
  f: Reader,
  e: ast.Call,
  params: readonly ParamInfo[],
  name: string,
): readonly Slot[] | undefined {
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
  if (f.program.mockedNames.has(cls.name)) {
    setPlan(f, e, dynamic);
    waitAt(f, e, f.program.points.functionValue);
    return any;
  }
  if (cls.kind === 'runtime') {
    setPlan(f, e, dynamic);
    return cls.name === 'object' || cls.name === 'StorageFactory' ? any : result;
  }
  // The result of `__new__` may be anything.
  if (cls.methods.has('__new__')) {
    setPlan(f, e, dynamic);
    return any;
  }
  // `class Color(Enum)`: a call finds a member by its value, whatever `__init__` takes.
  if (cls.kind === 'enum' || [cls, ...cls.bases].some(({ decl }) => isEnumClass(decl))) {
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

// ---------------------------------------------------------------- unknown callees

function dynamicCall(f: Reader, e: ast.Call, callee: ast.Expression, type: Type): Type {
  const args = readArguments(f, e);
  setPlan(f, e, dynamic);
  // The function called may be one of the runtime that iterates over its arguments.
  for (const [i, arg] of args.entries()) if (arg.t === 'iterator') noteSpread(f, e, e.args[i]!.value, arg);
  if (callee.kind === 'Attribute') {
    const object = knownType(f, callee.object);
    const { text: name } = callee.name;
    noteAppended(f, e, callee, args);
    if (callee.object.kind === 'SpecialRef' && callee.object.word === 'super') return superCall(f, e, name);
    if (object.t === 'std') noteStandard(f, e, name);
    else if (object.t !== 'module') {
      noteByName(f, e, name);
      noteMethod(f, e, name, object, args);
    } else if (!object.std) waitAt(f, e, f.program.points.functionValue);
    if (object.t !== 'any' || type.t !== 'any') return any;
    return unknownMethod(f, e, object, type, args);
  }
  if (callee.kind === 'SpecialRef') return callee.word === 'root' ? knownType(f, callee) : any;
  if (type.t === 'instance' || callee.kind === 'Call') noteDecorated(f, type);
  if (type.t === 'instance') {
    const method = type.cls.methods.get('__call__');
    const point = classMethodPoint(f, type, '__call__');
    if (point !== undefined) waitAt(f, e, point);
    return method?.result ?? any;
  }
  waitAt(f, e, f.program.points.functionValue);
  const call = f.program.points.methods.get('__call__');
  if (call !== undefined) waitAt(f, e, call);
  return type.t === 'any' ? claimedCall(type, e, args) : any;
}

type Unknown = Extract<Type, { t: 'any' }>;

/** A call of `member` of an unknown value, by what is claimed of the two. */
function unknownMethod(f: Reader, e: ast.Call, object: Unknown, member: Unknown, args: readonly Type[]): Type {
  if (object.claim === undefined || e.callee.kind !== 'Attribute' || e.callee.safe) return any;
  const name = e.callee.name.text;
  setPlan(f, e, textPlan(f, object, name, e) ?? dynamic);
  return member.claim === undefined ? claimedMethod(f, object, name, args, e) : claimedCall(member, e, args);
}

/** A call of a member of an unknown value: every method of that name, and whatever functions fields of that name hold. */
export function noteByName(f: Reader, e: ast.Call, name: string): void {
  const { points } = f.program;
  const method = points.methods.get(name);
  if (method !== undefined) waitAt(f, e, method);
  if (points.memberNames.has(name)) waitAt(f, e, points.functionValue);
  const makers = points.standardMethods.get(name);
  if (makers !== undefined && !isOfPlainValue(e, name, makers)) waitAt(f, e, points.always);
}

/**
 * `d.get(key, 0)`, `sep.join(parts)`: a queue is asked with nothing or with a bool, a session with a URL and keywords, and neither is joined
 * with arguments, so such a call is one of a dict or a text.
 */
function isOfPlainValue(e: ast.Call, name: string, makers: ReadonlySet<string>): boolean {
  if ((name !== 'get' && name !== 'join') || e.args.some(({ sort }) => sort !== 'positional')) return false;
  if (![...makers].every((maker) => maker === 'queue' || maker === 'requests')) return false;
  const [first] = e.args;
  if (first === undefined || (first.value.kind === 'Constant' && typeof first.value.value === 'boolean')) return false;
  return e.args.length === 2 || !makers.has('requests');
}

/** A member of something a standard module gives is no method of the program. */
function noteStandard(f: Reader, e: ast.Call, name: string): void {
  if (f.program.points.standardMethods.has(name)) waitAt(f, e, f.program.points.always);
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
