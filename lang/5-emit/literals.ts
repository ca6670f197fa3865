/** Expressions whose value needs no evaluation at a particular time. */
import type * as ast from '../1-parse/ast.ts';

/** A constant that can stand as a default in a parameter list. */
export function isSimpleDefault(e: ast.Expression): boolean {
  switch (e.kind) {
    case 'NumberLiteral':
      return true;
    case 'StringLiteral':
      return !e.bytes;
    case 'Constant':
      return e.value !== 'ellipsis';
    case 'Unary':
      return e.op === '-' && e.operand.kind === 'NumberLiteral';
    default:
      return false;
  }
}

/** The JavaScript value of a literal as `FieldSpec.literal` wants it; undefined for everything else. */
export function literalValue(e: ast.Expression): string | number | boolean | null | undefined {
  switch (e.kind) {
    case 'NumberLiteral':
      // An integral float is an object.
      if (typeof e.value !== 'number' || (e.float && Number.isSafeInteger(e.value))) return undefined;
      return Number.isFinite(e.value) ? e.value : undefined;
    case 'StringLiteral':
      return e.bytes ? undefined : e.value;
    case 'Constant':
      return e.value === 'ellipsis' ? undefined : e.value;
    case 'Unary': {
      const inner = e.op === '-' && e.operand.kind === 'NumberLiteral' ? literalValue(e.operand) : undefined;
      return typeof inner === 'number' && inner !== 0 ? -inner : undefined;
    }
    default:
      return undefined;
  }
}

/** Literals and displays of literals: the same whenever they are evaluated. */
export function isTimeless(e: ast.Expression): boolean {
  switch (e.kind) {
    case 'NumberLiteral':
    case 'StringLiteral':
    case 'Constant':
    case 'Lambda':
      return true;
    case 'Unary':
      return isTimeless(e.operand);
    case 'ListExpr':
    case 'TupleExpr':
    case 'SetExpr':
      return e.items.every(isTimeless);
    case 'DictExpr':
      return e.entries.every((entry) => entry.key !== undefined && isTimeless(entry.key) && isTimeless(entry.value));
    default:
      return false;
  }
}
