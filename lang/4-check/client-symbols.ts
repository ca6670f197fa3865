import type * as ast from '../1-parse/ast.ts';
import type { ModuleBinding, Names } from '../2-resolve/names.ts';
import type { ProjectNames } from '../2-resolve/resolve.ts';
import type { Project, ProjectModule } from '../project.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0602: server code that names what only the client has (docs/language/placement.md#placement). */
export const clientSymbolRule: Rule = { name: 'client-symbols', applies: hasClient, visit: { NameRef: visit } };

function hasClient(project: Project, names: ProjectNames): boolean {
  return [...project.modules.values()].some((module) => namesOnClient(module, names.of(module.id)).size > 0);
}

function visit(node: ast.NameRef, c: RuleContext): void {
  const binding = c.names.binding(node);
  if (binding.sort !== 'module') return;
  const target = binding.role === 'import' ? c.projectNames.follow(binding) : binding;
  if (target === undefined) return;
  const module = c.project.modules.get(target.module);
  if (module !== undefined && isClientOnly(target, module, c.projectNames.of(module.id)))
    c.report('E0602', node, { s: node.name }, { blocking: false, help: serverHelp(target.name, module) });
}

/** Gives the help for a name that nothing but its markup made client code: it may as well be server code. */
function serverHelp(name: string, { tree, placement }: ProjectModule): string | undefined {
  const isInferred = tree.body.some((element) => namesOf(element).includes(name) && placement.get(element)?.inferred);
  return isInferred ? 'its markup makes it client code; write `sv` in front of the declaration' : undefined;
}

function namesOf(element: ast.Element): readonly string[] {
  if (element.kind === 'GlobDecl') return element.items.map((item) => item.name.text);
  return element.kind === 'FunctionDecl' && element.name !== undefined ? [element.name.text] : [];
}

const clientNames = new WeakMap<ProjectModule, ReadonlySet<string>>();

function isClientOnly(binding: ModuleBinding, module: ProjectModule, names: Names): boolean {
  let known = clientNames.get(module);
  if (known === undefined) {
    known = namesOnClient(module, names);
    clientNames.set(module, known);
  }
  return known.size > 0 && known.has(binding.name);
}

function namesOnClient(module: ProjectModule, names: Names): ReadonlySet<string> {
  const client = new Set<string>();
  const server = new Set<string>();
  const visitElement = (element: ast.Element): void => {
    if (element.kind === 'PlacedBlock') {
      element.body.forEach(visitElement);
      return;
    }
    const into = names.isServer(element) ? server : client;
    if (element.kind === 'GlobDecl') for (const name of namesOf(element)) into.add(name);
    else if ('name' in element && element.name !== undefined) into.add(element.name.text);
  };
  module.tree.body.forEach(visitElement);
  for (const name of server) client.delete(name);
  return client;
}
