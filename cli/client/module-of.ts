import { relative } from 'node:path';

/** Dotted name of a module from the project root: `/app/parts/Card.cl.svc` -> `parts.Card`; '' without a path. */
export function moduleOf(path: string | undefined, projectDir: string): string {
  if (path === undefined) return '';
  return relative(projectDir, path)
    .replace(/(\.(cl|sv))?\.svc$/, '')
    .replaceAll('/', '.');
}
