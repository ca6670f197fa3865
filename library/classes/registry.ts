/** The archetypes and enums registered in this process, by name. A program takes its own picture of it when it is loaded. */
import { type ArchetypeClass, metaOf, typeKey } from './meta.ts';
import type { FunctionSpec } from './spec.ts';

export interface ClassTable {
  /** `module.Name` */
  named(name: string): ArchetypeClass | undefined;
  /** All classes of this bare name. */
  called(name: string): readonly ArchetypeClass[];
  all(): Iterable<ArchetypeClass>;
}

const latest = new Map<string, ArchetypeClass>();

export function remember(meta: { readonly module: string; readonly name: string; readonly cls: unknown }): void {
  latest.set(typeKey(meta), meta.cls as ArchetypeClass);
}

let edgesDecide = false;

/** Notes an edge type that decides who may see its edges (`__svc_access__`). */
export function rememberEdgeHook(): void {
  edgesDecide = true;
}

/** Tells whether a program of this process has such a type. Then edges are looked at one by one. */
export function hasEdgeHooks(): boolean {
  return edgesDecide;
}

const functions = new Map<string, FunctionSpec>();

/** A function at module level. */
export function rememberFunction(spec: FunctionSpec): void {
  functions.set(`${spec.module}.${spec.name}`, spec);
}

/** Names of a module's walkers, in order of declaration. */
export function walkersOf(module: string): string[] {
  const found = [...latest.values()]
    .flatMap((cls) => metaOf(cls) ?? [])
    .filter((meta) => meta.module === module && meta.kind === 'walker');
  return inOrder(found.map((meta) => meta.spec)).map((spec) => spec.name);
}

/** Names of a module's functions, in order of declaration. */
export function functionsOf(module: string): string[] {
  return inOrder([...functions.values()].filter((spec) => spec.module === module)).map((spec) => spec.name);
}

/** Sorts by the position in the source (`file:line:column`); items without one stay where they are. */
export function inOrder<T extends { readonly at?: string }>(list: readonly T[]): T[] {
  const placed = list.map((item) => ({ item, place: /^(.*):(\d+):(\d+)$/.exec(item.at ?? '') }));
  return placed
    .sort((a, b) => {
      if (a.place === null || b.place === null || a.place[1] !== b.place[1]) return 0;
      return Number(a.place[2]) - Number(b.place[2]) || Number(a.place[3]) - Number(b.place[3]);
    })
    .map(({ item }) => item);
}

/** The classes registered so far; later registrations do not change it. */
export function snapshotClasses(): ClassTable {
  return tableOf(new Map(latest));
}

/** Always the newest registration of each name. */
export const liveClasses: ClassTable = tableOf(latest);

function tableOf(classes: ReadonlyMap<string, ArchetypeClass>): ClassTable {
  return {
    named: (name) => classes.get(name),
    all: () => classes.values(),
    called: (name) => [...classes].filter(([full]) => full === name || full.endsWith(`.${name}`)).map(([, cls]) => cls),
  };
}
