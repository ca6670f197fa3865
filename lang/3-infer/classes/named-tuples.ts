/** Classes made by `namedtuple('Point', 'x y')`, whose values are known for display only (decisions/0365). */
import type * as ast from '../../1-parse/ast.ts';
import type { Reader } from '../program.ts';
import { elementOf } from '../read/iteration.ts';
import { knownType } from '../read/plain-type.ts';
import type { Type } from '../types.ts';
import { any, shapeOf } from './type-values.ts';

/** Names of the fields, when the name stands for such a class and they are written out. */
export function namedFields(f: Reader, name: ast.NameRef): readonly string[] | undefined {
  const binding = f.state.names.binding(name);
  const made = binding.sort === 'module' ? f.program.names.follow(binding) : binding;
  const decl = made?.sort === 'module' ? made.decl : undefined;
  if (decl?.kind !== 'GlobItem' && decl?.kind !== 'AssignStatement') return undefined;
  const { value } = decl;
  if (value?.kind !== 'Call' || !isMaker(value.callee)) return undefined;
  const fields = value.args[1]?.value;
  if (fields?.kind === 'StringLiteral') return fields.value.split(/[\s,]+/).filter((text) => text !== '');
  if (fields?.kind !== 'ListExpr' && fields?.kind !== 'TupleExpr') return undefined;
  const names = fields.items.map((item) => (item.kind === 'StringLiteral' ? item.value : undefined));
  return names.includes(undefined) ? undefined : (names as string[]);
}

function isMaker(callee: ast.Expression): boolean {
  return (
    (callee.kind === 'NameRef' ? callee.name : callee.kind === 'Attribute' ? callee.name.text : '') === 'namedtuple'
  );
}

/** Gives the types of the fields that a call of the class fills; its arguments have been read. */
export function fieldTypes(f: Reader, e: ast.Call, fields: readonly string[]): readonly Type[] {
  const types: Type[] = [];
  const named = new Map<string, Type>();
  for (const { sort, name, value } of e.args) {
    const type = knownType(f, value);
    if (sort === 'keyword' && name !== undefined) named.set(name.text, type);
    else if (sort === 'positional') types.push(type);
    else if (sort === 'star') types.push(...spreadTypes(f, type, fields.length - types.length));
  }
  return fields.map((field, i) => types[i] ?? named.get(field) ?? any);
}

function spreadTypes(f: Reader, type: Type, count: number): readonly Type[] {
  const shown = shapeOf(type);
  if (shown.t === 'tuple' && shown.items !== undefined) return shown.items;
  return new Array(count).fill(elementOf(f, type, undefined));
}
