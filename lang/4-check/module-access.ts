import type * as ast from '../1-parse/ast.ts';
import type { ModuleBinding } from '../2-resolve/names.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0510 (E0510 with `[check] enforce_access`): symbols that another module keeps to itself (2.2). */
export const moduleAccessRule: Rule = {
  name: 'module-access',
  visit: { ImportItem: visitItem, Attribute: visitAttribute },
};

function visitItem(node: ast.ImportItem, c: RuleContext): void {
  const name = node.alias ?? node.name;
  if (name === undefined) return;
  const binding = c.names.binding(name);
  if (binding.sort !== 'local' && binding.sort !== 'module') return;
  if (binding.import?.of !== 'member') return;
  check(c.projectNames.of(binding.import.module).bindings.get(binding.import.member), node, c);
}

function visitAttribute(node: ast.Attribute, c: RuleContext): void {
  const type = c.typeOf(node.object);
  if (type.t === 'module' && !type.std)
    check(c.projectNames.of(type.module)?.bindings.get(node.name.text), node.name, c);
}

function check(binding: ModuleBinding | undefined, span: ast.Span, c: RuleContext): void {
  const target = binding && (c.projectNames.follow(binding) ?? binding);
  if (target === undefined || target.access !== 'priv' || target.module === c.module.id) return;
  c.report(c.enforceAccess ? 'E0510' : 'W0510', span, { name: target.name, owner: `module ${target.module}` });
}
