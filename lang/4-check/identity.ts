import type * as ast from '../1-parse/ast.ts';
import type { Type } from '../3-infer/types.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0405: `==` between objects that compare by identity (docs/language/values.md#equality). */
export const identityRule: Rule = { name: 'identity', visit: { Compare: visit } };

function visit(node: ast.Compare, c: RuleContext): void {
  node.ops.forEach((op, i) => {
    if (op !== '==' && op !== '!=') return;
    const left = objectName(c.typeOf(node.operands[i]!));
    const right = objectName(c.typeOf(node.operands[i + 1]!));
    if (left === undefined || right === undefined) return;
    c.report('W0405', node, { T: left }, { help: 'compare fields, define `__eq__`, or write `is`' });
  });
}

function objectName(type: Type): string | undefined {
  if (type.t !== 'instance' || type.cls.kind !== 'obj' || type.cls.open) return undefined;
  return type.cls.methods.has('__eq__') ? undefined : type.cls.name;
}
