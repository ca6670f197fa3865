import { nodeV8, nodeVm } from '../node-parts.ts';

/** Collects all garbage, or only that among the newest objects. */
export type Collect = (how?: { readonly type: 'minor' }) => void;

/** Gives the garbage collector of this process, which only code that is compiled behind the flag can name: programs do not get it. */
export function openCollector(): Collect {
  nodeV8().setFlagsFromString('--expose-gc');
  const collect = nodeVm().runInNewContext('gc') as Collect;
  nodeV8().setFlagsFromString('--no-expose-gc');
  return collect;
}
