/** Effects of assignments on types: of locals from place to place, of module variables over the whole program. */
import type * as ast from '../../1-parse/ast.ts';
import type { Binding, LocalBinding, ModuleBinding } from '../../2-resolve/names.ts';
import type { LocalRecord } from '../../2-resolve/records.ts';
import {
  any,
  anyFloat,
  deepest,
  depthOf,
  hinted,
  isEndless,
  isLeftOpen,
  isSubclass,
  isUnknown,
  join,
  listOf,
  membersOf,
  never,
  sameType,
  shaped,
  shapeOf,
  sure,
  withEntries,
} from '../classes/type-values.ts';
import { kindOfValue } from '../floats/attribute-kinds.ts';
import type { GlobalRecord, Program, Reader } from '../program.ts';
import { noteSpecial, noteSubscript } from '../suspension/special-methods.ts';
import type { Entries, Type } from '../types.ts';
import { slotIn } from './environments.ts';
import { typeOf, waitAt } from './expressions.ts';
import { setSlot } from './function.ts';
import { elementOf, iterationPoint } from './iteration.ts';
import { forgetMember } from './places.ts';
import { knownType } from './plain-type.ts';

/** Notes the declared type of a variable. */
export function declareLocal(f: Reader, binding: Binding, declared: Type): void {
  if (binding.sort === 'local') (f.declared ??= new Map()).set(binding, declared);
  else if (binding.sort === 'module') globalRecord(f.program, binding).declared = declared;
}

/** Notes that a variable holds a value. `value` is the expression, when there is one. */
export function assign(f: Reader, binding: Binding, type: Type, value: ast.Expression | undefined): void {
  if (binding.sort === 'local') {
    const declared = f.declared?.get(binding) ?? outerDeclared(f, binding);
    setSlot(f, binding, declared === undefined ? type : held(declared, type, value));
    if (declared !== undefined && f.declared?.has(binding)) noteBegun(f, binding, declared, type);
  } else if (binding.sort === 'module') {
    const declared = globalRecord(f.program, binding).declared;
    const fitted = declared === undefined ? type : held(declared, type, value);
    setSlot(f, binding, fitted);
    assignGlobal(f, binding, fitted);
    if (declared !== undefined) noteBegun(f, binding, declared, type);
  }
}

/**
 * Notes the first value of a container whose declared type may hold anything: the types of items put into it later are
 * joined to it.
 */
function noteBegun(f: Reader, binding: Binding, declared: Type, type: Type): void {
  if (!containers.has(declared.t) || isFree(declared) || !isLeftOpen(declared)) return;
  const before = begunOf(f, binding);
  setBegun(f, binding, before === undefined ? type : join(before, type));
}

const containers: ReadonlySet<string> = new Set(['list', 'set', 'dict', 'tuple']);

function begunOf(f: Reader, binding: Binding): Type | undefined {
  return binding.sort === 'module' ? globalRecord(f.program, binding).begun : f.begun?.get(binding as LocalBinding);
}

function setBegun(f: Reader, binding: Binding, type: Type): void {
  const known = depthOf(type) > deepest ? any : type;
  if (binding.sort !== 'module') {
    (f.begun ??= new Map()).set(binding as LocalBinding, known);
    return;
  }
  const record = globalRecord(f.program, binding);
  if (sameType(known, record.begun)) return;
  record.begun = known;
  for (const reader of record.readers) f.program.stale.add(reader);
}

/** A variable of a declared type with the floats that were put into it. */
export function withBegun(f: Reader, binding: Binding, type: Type): Type {
  const begun = binding.sort === 'builtin' ? undefined : begunOf(f, binding);
  if (begun === undefined) return type;
  const declared = binding.sort === 'module' ? moduleDeclared(f, binding) : f.declared?.get(binding as LocalBinding);
  const shape = shaped(begun);
  if (declared?.t !== type.t || shape === any) return type;
  return withEntries({ ...declared, sure: type.sure === true } as Type, shape);
}

/** Tells whether the variable may hold the value it would hold without its declaration. */
function isFree(declared: Type): boolean {
  return declared.t === 'any' || holdsAnything(declared);
}

function outerDeclared(f: Reader, binding: LocalBinding): Type | undefined {
  if ((binding as LocalRecord).home === f.scope) return undefined;
  for (let outer = f.outer; outer !== undefined; outer = outer.outer) {
    const declared = outer.declared?.get(binding);
    if (declared !== undefined) return declared;
  }
  return undefined;
}

/**
 * Gives the type of a variable with a declared type after an assignment. Annotations are hints
 * (docs/language/diagnostics.md#static-checks): where the value is better known, it counts; an int in a float place is
 * a float; elements are what the declaration says.
 */
export function held(declared: Type, type: Type, value: ast.Expression | undefined): Type {
  if (type.t === 'any' || type.t === 'never') return declared;
  switch (declared.t) {
    case 'any':
      return type;
    case 'float':
      if (type.t === 'float') return isEndless(type) ? hinted.float : type;
      if (type.t === 'int' || type.t === 'bool') return isPlainInt(value) ? sure.float : hinted.float;
      return type.sure === true ? type : declared;
    case 'union': {
      const member = declared.of.find((one) => one.t === type.t && (one.t !== 'instance' || fitsClass(one, type)));
      if (member !== undefined) return held(member, type, value);
      const number = declared.of.find((one) => one.t === 'float');
      return number !== undefined && type.t === 'int'
        ? held(number, type, value)
        : type.sure === true
          ? type
          : declared;
    }
    case 'list':
    case 'set':
    case 'frozenset':
    case 'dict':
    case 'tuple':
      if (type.t !== declared.t) return type.sure === true ? type : declared;
      // An empty display is known by the items put in later, as without the annotation.
      if (holdsAnything(declared) && isEmptyDisplay(value)) return type;
      return withEntries(type.sure === true ? ({ ...declared, sure: true } as Type) : declared, type);
    case 'instance':
      if (type.t === 'instance') return fitsClass(declared, type) ? type : type.sure === true ? type : declared;
      return type.sure === true ? type : declared;
    default:
      return type.t === declared.t || type.sure === true ? type : declared;
  }
}

/** `list`, `dict`, `set` alone. */
export function holdsAnything(type: Type): boolean {
  if (type.t === 'dict') return type.key.t === 'any' && type.value.t === 'any';
  return (type.t === 'list' || type.t === 'set') && type.of.t === 'any';
}

const makers = new Set(['list', 'dict', 'set']);

/** `[]`, `{}`, `list()`, `dict()`, `set()`; other names of the program are told by the type. */
function isEmptyDisplay(e: ast.Expression | undefined): boolean {
  if (e?.kind === 'Call') return e.args.length === 0 && e.callee.kind === 'NameRef' && makers.has(e.callee.name);
  return (e?.kind === 'ListExpr' && e.items.length === 0) || (e?.kind === 'DictExpr' && e.entries.length === 0);
}

function fitsClass(declared: Type, type: Type): boolean {
  return declared.t === 'instance' && type.t === 'instance' && isSubclass(type.cls, declared.cls);
}

function isPlainInt(value: ast.Expression | undefined): boolean {
  if (value?.kind === 'Unary' && value.op === '-') return isPlainInt(value.operand);
  return value?.kind === 'NumberLiteral' && typeof value.value === 'number';
}

/** Assigns to whatever a target is, element by element. */
export function assignElements(f: Reader, target: ast.Expression, type: Type, value: ast.Expression | undefined): void {
  switch (target.kind) {
    case 'NameRef':
      assign(f, f.state.names.binding(target), type, value);
      return;
    case 'TupleExpr':
    case 'ListExpr':
      noteUnpacked(f, target, type, value);
      target.items.forEach((item, i) => {
        if (item.kind === 'Starred')
          assignElements(f, item.expr, listOf(elementOf(f, type, undefined), true), undefined);
        else assignElements(f, item, itemAt(f, type, i, target.items), undefined);
      });
      return;
    case 'Starred':
      assignElements(f, target.expr, type, undefined);
      return;
    case 'Index':
      typeOf(f, target);
      noteSubscript(f, target, knownType(f, target.object), knownType(f, target.index), ['__setitem__']);
      if (target.index.kind === 'Slice') noteUnpacked(f, target, type, value);
      noteStored(f, target, isPlainFloat(f, type, value) ? anyFloat : type);
      forgetMember(f, target);
      return;
    case 'Attribute':
      typeOf(f, target);
      noteSpecial(f, target, knownType(f, target.object), ['__setattr__']);
      noteSpecial(f, target, any, ['__set__']);
      assignMember(f, target, type);
      forgetMember(f, target);
      return;
    default:
      typeOf(f, target);
  }
}

/** The parts of what has to be waited for one by one. */
function noteUnpacked(f: Reader, target: ast.Expression, type: Type, value: ast.Expression | undefined): void {
  // Targets in a loop or in an unpacking hardly ever get an iterator.
  const mayBe = type.t === 'iterator' || type.t === 'instance' || (value !== undefined && isUnknown(type));
  if (!mayBe) return;
  const point = value === undefined ? f.program.points.anyIterator : iterationPoint(f, value, type);
  if (point !== undefined) waitAt(f, target, point);
}

/** `settings.debug = True` with a module of the program. */
function assignMember(f: Reader, target: ast.Attribute, type: Type): void {
  const object = knownType(f, target.object);
  if (object.t !== 'module' || object.std) return;
  const binding = f.program.modules.get(object.module)?.names.bindings.get(target.name.text);
  if (binding?.sort === 'module') assignGlobal(f, binding, type);
}

/** `setattr(settings, name, value)` with a module of the program: the variable named in the text, or else any of them. */
export function assignByName(f: Reader, e: ast.Call): void {
  const [object, name] = e.args.map(({ value }) => value);
  const type = object === undefined ? any : knownType(f, object);
  if (name === undefined || type.t !== 'module' || type.std) return;
  for (const binding of f.program.modules.get(type.module)?.names.bindings.values() ?? []) {
    if (binding.role !== 'glob' && binding.role !== 'entry') continue;
    if (name.kind === 'StringLiteral' && name.value !== binding.name) continue;
    f.program.points.assignedNames.add(binding.name);
    assignGlobal(f, binding, any);
  }
}

/** Tells whether the text shows a float where the types do not: `d.get(k, 0.0) + 1` of a dict of anything. */
function isPlainFloat({ program, state }: Reader, type: Type, value: ast.Expression | undefined): boolean {
  return type === any && kindOfValue(program, state, value) === 'float';
}

function itemAt(f: Reader, type: Type, i: number, targets: readonly ast.Expression[]): Type {
  const hasStar = targets.some((target) => target.kind === 'Starred');
  const shown = shapeOf(type);
  if (shown.t === 'tuple' && shown.items !== undefined && !hasStar) return shown.items[i] ?? any;
  return elementOf(f, type, undefined);
}

/** `d[k] = v` on a container that began empty tells what it holds; so does `d[k].append(v)`, at any depth. */
function noteStored(f: Reader, target: ast.Index, value: Type): void {
  const { index } = target;
  const key = literalKey(index);
  if (key !== undefined) f.program.kept.set(index, [{ attribute: underKey(key), type: value }]);
  if (target.object.kind !== 'NameRef') {
    if (index.kind !== 'Slice') noteGrown(f, target, target.object, itemPart(f, target, value));
    return;
  }
  refine(f, target.object, (container) => {
    if (container.t === 'dict') {
      const entries = storedEntry(container, index, value);
      if (!isOpen(container.value)) return entries === container.entries ? undefined : { ...container, entries };
      const [key, held] = [join(container.key, plain(knownType(f, index))), join(container.value, plain(value))];
      return { ...container, key, value: held, entries };
    }
    return container.t === 'list' ? grown(container, { t: 'list', of: value }) : undefined;
  });
}

/** Gives the type that an assignment to `object[index]` proves of `object`. */
function itemPart(f: Reader, { object, index }: ast.Index, value: Type): Type {
  if (shapeOf(knownType(f, object)).t === 'list') return { t: 'list', of: value };
  const name = literalKey(index);
  const entries = name === undefined ? undefined : new Map([[name, value]]);
  return { t: 'dict', key: plain(knownType(f, index)), value, entries };
}

/** Notes that something was put into the container in a place: `part` is a container of nothing else. */
function noteGrown(f: Reader, node: ast.Node, place: ast.Expression, part: Type): void {
  switch (place.kind) {
    case 'NameRef':
      refine(f, place, (container) => grown(container, part));
      return;
    case 'Attribute':
      noteKept(f, node, place, part);
      return;
    case 'Index':
      if (place.index.kind !== 'Slice') noteGrown(f, node, place.object, itemPart(f, place, shaped(part)));
      return;
    case 'Call':
      // `d.setdefault(k, []).append(v)`
      if (place.callee.kind === 'Attribute' && place.callee.name.text === 'setdefault')
        noteGrown(f, node, place.callee.object, { t: 'dict', key: any, value: shaped(part) });
      return;
    default:
  }
}

type DictType = Extract<Type, { t: 'dict' }>;

function grown(container: Type, part: Type): Type | undefined {
  if ((container.t === 'list' || container.t === 'set') && (part.t === 'list' || part.t === 'set'))
    return isOpen(container.of) ? { ...container, of: join(container.of, plain(part.of)) } : undefined;
  if (container.t !== 'dict' || part.t !== 'dict') return undefined;
  const value = plain(part.value);
  const entries = part.entries === undefined ? container.entries : entriesOfBoth(container, { ...part, value });
  if (!isOpen(container.value)) return entries === container.entries ? undefined : { ...container, entries };
  return { ...container, key: join(container.key, part.key), value: join(container.value, value), entries };
}

function entriesOfBoth(a: DictType, b: DictType): Entries | undefined {
  return (join({ ...a, sure: false }, { ...b, sure: false }) as DictType).entries;
}

/** Notes that something is put into the container in an attribute, or added to its value. */
export function noteKept(f: Reader, node: ast.Node, place: ast.Expression, type: Type): void {
  if (place.kind === 'Attribute') f.program.kept.set(node, [{ attribute: place.name.text, type }]);
}

/** More are no record but a table. */
export const mostEntries = 64;

/** Gives the name that a key has among the names of attributes. */
export function underKey(key: string): string {
  return `[${key}]`;
}

/** Text of a key that is written as literal text. */
export function literalKey(e: ast.Expression): string | undefined {
  return e.kind === 'StringLiteral' && !e.bytes ? e.value : undefined;
}

function storedEntry(container: DictType, key: ast.Expression, value: Type): Entries | undefined {
  const { entries } = container;
  const name = literalKey(key);
  if (name === undefined) return container.value.t === 'never' ? undefined : entries;
  if (entries === undefined && container.value.t !== 'never') return undefined;
  const type = plain(value);
  if (entries !== undefined && (entries.size >= mostEntries || sameType(entries.get(name), type))) return entries;
  return new Map(entries).set(name, type);
}

/** A call of a method that puts something into a container. */
export function noteAppended(f: Reader, e: ast.Call, callee: ast.Attribute, args: readonly Type[]): void {
  const method = callee.name.text;
  if (method === 'update' && shapeOf(knownType(f, callee.object)).t === 'dict') {
    for (const part of updatesOf(e, args)) noteGrown(f, e, callee.object, part);
    return;
  }
  const part = addedPart(f, method, args);
  if (part !== undefined) noteGrown(f, e, callee.object, part);
}

/** Gives the type of a container that holds nothing but the items a method adds to it. */
function addedPart(f: Reader, method: string, [first, second]: readonly Type[]): Type | undefined {
  if (first === undefined) return undefined;
  switch (method) {
    case 'append':
    case 'appendleft':
      return { t: 'list', of: first };
    case 'insert':
      return second && { t: 'list', of: second };
    case 'extend':
      return { t: 'list', of: elementOf(f, first, undefined) };
    case 'add':
      return { t: 'set', of: first };
    case 'update': {
      const shown = shapeOf(first);
      return shown.t === 'dict' ? shown : { t: 'set', of: elementOf(f, first, undefined) };
    }
    case 'setdefault':
      // `d.setdefault(k, {})`: what is put into it then tells.
      return second && !['list', 'dict', 'set'].includes(second.t)
        ? { t: 'dict', key: plain(first), value: second }
        : undefined;
    default:
      return undefined;
  }
}

/** `d.update(other, key=value)`: the dicts that are put into `d`. */
function updatesOf({ args }: ast.Call, types: readonly Type[]): readonly DictType[] {
  return args.flatMap(({ sort, name }, i) => {
    const type = types[i] ?? any;
    if (sort === 'keyword')
      return [{ t: 'dict', key: hinted.str, value: type, entries: new Map([[name!.text, plain(type)]]) }];
    const other = shapeOf(type);
    return other.t === 'dict' ? [other] : [];
  });
}

/** Element types that were worked out, not declared, and may grow. */
function isOpen(type: Type): boolean {
  return membersOf(type).every(
    (member) =>
      ['never', 'int', 'float', 'str', 'bool', 'none'].includes(member.t) ||
      isRecord(member) ||
      (member.t === 'list' && member.of.t === 'never') ||
      (member.t === 'any' && (member.float === true || member.shape !== undefined)),
  );
}

function isRecord(type: Type): boolean {
  return type.t === 'dict' && type.entries !== undefined;
}

/**
 * Gives the type by which a value is followed into a container: only plain values are, another name for the container
 * may add anything. Of records, what their keys tell.
 */
function plain(type: Type): Type {
  if (type.t === 'dict' && type.entries !== undefined) {
    return { t: 'dict', key: any, value: any, entries: type.entries, sure: false };
  }
  // An empty container says nothing: the items put into it later are told by their key.
  if ((type.t === 'list' || type.t === 'set') && type.of.t === 'never')
    return { t: 'any', shape: { ...type, sure: false } };
  const isPlain = membersOf(type).every((member) =>
    ['int', 'float', 'str', 'bool', 'none', 'never'].includes(member.t),
  );
  if (!isPlain) return type.t === 'any' ? type : shaped(type);
  return type.t === 'int' || type.t === 'float' || type.t === 'str' || type.t === 'bool' ? hinted[type.t] : type;
}

function moduleDeclared(f: Reader, binding: Binding): Type | undefined {
  return binding.sort === 'module' ? globalRecord(f.program, binding).declared : undefined;
}

function refine(f: Reader, node: ast.NameRef, change: (container: Type) => Type | undefined): void {
  const binding = f.state.names.binding(node);
  const declared = binding.sort === 'local' ? f.declared?.get(binding) : moduleDeclared(f, binding);
  if (declared !== undefined && !isFree(declared)) {
    refineBegun(f, binding, change);
    return;
  }
  const slot = slotIn(f, binding);
  if (slot < 0) {
    if (binding.sort === 'module') refineGlobal(f, binding, change);
    return;
  }
  const container = f.env[slot];
  const changed = container === undefined ? undefined : refined(container, change);
  if (changed === undefined || sameType(changed, container)) return;
  setSlot(f, binding, changed);
  if (binding.sort === 'module') assignGlobal(f, binding, changed);
}

/** Refines the known elements of a variable; its declared type stays. */
function refineBegun(f: Reader, binding: Binding, change: (container: Type) => Type | undefined): void {
  const begun = begunOf(f, binding);
  const changed = begun === undefined ? undefined : refined(begun, change);
  if (changed !== undefined) setBegun(f, binding, changed);
}

/** Any module may put something into it, so it is followed for display only. */
function refineGlobal(f: Reader, binding: ModuleBinding, change: (container: Type) => Type | undefined): void {
  const { type } = globalRecord(f.program, binding);
  const shape = shaped(refined(type, change) ?? any);
  if (shape.t !== 'any' || shape.shape === undefined) return;
  assignGlobal(f, binding, type.t === 'any' ? shape : ({ ...shape.shape, sure: type.sure === true } as Type));
}

function refined(container: Type, change: (container: Type) => Type | undefined): Type | undefined {
  const shown = shapeOf(container);
  const changed = change(shown);
  return changed === undefined || shown === container ? changed : shaped(changed);
}

// ---------------------------------------------------------------- module variables

export function globalRecord(program: Program, binding: ModuleBinding): GlobalRecord {
  let record = program.globals.get(binding);
  if (record === undefined) {
    record = { declared: undefined, begun: undefined, type: never, readers: new Set() };
    program.globals.set(binding, record);
  }
  return record;
}

function assignGlobal(f: Reader, binding: ModuleBinding, type: Type): void {
  const record = globalRecord(f.program, binding);
  const joined = join(record.type, type);
  if (sameType(joined, record.type)) return;
  record.type = depthOf(joined) > deepest ? any : joined;
  for (const reader of record.readers) f.program.stale.add(reader);
}

/** The type of a module variable as code in `f` reads it. */
export function readGlobal(f: Reader, binding: ModuleBinding): Type {
  const record = globalRecord(f.program, binding);
  record.readers.add(f.record);
  return globalType(f.program, binding, record);
}

export function globalType(program: Program, binding: ModuleBinding, record: GlobalRecord): Type {
  const { declared, begun } = record;
  const shape = begun === undefined ? any : shaped(begun);
  const type = declared === undefined || shape === any ? record.type : withEntries(record.type, shape);
  if (type.t === 'never') return declared ?? any;
  // Assigned once, at module level, with a value that speaks for itself: certain. Else any function may have changed it.
  const isConstant = !binding.reassigned && binding.role === 'glob' && type.sure === true;
  const mayChange = program.points.memberNames.has(binding.name) || program.mockedNames.has(binding.name);
  if (isConstant && !mayChange) return type;
  if (declared !== undefined && declared.t !== 'any') return shape === any ? declared : withEntries(declared, shape);
  return type.sure === true && type.t !== 'none' ? ({ ...type, sure: false } as Type) : type;
}
