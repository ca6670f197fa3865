import type * as ast from '../../1-parse/ast.ts';
import type { Binding } from '../../2-resolve/names.ts';
import type { LocalRecord } from '../../2-resolve/records.ts';
import { classOfDecl } from '../classes/classes.ts';
import { any, none, sure } from '../classes/type-values.ts';
import { functionRecord } from '../functions/functions.ts';
import type { ModuleState, Program, Reader } from '../program.ts';
import type { Type } from '../types.ts';
import { globalRecord, globalType } from './assign.ts';
import { localImport, valueOfBinding } from './names.ts';

/** The type of an expression that has been read. */
export function knownType(f: Reader, e: ast.Expression): Type {
  return f.state.types.get(e) ?? plainType(f.program, f.state, e);
}

/** The type of what has no entry: literals, names of functions, classes and modules; anything else is unknown. */
export function plainType(program: Program, state: ModuleState, e: ast.Expression): Type {
  switch (e.kind) {
    case 'NameRef': {
      const binding = state.names.binding(e);
      if (binding.sort === 'local' && binding.role === 'import') return localImport(program, state, binding, undefined);
      if (binding.sort === 'local' && binding.role !== 'def' && binding.role !== 'type') return any;
      if (binding.sort === 'module' && (binding.role === 'glob' || binding.role === 'entry')) return any;
      return bindingType(program, state, binding);
    }
    case 'NumberLiteral':
      return e.float ? sure.float : sure.int;
    case 'StringLiteral':
      return e.bytes ? sure.bytes : sure.str;
    case 'Joined':
      return sure.str;
    case 'Constant':
      return e.value === null ? none : e.value === 'ellipsis' ? any : sure.bool;
    default:
      return any;
  }
}

/** The type of a variable, function, class or module over its whole life. */
export function bindingType(program: Program, state: ModuleState, binding: Binding): Type {
  if (binding.sort === 'local') {
    const { slot, home } = binding as LocalRecord;
    const decl = binding.decl;
    if (binding.role === 'def' && decl?.kind === 'FunctionDecl') {
      return { t: 'function', fn: functionRecord(program, state, decl, undefined).info, sure: true };
    }
    if (decl?.kind === 'Archetype' || decl?.kind === 'EnumDecl') {
      return { t: 'class', cls: classOfDecl(program, state, decl), sure: true };
    }
    return state.wholes.get(home)?.[slot] ?? any;
  }
  if (binding.sort === 'module' && (binding.role === 'glob' || binding.role === 'entry')) {
    return globalType(program, binding, globalRecord(program, binding));
  }
  return valueOfBinding(program, state, binding, undefined);
}
