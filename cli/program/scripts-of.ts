import { isScriptFile } from '../../adapters/typescript/script-files.ts';
import type { Project } from '../../lang/project.ts';

/** TypeScript files, absolute, that modules of either half import; those that they import themselves come along. */
export function scriptsOf(projects: readonly Project[]): ReadonlySet<string> {
  const targets = projects.flatMap(({ modules }) =>
    [...modules.values()].flatMap(({ imports }) => [...imports.values()]),
  );
  const paths = targets.flatMap((one) => (one.of === 'js' && one.path !== undefined ? [one.path] : []));
  return new Set(paths.filter(isScriptFile));
}
