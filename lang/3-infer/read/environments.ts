import type { Binding } from '../../2-resolve/names.ts';
import type { LocalRecord, ModuleRecord } from '../../2-resolve/records.ts';
import { any, deepest, depthOf, join } from '../classes/type-values.ts';
import type { Env, Reader } from '../program.ts';
import type { Type } from '../types.ts';

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
  return copyOf(f.env);
}

export function copyOf(env: Env): Env {
  const copy: Env = env.slice();
  if (env.places !== undefined) copy.places = env.places;
  return copy;
}

/**
 * Slot by slot the type that may arrive from any of them; a slot that one of them lacks has the others'. Of a place all must know
 * something.
 */
export function joinEnvs(envs: readonly Env[]): Env {
  const joined: Env = envs[0]!.slice();
  if (envs[0]!.places !== undefined) joined.places = joinPlaces(envs.map(({ places }) => places));
  for (let i = 1; i < envs.length; i++) {
    const env = envs[i]!;
    for (let slot = 0; slot < env.length; slot++) {
      const type = env[slot];
      if (type === undefined) continue;
      const before = joined[slot];
      if (before === type) continue;
      const both = before === undefined ? type : join(before, type);
      joined[slot] = both !== before && depthOf(both) > deepest ? any : both;
    }
  }
  return joined;
}

function joinPlaces(all: readonly Env['places'][]): Env['places'] {
  const [first, ...others] = all;
  const joined = new Map<string, Type>();
  for (const [place, type] of first!) {
    const types = others.map((one) => one?.get(place));
    if (!types.includes(undefined))
      joined.set(
        place,
        types.reduce<Type>((sum, one) => join(sum, one!), type),
      );
  }
  return joined.size === 0 ? undefined : joined;
}
