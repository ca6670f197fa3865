import { didYouMean } from '../../base/did-you-mean.ts';
import type * as ast from '../1-parse/ast.ts';
import { membersOf } from '../3-infer/classes/type-values.ts';
import type { ClassInfo, Type } from '../3-infer/types.ts';
import { hasMember } from './attributes.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * W0533: an edge or a class connected as if it were a node, a node in the place of an edge
 * (docs/language/diagnostics.md#other-languages); E0412 and E0413: what the edge lacks.
 */
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
  if (node.edge === undefined) return;
  checkEdge(node.edge, node.fields, c);
  checkEnds(node, c.typeOf(node.edge), c);
}

/** Checks the nodes at the ends of an edge against `edge E : A --> B` (docs/language/archetypes.md#kinds). */
function checkEnds(node: ast.Connect, edge: Type, c: RuleContext): void {
  if ((edge.t !== 'instance' && edge.t !== 'class') || edge.cls.kind !== 'edge') return;
  const ends = endsOf(edge.cls, c);
  if (ends === undefined) return;
  const [from, to] = node.direction === 'in' ? [node.right, node.left] : [node.left, node.right];
  const fits = (side: ast.Expression, classes: Classes) => mayBe(c.typeOf(side), classes);
  const isFine = fits(from, ends.from) && fits(to, ends.to);
  const isReversed = node.direction === 'any' && fits(to, ends.from) && fits(from, ends.to);
  if (isFine || isReversed) return;
  const wrong = fits(from, ends.from) ? to : from;
  const names = (classes: Classes) => classes?.map(({ name }) => name).join(' | ') ?? 'any';
  c.report('W0533', wrong, { form: 'ends', E: edge.cls.name, A: names(ends.from), B: names(ends.to) });
}

/** Undefined: anything. */
type Classes = readonly ClassInfo[] | undefined;

function endsOf(cls: ClassInfo, c: RuleContext): { from: Classes; to: Classes } | undefined {
  for (const one of [cls, ...cls.bases]) {
    const decl = one.decl?.kind === 'Archetype' ? one.decl : undefined;
    if (decl?.endpoints === undefined) continue;
    const types = c.projectTypes.of(one.module);
    const classes = (e: ast.Expression): Classes => {
      const members = membersOf(types.annotation(e));
      return members.every((type) => type.t === 'instance')
        ? members.map((type) => (type as InstanceType).cls)
        : undefined;
    };
    return { from: classes(decl.endpoints.from), to: classes(decl.endpoints.to) };
  }
  return undefined;
}

type InstanceType = Extract<Type, { t: 'instance' }>;

/** Tells whether a value of this type, or of a type below it, may be one of them. Of a list every item. */
function mayBe(type: Type, classes: Classes): boolean {
  if (classes === undefined) return true;
  if (type.t === 'list') return mayBe(type.of, classes);
  if (type.t !== 'instance' || type.cls.kind === 'edge') return true;
  const { cls } = type;
  return classes.some(
    (one) => one === cls || cls.bases.includes(one) || one.bases.includes(cls) || one.name === 'Node',
  );
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
  // The class makes its edge without arguments, before the fields behind the colon are set
  // (docs/language/graph.md#connect).
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
