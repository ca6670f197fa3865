import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0533: an edge connected as if it were a node (3.15). */
export const connectRule: Rule = { name: 'connections', visit: { Connect: visit } };

function visit(node: ast.Connect, c: RuleContext): void {
  for (const side of [node.left, node.right]) {
    // In a chain the value of the connection before was reported as its operand.
    if (side.kind === 'Connect') continue;
    const type = c.typeOf(side);
    const isEdge = (type.t === 'instance' || type.t === 'class') && type.cls.kind === 'edge';
    if (isEdge) c.report('W0533', side, { E: type.cls.name }, { help: `use \`a +>: ${type.cls.name}() :+> b\`` });
  }
}
