import type * as ast from '../1-parse/ast.ts';
import { isSubclass, membersOf } from '../3-infer/classes/type-values.ts';
import type { ClassInfo, Type } from '../3-infer/types.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0537: a filter on a field that no possible item has drops everything (docs/language/expressions.md#filters). */
export const filterRule: Rule = { name: 'filters', visit: { FilterSpec: visit, EdgeOp: visitEdge } };

function visit(node: ast.FilterSpec, c: RuleContext): void {
  const type = node.type === undefined ? itemType(c) : c.types.annotation(node.type);
  check(type, node.conditions, c);
}

function visitEdge(node: ast.EdgeOp, c: RuleContext): void {
  if (node.type !== undefined) check(c.types.annotation(node.type), node.conditions, c);
}

/** Gives the type of the filtered items, when the filter has no type of its own. */
function itemType(c: RuleContext): Type {
  if (c.parent.kind !== 'Filter') return { t: 'any' };
  const object = c.typeOf(c.parent.object);
  return object.t === 'list' ? object.of : { t: 'any' };
}

function check(type: Type, conditions: readonly ast.FilterCondition[], c: RuleContext): void {
  const classes = membersOf(type).map((member) => (member.t === 'instance' ? member.cls : undefined));
  if (classes.includes(undefined)) return;
  for (const condition of conditions) {
    const name = condition.field.text;
    if (!classes.some((cls) => mayHave(cls!, name, c))) c.report('W0537', condition.field, { name });
  }
}

/** The class or a subclass of it in the program has the field, or someone assigns it. */
function mayHave(cls: ClassInfo, name: string, c: RuleContext): boolean {
  const has = (one: ClassInfo) =>
    one.open || one.kind === 'runtime' || one.fields.has(name) || one.methods.has(name) || one.attributes.has(name);
  if (has(cls) || (cls.kind === 'edge' && ['source', 'target', 'undirected'].includes(name))) return true;
  for (const other of c.types.program.classes.values()) if (isSubclass(other, cls) && has(other)) return true;
  for (const id of c.project.modules.keys()) if (c.projectNames.of(id).createdAttributes.has(name)) return true;
  return false;
}
