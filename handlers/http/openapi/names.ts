import { type ClassMeta, metaOf } from '../../../library/classes/meta.ts';
import type { TypeRef } from '../../../library/classes/spec.ts';
import { mentions, resolved } from './types.ts';

/**
 * Names of components. Two types of one name, or of a name the document needs itself, carry their module's
 * (docs/server/api-docs.md#schemas).
 */
export interface ComponentNames {
  of(meta: ClassMeta): string;
  /** A free name for something else. */
  claim(wanted: string): string;
}

/** @param reserved names of components that are always there */
export function nameComponents(
  roots: readonly TypeRef[],
  metas: readonly ClassMeta[],
  reserved: readonly string[],
): ComponentNames {
  const classes = reachable(roots, metas);
  const taken = new Set(reserved.flatMap((name) => [name, `${name}Input`]));
  const byName = new Map<string, number>();
  for (const { name } of classes) byName.set(name, (byName.get(name) ?? 0) + 1);
  const names = new Map<ClassMeta, string>();

  /** Also keeps `<name>Input` free, which belongs to the same type. */
  function claim(wanted: string): string {
    const plain = wanted.replace(/[^A-Za-z0-9._-]/g, '_');
    let name = plain;
    for (let count = 2; taken.has(name) || taken.has(`${name}Input`); count += 1) name = `${plain}_${count}`;
    taken.add(name);
    taken.add(`${name}Input`);
    return name;
  }

  function of(meta: ClassMeta): string {
    const known = names.get(meta);
    if (known !== undefined) return known;
    const isAlone = (byName.get(meta.name) ?? 0) < 2 && !reserved.includes(meta.name);
    const name = claim(isAlone ? meta.name : `${meta.module.replaceAll('.', '_')}_${meta.name}`);
    names.set(meta, name);
    return name;
  }

  for (const meta of classes) of(meta);
  return { of, claim };
}

/** Every class that the given types and classes lead to, each once, in the order met. */
function reachable(roots: readonly TypeRef[], metas: readonly ClassMeta[]): readonly ClassMeta[] {
  const found = new Set<ClassMeta>();
  const open = [...metas];
  const enter = (type: TypeRef): void => {
    mentions(type, (part) => {
      const meta = part.t === 'ref' ? metaOf(resolved(part)) : undefined;
      if (meta) open.push(meta);
      return false;
    });
  };
  roots.forEach(enter);
  for (let meta = open.shift(); meta !== undefined; meta = open.shift()) {
    if (found.has(meta)) continue;
    found.add(meta);
    for (const field of meta.fields) enter(field.type);
    for (const param of meta.params) enter(param.type);
  }
  return [...found];
}
