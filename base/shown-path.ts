/**
 * An absolute path as people see it who work in `cwd`: relative when it is below or not far above, else as it is. Paths use `/`.
 */
export function shownPathFrom(cwd: string, path: string): string {
  const from = cwd.split('/').filter((part) => part !== '');
  const to = path.split('/').filter((part) => part !== '');
  let same = 0;
  while (same < from.length && same < to.length && from[same] === to[same]) same++;
  const up = from.length - same;
  return same === to.length || up > 2 ? path : '../'.repeat(up) + to.slice(same).join('/');
}
