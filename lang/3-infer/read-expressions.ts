/**
 * The type of every expression, and where one may wait. `typeOf` fills the tables of the module; an expression of unknown type has no
 * entry. Calls are in read-calls.ts.
 */
import type * as ast from '../1-parse/ast.ts';
import type { Binding, LocalBinding } from '../2-resolve/names.ts';
import type { LocalRecord } from '../2-resolve/records.ts';
import { annotationType } from './annotations.ts';
import { assign, assignElements, globalRecord, globalType, readGlobal } from './assign.ts';
import { classOfBinding, classOfDecl, classOfExpr, runtimeClass } from './classes.ts';
import { copyEnv, joinEnvs, slotIn } from './environments.ts';
import { functionRecord } from './functions.ts';
import { elementOf, iterationPoint } from './iteration.ts';
import { narrow } from './narrowing.ts';
import { binaryType, isBuiltinKind, noteCompare, noteOperator, unaryType } from './operators.ts';
import { callPoint, classMethodPoint, constructionPoint } from './points.ts';
import type { ModuleState, Program, Reader } from './program.ts';
import { readCall, readPipe } from './read-calls.ts';
import { nestedFunction, readFunction } from './read-function.ts';
import { readSignature } from './read-statements.ts';
import { readSpawn } from './read-spawn.ts';
import { dependOn, makePoint, type Point } from './suspension.ts';
import type { ClassInfo, Type } from './types.ts';
import {
  any,
  dictOf,
  doubted,
  hasNone,
  hinted,
  instanceOf,
  iteratorOf,
  join,
  joinAll,
  listOf,
  membersOf,
  never,
  none,
  sure,
  tupleOf,
  unionOf,
  withoutNone,
} from './type-values.ts';

export function typeOf(f: Reader, e: ast.Expression): Type {
  const type = compute(f, e);
  noteType(f, e, type);
  return type;
}

export function noteType(f: Reader, e: ast.Expression, type: Type): void {
  if (f.again > 0 || (type !== any && !isPlain(e, type))) f.state.types.set(e, type);
}

/** Literals and names of functions, classes and modules need no entry: what they are can be told from the node and its binding. */
function isPlain(e: ast.Expression, type: Type): boolean {
  switch (e.kind) {
    case 'NumberLiteral':
    case 'StringLiteral':
    case 'Constant':
      return true;
    case 'NameRef':
      return type.t === 'builtin' || type.t === 'function' || type.t === 'class' || type.t === 'module';
    default:
      return false;
  }
}

/** Notes that evaluating this node may wait, and that the code around it waits then. */
export function waitAt(f: Reader, node: ast.Node, point: Point): void {
  const { waits } = f.state;
  const known = waits.get(node);
  if (known === undefined) waits.set(node, point);
  else if (known !== point) {
    const both = makePoint();
    dependOn(both, known);
    dependOn(both, point);
    waits.set(node, both);
  }
  dependOn(f.point, point);
}

function waitIfGraphWaits(f: Reader, node: ast.Node): void {
  if (f.program.graph === 'async') waitAt(f, node, f.program.points.always);
}

function compute(f: Reader, e: ast.Expression): Type {
  switch (e.kind) {
    case 'NameRef':
      return nameType(f, e, true);
    case 'Call':
      return readCall(f, e);
    case 'Attribute':
      return attributeType(f, e, true);
    case 'NumberLiteral':
      return e.float ? sure.float : sure.int;
    case 'StringLiteral':
      return e.bytes ? sure.bytes : sure.str;
    case 'Constant':
      return e.value === null ? none : e.value === 'ellipsis' ? any : sure.bool;
    case 'SpecialRef':
      return specialType(f, e);
    case 'Binary': {
      const left = typeOf(f, e.left);
      const right = typeOf(f, e.right);
      noteOperator(f, e, e.op, left, right, false);
      return binaryType(f, e.op, left, right, e.right);
    }
    case 'Compare':
      return compareType(f, e);
    case 'Logical':
      return logicalType(f, e);
    case 'Unary':
      return unaryType(e.op, typeOf(f, e.operand));
    case 'Conditional':
      return conditionalType(f, e);
    case 'Joined':
      readJoined(f, e);
      return sure.str;
    case 'Index':
      return indexType(f, e);
    case 'Slice':
      for (const part of [e.lower, e.upper, e.step]) if (part !== undefined) typeOf(f, part);
      return any;
    case 'ListExpr':
      return listOf(itemsType(f, e.items), true);
    case 'SetExpr':
      return { t: 'set', of: itemsType(f, e.items), sure: true };
    case 'TupleExpr':
      return tupleType(f, e);
    case 'DictExpr':
      return dictType(f, e);
    case 'Comprehension':
      return comprehensionType(f, e);
    case 'Lambda':
      return lambdaType(f, e, undefined, true);
    case 'FunctionExpr': {
      readSignature(f, e.decl);
      const record = nestedFunction(f, e.decl);
      dependOn(f.program.points.functionValue, record.point);
      return { t: 'function', fn: record.info, sure: true };
    }
    case 'EdgeRef':
      return edgeRefType(f, e);
    case 'Connect':
      return connectType(f, e);
    case 'Disconnect':
      typeOf(f, e.left);
      typeOf(f, e.right);
      readEdgeOp(f, e.op);
      waitIfGraphWaits(f, e);
      return sure.bool;
    case 'Spawn':
      return readSpawn(f, e);
    case 'Filter':
      return filterType(f, e);
    case 'AssignTrailer': {
      const type = typeOf(f, e.object);
      for (const field of e.fields) typeOf(f, field.value);
      return type;
    }
    case 'Walrus': {
      const type = typeOf(f, e.value);
      assign(f, f.state.names.binding(e.name), type, e.value);
      return type;
    }
    case 'Await': {
      const type = typeOf(f, e.expr);
      waitAt(f, e, f.program.points.always);
      return type.t === 'awaitable' ? type.of : type;
    }
    case 'Cast':
      return castType(f, e);
    case 'Flow':
      return flowType(f, e);
    case 'By':
      typeOf(f, e.value);
      typeOf(f, e.model);
      waitAt(f, e, f.program.points.always);
      return any;
    case 'Pipe':
      return readPipe(f, e);
    case 'Starred':
      return typeOf(f, e.expr);
    case 'Borrow': {
      const type = typeOf(f, e.expr);
      if (e.word !== '&') return type;
      const mayBeId = type.t === 'str' || type.t === 'any' || type.t === 'union';
      if (mayBeId) waitIfGraphWaits(f, e);
      return mayBeId ? any : type;
    }
    case 'Yield':
      return yieldType(f, e);
    case 'Markup':
      readMarkup(f, e);
      return instanceOf(runtimeClass(f.program, 'JsxElement')!, true);
    case 'Missing':
      return any;
  }
}

// ---------------------------------------------------------------- names

/** `escapes`: the value may go anywhere, so a function in it may be called by anyone. */
export function nameType(f: Reader, e: ast.NameRef, escapes: boolean): Type {
  const binding = f.state.names.binding(e);
  if (binding.sort === 'local') {
    const type = localType(f, binding);
    if (escapes && (type.t === 'function' || type.t === 'class')) noteEscape(f, type);
    return type;
  }
  const slot = slotIn(f, binding);
  if (slot >= 0) {
    const type = f.env[slot];
    if (type !== undefined && type.t !== 'never') return type;
  }
  const type = valueOfBinding(f.program, f.state, binding, f);
  if (escapes && (type.t === 'function' || type.t === 'class')) noteEscape(f, type);
  return type;
}

/** A function used as a value may be called where nobody knows it. */
export function noteEscape(f: Reader, type: Type): void {
  const { functionValue } = f.program.points;
  if (type.t === 'function' || type.t === 'method') {
    const point = callPoint(f, type.fn);
    if (point !== undefined) dependOn(functionValue, point);
  } else if (type.t === 'class') dependOn(functionValue, constructionPoint(f, type.cls));
}

function localType(f: Reader, binding: LocalBinding): Type {
  const { decl } = binding;
  if (decl !== undefined && (binding.role === 'def' || binding.role === 'type' || binding.role === 'import')) {
    return declaredLocalType(f, binding, decl);
  }
  const { slot, home } = binding as LocalRecord;
  if (home === f.scope) {
    if (binding.assignedInside) return sharedType(f, binding, slot);
    const type = f.env[slot];
    return type === undefined ? any : type.t === 'never' ? any : type;
  }
  // A variable of an outer function: only one that never changes is known here.
  for (let outer = f.outer; outer !== undefined; outer = outer.outer) {
    if (outer.scope !== home) continue;
    if (binding.reassigned) return sharedType(outer, binding, slot);
    const type = outer.env[slot] ?? outer.whole[slot];
    return type === undefined || type.t === 'never' ? any : (outer.whole[slot] ?? type);
  }
  return f.state.wholes.get(home)?.[slot] ?? any;
}

/** A variable that inner functions share: its type over the whole life of the function it belongs to, as far as it is known. */
function sharedType(home: Reader, binding: LocalBinding, slot: number): Type {
  const declared = home.declared?.get(binding);
  if (declared !== undefined && declared.t !== 'any') return declared;
  const type = home.whole[slot] ?? never;
  (home.shared ??= new Map()).set(slot, type);
  return type.t === 'never' ? never : doubted(type);
}

function declaredLocalType(f: Reader, binding: LocalBinding, decl: ast.Node): Type {
  if (decl.kind === 'FunctionDecl') {
    if (binding.reassigned) return any;
    const record = functionRecord(f.program, f.state, decl, undefined);
    record.outer ??= readerOf(f, binding);
    return record.info.direct ? { t: 'function', fn: record.info, sure: true } : any;
  }
  if (decl.kind === 'Archetype' || decl.kind === 'EnumDecl') {
    return { t: 'class', cls: classOfDecl(f.program, f.state, decl), sure: true };
  }
  if (binding.import !== undefined) return importedType(f.program, f.state, binding.import, f);
  return any;
}

function readerOf(f: Reader, binding: LocalBinding): Reader {
  const { home } = binding as LocalRecord;
  for (let reader: Reader | undefined = f; reader !== undefined; reader = reader.outer) {
    if (reader.scope === home) return reader;
  }
  return f;
}

/** The type of what a name of a module or a built-in name stands for. */
export function valueOfBinding(program: Program, state: ModuleState, binding: Binding, f: Reader | undefined): Type {
  if (binding.sort === 'builtin') return builtinValue(program, binding.name);
  if (binding.sort !== 'module') return any;
  switch (binding.role) {
    case 'function': {
      const { decl } = binding;
      if (decl?.kind !== 'FunctionDecl' || binding.reassigned) return any;
      const home = program.modules.get(binding.module) ?? state;
      const { info, point } = functionRecord(program, home, decl, undefined);
      if (info.direct) return { t: 'function', fn: info, sure: true };
      dependOn(program.points.functionValue, point);
      return any;
    }
    case 'archetype':
    case 'enum': {
      const cls = classOfBinding(program, state, binding);
      const { decl } = binding;
      const decorators = decl?.kind === 'Archetype' || decl?.kind === 'EnumDecl' ? decl.decorators : [];
      return cls === undefined || !decorators.every(isNeutralClassDecorator) ? any : { t: 'class', cls, sure: true };
    }
    case 'glob':
    case 'entry':
      return f === undefined ? globalType(program, binding, globalRecord(program, binding)) : readGlobal(f, binding);
    case 'import':
      return binding.import === undefined ? any : importedType(program, state, binding.import, f);
    case 'alias': {
      const cls = classOfBinding(program, state, binding);
      return cls === undefined ? any : { t: 'class', cls, sure: true };
    }
  }
}

const neutralClassDecorators = new Set(['restspec', 'schedule', 'dataclass', 'final', 'runtime_checkable', 'total_ordering']);

function isNeutralClassDecorator(decorator: ast.Expression): boolean {
  const callee = decorator.kind === 'Call' ? decorator.callee : decorator;
  return callee.kind === 'NameRef' && neutralClassDecorators.has(callee.name);
}

function importedType(
  program: Program,
  state: ModuleState,
  target: NonNullable<LocalBinding['import']>,
  f: Reader | undefined,
): Type {
  switch (target.of) {
    case 'module':
      return { t: 'module', module: target.module, std: false, sure: true };
    case 'member': {
      const home = program.modules.get(target.module) ?? state;
      const member = home.names.bindings.get(target.member);
      return member === undefined ? any : valueOfBinding(program, home, member, f);
    }
    case 'builtin':
      if (target.member === undefined) return { t: 'module', module: target.module, std: true, sure: true };
      if (/^(svclang|builtins)(\.|$)/.test(target.module)) {
        const type = builtinValue(program, target.member);
        if (type !== any) return type;
      }
      return { t: 'std', module: target.module, name: target.member, sure: true };
    default:
      return any;
  }
}

const constants: Readonly<Record<string, Type>> = {
  __name__: sure.str,
  __file__: sure.str,
  NoPerm: any,
};

function builtinValue(program: Program, name: string): Type {
  const cls = runtimeClass(program, name);
  if (cls !== undefined) return { t: 'class', cls, sure: true };
  if (program.builtins.functions.has(name)) return { t: 'builtin', name, sure: true };
  return constants[name] ?? any;
}

function specialType(f: Reader, e: ast.SpecialRef): Type {
  const param = f.state.names.special(e);
  if (param !== undefined) return localType(f, param);
  switch (e.word) {
    case 'self':
      return f.self;
    case 'here':
      return f.here;
    case 'visitor':
      return f.visitor;
    case 'root':
      return instanceOf(runtimeClass(f.program, 'Root')!, true);
    default:
      return any;
  }
}

// ---------------------------------------------------------------- attributes and subscripts

/** `reads`: not the callee of a call and not an assignment target. */
export function attributeType(f: Reader, e: ast.Attribute, reads: boolean): Type {
  const object = typeOf(f, e.object);
  const type = memberType(f, e, object, reads);
  return e.safe || hasNone(object) ? safeType(type, object, e.safe) : type;
}

function safeType(type: Type, object: Type, safe: boolean): Type {
  return safe && hasNone(object) && type.t !== 'any' ? unionOf([type, none]) : type;
}

function memberType(f: Reader, e: ast.Attribute, object: Type, reads: boolean): Type {
  const name = e.name.text;
  switch (object.t) {
    case 'instance':
      return instanceMember(f, e, object.cls, object.sure === true, name, reads);
    case 'class':
      return classMember(f, object.cls, name, reads);
    case 'module':
      return moduleMember(f, object, name, reads);
    case 'std':
      return any;
    case 'union': {
      const main = withoutNone(object);
      return main.t === 'union' ? unionMember(f, e, main, name, reads) : memberType(f, e, main, reads);
    }
    case 'any':
      noteUnknownMember(f, e, name, reads);
      return any;
    default:
      return any;
  }
}

function unionMember(f: Reader, e: ast.Attribute, union: Type, name: string, reads: boolean): Type {
  noteUnknownMember(f, e, name, reads);
  const parts = membersOf(union).map((member) => {
    if (member.t !== 'instance') return undefined;
    return member.cls.fields.get(name)?.type;
  });
  return parts.includes(undefined) ? any : joinAll(parts.map((part) => doubted(part!)));
}

function noteUnknownMember(f: Reader, e: ast.Attribute, name: string, reads: boolean): void {
  const { points } = f.program;
  const property = points.properties.get(name);
  if (property !== undefined) waitAt(f, e, property);
  if (!reads) return;
  const method = points.methods.get(name);
  if (method !== undefined) dependOn(points.functionValue, method);
}

function instanceMember(
  f: Reader,
  e: ast.Attribute,
  cls: ClassInfo,
  isSure: boolean,
  name: string,
  reads: boolean,
): Type {
  const field = cls.fields.get(name);
  if (field !== undefined) {
    if (field.property) {
      const point = f.program.points.properties.get(name);
      if (point !== undefined) waitAt(f, e, point);
    }
    return doubted(field.type);
  }
  const method = cls.methods.get(name);
  if (method !== undefined) {
    const type: Type = { t: 'method', fn: method, owner: cls, sure: isSure };
    if (reads) {
      const point = f.program.points.methods.get(name);
      if (point !== undefined) dependOn(f.program.points.functionValue, point);
    }
    return type;
  }
  if (cls.kind === 'enum') {
    if (name === 'name') return hinted.str;
    if (name === 'value') return cls.primitive === undefined ? any : hinted[cls.primitive];
    if (cls.members.includes(name)) return instanceOf(cls, true);
  }
  if (cls.open) noteUnknownMember(f, e, name, reads);
  const nested = cls.attributes.get(name);
  return nested === undefined ? any : attributeOfClass(f, cls, nested);
}

function classMember(f: Reader, cls: ClassInfo, name: string, reads: boolean): Type {
  if (cls.members.includes(name)) return instanceOf(cls, true);
  const method = cls.methods.get(name);
  if (method !== undefined) {
    const type: Type = { t: 'method', fn: method, owner: cls, sure: true };
    if (reads) noteEscape(f, type);
    return type;
  }
  const field = cls.fields.get(name);
  if (field !== undefined) return field.static || cls.kind === 'class' ? doubted(field.type) : any;
  const nested = cls.attributes.get(name);
  if (nested !== undefined) return attributeOfClass(f, cls, nested);
  return name === '__name__' ? sure.str : any;
}

function attributeOfClass(f: Reader, cls: ClassInfo, node: ast.Node): Type {
  if (node.kind !== 'Archetype' && node.kind !== 'EnumDecl') return any;
  const owner = [cls, ...cls.bases].find((one) => one.attributes.get(node.name.text) === node) ?? cls;
  const home = f.program.modules.get(owner.module);
  return home === undefined ? any : { t: 'class', cls: classOfDecl(f.program, home, node), sure: true };
}

function moduleMember(f: Reader, object: Extract<Type, { t: 'module' }>, name: string, reads: boolean): Type {
  if (object.std) return standardMember(f.program, object.module, name);
  const home = f.program.modules.get(object.module);
  if (home === undefined) return any;
  const binding = home.names.bindings.get(name);
  if (binding === undefined) {
    const below = home.module.submodules.get(name);
    return below === undefined ? any : { t: 'module', module: below, std: false, sure: true };
  }
  const type = valueOfBinding(f.program, home, binding, f);
  if (reads) noteEscape(f, type);
  return type;
}

/** A member of a standard module: a module below it, a constant of known type, or the member by name. */
function standardMember(program: Program, module: string, name: string): Type {
  if (['os', 'urllib', 'collections', 'unittest', 'requests'].includes(module) && /^(path|parse|request|error|abc|mock|exceptions)$/.test(name)) {
    return { t: 'module', module: `${module}.${name}`, std: true, sure: true };
  }
  if (module === 'math' && /^(pi|e|tau|inf|nan)$/.test(name)) return sure.float;
  if (module === 'sys' && name === 'maxsize') return hinted.int;
  if ((module === 'os' && /^(sep|linesep|name)$/.test(name)) || (module === 'sys' && /^(platform|version|executable)$/.test(name))) {
    return hinted.str;
  }
  void program;
  return { t: 'std', module, name, sure: true };
}

function indexType(f: Reader, e: ast.Index): Type {
  const object = typeOf(f, e.object);
  const index = typeOf(f, e.index);
  if (!isBuiltinKind(object)) {
    const point = classMethodPoint(f, object, '__getitem__');
    if (point !== undefined) waitAt(f, e, point);
  }
  const type = elementAt(f, object, index, e.index);
  return e.safe && type.t !== 'any' ? unionOf([type, none]) : type;
}

function elementAt(f: Reader, object: Type, index: Type, e: ast.Expression): Type {
  const isSlice = e.kind === 'Slice';
  switch (object.t) {
    case 'list':
      return isSlice ? object : object.of.t === 'never' ? any : doubted(object.of);
    case 'tuple': {
      if (isSlice) return { t: 'tuple', items: undefined, of: object.of, sure: object.sure === true };
      const at = e.kind === 'NumberLiteral' && typeof e.value === 'number' ? object.items?.[e.value] : undefined;
      return doubted(at ?? (object.of.t === 'never' ? any : object.of));
    }
    case 'dict':
      return object.value.t === 'never' ? any : doubted(object.value);
    case 'str':
      return object;
    case 'bytes':
      return isSlice ? object : hinted.int;
    case 'range':
      return isSlice ? object : hinted.int;
    case 'iterator':
      return isSlice ? any : doubted(object.of);
    case 'class':
      // `Box[int]` is `Box`; `E["A"]` is a member.
      return object.cls.kind === 'enum' ? instanceOf(object.cls, true) : object;
    case 'instance': {
      const method = object.cls.methods.get('__getitem__');
      if (method !== undefined) return method.result;
      // A node answers [0] and [-1] with itself (4.10).
      return object.cls.kind === 'node' && index.t === 'int' ? object : any;
    }
    case 'union': {
      const main = withoutNone(object);
      return main.t === 'union' ? any : elementAt(f, main, index, e);
    }
    default:
      return any;
  }
}

// ---------------------------------------------------------------- displays

/** Elements of a display: known by how they are written, but anyone may change them later. */
function itemsType(f: Reader, items: readonly ast.Expression[]): Type {
  let all: Type = never;
  for (const item of items) {
    const type = item.kind === 'Starred' ? elementOf(f, typeOf(f, item.expr), undefined) : typeOf(f, item);
    all = join(all, type);
  }
  return all.t === 'never' ? never : doubted(all);
}

function tupleType(f: Reader, e: ast.TupleExpr): Type {
  const types = e.items.map((item) => typeOf(f, item));
  if (e.items.some((item) => item.kind === 'Starred')) {
    return { t: 'tuple', items: undefined, of: any, sure: true };
  }
  return tupleOf(types);
}

function dictType(f: Reader, e: ast.DictExpr): Type {
  let key: Type = never;
  let value: Type = never;
  for (const entry of e.entries) {
    const item = typeOf(f, entry.value);
    if (entry.key === undefined) {
      key = item.t === 'dict' ? join(key, item.key) : any;
      value = item.t === 'dict' ? join(value, item.value) : any;
      continue;
    }
    key = join(key, typeOf(f, entry.key));
    value = join(value, item);
  }
  return dictOf(doubted(key), doubted(value), true);
}

function comprehensionType(f: Reader, e: ast.Comprehension): Type {
  const before = copyEnv(f);
  const outerPoint = f.point;
  let inner = f.program.points.nodes.get(e);
  if (inner === undefined) f.program.points.nodes.set(e, (inner = makePoint()));
  for (const [i, clause] of e.clauses.entries()) {
    const iterable = typeOf(f, clause.iter);
    // The first source is evaluated where the comprehension stands, all else inside it.
    if (i === 0) f.point = inner;
    const point = clause.async ? f.program.points.always : iterationPoint(f, clause.iter, iterable);
    if (point !== undefined) waitAt(f, clause, point);
    assignElements(f, clause.target, elementOf(f, iterable, clause.iter), undefined);
    for (const condition of clause.conditions) {
      typeOf(f, condition);
      narrow(f, condition, true);
    }
  }
  const key = e.key === undefined ? never : typeOf(f, e.key);
  const value = typeOf(f, e.value);
  f.point = outerPoint;
  f.env = joinEnvs([before, f.env]);
  if (e.sort === 'generator') dependOn(f.point, inner);
  else waitAt(f, e, inner);
  switch (e.sort) {
    case 'list':
      return listOf(doubted(value), true);
    case 'set':
      return { t: 'set', of: doubted(value), sure: true };
    case 'dict':
      return dictOf(doubted(key), doubted(value), true);
    case 'generator':
      return iteratorOf(doubted(value));
  }
}

/** `hints`: types of the parameters, from where the lambda is passed. `escapes`: not called on the spot. */
export function lambdaType(f: Reader, e: ast.Lambda, hints: readonly Type[] | undefined, escapes: boolean): Type {
  readSignature(f, e);
  const record = functionRecord(f.program, f.state, e, undefined);
  record.outer = f;
  record.hints = hints;
  if (record.progress === 'done') record.progress = f.again > 0 ? 'done' : record.progress;
  readFunction(f.program, record);
  if (escapes) dependOn(f.program.points.functionValue, record.point);
  return { t: 'function', fn: record.info, sure: true };
}

// ---------------------------------------------------------------- conditions

function compareType(f: Reader, e: ast.Compare): Type {
  let left = typeOf(f, e.operands[0]!);
  for (let i = 0; i < e.ops.length; i++) {
    const right = typeOf(f, e.operands[i + 1]!);
    noteCompare(f, e, e.ops[i]!, left, right);
    left = right;
  }
  return sure.bool;
}

function logicalType(f: Reader, e: ast.Logical): Type {
  const left = typeOf(f, e.left);
  const before = copyEnv(f);
  narrow(f, e.left, e.op === 'and');
  const right = typeOf(f, e.right);
  f.env = joinEnvs([before, f.env]);
  // `a or b` gives `a` only when it is true, `a and b` only when it is false.
  if (e.op === 'or') return join(left.t === 'none' ? never : withoutNone(left), right);
  return left.t === 'bool' && right.t === 'bool' ? join(left, right) : join(left, right);
}

function conditionalType(f: Reader, e: ast.Conditional): Type {
  typeOf(f, e.test);
  const before = copyEnv(f);
  narrow(f, e.test, true);
  const then = typeOf(f, e.then);
  const first = f.env;
  f.env = before;
  narrow(f, e.test, false);
  const orElse = typeOf(f, e.orElse);
  f.env = joinEnvs([first, f.env]);
  return join(then, orElse);
}

// ---------------------------------------------------------------- graphs

function edgeRefType(f: Reader, e: ast.EdgeRef): Type {
  if (e.origin !== undefined) typeOf(f, e.origin);
  let last: Type = any;
  for (const hop of e.hops) {
    readEdgeOp(f, hop.op);
    if (hop.only !== undefined) typeOf(f, hop.only);
    last = hop.filter === undefined ? any : readFilter(f, hop.filter, any);
  }
  if (e.async) waitAt(f, e, f.program.points.always);
  waitIfGraphWaits(f, e);
  if (e.want === 'edge') {
    const type = e.hops[e.hops.length - 1]?.op.type;
    const cls = type === undefined ? undefined : classOfExpr(f.program, f.state, type);
    return listOf(cls === undefined ? any : instanceOf(cls, false), true);
  }
  return listOf(doubted(last), true);
}

function readEdgeOp(f: Reader, op: ast.EdgeOp): void {
  if (op.type !== undefined && op.type.kind !== 'NameRef') typeOf(f, op.type);
  for (const condition of op.conditions) typeOf(f, condition.value);
}

/** What passes the filter, out of items of type `item`. */
function readFilter(f: Reader, filter: ast.FilterSpec, item: Type): Type {
  for (const condition of filter.conditions) typeOf(f, condition.value);
  if (filter.type === undefined) return item;
  const type = annotationType(f.program, f.state, filter.type);
  return type.t === 'any' ? item : type;
}

function filterType(f: Reader, e: ast.Filter): Type {
  const object = typeOf(f, e.object);
  const item = object.t === 'list' || object.t === 'set' || object.t === 'tuple' ? object.of : any;
  return listOf(doubted(readFilter(f, e.filter, item.t === 'never' ? any : item)), true);
}

function connectType(f: Reader, e: ast.Connect): Type {
  const left = typeOf(f, e.left);
  const right = typeOf(f, e.right);
  if (e.edge !== undefined) typeOf(f, e.edge);
  for (const field of e.fields) typeOf(f, field.value);
  waitIfGraphWaits(f, e);
  return e.direction === 'in' ? left : right;
}

// ---------------------------------------------------------------- the rest

function readJoined(f: Reader, e: ast.Joined): void {
  for (const part of e.parts) {
    if (part.kind !== 'FormatPart') continue;
    typeOf(f, part.expr);
    if (part.spec?.kind === 'Joined') readJoined(f, part.spec);
  }
}

function castType(f: Reader, e: ast.Cast): Type {
  const type = typeOf(f, e.expr);
  const cast = annotationType(f.program, f.state, e.type, f.record.owner);
  return cast.t === 'any' ? doubted(type) : cast;
}

/** `flow e` starts the call and gives a future; only its arguments are evaluated here. `wait e` waits for one. */
function flowType(f: Reader, e: ast.Flow): Type {
  if (e.word === 'wait') {
    const type = typeOf(f, e.expr);
    waitAt(f, e, f.program.points.always);
    return type.t === 'awaitable' ? type.of : type;
  }
  const before = f.point;
  f.point = makePoint();
  const type = typeOf(f, e.expr);
  const task = f.point;
  f.point = before;
  if (e.expr.kind === 'Call') for (const arg of e.expr.args) if (f.state.waits.has(arg.value)) dependOn(f.point, task);
  return { t: 'awaitable', of: type.t === 'awaitable' ? type.of : type, sure: true };
}

function yieldType(f: Reader, e: ast.Yield): Type {
  if (e.value === undefined) return any;
  const type = typeOf(f, e.value);
  if (e.from) {
    const point = iterationPoint(f, e.value, type);
    if (point !== undefined) waitAt(f, e, point);
  }
  return any;
}

function readMarkup(f: Reader, e: ast.Markup): void {
  if (typeof e.tag === 'object') typeOf(f, e.tag);
  for (const attribute of e.attributes) if (attribute.value !== undefined) typeOf(f, attribute.value);
  for (const child of e.children) {
    if (child.kind === 'Markup') readMarkup(f, child);
    else if (child.kind === 'MarkupSlot' && child.expr !== undefined) typeOf(f, child.expr);
  }
}
