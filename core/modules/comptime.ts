/**
 * Module `svclang.comptime`: what a program knows about its own declarations (docs/language/statements.md#comptime).
 */

import { type } from '../../library/builtins/conversions.ts';
import { functions, type Members } from '../../library/builtins/module.ts';
import { nativeClass } from '../../library/builtins/native-class.ts';
import { issubclass } from '../../library/builtins/objects.ts';
import { typeOfRef } from '../../library/classes/annotations.ts';
import { type ClassMeta, type Field, metaOf } from '../../library/classes/meta.ts';
import { toArray } from '../../library/values/containers/iteration.ts';
import { getattr, setattr } from '../../library/values/objects/attributes.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import { plainName, reprOf } from '../../library/values/objects/repr.ts';

class FieldInfo {
  readonly name: string;
  readonly type: unknown;
  readonly has_default: boolean;
  readonly default: unknown;
  readonly semstr: string;

  constructor(field: Field, semstr: string) {
    this.name = field.name;
    this.type = typeOfRef(field.type);
    this.has_default = field.default !== undefined || field.literal !== undefined;
    this.default = field.literal ?? field.default?.() ?? null;
    this.semstr = semstr;
  }
}
nativeClass(FieldInfo, { name: 'FieldInfo', module: 'svclang.comptime' });

const semOf = (cls: unknown, name: string): string => described(cls).spec.sem?.[name] ?? '';

function described(cls: unknown): ClassMeta {
  const meta = metaOf(cls);
  if (meta === undefined) throw new TypeError(`${reprOf(cls)} is no type of the program`);
  return meta;
}

export function makeComptime(): Members {
  return {
    FieldInfo,
    codespace: { is_python: false, is_server: true, is_client: false, is_native: false },
    ...functions('svclang.comptime', {
      fields: [
        'T',
        (cls: unknown) => described(cls).fields.map((field) => new FieldInfo(field, semOf(cls, field.name))),
      ],
      get_field: ['target, field', (target: unknown, name: string) => getattr(target, name)],
      set_field: [
        'target, field, value',
        (target: unknown, name: string, value: unknown) => {
          setattr(target, name, value);
          return null;
        },
      ],
      has_field: ['T, field', (cls: unknown, name: string) => described(cls).byName.has(name)],
      members: ['E', (cls: unknown) => toArray(cls)],
      semstr: ["T, field=''", (cls: unknown, name = '') => semOf(cls, name)],
      name: ['fn', (of: unknown) => plainName(of)],
      module_of: ['value', (of: unknown) => getattr(of, '__module__')],
      is_subtype: ['A, B', (a: unknown, b: unknown) => issubclass(a, b)],
      typeof: ['value', (value: unknown) => type(value)],
    }),
  };
}
