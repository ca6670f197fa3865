/** Types as values: for `isinstance`, triggers, filters and `except`. */
import type * as ast from '../1-parse/ast.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import type { Cx } from './context.ts';
import { expr } from './expressions.ts';
import { identifier } from './identifiers.ts';
import { builtinValue, liveMember } from './names.ts';
import { ambientClasses, genericName, unionParts } from './type-refs.ts';

/** Meaning of `list[int]`: the class without what it holds, or the value that `isinstance` refuses as Python does. */
type Brackets = 'left out' | 'kept';

/** Code of a class, or of a tuple of classes for a union. */
export function typeValue(c: Cx, e: ast.Expression, brackets?: Brackets): string {
  const list = typeList(c, e, brackets);
  return list.length === 1 ? list[0]! : `$.tuple(${list.join(', ')})`;
}

/** The classes a type expression names, as codes: unions and tuples give several. */
export function typeList(c: Cx, e: ast.Expression, brackets: Brackets = 'left out'): string[] {
  switch (e.kind) {
    case 'Binary':
      if (e.op === '|') return [...unionParts(e)].flatMap((part) => typeList(c, part, brackets));
      return [expr(c, e)];
    case 'TupleExpr':
    case 'ListExpr':
      return e.items.flatMap((item) => typeList(c, item, brackets));
    case 'SpecialRef':
      return e.word === 'root' ? ['$.Root'] : [expr(c, e)];
    case 'NameRef':
      return [typeName(c, e)];
    case 'Constant':
      return [e.value === null ? 'null' : expr(c, e)];
    case 'Index':
      return parametrized(c, e, brackets);
    case 'StringLiteral': {
      const type = c.u.types.annotation(e);
      const code = type.t === 'instance' ? classCode(c, type.cls) : undefined;
      return [code ?? expr(c, e)];
    }
    default:
      return [expr(c, e)];
  }
}

// `Optional[int]` and `Union[int, str]` name what is in the brackets; `KINDS[k]` is what the container has there.
function parametrized(c: Cx, e: ast.Index, brackets: Brackets): string[] {
  if (!isType(c, e.object)) return [expr(c, e)];
  const name = genericName(c, e.object);
  if (name === 'Union') return typeList(c, e.index, brackets);
  if (name === 'Optional') return [...typeList(c, e.index, brackets), 'null'];
  return brackets === 'kept' ? [expr(c, e)] : typeList(c, e.object);
}

function isType(c: Cx, e: ast.Expression): boolean {
  const { t } = c.u.types.of(e);
  if (t === 'class' || t === 'builtin') return true;
  if (e.kind === 'Attribute') return c.u.types.of(e.object).t === 'module';
  if (e.kind !== 'NameRef') return false;
  const binding = c.u.names.binding(e);
  return (
    binding.sort === 'builtin' || (binding.sort !== 'unresolved' && /^(builtin|erased)$/.test(binding.import?.of ?? ''))
  );
}

const keywordTypes: Readonly<Record<string, string>> = {
  node: '$.Node',
  edge: '$.Edge',
  walker: '$.Walker',
  obj: '$.Archetype',
  root: '$.Root',
};

function typeName(c: Cx, e: ast.NameRef): string {
  if (e.escaped && e.name === 'root') return '$.Root';
  const binding = c.u.names.binding(e);
  if (binding.sort === 'unresolved' && keywordTypes[e.name] !== undefined) return keywordTypes[e.name]!;
  return expr(c, e);
}

/** Code by which this module can name a class; undefined when it cannot. */
export function classCode(c: Cx, cls: ClassInfo): string | undefined {
  if (cls.kind === 'runtime')
    return ambientClasses.has(cls.name) || /(Error|Exception)$/.test(cls.name) ? builtinValue(c, cls.name) : undefined;
  if (cls.decl !== undefined) {
    const local = c.u.classCode.get(cls.decl);
    if (local !== undefined) return local;
  }
  if (cls.module === c.u.id) {
    const binding = c.u.names.bindings.get(cls.name);
    return binding?.decl === cls.decl && binding !== undefined ? identifier(cls.name) : undefined;
  }
  const found = c.u.options.member?.(cls.module, cls.name);
  return found?.decl === cls.decl && found !== undefined ? liveMember(c.u, cls.module, cls.name) : undefined;
}
