import { didYouMean } from '../../base/did-you-mean.ts';
import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0607: arguments by position for a walker whose fields nobody knows where it is spawned. W0648: a misspelt walker. */
export const remoteWalkRule: Rule = { name: 'remote-walks', half: 'client', visit: { Spawn: visit } };

function visit({ left, right }: ast.Spawn, c: RuleContext): void {
  const walk = isUnknownWalk(right, c)
    ? right
    : left !== undefined && isRoot(right) && isUnknownWalk(left, c)
      ? left
      : undefined;
  const called = walk?.callee ?? (isRoot(right) ? left : right);
  if (called?.kind === 'NameRef') checkName(called, c);
  const first = walk?.args.find(({ sort }) => sort === 'positional');
  if (first !== undefined) c.report('E0607', first, {}, { help: 'say which field it is for: `W(title=value)`' });
}

function isUnknownWalk(e: ast.Expression, c: RuleContext): e is ast.Call {
  if (e.kind !== 'Call' || e.callee.kind !== 'NameRef') return false;
  const binding = c.names.binding(e.callee);
  if (binding.sort === 'local') return binding.role === 'param' && c.typeOf(e.callee).t === 'any';
  return binding.sort === 'unresolved';
}

/** Another server may have a walker of that name, unless it is close to one of the program's own. */
function checkName(name: ast.NameRef, c: RuleContext): void {
  if (c.names.binding(name).sort !== 'unresolved' || c.project.hasScripts) return;
  const walkers = walkersOf(c);
  const near = walkers.has(name.name) ? undefined : didYouMean(name.name, walkers);
  if (near !== undefined) c.report('W0648', name, { w: name.name }, { help: `did you mean \`${near}\`?` });
}

const known = new WeakMap<object, ReadonlySet<string>>();

function walkersOf({ project }: RuleContext): ReadonlySet<string> {
  let found = known.get(project);
  if (found === undefined) {
    const all = [...project.modules.values()].flatMap(({ tree }) => tree.body);
    found = new Set(
      all.flatMap((each) => (each.kind === 'Archetype' && each.archetype === 'walker' ? each.name.text : [])),
    );
    known.set(project, found);
  }
  return found;
}

function isRoot(e: ast.Expression): boolean {
  return e.kind === 'SpecialRef' && e.word === 'root';
}
