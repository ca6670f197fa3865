import type { ServedTarget } from '../served-targets.ts';

/** Paths of a socket endpoint (server.md 13.1): functions have the long form only, so that walkers keep the short one. */
export function socketPaths({ kind, name }: Pick<ServedTarget, 'kind' | 'name'>): readonly string[] {
  return kind === 'walker' ? [`/ws/${name}`, `/ws/walker/${name}`] : [`/ws/function/${name}`];
}
