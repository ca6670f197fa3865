import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { setterOf } from '../2-resolve/components.ts';
import { isMarked } from '../2-resolve/is-marked.ts';
import type { LocalBinding, ModuleBinding } from '../2-resolve/names.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0404: locals that are assigned and never read, imports that nothing names. */
export const unusedRule: Rule = {
  name: 'unused',
  half: 'both',
  checkOnly: true,
  visit: {
    AssignStatement: visitAssign,
    HasItem: visitCell,
    ImportFrom: visitFrom,
    ImportModules: visitModules,
  },
};

function visitAssign(node: ast.AssignStatement, c: RuleContext): void {
  for (const target of node.targets) if (target.kind === 'NameRef') checkLocal(target, c);
}

/** `self.count` and `setCount` mean a cell of state, too. */
function visitCell({ name }: ast.HasItem, c: RuleContext): void {
  const isMeant = (node: ast.Node) =>
    (node.kind === 'NameRef' && node.name === setterOf(name.text)) ||
    (node.kind === 'Attribute' && node.object.kind === 'SpecialRef' && node.name.text === name.text);
  if (c.half === 'server' || c.fn === undefined || !containsNode(c.fn.node, isMeant)) checkLocal(name, c);
}

function checkLocal(name: ast.NameRef | ast.Name, c: RuleContext): void {
  const binding = c.names.binding(name);
  if (binding.sort === 'local' && isUnused(binding) && binding.scope.kind === 'function' && isNew(binding, c))
    c.report('W0404', name, { name: binding.name });
}

const told = new WeakMap<RuleContext, Set<LocalBinding>>();

/** A variable is told once, where it is assigned first. */
function isNew(binding: LocalBinding, c: RuleContext): boolean {
  const known = told.get(c) ?? new Set();
  if (known.has(binding)) return false;
  told.set(c, known.add(binding));
  return true;
}

function isUnused(binding: LocalBinding): boolean {
  return !binding.used && !binding.captured && binding.role === 'local' && !binding.name.startsWith('_');
}

function visitFrom(node: ast.ImportFrom, c: RuleContext): void {
  for (const item of node.items) checkImport(item.alias ?? item.name, c);
}

function visitModules(node: ast.ImportModules, c: RuleContext): void {
  for (const item of node.items) checkImport(item.alias ?? item.path.segments[0], c);
}

function checkImport(name: ast.Name | undefined, c: RuleContext): void {
  if (name === undefined) return;
  const binding = c.names.binding(name);
  if (binding.sort !== 'local' && binding.sort !== 'module') return;
  // An attribute of the class.
  if (binding.sort === 'local' && binding.scope.kind === 'class') return;
  if (binding.used || binding.import?.of === 'erased' || binding.import?.of === 'unavailable') return;
  if (binding.sort === 'module' && (isServed(binding, c) || isImportedElsewhere(name.text, c))) return;
  c.report('W0404', name, { name: name.text });
}

/** Importing a walker or a marked function makes it an endpoint. */
function isServed(binding: ModuleBinding, c: RuleContext): boolean {
  const target = c.projectNames.follow(binding);
  const decl = target?.decl;
  if (decl?.kind === 'Archetype') return decl.archetype === 'walker';
  return decl?.kind === 'FunctionDecl' && isMarked(decl, c.projectNames.of(target!.module));
}

/** A package lists in its `__init__.svc` what others import from it. */
function isImportedElsewhere(name: string, c: RuleContext): boolean {
  if (c.module.path.endsWith('__init__.svc')) return true;
  for (const id of c.project.modules.keys()) {
    if (id === c.module.id) continue;
    for (const binding of c.projectNames.of(id).bindings.values()) {
      if (binding.import?.of === 'member' && binding.import.module === c.module.id && binding.import.member === name)
        return true;
    }
  }
  return false;
}
