import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0522 and E0524: a required field after one with a default; a property with an initialiser. */
export const fieldOrderRule: Rule = { name: 'field-order', visit: { Archetype: visit, HasItem: visitItem } };

function visit(node: ast.Archetype, c: RuleContext): void {
  const cls = c.types.classRecord(node);
  // With `init` there is no generated constructor whose order could matter; fields of walkers are given by name.
  if (cls.kind === 'class' || cls.kind === 'walker' || cls.methods.has('init')) return;
  let optional = false;
  for (const field of cls.constructorFields) {
    if (field.hasDefault) optional = true;
    else if (optional && field.owner === cls) {
      const item = itemOf(cls.memberNodes, field.name);
      if (item !== undefined) c.report('E0522', item.name, { name: field.name });
    }
  }
}

function itemOf(members: readonly ast.Member[], name: string): ast.HasItem | undefined {
  for (const member of members) {
    const found = member.kind === 'HasDecl' ? member.items.find((item) => item.name.text === name) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function visitItem(node: ast.HasItem, c: RuleContext): void {
  if (node.accessors !== undefined && node.value !== undefined) c.report('E0524', node.name, { name: node.name.text });
}
