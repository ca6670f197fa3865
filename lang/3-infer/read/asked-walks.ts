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

/** Answer to a call of a function of the server, where the runtime asks for it: `result`, and no reports. */
export function askedCall(result: Type): Type {
  const given = result.t === 'awaitable' ? result.of : result;
  return instanceOf(objectWith('SpawnResult', { ...answer(listOf(any, true)), result: given }), true);
}

/** Value of `live(…)`: the answer as it is now, whether the first one is still to come, and a way to show what it will be. */
export function liveWalk(asked: Type): Type {
  return claimed(
    instanceOf(objectWith('LiveResult', { ...fieldsOf(asked), loading: hinted.bool, optimistic: any }), true),
  );
}

/** Value of `useAction(…)`: what the last run gave, and a way to run. */
export function action(asked: Type): Type {
  const { reports = any, result = any } = fieldsOf(asked);
  const types = { run: any, pending: hinted.bool, error: any, reports, result };
  return claimed(instanceOf(objectWith('Action', types), true));
}

function fieldsOf(asked: Type): Readonly<Record<string, Type>> {
  if (asked.t !== 'instance' || asked.cls.kind !== 'foreign') return answer(any);
  return Object.fromEntries([...asked.cls.fields].map(([name, { type }]) => [name, type]));
}

function spawnResult(reports: Type): ClassInfo {
  return objectWith('SpawnResult', answer(reports));
}

function answer(reports: Type): Readonly<Record<string, Type>> {
  return { reports, status: hinted.int, ok: hinted.bool, result: any, error: any, warnings: any };
}

function objectWith(title: string, types: Readonly<Record<string, Type>>): ClassInfo {
  const cls: ClassInfo = { ...empty, name: title, fields: new Map() };
  const fields = Object.entries(types).map(([name, type]): [string, FieldInfo] => [
    name,
    { ...field, name, type, owner: cls },
  ]);
  return Object.assign(cls, { fields: new Map(fields) });
}

const empty: ClassInfo = {
  name: '',
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
