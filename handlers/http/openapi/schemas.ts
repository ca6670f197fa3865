import { plainSchemas } from '../../../core/program/plain-schemas.ts';
import { docOf } from '../../../library/classes/doc-of.ts';
import { type ClassMeta, metaOf } from '../../../library/classes/meta.ts';
import type { FieldSpec, ParamSpec, TypeRef } from '../../../library/classes/spec.ts';
import { isUpload } from '../bind/is-upload.ts';
import { plainText } from '../serialize/plain-text.ts';
import type { ComponentNames } from './names.ts';
import { described, enumSchema, nullable, type Schema, valueSchema } from './schema-forms.ts';
import { enumValues, resolved } from './types.ts';

/** A field or parameter that requests may fill. */
export interface InputField {
  readonly name: string;
  readonly type: TypeRef;
  readonly isRequired: boolean;
  /** A JSON value; undefined when there is none to show. */
  readonly default: unknown;
  readonly doc: string | undefined;
}

/**
 * Schemas of declared types (docs/server/api-docs.md#schemas). Those of program classes become components the first
 * time they are asked for.
 */
export interface SchemaBook {
  /** Gives the schema of a value as clients send it. */
  input(type: TypeRef): Schema;
  /** Gives the schema of a value as answers show it. */
  output(type: TypeRef): Schema;
  /** Gives the schema of a class's instances as answers show them. */
  instance(meta: ClassMeta): Schema;
  /** An object with these fields as members. */
  members(fields: readonly InputField[]): Schema;
  /** Schema of a field with its default and documentation. */
  field(field: InputField): Schema;
  /** Makes a component and gives the reference to it. */
  add(name: string, schema: Schema): Schema;
  readonly schemas: Record<string, Schema>;
}

type Direction = 'input' | 'output';

const idPattern = '^[0-9a-f]{32}$';

/** @param withPrivate shows private fields too (`serve.serialize_private`) */
export function createSchemaBook(names: ComponentNames, withPrivate: boolean): SchemaBook {
  const schemas: Record<string, Schema> = {};
  const references = new Map<string, Schema>();

  function schemaOf(type: TypeRef, direction: Direction): Schema {
    switch (type.t) {
      case 'any':
      case 'object':
      case 'iterator':
        return {};
      case 'none':
      case 'str':
      case 'bool':
      case 'datetime':
      case 'date':
      case 'time':
      case 'uuid':
        return plainSchemas[type.t];
      case 'int':
        return { type: 'integer', format: 'int64' };
      case 'float':
        return { type: 'number', format: 'double' };
      case 'bytes':
        return { type: 'string', contentEncoding: 'base64' };
      case 'timedelta':
        return { 'x-svc-type': type.t };
      case 'UploadFile':
        return { type: 'string', contentMediaType: 'application/octet-stream' };
      case 'list':
        return { type: 'array', items: schemaOf(type.of, direction) };
      case 'set':
      case 'frozenset':
        return { type: 'array', items: schemaOf(type.of, direction), uniqueItems: true };
      case 'tuple':
        return tupleSchema(type, direction);
      case 'dict':
        return { type: 'object', additionalProperties: valueSchema(schemaOf(type.value, direction)) };
      case 'literal':
        return enumSchema(type.values);
      case 'union':
        return unionSchema(type.of, direction);
      case 'ref':
        return namedSchema(type, direction);
      case 'unknown':
        return { 'x-svc-type': type.text };
    }
  }

  function tupleSchema(type: TypeRef & { t: 'tuple' }, direction: Direction): Schema {
    if (type.items === undefined) return { type: 'array', items: type.of ? schemaOf(type.of, direction) : {} };
    const { length } = type.items;
    if (length === 0) return { type: 'array', maxItems: 0 };
    return {
      type: 'array',
      prefixItems: type.items.map((item) => schemaOf(item, direction)),
      minItems: length,
      maxItems: length,
    };
  }

  function unionSchema(types: readonly TypeRef[], direction: Direction): Schema {
    const members = types.filter(({ t }) => t !== 'none').map((type) => schemaOf(type, direction));
    const isNullable = members.length < types.length;
    if (members.some((member) => Object.keys(member).length === 0)) return {}; // one member takes anything
    const distinct = [...new Map(members.map((member) => [JSON.stringify(member), member])).values()];
    const [only] = distinct;
    if (only === undefined) return { type: 'null' };
    if (distinct.length > 1) return { anyOf: isNullable ? [...distinct, { type: 'null' }] : distinct };
    return isNullable ? nullable(only) : only;
  }

  function namedSchema(type: TypeRef & { t: 'ref' }, direction: Direction): Schema {
    const target = resolved(type);
    const values = enumValues(target);
    if (values !== undefined) return enumSchema(values.map(jsonOf));
    const meta = metaOf(target);
    if (meta === undefined) return { 'x-svc-type': type.name };
    return direction === 'input' ? inputOf(meta) : instance(meta);
  }

  function inputOf(meta: ClassMeta): Schema {
    return reference(`${names.of(meta)}Input`, () =>
      meta.kind === 'node' || meta.kind === 'edge'
        ? { type: 'string', pattern: idPattern, description: `Id of ${article(meta.name)}.` }
        : described(members(inputFields(meta)), docOf(meta.spec)),
    );
  }

  function instance(meta: ClassMeta): Schema {
    return reference(names.of(meta), () => {
      const shown = meta.fields.filter(
        (field) => isShown(meta, field, field.isPublic, withPrivate) && !isUpload(field.type),
      );
      const properties: Record<string, Schema> = tagsOf(meta);
      const tags = Object.keys(properties);
      for (const field of shown)
        properties[field.name] = described(schemaOf(field.type, 'output'), docOf(meta.spec, field.name, field.doc));
      const required = meta.kind === 'class' ? tags : Object.keys(properties);
      const whole = meta.kind === 'walker' ? { required } : wholeOrReference(required);
      return described({ type: 'object', properties, ...whole }, docOf(meta.spec));
    });
  }

  function members(fields: readonly InputField[]): Schema {
    const properties = Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)]));
    const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    return { type: 'object', properties, ...(required.length > 0 && { required }) };
  }

  function fieldSchema(field: InputField): Schema {
    const schema = schemaOf(field.type, 'input');
    return described(field.default === undefined ? schema : { ...schema, default: field.default }, field.doc);
  }

  function jsonOf(value: unknown): unknown {
    return value === null || ['string', 'number', 'boolean'].includes(typeof value)
      ? value
      : JSON.parse(plainText(value));
  }

  /** The component is entered before it is made, so that types which contain themselves end. */
  function reference(name: string, make: () => Schema): Schema {
    const known = references.get(name);
    if (known) return known;
    const found: Schema = { $ref: `#/components/schemas/${name}` };
    references.set(name, found);
    schemas[name] = {};
    schemas[name] = make();
    return found;
  }

  return {
    schemas,
    input: (type) => schemaOf(type, 'input'),
    output: (type) => schemaOf(type, 'output'),
    instance,
    members,
    field: fieldSchema,
    add: (name, schema) => reference(name, () => schema),
  };
}

/** Any object in an answer may be a reference instead (docs/server/answers.md#values). */
function wholeOrReference(required: readonly string[]): Schema {
  return { if: { $ref: '#/components/schemas/Reference' }, else: { required } };
}

/** The members of an object that requests may fill (docs/server/programs.md#access). */
export function inputFields(meta: ClassMeta): InputField[] {
  return meta.params
    .filter((param) => isOpen(meta, param))
    .map((param) => ({
      name: param.name,
      type: param.type,
      isRequired: param.default === undefined,
      default: param.default === undefined ? undefined : defaultOf(param.default),
      doc: docOf(meta.spec, param.name, param.doc ?? meta.byName.get(param.name)?.doc),
    }));
}

function isOpen(meta: ClassMeta, { name, kind }: ParamSpec): boolean {
  return kind !== 'args' && kind !== 'kwargs' && !name.startsWith('_') && meta.byName.get(name)?.isPublic !== false;
}

export function isShown(meta: ClassMeta, field: FieldSpec, isPublic: boolean, withPrivate: boolean): boolean {
  if (field.name.startsWith('_') || (meta.kind === 'walker' && field.name === 'reports')) return false;
  return isPublic || withPrivate;
}

/** The members by which answers tell what an object is (docs/server/answers.md#values). */
function tagsOf(meta: ClassMeta): Record<string, Schema> {
  if (meta.kind === 'class') return { __type__: { type: 'string', const: meta.name } };
  const isStored = meta.kind === 'node' || meta.kind === 'edge';
  const id = isStored ? { type: ['string', 'null'], pattern: idPattern } : { type: 'null' };
  const archetype = isStored || meta.kind === 'walker' ? meta.kind : 'archetype';
  return {
    _svc_type: { type: 'string', const: meta.name },
    _svc_id: id,
    _svc_archetype: { type: 'string', const: archetype },
    ...(meta.kind === 'edge' && { _svc_source: id, _svc_target: id }),
  };
}

/** A default as JSON; undefined when it has none: objects of the program, or one that cannot be evaluated here. */
function defaultOf(evaluate: () => unknown): unknown {
  try {
    const value = evaluate();
    if (metaOf((value as object | null)?.constructor) !== undefined || typeof value === 'function') return undefined;
    return JSON.parse(plainText(value));
  } catch {
    return undefined;
  }
}

function article(name: string): string {
  return `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;
}
