/**
 * Special methods of the program's own objects that the runtime calls, and so may have to wait for (decisions/0210), by
 * operation.
 */
import type * as ast from '../../1-parse/ast.ts';
import { any } from '../classes/type-values.ts';
import type { Reader } from '../program.ts';
import { waitAt } from '../read/expressions.ts';
import { knownType } from '../read/plain-type.ts';
import { callPoint } from '../read/points.ts';
import type { Type } from '../types.ts';
import { dependOn, makePoint } from './suspension.ts';

const shown = ['__str__', '__repr__', '__format__'];
const equal = ['__eq__', '__hash__'];
const ordered = ['__lt__', '__gt__', '__eq__'];
const added = ['__add__', '__radd__'];
const counted = ['__bool__', '__len__'];

/** Special methods by built-in function; those that look into containers ask their items. */
const ofFunctions: Readonly<Record<string, readonly string[]>> = {
  abs: ['__abs__'],
  all: counted,
  any: counted,
  ascii: shown,
  bool: counted,
  bytes: ['__bytes__', '__len__', '__getitem__'],
  complex: ['__complex__'],
  delattr: ['__delattr__'],
  dict: equal,
  dir: ['__dir__'],
  divmod: ['__divmod__', '__rdivmod__'],
  filter: counted,
  float: ['__float__', '__index__'],
  format: shown,
  fromkeys: equal,
  frozenset: equal,
  getattr: ['__getattr__', '__getattribute__'],
  hasattr: ['__getattr__', '__getattribute__'],
  hash: ['__hash__'],
  int: ['__int__', '__index__', '__trunc__'],
  iter: ['__iter__'],
  len: ['__len__'],
  list: ['__len__', '__getitem__'],
  max: ordered,
  min: ordered,
  next: ['__next__'],
  pow: ['__pow__', '__rpow__'],
  print: [...shown, 'write', 'flush'],
  range: ['__index__'],
  repr: shown,
  reversed: ['__reversed__', '__len__', '__getitem__'],
  round: ['__round__'],
  set: equal,
  setattr: ['__setattr__'],
  sorted: ordered,
  str: shown,
  sum: added,
  tuple: ['__len__', '__getitem__'],
};

/** Special methods by method of a built-in container or of text. */
const ofMethods: Readonly<Record<string, readonly string[]>> = {
  add: equal,
  count: equal,
  encode: ['default'],
  difference: equal,
  difference_update: equal,
  discard: equal,
  format: shown,
  fromkeys: equal,
  format_map: shown,
  get: equal,
  index: equal,
  intersection: equal,
  intersection_update: equal,
  isdisjoint: equal,
  issubset: equal,
  issuperset: equal,
  move_to_end: equal,
  pop: equal,
  popitem: equal,
  remove: equal,
  setdefault: equal,
  sort: ordered,
  subtract: equal,
  symmetric_difference: equal,
  symmetric_difference_update: equal,
  union: equal,
  update: equal,
};

/** Methods of the program's handlers that run when something is logged. */
const handled = ['emit', 'filter', 'format', 'handle', 'write'];
const logged = new Set(['critical', 'debug', 'error', 'exception', 'info', 'log', 'warning']);

/** Special methods by standard module, for all of its functions. */
const ofModules: Readonly<Record<string, readonly string[]>> = {
  bisect: ordered,
  collections: equal,
  copy: ['__copy__', '__deepcopy__', '__reduce__', ...equal],
  heapq: ordered,
  operator: [...ordered, ...added, '__getitem__', '__setitem__', '__contains__', '__len__', '__call__'],
  pprint: shown,
  statistics: [...ordered, ...added],
  string: shown,
};

/** Notes that the runtime may ask an object of this type, or one inside of it, for these methods. */
export function noteSpecial(f: Reader, node: ast.Node, type: Type, names: readonly string[]): void {
  const { methods } = f.program.points;
  if (methods.size === 0) return;
  for (const name of names) {
    const point = methods.get(name);
    if (point !== undefined && mayHave(type, name)) waitAt(f, node, point);
  }
}

/** Can a value of this type be an object of the program with that method, or hold one? */
function mayHave(type: Type, name: string): boolean {
  switch (type.t) {
    case 'any':
    case 'never':
    case 'union':
      return true;
    case 'instance':
      return type.cls.open || type.cls.kind === 'runtime' || mayDefine(type, name);
    case 'list':
    case 'set':
    case 'frozenset':
    case 'tuple':
    case 'iterator':
      return mayHave(type.of, name);
    case 'dict':
      return mayHave(type.key, name) || mayHave(type.value, name);
    default:
      return false;
  }
}

// The fields of an object are shown and compared with it.
function mayDefine({ cls }: Extract<Type, { t: 'instance' }>, name: string): boolean {
  return cls.methods.has(name) || shown.includes(name) || equal.includes(name);
}

export function noteFunction(f: Reader, e: ast.Call, name: string, args: readonly Type[]): void {
  const names = ofFunctions[name];
  if (names === undefined) return;
  for (const type of args) noteSpecial(f, e, type, names);
  if (name === 'bool' && e.args.length === 1) noteTruth(f, e.args[0]!.value);
  if (name === 'getattr' || name === 'setattr' || name === 'hasattr') noteNamedAttribute(f, e);
}

function noteNamedAttribute(f: Reader, e: ast.Call): void {
  const { properties } = f.program.points;
  const name = e.args[1]?.value;
  if (properties.size === 0 || name === undefined) return;
  const named = name.kind === 'StringLiteral' ? [properties.get(name.value)] : [...properties.values()];
  for (const point of named) if (point !== undefined) waitAt(f, e, point);
}

/** A built-in function given to one that goes through items, `map(str, xs)`, asks each item. */
export function noteCalledWith(f: Reader, e: ast.Call, callback: string, items: readonly Type[]): void {
  const names = Object.hasOwn(ofFunctions, callback) ? ofFunctions[callback]! : [];
  for (const type of items) noteSpecial(f, e, type, names);
}

/** Methods of files and writers, and the type of a value as a function (`xs.__class__(items)`), that go through what they are given. */
const goingThrough = new Set(['__class__', 'writelines', 'writerows']);

const ofGenerators = new Set(['close', 'send', 'throw']);

function mayBeIterator({ t }: Type): boolean {
  return t === 'iterator' || t === 'any' || t === 'union' || t === 'instance';
}

/** `known`: the type of the receiver; methods of the program's own classes are points of their own. */
export function noteMethod(f: Reader, e: ast.Call, name: string, known: Type, args: readonly Type[]): void {
  if (
    name === 'enter_context' ||
    (ofGenerators.has(name) && mayBeIterator(known)) ||
    (goingThrough.has(name) && args.some(mayBeIterator))
  )
    waitAt(f, e, f.program.points.anyIterator);
  if (logged.has(name)) noteSpecial(f, e, any, handled);
  if (name === 'sub' || name === 'subn') waitAtReplacement(f, e, args[0]);
  const names = Object.hasOwn(ofMethods, name) ? ofMethods[name] : undefined;
  if (names === undefined) return;
  noteSpecial(f, e, known, names);
  for (const type of args) noteSpecial(f, e, type, names);
}

// `pattern.sub(f, text)`: what is known of patterns is the names of their methods.
function waitAtReplacement(f: Reader, e: ast.Call, type: Type | undefined): void {
  if (type?.t === 'function' || type?.t === 'method') {
    const point = callPoint(f, type.fn);
    if (point !== undefined) waitAt(f, e, point);
  } else if (type?.t === 'any') waitAt(f, e, f.program.points.functionValue);
}

export function noteModuleCall(f: Reader, e: ast.Call, module: string, args: readonly Type[]): void {
  if (module === 'logging') noteSpecial(f, e, any, handled);
  if (module === 'json' && e.args.some((arg) => arg.name?.text === 'cls')) noteSpecial(f, e, any, ['default']);
  const names = Object.hasOwn(ofModules, module) ? ofModules[module] : undefined;
  if (names === undefined) return;
  for (const type of args) noteSpecial(f, e, type, names);
}

/** `o[k]`, also as a target: what is asked of the object, and of the key that is looked up. */
export function noteSubscript(f: Reader, node: ast.Node, object: Type, index: Type, own: readonly string[]): void {
  const { methods } = f.program.points;
  if (methods.size === 0) return;
  if (object.t === 'any' || object.t === 'union' || object.t === 'instance') noteSpecial(f, node, object, own);
  if (object.t === 'any' || object.t === 'dict' || object.t === 'union') noteSpecial(f, node, index, equal);
  else if (index.t === 'any' || index.t === 'instance') noteSpecial(f, node, index, ['__index__']);
}

/** Notes that it is asked whether the value of `e`, which has been read, is true. */
export function noteTruth(f: Reader, e: ast.Expression): void {
  const { methods } = f.program.points;
  if (!methods.has('__bool__') && !methods.has('__len__')) return;
  switch (e.kind) {
    case 'Logical':
      // The left side has been asked when the operator was read.
      noteTruth(f, e.right);
      return;
    case 'Conditional':
      noteTruth(f, e.then);
      noteTruth(f, e.orElse);
      return;
    case 'Compare':
    case 'Constant':
    case 'StringLiteral':
    case 'NumberLiteral':
      return;
    default:
  }
  const type = knownType(f, e);
  if (type.t !== 'any' && type.t !== 'union' && type.t !== 'instance') return;
  for (const name of counted) {
    const point = methods.get(name);
    if (point === undefined || !mayHave(type, name)) continue;
    const { truths } = f.state;
    let known = truths.get(e);
    if (known === undefined) truths.set(e, (known = makePoint()));
    dependOn(known, point);
    dependOn(f.point, point);
  }
}
