/** Texts that describe types to a model: the declarations of those that others mention. */
import { specOf } from '../../library/classes/func.ts';
import { type ClassMeta, metaOf } from '../../library/classes/meta.ts';
import type { TypeRef } from '../../library/classes/spec.ts';
import { writtenType } from '../../library/classes/written-type.ts';
import { isEnumClass, metaOf as membersOf } from '../../library/values/objects/enums.ts';
import { $about } from '../../library/values/objects/protocol.ts';
import { reprOf } from '../../library/values/objects/repr.ts';

/** One part of a class that a model sees: what its constructor takes. */
export interface Part {
  readonly name: string;
  readonly type: TypeRef;
  readonly isOptional: boolean;
  readonly meaning: string | undefined;
}

/** The parts of a class, in constructor order. Private fields are none of a model's business (docs/server/answers.md#values). */
export function partsOf(meta: ClassMeta): Part[] {
  const made = specOf((meta.cls.prototype as { init?: unknown }).init)?.sem;
  return meta.params.flatMap((param) => {
    const field = meta.byName.get(param.name);
    if (param.kind === 'args' || param.kind === 'kwargs' || field?.isPublic === false) return [];
    const meaning = meaningOf(meta, param.name) ?? made?.[param.name] ?? field?.doc ?? param.doc;
    return [{ name: param.name, type: param.type, isOptional: param.default !== undefined, meaning }];
  });
}

/** The `sem` string of a class, or of one of its fields wherever in its bases that stands. */
export function meaningOf(meta: ClassMeta, name = ''): string | undefined {
  for (const cls of name === '' ? [meta.cls] : meta.mro) {
    const text = metaOf(cls)?.spec.sem?.[name];
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Classes and enums that the types mention, each once, those of fields included. */
export function mentioned(types: readonly TypeRef[]): unknown[] {
  const found = new Set<unknown>();
  const visit = (type: TypeRef): void => {
    switch (type.t) {
      case 'list':
      case 'set':
      case 'frozenset':
      case 'iterator':
        visit(type.of);
        return;
      case 'tuple':
        for (const item of type.items ?? (type.of === undefined ? [] : [type.of])) visit(item);
        return;
      case 'dict':
        visit(type.key);
        visit(type.value);
        return;
      case 'union':
        for (const member of type.of) visit(member);
        return;
      case 'ref': {
        const cls = type.get();
        if (found.has(cls)) return;
        const meta = metaOf(cls);
        if (meta === undefined && !isEnumClass(cls)) return;
        found.add(cls);
        for (const part of meta === undefined ? [] : partsOf(meta)) visit(part.type);
        return;
      }
      default:
    }
  };
  for (const type of types) visit(type);
  return [...found];
}

/** The declaration of a class or enum as a few lines for a prompt. */
export function declarationOf(cls: any): string {
  if (isEnumClass(cls)) {
    const { name, members, sem } = membersOf(cls);
    const lines = members.map((m) => `  ${m.name} = ${reprOf(m.value)}${dash(sem?.[m.name])}`);
    return [`enum ${name}${dash(joined(sem?.[''], cls[$about]?.doc))}`, ...lines].join('\n');
  }
  const meta = metaOf(cls)!;
  const lines = partsOf(meta).map(
    ({ name, type, isOptional, meaning }) =>
      `  ${name}: ${writtenType(type)}${isOptional ? ' (optional)' : ''}${dash(meaning)}`,
  );
  return [`${meta.kind} ${meta.name}${dash(joined(meaningOf(meta), meta.spec.doc))}`, ...lines].join('\n');
}

/** ` — text`, or nothing. */
export function dash(text: string | undefined | null): string {
  return text === undefined || text === null || text === '' ? '' : ` — ${text}`;
}

/** The `sem` string and the docstring of the same thing. */
export function joined(...texts: readonly (string | undefined | null)[]): string | undefined {
  const given = texts.filter((text) => text !== undefined && text !== null && text.trim() !== '');
  return given.length === 0 ? undefined : given.map((text) => text!.trim()).join(' ');
}
