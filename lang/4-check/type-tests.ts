import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0415: `isinstance(x, list[int])` and the same of `issubclass`, which raise TypeError as in Python: what a container holds is no part of its class. */
export const typeTestRule: Rule = { name: 'type-tests', visit: { Call: visit } };

const containers = new Set('list dict set frozenset tuple type List Dict Set FrozenSet Tuple Type'.split(' '));

function visit(node: ast.Call, c: RuleContext): void {
  const type = c.typeOf(node.callee);
  if (type.t !== 'builtin' || (type.name !== 'isinstance' && type.name !== 'issubclass')) return;
  const tested = node.args[1];
  if (tested?.sort !== 'positional') return;
  for (const part of partsOf(tested.value)) {
    if (part.kind !== 'Index' || part.object.kind !== 'NameRef' || !isContainer(part.object, c)) continue;
    const name = c.source.text.slice(part.start, part.end);
    const help = `write \`${part.object.name}\`, and look at the items where they matter`;
    c.report('E0415', part, { T: name, what: `a class that \`${type.name}\` accepts` }, { help });
  }
}

function partsOf(e: ast.Expression): readonly ast.Expression[] {
  if (e.kind === 'TupleExpr') return e.items.flatMap(partsOf);
  if (e.kind === 'Binary' && e.op === '|') return [...partsOf(e.left), ...partsOf(e.right)];
  return [e];
}

function isContainer(e: ast.NameRef, c: RuleContext): boolean {
  const binding = c.names.binding(e);
  if (!containers.has(e.name) || binding.sort === 'unresolved') return false;
  return binding.sort === 'builtin' || binding.import?.of === 'builtin';
}
