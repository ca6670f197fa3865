import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0512: `override` on something that no base has. */
export const overrideRule: Rule = { name: 'overrides', visit: { FunctionDecl: visit, Ability: visit } };

function visit(node: ast.FunctionDecl | ast.Ability, c: RuleContext): void {
  const name = node.name?.text;
  if (!node.mods.override || name === undefined || node.name === undefined) return;
  const owner = c.types.functionRecord(node)?.owner;
  if (owner?.open === true) return;
  const inherited = owner?.bases.some(
    (base) => base.kind !== 'runtime' && (base.methods.has(name) || base.abilities.has(name) || base.fields.has(name)),
  );
  if (inherited !== true) c.report('W0512', node.name, { name });
}
