/**
 * `assert` (docs/language/statements.md#exceptions). Under `svc test` a comparison that does not hold remembers its two
 * sides (decisions/0020).
 */
import type * as ast from '../1-parse/ast.ts';
import { type Cx, line, mark, unique } from './context.ts';
import { expr } from './expressions.ts';
import { condition } from './truth.ts';

export function assertStatement(c: Cx, s: ast.AssertStatement): string {
  if (c.u.options.mode === 'test' && s.test.kind === 'Compare' && s.test.ops.length === 1)
    return comparedAssert(c, s, s.test);
  const test = condition(c, s.test);
  const message = s.message === undefined ? '' : expr(c, s.message);
  return line(c, `${mark(c, s)}if (!${test}) throw ${mark(c, s.test)}new $.AssertionError(${message});`);
}

function comparedAssert(c: Cx, s: ast.AssertStatement, test: ast.Compare): string {
  const [left, right] = test.operands.map((operand) => held(c, operand)) as [Held, Held];
  const holds = condition(c, test);
  const message = s.message === undefined ? '' : `, ${expr(c, s.message)}`;
  for (const operand of test.operands) c.u.computed.delete(operand);
  const sides = `${left.name}, ${right.name}`;
  const check = `if (!${holds}) throw ${mark(c, test)}$.failedAssert([${sides}]${message});`;
  return line(c, `${mark(c, s)}{ ${left.before}${right.before}${check} }`);
}

interface Held {
  /** Declares the name under which the comparison finds the value. */
  readonly before: string;
  readonly name: string;
}

function held(c: Cx, operand: ast.Expression): Held {
  // A number says itself what it is, and a comparison with it looks at what is written: a box under a name would be none.
  if (operand.kind === 'NumberLiteral') return { before: '', name: expr(c, operand) };
  const name = unique(c.u, 'side');
  const before = `const ${name} = ${expr(c, operand)}; `;
  c.u.computed.set(operand, name);
  return { before, name };
}
