/** `__annotations__`: the declared types of a class or function as values. */
import { Dict } from '../values/containers/dict.ts';
import { $spec } from '../values/objects/protocol.ts';
import { namedType } from '../values/objects/types.ts';
import { GenericAlias, UnionType } from '../values/objects/union-type.ts';
import { metaOf } from './meta.ts';
import type { FunctionSpec, TypeRef } from './spec.ts';

let anyForm: unknown = null;

/** Sets the form that stands for `Any`; `typing` is a part of the runtime that this one does not know. */
export function setAnyForm(form: unknown): void {
  anyForm = form;
}

interface UnionForms {
  union(members: readonly unknown[]): unknown;
  literal(values: readonly unknown[]): unknown;
}

let forms: UnionForms | undefined;

/** Sets the rules of `typing` for unions and literals, once a program imports it. */
export function setUnionForms(given: UnionForms): void {
  forms = given;
}

/** The value that a declared type is. */
export function typeOfRef(type: TypeRef): unknown {
  switch (type.t) {
    case 'any':
    case 'unknown':
      return anyForm;
    case 'none':
      return null;
    case 'ref':
      return type.get() ?? type.name;
    case 'union':
      return (type.named === true && forms !== undefined ? forms.union : unionType)(type.of.map(typeOfRef));
    case 'list':
    case 'set':
    case 'frozenset':
      return parametrized(type.t, [type.of]);
    case 'dict':
      return parametrized('dict', [type.key, type.value]);
    case 'tuple':
      return parametrized('tuple', type.items ?? []);
    case 'literal':
      return forms === undefined ? anyForm : forms.literal(type.values);
    case 'iterator':
      return anyForm;
    default:
      return namedType(type.t);
  }
}

const unionType = (members: readonly unknown[]) => new UnionType(members);

function parametrized(name: string, of: readonly TypeRef[]): unknown {
  return of.every((one) => one.t === 'any') ? namedType(name) : new GenericAlias(namedType(name), of.map(typeOfRef));
}

/** Gives the annotations of a class: its own fields; of a function: parameters that have a type, and `return`. */
export function annotationsOf(owner: any): Dict | undefined {
  const meta = metaOf(owner);
  if (meta !== undefined) return Dict.from(meta.spec.fields.map(({ name, type }) => [name, typeOfRef(type)] as const));
  const given = owner?.[$spec];
  const spec: FunctionSpec | undefined = typeof given === 'function' ? given() : given;
  if (spec === undefined) return undefined;
  const typed = [...spec.params, { name: 'return', type: spec.result }].filter(({ type }) => type.t !== 'any');
  return Dict.from(typed.map(({ name, type }) => [name, typeOfRef(type)] as const));
}
