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
  if (inherited !== true && !ofEveryObject.has(name)) c.report('W0512', node.name, { name });
}

/**
 * Methods that every class inherits, the constructor by its short names too (docs/language/archetypes.md#constructor).
 */
const ofEveryObject = new Set(
  `init postinit __init__ __post_init__ __new__ __str__ __repr__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __format__ __getattribute__
  __setattr__ __delattr__ __dir__ __sizeof__ __reduce__ __reduce_ex__ __init_subclass__ __subclasshook__`.split(/\s+/),
);
