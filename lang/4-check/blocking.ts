import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * W0311 and W0312: `asyncio.run` in an `async def`, which runs in a loop already (D-18, decisions/0291); threads, which are cooperative (D-19).
 */
export const blockingRule: Rule = { name: 'blocking', visit: { Call: visit } };

function visit(node: ast.Call, c: RuleContext): void {
  const plan = c.types.callPlan(node);
  if (plan.how !== 'std') return;
  if (plan.module === 'threading' && plan.name === 'Thread') c.report('W0312', node.callee);
  if (plan.module === 'asyncio' && plan.name === 'run' && c.fn?.info.async === true)
    c.report('W0311', node.callee, { f: 'asyncio.run' }, { help: 'write `await`' });
}
