import type * as ast from '../1-parse/ast.ts';
import { deferred, deferring } from '../2-resolve/deferred-calls.ts';
import { certainWriteOf } from './certain-writes.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0612: `live(root spawn W())` of a walker that writes on every way through its first ability: the server would answer `NOT_READ_ONLY`. */
export const liveWriteRule: Rule = { name: 'live-writes', half: 'client', visit: { Call: visit } };

function visit(e: ast.Call, c: RuleContext): void {
  if (deferring(c.names, e) !== 'live') return;
  const walk = deferred(e);
  if (walk?.kind !== 'Spawn') return;
  for (const side of [walk.left, walk.right]) {
    if (side?.kind !== 'Call') continue;
    const type = c.typeOf(side);
    if (type.t !== 'instance' || type.cls.decl?.kind !== 'Archetype' || type.cls.decl.archetype !== 'walker') continue;
    const write = certainWriteOf(type.cls.decl, c.projectNames.of(type.cls.module));
    if (write === undefined) continue;
    c.report('E0612', side, { W: type.cls.name }, { help: `use \`useAction(root spawn ${type.cls.name}(…))\` for it` });
  }
}
