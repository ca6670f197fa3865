/** Types of a program as TypeScript writes the JSON of its answers and calls (docs/server/answers.md#values). */

import { nameComponents } from '../../handlers/http/openapi/names.ts';
import { inputFields, isShown } from '../../handlers/http/openapi/schemas.ts';
import { mentions, resolved } from '../../handlers/http/openapi/types.ts';
import { plainText } from '../../handlers/http/serialize/plain-text.ts';
import type { Type } from '../../lang/3-infer/types.ts';
import { docOf } from '../../library/classes/doc-of.ts';
import { type ClassMeta, metaOf } from '../../library/classes/meta.ts';
import type { ClassTable } from '../../library/classes/registry.ts';
import type { TypeRef } from '../../library/classes/spec.ts';
import { metaOf as enumOf, Flag, isEnumClass } from '../../library/values/objects/enums.ts';

export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly doc: string | undefined;
}

/** Types that are asked for become declarations, each once. */
export interface TypeBook {
  /** Value as callers give it. */
  input(type: TypeRef): string;
  /** Value as answers hold it. */
  output(type: TypeRef): string;
  /** Instances of a class in answers. */
  instance(meta: ClassMeta): string;
  /** Value of a type that the compiler inferred, in an answer. */
  inferred(type: Type): string;
  /** Fields of a walker or function, as callers give them. */
  fields(target: string, members: readonly Member[]): string;
  /** Declarations so far. */
  declarations(): readonly string[];
  /** Enumerations so far: members with their values. */
  enums(): readonly { readonly name: string; readonly members: readonly (readonly [string, string])[] }[];
}

type Direction = 'input' | 'output';

interface BookOptions {
  readonly classes: ClassTable;
  /** Types and classes that decide which names collide. */
  readonly roots: readonly TypeRef[];
  readonly metas: readonly ClassMeta[];
  readonly reserved: readonly string[];
  readonly withPrivate: boolean;
}

export function createTypeBook({ classes, roots, metas, reserved, withPrivate }: BookOptions): TypeBook {
  const names = nameComponents(roots, metas, reserved);
  const declared = new Map<string, string>();
  const enumNames = new Map<unknown, string>();

  function textOf(type: TypeRef, direction: Direction): string {
    switch (type.t) {
      case 'none':
        return 'null';
      case 'str':
      case 'bytes':
      case 'uuid':
        return 'string';
      case 'datetime':
        return direction === 'input' ? 'string | Date' : 'string';
      case 'date':
      case 'time':
        return 'string';
      case 'int':
      case 'float':
        return 'number';
      case 'bool':
        return 'boolean';
      case 'UploadFile':
        return 'Upload';
      case 'list':
        return listOf(textOf(type.of, direction));
      case 'set':
      case 'frozenset': {
        const of = textOf(type.of, direction);
        return direction === 'input' ? `${listOf(of)} | ReadonlySet<${of}>` : listOf(of);
      }
      case 'tuple':
        if (type.items === undefined) return listOf(type.of ? textOf(type.of, direction) : 'any');
        return `[${type.items.map((item) => textOf(item, direction)).join(', ')}]`;
      case 'dict':
        return `Record<string, ${textOf(type.value, direction)}>`;
      case 'literal':
        return unionOf(type.values.map((value) => plainText(value)));
      case 'union':
        return unionOf(type.of.map((one) => textOf(one, direction)));
      case 'ref':
        return namedText(resolved(type), direction);
      default:
        return 'any';
    }
  }

  function namedText(target: unknown, direction: Direction): string {
    if (isEnumClass(target)) return enumText(target);
    const meta = metaOf(target);
    if (meta === undefined) return 'any';
    if (direction === 'output') return instance(meta);
    if (meta.kind === 'node' || meta.kind === 'edge') return 'Reference';
    const name = `${names.of(meta)}Input`;
    return declare(name, docOf(meta.spec), () =>
      inputFields(meta).map((field) => ({
        name: field.name,
        type: textOf(field.type, 'input'),
        isOptional: !field.isRequired,
        doc: field.doc,
      })),
    );
  }

  function instance(meta: ClassMeta): string {
    return declare(names.of(meta), docOf(meta.spec), () => [
      ...tagsOf(meta),
      ...meta.fields
        .filter((field) => isShown(meta, field, field.isPublic, withPrivate))
        .filter((field) => !mentions(field.type, ({ t }) => t === 'UploadFile'))
        .map((field) => ({
          name: field.name,
          type: textOf(field.type, 'output'),
          isOptional: false,
          doc: docOf(meta.spec, field.name, field.doc),
        })),
    ]);
  }

  function enumText(cls: any): string {
    const known = enumNames.get(cls);
    if (known !== undefined) return known;
    if (cls.prototype instanceof Flag) return 'number';
    const { name, members } = enumOf(cls);
    const own = names.claim(name);
    enumNames.set(cls, own);
    const values = members.map(({ value }) => plainText(value));
    declared.set(own, `export type ${own} = ${unionOf(values)};`);
    return own;
  }

  /** The name is known before its members are, so that types which contain themselves end. */
  function declare(name: string, doc: string | undefined, members: () => readonly Member[]): string {
    if (!declared.has(name)) {
      declared.set(name, '');
      declared.set(name, `${comment(doc, '')}export interface ${name} ${objectText(members(), '')}`);
    }
    return name;
  }

  function inferred(type: Type): string {
    switch (type.t) {
      case 'none':
        return 'null';
      case 'bool':
        return 'boolean';
      case 'int':
      case 'float':
        return 'number';
      case 'str':
      case 'bytes':
        return 'string';
      case 'range':
        return 'number[]';
      case 'list':
      case 'set':
      case 'frozenset':
      case 'iterator':
        return listOf(inferred(type.of));
      case 'tuple':
        return type.items === undefined ? listOf(inferred(type.of)) : `[${type.items.map(inferred).join(', ')}]`;
      case 'dict': {
        if (type.entries === undefined || type.entries.size === 0) return `Record<string, ${inferred(type.value)}>`;
        const known = [...type.entries].map(([name, value]) => `${property(name)}: ${inferred(value)}`);
        return `{ ${known.join('; ')}; [more: string]: any }`;
      }
      case 'union':
        return unionOf(type.of.map(inferred));
      case 'awaitable':
        return inferred(type.of);
      case 'instance': {
        const { cls } = type;
        if (cls.module === '') return 'any';
        const found = classes.named(`${cls.module}.${cls.name}`);
        return found === undefined ? 'any' : namedText(found, 'output');
      }
      default:
        return 'any';
    }
  }

  return {
    input: (type) => textOf(type, 'input'),
    output: (type) => textOf(type, 'output'),
    instance,
    inferred,
    fields: (target, members) =>
      members.length === 0
        ? 'Record<string, never>'
        : declare(names.claim(`${target}Fields`), undefined, () => members),
    declarations: () => [...declared.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text),
    enums: () =>
      [...enumNames].map(([cls, name]) => ({
        name,
        members: enumOf(cls).members.map((member) => [member.name, plainText(member.value)] as const),
      })),
  };
}

function tagsOf(meta: ClassMeta): Member[] {
  const tag = (name: string, type: string): Member => ({ name, type, isOptional: false, doc: undefined });
  const type = JSON.stringify(meta.name);
  if (meta.kind === 'class') return [tag('__type__', type)];
  const isStored = meta.kind === 'node' || meta.kind === 'edge';
  const kind = isStored || meta.kind === 'walker' ? meta.kind : 'archetype';
  return [
    tag('_svc_type', type),
    tag('_svc_id', isStored ? 'string' : 'null'),
    tag('_svc_archetype', JSON.stringify(kind)),
    ...(meta.kind === 'edge' ? [tag('_svc_source', 'string'), tag('_svc_target', 'string')] : []),
  ];
}

function listOf(of: string): string {
  return /^[\w.]+(\[\])*$/.test(of) ? `${of}[]` : `(${of})[]`;
}

export function unionOf(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.length === 0 || distinct.includes('any') ? 'any' : distinct.join(' | ');
}

export function objectText(members: readonly Member[], indent: string): string {
  if (members.length === 0) return '{}';
  const lines = members.map(
    ({ name, type, isOptional, doc }) =>
      `${comment(doc, `${indent}  `)}${indent}  ${property(name)}${isOptional ? '?' : ''}: ${type};\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}

export function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** A description as a comment before a declaration. */
export function comment(doc: string | undefined, indent: string): string {
  const text = doc?.trim().replaceAll('*/', '* /') ?? '';
  if (text === '') return '';
  const lines = text.split('\n').map((line) => line.trim());
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
