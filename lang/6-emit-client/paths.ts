/** The way from one file of the project to another, as an import writes it: `./parts/Card.svc`. */
export function relativePath(from: string, to: string): string {
  const here = from.split('/').slice(0, -1);
  const there = to.split('/');
  let same = 0;
  while (same < here.length && same < there.length - 1 && here[same] === there[same]) same += 1;
  const up = here.length - same;
  return `${up === 0 ? './' : '../'.repeat(up)}${there.slice(same).join('/')}`;
}
