import type * as ast from '../1-parse/ast.ts';
import { containsNode, forEachChild } from '../2-resolve/children.ts';
import { deferred, deferring } from '../2-resolve/deferred-calls.ts';
import type { Names } from '../2-resolve/names.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0612: `live(root spawn W())` of a walker that writes on every way through its first ability: the server would answer `NOT_READ_ONLY`. */
export const liveWriteRule: Rule = { name: 'live-writes', half: 'client', visit: { Call: visit } };

function visit(e: ast.Call, c: RuleContext): void {
  if (deferring(c.names, e) !== 'live') return;
  const walk = deferred(e);
  if (walk?.kind !== 'Spawn') return;
  for (const side of [walk.left, walk.right]) {
    if (side?.kind !== 'Call') continue;
    const type = c.typeOf(side);
    if (type.t !== 'instance' || type.cls.decl?.kind !== 'Archetype' || type.cls.decl.archetype !== 'walker') continue;
    const write = firstWrite(type.cls.decl, c.projectNames.of(type.cls.module));
    if (write === undefined) continue;
    c.report('E0612', side, { W: type.cls.name }, { help: `use \`useAction(root spawn ${type.cls.name}(…))\` for it` });
  }
}

/** A write that no walk from a root comes past. */
function firstWrite(walker: ast.Archetype, names: Names): ast.Node | undefined {
  const first = walker.members?.find((one): one is ast.Ability => one.kind === 'Ability' && one.event.when === 'entry');
  if (first === undefined || !isOfRoots(first.event.trigger)) return undefined;
  const block = names.implOf(first)?.body ?? (first.body.kind === 'Block' ? first.body : undefined);
  for (const s of block?.statements ?? []) {
    const write = certainWrite(s);
    if (write !== undefined) return write;
    if (containsNode(s, leaves)) return undefined;
  }
  return undefined;
}

function isOfRoots(trigger: ast.Expression | undefined): boolean {
  if (trigger === undefined) return true;
  return trigger.kind === 'NameRef'
    ? trigger.name === 'Root'
    : trigger.kind === 'SpecialRef' && trigger.word === 'root';
}

function leaves(node: ast.Node): boolean {
  return node.kind === 'ReturnStatement' || node.kind === 'RaiseStatement' || node.kind === 'CtrlStatement';
}

/** Kinds of code whose parts may not run. */
const uncertain: ReadonlySet<ast.Node['kind']> = new Set<ast.Node['kind']>([
  'Conditional',
  'Logical',
  'Lambda',
  'FunctionExpr',
  'FunctionDecl',
  'Comprehension',
  'IfStatement',
  'WhileStatement',
  'ForIn',
  'ForCount',
  'TryStatement',
  'MatchStatement',
  'SwitchStatement',
]);

function certainWrite(node: ast.Node): ast.Node | undefined {
  if (node.kind === 'Connect' || node.kind === 'Disconnect') return node;
  if (node.kind === 'AssignStatement' && node.targets.some(isFieldOfHere)) return node;
  if (node.kind === 'AugAssign' && isFieldOfHere(node.target)) return node;
  if (uncertain.has(node.kind)) return undefined;
  let found: ast.Node | undefined;
  forEachChild(node, (child) => {
    found ??= certainWrite(child);
  });
  return found;
}

function isFieldOfHere(e: ast.Expression): boolean {
  return e.kind === 'Attribute' && e.object.kind === 'SpecialRef' && e.object.word === 'here';
}
