import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/** Note W0541: schedules are not run in this release. `svc start` says so itself, of those that are served. */
export const scheduleNotYetRule: Rule = {
  name: 'schedule-not-yet',
  checkOnly: true,
  visit: { FunctionDecl: visitDecorated, Archetype: visitDecorated },
};

function visitDecorated(node: ast.FunctionDecl | ast.Archetype, c: RuleContext): void {
  for (const decorator of node.decorators) {
    const name = decorator.kind === 'Call' ? decorator.callee : decorator;
    if (name.kind !== 'NameRef' || name.name !== 'schedule') continue;
    const binding = c.names.binding(name);
    if (binding.sort === 'builtin')
      c.report('W0541', decorator, {}, { help: 'a timer outside of the program may call the endpoint' });
  }
}
