import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { isRefCell, setterOf } from '../2-resolve/components.ts';
import { changedOwner, mutators } from '../2-resolve/mutators.ts';
import type { LocalBinding } from '../2-resolve/names.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0632: the value of a cell of state is changed in place, which React does not see. */
export const stateCellRule: Rule = {
  name: 'state-cells',
  half: 'client',
  visit: {
    HasItem: visitCell,
    AssignStatement: visitTargets,
    AugAssign: (node, c) => checkChanged(node.target, node.target, c),
    DeleteStatement: visitTargets,
    Call: (node, c) => {
      if (node.callee.kind === 'Attribute' && mutators.has(node.callee.name.text)) checkChanged(node.callee, node, c);
    },
  },
};

const cells = new WeakMap<RuleContext, Set<LocalBinding>>();

/** Cells of the module; a component is visited before what is in it. */
export function cellsOf(c: RuleContext): Set<LocalBinding> {
  let found = cells.get(c);
  if (found === undefined) cells.set(c, (found = new Set()));
  return found;
}

function visitCell(node: ast.HasItem, c: RuleContext): void {
  const binding = c.names.binding(node.name);
  if (binding.sort === 'local' && binding.scope.kind === 'function' && !isRefCell(node)) cellsOf(c).add(binding);
}

function visitTargets({ targets }: ast.AssignStatement | ast.DeleteStatement, c: RuleContext): void {
  for (const target of targets) checkChanged(target, target, c);
}

/** `e` is what is changed, a part of a value or a method of it. */
function checkChanged(e: ast.Expression, at: ast.Node, c: RuleContext): void {
  const owner = changedOwner(e);
  const binding = owner && c.names.binding(owner);
  if (owner === undefined || binding?.sort !== 'local' || !cellsOf(c).has(binding)) return;
  // A new value is set beside it.
  if (c.fn !== undefined && containsNode(c.fn.node, (node) => isSet(node, owner.name))) return;
  c.report('W0632', at, {}, { help: helpFor(e, owner.name) });
}

/** Is the cell given another value? React takes the same list for no change, whatever became of it. */
function isSet(node: ast.Node, name: string): boolean {
  let given: ast.Expression | undefined;
  if (node.kind === 'AssignStatement') {
    if (!node.targets.some((target) => target.kind === 'NameRef' && target.name === name)) return false;
    given = node.value;
  } else if (node.kind === 'Call' && node.callee.kind === 'NameRef' && node.callee.name === setterOf(name))
    given = node.args[0]?.value;
  else return false;
  return given?.kind !== 'NameRef' || given.name !== name;
}

function helpFor(e: ast.Expression, name: string): string {
  const method = e.kind === 'Attribute' && mutators.has(e.name.text) ? e : undefined;
  const adds = method !== undefined && ['append', 'push'].includes(method.name.text);
  const within = method === undefined ? e : method.object;
  if (within.kind === 'NameRef')
    return adds ? `assign a new list: \`${name} = ${name} + [value];\`` : `assign a new value to \`${name}\``;
  if (adds && within.kind === 'Index' && within.object.kind === 'NameRef' && within.index.kind === 'StringLiteral') {
    const key = JSON.stringify(within.index.value);
    return `assign a new value: \`${name} = {**${name}, ${key}: ${name}[${key}] + [value]};\``;
  }
  return `assign a new value: \`${name} = {**${name}, "key": value};\` for a dict`;
}
