import type { Rule } from './rule.ts';

/**
 * W0620: `awaiting` belongs to markup in the browser; the block is ignored elsewhere
 * (docs/language/statements.md#exceptions).
 */
export const awaitingRule: Rule = {
  name: 'awaiting',
  visit: {
    TryStatement(node, c) {
      if (node.awaiting !== undefined) c.report('W0620', node.awaiting);
    },
  },
};
