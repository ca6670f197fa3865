import type * as ast from '../1-parse/ast.ts';
import { containsNode, forEachChild } from '../2-resolve/children.ts';
import type { Names } from '../2-resolve/names.ts';

/** A write that no walk of this walker from a root comes past; undefined where there is none that is certain. */
export function certainWriteOf(walker: ast.Archetype, names: Names): ast.Node | undefined {
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
  return node.kind === 'ReturnStatement' || node.kind === 'CtrlStatement';
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
