/** Results of walks that code of a browser asks the server for (language.md 7.9). */
import { classOfDecl } from '../classes/classes.ts';
import { any, claimed, hinted, instanceOf, listOf, unionOf } from '../classes/type-values.ts';
import type { Program } from '../program.ts';
import type { ClassInfo, FieldInfo, Type } from '../types.ts';

/**
 * The object that a spawn resolves to: what is said of it is a claim, since an older server may answer otherwise, and
 * generated code does not depend on it. `walker` is undefined where it is not known.
 */
export function askedWalk(program: Program, walker: ClassInfo | undefined): Type {
  const { browser } = program;
  const types = (walker && browser?.reportsOf(walker)) ?? [any];
  const reports = unionOf(types.map((type) => sameHere(program, type)));
  return claimed(instanceOf(spawnResult(listOf(reports.t === 'never' ? any : reports, true)), true));
}

/** Objects come as what the program says they are; what else arrives is known by nothing but its value. */
function sameHere(program: Program, type: Type): Type {
  if (type.t !== 'instance' || type.cls.decl === undefined) return any;
  const state = program.modules.get(type.cls.module);
  return state === undefined ? any : instanceOf(classOfDecl(program, state, type.cls.decl), false);
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
