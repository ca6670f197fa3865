import type * as ast from '../1-parse/ast.ts';
import type { Project } from '../project.ts';
import type { Rule, RuleContext } from './rule.ts';

/** Note W0646, once per program: its client code is not built in this release. */
export const clientNotYetRule: Rule = { name: 'client-not-yet', module: tellClient };

/** Note W0541: schedules are not run in this release. `svc start` says so itself, of those that are served. */
export const scheduleNotYetRule: Rule = {
  name: 'schedule-not-yet',
  checkOnly: true,
  visit: { FunctionDecl: visitDecorated, Archetype: visitDecorated },
};

const told = new WeakSet<Project>();

function tellClient(c: RuleContext): void {
  if (told.has(c.project)) return;
  const first = c.module.tree.body.find((element) => isClientOnly(element, c));
  if (first === undefined) return;
  told.add(c.project);
  c.source = c.module.sourceOf(first);
  const { start } = first;
  c.report(
    'W0646',
    { start, end: start + firstWord(c.source.text, start) },
    {},
    { help: '`svc start` serves the rest of the program' },
  );
}

function isClientOnly(element: ast.Element, c: RuleContext): boolean {
  if (element.kind === 'PlacedBlock') return element.body.some((inner) => isClientOnly(inner, c));
  return c.names.isClient(element) && !c.names.isServer(element);
}

function firstWord(text: string, start: number): number {
  return /^\S*/.exec(text.slice(start, start + 40))![0].length;
}

function visitDecorated(node: ast.FunctionDecl | ast.Archetype, c: RuleContext): void {
  for (const decorator of node.decorators) {
    const name = decorator.kind === 'Call' ? decorator.callee : decorator;
    if (name.kind !== 'NameRef' || name.name !== 'schedule') continue;
    const binding = c.names.binding(name);
    if (binding.sort === 'builtin')
      c.report('W0541', decorator, {}, { help: 'a timer outside of the program may call the endpoint' });
  }
}
