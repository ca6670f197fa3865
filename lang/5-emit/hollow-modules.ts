/** Modules that leave the server nothing: components alone, and what imports nothing but such modules. They are neither loaded nor written. */
import type * as ast from '../1-parse/ast.ts';
import type { ProjectNames } from '../2-resolve/resolve.ts';
import type { Project, ProjectModule } from '../project.ts';
import type { EmitOptions } from './context.ts';

export function hollowModules(project: Project, names: ProjectNames, mode: EmitOptions['mode']): ReadonlySet<string> {
  // Tests list every module, and TypeScript imports them by their files.
  if ((mode !== 'serve' && mode !== 'run') || project.hasScripts || project.isLibrary) return new Set();
  const loads = new Map<string, ReadonlySet<string>>();
  for (const module of project.modules.values()) {
    const loaded = module.id === project.entry ? undefined : onlyLoads(module, names);
    if (loaded !== undefined) loads.set(module.id, loaded);
  }
  for (let isStable = false; !isStable; ) {
    isStable = true;
    for (const [id, others] of loads) {
      if ([...others].every((other) => loads.has(other))) continue;
      loads.delete(id);
      isStable = false;
    }
  }
  return new Set(loads.keys());
}

/** Modules that a module loads, if the server has nothing else of it. */
function onlyLoads(module: ProjectModule, names: ProjectNames): ReadonlySet<string> | undefined {
  const { isServer, importPlan } = names.of(module.id);
  const loads = new Set<string>();
  const holdsNothing = (element: ast.Element): boolean => {
    if (element.kind === 'PlacedBlock') return element.body.every(holdsNothing);
    if (!isServer(element)) return true;
    if (element.kind !== 'ImportFrom' && element.kind !== 'ImportModules') return false;
    const plan = importPlan(element);
    for (const id of plan.loads) loads.add(id);
    return plan.targets.every(({ of }) => of === 'member' || of === 'module' || of === 'erased');
  };
  return module.tree.body.every(holdsNothing) ? loads : undefined;
}
