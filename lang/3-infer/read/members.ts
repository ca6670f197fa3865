/** Attributes and subscripts. */
import type * as ast from '../../1-parse/ast.ts';
import { classOfDecl } from '../classes/classes.ts';
import {
  any,
  claimed,
  doubted,
  hasNone,
  hinted,
  instanceOf,
  joinAll,
  listOf,
  membersOf,
  never,
  none,
  sure,
  unionOf,
  valueUnder,
  withoutNone,
} from '../classes/type-values.ts';
import { claimedItem, claimedMember } from '../foreign/claims.ts';
import type { Reader } from '../program.ts';
import { noteSpecial, noteSubscript } from '../suspension/special-methods.ts';
import { dependOn } from '../suspension/suspension.ts';
import type { ClassInfo, FieldInfo, Type } from '../types.ts';
import { typeOf, waitAt, waitIfGraphWaits } from './expressions.ts';
import { noteEscape, valueOfBinding } from './names.ts';
import { shownType } from './places.ts';
import { reportedTypes } from './reported.ts';

/** `reads`: not the callee of a call and not an assignment target. */
export function attributeType(f: Reader, e: ast.Attribute, reads: boolean): Type {
  const object = typeOf(f, e.object);
  const type = memberType(f, e, object, reads);
  // The root of guests, which is looked up.
  if (e.object.kind === 'SpecialRef' && e.object.word === 'root' && e.name.text === 'shared') waitIfGraphWaits(f, e);
  const shown = shownType(f, e);
  if (shown !== undefined) return shown;
  return e.safe || hasNone(object) ? safeType(type, object, e.safe) : type;
}

function safeType(type: Type, object: Type, safe: boolean): Type {
  return safe && hasNone(object) && type.t !== 'any' ? unionOf([type, none]) : type;
}

function memberType(f: Reader, e: ast.Attribute, object: Type, reads: boolean): Type {
  const name = e.name.text;
  // A dot that nothing stands behind yet gives no value: what it would be assigned to keeps its type.
  if (name === '') return never;
  switch (object.t) {
    case 'instance':
      return instanceMember(f, e, object.cls, object.sure === true, name, reads);
    case 'class':
      if (mayBeManaged(object.cls, name)) noteSpecial(f, e, any, ['__get__']);
      return classMember(f, object.cls, name, reads);
    case 'module':
      return moduleMember(f, object, name, reads);
    case 'std':
      return any;
    case 'union': {
      const main = withoutNone(object);
      return main.t === 'union' ? unionMember(f, e, main, name, reads) : memberType(f, e, main, reads);
    }
    case 'float':
      return name === 'real' || name === 'imag' ? object : any;
    case 'any':
      noteUnknownMember(f, e, name, reads);
      return object.claim === undefined ? any : claimedMember(object, name, e.safe);
    default:
      return any;
  }
}

/** Tells whether the class may keep an object under the name whose `__get__` decides what reading it gives. */
function mayBeManaged({ kind, methods, attributes }: ClassInfo, name: string): boolean {
  const nested = attributes.get(name)?.kind;
  return kind !== 'enum' && methods.get(name)?.direct !== true && nested !== 'Archetype' && nested !== 'EnumDecl';
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
  noteSpecial(f, e, any, ['__getattr__', '__getattribute__', '__get__']);
  if (!reads) return;
  const method = points.methods.get(name);
  if (method !== undefined) dependOn(points.functionValue, method);
  if (points.standardMethods.has(name)) dependOn(points.functionValue, points.always);
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
  if (field === undefined || field.static) noteSpecial(f, e, any, ['__get__']);
  if (field !== undefined) {
    if (field.property) {
      const point = f.program.points.properties.get(name);
      if (point !== undefined) waitAt(f, e, point);
    }
    return isImplied(field) ? listOf(reportedIn(f, cls), false) : doubted(field.type);
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

/** Type of what a walk of the class reports, as a claim: a class below it, or code that sets `reports`, may put in something else. */
function reportedIn({ program }: Reader, cls: ClassInfo): Type {
  return claimed(doubted(unionOf(reportedTypes(program, cls))));
}

/** A walker's `reports`, where it is not declared. */
function isImplied(field: FieldInfo): boolean {
  return field.name === 'reports' && field.declared === undefined && field.owner.kind === 'walker';
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
  if (object.std) return standardMember(object.module, name);
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
export function standardMember(module: string, name: string): Type {
  if (
    ['os', 'urllib', 'collections', 'unittest', 'requests'].includes(module) &&
    /^(path|parse|request|error|abc|mock|exceptions)$/.test(name)
  ) {
    return { t: 'module', module: `${module}.${name}`, std: true, sure: true };
  }
  if (module === 'byllm' && /^(lib|types|llm|exceptions|parallel)$/.test(name))
    return { t: 'module', module: `byllm.${name}`, std: true, sure: true };
  if (module === 'math' && /^(pi|e|tau)$/.test(name)) return sure.float;
  if (module === 'math' && /^(inf|nan)$/.test(name)) return sure.float;
  if (module === 'sys' && name === 'maxsize') return hinted.int;
  if (
    (module === 'os' && /^(sep|linesep|name)$/.test(name)) ||
    (module === 'sys' && /^(platform|version|executable)$/.test(name))
  ) {
    return hinted.str;
  }
  return { t: 'std', module, name, sure: true };
}

export function indexType(f: Reader, e: ast.Index): Type {
  const object = typeOf(f, e.object);
  const index = typeOf(f, e.index);
  noteSubscript(f, e, object, index, ['__getitem__', '__missing__']);
  const found = elementAt(f, object, index, e.index);
  const type = found;
  const shown = shownType(f, e);
  if (shown !== undefined) return shown;
  return e.safe && type.t !== 'any' ? unionOf([type, none]) : type;
}

/** Nothing, or None that something else may have been put in the place of, through another name. */
function isVacant(of: Type): boolean {
  return of.t === 'never' || of.t === 'none';
}

function elementAt(f: Reader, object: Type, index: Type, e: ast.Expression): Type {
  const isSlice = e.kind === 'Slice';
  switch (object.t) {
    case 'any':
      return claimedItem(object, e, (type) => elementAt(f, type, index, e));
    case 'list':
      return isSlice ? object : isVacant(object.of) ? any : doubted(object.of);
    case 'tuple': {
      if (isSlice) return { t: 'tuple', items: undefined, of: object.of, sure: object.sure === true };
      const at = e.kind === 'NumberLiteral' && typeof e.value === 'number' ? object.items?.[e.value] : undefined;
      return doubted(at ?? (object.of.t === 'never' ? any : object.of));
    }
    case 'dict': {
      const value = valueUnder(object, e.kind === 'StringLiteral' ? e.value : undefined);
      return isVacant(value) ? any : doubted(value);
    }
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
      // A node answers [0] and [-1] with itself (docs/language/graph.md#value-of-connect).
      return object.cls.kind === 'node' && index.t === 'int' ? object : any;
    }
    case 'union': {
      // Text has nothing under a text.
      const isKey = e.kind === 'StringLiteral';
      const main = unionOf(membersOf(object).filter(({ t }) => t !== 'none' && !(isKey && t === 'str')));
      return main.t === 'union' || main.t === 'never' ? any : elementAt(f, main, index, e);
    }
    default:
      return any;
  }
}
