import type * as ast from '../1-parse/ast.ts';
import { statementTerminates } from '../2-resolve/reachability.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0403: the first statement of a block that control never comes to. */
export const unreachableRule: Rule = {
  name: 'unreachable',
  half: 'both',
  visit: { Block: visit },
};

function visit(block: ast.Block, c: RuleContext): void {
  const { statements } = block;
  for (let i = 0; i + 1 < statements.length; i++) {
    const next = statements[i + 1]!;
    if (statementTerminates(statements[i]!)) {
      if (next.kind !== 'FunctionDecl') c.report('W0403', next);
      return;
    }
  }
}
