import type * as ast from '../1-parse/ast.ts';
import { membersOf } from '../3-infer/type-values.ts';
import type { Type } from '../3-infer/types.ts';
import type { RuleContext } from './rule.ts';

/** The type of a literal; undefined for any other expression. `None` is no literal here: it stands for "not yet" everywhere. */
export function literalType(e: ast.Expression, c: RuleContext): Type | undefined {
  switch (e.kind) {
    case 'NumberLiteral':
    case 'StringLiteral':
    case 'Joined':
    case 'ListExpr':
    case 'DictExpr':
    case 'SetExpr':
    case 'TupleExpr':
      return c.typeOf(e);
    case 'Constant':
      return e.value === true || e.value === false ? c.typeOf(e) : undefined;
    case 'Unary':
      return e.op === '-' && e.operand.kind === 'NumberLiteral' ? c.typeOf(e.operand) : undefined;
    default:
      return undefined;
  }
}

const literalKinds = new Set(['int', 'float', 'str', 'bytes', 'bool', 'list', 'dict', 'set', 'tuple']);

/** May a value of type `actual`, which a literal has, stand where `expected` is declared? */
export function suits(expected: Type, actual: Type): boolean {
  return membersOf(expected).some((member) => {
    if (member.t === actual.t || !literalKinds.has(member.t)) {
      // An enum, a type alias or an object may be made from a literal elsewhere; only None is certainly something else.
      return member.t !== 'none';
    }
    if (member.t === 'float') return actual.t === 'int' || actual.t === 'bool';
    return member.t === 'int' && actual.t === 'bool';
  });
}
