/** Effects of assignments on types: of locals from place to place, of module variables over the whole program. */
import type * as ast from '../../1-parse/ast.ts';
import type { Binding, LocalBinding, ModuleBinding } from '../../2-resolve/names.ts';
import type { LocalRecord } from '../../2-resolve/records.ts';
import {
  any,
  deepest,
  depthOf,
  hinted,
  isSubclass,
  isUnknown,
  join,
  listOf,
  membersOf,
  never,
  sameType,
  withEntries,
} from '../classes/type-values.ts';
import type { GlobalRecord, Program, Reader } from '../program.ts';
import { noteSpecial, noteSubscript } from '../suspension/special-methods.ts';
import type { Entries, Type } from '../types.ts';
import { slotIn } from './environments.ts';
import { typeOf, waitAt } from './expressions.ts';
import { readLeftOut, readModule, setSlot } from './function.ts';
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
  } else if (binding.sort === 'module') {
    const declared = globalRecord(f.program, binding).declared;
    const fitted = declared === undefined ? type : held(declared, type, value);
    setSlot(f, binding, fitted);
    assignGlobal(f, binding, fitted);
  }
}

/** May the variable hold what it would without its declaration? */
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
      if (type.t === 'float') return type;
      if (type.t === 'int' || type.t === 'bool') return declared;
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
function holdsAnything(type: Type): boolean {
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

/** The type of a variable that is given a value which others have too, or as a part of one: its floats are boxed (5-emit/kinds.ts). */
export function shared(type: Type): Type {
  return type.t === 'float' ? hinted.float : type;
}

/** Assigns to whatever a target is, element by element. */
export function assignElements(f: Reader, target: ast.Expression, type: Type, value: ast.Expression | undefined): void {
  switch (target.kind) {
    case 'NameRef':
      assign(f, f.state.names.binding(target), value === undefined ? shared(type) : type, value);
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
      noteStored(f, target, type);
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

function itemAt(f: Reader, type: Type, i: number, targets: readonly ast.Expression[]): Type {
  const hasStar = targets.some((target) => target.kind === 'Starred');
  if (type.t === 'tuple' && type.items !== undefined && !hasStar) return type.items[i] ?? any;
  return elementOf(f, type, undefined);
}

/** `d[k] = v` on a container that began empty tells what it holds; so does `d[k].append(v)`, at any depth. */
function noteStored(f: Reader, target: ast.Index, value: Type): void {
  const { index } = target;
  if (target.object.kind !== 'NameRef') {
    if (index.kind !== 'Slice') noteGrown(f, target.object, itemPart(f, target, value));
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
  if (knownType(f, object).t === 'list') return { t: 'list', of: value };
  const name = literalKey(index);
  const entries = name === undefined ? undefined : new Map([[name, value]]);
  return { t: 'dict', key: plain(knownType(f, index)), value, entries };
}

/** Notes that something was put into the container in a place: `part` is a container of nothing else. */
function noteGrown(f: Reader, place: ast.Expression, part: Type): void {
  switch (place.kind) {
    case 'NameRef':
      refine(f, place, (container) => grown(container, part));
      return;
    case 'Index':
      if (place.index.kind !== 'Slice') noteGrown(f, place.object, itemPart(f, place, any));
      return;
    case 'Call':
      // `d.setdefault(k, []).append(v)`
      if (place.callee.kind === 'Attribute' && place.callee.name.text === 'setdefault')
        noteGrown(f, place.callee.object, { t: 'dict', key: any, value: any });
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

/** More are no record but a table. */
export const mostEntries = 64;

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
  if (method === 'update' && knownType(f, callee.object).t === 'dict') {
    for (const part of updatesOf(e, args)) noteGrown(f, callee.object, part);
    return;
  }
  const part = addedPart(f, method, args);
  if (part !== undefined) noteGrown(f, callee.object, part);
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
      return first.t === 'dict' ? first : { t: 'set', of: elementOf(f, first, undefined) };
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
    return type.t === 'dict' ? [type] : [];
  });
}

/** Element types that were worked out, not declared, and may grow. */
function isOpen(type: Type): boolean {
  return membersOf(type).every(
    (member) =>
      ['never', 'int', 'float', 'str', 'bool', 'none'].includes(member.t) ||
      isRecord(member) ||
      (member.t === 'list' && member.of.t === 'never'),
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
  const isPlain = membersOf(type).every((member) =>
    ['int', 'float', 'str', 'bool', 'none', 'never'].includes(member.t),
  );
  if (!isPlain) return any;
  return type.t === 'int' || type.t === 'float' || type.t === 'str' || type.t === 'bool' ? hinted[type.t] : type;
}

function moduleDeclared(f: Reader, binding: Binding): Type | undefined {
  return binding.sort === 'module' ? globalRecord(f.program, binding).declared : undefined;
}

function refine(f: Reader, node: ast.NameRef, change: (container: Type) => Type | undefined): void {
  const binding = f.state.names.binding(node);
  const declared = binding.sort === 'local' ? f.declared?.get(binding) : moduleDeclared(f, binding);
  if (declared !== undefined && !isFree(declared)) return;
  const slot = slotIn(f, binding);
  if (slot < 0) return;
  const container = f.env[slot];
  const changed = container === undefined ? undefined : change(container);
  if (changed === undefined || sameType(changed, container)) return;
  setSlot(f, binding, changed);
  if (binding.sort === 'module') assignGlobal(f, binding, changed);
}

// ---------------------------------------------------------------- module variables

export function globalRecord(program: Program, binding: ModuleBinding): GlobalRecord {
  let record = program.globals.get(binding);
  if (record === undefined) {
    record = { declared: undefined, type: never, readers: new Set() };
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
  if (f.program.isPartial) readAssigning(f.program, binding);
  const record = globalRecord(f.program, binding);
  record.readers.add(f.record);
  return globalType(f.program, binding, record);
}

/** Code all over a module gives its variables their types, and so does code of others that assigns to an attribute of that name. */
function readAssigning(program: Program, { module, name, reassigned }: ModuleBinding): void {
  const own = program.modules.get(module);
  if (own !== undefined) {
    readModule(program, own);
    if (reassigned) readLeftOut(program, own);
  }
  if (!program.points.assignedNames.has(name)) return;
  for (const state of program.modules.values()) {
    if (!state.names.assignedAttributes.has(name)) continue;
    readModule(program, state);
    readLeftOut(program, state);
  }
}

export function globalType(program: Program, binding: ModuleBinding, record: GlobalRecord): Type {
  const { declared, type } = record;
  if (type.t === 'never') return declared ?? any;
  // Assigned once, at module level, with a value that speaks for itself: certain. Else any function may have changed it.
  const isConstant = !binding.reassigned && binding.role === 'glob' && type.sure === true;
  const mayChange = program.points.memberNames.has(binding.name) || program.mockedNames.has(binding.name);
  if (isConstant && !mayChange) return type;
  if (declared !== undefined && declared.t !== 'any') return declared;
  return type.sure === true && type.t !== 'none' ? ({ ...type, sure: false } as Type) : type;
}
