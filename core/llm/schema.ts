/** JSON schemas for declared types, in the subset that services hold a model to ("strict": closed objects, every member required). */
import { type ClassMeta, metaOf } from '../../library/classes/meta.ts';
import type { TypeRef } from '../../library/classes/spec.ts';
import { writtenType } from '../../library/classes/written-type.ts';
import { isEnumClass, metaOf as membersOf } from '../../library/values/objects/enums.ts';
import { plainSchemas } from '../program/plain-schemas.ts';
import { classMember } from './conform.ts';
import { declarationOf, joined, meaningOf, partsOf } from './type-words.ts';

export type Schema = Readonly<Record<string, unknown>>;

export interface AnswerSchema {
  readonly schema: Schema;
  /** False when some part may be anything; services then take the schema as advice. */
  readonly isStrict: boolean;
  /** The answer is the member `result` of an object. */
  readonly isWrapped: boolean;
}

/** The schema of an answer of type `type`; with `reasons` the model first writes down its reasoning. */
export function answerSchema(type: TypeRef, meaning: string | undefined, reasons: boolean): AnswerSchema {
  const w: Writer = { definitions: new Map(), names: new Map(), isStrict: true };
  const meta = type.t === 'ref' ? metaOf(type.get()) : undefined;
  const isWrapped = reasons || meta === undefined;
  const root = isWrapped
    ? closed({
        ...(reasons ? { reasoning: { type: 'string', description: 'The steps that lead to the result.' } } : {}),
        result: described(schemaOf(w, type), meaning),
      })
    : objectOf(w, meta, false);
  return { schema: withDefinitions(w, root), isStrict: w.isStrict, isWrapped };
}

/** The schema of a tool's parameters. */
export function parametersSchema(
  params: readonly {
    readonly name: string;
    readonly type: TypeRef;
    readonly meaning: string | undefined;
    readonly isOptional: boolean;
  }[],
): Schema {
  const w: Writer = { definitions: new Map(), names: new Map(), isStrict: true };
  const properties = Object.fromEntries(
    params.map(({ name, type, meaning }) => [name, described(schemaOf(w, type), meaning)]),
  );
  const required = params.filter((param) => !param.isOptional).map((param) => param.name);
  return withDefinitions(w, { type: 'object', properties, required, additionalProperties: false });
}

interface Writer {
  readonly definitions: Map<string, Schema>;
  readonly names: Map<unknown, string>;
  isStrict: boolean;
}

function withDefinitions(w: Writer, root: Schema): Schema {
  return w.definitions.size === 0 ? root : { ...root, $defs: Object.fromEntries(w.definitions) };
}

function closed(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

// References take no description beside them.
function described(schema: Schema, meaning: string | undefined): Schema {
  return meaning === undefined || '$ref' in schema
    ? schema
    : { ...schema, description: joined(meaning, schema['description'] as string) };
}

function schemaOf(w: Writer, type: TypeRef, isTagged = false): Schema {
  switch (type.t) {
    case 'none':
    case 'str':
    case 'bool':
    case 'datetime':
    case 'date':
    case 'time':
    case 'uuid':
      return plainSchemas[type.t];
    case 'int':
      return { type: 'integer' };
    case 'float':
      return { type: 'number' };
    case 'bytes':
      return { type: 'string', description: 'base64' };
    case 'timedelta':
      return { type: 'number', description: 'seconds' };
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
      return { type: 'array', items: schemaOf(w, type.of) };
    case 'tuple':
      return tupleSchema(w, type);
    case 'dict':
      // Objects with free names are outside the subset.
      return { type: 'array', items: closed({ key: schemaOf(w, type.key), value: schemaOf(w, type.value) }) };
    case 'union': {
      const several = type.of.filter((member) => member.t === 'ref' && metaOf(member.get()) !== undefined).length > 1;
      return { anyOf: type.of.map((member) => schemaOf(w, member, several)) };
    }
    case 'literal':
      return { enum: [...type.values] };
    case 'ref':
      return referenceSchema(w, type, isTagged);
    default:
      w.isStrict = false;
      return type.t === 'unknown' ? { description: writtenType(type) } : {};
  }
}

function tupleSchema(w: Writer, type: TypeRef & { t: 'tuple' }): Schema {
  const { items } = type;
  if (items === undefined) return { type: 'array', items: schemaOf(w, type.of ?? { t: 'any' }) };
  const kinds = new Map(items.map((item) => [writtenType(item), item]));
  const schemas = [...kinds.values()].map((item) => schemaOf(w, item));
  return {
    type: 'array',
    items: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
    minItems: items.length,
    maxItems: items.length,
    description: writtenType(type),
  };
}

function referenceSchema(w: Writer, type: TypeRef & { t: 'ref' }, isTagged: boolean): Schema {
  const cls = type.get() as any;
  if (isEnumClass(cls))
    return { type: 'string', enum: membersOf(cls).members.map((m) => m.name), description: declarationOf(cls) };
  const meta = metaOf(cls);
  if (meta === undefined) {
    w.isStrict = false;
    return { description: type.name };
  }
  return { $ref: `#/$defs/${definitionOf(w, meta, isTagged)}` };
}

function definitionOf(w: Writer, meta: ClassMeta, isTagged: boolean): string {
  const key = isTagged ? `${meta.cid} tagged` : meta.cid;
  const known = w.names.get(key);
  if (known !== undefined) return known;
  const base = meta.name.replace(/[^A-Za-z0-9_]/g, '_');
  let name = base;
  for (let n = 2; w.definitions.has(name); n++) name = `${base}_${n}`;
  w.names.set(key, name);
  w.definitions.set(name, {}); // in its place before it is written: it may contain itself
  w.definitions.set(name, objectOf(w, meta, isTagged));
  return name;
}

function objectOf(w: Writer, meta: ClassMeta, isTagged: boolean): Schema {
  const tag = isTagged ? { [classMember]: { type: 'string', enum: [meta.name] } } : {};
  const members = partsOf(meta).map(({ name, type, meaning }) => [name, described(schemaOf(w, type), meaning)]);
  const description = joined(meaningOf(meta), meta.spec.doc);
  return {
    ...closed({ ...tag, ...Object.fromEntries(members) }),
    ...(description === undefined ? {} : { description }),
  };
}
