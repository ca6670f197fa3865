/**
 * Reading objects that were written by an older (or newer) version of their type
 * (docs/server/storage.md#changing-types). Works on decoded JSON: nothing is rewritten until the unit changes the
 * object, and nothing is dropped: what does not fit goes to the attic.
 */

import type { ClassMeta, Field } from '../../library/classes/meta.ts';
import { metaOf } from '../../library/classes/meta.ts';
import type { TypeRef } from '../../library/classes/spec.ts';
import { $construct } from '../../library/values/objects/protocol.ts';
import type { DecodeContext } from '../../library/values/stored-form.ts';
import { decodeValue, encodeText } from './codec.ts';

export type Json = null | string | number | boolean | readonly Json[] | { readonly [name: string]: Json };
export type JsonFields = Record<string, Json>;

export interface Converted {
  readonly fields: JsonFields;
  /** Values of fields the type does not have now, and those that did not fit. */
  readonly attic: JsonFields;
}

/** Says once per type what was filled in. */
export type DriftNote = (field: string, what: 'added' | 'retyped') => void;

/** `renamed`: old field name -> present one (`[schema.fields]`). */
export function convertFields(
  meta: ClassMeta,
  data: JsonFields,
  attic: JsonFields,
  renamed: ReadonlyMap<string, string>,
  note: DriftNote,
): Converted {
  const found = new Map<string, Json>(Object.entries(attic));
  for (const [name, value] of Object.entries(data)) found.set(name, value);
  for (const [old, present] of renamed) {
    if (!found.has(old) || found.has(present)) continue;
    found.set(present, found.get(old)!);
    found.delete(old);
  }
  const fields: JsonFields = {};
  const displaced: JsonFields = {};
  for (const field of meta.fields) {
    const { name } = field;
    // Put aside when the type of the field changed, and now it is what it was: the value that took its place goes aside instead.
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    const aside = Object.hasOwn(attic, name) ? attic[name] : undefined;
    if (value !== undefined && aside !== undefined && fits(aside, field.type) && !fits(value, field.type)) {
      fields[name] = aside;
      displaced[name] = value;
      found.delete(name);
      continue;
    }
    const stored = found.get(name);
    const fitted = stored === undefined ? undefined : convert(stored, field.type);
    if (fitted !== undefined) {
      fields[field.name] = fitted.value;
      found.delete(field.name);
    } else {
      fields[field.name] = defaultOf(field);
      note(field.name, stored === undefined ? 'added' : 'retyped');
    }
  }
  return { fields, attic: { ...Object.fromEntries(found), ...displaced } };
}

/**
 * The same value with every object in it in the present shape of its class, fields in their order: what is missing is filled in, and values
 * are converted where that loses nothing. A value that does not fit stays what it was: inside a value there is no attic
 * (docs/server/storage.md#changing-types).
 */
export function convertObjects(value: Json, classNamed: DecodeContext['classNamed']): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each) => convertObjects(each, classNamed));
  const made: JsonFields = {};
  for (const [name, each] of Object.entries(value)) made[name] = convertObjects(each, classNamed);
  const meta = tagOf(made) === 'obj' ? metaOf(classNamed(made['type'] as string)) : undefined;
  if (meta === undefined) return made;
  const stored = made['v'] as JsonFields;
  const v: JsonFields = {};
  for (const field of meta.fields) {
    const old = stored[field.property];
    v[field.property] = old === undefined ? defaultOf(field) : (convert(old, field.type)?.value ?? old);
  }
  return { ...made, v: { ...v, ...stored, ...v } };
}

function defaultOf(field: Field): Json {
  if (field.default !== undefined) return JSON.parse(encodeText(field.default(), field.type)) as Json;
  return zeroOf(field.type);
}

/** null where the type allows it, else the empty value of the type. */
function zeroOf(type: TypeRef): Json {
  switch (type.t) {
    case 'str':
      return '';
    case 'int':
    case 'float':
      return 0;
    case 'bool':
      return false;
    case 'list':
      return [];
    case 'dict':
      return {};
    case 'set':
    case 'frozenset':
      return { $t: type.t, v: [] };
    case 'tuple':
      return { $t: 'tuple', v: (type.items ?? []).map(zeroOf) };
    case 'bytes':
      return { $t: 'bytes', v: '' };
    case 'union':
      return type.of.some((member) => member.t === 'none') ? null : zeroOf(type.of[0]!);
    case 'literal':
      return (type.values[0] ?? null) as Json;
    default:
      return null;
  }
}

/** The value as the type wants it when that loses nothing. */
function convert(value: Json, type: TypeRef): { readonly value: Json } | undefined {
  if (fits(value, type)) return { value };
  switch (type.t) {
    case 'str':
      if (isWritten(tagOf(value))) return { value: (value as any).v };
      return typeof value === 'number' ? { value: String(value) } : undefined;
    case 'date':
    case 'datetime':
    case 'time':
    case 'uuid':
      return typeof value === 'string' ? attempt(() => decodeValue({ $t: type.t, v: value }, nothing)) : undefined;
    case 'ref':
      return metaOf(type.get()) === undefined ? convertMember(value, type.get()) : undefined;
    case 'int':
      return convertInt(value);
    case 'float':
      return convertFloat(value);
    case 'bool':
      return convertBool(value);
    case 'list':
      return convertList(value, type.of);
    case 'tuple':
    case 'set':
    case 'frozenset':
      return Array.isArray(value) && fits({ $t: type.t, v: value }, type)
        ? { value: { $t: type.t, v: value } }
        : undefined;
    case 'union':
      for (const member of type.of) {
        const made = convert(value, member);
        if (made !== undefined) return made;
      }
      return undefined;
    default:
      return undefined;
  }
}

/** Kinds whose stored form is the text that requests take. */
function isWritten(tag: string | undefined): boolean {
  return tag === 'date' || tag === 'datetime' || tag === 'time' || tag === 'uuid';
}

const nothing: DecodeContext = { reference: () => null, classNamed: () => undefined };

/** Gives the value that `read` returns, as it is stored; undefined when it raises. */
function attempt(read: () => unknown): { value: Json } | undefined {
  try {
    return { value: JSON.parse(encodeText(read())) as Json };
  } catch {
    return undefined;
  }
}

/** A member by its value, else by its name. */
function convertMember(value: Json, cls: any): { value: Json } | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return attempt(() => cls[$construct]([value])) ?? (isMember(cls, value) ? attempt(() => cls[value]) : undefined);
}

function convertInt(value: Json): { value: Json } | undefined {
  if (typeof value === 'boolean') return { value: value ? 1 : 0 };
  if (typeof value !== 'string' || !/^[+-]?\d+$/.test(value.trim())) return undefined;
  const n = Number(value);
  return { value: Number.isSafeInteger(n) ? n : { $t: 'int', v: String(BigInt(value)) } };
}

function convertFloat(value: Json): { value: Json } | undefined {
  if (typeof value !== 'string' || value.trim() === '' || !Number.isFinite(Number(value))) return undefined;
  return { value: Number(value) };
}

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
};

function convertBool(value: Json): { value: Json } | undefined {
  if (value === 0 || value === 1) return { value: value === 1 };
  const known = typeof value === 'string' ? truths[value.toLowerCase()] : undefined;
  return known === undefined ? undefined : { value: known };
}

function convertList(value: Json, of: TypeRef): { value: Json } | undefined {
  const tagged = tagOf(value);
  const items = Array.isArray(value)
    ? value
    : tagged === 'tuple' || tagged === 'set' || tagged === 'frozenset'
      ? (value as any).v
      : [value];
  const made = (items as Json[]).map((item) => convert(item, of));
  return made.every((item) => item !== undefined) ? { value: made.map((item) => item!.value) } : undefined;
}

function tagOf(value: Json): string | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && typeof (value as any).$t === 'string'
    ? (value as any).$t
    : undefined;
}

/** Is the stored value one of the type, as it is? */
export function fits(value: Json, type: TypeRef): boolean {
  const tag = tagOf(value);
  switch (type.t) {
    case 'any':
    case 'object':
    case 'unknown':
    case 'iterator':
      return true;
    case 'none':
      return value === null;
    case 'str':
      return typeof value === 'string';
    case 'int':
      return tag === 'int' || (typeof value === 'number' && Number.isInteger(value));
    case 'float':
      return tag === 'float' || tag === 'int' || typeof value === 'number';
    case 'bool':
      return typeof value === 'boolean';
    case 'list':
      return tag === 'deque'
        ? fits((value as any).v, type)
        : Array.isArray(value) && value.every((item) => fits(item, type.of));
    case 'set':
    case 'frozenset':
      return tag === type.t && (value as any).v.every((item: Json) => fits(item, type.of));
    case 'tuple':
      return tag === 'tuple' && fitsTuple((value as any).v, type);
    case 'dict':
      return fitsDict(value, tag, type);
    case 'union':
      return type.of.some((member) => fits(value, member));
    case 'literal':
      return type.values.includes(value);
    case 'ref':
      return fitsClass(value, tag, type.get());
    default:
      return tag === type.t || (type.t === 'UploadFile' && value === null);
  }
}

function fitsTuple(items: readonly Json[], type: Extract<TypeRef, { t: 'tuple' }>): boolean {
  if (type.items !== undefined)
    return items.length === type.items.length && items.every((item, i) => fits(item, type.items![i]!));
  return type.of === undefined || items.every((item) => fits(item, type.of!));
}

function fitsDict(value: Json, tag: string | undefined, type: Extract<TypeRef, { t: 'dict' }>): boolean {
  if (tag === 'counter' || tag === 'defaultdict' || tag === 'ordereddict') return fits((value as any).v, type);
  if (tag === 'map') return (value as any).v.every(([k, v]: [Json, Json]) => fits(k, type.key) && fits(v, type.value));
  if (tag !== undefined || value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  return Object.entries(value as JsonFields).every(([k, v]) => fits(k, type.key) && fits(v, type.value));
}

function fitsClass(value: Json, tag: string | undefined, cls: any): boolean {
  if (value === null) return true; // a reference to a deleted object reads as null
  const meta = metaOf(cls);
  if (meta === undefined) return tag === 'enum' && isMember(cls, (value as any).v);
  if (meta.kind === 'node' || meta.kind === 'edge') return tag === 'ref';
  return tag === 'obj';
}

function isMember(cls: any, name: unknown): boolean {
  return typeof name === 'string' && cls !== null && cls !== undefined && Object.hasOwn(cls, name);
}
