/** Types of names: variables at this place, functions, classes, modules, built-ins. */
import type * as ast from '../../1-parse/ast.ts';
import type { Binding, LocalBinding, ModuleBinding } from '../../2-resolve/names.ts';
import type { LocalRecord } from '../../2-resolve/records.ts';
import { classOfBinding, classOfDecl, runtimeClass } from '../classes/classes.ts';
import { any, claimed, doubted, instanceOf, membersOf, never, sure } from '../classes/type-values.ts';
import { functionRecord } from '../functions/functions.ts';
import type { FunctionRecord, ModuleState, Program, Reader } from '../program.ts';
import { dependOn } from '../suspension/suspension.ts';
import type { ClassInfo, Type } from '../types.ts';
import { globalRecord, globalType, readGlobal } from './assign.ts';
import { slotIn } from './environments.ts';
import { standardMember } from './members.ts';
import { shownType } from './places.ts';
import { callPoint, constructionPoint } from './points.ts';

/** `escapes`: the value may go anywhere, so a function in it may be called by anyone. */
export function nameType(f: Reader, e: ast.NameRef, escapes: boolean): Type {
  const binding = f.state.names.binding(e);
  const shown = shownType(f, e);
  if (shown !== undefined) return shown;
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
    return type === undefined || type.t === 'never' ? any : type;
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
    if (record.info.direct) return { t: 'function', fn: record.info, sure: true };
    noteUnknown(f.program, record);
    return any;
  }
  if (decl.kind === 'Archetype' || decl.kind === 'EnumDecl') {
    if (binding.reassigned) return any;
    return { t: 'class', cls: classOfDecl(f.program, f.state, decl), sure: true };
  }
  return localImport(f.program, f.state, binding, f);
}

/** Gives the type of a name that a function imports. */
export function localImport(program: Program, state: ModuleState, binding: LocalBinding, f: Reader | undefined): Type {
  const { import: target, reassigned } = binding;
  if (target === undefined || (reassigned && target.of !== 'builtin')) return any;
  return importedType(program, state, target, reassigned, f);
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
      return valueOfFunction(program, state, binding, decl);
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
      if (binding.decl?.kind === 'FunctionDecl' && !binding.reassigned)
        return valueOfFunction(program, state, binding, binding.decl);
      return f === undefined ? globalType(program, binding, globalRecord(program, binding)) : readGlobal(f, binding);
    case 'import':
      return binding.import === undefined ? any : importedType(program, state, binding.import, binding.reassigned, f);
    case 'alias': {
      const cls = classOfBinding(program, state, binding);
      return cls === undefined ? any : { t: 'class', cls, sure: true };
    }
  }
}

function valueOfFunction(program: Program, state: ModuleState, binding: ModuleBinding, decl: ast.FunctionDecl): Type {
  const home = program.modules.get(binding.module) ?? state;
  const record = functionRecord(program, home, decl, undefined);
  if (record.info.direct) return { t: 'function', fn: record.info, sure: true };
  noteUnknown(program, record);
  return any;
}

// Notes that decorators may call the function where nobody knows it. Calling an `async def` or a generator only makes
// an object.
function noteUnknown(program: Program, { info, point }: FunctionRecord): void {
  if (!info.async && !info.generator) dependOn(program.points.functionValue, point);
}

const neutralClassDecorators = new Set([
  'restspec',
  'schedule',
  'dataclass',
  'final',
  'runtime_checkable',
  'total_ordering',
]);

function isNeutralClassDecorator(decorator: ast.Expression): boolean {
  const callee = decorator.kind === 'Call' ? decorator.callee : decorator;
  return callee.kind === 'NameRef' && neutralClassDecorators.has(callee.name);
}

/** Modules that import a name from each other while none of them has it. */
function isCircular(program: Program, member: ModuleBinding): boolean {
  const seen = new Set<ModuleBinding>();
  for (let at: ModuleBinding | undefined = member; at?.import?.of === 'member'; ) {
    if (seen.has(at)) return true;
    seen.add(at);
    at = program.modules.get(at.import.module)?.names.bindings.get(at.import.member);
  }
  return false;
}

function importedType(
  program: Program,
  state: ModuleState,
  target: NonNullable<LocalBinding['import']>,
  reassigned: boolean,
  f: Reader | undefined,
): Type {
  switch (target.of) {
    case 'module':
      return { t: 'module', module: target.module, std: false, sure: true };
    case 'member': {
      const home = program.modules.get(target.module) ?? state;
      const member = home.names.bindings.get(target.member);
      if (member === undefined || isCircular(program, member)) return any;
      return valueOfBinding(program, home, member, f);
    }
    case 'builtin':
      if (target.member === undefined) return { t: 'module', module: target.module, std: true, sure: true };
      if (/^(svclang|builtins)(\.|$)/.test(target.module)) {
        const type = builtinValue(program, target.member);
        if (type !== any) return type;
      }
      return reassigned
        ? { t: 'std', module: target.module, name: target.member, sure: true }
        : constantOf(target.module, target.member);
    case 'js':
      return claimed(program.foreign.valueOf(target.specifier, target.member));
    default:
      return any;
  }
}

/** A member that was imported by its name. Modules below others are read like any other member then. */
function constantOf(module: string, name: string): Type {
  const type = standardMember(module, name);
  return type.t === 'module' ? { t: 'std', module, name, sure: true } : type;
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
  const sized = sizedNumber(name);
  if (sized !== undefined) return { t: 'builtin', name: sized, sure: true };
  return constants[name] ?? any;
}

/** `i32` and its kin mean `int`, `f32` and `f64` mean `float` (docs/language/placement.md#native). */
function sizedNumber(name: string): 'int' | 'float' | undefined {
  if (/^[iu](8|16|32|64)$/.test(name)) return 'int';
  return name === 'f32' || name === 'f64' ? 'float' : undefined;
}

/**
 * Is `here.name` of a node's or edge's ability what only the visitor has? `here` was the walker there in older programs
 * (docs/language/older-programs.md#old-meanings).
 */
function meansVisitor({ here, visitor }: Reader, name: string | undefined): boolean {
  if (name === undefined || here.t !== 'instance' || (here.cls.kind !== 'node' && here.cls.kind !== 'edge'))
    return false;
  if (here.cls.open || declares(here.cls, name) || name.startsWith('__')) return false;
  const visitors = membersOf(visitor);
  return visitors.every((type) => type.t === 'instance' && type.cls.kind === 'walker' && declares(type.cls, name));
}

function declares(cls: ClassInfo, name: string): boolean {
  return cls.fields.has(name) || cls.methods.has(name) || cls.attributes.has(name) || cls.abilities.has(name);
}

export function specialType(f: Reader, e: ast.SpecialRef): Type {
  const param = f.state.names.special(e);
  const shown = shownType(f, e);
  if (shown !== undefined) return shown;
  if (param !== undefined) return localType(f, param);
  switch (e.word) {
    case 'self':
      return f.self;
    case 'here':
      return meansVisitor(f, f.state.names.memberOfHere(e)) ? f.visitor : f.here;
    case 'visitor':
      return f.visitor;
    case 'root':
      return instanceOf(runtimeClass(f.program, 'Root')!, true);
    default:
      return any;
  }
}
