import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0536: `[-->]` in a method of an `obj` begins at `root`, not at the object (docs/language/graph.md#origin). */
export const implicitOriginRule: Rule = { name: 'implicit-origin', visit: { EdgeRef: visit } };

function visit(node: ast.EdgeRef, c: RuleContext): void {
  if (node.origin !== undefined || c.owner === undefined || c.fn === undefined) return;
  if (c.owner.kind === 'obj' || c.owner.kind === 'class')
    c.report('W0536', node, {}, { help: 'write the origin: `[root -->]`' });
}
