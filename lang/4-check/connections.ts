import { didYouMean } from '../../base/did-you-mean.ts';
import type * as ast from '../1-parse/ast.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import { hasMember } from './attributes.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0533: an edge or a class connected as if it were a node, a node in the place of an edge (3.15); E0412 and E0413: what the edge lacks. */
export const connectRule: Rule = { name: 'connections', visit: { Connect: visit, EdgeOp: visitHop } };

function visit(node: ast.Connect, c: RuleContext): void {
  for (const side of [node.left, node.right]) {
    // In a chain the value of the connection before was reported as its operand.
    if (side.kind === 'Connect') continue;
    const type = c.typeOf(side);
    const isEdge = (type.t === 'instance' || type.t === 'class') && type.cls.kind === 'edge';
    if (isEdge) c.report('W0533', side, { E: type.cls.name }, { help: `use \`a +>: ${type.cls.name}() :+> b\`` });
    else if (type.t === 'class' && type.cls.kind === 'node')
      c.report('W0533', side, { form: 'class', E: type.cls.name }, { help: `write \`${type.cls.name}(…)\`` });
  }
  if (node.edge !== undefined) checkEdge(node.edge, node.fields, c);
}

function visitHop(node: ast.EdgeOp, c: RuleContext): void {
  if (node.type !== undefined) checkKind(node.type, c);
}

function checkEdge(edge: ast.Expression, fields: ast.Connect['fields'], c: RuleContext): void {
  const type = c.typeOf(edge);
  if ((type.t !== 'instance' && type.t !== 'class') || checkKind(edge, c)) return;
  const { cls } = type;
  if (cls.kind !== 'edge') return;
  for (const { name } of fields) {
    if (hasMember(cls, name.text, c)) continue;
    const near = didYouMean(name.text, cls.fields.keys());
    c.report('E0413', name, { form: near === undefined ? 'plain' : 'near', T: cls.name, a: name.text, b: near ?? '' });
  }
  // The class makes its edge without arguments, before the fields behind the colon are set (4.10).
  const lacking = type.t === 'class' && !hasOwnConstructor(cls) ? cls.constructorFields.find(isRequired) : undefined;
  if (lacking === undefined) return;
  const help = `give it in parentheses: \`${cls.name}(${lacking.name}=…)\``;
  c.report('E0412', edge, { form: 'missing', p: lacking.name, f: cls.name }, { help });
}

/** True, and told, when what stands in the place of an edge is of another kind. */
function checkKind(e: ast.Expression, c: RuleContext): boolean {
  const type = c.typeOf(e);
  if ((type.t !== 'instance' && type.t !== 'class') || (type.cls.kind !== 'node' && type.cls.kind !== 'walker'))
    return false;
  c.report('W0533', e, { form: 'kind', E: type.cls.name, kind: type.cls.kind });
  return true;
}

function hasOwnConstructor(cls: ClassInfo): boolean {
  return cls.open || cls.methods.has('init') || cls.methods.has('__new__') || (cls.decl?.decorators.length ?? 0) > 0;
}

function isRequired({ hasDefault }: ClassInfo['constructorFields'][number]): boolean {
  return !hasDefault;
}
