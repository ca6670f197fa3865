import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * W0311 and W0312: special methods that the runtime calls on its own and cannot wait for, although their body may wait; threads, which are
 * cooperative (D-18, D-19).
 */
export const blockingRule: Rule = { name: 'blocking', visit: { FunctionDecl: visit, Call: visitCall } };

const calledByRuntime = new Set([
  '__str__',
  '__repr__',
  '__hash__',
  '__eq__',
  '__ne__',
  '__lt__',
  '__le__',
  '__gt__',
  '__ge__',
  '__bool__',
  '__len__',
  '__format__',
]);

function visit(node: ast.FunctionDecl, c: RuleContext): void {
  const name = node.name?.text;
  if (name === undefined || node.name === undefined || !calledByRuntime.has(name)) return;
  if (c.types.suspends(node))
    c.report('W0311', node.name, { f: name }, { help: 'compute the value before, in a method of its own' });
}

function visitCall(node: ast.Call, c: RuleContext): void {
  const plan = c.types.callPlan(node);
  if (plan.how === 'std' && plan.module === 'threading' && plan.name === 'Thread') c.report('W0312', node.callee);
}
