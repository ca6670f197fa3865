/**
 * Order in which generated modules define their classes where they import each other in a circle
 * (docs/language/imports.md#cycles: archetypes are always available). JavaScript runs such modules in the order it
 * meets them, and a class needs its bases when it is defined.
 */
import type * as ast from '../1-parse/ast.ts';
import type { ProjectTypes } from '../3-infer/infer.ts';
import type { Project, ProjectModule } from '../project.ts';

/**
 * Gives, for each module, those that its file imports in front of all others. A module without any is not in the map.
 */
export function importedFirst(project: Project, types: ProjectTypes): ReadonlyMap<string, readonly string[]> {
  const first = new Map<string, string[]>();
  if (project.modules.size === 1) return first;
  const needs = new Map([...project.modules.values()].map((module) => [module.id, basesOf(project, types, module)]));
  if ([...needs.values()].every((ids) => ids.size === 0)) return first;
  const edges = new Map([...project.modules.values()].map((module) => [module.id, importsOf(project, module)]));
  for (const circle of circlesOf(edges)) {
    const inside = new Set(circle);
    if (!circle.some((id) => [...needs.get(id)!].some((base) => inside.has(base)))) continue;
    const order = inOrder(circle, (id) => [...needs.get(id)!].filter((base) => inside.has(base)));
    // Whoever enters the circle enters it at the last one, which leads to the one before it, and so on to the first.
    const last = order.at(-1)!;
    order.forEach((id, i) => {
      const before = [...(id === project.entry && id !== last ? [last] : []), ...order.slice(Math.max(i - 1, 0), i)];
      if (before.length > 0) first.set(id, before);
    });
    // A module that hands a name on is not its home: the name is imported from where it is declared, so all modules
    // that lead there count.
    for (const id of leadingTo(inside, edges)) first.set(id, [...(first.get(id) ?? []), last]);
  }
  return first;
}

function basesOf(project: Project, types: ProjectTypes, module: ProjectModule): Set<string> {
  const table = types.of(module.id);
  const bases = archetypesOf(module.tree.body).flatMap((decl) => table.classOf(decl).bases);
  return new Set(bases.map((base) => base.module).filter((id) => id !== module.id && project.modules.has(id)));
}

function archetypesOf(list: readonly ast.Element[]): readonly ast.Archetype[] {
  return list.flatMap((element) =>
    element.kind === 'PlacedBlock' ? archetypesOf(element.body) : element.kind === 'Archetype' ? [element] : [],
  );
}

function importsOf(project: Project, module: ProjectModule): readonly string[] {
  const ids = [...module.imports.values()].flatMap((target) =>
    target.of === 'project' ? [...target.loads, ...target.submodules.values()] : [],
  );
  return [...new Set([...ids, ...module.submodules.values()])].filter(
    (id) => id !== module.id && project.modules.has(id),
  );
}

/** Modules that reach each other, each circle in the order of the project (Tarjan). */
function circlesOf(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const circles: string[][] = [];
  const [index, low] = [new Map<string, number>(), new Map<string, number>()];
  const [open, isOpen] = [[] as string[], new Set<string>()];
  const visit = (id: string): void => {
    index.set(id, index.size);
    low.set(id, index.get(id)!);
    open.push(id);
    isOpen.add(id);
    for (const next of edges.get(id)!) {
      if (!index.has(next)) visit(next);
      if (isOpen.has(next)) low.set(id, Math.min(low.get(id)!, low.get(next)!));
    }
    if (low.get(id) !== index.get(id)) return;
    const members = new Set(open.splice(open.indexOf(id)));
    for (const member of members) isOpen.delete(member);
    if (members.size > 1) circles.push([...edges.keys()].filter((one) => members.has(one)));
  };
  for (const id of edges.keys()) if (!index.has(id)) visit(id);
  return circles;
}

function leadingTo(goal: ReadonlySet<string>, edges: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const found = new Set(goal);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const [id, imported] of edges) if (imported.some((one) => found.has(one))) found.add(id);
  }
  return [...found].filter((id) => !goal.has(id));
}

/** `ids` with what each needs in front of it. */
function inOrder(ids: readonly string[], needs: (id: string) => readonly string[]): readonly string[] {
  const order = new Set<string>();
  const begun = new Set<string>();
  const place = (id: string): void => {
    if (begun.has(id)) return;
    begun.add(id);
    for (const need of needs(id)) place(need);
    order.add(id);
  };
  for (const id of ids) place(id);
  return [...order];
}
