import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0301: `x += 1` in a function that gives `x` no value anywhere, which is an UnboundLocalError. */
export const neverAssignedRule: Rule = { name: 'never-assigned', visit: { AugAssign: visit } };

function visit({ target }: ast.AugAssign, c: RuleContext): void {
  if (target.kind !== 'NameRef') return;
  const binding = c.names.binding(target);
  if (binding.sort !== 'local' || !binding.onlyAugmented || binding.captured || binding.assignedInside) return;
  c.report('E0301', target, { name: target.name }, { help: helpFor(target.name, c) });
}

function helpFor(name: string, c: RuleContext): string | undefined {
  if (c.owner?.fields.has(name) === true) return `did you mean \`self.${name}\`?`;
  const outside = c.names.bindings.get(name);
  return outside?.role === 'entry' ? `for the variable of the module write \`global ${name};\`` : undefined;
}
