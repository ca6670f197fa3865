import type { ProjectModule } from '../../lang/project.ts';

/** Names of the standard modules that these modules of a program import. */
export function standardImports(modules: Iterable<ProjectModule>): string[] {
  return [...modules].flatMap(({ imports }) =>
    [...imports.values()].flatMap((target) => (target.of === 'standard' ? [target.name] : [])),
  );
}
