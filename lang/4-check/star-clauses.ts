import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from '../2-resolve/children.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0110: a clause of `except*` comes to its end, so that the clauses behind it and what no clause took have their turn (decisions/0385). */
export const starClauseRule: Rule = {
  name: 'star-clauses',
  visit: {
    TryStatement(node, c) {
      if (node.splitsGroups) for (const { body } of node.handlers) reportLeaving(body, false, c);
    },
  },
};

const ownFunctions = new Set(['FunctionDecl', 'FunctionExpr', 'Lambda', 'Archetype']);
const loops = new Set(['ForIn', 'ForCount', 'WhileStatement']);

function reportLeaving(node: ast.Node, inLoop: boolean, c: RuleContext): void {
  if (ownFunctions.has(node.kind)) return;
  const word = node.kind === 'ReturnStatement' ? 'return' : node.kind === 'CtrlStatement' ? node.word : undefined;
  if (word !== undefined && !(inLoop && (word === 'break' || word === 'continue')))
    c.report('E0110', node, { expected: 'a statement that stays in its `except*`', got: `\`${word}\`` });
  forEachChild(node, (child) => reportLeaving(child, inLoop || loops.has(node.kind), c));
}
