/**
 * The level a caller has on an object (docs/server/permissions.md#effective-level), and what a denial does
 * (docs/server/permissions.md#denials).
 */

import { PermissionError } from '../../library/values/objects/exceptions.ts';
import { Failure } from '../errors.ts';
import type { EdgeRow, NodeRow } from '../memory/rows.ts';
import { levelOrNone } from './levels.ts';
import { CONNECT, levelName, NO_ACCESS, rulesOf } from './rules.ts';

export type Operation = 'write' | 'connect' | 'disconnect' | 'delete' | 'access';

/** Raised where the operation happens; uncaught it becomes a 403 answer with these details. */
export class AccessDenied extends PermissionError {
  /** Failure that the request path answers with. */
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

export interface Denial {
  readonly object: string;
  readonly type: string;
  readonly operation: Operation;
  readonly required: number;
  readonly effective: number;
}

export function accessDenied(denial: Denial): AccessDenied {
  const { object, type, operation } = denial;
  const message =
    operation === 'access'
      ? `access rules of ${type} ${object} are for its owner alone, whatever level others have`
      : `${operation} on ${type} ${object} needs ${levelName(denial.required)}, the caller has ${levelName(denial.effective)}`;
  const details = { ...denial, required: levelName(denial.required), effective: levelName(denial.effective) };
  return new AccessDenied(new Failure('PERMISSION_DENIED', message, { details }));
}

export interface Decision {
  readonly level: number;
  /** Rule that decided, in words. */
  readonly rule: string;
}

/**
 * Level of the caller with root `caller` on a stored node that is not its own. `ownerRow`: the owner's root. `hook` calls the type's
 * `__svc_access__`, when it has one; a hook that fails gives no access.
 */
export function effectiveLevel(
  row: NodeRow,
  ownerRow: NodeRow | undefined,
  caller: string,
  sharedRoot: unknown,
  hook: (() => unknown) | undefined,
): Decision {
  if (hook !== undefined) {
    const level = fromHook(hook);
    if (level !== undefined) return { level, rule: '__svc_access__' };
  }
  const own = rulesOf(row);
  const byRoot = own?.roots[caller];
  if (byRoot !== undefined) return { level: byRoot, rule: 'object, for the caller' };
  const general = ownerRow === undefined || ownerRow === row ? null : rulesOf(ownerRow);
  const byOwner = general?.roots[caller];
  if (byOwner !== undefined) return { level: byOwner, rule: 'root of the owner, for the caller' };
  if (own !== null && own.all !== null) return { level: own.all, rule: 'object, for everybody' };
  // Signed-in users may attach to the guests' root, not to what it owns.
  if (row.key === sharedRoot) return { level: CONNECT, rule: 'shared root' };
  const all = general?.all;
  return all === undefined || all === null
    ? { level: NO_ACCESS, rule: 'none' }
    : { level: all, rule: 'root of the owner, for everybody' };
}

/**
 * Level of the caller with root `caller` on a stored edge that is not its own. Without a rule of its own that is about the caller it is the lower
 * of the caller's levels on the ends (decisions/0416).
 */
export function effectiveEdgeLevel(
  row: EdgeRow | undefined,
  ownerRow: () => NodeRow | undefined,
  caller: string,
  ofEnds: () => number,
  hook: (() => unknown) | undefined,
): number {
  const byHook = hook === undefined ? undefined : fromHook(hook);
  if (byHook !== undefined) return byHook;
  const own = row === undefined ? null : rulesOf(row);
  if (own === null) return ofEnds();
  const byRoot = own.roots[caller];
  if (byRoot !== undefined) return byRoot;
  if (own.all === null) return ofEnds();
  const owner = ownerRow();
  return (owner === undefined ? undefined : rulesOf(owner)?.roots[caller]) ?? own.all;
}

function fromHook(hook: () => unknown): number | undefined {
  try {
    const value = hook();
    if (value === null || value === undefined) return undefined;
    return levelOrNone(value) ?? NO_ACCESS;
  } catch {
    return NO_ACCESS;
  }
}
