import { didYouMean } from '../../base/did-you-mean.ts';
import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0525: an assignment to `self.x` where `x` is no declared field. */
export const undeclaredFieldRule: Rule = { name: 'undeclared-fields', visit: { AssignStatement: visit } };

function visit(node: ast.AssignStatement, c: RuleContext): void {
  for (const target of node.targets) {
    if (target.kind !== 'Attribute' || target.object.kind !== 'SpecialRef' || target.object.word !== 'self') continue;
    const type = c.typeOf(target.object);
    if (type.t !== 'instance' || type.cls.open || type.cls.kind === 'class' || type.cls.kind === 'enum') continue;
    const name = target.name.text;
    const { cls } = type;
    if (cls.fields.has(name) || cls.methods.has(name) || cls.attributes.has(name) || cls.abilities.has(name)) continue;
    const near = didYouMean(name, cls.fields.keys());
    const help = near === undefined ? `declare it: \`has ${name}: any;\`` : `did you mean \`${near}\`?`;
    c.report('W0525', target.name, { name, T: cls.name }, { help });
  }
}
