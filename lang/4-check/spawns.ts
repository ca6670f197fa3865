import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0534 and W0535: a walker class where a walker is meant, an asynchronous walk that nobody waits for. */
export const spawnRule: Rule = { name: 'spawns', visit: { Spawn: visit } };

function visit(node: ast.Spawn, c: RuleContext): void {
  for (const side of [node.left, node.right]) {
    const type = side === undefined ? undefined : c.typeOf(side);
    if (side !== undefined && type?.t === 'class' && type.cls.kind === 'walker') {
      c.report('W0534', side, { W: type.cls.name }, { help: `write \`${type.cls.name}()\`` });
    }
  }
  const result = c.typeOf(node);
  if (result.t !== 'awaitable' || c.types.waits(node) || c.parent.kind === 'Await') return;
  const kind = c.fn?.node.kind;
  const isSync = (kind === 'FunctionDecl' || kind === 'Ability') && c.fn?.info.async === false;
  if (isSync && result.of.t === 'instance')
    c.report(
      'W0535',
      node,
      { W: result.of.cls.name },
      { help: `write \`await\` before it, in an \`async ${kind === 'Ability' ? 'can' : 'def'}\`` },
    );
}
