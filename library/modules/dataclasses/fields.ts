/** Fields of data classes: what `field(...)` gives and `fields(cls)` lists. */

import { nativeClass } from '../../builtins/native-class.ts';
import { typeOfRef } from '../../classes/annotations.ts';
import { type Field as Declared, metaOf } from '../../classes/meta.ts';
import { Dict } from '../../values/containers/dict.ts';
import { TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { $repr } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { isClass } from '../../values/objects/type-name.ts';
import { MappingProxy } from '../types.ts';

export class Missing {
  [$repr](): string {
    return '<dataclasses._MISSING_TYPE object>';
  }
}
export const MISSING = new Missing();

export interface FieldOptions {
  readonly default?: unknown;
  readonly factory?: unknown;
  readonly init?: unknown;
  readonly repr?: unknown;
  readonly hash?: unknown;
  readonly compare?: unknown;
  readonly metadata?: unknown;
  readonly kwOnly?: unknown;
}

export class Field {
  name: string | null = null;
  type: unknown = null;
  readonly default: unknown;
  readonly default_factory: unknown;
  readonly init: boolean;
  readonly repr: boolean;
  /** None: as `compare` says. */
  readonly hash: unknown;
  readonly compare: boolean;
  readonly metadata: unknown;
  /** MISSING until the class tells. */
  kw_only: unknown;

  constructor(options: FieldOptions) {
    const flag = (value: unknown) => value === undefined || truth(value);
    this.default = options.default === undefined ? MISSING : options.default;
    this.default_factory = options.factory === undefined ? MISSING : options.factory;
    this.init = flag(options.init);
    this.repr = flag(options.repr);
    this.hash = options.hash ?? null;
    this.compare = flag(options.compare);
    this.metadata = new MappingProxy(options.metadata ?? new Dict());
    this.kw_only = options.kwOnly === undefined ? MISSING : truth(options.kwOnly);
  }

  [$repr](): string {
    const kind = this.name === null ? 'None' : '_FIELD';
    const shown = [
      'name',
      'type',
      'default',
      'default_factory',
      'init',
      'repr',
      'hash',
      'compare',
      'metadata',
      'kw_only',
    ];
    const parts = shown.map((name) => `${name}=${reprOf((this as any)[name])}`);
    return `Field(${parts.join(',')},_field_type=${kind})`;
  }
}
nativeClass(Field, { name: 'Field', module: 'dataclasses' });

/** `field(...)` @throws ValueError for two defaults */
export function makeField(options: FieldOptions): Field {
  if (options.default !== undefined && options.factory !== undefined)
    throw new ValueError('cannot specify both default and default_factory');
  return new Field(options);
}

const described = new WeakMap<object, ReadonlyMap<string, Field>>();
const listed = new WeakMap<object, ReadonlyMap<string, Field>>();

/** Keeps what the fields of a decorated class were given, those of its bases among them. */
export function describeFields(cls: object, fields: ReadonlyMap<string, Field>): void {
  described.set(cls, fields);
  listed.delete(cls);
}

/** Gives the fields of a decorated class; undefined for other classes. */
export function describedFields(cls: unknown): ReadonlyMap<string, Field> | undefined {
  return described.get(cls as object);
}

/** The fields of a class or of the class of an instance, in constructor order. @throws TypeError when it has none */
export function fieldsOf(x: any): ReadonlyMap<string, Field> {
  const meta = metaOf(isClass(x) ? x : x?.constructor);
  if (meta === undefined) throw new TypeError('must be called with a dataclass type or instance');
  let all = listed.get(meta.cls);
  if (all === undefined) {
    const known = described.get(meta.cls);
    all = new Map(meta.fields.map((field) => [field.name, known?.get(field.name) ?? listedField(field)]));
    for (const field of meta.fields) complete(all.get(field.name)!, field);
    listed.set(meta.cls, all);
  }
  return all;
}

function listedField(field: Declared): Field {
  return new Field(field.default === undefined ? {} : { default: field.default() });
}

function complete(made: Field, field: Declared): void {
  made.name = field.name;
  made.type ??= typeOfRef(field.type);
  if (made.kw_only === MISSING) made.kw_only = field.keywordOnly === true;
}
