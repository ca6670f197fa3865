/** What a generated module has to know about the others of its project. */
import type * as ast from '../1-parse/ast.ts';
import type { ProjectNames } from '../2-resolve/resolve.ts';
import type { ProjectTypes } from '../3-infer/infer.ts';
import type { Project, ProjectModule } from '../project.ts';
import { importedFirst } from './base-order.ts';
import type { EmitOptions, Home, Member } from './context.ts';
import { isLateBase } from './late-bases.ts';
import { type Remote, remoteOf } from './remote.ts';

export interface Link {
  /** Emit options of one module. */
  of(module: ProjectModule): EmitOptions;
  /** Path of the generated file below the output folder. */
  pathOf(id: string): string;
}

export type LinkOptions = Pick<
  EmitOptions,
  'target' | 'graph' | 'runtime' | 'foreignSpecifier' | 'entryLabel' | 'mode'
>;

export function linkProject(project: Project, names: ProjectNames, types: ProjectTypes, options: LinkOptions): Link {
  const remote = remoteOf(project, names, options.mode);
  const waiting = waitingModules(project, names, types, options, remote);
  const hasMixins = [...project.modules.values()].some((module) => module.tree.body.some(mixes));
  const tracksHandled = [...project.modules.keys()].some((id) => names.of(id).asksForHandled);
  const asksForDefaults = [...project.modules.values()].some(({ sources }) => sources.some(namesDefaults));
  const derivesLists = [...project.modules.keys()].some((id) => names.of(id).derivedTypes.has('list'));
  const deletedAttributes = new Set([...project.modules.keys()].flatMap((id) => [...names.of(id).deletedAttributes]));
  const secretive = [...project.modules.values()].filter((module) => module.tree.body.some(hasPrivateWalker));
  const first = importedFirst(project, types);
  const shared = {
    ...options,
    hasMixins,
    tracksHandled,
    asksForDefaults,
    importsLater: project.importsLater,
    derivesLists,
    deletedAttributes,
    waitsForModule: (id: string) => waiting.has(id),
    member: (module: string, name: string) => findMember(project, names, module, name),
    origin: names.origin,
    home: (module: string) => homeOf(names, types, module),
    isRemote: (decl: ast.Node) => remote.functions.has(decl),
  };
  return {
    pathOf: outputPath,
    of: (module) => ({
      ...shared,
      isEntry: module.id === project.entry && !project.isLibrary,
      checksSpawns: secretive.some((other) => other !== module),
      moduleSpecifier: (id) => specifier(module.id, id),
      remote: module.id === project.entry ? remote.members : undefined,
      isLateBase: (base) => isLateBase(project, names, module.id, base),
      importsFirst: first.get(module.id),
    }),
  };
}

function namesDefaults({ text }: { readonly text: string }): boolean {
  return /\b(inspect|__defaults__|__kwdefaults__)\b/.test(text);
}

/** `lib.util` is written to `lib/util.mjs`. */
function outputPath(id: string): string {
  return `${id.replaceAll('.', '/')}.mjs`;
}

function specifier(from: string, to: string): string {
  const here = outputPath(from).split('/').slice(0, -1);
  const there = outputPath(to).split('/');
  let same = 0;
  while (same < here.length && same < there.length - 1 && here[same] === there[same]) same += 1;
  const up = here.length - same;
  return `${up === 0 ? './' : '../'.repeat(up)}${there.slice(same).join('/')}`;
}

function findMember(project: Project, names: ProjectNames, module: string, name: string): Member | undefined {
  if (!project.modules.has(module)) return undefined;
  const binding = names.of(module).bindings.get(name);
  const found = binding?.role === 'import' ? names.follow(binding) : binding;
  return found && { module: found.module, name: found.name, role: found.role, decl: found.decl };
}

function homeOf(names: ProjectNames, types: ProjectTypes, module: string): Home {
  return { names: names.of(module), types: types.of(module) };
}

function mixes(element: ast.Element): boolean {
  if (element.kind === 'PlacedBlock') return element.body.some(mixes);
  if (element.kind === 'ImplDecl') return (element.bases?.length ?? 0) > 1;
  if (element.kind !== 'Archetype') return false;
  return (
    element.bases.length > 1 ||
    (element.members?.some((member) => member.kind === 'Archetype' && mixes(member)) ?? false)
  );
}

function hasPrivateWalker(element: ast.Element): boolean {
  if (element.kind === 'PlacedBlock') return element.body.some(hasPrivateWalker);
  return element.kind === 'Archetype' && element.archetype === 'walker' && element.access === 'priv';
}

// Modules whose initialisation waits, because they do or because one they import does.
function waitingModules(
  project: Project,
  names: ProjectNames,
  types: ProjectTypes,
  options: LinkOptions,
  remote: Remote,
): Set<string> {
  const waiting = new Set<string>();
  const importers = new Map(remote.members.map(({ module }) => [module, [project.entry]]));
  for (const module of project.modules.values()) {
    const own = names.of(module.id);
    const table = types.of(module.id);
    if (table.suspends(module.tree)) waiting.add(module.id);
    const visit = (element: ast.Element): void => {
      if (element.kind === 'PlacedBlock') element.body.forEach(visit);
      else if (element.kind === 'EntryBlock') {
        const runs =
          element.label === undefined || (module.id === project.entry && element.label.text === options.entryLabel);
        if (runs && table.suspends(element)) waiting.add(module.id);
      } else if (
        (element.kind === 'ImportModules' || element.kind === 'ImportFrom' || element.kind === 'Include') &&
        own.isServer(element)
      ) {
        for (const id of own.importPlan(element).loads) {
          const list = importers.get(id);
          if (list === undefined) importers.set(id, [module.id]);
          else list.push(module.id);
        }
      }
    };
    module.tree.body.forEach(visit);
  }
  const work = [...waiting];
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    for (const importer of importers.get(id) ?? []) {
      if (waiting.has(importer)) continue;
      waiting.add(importer);
      work.push(importer);
    }
  }
  return waiting;
}
