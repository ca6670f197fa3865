import type { ServedTarget } from '../served-targets.ts';

/** Paths of a socket endpoint (docs/server/sockets.md#handshake): functions have the long form only, so that walkers keep the short one. */
export function socketPaths({ kind, name }: Pick<ServedTarget, 'kind' | 'name'>): readonly string[] {
  return kind === 'walker' ? [`/ws/${name}`, `/ws/walker/${name}`] : [`/ws/function/${name}`];
}
