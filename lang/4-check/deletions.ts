import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * E0110: `del 5;`. What is no place is computed, and deleted where it is of the graph
 * (docs/language/statements.md#del); numbers, texts and the like never are.
 */
export const deletionRule: Rule = {
  name: 'deletions',
  visit: {
    DeleteStatement(node, c) {
      for (const target of node.targets) check(target, c);
    },
  },
};

const neverOfGraph = new Set(['int', 'float', 'bool', 'str', 'bytes', 'none', 'dict', 'set', 'range']);

function check(e: ast.Expression, c: RuleContext): void {
  switch (e.kind) {
    case 'TupleExpr':
    case 'ListExpr':
    case 'SetExpr':
      for (const item of e.items) check(item, c);
      return;
    case 'NameRef':
    case 'SpecialRef':
    case 'Attribute':
    case 'Index':
      return;
    default: {
      const type = c.typeOf(e);
      const isLambda = e.kind === 'Lambda';
      if (!isLambda && !(neverOfGraph.has(type.t) && 'sure' in type && type.sure === true) && type.t !== 'none') return;
      const got = `\`${c.source.text.slice(e.start, Math.min(e.end, e.start + 40))}\``;
      c.report('E0110', e, { expected: 'something that can be deleted', got }, { blocking: false });
    }
  }
}
