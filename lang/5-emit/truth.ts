/** Conditions, and the operators that give one of their operands (docs/language/values.md#truth). */
import type * as ast from '../1-parse/ast.ts';
import { compare, givesBool } from './comparisons.ts';
import { type Cx, temp } from './context.ts';
import { awaitIfPromise, expr } from './expressions.ts';
import { isListCode, isSimple, isSure, mainTypeOf, typeOf } from './kinds.ts';
import { operand, typeTest } from './operators.ts';

/**
 * Code of a JavaScript condition: the truth of `e` (docs/language/values.md#truth), as a boolean, safe as an operand.
 */
export function condition(c: Cx, e: ast.Expression): string {
  if (c.u.computed.has(e)) return truthOf(c, e, c.u.computed.get(e)!);
  if (c.u.spines.has(e)) {
    const t = temp(c);
    return `(${t} = ${expr(c, e)}, ${truthOf(c, e, t)})`;
  }
  switch (e.kind) {
    case 'Logical':
      if (e.op === '?:') break;
      return `(${condition(c, e.left)} ${e.op === 'and' ? '&&' : '||'} ${condition(c, e.right)})`;
    case 'Unary':
      if (e.op === 'not') return `!${condition(c, e.operand)}`;
      break;
    case 'Compare':
      return compare(c, e);
    case 'Constant':
      return e.value === true || e.value === 'ellipsis' ? 'true' : 'false';
    case 'Conditional':
      return `(${condition(c, e.test)} ? ${condition(c, e.then)} : ${condition(c, e.orElse)})`;
    default:
  }
  if (isBoolean(c, e)) return expr(c, e);
  const kind = mainTypeOf(c, e).t;
  if (kind === 'list' || kind === 'int' || kind === 'str' || kind === 'bool') {
    if (isSimple(c, e)) return truthOf(c, e, expr(c, e));
    const t = temp(c);
    return `(${t} = ${expr(c, e)}, ${truthOf(c, e, t)})`;
  }
  return asked(c, e, expr(c, e));
}

// Gives the code for the truth of an object, whose class may have to be waited for.
function asked(c: Cx, e: ast.Expression, code: string): string {
  return c.isAsync && c.u.types.asksWaiting(e) ? awaitIfPromise(c, `$.w.truth(${code})`) : `$.truth(${code})`;
}

function truthOf(c: Cx, e: ast.Expression, code: string): string {
  const sure = typeOf(c, e).sure === true && typeOf(c, e).t !== 'union';
  switch (mainTypeOf(c, e).t) {
    case 'bool':
      return sure ? code : `(${code} === true || ${code} !== false && ${asked(c, e, code)})`;
    case 'list':
      return sure ? `(${code}.length > 0)` : `(${isListCode(c, code)} ? ${code}.length > 0 : ${asked(c, e, code)})`;
    case 'str':
      return sure ? `(${code} !== "")` : `(${typeTest(code, 'string')} ? ${code} !== "" : ${asked(c, e, code)})`;
    case 'int':
      return `(${typeTest(code, 'number')} ? ${code} !== 0 : ${asked(c, e, code)})`;
    default:
      return asked(c, e, code);
  }
}

const booleanCalls = new Set(['isinstance', 'issubclass', 'hasattr', 'callable', 'any', 'all', 'bool']);

/** Does the code of `e` certainly give a JavaScript boolean? */
function isBoolean(c: Cx, e: ast.Expression): boolean {
  if (c.u.spines.has(e)) return isSure(c, e, 'bool');
  switch (e.kind) {
    case 'Compare':
      return givesBool(c, e);
    case 'Unary':
      return e.op === 'not';
    case 'Constant':
      return typeof e.value === 'boolean';
    case 'Logical':
      return e.op !== '?:' && isBoolean(c, e.left) && isBoolean(c, e.right);
    case 'Call': {
      const plan = c.u.types.callPlan(e);
      return plan.how === 'builtin' && booleanCalls.has(plan.name) && !c.u.types.waits(e);
    }
    default:
      return isSure(c, e, 'bool');
  }
}

/** `a and b`, `a or b`, `a ?: b` as values: one of the operands. */
export function logical(c: Cx, e: ast.Logical): string {
  if (e.op === '?:') return `(${expr(c, e.left)} ?? ${expr(c, e.right)})`;
  const op = e.op === 'and' ? '&&' : '||';
  if (isBoolean(c, e.left)) return `(${expr(c, e.left)} ${op} ${expr(c, e.right)})`;
  const { before, code } = operand(c, e.left);
  const truth = truthOf(c, e.left, code);
  const right = expr(c, e.right);
  return e.op === 'and' ? `(${before}${truth} ? ${right} : ${code})` : `(${before}${truth} ? ${code} : ${right})`;
}
