import { metaOf } from '../../library/classes/meta.ts';
import { AccessDenied } from '../access/check.ts';
import { Failure } from '../errors.ts';
import { Walker } from '../graph/objects.ts';
import { type SpawnOptions, spawn, spawnPrefix } from './spawn.ts';
import type { Walk } from './walk.ts';

/**
 * `spawn` written in `module`, for programs in which another module has private walkers: only code of a private walker's own module may
 * start it (docs/server/programs.md#access).
 *
 * @throws PermissionError, answered as 403 PERMISSION_DENIED
 */
export function spawnFrom(module: string, a: unknown, b: unknown, within?: Walk, options?: SpawnOptions): unknown {
  requireMayStart(module, a);
  requireMayStart(module, b);
  return spawn(a, b, within, options);
}

export function spawnPrefixFrom(module: string, x: unknown, within?: Walk, options?: SpawnOptions): unknown {
  requireMayStart(module, x);
  return spawnPrefix(x, within, options);
}

function requireMayStart(module: string, x: unknown): void {
  const meta = x instanceof Walker ? metaOf(x.constructor) : metaOf(x);
  if (meta?.kind !== 'walker' || meta.spec.access !== 'priv' || meta.module === module) return;
  throw new AccessDenied(new Failure('PERMISSION_DENIED', `walker ${meta.name} is private to module ${meta.module}`));
}
