import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0607: arguments by position for a walker whose fields nobody knows where it is spawned. */
export const remoteWalkRule: Rule = { name: 'remote-walks', half: 'client', visit: { Spawn: visit } };

function visit({ left, right }: ast.Spawn, c: RuleContext): void {
  const walk = isUnknownWalk(right, c)
    ? right
    : left !== undefined && isRoot(right) && isUnknownWalk(left, c)
      ? left
      : undefined;
  const first = walk?.args.find(({ sort }) => sort === 'positional');
  if (first !== undefined) c.report('E0607', first, {}, { help: 'say which field it is for: `W(title=value)`' });
}

function isUnknownWalk(e: ast.Expression, c: RuleContext): e is ast.Call {
  if (e.kind !== 'Call' || e.callee.kind !== 'NameRef') return false;
  const binding = c.names.binding(e.callee);
  if (binding.sort === 'local') return binding.role === 'param' && c.typeOf(e.callee).t === 'any';
  return binding.sort === 'unresolved';
}

function isRoot(e: ast.Expression): boolean {
  return e.kind === 'SpecialRef' && e.word === 'root';
}
