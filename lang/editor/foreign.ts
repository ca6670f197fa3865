/** Modules of JavaScript as their declarations tell: names they export, and where those stand. */
import type { Entry } from '../declarations/block.ts';
import type { Home } from '../declarations/declarations.ts';
import type { Project } from '../project.ts';
import type { Outside } from './view.ts';

/** Names that a JavaScript module exports, with the kind of each where it is known. */
export function foreignExports(project: Project, specifier: string): ReadonlyMap<string, Entry['kind'] | undefined> {
  const found = new Map<string, Entry['kind'] | undefined>();
  const home = project.declarations.ofImport(specifier);
  if (home !== undefined) collect(project, home, found, 0);
  return found;
}

const deepest = 8;

function collect(project: Project, home: Home, found: Map<string, Entry['kind'] | undefined>, depth: number): void {
  const { block } = home;
  for (const [name, target] of block.exports) {
    if (found.has(name)) continue;
    const entry =
      target.of === 'local' && target.path.length === 1 ? block.entries.get(target.path[0]!)?.[0] : undefined;
    found.set(name, entry?.kind);
  }
  if (block.exportsAll) for (const [name, [entry]] of block.entries) if (!found.has(name)) found.set(name, entry?.kind);
  if (depth === deepest) return;
  const [assigned] = block.assigned ?? [];
  const namespace =
    assigned === undefined ? undefined : block.entries.get(assigned)?.find(({ kind }) => kind === 'namespace');
  const inner = namespace && project.declarations.ofNamespace(namespace, home);
  if (inner !== undefined) collect(project, inner, found, depth + 1);
  for (const star of block.stars) {
    const other = project.declarations.ofModule(star, home);
    if (other !== undefined) collect(project, other, found, depth + 1);
  }
  if (home.earlier !== undefined) collect(project, home.earlier, found, depth + 1);
}

/** The place at which the declarations of a JavaScript module declare a name; the beginning of the file without one. */
export function foreignPlace(project: Project, specifier: string, member: string | undefined): Outside | undefined {
  const home = project.declarations.ofImport(specifier);
  if (home === undefined || home.path.startsWith('node:')) return undefined;
  return (member === undefined ? undefined : findIn(project, home, member, 0)) ?? outside(home, 0, 0);
}

function findIn(project: Project, home: Home, name: string, depth: number): Outside | undefined {
  if (depth > deepest) return undefined;
  const { block } = home;
  const target = block.exports.get(name);
  if (target?.of === 'link') {
    const other = project.declarations.ofModule(target.specifier, home);
    if (other === undefined) return undefined;
    return target.member === undefined ? outside(other, 0, 0) : findIn(project, other, target.member, depth + 1);
  }
  const local = target?.path[0] ?? name;
  const entry = block.entries.get(local)?.[0];
  if (entry !== undefined) return outside(home, entry.start, entry.start + entry.name.length);
  const link = block.imports.get(local);
  if (link !== undefined) {
    const other = project.declarations.ofModule(link.specifier, home);
    if (other !== undefined)
      return link.member === undefined ? outside(other, 0, 0) : findIn(project, other, link.member, depth + 1);
  }
  for (const star of block.stars) {
    const other = project.declarations.ofModule(star, home);
    const found = other && findIn(project, other, name, depth + 1);
    if (found !== undefined) return found;
  }
  const [assigned] = block.assigned ?? [];
  const namespace =
    assigned === undefined ? undefined : block.entries.get(assigned)?.find(({ kind }) => kind === 'namespace');
  const inner = namespace && project.declarations.ofNamespace(namespace, home);
  return inner && findIn(project, inner, name, depth + 1);
}

function outside(home: Home, start: number, end: number): Outside {
  return { file: home.path, text: home.block.text, start, end };
}
