import type { Binding } from '../2-resolve/names.ts';
import type { LocalRecord, ModuleRecord } from '../2-resolve/records.ts';
import type { Env, Reader } from './program.ts';
import { any, depthOf, join } from './type-values.ts';

/** Number of a variable whose type is followed from place to place in `f`: a local of this function. -1: it is none. */
export function slotIn(f: Reader, binding: Binding): number {
  if (binding.sort === 'local') {
    const { slot, home } = binding as LocalRecord;
    return home === f.scope ? slot : -1;
  }
  if (binding.sort !== 'module' || f.record.node !== f.state.module.tree) return -1;
  return binding.module === f.state.module.id ? (binding as ModuleRecord).slot : -1;
}

export function copyEnv(f: Reader): Env {
  return f.env.slice();
}

/** Slot by slot the type that may arrive from any of them; a slot that one of them lacks has the others'. */
export function joinEnvs(envs: readonly Env[]): Env {
  const joined = envs[0]!.slice();
  for (let i = 1; i < envs.length; i++) {
    const env = envs[i]!;
    for (let slot = 0; slot < env.length; slot++) {
      const type = env[slot];
      if (type === undefined) continue;
      const before = joined[slot];
      if (before === type) continue;
      const both = before === undefined ? type : join(before, type);
      joined[slot] = both !== before && depthOf(both) > 3 ? any : both;
    }
  }
  return joined;
}
