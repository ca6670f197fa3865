/** Results of walks that code of a browser asks the server for (docs/language/client.md#calls-to-the-server). */
import { any, claimed, hinted, instanceOf, listOf } from '../classes/type-values.ts';
import type { ClassInfo, FieldInfo, Type } from '../types.ts';

/**
 * The object that a spawn resolves to, with a list of what was reported. What is said of it is a claim, since an older
 * server may answer otherwise: generated code does not depend on it.
 */
export function askedWalk(reported: Type): Type {
  return claimed(instanceOf(spawnResult(listOf(reported.t === 'never' ? any : reported, true)), true));
}

function spawnResult(reports: Type): ClassInfo {
  const types = { reports, status: hinted.int, ok: hinted.bool, result: any, error: any, warnings: any };
  const cls: ClassInfo = { ...empty, fields: new Map() };
  const fields = Object.entries(types).map(([name, type]): [string, FieldInfo] => [
    name,
    { ...field, name, type, owner: cls },
  ]);
  return Object.assign(cls, { fields: new Map(fields) });
}

const empty: ClassInfo = {
  name: 'SpawnResult',
  module: '',
  kind: 'foreign',
  decl: undefined,
  bases: [],
  open: false,
  fields: new Map(),
  constructorFields: [],
  methods: new Map(),
  abilities: new Map(),
  attributes: new Map(),
  members: [],
  primitive: undefined,
};

const field = {
  declared: undefined,
  hasDefault: true,
  postinit: false,
  static: false,
  property: false,
  access: undefined,
} as const;
