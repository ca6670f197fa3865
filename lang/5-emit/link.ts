/** Facts about the other modules of a project that a generated module depends on. */
import type * as ast from '../1-parse/ast.ts';
import type { ProjectNames } from '../2-resolve/resolve.ts';
import type { ProjectTypes } from '../3-infer/infer.ts';
import type { Project, ProjectModule } from '../project.ts';
import { importedFirst } from './base-order.ts';
import type { EmitOptions, Home, Member } from './context.ts';
import { hollowModules } from './hollow-modules.ts';
import { isLateBase } from './late-bases.ts';
import { type Remote, remoteOf } from './remote.ts';

export interface Link {
  /** Emit options of one module. */
  of(module: ProjectModule): EmitOptions;
  /** Path of the generated file below the output folder. */
  pathOf(id: string): string;
  /** Modules that need not be there, unless another one names them. */
  readonly hollow: ReadonlySet<string>;
}

export type LinkOptions = Pick<
  EmitOptions,
  | 'target'
  | 'graph'
  | 'runtime'
  | 'foreignSpecifier'
  | 'entryLabel'
  | 'mode'
  | 'debug'
  | 'isEvaluated'
  | 'marks'
  | 'withoutEntries'
>;

export function linkProject(project: Project, names: ProjectNames, types: ProjectTypes, options: LinkOptions): Link {
  const remote = remoteOf(project, names, options.mode);
  const waiting = waitingModules(project, names, types, options, remote);
  const traits = types.traits();
  const hollow = hollowModules(project, names, options.mode);
  const first = importedFirst(project, types);
  const shared = {
    ...options,
    traits,
    waitsForModule: (id: string) => waiting.has(id),
    isHollow: (id: string) => hollow.has(id),
    member: (module: string, name: string) => findMember(project, names, module, name),
    origin: names.origin,
    home: (module: string) => homeOf(names, types, module),
    isRemote: (decl: ast.Node) => remote.functions.has(decl),
  };
  return {
    pathOf: outputPath,
    hollow,
    of: (module) => ({
      ...shared,
      isEntry: module.id === project.entry && !project.isLibrary,
      checksSpawns: traits.withPrivateWalkers.some((id) => id !== module.id),
      moduleSpecifier: (id) => specifier(module.id, id),
      remote: module.id === project.entry ? remote.members : undefined,
      isLateBase: (base) => isLateBase(project, names, module.id, base),
      importsFirst: first.get(module.id),
    }),
  };
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
        if (runs && (options.debug === true || table.suspends(element))) waiting.add(module.id);
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
