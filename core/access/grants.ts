/** `perm_grant`, `perm_revoke`, `allow_root`, `disallow_root` (docs/server/permissions.md#levels). */

import { ACCESS, DIRTY, LAZY } from '../../library/classes/state.ts';
import { TypeError, ValueError } from '../../library/values/objects/exceptions.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { idOf } from '../graph/ids.ts';
import { oid } from '../graph/lookup.ts';
import { Edge, type GraphObject, Node } from '../graph/objects.ts';
import { currentContext } from '../memory/context.ts';
import { requireWritable } from '../memory/read-only.ts';
import type { Session } from '../memory/session.ts';
import { hydrate } from '../memory/session-fields.ts';
import { rootOf } from '../memory/session-rows.ts';
import { requireLevel } from './levels.ts';
import { type AccessRules, NO_ACCESS, noRules, READ, rulesOf, WRITE } from './rules.ts';
import { denyAccess, levelOfEdge, nodeLevel } from './session-access.ts';

/** Every user gets the level on the object. True when that changed something, as for all functions here. */
export function perm_grant(x: unknown, level: unknown = READ): boolean {
  const wanted = requireLevel(level);
  return change(x, (rules) => ({ ...rules, all: wanted }));
}

/** Removes all public access. */
export function perm_revoke(x: unknown): boolean {
  return change(x, (rules) => ({ ...rules, all: NO_ACCESS }));
}

/** One user's root gets the level; NO_ACCESS is an explicit denial that beats a public grant. */
export function allow_root(x: unknown, root: unknown, level: unknown = READ): boolean {
  const wanted = requireLevel(level);
  const id = rootId(root);
  return change(x, (rules) => ({ ...rules, roots: { ...rules.roots, [id]: wanted } }));
}

/** Removes that root's entry, whatever level it holds. */
export function disallow_root(x: unknown, root: unknown, level: unknown = READ): boolean {
  requireLevel(level);
  const id = rootId(root);
  return change(x, ({ all, roots }) => ({
    all,
    roots: Object.fromEntries(Object.entries(roots).filter(([name]) => name !== id)),
  }));
}

function change(x: unknown, next: (rules: AccessRules) => AccessRules): boolean {
  if (!(x instanceof Node || x instanceof Edge)) throw new TypeError(`a '${typeName(x)}' object has no access rules`);
  const { session } = currentContext();
  requireWritable(session, 'changed access rules');
  if (!mayChange(x))
    return denyAccess(session, x, {
      operation: 'access',
      required: WRITE,
      effective: x instanceof Node ? nodeLevel(session, x) : levelOfEdge(session, x),
    });
  const before = session.rules.get(x) ?? (x.$row === null ? null : rulesOf(x.$row)) ?? noRules;
  const after = next(before);
  if (sameRules(before, after)) return false;
  setRules(session, x, after);
  return true;
}

function setRules(session: Session, x: GraphObject, rules: AccessRules): void {
  if (x.$row !== null && (x.$st & (DIRTY | ACCESS)) === 0) session.dirty.push(x);
  if ((x.$st & LAZY) !== 0) hydrate(session, x);
  x.$st |= ACCESS;
  session.rules.set(x, rules);
  session.ruleChanges ??= new Set();
  session.ruleChanges.add(x);
}

function sameRules(a: AccessRules, b: AccessRules): boolean {
  const [one, other] = [Object.entries(a.roots), Object.entries(b.roots)];
  return a.all === b.all && one.length === other.length && one.every(([id, level]) => b.roots[id] === level);
}

/** Tells whether the caller may change the rules: only the owner and the system do, whatever the level. */
function mayChange(x: GraphObject): boolean {
  const { session } = currentContext();
  if (session.isSystem || x.$row === null) return true;
  const owner = x instanceof Edge ? (x.$row.owner ?? x.$src.$row.owner) : x.$row.owner;
  return owner === rootOf(session).$row.key;
}

function rootId(root: unknown): string {
  if (root instanceof Node) return oid(root);
  const id = idOf(root);
  if (id === undefined) throw new ValueError(`not the id of a root: ${strOf(root)}`);
  return id;
}
