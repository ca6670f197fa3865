import type * as ast from '../1-parse/ast.ts';
import type { Binding, ModuleBinding } from '../2-resolve/names.ts';
import type { ClassRecord } from '../3-infer/program.ts';
import { pathBelow } from '../project/paths.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * W0510 (E0510 with `[check] enforce_access`): symbols that another module, or another project, keeps to itself
 * (docs/language/access.md#access-tags).
 */
export const moduleAccessRule: Rule = {
  name: 'module-access',
  visit: { ImportItem: visitItem, Attribute: visitAttribute, NameRef: visitName, Spawn: visitSpawn },
};

function visitItem(node: ast.ImportItem, c: RuleContext): void {
  const name = node.alias ?? node.name;
  const binding = name && imported(c.names.binding(name), c);
  if (!isAskedByPages(binding, c)) check(binding, node, c);
}

/**
 * Names that `include` and `*` bring are nowhere in an import list: reported where they are used, as are walkers and functions that pages
 * ask for, whose import is how a program serves them.
 */
function visitName(node: ast.NameRef, c: RuleContext): void {
  const binding = c.names.binding(node);
  if (binding.sort !== 'module' || binding.role !== 'import') return;
  const isUnlisted = binding.decl?.kind === 'Include' || binding.decl?.kind === 'ImportFrom';
  const target = imported(binding, c);
  if (isUnlisted || isAskedByPages(target, c)) check(target, node, c);
}

/** A private walker that client code makes an endpoint, which W0645 tells (docs/decisions/0965), or a private function, which is one. */
function isAskedByPages(binding: ModuleBinding | undefined, c: RuleContext): boolean {
  const target = binding && (c.projectNames.follow(binding) ?? binding);
  if (target?.decl === undefined || target.access !== 'priv' || c.enforceAccess) return false;
  return c.projectNames.clientUses().has(target.decl);
}

function imported(binding: Binding, c: RuleContext): ModuleBinding | undefined {
  if (binding.sort !== 'local' && binding.sort !== 'module') return undefined;
  if (binding.import?.of !== 'member') return undefined;
  return c.projectNames.of(binding.import.module).bindings.get(binding.import.member);
}

function visitAttribute(node: ast.Attribute, c: RuleContext): void {
  const type = c.typeOf(node.object);
  if (type.t === 'module' && !type.std)
    check(c.projectNames.of(type.module)?.bindings.get(node.name.text), node.name, c);
}

/** A private walker that came from its module as a value. One that is constructed in the spawn is reported where it is named. */
function visitSpawn(node: ast.Spawn, c: RuleContext): void {
  for (const side of [node.left, node.right]) {
    if (side === undefined) continue;
    const type = c.typeOf(side);
    if (type.t !== 'instance' || type.cls.kind !== 'walker' || type.cls.decl?.kind !== 'Archetype') continue;
    if (side.kind === 'Call' && c.typeOf(side.callee).t === 'class') continue;
    const { module } = (type.cls as ClassRecord).state;
    if (type.cls.decl.access === 'priv' && module.id !== c.module.id) report(type.cls.name, module.id, side, c);
  }
}

function check(binding: ModuleBinding | undefined, span: ast.Span, c: RuleContext): void {
  const target = binding && (c.projectNames.follow(binding) ?? binding);
  if (target === undefined || target.module === c.module.id) return;
  const isHidden =
    target.access === 'priv' ||
    (target.access === 'protect' && isInProject(c.module.id, c) !== isInProject(target.module, c));
  if (isHidden) report(target.name, target.module, span, c);
}

function report(name: string, module: string, span: ast.Span, c: RuleContext): void {
  c.report(c.enforceAccess ? 'E0510' : 'W0510', span, { name, owner: `module ${module}` });
}

function isInProject(module: string, c: RuleContext): boolean {
  return pathBelow(c.project.modules.get(module)!.path, c.project.root) !== undefined;
}
