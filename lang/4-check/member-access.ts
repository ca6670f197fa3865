import type * as ast from '../1-parse/ast.ts';
import { isSubclass } from '../3-infer/classes/type-values.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0511: members that only their archetype, or it and its subtypes, may use (docs/language/access.md#access-tags). */
export const memberAccessRule: Rule = { name: 'member-access', visit: { Attribute: visit } };

function visit(node: ast.Attribute, c: RuleContext): void {
  const type = c.typeOf(node.object);
  if (type.t !== 'instance' && type.t !== 'class') return;
  const found = accessOf(type.cls, node.name.text);
  if (found === undefined || mayUse(found.access, found.owner, c.owner)) return;
  c.report('W0511', node.name, {
    name: node.name.text,
    access: found.access === 'priv' ? 'private' : 'protected',
    owner: found.owner.name,
  });
}

function accessOf(cls: ClassInfo, name: string): { access: ast.Access; owner: ClassInfo } | undefined {
  const field = cls.fields.get(name);
  if (field?.access !== undefined) return { access: field.access, owner: field.owner };
  const method = cls.methods.get(name);
  const access = method?.decl?.kind === 'FunctionDecl' ? method.decl.access : undefined;
  return access === undefined || method?.owner === undefined ? undefined : { access, owner: method.owner };
}

function mayUse(access: ast.Access, owner: ClassInfo, from: ClassInfo | undefined): boolean {
  if (access === 'pub') return true;
  if (from === undefined) return false;
  return access === 'priv' ? from === owner : isSubclass(from, owner);
}
